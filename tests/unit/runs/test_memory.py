"""What was let go goes back to the system, and only where it is worth it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from runs import memory
from runs.memory import GROWTH, FreeMemory


def grow() -> list[np.ndarray]:
    """Many small arrays, which the C library lays behind each other."""
    return [np.ones(8_192) for _ in range(2 * GROWTH // 65_536)]


def test_what_was_let_go_is_given_back_once_the_process_has_grown() -> None:
    free = FreeMemory()
    if memory._find_trim() is None:  # only glibc keeps what was let go
        assert not free.give_back()
        return
    assert free.give_back()  # the first time everything is new
    arrays = grow()
    last = arrays.pop()  # keeps the end of the heap, so that the library alone would give nothing back
    used = memory._bytes_in_use()
    arrays.clear()
    assert free.give_back() and len(last)
    assert memory._bytes_in_use() < used - GROWTH


def test_without_growth_nothing_is_looked_for() -> None:
    free = FreeMemory()
    free.give_back()
    assert not free.give_back()


def test_where_the_system_does_not_say_what_is_in_use_nothing_is_done(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(memory, "PAGES_IN_USE", tmp_path / "nowhere")
    assert not FreeMemory().give_back()
