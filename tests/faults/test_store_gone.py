"""The files of a store deleted, moved or replaced under a program that works on it: what is said to be saved
can be read back from the path.
"""

from __future__ import annotations

import os
import shutil
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import sqlalchemy as sa

from data import schema
from data.keeping.backup import backup
from data.keeping.verify import verify
from data.store.errors import StoreError
from data.store.store import Store, open_store
from tests.faults.test_kill import killed_after, worker
from tests.studies.small_study import Small

pytestmark = pytest.mark.slow

Deed = Callable[[Path], None]


def side(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def delete(path: Path) -> None:
    path.unlink()


def delete_all(path: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        side(path, suffix).unlink(missing_ok=True)


def move(path: Path) -> None:
    path.rename(side(path, ".elsewhere"))


def delete_log(path: Path) -> None:
    side(path, "-wal").unlink()


def put_copy_in_place(path: Path) -> None:
    """As a backup that is restored over the file with cp and mv."""
    shutil.copyfile(side(path, ".backup"), side(path, ".new"))
    for suffix in ("-wal", "-shm"):
        side(path, suffix).unlink(missing_ok=True)
    os.replace(side(path, ".new"), path)


DEEDS: tuple[Deed, ...] = (delete, delete_all, move, delete_log, put_copy_in_place)


def kept(path: Path) -> set[str]:
    store = open_store(f"sqlite:///{path}")
    try:
        with store.reading() as connection:
            assert connection.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"
            assert verify(connection).problems == []
            return set(connection.execute(sa.select(schema.draft.c.event)).scalars())
    finally:
        store.close()


def refused(line: str) -> bool:
    return line.startswith("refused")


def event(line: str) -> str:
    return line.split()[0]


def begun_at(line: str) -> float:
    """When the draft was begun, by the monotonic clock: what was acknowledged before the deed may be gone."""
    return float(line.split()[1])


@pytest.mark.parametrize("deed", DEEDS, ids=lambda deed: deed.__name__)
def test_what_is_acknowledged_after_it_is_there_after_kill(
    small: Small, store_path: Path, deed: Deed
) -> None:
    backup(small.store, side(store_path, ".backup"))
    small.store.close()
    with worker("drafts-on", store_path) as process:
        assert process.stdout is not None
        before = [process.stdout.readline().strip() for _ in range(15)]
        deed(store_path)
        changed_at = time.monotonic()
        time.sleep(0.3)  # let it work on in the changed place; what it says in this time lies in the pipe
        after = [process.stdout.readline().strip()]
        while not refused(after[-1]) and begun_at(after[-1]) <= changed_at:
            after.append(process.stdout.readline().strip())
        after += killed_after(process, 20)
    assert not any(map(refused, before))
    first_refusal = next((number for number, line in enumerate(after) if refused(line)), None)
    saved = set(kept(store_path)) if store_path.exists() and store_path.stat().st_size else set()
    if deed in (delete, delete_all, move):
        assert first_refusal is not None and all(map(refused, after[first_refusal:]))
        assert "deleted, moved or replaced" in after[first_refusal] and not store_path.exists()
        return
    afterwards = {event(line) for line in after if not refused(line) and begun_at(line) > changed_at}
    assert afterwards and afterwards <= saved
    if deed is delete_log:
        assert {event(line) for line in before} <= saved, (
            "what stood in the deleted log only was written into the database"
        )


def test_a_store_that_is_put_back_goes_on(small: Small, store_path: Path) -> None:
    desk = small.desk()
    desk.draft(2, "warm", "YES", event="before")
    store_path.rename(side(store_path, ".elsewhere"))
    with pytest.raises(StoreError, match="store_gone"):
        desk.draft(2, "safe", "YES", event="meanwhile")
    with pytest.raises(StoreError, match="store_gone"), small.store.reading():
        pass
    assert not store_path.exists(), "no empty store is made in its place"
    side(store_path, ".elsewhere").rename(store_path)
    desk.draft(2, "safe", "YES", event="meanwhile")
    small.store.close()
    assert kept(store_path) == {"before", "meanwhile"}


def test_a_label_that_is_written_while_the_file_goes_is_not_acknowledged(
    small: Small, store_path: Path
) -> None:
    with (
        pytest.raises(StoreError, match="store_gone_while_saving"),
        small.store.writing("tests", "test") as (connection, _),
    ):
        connection.execute(sa.select(sa.func.count()).select_from(schema.rating)).scalar()
        store_path.unlink()


def test_a_file_of_another_program_in_its_place_is_refused(small: Small, store_path: Path) -> None:
    side(store_path, ".new").write_bytes(b"")
    os.replace(side(store_path, ".new"), store_path)
    with pytest.raises(StoreError), small.store.reading():
        pass


def test_a_unit_of_work_inside_another_is_refused_and_hangs_nobody(small: Small, store_path: Path) -> None:
    with small.store.reading():
        store_path.rename(side(store_path, ".elsewhere"))
        with pytest.raises(StoreError), small.store.reading():
            pass


def test_units_of_work_that_go_on_end_before_the_store_is_opened_anew(small: Small, store_path: Path) -> None:
    begun, go_on, seen = threading.Event(), threading.Event(), []

    def read_long() -> None:
        with small.store.reading() as connection:
            connection.execute(sa.select(sa.func.count()).select_from(schema.unit)).scalar()
            begun.set()
            go_on.wait(120)
            seen.append(connection.execute(sa.select(sa.func.count()).select_from(schema.unit)).scalar())

    thread = threading.Thread(target=read_long)
    thread.start()
    assert begun.wait(120)
    side(store_path, "-wal").unlink()
    threading.Timer(0.2, go_on.set).start()
    small.desk().draft(2, "warm", "YES", event="after")
    thread.join()
    assert seen == [4]
    small.store.close()
    assert "after" in kept(store_path)


def test_another_store_at_the_path_is_the_one_that_is_worked_on(small: Small, store_path: Path) -> None:
    small.desk().draft(2, "warm", "YES", event="old")
    backup(small.store, side(store_path, ".backup"))
    small.desk().draft(2, "safe", "YES", event="lost with the file")
    put_copy_in_place(store_path)
    small.desk().draft(2, "deep", "YES", event="new")
    small.store.close()
    assert kept(store_path) == {"old", "new"}


def test_two_programs_at_one_store_see_no_change(store: Store, store_path: Path) -> None:
    other = open_store(f"sqlite:///{store_path}")
    with other.reading() as connection:
        connection.execute(sa.select(sa.func.count()).select_from(schema.trail)).scalar()
    other.close()
    with store.reading() as connection:
        assert connection.execute(sa.select(sa.func.count()).select_from(schema.trail)).scalar() == 0
