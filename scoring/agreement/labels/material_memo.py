"""A cache of results by question and arm (blind, shown, unknown)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

Made = TypeVar("Made")


class MaterialMemo(dict[tuple[int, Any], Made], Generic[Made]):
    """By question and arm, made when first asked for: the material that it is made of never changes."""

    def __init__(self, make: Callable[[int, Any], Made]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, key: tuple[int, Any]) -> Made:
        value = self[key] = self._make(*key)
        return value
