"""Any table, by a mapping that says what its columns and cells mean."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from data.importers import conversations
from data.importers.columns import report_left_out
from data.importers.file_parts import PartAnswers, add_parts
from data.importers.file_sample import FileSample
from data.importers.import_options import (
    SAME_PERSON,
    WITHOUT_TEXT,
    ImportOption,
    NewStudyOption,
    SameRatersOption,
    TurnsOption,
    exposure_options,
)
from data.importers.imported_ratings import require_exposure
from data.importers.importer import Importer
from data.importers.mapping.kept_mappings import ACTION, read_mapping, without_words
from data.importers.mapping.mapped_rows import mapped_parts, possible_givers
from data.importers.mapping.meanings import RubricWords
from data.importers.mapping.questions import label_like_left_out, open_questions, structure_questions
from data.importers.mapping.table_mapping import TableMapping, plain_cell
from data.importers.mapping.table_sample import TableSample, read_table_sample
from data.importers.report import ImportReport
from data.record.studies import Study
from data.store.errors import Refused
from data.store.trail import TrailEntry
from words.plurals import join_words


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
            is_file=True,
        ),
        *exposure_options(),
        NewStudyOption(),
        SAME_PERSON,
        SameRatersOption(),
        TurnsOption(),
        WITHOUT_TEXT,
    )

    def check(self, answers: Mapping[str, Any]) -> None:
        """Raise Refused if a required answer is missing, and ConfigFileError if the mapping can't be read."""
        mapping = mapping_of(answers)
        if mapping is None:
            raise Refused("mapping_missing")
        for question in structure_questions(mapping):
            raise Refused(question.reason, **question.facts)
        has_people = mapping.has_labels and "person" in possible_givers(mapping)
        if has_people:
            require_exposure(answers)

    def detail(self, answers: Mapping[str, Any]) -> dict[str, Any]:
        """Return which answers the trail keeps; the mapping serves the study's next file."""
        mapping = mapping_of(answers)
        stated = ("exposure", "source", "same_person", "text")
        kept = {name: answers[name] for name in stated if answers.get(name)}
        if answers.get("same_raters"):
            kept["same_raters"] = sorted(answers["same_raters"])
        if answers.get("turns") is not None:
            kept["turns"] = str(answers["turns"])
        safe = without_words(mapping).model_dump(mode="json", exclude_defaults=True) if mapping else {}
        return {**kept, "mapping": safe}

    def first_conversation(
        self, path: Path, sample: FileSample, answers: Mapping[str, Any]
    ) -> list[tuple[str, str]]:
        """Return (role, text) of each message of the first usable conversation; [] without one."""
        mapping = mapping_of(answers)
        if mapping is None or not mapping.has_words or structure_questions(mapping):
            return []
        report = ImportReport(path.name)
        read = mapped_parts(path, mapping, RubricWords()).conversations
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
        """Write the contents of the file; problems go into the report, and then the caller rolls back.

        Raise Refused if the mapping leaves something open for this file.
        """
        mapping, rubric = mapping_of(answers), RubricWords.of(study.instrument, study.taxonomy)
        assert mapping is not None  # check() has refused it
        sample = read_table_sample(path, mapping.reading)
        for question in open_questions(mapping, sample, rubric) if not sample.problem else ():
            raise Refused(question.reason, **question.facts)
        for name in label_like_left_out(mapping, sample, rubric):
            report.notice(0, f"the column {name!r} is left out, though its cells could be labels")
        if len(sample.sheets) > 1:
            sheet = sample.reading.sheet or sample.sheets[0]
            others = join_words([repr(each) for each in sample.sheets if each != sheet])
            report.notice(0, f"only the sheet {sheet!r} is read, and not {others}")
        report_left_out(columns_left_out(mapping, sample), "the mapping leaves them out", report)
        parts = mapped_parts(path, mapping, rubric)
        add_parts(connection, entry, study, parts, PartAnswers.of(answers), report, path.name)


def columns_left_out(mapping: TableMapping, sample: TableSample) -> list[str]:
    """Return the columns with cells that the mapping leaves out or does not name."""
    read = {plain_cell(name) for name, column in mapping.columns.items() if column.role != "ignored"}
    return [
        name
        for name, values in sample.values.items()
        if plain_cell(name) not in read and (values is None or set(values) != {""})
    ]


def mapping_of(answers: Mapping[str, Any]) -> TableMapping | None:
    """Return the mapping among the answers: from the page, or from the file that a command names; None if
    there is none. Raises ConfigFileError.
    """
    mapping = answers.get("mapping")
    if isinstance(mapping, str):
        return read_mapping(Path(mapping)) if mapping else None
    return mapping


IMPORTER = MappedFiles
