"""Processes that end with the one that started them, and those that don't."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.servers.living import is_alive

ROOT = Path(__file__).resolve().parents[4]
# A process that starts another one, prints the number of it and waits.
START = """
import os, subprocess, sys, time
from data.store.parent_process import name_parent
given = name_parent() if sys.argv[1] == "named" else {}
child = subprocess.Popen([sys.executable, "-c", sys.argv[2]], env={**os.environ, **given})
time.sleep(600)
"""
WAIT = "import os, time; print(os.getpid(), flush=True); time.sleep(600)"
END_WITH_STARTER = "from data.store.parent_process import end_with_starter; end_with_starter()\n"
WAIT_FOR_ADOPTION = """
import os, time
parent = os.getppid()
print(os.getpid(), flush=True)
while os.getppid() == parent:
    time.sleep(0.01)
"""
# A child that starts a grandchild, which is asked for nothing.
START_ANOTHER = f"""{END_WITH_STARTER}
import subprocess, sys
subprocess.Popen([sys.executable, "-c", {END_WITH_STARTER + WAIT!r}]).wait()
"""
Start = Callable[[str, str], tuple["subprocess.Popen[bytes]", int]]


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts a parent with a child; gives the parent and the number that is printed."""
    numbers = []

    def start(named: str, child: str) -> tuple[subprocess.Popen[bytes], int]:
        parent = subprocess.Popen(
            [sys.executable, "-c", START, named, child], cwd=ROOT, stdout=subprocess.PIPE
        )
        assert parent.stdout is not None
        numbers.append(parent.pid)
        numbers.append(int(parent.stdout.readline()))
        return parent, numbers[-1]

    yield start
    for number in numbers:
        with suppress(ProcessLookupError):
            os.kill(number, signal.SIGKILL)


def kill(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    assert process.stdout is not None
    process.stdout.close()


def wait_until_dead(number: int) -> None:
    deadline = time.monotonic() + 60
    while is_alive(number):
        assert time.monotonic() < deadline, "it lives on"
        time.sleep(0.02)


def test_a_child_that_was_given_its_parents_number_ends_with_it(start: Start) -> None:
    parent, child = start("named", END_WITH_STARTER + WAIT)
    assert is_alive(child)
    kill(parent)
    wait_until_dead(child)


def test_a_parent_that_died_before_its_child_looked_is_noticed(start: Start) -> None:
    """The number comes from the parent, so a child that starts slowly doesn't watch whoever adopted it."""
    parent, child = start("named", WAIT_FOR_ADOPTION + END_WITH_STARTER + WAIT)
    kill(parent)
    wait_until_dead(child)


@pytest.mark.parametrize("child", [END_WITH_STARTER + WAIT, START_ANOTHER])
def test_nobody_else_watches_a_parent(start: Start, child: str) -> None:
    """Neither a process that somebody starts by hand, nor what a watching process starts itself."""
    named = "named" if child == START_ANOTHER else "by hand"
    watching, watched = start("named", END_WITH_STARTER + WAIT)
    parent, number = start(named, child)
    kill(parent)
    kill(watching)
    wait_until_dead(watched)  # as long as it takes
    assert is_alive(number)
