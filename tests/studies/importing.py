"""Imports of one kind of file each, as the tests call them: what the page and the command line ask for beside the
file are arguments.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from data.importers.file_import import import_file
from data.importers.kinds._reference_files import ReferenceFiles
from data.importers.kinds.conversations import ConversationFiles
from data.importers.kinds.judgements import JudgementFiles
from data.importers.kinds.mapped_file import MappedFiles
from data.importers.kinds.paired_runs import PairedRunFiles
from data.importers.kinds.ratings import RatingFiles
from data.importers.kinds.run_folder import RunFolder
from data.importers.kinds.run_table import RunTableFiles
from data.importers.mapping.table_mapping import TableMapping
from data.importers.mapping.table_sample import read_table_sample
from data.importers.mapping.targets import target_of_study
from data.importers.new_study import NewStudy
from data.importers.registry import importers
from data.importers.report import ImportReport
from data.importers.turns import TurnCount
from data.record import studies
from data.record.judgements import JudgeIdentity
from data.record.references import Kind
from data.store.store import Store


def import_table(
    store: Store,
    study_key: str,
    path: Path,
    actor: str,
    mapping: TableMapping | None = None,
    **answers: Any,
) -> ImportReport:
    """Any table, by its mapping; by default as the program proposes it for the study."""
    if mapping is None:
        sample = read_table_sample(path)
        with store.reading() as connection:
            study = studies.get_by_key(connection, study_key)
            mapping = target_of_study(connection, study, sample.columns).propose(sample)
    return import_file(store, study_key, path, actor, MappedFiles(), {"mapping": mapping, **answers})


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
    answers = {"identity": judge, "new_study": new}
    return import_file(store, study_key, folder, actor, RunFolder(), answers, dry_run)


def import_references(
    store: Store, study_key: str, kind: Kind, path: Path, actor: str, dry_run: bool = False
) -> ImportReport:
    """Gold steps, plans of care or critical entities."""
    importer = next(
        spec for spec in importers() if isinstance(spec, ReferenceFiles) and spec.reference == kind
    )
    return import_file(store, study_key, path, actor, importer, {}, dry_run)


def import_run_table(
    store: Store, study_key: str, path: Path, actor: str, dry_run: bool = False
) -> ImportReport:
    """Runs of an experiment in numbers, or average curves of models."""
    return import_file(store, study_key, path, actor, RunTableFiles(), {}, dry_run)


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
    same_raters: Sequence[str] = (),
) -> ImportReport:
    """`turns` as for judgements. `same_raters`: names of the file of which `actor` says that they are the raters
    of these names in the study; how that is known is the `source` too.
    """
    answers = {
        "exposure": exposure,
        "source": source,
        "turns": turns,
        "same_raters": same_raters,
    }
    return import_file(store, study_key, path, actor, RatingFiles(), answers, dry_run)


def import_paired_runs(
    store: Store, study_key: str, path: Path, actor: str, dry_run: bool = False
) -> ImportReport:
    """Runs asked with reasoning, without, or under a bias, with what was right."""
    return import_file(store, study_key, path, actor, PairedRunFiles(), {}, dry_run)
