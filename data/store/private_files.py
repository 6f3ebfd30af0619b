"""Files and folders that only their owner may read: what the program writes holds what people said."""

from __future__ import annotations

import os
from pathlib import Path
from typing import IO, Any, Literal

FILE, FOLDER = 0o600, 0o700


def make_folder(path: Path) -> None:
    """Make a folder and those above it that are missing, each of mode 0700. One that is there stays as it is.
    Raises OSError.
    """
    missing = []
    while not path.exists():
        missing.append(path)
        path = path.parent
    for folder in reversed(missing):
        folder.mkdir(FOLDER, exist_ok=True)
        folder.chmod(FOLDER)  # whatever the umask left of it


def open_private(path: Path, mode: Literal["x", "w", "a", "xb", "wb", "ab"], **text: Any) -> IO[Any]:
    """As `open` does; a file that is made is of mode 0600 whatever the umask, and one that is there keeps its
    mode. Raises OSError.
    """

    def opener(name: str, flags: int) -> int:
        try:
            number = os.open(name, flags | os.O_CREAT | os.O_EXCL, FILE)
        except FileExistsError:
            if "x" in mode:
                raise
            return os.open(name, flags & ~os.O_CREAT)
        if hasattr(os, "fchmod"):  # not on Windows, where a user's own folders are closed to others
            os.fchmod(number, FILE)
        return number

    return open(path, mode, opener=opener, **text)
