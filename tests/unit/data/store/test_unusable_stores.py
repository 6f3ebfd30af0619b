"""Files that cannot be the store: one sentence each, and the file stays as it is."""

from __future__ import annotations

import os
import re
import shutil
import socket
import sqlite3
import stat
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from data.keeping.backup import backup, restore
from data.keeping.verify import verify
from data.store.errors import StoreError
from data.store.store import open_store, sqlite_path
from reports.refusals import word_error
from tests.studies.small_study import Small


def refused(path: Path, match: str) -> None:
    with pytest.raises(StoreError) as caught:
        open_store(f"sqlite:///{path}", busy_seconds=0.05)
    assert re.search(match, sentence := word_error(caught.value)) and sentence.endswith(".")


def foreign_database(path: Path) -> None:
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE recipes (name)")
        other.execute("INSERT INTO recipes VALUES ('soup')")
        other.commit()


def test_a_database_of_another_program_is_refused(store_path: Path) -> None:
    foreign_database(store_path)
    refused(
        store_path, "is a database of another program. Choose another file with SECOND_READER_DATABASE_URL"
    )


def test_a_database_of_another_program_keeps_every_byte_and_its_permissions(store_path: Path) -> None:
    foreign_database(store_path)
    store_path.chmod(0o644)
    before = store_path.read_bytes()
    refused(store_path, "another program")
    assert store_path.read_bytes() == before
    assert stat.S_IMODE(store_path.stat().st_mode) == 0o644


def test_a_database_of_another_program_keeps_what_stands_in_its_log(tmp_path: Path, store_path: Path) -> None:
    """As after a crash of that program: its log holds what its database does not."""
    with closing(sqlite3.connect(tmp_path / "other")) as other:
        other.execute("PRAGMA journal_mode=WAL")
        other.execute("CREATE TABLE recipes (name)")
        for suffix in ("", "-wal"):
            shutil.copy(tmp_path / f"other{suffix}", f"{store_path}{suffix}")
    before = [Path(f"{store_path}{suffix}").read_bytes() for suffix in ("", "-wal")]
    assert before[1]
    refused(store_path, "another program")
    assert [Path(f"{store_path}{suffix}").read_bytes() for suffix in ("", "-wal")] == before


def test_a_database_of_another_program_that_uses_alembic_too_is_not_touched(store_path: Path) -> None:
    foreign_database(store_path)
    with closing(sqlite3.connect(store_path)) as other:
        other.execute("CREATE TABLE alembic_version (version_num)")
        other.execute("INSERT INTO alembic_version VALUES ('0001')")
        other.commit()
    before = store_path.read_bytes()
    refused(store_path, "another program")
    assert store_path.read_bytes() == before


def test_a_store_of_a_newer_program_is_refused_and_unchanged(
    small: Small, store_path: Path, raw: sqlite3.Connection
) -> None:
    small.store.close()
    raw.execute("UPDATE alembic_version SET version_num = '9999'")
    before = list(raw.iterdump())
    refused(store_path, "written by a newer Second Reader.*Nothing was changed. Update the program")
    assert list(raw.iterdump()) == before


OF_0_2_0 = "was written by Second Reader 0.2.0 or earlier, and only 0.2.0 opens it. Nothing was changed. Use 0.2.0, or move that file away and import your files into a new store."


def write_store_of_0_2_0(path: Path, form: str) -> None:
    with closing(sqlite3.connect(path)) as old:
        old.execute("CREATE TABLE alembic_version (version_num)")
        old.execute("CREATE TABLE trail (seq)")
        old.execute("CREATE TABLE judge_attempt (id)")
        old.execute(
            "CREATE TRIGGER judge_attempt_no_delete BEFORE DELETE ON judge_attempt BEGIN SELECT 1; END"
        )
        old.execute("INSERT INTO alembic_version VALUES (?)", (form,))
        old.execute("INSERT INTO trail VALUES (1)")
        old.commit()


@pytest.mark.parametrize("form", ["0001", "0010", "0018"])
def test_a_store_of_0_2_0_is_refused_unchanged_and_told_which_version_opens_it(
    store_path: Path, form: str
) -> None:
    write_store_of_0_2_0(store_path, form)
    before = store_path.read_bytes()
    refused(store_path, OF_0_2_0)
    assert store_path.read_bytes() == before


def test_a_backup_of_0_2_0_is_refused_under_its_own_name(small: Small, tmp_path: Path) -> None:
    old = tmp_path / "old.sqlite"
    write_store_of_0_2_0(old, "0018")
    small.store.close()
    with pytest.raises(StoreError) as refused:
        restore(old, f"sqlite:///{small.store.path}")
    assert word_error(refused.value) == f"The database {old} {OF_0_2_0}"
    with closing(sqlite3.connect(small.store.path)) as kept:
        assert kept.execute("SELECT count(*) FROM study").fetchone() == (1,)


def test_a_store_of_0_2_0_in_the_place_of_an_open_one_is_refused(small: Small, tmp_path: Path) -> None:
    old = tmp_path / "old.sqlite"
    write_store_of_0_2_0(old, "0018")
    for suffix in ("-wal", "-shm"):
        small.store.path.with_name(small.store.path.name + suffix).unlink(missing_ok=True)
    old.replace(small.store.path)
    with pytest.raises(StoreError, match="store_too_old"), small.store.reading():
        pass


@pytest.mark.parametrize("form", ["x'30313030'", "100", "'00ab12cd34ef'", "''"])
def test_a_form_that_no_program_wrote_is_a_sentence(
    small: Small, store_path: Path, raw: sqlite3.Connection, form: str
) -> None:
    small.store.close()
    raw.execute(f"UPDATE alembic_version SET version_num = {form}")
    refused(store_path, "Nothing was changed")


@pytest.mark.parametrize(
    "content", [b"these are not the bytes of a database" * 100, b"SQLite format 3\x00" + b"\xff" * 4096]
)
def test_a_file_that_is_no_database_is_refused_and_unchanged(store_path: Path, content: bytes) -> None:
    store_path.write_bytes(content)
    refused(store_path, "is damaged or is not a database.*restore the last backup")
    assert store_path.read_bytes() == content


def test_a_store_with_overwritten_pages_is_refused(small: Small, store_path: Path) -> None:
    small.store.close()
    with store_path.open("r+b") as file:
        file.seek(100)
        file.write(b"\xa5" * 4000)
    refused(store_path, "is damaged or is not a database")


def test_a_folder_is_refused(tmp_path: Path) -> None:
    refused(tmp_path, "is a folder; SECOND_READER_DATABASE_URL must name a file")


def make_pipe(path: Path) -> None:
    os.mkfifo(path, 0o644)


def make_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(path))


def link_to_device(path: Path) -> None:
    path.symlink_to("/dev/null")


def make_subfolder(path: Path) -> None:
    path.mkdir(0o755)


@pytest.mark.parametrize(
    ("make", "kind"),
    [
        (make_pipe, "a pipe"),
        (make_socket, "a socket"),
        (link_to_device, "a device"),
        (make_subfolder, "a folder"),
    ],
)
def test_what_is_no_regular_file_is_refused_and_neither_opened_nor_changed(
    tmp_path: Path, small: Small, make: Callable[[Path], None], kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is tried on the file itself: a test that fails must not change the machine's /dev/null."""
    backup(small.store, copy := tmp_path / "backup.sqlite")
    small.store.close()
    place = tmp_path / "place"
    make(place)
    before, entries = place.stat(), sorted(tmp_path.iterdir())
    touched: list[Path] = []
    for name in ("chmod", "unlink", "touch"):
        monkeypatch.setattr(Path, name, lambda path, *_, **__: touched.append(path))
    monkeypatch.setattr(os, "replace", lambda *paths: touched.extend(paths))
    monkeypatch.setattr(sqlite3, "connect", lambda *paths, **_: touched.extend(paths))
    sentence = f"{place} is {kind}; SECOND_READER_DATABASE_URL must name a file"
    refused(place, sentence)
    with pytest.raises(StoreError, match="store_not_a_file"):
        restore(copy, f"sqlite:///{place}")
    monkeypatch.undo()
    assert touched == [] and sorted(tmp_path.iterdir()) == entries
    assert (place.stat().st_mode, place.stat().st_ino) == (before.st_mode, before.st_ino)


@pytest.mark.parametrize("name", [b"st\xf6re.sqlite", b"\xff"])
def test_a_path_that_is_not_valid_utf_8_is_a_sentence(tmp_path: Path, name: bytes) -> None:
    path = tmp_path / os.fsdecode(name)
    refused(path, "is not valid UTF-8, so it can't be opened. Choose another name with SECOND_READER")
    assert not path.exists()


def test_a_path_below_a_folder_that_is_not_valid_utf_8_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / os.fsdecode(b"\xff")
    folder.mkdir()
    monkeypatch.chdir(folder)
    refused(Path("store.sqlite"), "is not valid UTF-8")


@pytest.mark.parametrize("loop", [True, False])
def test_a_link_to_nothing_is_a_sentence(tmp_path: Path, loop: bool) -> None:
    link = tmp_path / "link.sqlite"
    link.symlink_to(link if loop else tmp_path / "nowhere")
    refused(link, "can't be created: .*Choose another place with SECOND_READER_DATABASE_URL")
    assert sorted(tmp_path.iterdir()) == [link]


def test_a_place_below_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    refused(
        tmp_path / "file" / "store.sqlite",
        "can't be created.*Choose another place with SECOND_READER_DATABASE_URL",
    )


def test_folders_on_the_way_are_made(tmp_path: Path) -> None:
    open_store(f"sqlite:///{tmp_path / 'a' / 'b' / 'store.sqlite'}").close()
    assert (tmp_path / "a" / "b" / "store.sqlite").is_file()


def test_an_empty_file_becomes_a_store(store_path: Path) -> None:
    store_path.touch()
    store = open_store(f"sqlite:///{store_path}")
    with store.reading() as connection:
        assert verify(connection).problems == []
    store.close()


def test_a_store_that_may_only_be_read_is_refused_before_anybody_rates(
    small: Small, store_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Tests run as root, for whom every file is writable; what the system would answer somebody else is put in
    # its place.
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)
    refused(store_path, "is read-only. Nothing could be saved, so the program does not start")


def test_a_disk_that_has_no_room_for_the_files_beside_the_store_is_a_sentence(
    store_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    store_path.touch()
    monkeypatch.setattr(os, "open", full)
    refused(store_path, "No space left on device")


@pytest.mark.parametrize(
    "url", ["postgresql://localhost/reader", "sqlite://", "sqlite:///:memory:", "mysql+pymysql://x/y"]
)
def test_other_databases_are_refused(url: str) -> None:
    with pytest.raises(StoreError, match="store_not_sqlite"):
        sqlite_path(url)


@pytest.mark.parametrize("url", ["", "store.sqlite", "/tmp/store.sqlite", "nonsense://"])
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(StoreError, match=r"store_address_unreadable|store_not_sqlite"):
        sqlite_path(url)


@pytest.mark.parametrize(
    "name", ["with blank.sqlite", "50% done.sqlite", "what?.sqlite", "a#b.sqlite", "größe.sqlite"]
)
def test_unusual_names_of_files_work_or_are_refused_but_never_lead_elsewhere(
    tmp_path: Path, name: str
) -> None:
    path = tmp_path / name
    try:
        open_store(f"sqlite:///{path}").close()
    except StoreError as error:
        assert error.reason == "store_address_with_options"
    else:
        assert path.is_file()
    assert {p.name.removesuffix(".lock") for p in tmp_path.iterdir()} <= {name}
