"""A copy while the program works, and bringing one back only after it was checked."""

from __future__ import annotations

import re
import shutil
import sqlite3
import stat
import threading
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa

from data import schema
from data.keeping.backup import backup, restore
from data.keeping.verify import verify
from data.store.errors import StoreError
from data.store.store import Store, open_store
from reports.refusals import word_error
from tests.studies.small_study import Desk, Small


def head(store: Store) -> str:
    with store.reading() as connection:
        found = verify(connection)
    assert found.problems == []
    return found.head


def head_of(path: Path) -> str:
    store = open_store(f"sqlite:///{path}")
    try:
        return head(store)
    finally:
        store.close()


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "backups of mine" / "store.sqlite"


@pytest.fixture
def copied(full: Small, tmp_path: Path) -> Path:
    """A backup of a day's work, whose store went on and was closed."""
    path = tmp_path / "backup.sqlite"
    backup(full.store, path)
    full.desk().rate(3)
    full.store.close()
    return path


def test_the_copy_is_a_whole_store(full: Small, tmp_path: Path) -> None:
    backup(full.store, tmp_path / "copy.sqlite")
    assert head_of(tmp_path / "copy.sqlite") == head(full.store)


def test_the_copy_is_one_file_that_only_its_owner_reads(full: Small, tmp_path: Path) -> None:
    folder = tmp_path / "alone"
    folder.mkdir()
    backup(full.store, folder / "copy.sqlite")
    assert [(p.name, stat.S_IMODE(p.stat().st_mode)) for p in folder.iterdir()] == [("copy.sqlite", 0o600)]


def test_a_file_that_is_there_is_never_overwritten(full: Small, tmp_path: Path) -> None:
    path = tmp_path / "copy.sqlite"
    path.write_text("precious")
    with pytest.raises(StoreError, match="backup_exists"):
        backup(full.store, path)
    assert path.read_text() == "precious"


def test_a_backup_that_cannot_be_written_leaves_nothing(full: Small, target: Path) -> None:
    with pytest.raises(StoreError, match="backup_not_written"):
        backup(full.store, target)
    assert not target.parent.exists()


def test_a_copy_made_while_others_write_holds_whole_transactions_only(small: Small, tmp_path: Path) -> None:
    desk, stop, copies = small.desk(), threading.Event(), []

    def work() -> None:
        number = 0
        while not stop.is_set():
            desk.draft(2, "warm", note=f"note {number} " * 50)
            number += 1

    writer = threading.Thread(target=work)
    writer.start()
    try:
        for number in range(6):
            while small_drafts(small.store) < (number + 1) * 3:
                assert writer.is_alive()
            copies.append(tmp_path / f"copy-{number}.sqlite")
            backup(small.store, copies[-1])
    finally:
        stop.set()
        writer.join()
    for path in copies:
        store = open_store(f"sqlite:///{path}")
        head(store)
        assert small_drafts(store) >= 3
        store.close()
    assert head(small.store)


def small_drafts(store: Store) -> int:
    with store.reading() as connection:
        return connection.execute(sa.select(sa.func.count()).select_from(schema.draft)).scalar_one()


def test_restoring_brings_the_backup_back_and_keeps_the_old_store_beside(
    copied: Path, store_path: Path
) -> None:
    later = head_of(store_path)
    kept = restore(copied, f"sqlite:///{store_path}")
    assert kept == store_path.with_name("store.sqlite.before-restore-1")
    assert head_of(store_path) == head_of(copied) != later
    assert head_of(kept) == later


def test_every_old_store_is_kept(copied: Path, store_path: Path) -> None:
    assert restore(copied, f"sqlite:///{store_path}") != restore(copied, f"sqlite:///{store_path}")


def test_restoring_where_there_is_no_store_makes_one(copied: Path, tmp_path: Path) -> None:
    path = tmp_path / "new" / "store.sqlite"
    assert restore(copied, f"sqlite:///{path}") is None
    assert head_of(path) == head_of(copied)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_restoring_over_a_damaged_store_works_and_keeps_it(copied: Path, store_path: Path) -> None:
    store_path.write_bytes(b"damage" * 1000)
    kept = restore(copied, f"sqlite:///{store_path}")
    assert kept is not None
    assert kept.read_bytes() == b"damage" * 1000
    assert head_of(store_path) == head_of(copied)


def test_a_backup_restored_and_worked_on_can_be_backed_up_again(
    copied: Path, store_path: Path, full: Small, tmp_path: Path
) -> None:
    restore(copied, f"sqlite:///{store_path}")
    store = open_store(f"sqlite:///{store_path}")
    Desk(store, full.study, full.raters[0]).rate(4)
    backup(store, tmp_path / "again.sqlite")
    assert head_of(tmp_path / "again.sqlite") == head(store)
    store.close()


def unchanged(path: Path, source: Path, match: str) -> None:
    """A restore is refused and leaves the folder as it was."""
    before = {
        p.name: p.read_bytes()
        for p in path.parent.iterdir()
        if p.is_file() and not p.name.endswith(("-shm", "-wal"))
    }
    with pytest.raises(StoreError) as refused:
        restore(source, f"sqlite:///{path}")
    assert re.search(match, word_error(refused.value))
    assert {
        p.name: p.read_bytes()
        for p in path.parent.iterdir()
        if p.is_file() and not p.name.endswith(("-shm", "-wal"))
    } == before


def test_a_store_in_use_is_not_replaced_even_by_an_idle_program(
    full: Small, store_path: Path, tmp_path: Path
) -> None:
    backup(full.store, tmp_path / "backup.sqlite")
    unchanged(
        store_path, tmp_path / "backup.sqlite", "The store is in use. Stop Second Reader first, then restore"
    )
    assert full.desk().rate(3)


def test_a_store_somebody_writes_to_is_not_replaced(copied: Path, store_path: Path) -> None:
    with closing(sqlite3.connect(store_path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        unchanged(store_path, copied, "The store is in use")


def test_a_damaged_backup_is_refused(copied: Path, store_path: Path) -> None:
    with copied.open("r+b") as file:
        file.seek(4096 * 5)
        file.write(b"\xa5" * 4096 * 8)
    unchanged(store_path, copied, "damaged|does not verify")


def test_a_backup_with_a_damaged_index_is_refused_although_its_rows_verify(
    copied: Path, store_path: Path
) -> None:
    with closing(sqlite3.connect(copied)) as raw:
        page = raw.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = 'rating_for_agreement'"
        ).fetchone()[0]
        size = raw.execute("PRAGMA page_size").fetchone()[0]
    content = bytearray(copied.read_bytes())
    index = content[(page - 1) * size : page * size]
    assert b"blind" in index
    content[(page - 1) * size : page * size] = index.replace(b"blind", b"blond")
    copied.write_bytes(content)
    unchanged(store_path, copied, "is damaged .*try an older one")


def test_a_file_that_is_no_backup_is_refused(copied: Path, store_path: Path) -> None:
    copied.write_text("not a database, " * 100)
    unchanged(store_path, copied, "is not a backup of Second Reader")


@pytest.mark.parametrize("content", [b"", b"\0"])
def test_an_empty_file_is_not_put_in_the_place_of_a_store(
    copied: Path, store_path: Path, content: bytes
) -> None:
    copied.write_bytes(content)
    unchanged(store_path, copied, "is empty|is not a backup")


def test_an_empty_store_is_not_put_in_the_place_of_a_full_one(
    store_path: Path, tmp_path: Path, full: Small
) -> None:
    full.store.close()
    empty = tmp_path / "new.sqlite"
    open_store(f"sqlite:///{empty}").close()
    unchanged(store_path, empty, "holds an empty store")


def test_an_altered_backup_is_refused(copied: Path, store_path: Path) -> None:
    with closing(sqlite3.connect(copied, isolation_level=None)) as other:
        guard = other.execute("SELECT sql FROM sqlite_master WHERE name = 'rating_no_update'").fetchone()[0]
        other.execute("DROP TRIGGER rating_no_update")
        other.execute("UPDATE rating SET label = 'NO' WHERE id = 1")
        other.execute(guard)
    unchanged(store_path, copied, "does not verify: rating: the rows of entry .* were altered")


def test_a_backup_without_its_guards_is_refused(copied: Path, store_path: Path) -> None:
    with closing(sqlite3.connect(copied, isolation_level=None)) as other:
        other.execute("DROP TRIGGER rating_no_update")
    unchanged(store_path, copied, "guards of the append-only tables are missing")


def test_a_backup_of_a_newer_program_is_refused(copied: Path, store_path: Path) -> None:
    with closing(sqlite3.connect(copied, isolation_level=None)) as other:
        other.execute("UPDATE alembic_version SET version_num = '9999'")
    unchanged(store_path, copied, "written by a newer Second Reader")


def test_a_file_that_is_not_there_is_refused(copied: Path, store_path: Path, tmp_path: Path) -> None:
    unchanged(store_path, tmp_path / "nothing.sqlite", "There is no backup")


def test_a_running_store_is_no_backup_because_its_last_work_lies_beside_it(
    copied: Path, full: Small, store_path: Path, tmp_path: Path
) -> None:
    """Copying only the file of a store in WAL mode would lose what was saved last."""
    running = tmp_path / "running.sqlite"
    shutil.copy(copied, running)
    store = open_store(f"sqlite:///{running}")
    Desk(store, full.study, full.raters[0]).rate(4)
    unchanged(store_path, running, "is in use or was not closed")
    store.close()


def test_a_full_disk_while_restoring_is_a_sentence(
    copied: Path, store_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full_disk(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(shutil, "copyfileobj", full_disk)
    unchanged(store_path, copied, "No space left on device")
