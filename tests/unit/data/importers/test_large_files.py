"""Files of labels larger than the memory: read and written in parts, and still all or nothing."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st

from data import schema
from data.importers import reading
from data.importers.answer_table import AnswerTable
from data.importers.imported_judgements import add_judgements
from data.importers.imported_ratings import RatingProvenance, add_ratings
from data.importers.label_rows import BATCH
from data.importers.report import ImportReport
from data.importers.row_file import keep_rows, kept_rows, open_row_file
from data.keeping.verify import verify
from data.record.judgements import JudgeIdentity
from tests.studies.small_study import Small
from tests.unit.data.importers.conftest import Bring, lines

Rows = Iterator[tuple[int, dict[str, Any]]]
COUNT = 2 * BATCH + 500
CHARACTERS = "a\r\nä€𝄞"


def row(number: int, label: str = "YES") -> dict[str, Any]:
    """A label of an asking of its own."""
    return {
        "conversation_id": "c2",
        "criterion": "warm",
        "replicate": number,
        "label": label,
        "reasoning": "so",
    }


def test_judgements_are_written_while_the_file_is_read(small: Small) -> None:
    held: list[int] = []
    with small.store.writing("tests", "import") as (connection, entry):
        before = connection.execute(sa.select(sa.func.count()).select_from(schema.judgement)).scalar_one()

        def rows() -> Rows:
            for number in range(COUNT):
                yield number + 1, row(number)
                if number % BATCH == BATCH - 1:
                    count = sa.select(sa.func.count()).select_from(schema.judgement)
                    held.append(number + 1 - (connection.execute(count).scalar_one() - before))

        report = ImportReport("f")
        add_judgements(connection, entry, small.study, rows(), report, JudgeIdentity("C"), "f")
    assert report.added["judgements"] == COUNT
    assert len(held) == 2
    assert max(held) <= BATCH


def test_ratings_are_written_while_the_file_is_read(small: Small) -> None:
    held: list[int] = []
    with small.store.writing("tests", "import") as (connection, entry):

        def rows() -> Rows:
            for number in range(COUNT):
                yield (
                    number + 1,
                    {"conversation_id": "c2", "criterion": "warm", "rater": f"R{number}", "label": "YES"},
                )
                if number % BATCH == BATCH - 1:
                    count = sa.select(sa.func.count()).select_from(schema.rating)
                    held.append(number + 1 - connection.execute(count).scalar_one())

        add_ratings(
            connection, entry, small.study, rows(), ImportReport("f"), RatingProvenance("blind", "a form")
        )
    assert len(held) == 2
    assert max(held) <= BATCH


def test_an_error_behind_the_first_parts_takes_them_back(
    bring_judgements: Bring, refused: Callable[..., list[str]], row_counts: Callable[[], dict[str, int]]
) -> None:
    before = row_counts()
    content = lines(*(row(number) for number in range(COUNT)), row(0, "NO"))
    assert refused(bring_judgements, content) == [
        f"file.jsonl, line {COUNT + 1}: warm of this conversation has a different answer by Judge C on line 1. If several people or judges gave the answers, add a column that says who"
    ]
    assert row_counts() == before


def test_a_dry_run_of_several_parts_writes_nothing(
    bring_judgements: Bring, row_counts: Callable[[], dict[str, int]]
) -> None:
    before = row_counts()
    report = bring_judgements(lines(*(row(number) for number in range(COUNT))), dry_run=True)
    assert report.summary() == f"Would add {COUNT:,} judgements from file.jsonl."
    assert row_counts() == before


def test_several_parts_are_one_entry_and_verify(small: Small, bring_judgements: Bring) -> None:
    with small.store.reading() as connection:
        entries = verify(connection).entries
    bring_judgements(lines(*(row(number) for number in range(COUNT))))
    with small.store.reading() as connection:
        check = verify(connection)
    assert (check.problems, check.entries) == ([], entries + 1)


def test_the_same_file_again_is_there_already(bring_judgements: Bring) -> None:
    content = lines(*(row(number) for number in range(COUNT)))
    bring_judgements(content)
    report = bring_judgements(content)
    assert report.summary() == f"Added 0 judgements from file.jsonl. Already there: {COUNT:,} judgements."


@given(
    st.lists(
        st.tuples(
            st.integers(1, 300),
            st.sampled_from(["a", "b"]),
            st.sampled_from(["YES", "NO", None]),
            st.integers(0),
        )
    )
)
def test_a_table_of_answers_is_a_dictionary(puts: list[tuple[int, str, str | None, int]]) -> None:
    table: AnswerTable[str | None] = AnswerTable()
    expected: dict[tuple[int, str], tuple[str | None, int]] = {}
    for unit, question, answer, line in puts:
        line %= 2**62
        table.put(unit, question, answer, line)
        expected[unit, question] = answer, line
    for unit in range(301):
        for question in ("a", "b"):
            assert table.get(unit, question) == expected.get((unit, question))


def test_rows_come_back_from_the_disk_as_they_were(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("data.importers.row_file.IN_MEMORY", 10)
    rows: list[tuple[int, dict[str, Any]]] = [(1, {"a": None, "b": "ä\ud800"}), (2, {"c": [1, 2.5]}), (7, {})]
    with open_row_file() as file:
        assert list(keep_rows(rows, file)) == rows
        assert list(kept_rows(file, ImportReport("rows"))) == rows


@given(st.text(CHARACTERS, max_size=30), st.text(CHARACTERS, max_size=10), st.integers(1, 7))
def test_the_line_of_a_foreign_byte_does_not_depend_on_the_parts(before: str, after: str, size: int) -> None:
    raw = before.encode() + b"\xff" + after.encode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reading, "CHUNK", size)
        where = reading._line_outside_utf8(io.BytesIO(raw))
    assert where == len(re.findall("\r\n|\r|\n", before)) + 1


@given(st.text(CHARACTERS, max_size=40), st.integers(1, 7))
def test_text_has_no_foreign_byte_in_whatever_parts_it_is_read(text: str, size: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reading, "CHUNK", size)
        assert reading._line_outside_utf8(io.BytesIO(text.encode())) is None


def test_a_character_that_the_end_of_the_file_cuts_is_told(write: Callable[..., Path]) -> None:
    report = ImportReport("file.csv")
    path = write(b"a,b\n1,2\n3,\xe2\x82", "file.csv")
    assert list(reading.table_rows(path, report)) == []
    assert report.lines() == [
        "file.csv, line 3: a letter such as é or ü is not stored as UTF-8. Save the file in Excel as “CSV UTF-8”, or in another program with the encoding UTF-8, and import it again"
    ]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_of_a_table_are_counted_whatever_ends_them(write: Callable[..., Path], end: str) -> None:
    written = io.StringIO()
    writer = csv.writer(written, lineterminator=end, quoting=csv.QUOTE_ALL)
    writer.writerow(["conversation_id", "label"])
    writer.writerows([f"c{number}", "two\nlines"] for number in range(3))
    path = write(written.getvalue(), "file.csv")
    report = ImportReport("file.csv")
    rows = list(reading.table_rows(path, report))
    assert rows == [
        (2 + 2 * number, {"conversation_id": f"c{number}", "label": "two\nlines"}) for number in range(3)
    ]
    assert report.lines() == []
