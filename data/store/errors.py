"""What can go wrong with the store, in sentences that a person can act on."""


class StoreError(Exception):
    """The store cannot be used, or a request to it cannot be carried out. Nothing was changed."""


class NotFound(StoreError):
    """A study, unit, rater or other thing that was asked for does not exist."""


class Refused(StoreError):
    """The request would break a rule of the study; the message says which."""
