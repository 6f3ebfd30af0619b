"""Stores that many tests begin with: each is made once a run, by whichever worker needs it first, and copied."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

from data.record import studies
from data.store.store import Store, open_store
from tests.studies.small_study import Small


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

    def study(self, store: Store, make: Callable[..., Small], **settings: Any) -> Small:
        """What `make(store, folder, **settings)` makes, copied into a store that holds nothing yet.

        The files that it wrote to its folder are not there.
        """
        words = repr((make.__module__, make.__qualname__, sorted(settings.items())))
        name = f"study-{hashlib.sha256(words.encode()).hexdigest()[:16]}"
        ids = self._folder / f"{name}.json"  # of the study, its judges and its raters

        def make_closed(path: Path) -> None:
            folder = path.with_suffix(".folder")
            folder.mkdir(exist_ok=True)
            with closing(open_store(f"sqlite:///{path}")) as unfinished:
                small = make(unfinished, folder, **settings)
            ids.write_text(json.dumps([small.study.id, small.judges, small.raters]), encoding="utf-8")

        template = self.store(name, make_closed)
        with closing(sqlite3.connect(template)) as source, closing(sqlite3.connect(store.path)) as copy:
            assert copy.execute("SELECT count(*) FROM trail").fetchone() == (0,), "the store is in use"
            source.backup(copy)
        study_id, judges, raters = json.loads(ids.read_text(encoding="utf-8"))
        with store.reading() as connection:
            return Small(store, studies.get(connection, study_id), tuple(judges), tuple(raters))
