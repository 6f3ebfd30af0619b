"""Import in two steps: a separate process reads and checks the file and stages its rows; then one short
transaction inserts them.

Everything of a file is kept, or nothing.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from sqlalchemy import Connection, Table, select

from data import schema
from data.importers.known_words import record_seen_elsewhere
from data.importers.own_process import FileTooMuch, Tell, limits_for, run_apart
from data.importers.report import ImportRefused, ImportReport
from data.record import studies
from data.record.studies import Study
from data.store.errors import Refused
from data.store.incoming import IncomingFolder
from data.store.staging import StagedRows, first_id, holds_any, insert_staged
from data.store.store import Store, open_store, url_of
from data.store.trail import TrailEntry

LARGEST = 800_000_000  # bytes of rows; inserting more would take longer than others can wait to save
TOO_LARGE = "the file holds more than can be saved at once (800 MB); split it into smaller files"
TRIES = 4  # readings of a file while other people change the study
SAVED = "saved"  # shown as progress
# Tables on which an import rests: the file is read again if one was written to meanwhile. Raters write to
# none.
_RESTED_ON = frozenset(
    table.name
    for table in (
        schema.study,
        schema.study_change,
        schema.rater,
        schema.rater_identity,
        schema.set_aside,
        schema.conversation,
        schema.judge,
        schema.reference,
        schema.run_output,
        schema.run_summary,
        schema.trial,
        schema.anchor_set,
        schema.successor,
        schema.instrument,
        schema.taxonomy,
        schema.erasure,
    )
)
# Others may write to these tables meanwhile, unless they answer the same question.
_ANSWERS = (
    (schema.rating, ("unit_id", "criterion")),
    (schema.judgement, ("unit_id", "judge_id", "criterion", "anchor_round", "replicate")),
)
_OF_ALL_STUDIES = frozenset(
    table.name for table in (schema.study, schema.instrument, schema.taxonomy, schema.erasure)
)


class ImportJob(Protocol):
    """What to import. It must be picklable, because another process reads the file. `path`: the file or
    folder.
    """

    @property
    def path(self) -> Path: ...

    @property
    def actor(self) -> str: ...

    @property
    def action(self) -> str: ...

    @property
    def detail(self) -> dict[str, Any]:
        """Return what the trail keeps about the import."""
        ...

    def add(self, connection: Connection, entry: TrailEntry, report: ImportReport) -> Study:
        """Write the contents of the file; problems go into the report. Return the study."""
        ...


class StagedImport(NamedTuple):
    """Rows that are staged but not inserted, with the ids and the time they were given."""

    report: ImportReport
    rows: StagedRows
    study_id: int
    is_new_study: bool
    staged_at: str


@dataclass(frozen=True)
class _Stage:
    """The first step, as it is sent to another process."""

    store: Path
    job: ImportJob
    report: ImportReport
    file: Path

    def __call__(self, tell: Tell | None = None) -> StagedImport:
        store = open_store(url_of(self.store))
        try:
            return stage(store, self.job, replace(self.report, progress=tell), self.file)
        finally:
            store.close()


def stage(store: Store, job: ImportJob, report: ImportReport, file: Path) -> StagedImport:
    """Read and check the file, and stage its rows in `file`. Raises ImportRefused or StoreError."""
    try:
        with store.staging(file) as (connection, rows):
            before = connection.execute(select(schema.study.c.id).order_by(schema.study.c.id.desc())).scalar()
            entry = TrailEntry(connection, job.actor, job.action, seals=False)
            study = job.add(connection, entry, report)
            report.raise_if_wrong()
    except ImportRefused as refused:
        refused.report.progress = None
        raise
    except (OSError, MemoryError) as error:
        report.progress = None
        raise _unreadable(report, error) from None
    report.progress = None
    return StagedImport(report, rows, study.id, study.id > (before or 0), entry.at)


def import_job(
    store: Store,
    job: ImportJob,
    dry_run: bool = False,
    tell: Tell | None = None,
    apart: bool = True,
) -> ImportReport:
    """Import a file and return the report; with `dry_run`, only check it.

    Args:
        tell: receives the progress. If it raises, nothing is kept.
        apart: False reads the file in this process, for files that come with the program.

    Raises:
        ImportRefused: with a report per line.
        NotFound: the study is unknown.
        StoreError: the store refused it.
    """
    for _ in range(TRIES):
        report = ImportReport(job.path.name, dry_run)
        with IncomingFolder(store.path) as folder:
            file = folder.path / "rows.sqlite"
            if apart:
                staged = _stage_apart(store, job, report, file, tell)
            else:
                staged = stage(store, job, replace(report, progress=tell), file)
            if not file.exists():  # somebody erased a conversation, which deletes all staged files
                continue
            if file.stat().st_size > LARGEST:
                staged.report.error(0, TOO_LARGE)
                raise ImportRefused(staged.report)
            if dry_run:
                return staged.report
            if tell is not None:
                tell(SAVED, 0, 1)  # the last moment at which `tell` can stop the import
            is_inserted = _insert(store, job, staged)
        if is_inserted:
            return staged.report
    raise Refused(
        "Other people changed this study while the file was being read. Nothing was imported; import it "
        "again."
    )


def _stage_apart(
    store: Store, job: ImportJob, report: ImportReport, file: Path, tell: Tell | None
) -> StagedImport:
    try:
        call = _Stage(store.path, job, report, file)
        return run_apart(call, limits=limits_for(job.path), tell=tell)
    except FileTooMuch as error:
        report.error(0, str(error))
        raise ImportRefused(report) from None


def _insert(store: Store, job: ImportJob, staged: StagedImport) -> bool:
    """Insert the staged rows; return False, with nothing inserted, if something they rest on has changed."""
    detail = {**job.detail, **staged.report.detail}
    with store.writing(job.actor, job.action, None, **detail) as (connection, entry):
        if _is_overtaken(connection, staged):
            return False
        moved = insert_staged(connection, entry, staged.rows, staged.staged_at)
        entry.study = staged.study_id + (moved.get(schema.study.name, 0) if staged.is_new_study else 0)
        if staged.is_new_study:  # now, because raters here may have saved ratings while the file was read
            study = studies.get(connection, entry.study)
            record_seen_elsewhere(connection, entry, study, staged.report)
    return True


def _is_overtaken(connection: Connection, staged: StagedImport) -> bool:
    """Tell whether something the staged rows rest on, or an answer to the same question, was written
    since.
    """
    trail = schema.trail
    for entry in connection.execute(
        select(trail.c.study, trail.c.digest).where(trail.c.seq > staged.rows.after)
    ):
        of_this_study = entry.study is None or entry.study == staged.study_id
        if json.loads(entry.digest).keys() & (_RESTED_ON if of_this_study else _OF_ALL_STUDIES):
            return True
    return any(_is_answered_twice(connection, staged.rows, *each) for each in _ANSWERS)


def _is_answered_twice(
    connection: Connection, staged: StagedRows, table: Table, names: Sequence[str]
) -> bool:
    """Tell whether the table has a newer row with the same values in `names` as a staged row."""
    first = first_id(staged, table)
    if first is None:
        return False
    later = connection.execute(select(*(table.c[name] for name in names)).where(table.c.id >= first))
    return holds_any(staged, table, names, later)


def _unreadable(report: ImportReport, error: OSError | MemoryError) -> ImportRefused:
    report.error(0, f"the file can't be read: {getattr(error, 'strerror', None) or 'it is too large'}")
    return ImportRefused(report)
