"""Open files from outside: a pipe or a device is refused before reading, without waiting for it."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO

NO_PLAIN_FILE = "it is not a plain file, but a folder, a device or a pipe"


# Flags that not every system has. Without the last one, Windows reads a file as text.
_WITHOUT_WAITING = 0
for _flag in ("O_NONBLOCK", "O_NOCTTY", "O_CLOEXEC", "O_BINARY"):
    _WITHOUT_WAITING |= getattr(os, _flag, 0)


def open_plain(path: Path) -> BinaryIO:
    """Open a regular file for reading. Raises OSError, whose `strerror` is a sentence for anything else.

    The file is opened without waiting and then checked: if it were checked by name first, another file could
    be opened.
    """
    number = os.open(path, os.O_RDONLY | _WITHOUT_WAITING)
    try:
        if not stat.S_ISREG(os.fstat(number).st_mode):
            raise OSError(errno.EINVAL, NO_PLAIN_FILE, str(path))
        return os.fdopen(number, "rb")
    except BaseException:
        os.close(number)
        raise


def path_inside(folder: Path, name: str) -> Path:
    """Return the path of a file in a folder. Raises ValueError with a sentence if it is elsewhere or not a
    plain file.

    A missing file passes; opening it raises the error.
    """
    if "\x00" in name or not name.strip():
        raise ValueError("expected the name of a file")
    if Path(name).is_absolute():
        raise ValueError("expected the name of a file in this folder, found a path from the root")
    if ".." in Path(name).parts:
        raise ValueError("expected the name of a file in this folder; .. leads out of it")
    path = folder / name
    try:
        if not path.resolve().is_relative_to(folder.resolve()):
            raise ValueError("this is a link that leads out of the folder; put the file itself there")
        mode = path.stat().st_mode
    except (OSError, RuntimeError):  # missing, unreadable, or links in a circle
        return path
    if not stat.S_ISREG(mode):
        raise ValueError(NO_PLAIN_FILE)
    return path
