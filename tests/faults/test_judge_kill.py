"""kill -9 in the middle of a judge run: what was answered is kept, the rest is asked, and next to nothing is
asked twice.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa
import yaml

from data import schema
from data.keeping.verify import verify
from data.store.store import open_store
from tests.servers.judges import SECRET, VARIABLE, gemini_fields
from tests.servers.judging import about
from tests.servers.model_server import ModelServer, Reply, Seen, serving, well
from tests.studies import small_study

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
CONVERSATIONS, IN_FLIGHT = 40, 16
CALLS = 3 * CONVERSATIONS - 1


class Watched:
    """Answers after a moment, and tells when so many requests have come."""

    def __init__(self, wanted: int) -> None:
        self.wanted, self.reached = wanted, threading.Event()

    def __call__(self, seen: Seen) -> Reply:
        if seen.number >= self.wanted:
            self.reached.set()
        reply = well(seen)
        reply.after = 0.02
        return reply


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with serving() as started:
        yield started


@pytest.fixture
def models(store_path: Path, tmp_path: Path, server: ModelServer) -> Path:
    store = open_store(f"sqlite:///{store_path}")
    small_study.make(
        store, tmp_path, data_class="synthetic", with_judges=False, conversation_count=CONVERSATIONS
    )
    store.close()
    path = tmp_path / "models.yaml"
    path.write_text(
        yaml.safe_dump({"judges": {"cloud": gemini_fields(server, in_flight=IN_FLIGHT)}}), encoding="utf-8"
    )
    return path


def process(store_path: Path, models: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.faults.judging", str(store_path), str(models)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, VARIABLE: SECRET},
    )


def finished(store_path: Path, models: Path) -> str:
    with process(store_path, models) as again:
        assert again.stdout is not None
        said = again.stdout.read()
        assert again.wait(120) == 0
    return said


def kept(store_path: Path) -> Counter[tuple[int, str]]:
    """How many labels each question has; the trail verifies."""
    store = open_store(f"sqlite:///{store_path}")
    try:
        with store.reading() as connection:
            assert verify(connection).problems == []
            assert connection.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"
            rows = connection.execute(
                sa.select(
                    schema.unit.c.position, schema.judgement.c.criterion, schema.judgement.c.status
                ).join_from(schema.judgement, schema.unit)
            ).all()
            assert {row.status for row in rows} <= {"ok"}
            return Counter((row.position, row.criterion) for row in rows)
    finally:
        store.close()


@pytest.mark.parametrize("wanted", [1, 30, 75])
def test_after_a_kill_the_rest_is_asked_and_next_to_nothing_twice(
    store_path: Path, models: Path, server: ModelServer, wanted: int
) -> None:
    server.behave = watched = Watched(wanted)
    with process(store_path, models) as first:
        assert watched.reached.wait(120)
        first.send_signal(signal.SIGKILL)
        assert first.wait() == -signal.SIGKILL
    before = kept(store_path)
    assert set(before.values()) <= {1}
    assert len(before) < CALLS
    server.behave = well
    assert finished(store_path, models) == "finished\n"
    assert kept(store_path) == {
        (number, name): 1
        for number in range(1, CONVERSATIONS + 1)
        for name in ("warm", "safe", "deep")
        if (number, name) != (1, "deep")
    }
    asked = Counter(about(seen) for seen in server.requests)
    assert sum(asked.values()) - CALLS <= IN_FLIGHT
    assert set(asked.values()) <= {1, 2}
    assert not [place for place in before if asked[place] > 1]


def test_a_polite_stop_finishes_what_is_in_flight_and_asks_nothing_twice(
    store_path: Path, models: Path, server: ModelServer
) -> None:
    server.behave = watched = Watched(20)
    with process(store_path, models) as first:
        assert watched.reached.wait(120)
        first.send_signal(signal.SIGTERM)
        assert first.stdout is not None
        assert first.stdout.read() == "put_down\n"
    assert len(kept(store_path)) == len(server.requests) < CALLS
    assert finished(store_path, models) == "finished\n"
    assert set(Counter(about(seen) for seen in server.requests).values()) == {1}


def test_a_worker_that_is_killed_is_started_again_beside_the_app(store_path: Path, tmp_path: Path) -> None:
    environment = {
        **os.environ,
        "SECOND_READER_DATABASE_URL": f"sqlite:///{store_path}",
        "SECOND_READER_SAMPLES": "no",
        "SECOND_READER_OPEN_BROWSER": "no",
        "SECOND_READER_PORT": "8950",
    }
    with (tmp_path / "log").open("w") as log:
        app = subprocess.Popen(
            [sys.executable, "-m", "cli", "run"], cwd=ROOT, env=environment, stdout=log, stderr=log
        )
    try:
        first = _worker_of(app, None)
        os.kill(first, signal.SIGKILL)
        assert _worker_of(app, first) != first
    finally:
        app.terminate()
        app.wait(120)


def _worker_of(app: subprocess.Popen[bytes], other_than: int | None) -> int:
    limit = time.monotonic() + 120
    while time.monotonic() < limit:
        listed = subprocess.run(
            ["ps", "-o", "pid=,args=", "--ppid", str(app.pid)], capture_output=True, text=True
        ).stdout.splitlines()
        process_ids = [int(line.split()[0]) for line in listed if "cli worker" in line]
        if process_ids and process_ids[0] != other_than:
            return process_ids[0]
        time.sleep(0.1)
    raise AssertionError("there is no worker")
