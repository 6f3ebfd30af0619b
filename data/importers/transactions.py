"""One import, one transaction: everything of a file is kept, or nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from data import studies
from data.errors import NotFound
from data.importers import (
    conversations,
    paired_runs,
    published_forms,
    references,
    run_folders,
    run_tables,
    wide_tables,
)
from data.importers.imported_judgements import add_judgements
from data.importers.imported_raters import SameRaters
from data.importers.imported_ratings import add_ratings
from data.importers.report import ImportRefused, ImportReport
from data.importers.study_folder import NewStudy
from data.importers.turns import TurnCount
from data.importers.wide_tables import WideTableOptions
from data.judgements import JudgeIdentity
from data.references import KINDS, Kind
from data.store import Store
from data.studies import Study
from data.trail import TrailEntry
from data.work.blindness import refuse_blind_rater


class _DryRun(Exception):
    """Ends a dry run, so that the transaction is rolled back."""


def import_conversations(
    store: Store,
    study_key: str,
    path: Path,
    actor: str,
    dry_run: bool = False,
    new: NewStudy | None = None,
    same_person: str = "",
) -> ImportReport:
    """Raises ImportRefused with a report per line, NotFound for an unknown study, StoreError.

    With `new`, the study is made in the same transaction: without its conversations it is not made either.
    `same_person`: the fact that names the person behind each conversation, "none" where each is of another
    person, empty where nobody said: then the import is refused where it matters.
    """

    def work(
        connection: Connection, entry: TrailEntry, study: Study, file: Path, report: ImportReport
    ) -> None:
        conversations.add(connection, entry, study, file, report, same_person)

    return _run(
        store,
        study_key,
        path,
        actor,
        "import conversations",
        dry_run,
        {"same_person": same_person} if same_person else {},
        work,
        new,
    )


def import_judgements(
    store: Store,
    study_key: str,
    path: Path,
    actor: str,
    identity: JudgeIdentity,
    source: str = "",
    dry_run: bool = False,
    turns: TurnCount | None = None,
) -> ImportReport:
    """`turns`: what the turn numbers of the file count; None where nobody said: then the import is refused
    where it cannot be told.
    """

    def work(
        connection: Connection, entry: TrailEntry, study: Study, file: Path, report: ImportReport
    ) -> None:
        rows = published_forms.judged(file, report)
        add_judgements(connection, entry, study, rows, report, identity, source or file.name, turns)

    return _run(
        store,
        study_key,
        path,
        actor,
        "import judgements",
        dry_run,
        {"judge": identity.name, **_told(turns)},
        work,
    )


def import_ratings(
    store: Store,
    study_key: str,
    path: Path,
    actor: str,
    exposure: str,
    source: str,
    dry_run: bool = False,
    turns: TurnCount | None = None,
    rater_column: str = "",
    same_raters: Sequence[str] = (),
) -> ImportReport:
    """`turns` as for judgements. `rater_column`: the column that names the person; empty where nobody said:
    then it must be called so. `same_raters`: names of the file of which `actor` says that they are the raters
    of these names in the study; how that is known is the `source` too.
    """

    def work(
        connection: Connection, entry: TrailEntry, study: Study, file: Path, report: ImportReport
    ) -> None:
        rows = published_forms.rated(file, report, rater_column)
        add_ratings(
            connection,
            entry,
            study,
            rows,
            report,
            exposure,
            source,
            turns,
            SameRaters(frozenset(same_raters), actor),
        )

    return _run(
        store,
        study_key,
        path,
        actor,
        "import ratings",
        dry_run,
        {
            "exposure": exposure,
            "source": source,
            **({"rater_column": rater_column} if rater_column else {}),
            **({"same_raters": sorted(same_raters)} if same_raters else {}),
            **_told(turns),
        },
        work,
    )


def import_wide_table(
    store: Store,
    study_key: str,
    path: Path,
    actor: str,
    wide: WideTableOptions,
    dry_run: bool = False,
    new: NewStudy | None = None,
) -> ImportReport:
    """Labels of people and of judges from one table, a row an item; the items too where the study has no
    words.
    """

    def work(
        connection: Connection, entry: TrailEntry, study: Study, file: Path, report: ImportReport
    ) -> None:
        wide_tables.add(connection, entry, study, file, wide, report)

    detail = {
        "people": list(wide.people),
        "judges": list(wide.judges),
        "exposure": wide.exposure,
        "source": wide.source,
        **({"same_person": wide.same_person} if wide.same_person else {}),
        **({"rater_column": wide.rater_column} if wide.rater_column else {}),
    }
    return _run(store, study_key, path, actor, "import wide table", dry_run, detail, work, new)


def import_run_folder(
    store: Store,
    study_key: str,
    folder: Path,
    actor: str,
    judge: JudgeIdentity,
    dry_run: bool = False,
    new: NewStudy | None = None,
) -> ImportReport:
    """A run folder of plan-output alignment: its trials, and the judge's scores where there are any."""

    def work(
        connection: Connection, entry: TrailEntry, study: Study, run_folder: Path, report: ImportReport
    ) -> None:
        run_folders.add(connection, entry, study, run_folder, judge, report)

    return _run(
        store, study_key, folder, actor, "import run folder", dry_run, {"judge": judge.name}, work, new
    )


def import_references(
    store: Store, study_key: str, kind: Kind, path: Path, actor: str, dry_run: bool = False
) -> ImportReport:
    """Gold steps, plans of care or critical entities."""

    def work(
        connection: Connection, entry: TrailEntry, study: Study, file: Path, report: ImportReport
    ) -> None:
        references.add(connection, entry, study, kind, file, report)

    return _run(store, study_key, path, actor, f"import {KINDS[kind]}", dry_run, {}, work)


def import_paired_runs(
    store: Store, study_key: str, path: Path, actor: str, dry_run: bool = False
) -> ImportReport:
    return _run(store, study_key, path, actor, "import paired runs", dry_run, {}, paired_runs.add)


def import_run_table(
    store: Store, study_key: str, path: Path, actor: str, dry_run: bool = False
) -> ImportReport:
    """Runs of an experiment in numbers, or average curves of models."""
    return _run(store, study_key, path, actor, "import run table", dry_run, {}, run_tables.add)


def _told(turns: TurnCount | None) -> dict[str, str]:
    return {} if turns is None else {"turns": str(turns)}


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
) -> ImportReport:
    report = ImportReport(path.name, dry_run)
    try:
        with store.writing(actor, action, None, file=path.name, **detail) as (connection, entry):
            study = new.make(connection, entry) if new else studies.find(connection, study_key)
            if study is None:
                raise NotFound(
                    f"There is no study {study_key!r}. There are: "
                    f"{', '.join(s.key for s in studies.listing(connection)) or 'none yet'}."
                )
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
