"""What was let go goes back to the system, and only where it is worth it."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from runs import memory
from runs.memory import GROWTH, FreeMemory

find_trim = memory._find_trim


@pytest.fixture(autouse=True)
def _nothing_collected_by_chance() -> Iterator[None]:
    gc.disable()
    yield
    gc.enable()


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


class Garbage:
    """Refers to itself, so that only the collector can let it go."""

    def __init__(self) -> None:
        self.itself = self


def test_garbage_is_collected_where_the_process_has_grown_and_only_there() -> None:
    free = FreeMemory()
    free.give_back()
    left = weakref.ref(Garbage())
    free.give_back()
    assert left() is not None
    arrays = grow()
    free.give_back()
    assert left() is None and arrays


def test_after_a_large_computation_garbage_is_collected_as_before_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a report of a large study took is no measure of what may lie there afterwards."""
    in_use = [20 * GROWTH]  # bytes
    monkeypatch.setattr(memory, "_bytes_in_use", lambda: in_use[0])
    free = FreeMemory()
    free.give_back()
    in_use[0] = GROWTH
    assert not free.give_back()
    left = weakref.ref(Garbage())
    in_use[0] = 2 * GROWTH - 1
    assert not free.give_back() and left() is not None
    in_use[0] = 2 * GROWTH
    free.give_back()
    assert left() is None


@pytest.mark.parametrize("missing", ["what is in use", "giving back"])
def test_a_system_without_one_of_the_two_collects_all_the_same(
    missing: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Neither Windows nor macOS says what is in use as Linux does, and only glibc keeps what lies free."""
    if missing == "what is in use":
        monkeypatch.setattr(memory, "PAGES_IN_USE", tmp_path / "nowhere")
    else:
        monkeypatch.setattr(memory, "_find_trim", lambda: None)
    free = FreeMemory()
    left = weakref.ref(Garbage())
    assert free.give_back() == (missing == "what is in use" and find_trim() is not None)
    assert left() is None
