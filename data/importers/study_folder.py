"""Import a whole study from a folder: study.yaml and the files it names. The sample studies are imported this
way.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationInfo
from sqlalchemy import Connection

from configs.files.plain_files import path_inside
from configs.files.yaml_files import ConfigFileError, read_model
from data.importers import anchor_sets, conversations, paired_runs, published_forms, references
from data.importers.columns import field
from data.importers.imported_judgements import add_judgements
from data.importers.imported_ratings import RatingProvenance, add_ratings
from data.importers.new_study import CONFIG_NAME, NewStudy
from data.importers.own_process import Tell
from data.importers.report import ImportReport
from data.importers.transactions import import_job
from data.importers.turns import turn_count
from data.record import studies
from data.record.judgements import JudgeIdentity
from data.record.rater_names import MAX_NAMES
from data.record.references import Kind
from data.record.studies import Study, StudySpec
from data.store.store import Store
from data.store.trail import TrailEntry

STUDY_YAML = "study.yaml"
LARGEST_BATCH = 10_000
NameMap = Annotated[dict[str, str], Field(min_length=1)]


def _inside(file: str, info: ValidationInfo) -> str:
    """Return the file if it is inside the folder. Raises ValueError."""
    path_inside(info.context["folder"] if info.context else Path(), file)
    return file


def _config_name(name: str) -> str:
    if not CONFIG_NAME.fullmatch(name):
        raise ValueError(
            "expected the name of a file in configs/ without its ending, such as coaching_rubric"
        )
    return name


FileName = Annotated[str, AfterValidator(_inside)]
TurnWords = Literal["turns from 1", "turns from 0", "messages from 1", "messages from 0"]
ConfigName = Annotated[str, AfterValidator(_config_name)]


class _StrictFile(BaseModel):
    model_config = ConfigDict(extra="forbid")


class JudgeFile(_StrictFile):
    """A file of one judge's answers. With `who`, the answers are inside the conversations under that name."""

    file: FileName
    name: str
    who: str | None = None
    provider: str = "unknown"
    model: str = "unknown"
    prompt: str = "unknown"
    parameters: dict[str, Any] = {}
    turns: TurnWords | None = None


class RatingFile(_StrictFile):
    """A file of people's labels. `names`: name in the file -> name to show. `columns`: column of the file ->
    conversation_id, rater, criterion, label, note, at or turn.
    """

    file: FileName
    exposure: Literal["blind", "judge_visible", "unknown"]
    source: str
    embedded: bool = False
    names: NameMap | None = None
    columns: dict[str, str] = {}
    turns: TurnWords | None = None


class AnchorFile(_StrictFile):
    """A file of settled labels that were frozen as anchors at `frozen`. The judge's files hold the answers to
    them.
    """

    file: FileName
    frozen: str | None = None


class StudyFile(_StrictFile):
    key: str
    title: str
    description: str = ""
    data_class: Literal["synthetic", "deidentified", "phi"] = "phi"
    review: Literal["blind", "open"] = "blind"
    reveal: Literal["after_batch", "after_unit", "never"] = "after_batch"
    batch_size: int = Field(default=10, ge=1, le=LARGEST_BATCH)
    content_note: str = ""
    provenance: str = ""
    role_names: tuple[str, str] = ("User", "Assistant")
    instrument: ConfigName
    taxonomy: ConfigName | None = None
    raters: list[str] = Field(default=[], max_length=MAX_NAMES)
    conversations: FileName
    same_person: str = ""
    judges: list[JudgeFile] = []
    ratings: list[RatingFile] = []
    anchors: AnchorFile | None = None
    gold_steps: FileName | None = None
    target_plans: FileName | None = None
    critical_entities: FileName | None = None
    paired_runs: FileName | None = None


class _StudyIsThere(Exception):
    """The store already holds the study of the folder."""


@dataclass(frozen=True)
class _FolderJob:
    """A study folder as an `ImportJob`."""

    path: Path
    actor: str
    spec: StudyFile
    instruments: Path
    taxonomies: Path
    action: str = "import study"

    @property
    def detail(self) -> dict[str, Any]:
        return {"folder": self.path.name}

    def add(self, connection: Connection, entry: TrailEntry, report: ImportReport) -> Study:
        if studies.find(connection, self.spec.key):
            raise _StudyIsThere
        study = _add(connection, entry, self.spec, self.path, self.instruments, self.taxonomies, report)
        report.file = self.path.name
        return study


def add_study(
    store: Store,
    folder: Path,
    instruments: Path,
    taxonomies: Path,
    actor: str,
    tell: Tell | None = None,
    apart: bool = True,
) -> ImportReport | None:
    """Import a study folder in one transaction; return None if the store already holds the study.

    Args:
        apart: as in `import_job`.

    Raises:
        ConfigFileError, ImportRefused, StoreError: nothing of the folder was kept.
    """
    try:
        path = path_inside(folder, STUDY_YAML)
    except ValueError as error:
        raise ConfigFileError(f"{STUDY_YAML}: {error}.") from None
    spec, _ = read_model(path, StudyFile, {"folder": folder})
    with store.reading() as connection:
        if studies.find(connection, spec.key):
            return None
    job = _FolderJob(folder.absolute(), actor, spec, instruments.absolute(), taxonomies.absolute())
    try:
        return import_job(store, job, tell=tell, apart=apart)
    except _StudyIsThere:  # another process has just added it
        return None


def _add(
    connection: Connection,
    entry: TrailEntry,
    spec: StudyFile,
    folder: Path,
    instruments: Path,
    taxonomies: Path,
    report: ImportReport,
) -> Study:
    def named(file: str) -> Path:
        report.file = f"{folder.name}/{file}"  # the file of the next problems
        return folder / file

    spec_fields = {
        name: getattr(spec, name)
        for name in (
            "key",
            "title",
            "description",
            "data_class",
            "review",
            "reveal",
            "batch_size",
            "content_note",
            "provenance",
            "role_names",
        )
    }
    new = NewStudy(
        StudySpec(**spec_fields, instrument_id=0),
        spec.instrument,
        spec.taxonomy,
        tuple(spec.raters),
        instruments,
        taxonomies,
    )
    study = new.make(connection, entry)
    entry.study = study.id
    conversations.add(connection, entry, study, named(spec.conversations), report, spec.same_person)
    report.raise_if_wrong()
    for judge in spec.judges:
        identity = JudgeIdentity(
            judge.name, judge.provider, judge.model, judge.prompt, spec.instrument, judge.parameters
        )
        path = named(judge.file)
        rows = (
            published_forms.embedded(path, report, {judge.who: judge.name}, "judge")
            if judge.who
            else published_forms.judged(path, report)
        )
        add_judgements(connection, entry, study, rows, report, identity, judge.file, turn_count(judge.turns))
        report.raise_if_wrong()
    for given in spec.ratings:
        path = named(given.file)
        if given.embedded:
            rows = published_forms.embedded(path, report, given.names or {}, "rater")
        else:
            rows = (
                (line, _renamed(row, given))
                for line, row in published_forms.rated(path, report, given.exposure)
            )
        add_ratings(
            connection,
            entry,
            study,
            rows,
            report,
            RatingProvenance(given.exposure, given.source, turns=turn_count(given.turns)),
        )
        report.raise_if_wrong()
    if spec.anchors:
        anchor_sets.add(connection, entry, study, named(spec.anchors.file), report, spec.anchors.frozen)
        report.raise_if_wrong()
    measured: tuple[tuple[Kind, str | None], ...] = (
        ("gold_steps", spec.gold_steps),
        ("target_plan", spec.target_plans),
        ("critical_entities", spec.critical_entities),
    )
    for kind, file in measured:
        if file:
            references.add(connection, entry, study, kind, named(file), report)
            report.raise_if_wrong()
    if spec.paired_runs:
        paired_runs.add(connection, entry, study, named(spec.paired_runs), report)
        report.raise_if_wrong()
    return study


def _renamed(row: dict[str, Any], given: RatingFile) -> dict[str, Any]:
    renamed = {given.columns.get(column, column): cell for column, cell in row.items()}
    if given.names and (who := field(renamed, "rater")) is not None:
        renamed["rater"] = given.names.get(str(who), who)
    return renamed
