"""Whatever happens to the files of a store while two raters save: what is acknowledged afterwards can be
read back from the path by a program that opens it later, or nothing is acknowledged any more.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import sqlalchemy as sa

from data import schema
from data.keeping.verify import verify
from data.store.errors import StoreError
from data.store.store import open_store, url_of
from tests.faults.test_kill import worker
from tests.studies.small_study import Small

pytestmark = pytest.mark.slow

Deed = Callable[[Path, Path], None]  # the path of the store, and where its file really is


def side(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def delete_log(_: Path, real: Path) -> None:
    side(real, "-wal").unlink()


def move_and_link(path: Path, real: Path) -> None:
    """As onto a larger disk, with a link in the old place."""
    real.rename(side(path, ".elsewhere"))
    path.unlink(missing_ok=True)
    path.symlink_to(side(path, ".elsewhere"))


def empty_log(_: Path, real: Path) -> None:
    os.truncate(side(real, "-wal"), 0)


def shorten_log(_: Path, real: Path) -> None:
    os.truncate(side(real, "-wal"), side(real, "-wal").stat().st_size // 2)


def overwrite_log(_: Path, real: Path) -> None:
    size = side(real, "-wal").stat().st_size
    with side(real, "-wal").open("r+b") as file:
        file.seek(size // 3)
        file.write(b"x" * (size // 3))


def overwrite_start_of_log(_: Path, real: Path) -> None:
    """What says that it is a log: a program that opens the store later finds none."""
    with side(real, "-wal").open("r+b") as file:
        file.write(b"x" * 4)


def shorten_database(_: Path, real: Path) -> None:
    os.truncate(real, real.stat().st_size // 2)


DEEDS: tuple[Deed, ...] = (delete_log, move_and_link, empty_log, shorten_log, overwrite_log, shorten_database)
DAMAGES = (overwrite_log, shorten_database)  # a backup is needed
GOES_ON = (delete_log, move_and_link)  # nothing is lost, so saving goes on


@pytest.fixture(params=["file", "link to the file", "link to the folder"])
def paths(request: pytest.FixtureRequest, small: Small, store_path: Path) -> tuple[Path, Path]:
    """(the path by which the store is opened, where its file is)."""
    small.store.close()
    if request.param == "file":
        return store_path, store_path
    folder_of_file = store_path.parent / "folder_of_file"
    folder_of_file.mkdir()
    real = folder_of_file / store_path.name
    shutil.move(store_path, real)
    for suffix in ("-wal", "-shm"):
        side(store_path, suffix).unlink(missing_ok=True)
    if request.param == "link to the file":
        store_path.symlink_to(real)
        return store_path, real
    folder = store_path.parent / "linked"
    folder.symlink_to(folder_of_file)
    return folder / store_path.name, real


def read_until(process: subprocess.Popen[str], moment: float) -> list[str]:
    """What a worker says, until it tells of something that it began after the moment, or refuses."""
    assert process.stdout is not None
    lines = [process.stdout.readline().strip()]
    while not lines[-1].startswith("refused") and float(lines[-1].split()[1]) <= moment:
        lines.append(process.stdout.readline().strip())
    return lines


def end(process: subprocess.Popen[str]) -> list[str]:
    assert process.stdout is not None
    process.kill()
    lines = process.stdout.readlines()
    process.wait()
    return [line.strip() for line in lines if line.endswith("\n")]


def saved(path: Path) -> set[str]:
    store = open_store(url_of(path))
    try:
        with store.reading() as connection:
            assert verify(connection).problems == []
            return set(connection.execute(sa.select(schema.draft.c.event)).scalars())
    finally:
        store.close()


@pytest.mark.parametrize("deed", DEEDS, ids=lambda deed: deed.__name__)
def test_what_is_acknowledged_is_reachable(paths: tuple[Path, Path], deed: Deed) -> None:
    path, real = paths
    with worker("drafts-on", path) as ann, worker("drafts-on", path) as ben:
        before = []
        for process in (ann, ben):
            assert process.stdout is not None
            before += [process.stdout.readline().strip() for _ in range(20)]
        deed(path, real)
        changed_at = time.monotonic()
        time.sleep(0.4)
        after = [line for process in (ann, ben) for line in read_until(process, changed_at)]
        time.sleep(0.3)
        after += [line for process in (ann, ben) for line in end(process)]
    assert [line for line in before if line.startswith("refused")] == []
    acknowledged = {
        line.split()[0]
        for line in after
        if not line.startswith("refused") and float(line.split()[1]) > changed_at
    }
    if deed in GOES_ON:
        assert acknowledged and {line.split()[0] for line in before} <= saved(path)
        assert acknowledged <= saved(path)
        return
    refusals = [line for line in after if line.startswith("refused")]
    if not refusals:  # the log had begun anew just before, and nothing in its second half counted
        assert deed in (overwrite_log, shorten_log)
        assert {line.split()[0] for line in before} | acknowledged <= saved(path)
        return
    assert any("deleted, moved or replaced" in line for line in refusals)
    if deed in DAMAGES:
        assert not acknowledged
    else:
        assert acknowledged <= saved(path)


@pytest.mark.parametrize(
    "deed", [empty_log, shorten_log, overwrite_log, overwrite_start_of_log], ids=lambda deed: deed.__name__
)
def test_a_log_that_lost_what_counts_is_noticed(small: Small, store_path: Path, deed: Deed) -> None:
    desk = small.desk()
    small.store.checkpoint()
    for number in range(6):
        desk.draft(2, "warm", ("YES", "NO")[number % 2])
    deed(store_path, store_path)
    with pytest.raises(StoreError, match="store_gone"):
        desk.draft(2, "warm", "NA")


def test_two_programs_that_write_and_empty_the_log_are_no_damage(paths: tuple[Path, Path]) -> None:
    """Checkpoints of each other, by time, by size and by hand, for some seconds."""
    path, _ = paths
    with worker("drafts-on", path) as ann, worker("drafts-on", path) as ben:
        first = [process.stdout.readline() for process in (ann, ben) if process.stdout is not None]
        third, until, by_hand = open_store(url_of(path)), time.monotonic() + 6, 0
        while time.monotonic() < until:
            third.checkpoint()
            with third.writing("lead", "note", None), third.reading():
                by_hand += 1
            time.sleep(0.05)
        lines = end(ann) + end(ben)
        third.close()
    assert by_hand >= 2 and len(first) == 2 and len(lines) > 100
    assert [line for line in lines if line.startswith("refused")] == []
    assert {line.split()[0] for line in lines} <= saved(path)


def test_another_program_that_is_killed_again_and_again_is_no_damage(small: Small, store_path: Path) -> None:
    """A killed writer leaves frames in the log that the next one writes over."""
    desk, events = small.desk(1), set[str]()
    for number in range(12):
        with worker("drafts-on", store_path) as process:
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(number * 0.004)
            end(process)
        for turn in range(4):
            events.add(f"{number}.{turn}")
            desk.draft(2 + turn % 3, "warm", ("YES", "NO")[turn % 2], event=f"{number}.{turn}")
    small.store.close()
    assert events <= saved(store_path)


def test_saving_goes_on_when_the_files_are_back(small: Small, store_path: Path) -> None:
    desk = small.desk()
    desk.draft(2, "warm", "YES", event="before")
    for suffix in ("", "-wal"):
        side(store_path, suffix).rename(side(store_path, f".elsewhere{suffix}"))
    with pytest.raises(StoreError, match="store_gone"):
        desk.draft(2, "warm", "NO", event="meanwhile")
    for suffix in ("", "-wal"):
        side(store_path, f".elsewhere{suffix}").rename(side(store_path, suffix))
    desk.draft(2, "warm", "NO", event="after")
    small.store.close()
    assert {"before", "after"} <= saved(store_path)


def test_the_log_is_empty_soon_after_the_last_write(small: Small, store_path: Path) -> None:
    small.desk().draft(2, "warm", "YES")
    assert side(store_path, "-wal").stat().st_size > 0
    deadline = time.monotonic() + 20
    while side(store_path, "-wal").stat().st_size and time.monotonic() < deadline:
        time.sleep(0.05)
    assert side(store_path, "-wal").stat().st_size == 0
