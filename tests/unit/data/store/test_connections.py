"""Every connection has the pragmas that saving rests on, and the file is its owner's alone."""

from __future__ import annotations

import os
import sqlite3
import stat
import threading
from contextlib import ExitStack
from pathlib import Path

import pytest

from data.store.errors import StoreError
from data.store.store import Store, open_store
from tests.studies.small_study import Small

PRAGMAS = {
    "journal_mode": "wal",
    "synchronous": 2,
    "foreign_keys": 1,
    "recursive_triggers": 1,
    "secure_delete": 1,
}


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize(("pragma", "value"), PRAGMAS.items())
def test_every_connection_has_its_pragmas(store: Store, pragma: str, value: object) -> None:
    with ExitStack() as stack:
        several = [stack.enter_context(store.reading()) for _ in range(4)]
        assert [c.exec_driver_sql(f"PRAGMA {pragma}").scalar() for c in several] == [value] * 4


@pytest.mark.parametrize(("pragma", "value"), PRAGMAS.items())
def test_a_connection_that_writes_has_them_as_well(store: Store, pragma: str, value: object) -> None:
    with store.writing("tests", "look") as (connection, _):
        assert connection.exec_driver_sql(f"PRAGMA {pragma}").scalar() == value


def test_a_store_opened_again_has_them(store: Store, store_path: Path) -> None:
    store.close()
    again = open_store(f"sqlite:///{store_path}")
    with again.reading() as connection:
        found = {pragma: connection.exec_driver_sql(f"PRAGMA {pragma}").scalar() for pragma in PRAGMAS}
    again.close()
    assert found == PRAGMAS


def test_a_new_store_waits_for_a_program_that_makes_it_as_well(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreError, match="store_busy"):
        open_store(f"sqlite:///{path}", busy_seconds=0.1)
    leave = threading.Timer(0.5, other.rollback)
    leave.start()
    open_store(f"sqlite:///{path}").close()
    leave.join()
    other.close()


def test_the_store_and_what_sqlite_puts_beside_it_are_the_owners_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        store = open_store(f"sqlite:///{tmp_path / 'new folder' / 'store.sqlite'}")
        with store.writing("tests", "look") as (connection, _):
            connection.exec_driver_sql("CREATE TABLE beside (x)")
        modes = {
            path.name: mode(path)
            for path in (tmp_path / "new folder").iterdir()
            if not path.name.endswith(".lock")
        }
        store.close()
    finally:
        os.umask(before)
    assert modes == dict.fromkeys(
        ("store.sqlite", "store.sqlite-wal", "store.sqlite-shm", "store.sqlite.writer"), 0o600
    )
    assert mode(tmp_path / "new folder") == 0o700


def test_a_file_that_others_could_read_is_closed_to_them(store: Store, store_path: Path) -> None:
    store.close()
    store_path.chmod(0o644)
    open_store(f"sqlite:///{store_path}").close()
    assert mode(store_path) == 0o600


def test_a_reader_sees_one_state_while_others_write(small: Small) -> None:
    desk, question = small.desk(), "SELECT count(*) FROM draft"
    with small.store.reading() as connection:
        before = connection.exec_driver_sql(question).scalar()
        desk.draft(1, "warm")
        assert connection.exec_driver_sql(question).scalar() == before
    with small.store.reading() as connection:
        assert connection.exec_driver_sql(question).scalar() == 1


def test_what_a_block_wrote_is_gone_when_it_fails(store: Store) -> None:
    with pytest.raises(RuntimeError, match="stop"), store.writing("tests", "fail") as (connection, _):
        connection.exec_driver_sql("CREATE TABLE half (x)")
        raise RuntimeError("stop")
    with store.reading() as connection:
        assert (
            connection.exec_driver_sql("SELECT count(*) FROM sqlite_master WHERE name = 'half'").scalar() == 0
        )


def test_nothing_can_be_written_while_reading_and_kept(store: Store) -> None:
    with store.reading() as connection:
        connection.exec_driver_sql("CREATE TABLE kept (x)")
    with store.reading() as connection:
        assert (
            connection.exec_driver_sql("SELECT count(*) FROM sqlite_master WHERE name = 'kept'").scalar() == 0
        )


def test_a_row_cannot_refer_to_what_is_not_there(small: Small) -> None:
    with (
        pytest.raises(StoreError, match="change_refused") as refused,
        small.store.writing("tests", "refer") as (connection, _),
    ):
        connection.exec_driver_sql(
            "INSERT INTO rater_progress (rater_id, frontier, committed, reveals) VALUES (99, 1, 0, 0)"
        )
    assert refused.value.facts["trouble"] == "foreign key constraint failed"
