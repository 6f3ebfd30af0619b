"""What can go wrong with the store."""


class StoreError(Exception):
    """The store cannot be used, or a request to it cannot be carried out. Nothing was changed.

    `reason` says why; with `facts` it becomes a sentence in reports/refusals.py. Of files and disks, which an
    administrator reads before any page opens, it is a sentence already.
    """

    def __init__(self, reason: str, **facts: object) -> None:
        super().__init__(reason)
        self.reason, self.facts = reason, facts


class NotFound(StoreError):
    """A study, unit, rater or other thing that was asked for does not exist."""


class Refused(StoreError):
    """The request would break a rule of the study."""
