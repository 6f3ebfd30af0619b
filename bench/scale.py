"""How large a bench runs: as large as its figures say, or so small that it shows within seconds that it still
runs (`python -m bench --small`). Processes that a bench starts run as large as it does.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TypeVar

VARIABLE = "BENCH_SMALL"

Size = TypeVar("Size")
Item = TypeVar("Item")


def sized(whole: Size, small: Size) -> Size:
    """`small` where benches are to run small, `whole` otherwise."""
    return small if os.environ.get(VARIABLE) else whole


def some(items: Iterable[Item]) -> list[Item]:
    """All items, or the first two where benches are to run small."""
    return list(items)[: sized(None, 2)]
