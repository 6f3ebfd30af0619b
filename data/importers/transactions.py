"""One import, one transaction: everything of a file is kept, or nothing."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, select

from data import schema
from data.importers.importer import Importer
from data.importers.report import ImportRefused, ImportReport
from data.importers.study_folder import NewStudy
from data.record import studies
from data.record.studies import Study
from data.store.errors import StoreError
from data.store.store import Store
from data.store.trail import TrailEntry
from data.work.blindness import refuse_blind_rater

LOOKED_INTO = 3  # studies, for what a file holds
LARGEST_LOOKED_FOR = 5_000_000  # bytes; to look for a larger file takes longer than somebody waits


class _DryRun(Exception):
    """Ends a dry run, so that the transaction is rolled back."""


def import_file(
    store: Store,
    study_key: str,
    path: Path,
    actor: str,
    importer: Importer,
    answers: Mapping[str, Any],
    dry_run: bool = False,
    progress: Callable[[str, float, float], None] | None = None,
) -> ImportReport:
    """`answers`: what was said beside the file, by the names of the importer's options; with `new_study`, the
    study is made in the same transaction: without what the file holds it is not made either. `progress`:
    ImportReport's.

    Raises ImportRefused with a report per line, NotFound for an unknown study, StoreError.
    """
    importer.check(answers)
    answers_with_actor = {**answers, "actor": actor}

    def work(
        connection: Connection, entry: TrailEntry, study: Study, file: Path, report: ImportReport
    ) -> None:
        importer.add(connection, entry, study, file, report, answers_with_actor)

    new: NewStudy | None = answers.get("new_study")
    detail = importer.detail(answers_with_actor)
    return _run(store, study_key, path, actor, importer.action, dry_run, detail, work, new, progress)


def study_that_holds(
    store: Store, path: Path, importer: Importer, answers: Mapping[str, Any], actor: str
) -> Study | None:
    """The study into which a file of this name was brought, and that holds all of what is in this one; of
    several the newest. Only a few are looked into, and none for a large file.
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


def _run(
    store: Store,
    study_key: str,
    path: Path,
    actor: str,
    action: str,
    dry_run: bool,
    detail: dict[str, Any],
    work: Callable[[Connection, TrailEntry, Study, Path, ImportReport], None],
    new: NewStudy | None = None,
    progress: Callable[[str, float, float], None] | None = None,
) -> ImportReport:
    report = ImportReport(path.name, dry_run, progress=progress)
    try:
        with store.writing(actor, action, None, file=path.name, **detail) as (connection, entry):
            study = new.make(connection, entry) if new else studies.get_by_key(connection, study_key)
            entry.study = study.id
            if new is not None and new.raters:
                report.notice(0, f"the raters of the new study: {', '.join(new.raters)}")
            if new is None:
                refuse_blind_rater(connection, study, actor)
            work(connection, entry, study, path, report)
            report.raise_if_wrong()
            if dry_run:
                raise _DryRun
    except _DryRun:
        pass
    except (OSError, MemoryError) as error:
        report.error(0, f"the file cannot be read: {getattr(error, 'strerror', None) or 'it is too large'}")
        raise ImportRefused(report) from None
    return report
