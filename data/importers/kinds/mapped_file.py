"""Any table, by a mapping that says what its columns and cells mean."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from data.importers import conversations
from data.importers.file_parts import PartAnswers, add_parts
from data.importers.file_sample import FileSample
from data.importers.import_options import (
    EXPOSURE_WORDS,
    ImportOption,
    NewStudyOption,
    SamePersonOption,
    SameRatersOption,
    TurnsOption,
)
from data.importers.imported_raters import SameRaters
from data.importers.importer import Importer
from data.importers.mapping.kept_mappings import ACTION, read_mapping
from data.importers.mapping.mapped_rows import mapped_parts, possible_givers
from data.importers.mapping.questions import structure_questions
from data.importers.mapping.table_mapping import TableMapping
from data.importers.report import ImportReport
from data.record.studies import Study
from data.store.errors import Refused
from data.store.trail import TrailEntry


class MappedFiles(Importer):
    name = "file"
    title = "A table"
    order = 90
    help = (
        "Import any table (CSV, Excel, Parquet, JSON): conversations, people's labels and judges' labels. "
        "--mapping says what its columns mean; `second-reader import mapping` proposes one."
    )
    endings = ("csv", "tsv", "txt", "xlsx", "xlsm", "parquet", "json", "jsonl")
    action = ACTION
    page_key = "file"
    layout = (
        "Any table: one row per message, label, rater or conversation. You say what each column means, and "
        "see how the first rows are read."
    )
    options = (
        ImportOption(
            name="mapping",
            flag="--mapping",
            metavar="FILE",
            default="",
            help="A YAML file that says what the columns and cells mean.",
        ),
        ImportOption(
            name="exposure",
            flag="--exposure",
            choices=EXPOSURE_WORDS,
            help="With people's labels: what they had seen of the judge when they rated.",
            exposes=True,
            label="What had these people seen of the judge?",
            key="import-exposure",
            column=1,
        ),
        ImportOption(
            name="source",
            flag="--source",
            default="",
            help="How you know: a protocol, a person, a publication.",
            exposes=True,
            label="How do you know?",
            placeholder="a protocol, a person, a publication",
            longest=300,
            key="import-source",
            column=2,
        ),
        NewStudyOption(),
        SamePersonOption(
            column="fact",
            metavar="FACT",
            help="The fact that names the person behind a conversation, such as client_id; "
            "none if every conversation is with another person.",
        ),
        SameRatersOption(),
        TurnsOption(),
    )

    def check(self, answers: Mapping[str, Any]) -> None:
        """Raise Refused if a required answer is missing, and ConfigFileError if the mapping can't be read."""
        mapping = mapping_of(answers)
        if mapping is None:
            raise Refused("mapping_missing")
        for question in structure_questions(mapping):
            raise Refused(question.reason, **question.facts)
        has_people = mapping.has_labels and "person" in possible_givers(mapping)
        if has_people and not (answers.get("exposure") and str(answers.get("source") or "").strip()):
            raise Refused("exposure_missing")

    def detail(self, answers: Mapping[str, Any]) -> dict[str, Any]:
        """Return which answers the trail keeps; the mapping serves the study's next file."""
        mapping = mapping_of(answers)
        kept = {name: answers[name] for name in ("exposure", "source", "same_person") if answers.get(name)}
        if answers.get("same_raters"):
            kept["same_raters"] = sorted(answers["same_raters"])
        if answers.get("turns") is not None:
            kept["turns"] = str(answers["turns"])
        return {**kept, "mapping": mapping.model_dump(mode="json", exclude_defaults=True) if mapping else {}}

    def first_conversation(
        self, path: Path, sample: FileSample, answers: Mapping[str, Any]
    ) -> list[tuple[str, str]]:
        """Return (role, text) of each message of the first usable conversation; [] without one."""
        mapping = mapping_of(answers)
        if mapping is None or not mapping.has_words or structure_questions(mapping):
            return []
        report = ImportReport(path.name)
        read = mapped_parts(path, mapping).conversations
        rows = conversations.usable_rows(read(report), report) if read is not None else iter(())
        return next((row.messages for row in rows), [])

    def add(
        self,
        connection: Connection,
        entry: TrailEntry,
        study: Study,
        path: Path,
        report: ImportReport,
        answers: Mapping[str, Any],
    ) -> None:
        """Write the contents of the file; problems go into the report, and then the caller rolls back."""
        mapping = mapping_of(answers)
        assert mapping is not None  # check() has refused it
        stated = PartAnswers(
            answers.get("exposure") or "",
            answers.get("source") or "",
            answers.get("same_person") or "",
            answers.get("turns"),
            SameRaters(frozenset(answers.get("same_raters") or ()), answers.get("actor", "")),
        )
        add_parts(connection, entry, study, mapped_parts(path, mapping), stated, report, path.name)


def mapping_of(answers: Mapping[str, Any]) -> TableMapping | None:
    """Return the mapping among the answers: from the page, or from the file that a command names; None if
    there is none. Raises ConfigFileError.
    """
    mapping = answers.get("mapping")
    if isinstance(mapping, str):
        return read_mapping(Path(mapping).expanduser()) if mapping else None
    return mapping


IMPORTER = MappedFiles
