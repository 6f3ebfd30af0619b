"""What a program that computes with large arrays does with memory that lies free."""

from __future__ import annotations

import ctypes
import gc
import mmap
from functools import cache
from pathlib import Path
from typing import Any

# For the C library of Linux. Arrays that live for one step of a computation are laid where the one before
# was: to ask the system for each takes more time than the arithmetic. What lies free is given back when the
# computation is over. Few threads keep heaps of their own. 32 MB is the most that the library takes.
MEMORY = {"MALLOC_MMAP_THRESHOLD_": str(32 * 1024 * 1024), "MALLOC_ARENA_MAX": "2"}


GROWTH = 24 * 1024 * 1024  # bytes: giving back less is not worth the milliseconds that it takes
PAGES_IN_USE = Path("/proc/self/statm")


class FreeMemory:
    """What the process has used and let go."""

    def __init__(self) -> None:
        self._least_in_use = 0  # bytes, since memory was given back last

    def give_back(self) -> bool:
        """Collect garbage and return free memory to the system if much was used since the last time.

        Return whether anything was done. Much is GROWTH more than the least since then, or an unknown
        amount. Without glibc, memory is only collected. The platform would collect after every run of a
        page (.streamlit/config.toml): between a commit and the next unit that takes longer than all of our
        own work.
        """
        in_use = _bytes_in_use()
        if in_use and in_use < self._least_in_use + GROWTH:
            self._least_in_use = min(self._least_in_use, in_use)
            return False
        gc.collect()
        trim = _find_trim()
        if trim is not None:
            trim(0)
        self._least_in_use = _bytes_in_use()
        return trim is not None


free_memory = FreeMemory()


def _bytes_in_use() -> int:
    try:
        return int(PAGES_IN_USE.read_text(encoding="ascii").split()[1]) * mmap.PAGESIZE
    except (OSError, ValueError, IndexError):
        return 0


@cache
def _find_trim() -> Any:
    try:
        return ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):  # another C library, or Windows
        return None
