"""Opening files that came from outside: a pipe or a device is refused before a byte of it is read, and never
waited for.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO

NO_PLAIN_FILE = "it is no plain file, but a folder, a device or a pipe"


# Flags that not every system has. Windows reads a file as text without the last of them.
_WITHOUT_WAITING = 0
for _flag in ("O_NONBLOCK", "O_NOCTTY", "O_CLOEXEC", "O_BINARY"):
    _WITHOUT_WAITING |= getattr(os, _flag, 0)


def open_plain(path: Path) -> BinaryIO:
    """A regular file, opened to be read. Raises OSError, whose `strerror` is a sentence where it is something
    else.

    Opened without waiting and then looked at: what is looked at by name and then opened may be another file
    by then.
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
    """The path of a file that a folder names. Raises ValueError, whose message is a sentence, where the file
    lies elsewhere or is no plain file.

    A file that is not there passes: whoever opens it says so.
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
    except (OSError, RuntimeError):  # not there, not to be read, or links that lead to each other
        return path
    if not stat.S_ISREG(mode):
        raise ValueError(NO_PLAIN_FILE)
    return path
