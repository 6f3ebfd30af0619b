"""What leaves out one part of the data at a time costs twice as much for twice the parts, not four times."""

from __future__ import annotations

import ast
import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from data.record.run_summaries import RunSummary
from reports.drift.run_tables import section
from scoring.agreement.judges.flips import RepeatedVerdicts, flips
from scoring.agreement.people.rounds import RoundLabel, change
from scoring.drift.curves import truth_decay_rate

ROOT = Path(__file__).parents[3]
ROOMS = ("scoring", "data", "services", "runs", "reports", "pages", "cli")
JACKKNIFE = ("scoring.agreement.intervals.bootstrap", "jackknife")
PARTS = 150
MAX_GROWTH = 2.5  # times the operations for twice the parts; four times where each part reads all others


def decay(parts: int) -> Callable[[], object]:
    chance = random.Random(1)
    curves = [[chance.random() for _ in range(5)] for _ in range(parts)]
    return lambda: truth_decay_rate(curves)


def flipping(parts: int) -> Callable[[], object]:
    asked = [RepeatedVerdicts(number, "YES", ("YES", "NO")[: 1 + number % 2]) for number in range(parts)]
    return lambda: flips(asked)


def mean_of_runs(parts: int) -> Callable[[], object]:
    chance = random.Random(2)
    runs = [
        RunSummary(f"r{number}", "table", "m", f"v{number}", 0.5, numbers={"alignment_mean": chance.random()})
        for number in range(parts)
    ]
    return lambda: section(runs)


def changing(parts: int) -> Callable[[], object]:
    def labels(every: int) -> list[RoundLabel]:
        return [
            RoundLabel(number, number, "warm", rater, "NO" if rater and number % every == 0 else "YES")
            for number in range(parts)
            for rater in (0, 1)
        ]

    before, after = labels(2), labels(3)
    return lambda: change(before, after)


CASES: dict[str, Callable[[int], Callable[[], object]]] = {
    "scoring.drift.curves.truth_decay_rate": decay,
    "scoring.agreement.judges.flips.flips": flipping,
    "reports.drift.run_tables._mean": mean_of_runs,
    "scoring.agreement.people.rounds.change": changing,
}


@pytest.mark.parametrize("case", CASES)
def test_twice_the_parts_take_twice_the_operations(case: str) -> None:
    few, many = (count_operations(CASES[case](parts)) for parts in (PARTS, 2 * PARTS))
    assert few > PARTS
    assert many <= MAX_GROWTH * few


def test_operations_that_grow_with_the_square_are_noticed() -> None:
    few, many = (
        count_operations(lambda parts=parts: [sum(range(parts)) for _ in range(parts) for _ in range(parts)])  # type: ignore[misc]
        for parts in (PARTS, 2 * PARTS)
    )
    assert many > MAX_GROWTH * few


def test_every_caller_of_the_jackknife_has_a_case() -> None:
    callers = {
        caller
        for room in ROOMS
        for path in sorted((ROOT / room).rglob("*.py"))
        for caller in calling(path.read_text(encoding="utf-8"), ".".join(path.relative_to(ROOT).parts)[:-3])
    }
    assert callers and callers <= set(CASES)


@pytest.mark.parametrize(
    "program",
    [
        "from scoring.agreement.intervals.bootstrap import Interval, jackknife\ndef f():\n    jackknife(1, 2)",
        "from scoring.agreement.intervals.bootstrap import jackknife as j\ndef f():\n    j(1, 2)",
        "from scoring.agreement.intervals import bootstrap\ndef f():\n    bootstrap.jackknife(1, 2)",
        "import scoring.agreement.intervals.bootstrap as b\ndef f():\n    b.jackknife(1, 2)",
    ],
)
def test_a_caller_is_found_however_it_is_written(program: str) -> None:
    assert list(calling(program, "a.b")) == ["a.b.f"]


def test_who_calls_another_jackknife_is_none() -> None:
    program = "from scoring.agreement.intervals.jackknife import jackknife\ndef f():\n    jackknife(1, 2)"
    assert list(calling(program, "a.b")) == []


def calling(program: str, module: str) -> Iterator[str]:
    """The functions of a module that name the generic jackknife, as module.function."""
    folder, name = JACKKNIFE
    tree = ast.parse(program)
    names = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == folder
        for alias in node.names
        if alias.name == name
    }
    has_module = any(
        alias.name in (folder, folder.rsplit(".", 1)[1])
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    )
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef) and any(
            (isinstance(node, ast.Name) and node.id in names)
            or (has_module and isinstance(node, ast.Attribute) and node.attr == name)
            for node in ast.walk(function)
        ):
            yield f"{module}.{function.name}"


def count_operations(act: Callable[[], object]) -> int:
    """How many instructions of Python it takes: the same on every machine, however busy."""
    count = 0

    def trace(frame: FrameType, what: str, _: Any) -> Any:
        nonlocal count
        frame.f_trace_opcodes = True
        count += what == "opcode"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        act()
    finally:
        sys.settrace(before)
    return count
