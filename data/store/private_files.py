"""Create files and folders that only their owner may read, because they hold what people said."""

from __future__ import annotations

import errno
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
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


@contextmanager
def write_whole(path: Path) -> Iterator[Path]:
    """Give a path beside `path` to write to; when the block ends without an error, it becomes `path`.

    The file has mode 0600. After an error nothing is left. No other file is changed. Raises FileExistsError
    if `path` exists, also if another program creates it during the block.
    """
    if path.exists():
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
    part = path.with_name(f"{path.name}.{secrets.token_hex(4)}.part")
    open_private(part, "xb").close()
    try:
        yield part
        open_private(path, "xb").close()  # `os.replace` would overwrite a file that has appeared meanwhile
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)
