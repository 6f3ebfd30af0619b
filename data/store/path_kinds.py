"""Check the path of a store: a regular file of ours, an empty file, or nothing yet."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

import sqlalchemy as sa

from data.store import migrate
from data.store.errors import StoreError

KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
}


def refuse_irregular(path: Path) -> None:
    """Raise StoreError if the path, also through a link, is anything but a regular file, or is not valid
    UTF-8. Opens and changes nothing.
    """
    try:
        str(path).encode()
    except UnicodeEncodeError:
        raise StoreError("store_path_not_utf8") from None
    try:
        kind = stat.S_IFMT(os.stat(path).st_mode)
    except OSError:  # nothing is there, or opening it will report why it can't be reached
        return
    if kind != stat.S_IFREG:
        raise StoreError("store_not_a_file", path=path, kind=KINDS.get(kind, "no regular file"))


def refuse_foreign_database(path: Path) -> None:
    """Raises StoreError as `migrate.current` does. The file is opened for reading only: a program that may
    write would move another program's write-ahead log into its database. A store with an unfinished operation
    passes, because it can't be read before that is finished.
    """
    engine = sa.create_engine(
        sa.URL.create("sqlite", database=f"file:{quote(str(path))}", query={"mode": "ro", "uri": "true"})
    )
    try:
        with suppress(sa.exc.OperationalError), engine.connect() as connection:
            migrate.current(connection, path)
    finally:
        engine.dispose()
