"""Locks over processes: one at a time, in turn, and gone with whoever held them."""

from __future__ import annotations

import ast
import errno
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path

import pytest

from data.store import locks
from data.store.errors import Refused, StoreError
from data.store.locks import LockTaken, held, in_turn, only_one, refuse_if_served, serve_alone

ROOT = Path(__file__).resolve().parents[4]
HOLD = """
import sys
from pathlib import Path
from data.store.locks import only_one
with only_one(Path(sys.argv[1]), "worker", "taken"):
    print("held", flush=True)
    sys.stdin.read()
"""
# Modules that Windows does not have.
POSIX_ONLY = {"fcntl", "grp", "posix", "pwd", "resource", "termios", "tty"}


@contextmanager
def another_process(store: Path) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(store)],
        cwd=ROOT,
        text=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    try:
        assert process.stdout is not None and process.stdout.readline() == "held\n"
        yield process
    finally:
        process.kill()
        process.communicate()


def test_a_second_process_is_refused_and_told_which_one_is_first(tmp_path: Path) -> None:
    store = tmp_path / "store.sqlite"
    with another_process(store) as process:
        assert held(store, "worker") and not held(store, "scoring")
        with (
            pytest.raises(LockTaken, match=rf"Another is there \(process {process.pid}\)\."),
            only_one(store, "worker", "Another is there"),
        ):
            pass
    assert not held(store, "worker")


def test_the_lock_of_a_process_that_was_killed_is_free(tmp_path: Path) -> None:
    store = tmp_path / "store.sqlite"
    with another_process(store) as process:
        process.kill()
        process.wait()
        with only_one(store, "worker", "taken"):
            assert held(store, "worker")


def test_a_link_to_a_store_has_the_same_locks(tmp_path: Path) -> None:
    store, link = tmp_path / "store.sqlite", tmp_path / "link.sqlite"
    store.touch()
    link.symlink_to(store)
    with only_one(link, "worker", "taken"):
        assert held(store, "worker")
        with pytest.raises(LockTaken), only_one(store, "worker", "taken"):
            pass


def test_whoever_waits_is_let_in_when_the_first_one_leaves(tmp_path: Path) -> None:
    store = tmp_path / "store.sqlite"
    with another_process(store) as process:
        assert held(store, "worker")
        process.communicate("")  # it leaves the block
        with in_turn(store, "worker"):
            assert held(store, "worker")


SERVE = """
import subprocess, sys
from pathlib import Path
from data.store.locks import serve_alone
with serve_alone(Path(sys.argv[1]), "http://127.0.0.1:8501 (Second Reader 0.3.0)") as lock:
    server = [sys.executable, "-c", "import time; print('serves', flush=True); time.sleep(600)"]
    print(subprocess.Popen(server, pass_fds=[lock]).pid, flush=True)
    sys.stdin.read()
"""
SERVED = "^store_served$"


@contextmanager
def serving(store: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A process that serves a store, and the number of its server."""
    process = subprocess.Popen(
        [sys.executable, "-c", SERVE, str(store)],
        cwd=ROOT,
        text=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdout is not None
    lines = {process.stdout.readline().strip() for _ in range(2)}
    server = int((lines - {"serves"}).pop())
    try:
        yield process, server
    finally:
        with suppress(ProcessLookupError):
            os.kill(server, signal.SIGKILL)
        process.kill()
        process.communicate()


def assert_served(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patient:
        patient.setattr(locks, "LAST_MOMENTS", 0.0)
        with pytest.raises(Refused, match=SERVED), serve_alone(store, "elsewhere"):
            pass
        with pytest.raises(Refused, match=SERVED):
            refuse_if_served(store)


def test_a_served_store_says_where_also_by_a_link(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store, link = tmp_path / "store.sqlite", tmp_path / "link.sqlite"
    store.touch()
    link.symlink_to(store)
    with serving(link):
        assert_served(store, monkeypatch)
        assert_served(link, monkeypatch)
        refuse_if_served(tmp_path / "another.sqlite")


def test_a_server_that_lives_on_without_its_parent_serves_the_store_until_it_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = tmp_path / "store.sqlite"
    with serving(store) as (parent, server):
        parent.kill()
        parent.wait()
        assert_served(store, monkeypatch)
        os.kill(server, signal.SIGKILL)
        refuse_if_served(store)  # waits for it
        with serve_alone(store, "elsewhere"):
            pass


def test_files_that_a_killed_server_left_keep_nobody_out(tmp_path: Path) -> None:
    store = tmp_path / "store.sqlite"
    for ending in ("lock", "at"):
        Path(f"{store}.served.{ending}").write_bytes(b"\xff left")
    refuse_if_served(store)
    with serve_alone(store, "http://127.0.0.1:8502 (Second Reader 0.3.0)"):
        assert Path(f"{store}.served.at").read_text().startswith("http://127.0.0.1:8502")
    refuse_if_served(store)


def test_where_a_store_is_served_may_be_unknown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = tmp_path / "store.sqlite"
    monkeypatch.setattr(locks, "LAST_MOMENTS", 0.0)
    with serve_alone(store, "here"):
        Path(f"{store}.served.at").write_bytes(b"\xff")
        with pytest.raises(Refused, match="store_served_by_another"):
            refuse_if_served(store)


def test_asking_whether_a_store_is_served_makes_no_file(tmp_path: Path) -> None:
    refuse_if_served(tmp_path / "store.sqlite")
    assert list(tmp_path.iterdir()) == []


def test_files_of_a_lock_are_private_and_hold_nothing_but_a_number(tmp_path: Path) -> None:
    store = tmp_path / "store.sqlite"
    with only_one(store, "worker", "taken"):
        pass
    files = sorted(tmp_path.iterdir())
    assert [file.name for file in files] == ["store.sqlite.worker.lock", "store.sqlite.worker.pid"]
    assert {file.stat().st_mode & 0o777 for file in files} == {0o600}
    assert files[0].read_bytes() == b"" and files[1].read_text().isdigit()


def test_no_room_imports_what_windows_does_not_have() -> None:
    rooms = ("cli", "configs", "data", "pages", "reports", "runs", "scoring", "services")
    foreign = {
        f"{path.relative_to(ROOT)}: {name}"
        for room in rooms
        for path in (ROOT / room).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in (
            [node.module or ""] if isinstance(node, ast.ImportFrom) else [a.name for a in node.names]
        )
        if name.split(".")[0] in POSIX_ONLY
    }
    assert foreign == set()


@pytest.mark.parametrize(
    "lock",
    [
        lambda store: serve_alone(store, "here"),
        lambda store: only_one(store, "served", "taken"),
        lambda store: in_turn(store, "served"),
    ],
    ids=["serve", "only one", "in turn"],
)
def test_a_folder_that_cannot_be_written_is_a_sentence_with_what_to_do(
    tmp_path: Path, lock: Callable[[Path], AbstractContextManager[object]]
) -> None:
    store = tmp_path / "store.sqlite"
    (tmp_path / "store.sqlite.served.lock").mkdir()  # neither can be opened, not even by root
    with pytest.raises(StoreError, match="folder_unwritable") as refused, lock(store):
        pass
    assert refused.value.facts == {"path": store, "trouble": "Is a directory"}


def test_a_store_on_a_disk_that_became_read_only_is_told_before_it_is_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, *_: object, **__: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))

    (tmp_path / "store.sqlite.served.lock").touch()
    monkeypatch.setattr(locks, "open_private", refuse)
    with pytest.raises(StoreError, match="folder_unwritable") as refused:
        refuse_if_served(tmp_path / "store.sqlite")
    assert refused.value.facts["trouble"] == "Read-only file system"
