"""Create files and folders that only their owner may read, because they hold what people said."""

from __future__ import annotations

import os
from pathlib import Path
from typing import IO, Any, Literal

FILE, FOLDER = 0o600, 0o700


def make_folder(path: Path) -> None:
    """Create a folder and its missing parents, each of mode 0700; existing ones stay unchanged. Raises
    OSError.
    """
    missing = []
    while not path.exists():
        missing.append(path)
        path = path.parent
    for folder in reversed(missing):
        folder.mkdir(FOLDER, exist_ok=True)
        folder.chmod(FOLDER)  # regardless of the umask


def open_private(path: Path, mode: Literal["x", "w", "a", "xb", "wb", "ab"], **text: Any) -> IO[Any]:
    """Open a file as `open` does; a new file has mode 0600 whatever the umask, an existing one keeps its
    mode. Raises OSError.
    """

    def opener(name: str, flags: int) -> int:
        try:
            number = os.open(name, flags | os.O_CREAT | os.O_EXCL, FILE)
        except FileExistsError:
            if "x" in mode:
                raise
            return os.open(name, flags & ~os.O_CREAT)
        if hasattr(os, "fchmod"):  # not on Windows, where a user's folders are private
            os.fchmod(number, FILE)
        return number

    return open(path, mode, opener=opener, **text)
