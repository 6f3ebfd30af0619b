"""Errors of the store, and what it has to tell without an error. Both give a reason and facts, of which
reports/refusals.py makes a sentence.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(init=False)
class Notice:
    """What a person should be told although nothing was refused."""

    reason: str
    facts: Mapping[str, object]

    def __init__(self, reason: str, **facts: object) -> None:
        self.reason, self.facts = reason, facts


class StoreError(Exception):
    """The store can't be used, or can't carry out a request. Nothing was changed.

    `reason` says why; reports/refusals.py makes a sentence of it with `facts`. Of an import it is a sentence
    already.
    """

    def __init__(self, reason: str, **facts: object) -> None:
        super().__init__(reason)
        self.reason, self.facts = reason, facts


class NotFound(StoreError):
    """The requested study, unit, rater or other thing doesn't exist."""


class Refused(StoreError):
    """The request would break a rule of the study."""
