"""Answers are paid for: while the store cannot be written they wait, and what is kept is on disk."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace

import pytest

from data import schema
from data.store.errors import StoreError
from data.store.store import open_store
from runs.asking import shared_commits
from tests.servers.judging import CALLS, Lead
from tests.servers.model_server import Behaviour, Reply, Seen, well


@pytest.fixture
def hurried(lead: Lead) -> Iterator[Lead]:
    """A lead whose store does not wait long for another program."""
    patient = lead.small
    lead.small = replace(patient, store=open_store(f"sqlite:///{lead.store.path}", busy_seconds=0.05))
    yield lead
    lead.store.close()
    lead.small = patient


@contextmanager
def in_use(lead: Lead, seconds: float) -> Iterator[Behaviour]:
    """Another program holds the store for so long from the third request on; gives what the server does
    meanwhile.
    """
    begin, held = threading.Event(), threading.Event()

    def hold() -> None:
        begin.wait(120)
        with closing(sqlite3.connect(lead.store.path, timeout=120, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            held.set()
            threading.Event().wait(seconds)
            other.execute("ROLLBACK")

    def behave(seen: Seen) -> Reply:
        if seen.number == 3:
            begin.set()
            held.wait(120)
        return well(seen)

    thread = threading.Thread(target=hold)
    thread.start()
    yield behave
    thread.join()


def test_answers_wait_while_another_program_holds_the_store(
    hurried: Lead, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared_commits, "AGAIN", 0.1)
    with in_use(hurried, 1.5) as behave:
        finished = hurried.judge(behave, in_flight=2)
    assert (finished.outcome, finished.done, len(hurried.server.requests)) == ("finished", CALLS, CALLS)
    assert len(hurried.rows(schema.attempt)) == CALLS


def test_a_store_that_does_not_come_back_breaks_the_run_off_and_the_rest_is_pending(
    hurried: Lead, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared_commits, "AGAIN", 0.05)
    monkeypatch.setattr(shared_commits, "PATIENCE", 0.3)
    with in_use(hurried, 2.5) as behave, pytest.raises(StoreError, match="store_busy"):
        hurried.judge(behave, in_flight=2)
    asked = len(hurried.server.requests)
    assert asked <= 4  # nothing new is asked while nothing can be kept
    again = hurried.judge(well)
    assert again.outcome == "finished" and hurried.statuses() == {"ok": CALLS}
    assert len(hurried.server.requests) <= CALLS + 2


def test_the_trail_says_which_run_a_label_came_of(lead: Lead) -> None:
    lead.judge()
    (run,) = lead.rows(schema.judge_run)
    with lead.store.reading() as connection:
        trail = connection.execute(schema.trail.select().order_by(schema.trail.c.seq)).all()
    entries = [row for row in trail if "judgement" in json.loads(row.digest)]
    written = entries[-1]
    assert (written.action, json.loads(written.detail)) == ("judge", {"run": run.id})
    assert all("attempt" in json.loads(row.digest) for row in entries if row.action == "judge")
