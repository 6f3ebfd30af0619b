"""Import one file or folder into a study with its importer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, select

from data import schema
from data.access.permissions import Action, find_person, require
from data.importers.importer import Importer
from data.importers.new_study import NewStudy
from data.importers.own_process import Tell
from data.importers.report import ImportRefused, ImportReport
from data.importers.transactions import import_job
from data.record import studies
from data.record.studies import Study
from data.store.errors import Refused, StoreError
from data.store.store import Store
from data.store.trail import TrailEntry

LOOKED_INTO = 3  # studies
LARGEST_LOOKED_FOR = 5_000_000  # bytes; checking a larger file takes longer than people wait


@dataclass(frozen=True)
class FileJob:
    """A file and its importer. `answers`: the importer's options by name; with `new_study` among them, the
    study is created first.
    """

    study_key: str
    path: Path
    actor: str
    importer: Importer
    answers: Mapping[str, Any]

    @property
    def action(self) -> str:
        return self.importer.action

    @property
    def detail(self) -> dict[str, Any]:
        return {"file": self.path.name, **self.importer.detail({**self.answers, "actor": self.actor})}

    def add(self, connection: Connection, entry: TrailEntry, report: ImportReport) -> Study:
        """Write the contents of the file, creating the study first if asked; return the study."""
        new: NewStudy | None = self.answers.get("new_study")
        if new is not None:
            study = new.make(connection, entry)
            if new.raters:
                report.notice(0, f"the raters of the new study: {', '.join(new.raters)}")
        else:
            study = studies.get_by_key(connection, self.study_key)
            require(connection, find_person(connection, study, self.actor), Action.HANDLE_FILES, study)
            if study.archived:
                raise Refused("study_is_archived", title=study.title)
        entry.study = study.id
        answers = {**self.answers, "actor": self.actor}
        self.importer.add(connection, entry, study, self.path, report, answers)
        return study


def import_file(
    store: Store,
    study_key: str,
    path: Path,
    actor: str,
    importer: Importer,
    answers: Mapping[str, Any],
    dry_run: bool = False,
    tell: Tell | None = None,
) -> ImportReport:
    """Import a file and return the report; with `dry_run`, only check it. Raises as `import_job` does."""
    importer.check(answers)
    job = FileJob(study_key, path.absolute(), actor, importer, answers)
    return import_job(store, job, dry_run, tell)


def study_that_holds(
    store: Store, path: Path, importer: Importer, answers: Mapping[str, Any], actor: str
) -> Study | None:
    """Return the newest study into which a file of this name was imported and which holds everything in this
    file.

    Only the latest few studies are checked. None if there is no such study, or the file is large.
    """
    if path.stat().st_size > LARGEST_LOOKED_FOR:
        return None
    for study in _studies_of_file(store, path.name, importer.action)[:LOOKED_INTO]:
        try:
            report = import_file(store, study.key, path, actor, importer, answers, dry_run=True)
        except (ImportRefused, StoreError):
            continue
        if not report.errors and not report.added.total() and report.already.total():
            return study
    return None


def _studies_of_file(store: Store, name: str, action: str) -> list[Study]:
    trail = schema.trail
    with store.reading() as connection:
        entries = connection.execute(
            select(trail.c.study, trail.c.detail)
            .where(trail.c.action == action, trail.c.study.is_not(None))
            .order_by(trail.c.seq.desc())
        ).all()
        keys = dict.fromkeys(entry.study for entry in entries if json.loads(entry.detail).get("file") == name)
        by_id = {study.id: study for study in studies.listing(connection)}
    return [by_id[key] for key in keys if key in by_id]
