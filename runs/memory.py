"""How the C library of Linux keeps the memory of a program that computes with large arrays."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

# Arrays that live for one step of a computation are laid where the one before was: to ask the system for each
# takes more time than the arithmetic. What lies free is given back when the computation is over. Few threads
# keep heaps of their own. 32 MB is the most that the library takes.
MEMORY = {"MALLOC_MMAP_THRESHOLD_": str(32 * 1024 * 1024), "MALLOC_ARENA_MAX": "2"}


def give_back_memory() -> None:
    """Give the system what lies free: some milliseconds. Without glibc it does nothing."""
    trim = _find_trim()
    if trim is not None:
        trim(0)


@cache
def _find_trim() -> Any:
    try:
        return ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):  # another C library, or Windows
        return None
