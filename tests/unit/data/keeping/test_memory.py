"""A long trail takes no more memory to check than a short one."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest

from bench import long_trail
from data.keeping.verify import verify

SHORT, LONG = 1_500, 6_000


def most_memory(path: Path, entries: int) -> int:
    """The highest memory in bytes that Python takes while a store of so many entries is checked."""
    store = long_trail.make(path, entries)
    store.checkpoint()  # else it happens in the background while we measure, and reads the log
    with store.reading() as connection:
        verify(connection)  # what is kept after the first time is not of the store
        tracemalloc.start()
        check = verify(connection)
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    store.close()
    assert check.problems == []
    assert check.entries == pytest.approx(entries, rel=0.1)
    return most


def test_memory_does_not_grow_with_the_trail(tmp_path: Path) -> None:
    """A record of each entry, as small as it may be, would take half a megabyte more for the long one."""
    assert (
        most_memory(tmp_path / "long.sqlite", LONG) < most_memory(tmp_path / "short.sqlite", SHORT) + 100_000
    )
