"""What can go wrong with the store, in sentences that a person can act on."""


class StoreError(Exception):
    """The store cannot be used, or a request to it cannot be carried out. Nothing was changed."""


class NotFound(StoreError):
    """A study, unit, rater or other thing that was asked for does not exist."""


class Refused(StoreError):
    """The request would break a rule of the study. `reason` says which; with `facts` it becomes a sentence in
    reports/refusals.py.
    """

    def __init__(self, reason: str, **facts: object) -> None:
        super().__init__(reason)
        self.reason, self.facts = reason, facts
