"""kill -9 of `second-reader run`, and two of them for one store: never two programs that serve it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from configs.program import program_name
from tests.servers.living import is_alive

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 120  # seconds
CHILDREN = {"streamlit run", "cli worker", "cli score-in-turn"}
READY = re.compile(r"Second Reader is ready: (http://127\.0\.0\.1:\d+) ")


class Running:
    """`second-reader run` on a store; `children` are the numbers of what it started, as far as seen."""

    def __init__(self, store_path: Path, log: Path, port: int, samples: str) -> None:
        self.log = log
        self.children: set[int] = set()
        environment = {
            **os.environ,
            "SECOND_READER_DATABASE_URL": f"sqlite:///{store_path}",
            "SECOND_READER_SAMPLES": samples,
            "SECOND_READER_OPEN_BROWSER": "no",
            "SECOND_READER_PORT": str(port),
        }
        with log.open("wb") as file:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "cli", "run"], cwd=ROOT, env=environment, stdout=file, stderr=file
            )

    def is_ready(self) -> bool:
        return bool(READY.search(self.log.read_text(encoding="utf-8")))

    @property
    def address(self) -> str:
        found = READY.search(self.log.read_text(encoding="utf-8"))
        assert found
        return found[1]

    def list_children(self) -> set[str]:
        """Which of CHILDREN it has now."""
        listed = subprocess.run(
            ["ps", "-A", "-o", "pid=,ppid=,args="], capture_output=True, text=True, check=True
        )
        kinds = set()
        for line in listed.stdout.splitlines():
            number, parent, command = line.split(maxsplit=2)
            if int(parent) == self.process.pid and "defunct" not in command:
                self.children.add(int(number))
                kinds |= {kind for kind in CHILDREN if kind in command}
        return kinds

    def kill(self) -> None:
        self.list_children()
        self.process.kill()
        self.process.wait()


Run = Callable[..., Running]


@pytest.fixture
def run(store_path: Path, tmp_path: Path) -> Iterator[Run]:
    started: list[Running] = []

    def start(path: Path = store_path, samples: str = "no") -> Running:
        started.append(Running(path, tmp_path / f"log {len(started)}", 8960 + len(started), samples))
        return started[-1]

    yield start
    for running in started:
        running.process.terminate()
    for running in started:
        running.process.wait(PATIENCE)
        for child in running.children:
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)


def wait_until(true: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < deadline, what
        time.sleep(0.05)


def wait_until_ready(running: Running) -> None:
    wait_until(running.is_ready, running.log.read_text(encoding="utf-8"))


def test_what_a_killed_run_started_ends_and_the_next_one_serves_the_store(run: Run) -> None:
    first = run(samples="yes")
    wait_until(lambda: first.list_children() == CHILDREN, "not all of them were started")
    first.kill()
    second = run(samples="yes")
    wait_until_ready(second)
    assert len(first.children) >= len(CHILDREN)
    assert not [child for child in first.children if is_alive(child)]
    wait_until(lambda: {"streamlit run", "cli worker"} <= second.list_children(), "it has no worker")


def test_a_second_run_is_told_where_the_store_is_served_and_ends(
    run: Run, store_path: Path, tmp_path: Path
) -> None:
    first = run()
    wait_until_ready(first)
    link = tmp_path / "link.sqlite"
    link.symlink_to(store_path)
    second = run(link)
    assert second.process.wait(PATIENCE) == 1
    assert second.log.read_text(encoding="utf-8") == (
        f"Error: This store is served at {first.address} ({program_name()}); stop it first.\n"
    )
    assert first.process.poll() is None
    assert {"streamlit run", "cli worker"} <= first.list_children()


def test_of_two_that_start_at_the_same_moment_one_serves(run: Run) -> None:
    both = [run(), run()]
    wait_until(lambda: any(each.process.poll() is not None for each in both), "both serve the store")
    (loser,) = [each for each in both if each.process.poll() is not None]
    (winner,) = [each for each in both if each is not loser]
    wait_until_ready(winner)
    assert loser.process.wait() == 1
    assert f"This store is served at {winner.address} (" in loser.log.read_text(encoding="utf-8")


def test_a_run_that_was_stopped_leaves_the_store_to_the_next_one(run: Run) -> None:
    first = run()
    wait_until_ready(first)
    first.process.terminate()
    assert first.process.wait(PATIENCE) == 0
    wait_until_ready(run())
