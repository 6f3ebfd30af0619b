"""A cache of results by question and arm (blind, shown, unknown)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

Made = TypeVar("Made")


class MaterialMemo(dict[tuple[int, Any], Made], Generic[Made]):
    """A dictionary by (question, arm) that makes a missing value with `make(question, arm)` and keeps it."""

    def __init__(self, make: Callable[[int, Any], Made]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, key: tuple[int, Any]) -> Made:
        value = self[key] = self._make(*key)
        return value
