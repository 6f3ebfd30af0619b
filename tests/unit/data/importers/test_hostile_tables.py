"""Workbooks and Parquet files that hold what spreadsheet programs leave behind, or what nobody wrote by accident:
each ends in a sentence that says where, and nothing of it is kept.
"""

from __future__ import annotations

import datetime
import io
import re
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from data.importers import file_import
from data.importers.kinds.conversations import ConversationFiles
from data.importers.mapping.table_mapping import Column, TableMapping
from data.importers.recognition import recognise
from data.importers.report import ImportRefused, ImportReport
from tests.studies import importing
from tests.studies.small_study import Small

HEAD = ("conversation_id", "turn", "speaker", "text")
MAPPING = TableMapping(
    columns={
        "conversation_id": Column(role="conversation"),
        "turn": Column(role="turn"),
        "speaker": Column(role="speaker"),
        "text": Column(role="text"),
    }
)
ROWS = [(1, 1, "user", "I feel low."), (1, 2, "assistant", "Tell me more.")]
Change = Callable[[str], str]


def workbook(
    *rows: Any, change: Change = lambda xml: xml, prepare: Callable[[Any], None] = lambda _: None
) -> bytes:
    """A workbook with these rows, whose sheet is altered as XML."""
    book, whole, altered = openpyxl.Workbook(), io.BytesIO(), io.BytesIO()
    for row in (HEAD, *(rows or ROWS)):
        book.active.append(row)
    prepare(book.active)
    book.save(whole)
    with zipfile.ZipFile(whole) as source, zipfile.ZipFile(altered, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            part = source.read(name)
            if name == "xl/worksheets/sheet1.xml":
                part = change(part.decode()).encode()
            target.writestr(name, part)
    return altered.getvalue()


@pytest.fixture
def bring(small: Small, tmp_path: Path) -> Callable[..., ImportReport]:
    def bring_in(body: bytes, name: str = "talks.xlsx") -> ImportReport:
        path = tmp_path / name
        path.write_bytes(body)
        answers = {"same_person": "none"}
        if name.endswith("xlsx"):
            return importing.import_table(small.store, "small", path, "tests", MAPPING, **answers)
        return file_import.import_file(small.store, "small", path, "tests", ConversationFiles(), answers)

    return bring_in


def refusal(bring: Callable[..., ImportReport], *arguments: Any) -> list[str]:
    with pytest.raises(ImportRefused) as refused:
        bring(*arguments)
    return refused.value.report.lines()


def move_last_row(number: int) -> Change:
    def change(xml: str) -> str:
        return re.sub(r'(<row r="|r="[A-D])3"', rf'\g<1>{number}"', xml)

    return change


def test_a_row_number_beyond_every_sheet_is_a_sentence_at_once(bring: Callable[..., ImportReport]) -> None:
    before = time.process_time()
    lines = refusal(bring, workbook(change=move_last_row(99_999_999_999)))
    assert lines == ["talks.xlsx: the sheet has cells beyond row 1,048,576 or column XFD; save it again"]
    assert time.process_time() - before < 10


def test_rows_far_apart_are_read(bring: Callable[..., ImportReport]) -> None:
    assert bring(workbook(change=move_last_row(1_000_000))).added["conversations"] == 1


def test_a_column_beyond_every_sheet_is_a_sentence(bring: Callable[..., ImportReport]) -> None:
    (line,) = refusal(bring, workbook(change=lambda xml: xml.replace('r="D3"', 'r="XFE3"')))
    assert "beyond row 1,048,576 or column XFD" in line


@pytest.mark.parametrize("text", ["=> better now", "-feeling low", "=SUM(A1:A2)", "+1 to that"])
def test_a_text_that_became_a_formula_is_an_error_that_names_the_cell(
    bring: Callable[..., ImportReport], text: str
) -> None:
    """As a program writes it that takes what begins with = for a formula."""

    def make_formula(sheet: Any) -> None:
        sheet["D2"].value = text
        sheet["D2"].data_type = "f"

    (line,) = refusal(bring, workbook(prepare=make_formula))
    assert line.startswith("talks.xlsx, line 2: the cell D2 is a formula without a result")


def test_a_formula_with_its_result_is_the_result(bring: Callable[..., ImportReport]) -> None:
    formula = '<c r="B2"><f>1+0</f><v>1</v></c>'
    body = workbook(change=lambda xml: re.sub(r'<c r="B2"[^>]*><v>1</v></c>', formula, xml))
    assert bring(body).added["conversations"] == 1


def put_into_d2(cell: str) -> Change:
    return lambda xml: re.sub(r'<c r="D2".*?</c>', cell, xml)


def test_a_formula_whose_result_is_no_text_is_an_empty_cell(bring: Callable[..., ImportReport]) -> None:
    """As Excel and LibreOffice keep =IF(C2="","",C2)."""
    empty = '<c r="D2" t="str"><f>IF(A9="","",A9)</f><v></v></c>'
    assert "message 1 is empty; shown as such" in bring(workbook(change=put_into_d2(empty))).lines()[0]


def test_a_formula_that_nobody_worked_out_is_an_error_that_names_the_cell(
    bring: Callable[..., ImportReport],
) -> None:
    """As pandas writes the text "=> better now" with XlsxWriter: it would come in as 0."""
    zero = '<c r="D2"><f>&gt; better now</f><v>0</v></c>'
    (line,) = refusal(bring, workbook(change=put_into_d2(zero)))
    assert line.startswith("talks.xlsx, line 2: the cell D2 is a formula without a result")


def test_an_error_of_the_spreadsheet_is_an_error_that_names_the_cell(
    bring: Callable[..., ImportReport],
) -> None:
    error = '<c r="D2" t="e"><v>#NAME?</v></c>'
    (line,) = refusal(bring, workbook(change=lambda xml: re.sub(r'<c r="D2".*?</c>', error, xml)))
    assert "line 2: the cell D2 is a formula without a result" in line


def test_a_row_with_a_title_above_the_names_is_told_once(
    bring: Callable[..., ImportReport], tmp_path: Path
) -> None:
    def put_title(sheet: Any) -> None:
        sheet.insert_rows(1)
        sheet["A1"] = "Talks of 2026"

    body = workbook(*[(number, 1, "user", "Hi") for number in range(9)], prepare=put_title)
    line = refusal(bring, body)[0]
    assert line.startswith("talks.xlsx, line 1: there is no column 'conversation_id'; the columns are 'Talks")
    recognition = recognise(tmp_path / "talks.xlsx")
    assert recognition.importer is not None and recognition.importer.name == "file"
    assert len(recognition.sample.columns) == 4, "the names below the title"


def test_a_cell_beside_the_names_is_no_title(bring: Callable[..., ImportReport]) -> None:
    report = bring(workbook(*ROWS, (1, 3, "user", "Hi", "a remark")))
    assert "talks.xlsx: left out, because the mapping leaves them out: column E" in report.lines()


def test_rows_that_a_filter_hides_are_asked_about(bring: Callable[..., ImportReport]) -> None:
    def hide(sheet: Any) -> None:
        sheet.row_dimensions[4].hidden = sheet.row_dimensions[5].hidden = True

    rows = [*ROWS, (2, 1, "user", "Hidden."), (2, 2, "assistant", "I see.")]
    (line,) = refusal(bring, workbook(*rows, prepare=hide))
    assert line.startswith(
        "talks.xlsx, line 4: this row is hidden, by a filter or by hand, and so is 1 other"
    )


def test_a_date_beyond_the_calendar_is_a_sentence(bring: Callable[..., ImportReport]) -> None:
    def far(sheet: Any) -> None:
        sheet["D2"].value = 99_999_999_999
        sheet["D2"].number_format = "yyyy-mm-dd"

    (line,) = refusal(bring, workbook(prepare=far))
    assert "line 2: the cell D2" in line


def parquet(**columns: Any) -> bytes:
    out = io.BytesIO()
    pq.write_table(pa.table(columns), out)
    return out.getvalue()


MESSAGES = [[{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Yes?"}]]


@pytest.mark.parametrize(
    "column",
    [
        pa.array([datetime.date(2026, 3, 1)], pa.date32()),
        pa.array([86_400_000], pa.duration("ms")),
        pa.array([1], pa.time32("s")),
        pa.array([b"\xff\xfe"], pa.binary()),
        pa.array([1], pa.decimal128(10, 2)),
        pa.array(["x"]).dictionary_encode(),
        pa.array([float("inf")]),
    ],
    ids=lambda array: str(array.type),
)
def test_columns_of_any_type_are_facts(bring: Callable[..., ImportReport], column: Any) -> None:
    report = bring(parquet(id=["k1"], messages=MESSAGES, fact=column), "talks.parquet")
    assert report.added["conversations"] == 1


@pytest.mark.parametrize(
    "column",
    [
        pa.array([2**52], pa.timestamp("ms")),
        pa.array([-(2**62)], pa.timestamp("ms")),
        pa.array([2**30], pa.date32()),
        pa.array([2**62], pa.duration("s")),
        pa.StringArray.from_buffers(1, pa.py_buffer(b"\0\0\0\0\2\0\0\0"), pa.py_buffer(b"\xff\xfe")),
    ],
    ids=lambda array: f"{array.type} {array.nbytes}",
)
def test_what_no_calendar_and_no_text_holds_is_a_sentence(
    bring: Callable[..., ImportReport], column: Any
) -> None:
    (line,) = refusal(bring, parquet(id=["k1"], messages=MESSAGES, fact=column), "talks.parquet")
    assert line.startswith(
        "talks.parquet, line 1: the field 'fact' holds something other than text or numbers, or a date beyond"
    )


def test_a_long_text_that_a_small_file_repeats_is_a_sentence(bring: Callable[..., ImportReport]) -> None:
    text = pa.array(["a" * 20_000_000])
    column = pa.DictionaryArray.from_arrays(pa.array([0] * 300, pa.int32()), text)
    body = parquet(id=[str(number) for number in range(300)], fact=column)
    assert len(body) < 1_000_000
    lines = refusal(bring, body, "talks.parquet")
    assert "the cell 'fact' holds more than 10,000,000 characters" in lines[0] or "MB of memory" in lines[0]


def test_a_cell_without_an_end_is_a_sentence(small: Small, tmp_path: Path) -> None:
    path = tmp_path / "talks.csv"
    path.write_text('conversation_id,turn,speaker,text\n1,1,user,"' + "word " * 2_500_000)
    with pytest.raises(ImportRefused) as refused:
        importing.import_table(small.store, "small", path, "tests", MAPPING)
    assert (
        "holds more than 10,000,000 characters; is a quotation mark missing?"
        in refused.value.report.lines()[0]
    )
