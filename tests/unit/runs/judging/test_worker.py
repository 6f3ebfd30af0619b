"""The worker: what a page asked for is done in order, by one process, and gone on with after a stop."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from select import select as select_files
from typing import Any

import pytest
import yaml
from sqlalchemy import func, select

from configs.settings import ROOT, Settings
from data import schema
from data.keeping.verify import verify
from data.record import judge_runs, studies, units
from data.record.judge_runs import JudgeRun, JudgeRunOptions
from data.record.quotation_counts import labels_with_reasons
from data.record.studies import Study
from data.store.store import Store
from runs.judging import worker as worker_of_runs
from tests.servers.forked_command import ForkedCommand
from tests.servers.model_server import ModelServer, Reply, Seen, serving, well

pytestmark = pytest.mark.slow

FLASH = "gemini-3.8-flash"
CALLS = 155


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with serving() as running:
        yield running


@pytest.fixture
def environment(sample_store: Store, tmp_path: Path, server: ModelServer) -> dict[str, str]:
    models = yaml.safe_load((ROOT / "models.yaml").read_text(encoding="utf-8"))
    models["judges"][FLASH] |= {"base_url": server.url, "in_flight": 4}
    (tmp_path / "models.yaml").write_text(yaml.safe_dump(models), encoding="utf-8")
    return {
        **os.environ,
        "SECOND_READER_DATABASE_URL": f"sqlite:///{sample_store.path}",
        "SECOND_READER_MODELS": str(tmp_path / "models.yaml"),
        "SECOND_READER_SAMPLES": "no",
        "GEMINI_API_KEY": "not a real key",
    }


WORKERS: list[ForkedCommand] = []


@pytest.fixture(autouse=True)
def _no_worker_outlives_its_test() -> Iterator[None]:
    yield
    while WORKERS:
        WORKERS.pop().kill()


def started(environment: dict[str, str], **more: str) -> ForkedCommand:
    WORKERS.append(ForkedCommand(["worker"], {**environment, **more}))
    return WORKERS[-1]


def stopped(worker: ForkedCommand, number: int = signal.SIGTERM) -> str:
    worker.send_signal(number)
    return worker.communicate(timeout=120)


def next_line(worker: ForkedCommand) -> str:
    """What the worker prints next, within a minute."""
    ready, _, _ = select_files([worker.stdout], [], [], 60)
    assert ready, "it prints nothing"
    return worker.stdout.readline()


def study_of(store: Store) -> Study:
    with store.reading() as connection:
        study = studies.find(connection, "coaching_demo")
    assert study is not None
    return study


def asked(store: Store, name: str = FLASH, options: JudgeRunOptions | None = None) -> int:
    study = study_of(store)
    with store.writing("tests", "ask", study.id) as (connection, entry):
        return judge_runs.ask(connection, entry, study.id, name, "page", options or JudgeRunOptions())


def run_of(store: Store, run_id: int) -> JudgeRun:
    with store.reading() as connection:
        return judge_runs.get(connection, run_id)


def slowly(seen: Seen) -> Reply:
    reply = well(seen)
    reply.after = 0.05
    return reply


def until(true: Callable[[], bool], seconds: float = 60) -> None:
    limit = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < limit, "it does not come"
        time.sleep(0.05)


def judged(store: Store) -> int:
    with store.reading() as connection:
        return int(
            connection.execute(select(func.count()).where(schema.judgement.c.origin == "run")).scalar() or 0
        )


def test_the_quotations_of_imported_labels_are_counted(
    sample_store: Store, environment: dict[str, str]
) -> None:
    counted = schema.quotation_count.c.judgement_id

    def labels(*conditions: Any) -> int:
        with sample_store.reading() as connection:
            return len(connection.execute(labels_with_reasons().where(*conditions)).all())

    assert labels(counted.is_(None)) == labels() > 0
    worker = started(environment)
    until(lambda: labels(counted.is_(None)) == 0)
    stopped(worker)
    with sample_store.reading() as connection:
        assert not verify(connection).problems


def test_runs_are_done_in_the_order_in_which_they_were_asked_for(
    sample_store: Store, environment: dict[str, str]
) -> None:
    first, second = (
        asked(sample_store, options=JudgeRunOptions(limit=1)),
        asked(sample_store, options=JudgeRunOptions(limit=2)),
    )
    worker = started(environment)
    until(lambda: run_of(sample_store, second).state == "ended")
    output = stopped(worker)
    assert output.index(f"Run {first} of coaching_demo") < output.index(f"Run {second} of coaching_demo")
    assert [run_of(sample_store, run_id).outcome for run_id in (first, second)] == ["finished", "finished"]


def test_a_second_worker_says_so_and_ends(sample_store: Store, environment: dict[str, str]) -> None:
    worker = started(environment)
    until(lambda: _seen(sample_store))
    other = subprocess.Popen(
        [sys.executable, "-m", "cli", "worker"],
        cwd=ROOT.parent,
        env=environment,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    output = other.communicate(timeout=120)[0]
    assert (
        other.returncode,
        f"A worker already serves this store, so this one ends (process {worker.pid})." in output,
    ) == (1, True)
    stopped(worker)


def _seen(store: Store) -> bool:
    with store.reading() as connection:
        return judge_runs.worker_seen(connection) is not None


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_a_worker_that_is_stopped_or_killed_leaves_its_run_to_the_next(
    sample_store: Store, environment: dict[str, str], server: ModelServer, number: int
) -> None:
    server.behave = slowly
    run = asked(sample_store)
    worker = started(environment)
    until(lambda: judged(sample_store) > 20)
    stopped(worker, number)
    assert run_of(sample_store, run).outcome is None
    assert judged(sample_store) < CALLS
    worker = started(environment)
    until(lambda: run_of(sample_store, run).state == "ended")
    stopped(worker)
    assert (run_of(sample_store, run).outcome, judged(sample_store)) == ("finished", CALLS)
    assert len(server.requests) <= CALLS + (4 if number == signal.SIGKILL else 0)
    with sample_store.reading() as connection:
        assert verify(connection).problems == []


def test_a_judge_that_cannot_be_asked_ends_the_run_with_a_sentence(
    sample_store: Store, environment: dict[str, str]
) -> None:
    without, unknown = asked(sample_store), asked(sample_store, "nobody")
    worker = started(environment, GEMINI_API_KEY="")
    until(lambda: run_of(sample_store, unknown).state == "ended")
    stopped(worker)
    assert "Set the environment variable GEMINI_API_KEY" in str(run_of(sample_store, without).said)
    assert "There is no judge 'nobody' in models.yaml" in str(run_of(sample_store, unknown).said)


def test_a_run_that_was_cancelled_before_it_began_is_not_begun(
    sample_store: Store, environment: dict[str, str], server: ModelServer
) -> None:
    run = asked(sample_store)
    with sample_store.writing("tests", "cancel") as (connection, entry):
        judge_runs.note(connection, entry, run, "cancel")
    worker = started(environment)
    until(lambda: run_of(sample_store, run).state == "ended")
    stopped(worker)
    assert (run_of(sample_store, run).outcome, server.requests) == ("cancelled", [])


def test_what_was_spent_before_a_stop_counts_against_the_budget(
    sample_store: Store, environment: dict[str, str], server: ModelServer
) -> None:
    server.behave = slowly
    budget = 60_000_000
    run = asked(sample_store, options=JudgeRunOptions(budget_nano=budget))
    worker = started(environment)
    until(lambda: judged(sample_store) > 10)
    stopped(worker)
    worker = started(environment)
    until(lambda: run_of(sample_store, run).state == "ended")
    stopped(worker)
    with sample_store.reading() as connection:
        spent = connection.execute(
            select(func.sum(schema.attempt.c.cost_nano)).where(schema.attempt.c.run_id == run)
        ).scalar()
    assert run_of(sample_store, run).outcome == "budget"
    assert 10 * 1_300_000 < int(spent or 0) <= budget


def test_a_store_that_is_in_use_for_long_does_not_end_the_worker(
    sample_store: Store, environment: dict[str, str]
) -> None:
    run = asked(sample_store, options=JudgeRunOptions(limit=1))
    with closing(sqlite3.connect(sample_store.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        worker = started(environment, SECOND_READER_BUSY_SECONDS="1")
        first_line = next_line(worker)  # after the second that a write waits
        other.execute("ROLLBACK")
    until(lambda: run_of(sample_store, run).state == "ended")
    lines = first_line + stopped(worker)
    assert lines.count("is in use by another program") == 1
    assert run_of(sample_store, run).outcome == "finished"


def test_a_fault_of_the_program_in_one_run_does_not_keep_the_next_from_being_done(
    sample_store: Store, monkeypatch: pytest.MonkeyPatch, environment: dict[str, str]
) -> None:
    bad, good = (
        asked(sample_store, options=JudgeRunOptions(limit=1)),
        asked(sample_store, options=JudgeRunOptions(limit=2)),
    )
    for name in ("SECOND_READER_MODELS", "GEMINI_API_KEY"):
        monkeypatch.setenv(name, environment[name])
    read = units.transcript

    def broken(*given: Any) -> Any:
        if run_of(sample_store, bad).state != "ended":
            raise ZeroDivisionError("a very private sentence")
        return read(*given)

    monkeypatch.setattr(units, "transcript", broken)
    lines: list[str] = []
    for _ in range(2):
        worker_of_runs._look(sample_store, Settings.read(), lines.append, str, threading.Event())
    assert run_of(sample_store, bad).outcome == "fault" and "ZeroDivisionError" in str(
        run_of(sample_store, bad).said
    )
    assert run_of(sample_store, good).outcome == "finished"
    assert "private" not in "".join(lines)
