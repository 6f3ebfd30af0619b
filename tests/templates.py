"""Stores that many tests begin with: each is made once a run, by whichever worker needs it first, and copied."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from filelock import FileLock


class Templates:
    """Closed stores in a folder that all workers of one run of pytest share."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @classmethod
    def of_run(cls, factory: pytest.TempPathFactory) -> Templates:
        """The templates of this run; the folder goes with the other temporary folders of pytest."""
        own = factory.getbasetemp()
        folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "templates"
        folder.mkdir(exist_ok=True)
        return cls(folder)

    def store(self, name: str, make: Callable[[Path], None]) -> Path:
        """The file of a template; `make` writes a store to the path that it is given, and closes it."""
        path = self._folder / f"{name}.sqlite"
        with FileLock(path.with_suffix(".lock")):
            if not path.exists():
                unfinished = path.with_suffix(".unfinished")
                unfinished.unlink(missing_ok=True)
                make(unfinished)
                unfinished.rename(path)
        return path
