"""An import while other people work: nobody waits for the reading, and what they write meanwhile is heeded."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, func, select

from data import schema
from data.importers import transactions
from data.importers.report import ImportRefused, ImportReport
from data.importers.transactions import TRIES, import_job
from data.keeping.verify import verify
from data.record import studies
from data.record.judgements import JudgeIdentity
from data.record.studies import Study
from data.store.errors import Refused, StoreError
from data.store.incoming import folder_of
from data.store.store import Store, open_store, url_of
from data.store.trail import TrailEntry
from services.study_changes import forget_conversation
from tests.studies import importing
from tests.studies.small_study import Small


@dataclass
class RaterJob:
    """Adds a rater, and does something else while it reads."""

    path: Path
    study_key: str
    meanwhile: Callable[[], None]
    actor: str = "tests"
    action: str = "add a rater"
    name: str = "Zoe"
    reads: int = 0

    @property
    def detail(self) -> dict[str, Any]:
        return {}

    def add(self, connection: Connection, entry: TrailEntry, report: ImportReport) -> Study:
        self.reads += 1
        study = studies.get_by_key(connection, self.study_key)
        names = [rater.name for rater in studies.raters(connection, study.id)]
        self.meanwhile()
        studies.add_rater(connection, entry, study.id, self.name)
        report.added["raters"] += 1
        report.notice(0, f"beside {len(names)} others")
        return study


def job_of(small: Small, tmp_path: Path, meanwhile: Callable[[], None]) -> RaterJob:
    file = tmp_path / "raters.csv"
    file.write_text("Zoe\n")
    return RaterJob(file, small.study.key, meanwhile)


def test_others_save_while_a_file_is_read(small: Small, tmp_path: Path) -> None:
    desk = small.desk()

    def rate() -> None:
        desk.draft(1, "warm", "YES")

    job = job_of(small, tmp_path, rate)
    assert import_job(small.store, job, apart=False).added["raters"] == 1
    assert job.reads == 1  # a rating of the study changes nothing that it rests on
    with small.store.reading() as connection:
        assert verify(connection).problems == []
        assert connection.execute(select(func.count()).select_from(schema.draft)).scalar() == 1


def test_what_was_read_has_the_time_at_which_it_was_saved(small: Small, tmp_path: Path) -> None:
    """The reading may take long, and the rows stand in the trail when they are saved."""
    import_job(small.store, job_of(small, tmp_path, lambda: time.sleep(0.01)), apart=False)
    with small.store.reading() as connection:
        zoe = connection.execute(select(schema.rater).where(schema.rater.c.name == "Zoe")).one()
        saved = connection.execute(select(schema.trail.c.at).where(schema.trail.c.seq == zoe.trail)).scalar()
    assert zoe.at == saved


def test_what_the_file_was_checked_against_and_changed_is_checked_again(small: Small, tmp_path: Path) -> None:
    names = iter(["Yan"])

    def add_another() -> None:
        if name := next(names, None):
            with small.store.writing("lead", "add a rater", small.study.id) as (connection, entry):
                studies.add_rater(connection, entry, small.study.id, name)

    job = job_of(small, tmp_path, add_another)
    before = len(small.raters)
    report = import_job(small.store, job, apart=False)
    assert job.reads == 2
    assert report.lines() == [f"raters.csv: beside {before + 1} others"]  # of the second reading alone
    assert report.added["raters"] == 1


def test_what_is_laid_aside_may_be_erased_meanwhile(small: Small, tmp_path: Path) -> None:
    keys = iter(["c2"])

    def erase() -> None:
        if key := next(keys, None):
            forget_conversation(small.store, "lead", small.study, key, "asked for")

    job = job_of(small, tmp_path, erase)
    assert import_job(small.store, job, apart=False).added["raters"] == 1
    assert job.reads == 2
    assert not folder_of(small.store.path).exists()


def test_a_study_that_changes_all_the_time_is_told_and_nothing_is_kept(small: Small, tmp_path: Path) -> None:
    counter = iter(range(100))

    def add_another() -> None:
        with small.store.writing("lead", "add a rater", small.study.id) as (connection, entry):
            studies.add_rater(connection, entry, small.study.id, f"rater {next(counter)}")

    job = job_of(small, tmp_path, add_another)
    with pytest.raises(Refused, match="Other people changed this study while the file was being read"):
        import_job(small.store, job, apart=False)
    assert job.reads == TRIES
    with small.store.reading() as connection:
        assert "Zoe" not in {rater.name for rater in studies.raters(connection, small.study.id)}


def test_another_study_may_change(small: Small, tmp_path: Path) -> None:
    with small.store.writing("lead", "make") as (connection, entry):
        other = studies.create(connection, entry, studies.StudySpec("other", "Other", 1))

    def change_other() -> None:
        with small.store.writing("lead", "add a rater", other) as (connection, entry):
            studies.add_rater(connection, entry, other, f"rater {time.monotonic_ns()}")

    job = job_of(small, tmp_path, change_other)
    import_job(small.store, job, apart=False)
    assert job.reads == 1


def test_a_check_takes_no_lock_and_leaves_nothing(small: Small, tmp_path: Path, row_counts: Any) -> None:
    before = row_counts()
    with holding(small.store):
        report = import_job(small.store, job_of(small, tmp_path, lambda: None), dry_run=True, apart=False)
    assert report.added["raters"] == 1
    assert row_counts() == before
    assert not folder_of(small.store.path).exists()


@contextmanager
def holding(store: Store) -> Iterator[None]:
    """Somebody else writes for the length of the block."""
    begun, released = threading.Event(), threading.Event()

    def hold() -> None:
        other = open_store(url_of(store.path))
        with other.writing("somebody", "a long change"):
            begun.set()
            released.wait(30)
        other.close()

    thread = threading.Thread(target=hold)
    thread.start()
    begun.wait(30)
    try:
        yield
    finally:
        released.set()
        thread.join()


@pytest.mark.parametrize("same_process", [True, False])
def test_a_save_waits_at_most_its_limit_and_is_told_who_writes(small: Small, same_process: bool) -> None:
    store = open_store(url_of(small.store.path), busy_seconds=0.4)
    begun = time.monotonic()
    with (
        holding_in(store) if same_process else holding(store),
        pytest.raises(StoreError, match="store_busy") as refused,
        store.writing("rater", "rate"),
    ):
        pass
    writer = str(refused.value.facts["writer"])
    assert re.fullmatch(r"process \d+ \(a long change, since \d\d:\d\d:\d\d\)", writer)
    assert time.monotonic() - begun < 20
    with store.writing("rater", "rate"):
        pass
    store.close()


@contextmanager
def holding_in(store: Store) -> Iterator[None]:
    """A thread of this process does."""
    begun, released = threading.Event(), threading.Event()

    def hold() -> None:
        with store.writing("somebody", "a long change"):
            begun.set()
            released.wait(30)

    thread = threading.Thread(target=hold)
    thread.start()
    begun.wait(30)
    try:
        yield
    finally:
        released.set()
        thread.join()


def test_a_label_of_the_same_question_that_somebody_gave_meanwhile_is_heeded(
    small: Small, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk, insert = small.desk(), transactions._insert
    calls: list[bool] = []
    file = tmp_path / "ratings.csv"
    file.write_text("conversation_id,rater,criterion,label\nc1,Zoe,warm,YES\n")

    def rate_first(*arguments: Any) -> Any:
        if not calls:
            desk.draft_all(1, "YES")
            desk.commit(1)
        calls.append(insert(*arguments))
        return calls[-1]

    monkeypatch.setattr(transactions, "_insert", rate_first)
    assert (
        importing.import_ratings(small.store, "small", file, "lead", "blind", "known").added["ratings"] == 1
    )
    assert calls == [False, True]  # what was laid aside first was not inserted


FAILED_CALLS = [
    {"conversation_id": f"c{number}", "criterion": "safe", "status": "truncated", "replicate": 1}
    for number in (1, 2, 3)
]


def test_a_file_of_a_known_judge_that_two_people_import_at_once_counts_once(
    small: Small, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store holds a failed call of a judge as often as it is written."""
    file = tmp_path / "calls.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in FAILED_CALLS))
    others, insert = iter([True]), transactions._insert

    def run() -> ImportReport:
        return importing.import_judgements(small.store, "small", file, "lead", JudgeIdentity("Judge A"))

    def import_first(*arguments: Any) -> Any:
        if next(others, False):
            assert run().added["failed judge calls"] == 3
        return insert(*arguments)

    monkeypatch.setattr(transactions, "_insert", import_first)
    report = run()
    assert (report.added.total(), report.already["judgements"]) == (0, 3)
    again = schema.judgement.c.replicate == 1
    with small.store.reading() as connection:
        statement = select(func.count()).select_from(schema.judgement).where(again)
        assert connection.execute(statement).scalar() == 3


@pytest.mark.parametrize("dry_run", [True, False])
def test_more_than_can_be_saved_while_others_wait_is_refused(
    small: Small, tmp_path: Path, row_counts: Any, monkeypatch: pytest.MonkeyPatch, dry_run: bool
) -> None:
    before = row_counts()
    monkeypatch.setattr(transactions, "LARGEST", 1000)
    with pytest.raises(ImportRefused) as refused:
        import_job(small.store, job_of(small, tmp_path, lambda: None), dry_run=dry_run, apart=False)
    assert refused.value.report.lines()[0] == f"raters.csv: {transactions.TOO_LARGE}"
    assert row_counts() == before
