"""Whatever a study holds, and in whatever shape it is written: the mapping of that shape reads it back exactly."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl import Workbook
from pyarrow import parquet

from data.importers.mapping.mapped_rows import mapped_parts
from data.importers.mapping.table_mapping import Column, Reading, TableMapping, mapping_yaml, parse_mapping
from tests.unit.data.importers.test_mapped_rows import RUBRIC, read

CRITERIA = ("CQ1", "CQ3", "CQ8", "CQ9")
WRITTEN = {"YES": "Pass mark", "NO": "0", "NA": "–"}  # label -> how the clinicians wrote it
PEOPLE = ("Ann", "Dr. Bø; Łucja", '"Q", R.')

letters = st.characters(categories=["L", "N", "P", "S", "Zs"], codec="utf-8")
words = st.text(letters, min_size=1, max_size=12).map(str.strip).filter(bool)
messages = st.lists(st.tuples(st.sampled_from(["user", "assistant"]), words), min_size=1, max_size=4)
talks = st.dictionaries(words, messages, min_size=1, max_size=4)


class Study(NamedTuple):
    talks: dict[str, list[tuple[str, str]]]
    labels: dict[tuple[str, str, str], str]  # by conversation, person and criterion
    notes: dict[tuple[str, str, str], str]


@st.composite
def studies(draw: st.DrawFn) -> Study:
    conversations = draw(talks)
    places = [(key, who, criterion) for key in conversations for who in PEOPLE for criterion in CRITERIA]
    labels = draw(st.dictionaries(st.sampled_from(places), st.sampled_from(sorted(WRITTEN)), min_size=1))
    notes = draw(st.dictionaries(st.sampled_from(sorted(labels)), words))
    return Study(conversations, labels, notes)


def long(study: Study) -> tuple[list[dict[str, str]], dict[str, Any]]:
    rows = [
        {
            "case": key,
            "who": who,
            "item": item,
            "mark": WRITTEN[label],
            "say": study.notes.get((key, who, item), ""),
        }
        for (key, who, item), label in study.labels.items()
    ]
    return rows, {"case": "conversation", "who": "rater", "item": "criterion", "mark": "label", "say": "note"}


def a_row_per_person(study: Study) -> tuple[list[dict[str, str]], dict[str, Any]]:
    rows: dict[tuple[str, str], dict[str, str]] = {}
    columns: dict[str, Any] = {"case": "conversation", "who": "rater"}
    for item in CRITERIA:
        columns[item] = Column(role="label", criterion=item)
        columns[f"{item} why"] = Column(role="note", criterion=item)
    for (key, who, item), label in study.labels.items():
        row = rows.setdefault((key, who), {**dict.fromkeys(columns, ""), "case": key, "who": who})
        row |= {item: WRITTEN[label], f"{item} why": study.notes.get((key, who, item), "")}
    return list(rows.values()), columns


def a_row_per_conversation(study: Study) -> tuple[list[dict[str, str]], dict[str, Any]]:
    columns: dict[str, Any] = {"case": "conversation"}
    for who in PEOPLE:
        for item in CRITERIA:
            columns[f"{item} {who}"] = Column(role="label", criterion=item, giver="person", name=who)
            columns[f"{who} on {item}"] = Column(role="note", criterion=item, giver="person", name=who)
    rows = {key: {**dict.fromkeys(columns, ""), "case": key} for key, _, _ in study.labels}
    for (key, who, item), label in study.labels.items():
        rows[key] |= {
            f"{item} {who}": WRITTEN[label],
            f"{who} on {item}": study.notes.get((key, who, item), ""),
        }
    return list(rows.values()), columns


def write(rows: Sequence[dict[str, str]], folder: Path, form: str, separator: str, encoding: str) -> Path:
    path = folder / f"table.{form}"
    if form == "xlsx":
        book = Workbook()
        sheet = book.worksheets[0]
        for number, row in enumerate([list(rows[0]), *(list(row.values()) for row in rows)], 1):
            for column, text in enumerate(row, 1):
                sheet.cell(number, column).value = text
                sheet.cell(number, column).data_type = "s"  # a text, also where it begins like a formula
        book.save(path)
    elif form == "parquet":
        parquet.write_table(pyarrow.Table.from_pylist(rows), path)
    elif form == "jsonl":
        path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    else:
        with path.open("w", encoding=encoding, newline="") as stream:
            out = csv.DictWriter(stream, list(rows[0]), delimiter=separator)
            out.writeheader()
            out.writerows(rows)
    return path


forms = st.sampled_from(["csv", "xlsx", "parquet", "jsonl"])
separators, encodings = (
    st.sampled_from([",", ";", "\t", "|"]),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
)
shapes = st.sampled_from([long, a_row_per_person, a_row_per_conversation])


def mapping_of(columns: dict[str, Any], form: str, separator: str, encoding: str) -> TableMapping:
    """The mapping, written and read as a lead's file is."""
    reading = Reading(encoding=encoding, separator=separator) if form == "csv" else Reading()
    mapping = TableMapping(
        reading=reading,
        columns={
            name: column if isinstance(column, Column) else Column(role=column)
            for name, column in columns.items()
        },
        assistant=("assistant",),
        labels={"*": {cell: label for label, cell in WRITTEN.items()}},
    )
    again = parse_mapping(mapping_yaml(mapping), "mapping.yaml")
    assert again == mapping
    return again


@settings(max_examples=60, deadline=None)
@given(studies(), shapes, forms, separators, encodings)
def test_labels_and_notes_come_back(
    tmp_path_factory: Any, study: Study, shape: Any, form: str, separator: str, encoding: str
) -> None:
    rows, columns = shape(study)
    path = write(rows, tmp_path_factory.mktemp("table"), form, separator, encoding)
    mapping = mapping_of(columns, form, separator, encoding)
    labels, problems = read(mapped_parts(path, mapping, RUBRIC).ratings)
    places = [(str(row["conversation_id"]), str(row["rater"]), str(row["criterion"])) for row in labels]
    assert len(places) == len(study.labels)
    assert dict(zip(places, [row["label"] for row in labels], strict=True)) == study.labels
    assert {
        place: row["note"] for place, row in zip(places, labels, strict=True) if "note" in row
    } == study.notes
    assert all("of people without a label" in each for each in problems)


@settings(max_examples=60, deadline=None)
@given(talks, forms, separators, encodings)
def test_words_come_back(
    tmp_path_factory: Any, conversations: dict[str, Any], form: str, separator: str, encoding: str
) -> None:
    rows = [
        {"case": key, "by": role, "said": words}
        for key, each in conversations.items()
        for role, words in each
    ]
    path = write(rows, tmp_path_factory.mktemp("table"), form, separator, encoding)
    mapping = mapping_of({"case": "conversation", "by": "speaker", "said": "text"}, form, separator, encoding)
    read_rows, problems = read(mapped_parts(path, mapping, RUBRIC).conversations)
    several = any("several times" in each for each in problems)
    expected = {
        key: [{"role": role, "content": words} for role, words in each]
        for key, each in conversations.items()
        if len(set(each)) == len(each) or len({each.count(message) for message in each}) > 1
    }
    assert {row["id"]: row["messages"] for row in read_rows} == expected
    assert several == (len(expected) < len(conversations)) and len(problems) == len(conversations) - len(
        expected
    )
