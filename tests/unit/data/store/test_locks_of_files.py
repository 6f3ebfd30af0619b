"""Other programs see that this one has the store open, at every moment. If they did not, SQLite would remove
the log or truncate the index that this program still uses.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from data.store.store import open_store, url_of
from tests.studies.small_study import Small

OPEN_AND_CLOSE = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1])
connection.execute("SELECT count(*) FROM trail").fetchone()
connection.close()
"""
# Byte 128 of the index is locked by every connection (https://www.sqlite.org/walformat.html).
IS_INDEX_LOCKED = """
import fcntl, sys
with open(sys.argv[1] + "-shm", "r+b") as index:
    try:
        fcntl.lockf(index, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, 128)
        print("free")
    except BlockingIOError:
        print("locked")
"""


def run_elsewhere(program: str, path: Path) -> str:
    command = [sys.executable, "-c", program, str(path)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def inode_of_log(path: Path) -> int:
    return path.with_name(f"{path.name}-wal").stat().st_ino


def test_another_program_that_closes_the_store_after_staging_leaves_its_log(
    small: Small, store_path: Path, tmp_path: Path
) -> None:
    """The connection that staged is closed, and it may have been the only one."""
    small.store.close()
    store = open_store(url_of(store_path))
    with store.staging(tmp_path / "rows.sqlite"):
        pass
    before = inode_of_log(store_path)
    run_elsewhere(OPEN_AND_CLOSE, store_path)
    assert inode_of_log(store_path) == before
    store.close()


def test_the_index_is_locked_after_the_store_was_reopened(small: Small, store_path: Path) -> None:
    """Another program keeps the index while somebody deletes the log."""
    small.store.close()
    store = open_store(url_of(store_path))
    with store.writing("tests", "note"):
        pass
    assert run_elsewhere(IS_INDEX_LOCKED, store_path) == "locked"
    holder = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); "
            "c.execute('SELECT count(*) FROM trail').fetchone(); print('open', flush=True); input()",
            str(store_path),
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert holder.stdout is not None and holder.stdout.readline() == "open\n"
    store_path.with_name(f"{store_path.name}-wal").unlink()
    with store.writing("tests", "note again"):
        pass
    holder.kill()
    holder.communicate()
    assert run_elsewhere(IS_INDEX_LOCKED, store_path) == "locked"
    store.close()
