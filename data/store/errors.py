"""Errors of the store, and notices where nothing was refused. Both carry a reason and facts, which
reports/refusals.toml words as a sentence.
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

    `reason` says why; reports/refusals.toml has its sentence, with places for `facts`. Importers give a
    finished sentence as the reason.
    """

    def __init__(self, reason: str, **facts: object) -> None:
        super().__init__(reason)
        self.reason, self.facts = reason, facts


class NotFound(StoreError):
    """The requested study, unit, rater or other thing doesn't exist."""


class Refused(StoreError):
    """The request would break a rule of the study."""
