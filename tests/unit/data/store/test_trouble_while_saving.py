"""What goes wrong while somebody works: a sentence, nothing half saved, nothing lost, and no words in the
message.
"""

from __future__ import annotations

import sqlite3
import traceback
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy import event

from data import schema
from data.keeping.verify import verify
from data.store.errors import StoreError
from data.store.store import Store, open_store
from reports.refusals import word_error
from tests.studies.small_study import SAID, Desk, Small

SECRET = "words that belong in no message"


@contextmanager
def pragma(store: Store, statement: str) -> Iterator[None]:
    """Every connection of the store carries out a pragma when it is taken into use."""

    def carry_out(raw: sqlite3.Connection, *_: object) -> None:
        raw.execute(statement)

    event.listen(store._engine, "checkout", carry_out)
    try:
        yield
    finally:
        event.remove(store._engine, "checkout", carry_out)
        store._engine.dispose()  # what the pragma changed lasts as long as its connection


@contextmanager
def full_disk(store: Store) -> Iterator[None]:
    """No page can be added to the file, which SQLite reports in the words that it has for a full disk."""
    with store.reading() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
    with pragma(store, f"PRAGMA max_page_count={pages}"):
        yield


@contextmanager
def locked(store: Store) -> Iterator[None]:
    """Another program holds the write lock."""
    other = sqlite3.connect(store.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        other.close()


@contextmanager
def read_only(store: Store) -> Iterator[None]:
    """The file was made read-only while the program ran (as root, only SQLite itself can refuse to write)."""
    with pragma(store, "PRAGMA query_only=ON"):
        yield


TROUBLES = {
    "full disk": (
        full_disk,
        "is full or failing. Nothing was saved just now, and nothing that was saved before is lost. Make "
        "room and try again.",
    ),
    "locked": (
        locked,
        "is in use by another program, which is still writing. Nothing was saved just now; close the other "
        "program and try again.",
    ),
    "read only": (
        read_only,
        "is read-only. Nothing was saved just now. Fix the permissions",
    ),
}
Trouble = Callable[[Store], AbstractContextManager[None]]


@pytest.fixture
def desk(small: Small, store_path: Path) -> Iterator[Desk]:
    """A rater whose store waits only a moment for a lock."""
    small.store.close()
    store = open_store(f"sqlite:///{store_path}", busy_seconds=0.02)
    yield Desk(store, small.study, small.raters[0])
    store.close()


def everything(desk: Desk) -> list[object]:
    with desk.store.reading() as connection:
        return [list(connection.execute(table.select())) for table in schema.metadata.sorted_tables]


@pytest.mark.parametrize(("trouble", "message"), TROUBLES.values(), ids=TROUBLES)
def test_it_is_told_in_a_sentence(desk: Desk, trouble: Trouble, message: str) -> None:
    with trouble(desk.store), pytest.raises(StoreError) as caught:
        desk.draft(2, "warm", note=SECRET * 500)
    assert message in word_error(caught.value)


@pytest.mark.parametrize(("trouble", "message"), TROUBLES.values(), ids=TROUBLES)
def test_what_was_saved_before_is_whole_and_nothing_was_added(
    desk: Desk, trouble: Trouble, message: str
) -> None:
    desk.draft(2, "safe", note="saved before")
    before = everything(desk)
    with trouble(desk.store), pytest.raises(StoreError):
        desk.draft(2, "warm", note=SECRET * 500)
    assert everything(desk) == before
    with desk.store.reading() as connection:
        assert connection.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"
        assert verify(connection).problems == []


@pytest.mark.parametrize(("trouble", "message"), TROUBLES.values(), ids=TROUBLES)
def test_when_it_is_mended_the_same_event_is_saved(desk: Desk, trouble: Trouble, message: str) -> None:
    with trouble(desk.store), pytest.raises(StoreError):
        desk.draft(2, "warm", event="00000000-1", note=SECRET * 500)
    assert desk.draft(2, "warm", event="00000000-1", note=SECRET * 500)


@pytest.mark.parametrize(("trouble", "message"), TROUBLES.values(), ids=TROUBLES)
def test_neither_message_nor_traceback_holds_what_was_written(
    desk: Desk, trouble: Trouble, message: str
) -> None:
    with trouble(desk.store), pytest.raises(StoreError) as caught:
        desk.draft(2, "warm", note=SECRET * 500)
    said = word_error(caught.value) + "".join(traceback.format_exception(caught.value))
    assert SECRET not in said
    assert "INSERT" not in said


def test_the_drivers_own_error_holds_no_values_either(small: Small) -> None:
    with pytest.raises(sa.exc.OperationalError) as caught, small.store._engine.connect() as connection:
        connection.execute(sa.text("SELECT :words FROM nowhere"), {"words": SECRET})
    assert SECRET not in str(caught.value)


def test_a_constraint_is_told_without_the_values_that_broke_it(small: Small) -> None:
    row = {
        "event": SECRET,
        "rater_id": small.raters[0],
        "unit_id": 1,
        "criterion": SAID,
        "also": "[]",
        "evidence": "[]",
    }
    with (
        pytest.raises(StoreError, match="change_refused") as caught,
        small.store.writing("tests", "twice") as (_, entry),
    ):
        entry.write_many(schema.draft, [row, row])
    assert caught.value.facts["trouble"] == "unique constraint failed"
    traceback_text = word_error(caught.value) + "".join(traceback.format_exception(caught.value))
    assert SECRET not in traceback_text
    assert SAID not in traceback_text
