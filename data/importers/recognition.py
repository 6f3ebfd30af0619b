"""Recognise a file by its contents, not its name: which importer reads it, or what it seems to be."""

from __future__ import annotations

import codecs
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from configs.files.plain_files import open_plain
from configs.registry import RegistryEntry
from data.importers import inspect_logs
from data.importers.file_sample import FileSample
from data.importers.file_starts import foreign_start, is_utf16
from data.importers.importer import ANY_FILE, Importer
from data.importers.kinds.mapped_file import MappedFiles
from data.importers.mapping.raw_tables import is_json
from data.importers.mapping.table_sample import read_table_sample
from data.importers.own_process import FileTooMuch, limits_for, run_apart
from data.importers.read_sample import LOOKED_AT, ROWS_READ, read_sample
from data.importers.registry import IMPORTERS, importers
from data.importers.report import counted
from data.importers.table_files import is_cut_off, is_workbook, zip_names

EMPTY = "The file is empty."
MIN_COLUMNS, LONGEST_NAME = 2, 100  # of a table, and characters of a column's name
MIN_ROWS_READ = 20  # rows in which a list or object means that the file is no table
UNKNOWN = (
    "This file contains no conversation or label in a known form. Conversations may be JSONL or a table, and "
    "labels a table. Help, at the top, shows examples."
)
NOT_READ_YET = (
    "This seems to be {name}, which can't be imported as it is yet. Write the conversations as a table with "
    "one row per message."
)
# Fields of JSON files that no importer reads, and what they are.
NOT_READ = (
    (frozenset({"resourceSpans"}), "traces of OpenTelemetry in its protocol's form"),
    (frozenset({"resource_spans"}), "traces of OpenTelemetry in its protocol's form"),
    (frozenset({"prompt", "rubrics"}), "conversations of HealthBench"),
)


@dataclass(frozen=True)
class Recognition:
    """The importer that reads a file; if it is None, `problem` says what the file seems to be."""

    sample: FileSample
    importer: Importer | None = None
    problem: str = ""

    @property
    def title(self) -> str:
        """Return one sentence about the file, without looking at the store."""
        if self.importer is None:
            return "Not recognised"
        name, number, rows = self.importer.describe(self.sample)
        if not self.sample.rows:
            return f"Recognised: {name}."
        more = " or more" if len(self.sample.rows) == ROWS_READ else ""
        return f"Recognised: {name}, {counted(number, rows)}{more}."


def recognise(path: Path) -> Recognition:
    """Return which importer reads a file; the file is read in a separate process. Raises OSError."""
    try:
        found = run_apart(recognise_here, path.absolute(), limits=limits_for(path))
    except FileTooMuch as error:
        problem = f"{str(error)[0].upper()}{str(error)[1:]}."
        return Recognition(FileSample(path.name), problem=problem)
    name = found.importer.name if found.importer is not None else None
    return replace(found, importer=next((each for each in importers() if each.name == name), None))


def show_first_conversation(
    importer: Importer, path: Path, sample: FileSample, answers: Mapping[str, Any]
) -> list[tuple[str, str]]:
    """Return (role, text) of each message of a file's first conversation, read in a separate process.

    Empty if there is no conversation or the file exceeds the limits.
    """
    try:
        return run_apart(
            importer.first_conversation, path.absolute(), sample, answers, limits=limits_for(path)
        )
    except FileTooMuch:
        return []


def recognise_here(path: Path) -> Recognition:
    """Return what `recognise` does, without a separate process."""
    if _is_blank(path):
        return Recognition(FileSample(path.name), problem=EMPTY)
    recognition = _recognise_form(path)
    if recognition.importer is not None or (is_json(path) and recognition.problem != UNKNOWN):
        return recognition
    table = _sample_of_table(path)
    if table is None:
        return recognition
    return Recognition(table, next(each for each in importers() if isinstance(each, MappedFiles)))


def _recognise_form(path: Path) -> Recognition:
    """Return which importer knows the form of the file, or why none does."""
    if (problem := _form_of_start(path)) is not None:
        return Recognition(FileSample(path.name), problem=problem)
    sample = read_sample(path)
    importer = _importer_of(sample, path)
    if importer is not None:
        return Recognition(sample, importer)
    if sample.problem:
        return Recognition(sample, problem=sample.problem)
    name = next((name for fields, name in NOT_READ if fields <= set(sample.columns)), None)
    return Recognition(sample, problem=NOT_READ_YET.format(name=name) if name else UNKNOWN)


def _form_of_start(path: Path) -> str | None:
    """Return what a file seems to be by its first bytes, and what to do; None if they don't tell.

    A zip file is a Word document or another zip file by the names in it; an Excel workbook and a log of
    Inspect give None. For anything else, `foreign_start` as a sentence with a capital and a full stop.
    """
    names = zip_names(path)
    if is_cut_off(path):
        return "This is a zip file that is cut off or damaged. Download or save it again."
    if inspect_logs.is_log(path):
        return None
    if names and "word/document.xml" in names:
        return "This seems to be a Word document. Save its table as CSV (UTF-8), and import that."
    if names and "xl/workbook.xml" not in names:
        return "This seems to be a zip file. Unpack it, and import the files in it."
    start = foreign_start(path)
    if start is not None and "xl/workbook.xml" not in names:
        return f"{start[0].upper()}{start[1:]}{'' if start.endswith('.') else '.'}"
    return None


def _sample_of_table(path: Path) -> FileSample | None:
    """Return the beginning of any table that a mapping can explain; None if the file is no table."""
    if foreign_start(path) is not None and not is_workbook(path) and not is_utf16(path):
        return None
    table = read_table_sample(path)
    rows = tuple(row for _, row in table.rows)
    nested = is_json(path) and any(
        cell[:1] in ("[", "{") for row in rows[:MIN_ROWS_READ] for cell in row.values()
    )
    long = any(len(name) > LONGEST_NAME for name in table.columns)
    is_broken = table.problem and not is_workbook(path)  # of a sheet, the form says what is wrong
    if is_broken or len(table.columns) < MIN_COLUMNS or not rows or nested or long:
        return None
    return FileSample(path.name, table.columns, rows, True, len(rows) < ROWS_READ)


def _is_blank(path: Path) -> bool:
    with open_plain(path) as stream:
        start = stream.read(LOOKED_AT).removeprefix(codecs.BOM_UTF8)
        while start and not start.strip():
            start = stream.read(LOOKED_AT)
        return not start


def _importer_of(sample: FileSample, path: Path) -> Importer | None:
    """Return the importer that recognises the file, or None.

    Importers of other packages are asked first, because they only claim a form of their own. If none
    recognises the file, its ending decides, provided that only one package's importer takes it.
    """
    entries = sorted(IMPORTERS.all(), key=lambda entry: (entry.is_own, entry.spec.order))
    offered = [entry for entry in entries if entry.spec.title]
    by_content = next((entry.spec for entry in offered if _recognises(entry, sample)), None)
    if by_content is not None:
        return by_content
    ending = path.suffix.lower().removeprefix(".")
    by_ending = [entry.spec for entry in offered if not entry.is_own and ending in entry.spec.endings]
    return by_ending[0] if len(by_ending) == 1 and ending not in ANY_FILE else None


def _recognises(entry: RegistryEntry[Importer], sample: FileSample) -> bool:
    try:
        return bool(entry.spec.recognises(sample))
    except Exception:  # another package's importer may raise anything; then it doesn't recognise the file
        if entry.is_own:
            raise
        return False
