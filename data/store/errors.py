"""Errors of the store."""


class StoreError(Exception):
    """The store can't be used, or can't carry out a request. Nothing was changed.

    `reason` says why; reports/refusals.py makes a sentence of it with `facts`. For errors of files and disks,
    which an administrator reads before any page opens, it is a sentence already.
    """

    def __init__(self, reason: str, **facts: object) -> None:
        super().__init__(reason)
        self.reason, self.facts = reason, facts


class NotFound(StoreError):
    """The requested study, unit, rater or other thing doesn't exist."""


class Refused(StoreError):
    """The request would break a rule of the study."""
