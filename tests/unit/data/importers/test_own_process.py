"""Functions in a process of their own: what comes back, and what ends them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from configs.settings import ROOT
from data.importers.own_process import FileTooMuch, Limits, end_idle, run_apart
from data.importers.report import ImportRefused, ImportReport
from data.store.errors import NotFound
from tests.servers.living import is_alive

ROOMY = Limits(400_000_000, 30.0)


def double(number: int) -> int:
    return 2 * number


def name_process() -> int:
    return os.getpid()


def take_memory(size: int) -> int:
    taken = []
    while True:
        taken.append(bytearray(os.urandom(1_000_000)) * 5)
        if len(taken) * 5_000_000 > size:
            return len(taken)


def never_end() -> None:
    while True:
        pass


def fail(error: Exception) -> None:
    raise error


def print_much() -> str:
    print("words of a library" * 10_000)
    return "done"


def count_slowly(tell: Callable[[str, float, float], None]) -> int:
    for number in range(40):
        tell("counted", number, 40)
        time.sleep(0.01)
    return 40


def end_at_once() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_it_runs_elsewhere_and_the_next_call_finds_it_idle() -> None:
    assert run_apart(double, 21, limits=ROOMY) == 42
    first, second = (run_apart(name_process, limits=ROOMY) for _ in range(2))
    assert first == second != os.getpid()
    end_idle()
    assert run_apart(name_process, limits=ROOMY) != first


def test_more_memory_than_permitted_ends_it_with_a_sentence() -> None:
    with pytest.raises(FileTooMuch, match="needs more than 200 MB of memory"):
        run_apart(take_memory, 3_000_000_000, limits=Limits(200_000_000, 30.0))
    assert run_apart(double, 1, limits=ROOMY) == 2


def test_more_time_than_permitted_ends_it_with_a_sentence() -> None:
    with pytest.raises(FileTooMuch, match="not read within 1 seconds"):
        run_apart(never_end, limits=Limits(400_000_000, 0.6))


def test_one_that_the_system_ends_is_a_sentence() -> None:
    with pytest.raises(FileTooMuch, match="system ended the program"):
        run_apart(end_at_once, limits=ROOMY)


def refused() -> ImportRefused:
    report = ImportReport("talks.csv")
    report.error(3, "no speaker")
    return ImportRefused(report)


class Unsendable(Exception):
    def __init__(self, one: str, two: str) -> None:
        super().__init__(f"{one} and {two}")


@pytest.mark.parametrize(
    "error", [NotFound("There is no study 'x'."), OSError(2, "No such file"), ValueError("v")]
)
def test_what_it_raises_is_raised_here(error: Exception) -> None:
    with pytest.raises(type(error)) as raised:
        run_apart(fail, error, limits=ROOMY)
    assert str(raised.value) == str(error)
    assert "in fail" in "".join(raised.value.__notes__)


def raise_refused() -> None:
    raise refused()


def raise_unsendable() -> None:
    raise Unsendable("one", "two")


def test_a_report_travels_with_its_error() -> None:
    with pytest.raises(ImportRefused) as raised:
        run_apart(raise_refused, limits=ROOMY)
    assert raised.value.report.lines() == ["talks.csv, line 3: no speaker"]


def test_an_error_that_cannot_be_sent_keeps_its_words() -> None:
    with pytest.raises(Exception, match="one and two"):
        run_apart(raise_unsendable, limits=ROOMY)


def test_what_a_library_prints_does_not_meet_the_answer() -> None:
    assert run_apart(print_much, limits=ROOMY) == "done"


def test_progress_is_told_and_what_it_raises_ends_the_call() -> None:
    steps: list[float] = []
    assert run_apart(count_slowly, limits=ROOMY, tell=lambda _words, step, _all: steps.append(step)) == 40
    assert steps == sorted(steps) and len(steps) >= 2

    def stop(*_: Any) -> None:
        raise KeyboardInterrupt

    before = run_apart(name_process, limits=ROOMY)
    with pytest.raises(KeyboardInterrupt):
        run_apart(count_slowly, limits=ROOMY, tell=stop)
    assert not is_alive(before)


def test_it_ends_with_the_one_that_started_it(tmp_path: Path) -> None:
    """Also where that one is killed in the middle of a call."""
    body = (
        "import threading, time\n"
        "from data.importers.own_process import Limits, run_apart\n"
        "from tests.unit.data.importers.test_own_process import name_process, never_end\n"
        "limits = Limits(400_000_000, 60.0)\n"
        "print(run_apart(name_process, limits=limits), flush=True)\n"
        "run_apart(never_end, limits=limits)\n"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", body], cwd=ROOT.parent, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    time.sleep(0.3)
    assert is_alive(child)
    parent.kill()
    parent.wait()
    deadline = time.monotonic() + 20
    while is_alive(child) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not is_alive(child)
