"""One import, one transaction: everything of a file is kept, or nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from data import studies
from data.importers.importer import Importer
from data.importers.kinds.conversations import ConversationFiles
from data.importers.kinds.judgements import JudgementFiles
from data.importers.kinds.paired_runs import PairedRunFiles
from data.importers.kinds.ratings import RatingFiles
from data.importers.report import ImportRefused, ImportReport
from data.importers.study_folder import NewStudy
from data.importers.turns import TurnCount
from data.judgements import JudgeIdentity
from data.store import Store
from data.studies import Study
from data.trail import TrailEntry
from data.work.blindness import refuse_blind_rater


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


def import_conversations(
    store: Store,
    study_key: str,
    path: Path,
    actor: str,
    dry_run: bool = False,
    new: NewStudy | None = None,
    same_person: str = "",
) -> ImportReport:
    """`same_person`: the fact that names the person behind each conversation, "none" where each is of another
    person, empty where nobody said: then the import is refused where it matters.
    """
    answers = {"new_study": new, "same_person": same_person}
    return import_file(store, study_key, path, actor, ConversationFiles(), answers, dry_run)


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
    answers = {"identity": identity, "judgement_source": source, "turns": turns}
    return import_file(store, study_key, path, actor, JudgementFiles(), answers, dry_run)


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
    answers = {
        "exposure": exposure,
        "source": source,
        "turns": turns,
        "rater_column": rater_column,
        "same_raters": same_raters,
    }
    return import_file(store, study_key, path, actor, RatingFiles(), answers, dry_run)


def import_paired_runs(
    store: Store, study_key: str, path: Path, actor: str, dry_run: bool = False
) -> ImportReport:
    return import_file(store, study_key, path, actor, PairedRunFiles(), {}, dry_run)


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
