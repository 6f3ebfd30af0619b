"""Recognise files of other tools that can't be imported as they are, and say what to do instead."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from data.importers import inspect_logs
from data.importers.file_sample import FileSample
from data.importers.file_starts import foreign_start
from data.importers.label_givers import is_of_people
from data.importers.table_files import starts_as_zip, zip_names

MIN_TABLE_COLUMNS = 3  # a case, a person and a criterion

MESSAGES = (
    "Write the conversations as a table with one row per message (conversation, speaker, text), or as JSONL: "
    '{"id": "c1", "messages": [{"role": "user", "content": "..."}]}'
)
LABELS = (
    "Write the labels as a table with one row per label: conversation_id, criterion, label, and rater for "
    "people or reasoning for a judge"
)


# Fields of files that no importer reads; the most specific first.
OTHERS: Sequence[tuple[Sequence[str], str, str]] = (
    (("candidates", "usageMetadata"), "a reply of the Gemini interface", MESSAGES),
    (("resource_spans",), "traces of OpenTelemetry in its protocol's form", MESSAGES),
    (("resourceSpans",), "traces of OpenTelemetry in its protocol's form", MESSAGES),
    (("prompt", "rubrics"), "conversations of HealthBench", MESSAGES),
    (("Variable / Field Name",), "a data dictionary of REDCap", "Write its questions as an instrument"),
    (("record_id",), "an export of REDCap", LABELS),
    (("messages",), "conversations as Python prints them", MESSAGES),
)


def form_of_start(path: Path) -> str | None:
    """Return what a file seems to be by its first bytes, and what to do; None if they don't tell.

    A zip file is a Word document or another zip file by the names in it; an Excel workbook and a log of
    Inspect give None. For anything else, `foreign_start` as a sentence with a capital and a full stop.
    """
    names = zip_names(path)
    if not names and starts_as_zip(path):
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


def form_of_fields(sample: FileSample) -> str | None:
    """Return what an unrecognised file seems to be by its fields, and what to do; None if unknown.

    It is `sentence` for the first entry of OTHERS whose fields the file has; else, for a table with a
    column of raters and more than MIN_TABLE_COLUMNS (3) columns, one with a row per person.
    """
    if (form := _form_of(OTHERS, sample)) is not None:
        return form
    people = sample.column("rater") or next(filter(is_of_people, sample.columns), None)
    if people is not None and sample.is_table and len(sample.columns) > MIN_TABLE_COLUMNS:
        return sentence("a table with one row per person and one column per criterion", LABELS)
    return None


def _form_of(forms: Sequence[tuple[Sequence[str], str, str]], sample: FileSample) -> str | None:
    fields = {*sample.columns, *_inner_fields(sample)}
    return next((sentence(name, what) for names, name, what in forms if fields.issuperset(names)), None)


def _inner_fields(sample: FileSample) -> Iterator[str]:
    """Yield the fields of the first object in a list, if the file is one object: the shape of API replies."""
    if len(sample.rows) == 1:
        for value in sample.rows[0].values():
            if isinstance(value, list) and value and isinstance(value[0], dict):
                yield from map(str, value[0])


def sentence(name: str, what: str) -> str:
    """Return "This seems to be NAME, which can't be imported as it is yet. WHAT." with both words filled
    in.
    """
    return f"This seems to be {name}, which can't be imported as it is yet. {what}."
