"""Conversations as a table with a row a message: from a spreadsheet, a chat log, a transcript program."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas
import pytest
from sqlalchemy import select

from data import schema
from data.importers import file_import, table_files
from data.importers.kinds.message_table import MessageTableFiles
from data.importers.recognition import recognise
from data.importers.report import ImportRefused, ImportReport
from data.store import content
from tests.studies.small_study import Small

Bring = Callable[..., ImportReport]
TABLE = """conversation_id,turn,speaker,text,model
n1,1,user,I cannot sleep.,fox
n1,2,assistant,"Since when?
Tell me.",fox
n2,1,user,Hello,owl
n1,3,user,Since May.,fox
n1,4,assistant,I see.,fox
n2,2,assistant,Hi,owl
"""


@pytest.fixture
def bring(small: Small, tmp_path: Path) -> Bring:
    def bring_in(text: str | bytes, name: str = "talks.csv", **answers: Any) -> ImportReport:
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return file_import.import_file(small.store, "small", path, "tests", MessageTableFiles(), answers)

    return bring_in


def refusal(bring: Bring, text: str, **answers: Any) -> list[str]:
    with pytest.raises(ImportRefused) as refused:
        bring(text, **answers)
    return refused.value.report.lines()


def talks_of(small: Small) -> dict[str, tuple[list[tuple[str, str]], dict[str, Any]]]:
    table = schema.conversation
    with small.store.reading() as connection:
        rows = connection.execute(
            select(table.c.key, table.c.transcript_content, table.c.facts_content).where(
                table.c.key.like("n%")
            )
        ).all()
        return {
            row.key: (
                [
                    tuple(message)
                    for message in json.loads(content.get(connection, row.transcript_content) or "")
                ],
                json.loads(content.get(connection, row.facts_content) or ""),
            )
            for row in rows
        }


def test_rows_of_a_conversation_become_one_in_the_order_of_the_file(bring: Bring, small: Small) -> None:
    report = bring(TABLE)
    assert report.added["conversations"] == 2 and not report.notices
    assert talks_of(small) == {
        "n1": (
            [
                ("user", "I cannot sleep."),
                ("assistant", "Since when?\nTell me."),
                ("user", "Since May."),
                ("assistant", "I see."),
            ],
            {"model": "fox"},
        ),
        "n2": ([("user", "Hello"), ("assistant", "Hi")], {"model": "owl"}),
    }
    assert bring(TABLE).already == {"conversations": 2}


def test_a_workbook_gives_the_same(bring: Bring, small: Small) -> None:
    out = io.BytesIO()
    pandas.read_csv(io.StringIO(TABLE)).to_excel(out, index=False)
    bring(out.getvalue(), "talks.xlsx")
    assert bring(TABLE).already == {"conversations": 2}


def test_other_sheets_are_named_and_not_read(bring: Bring) -> None:
    out, frame = io.BytesIO(), pandas.read_csv(io.StringIO(TABLE))
    with pandas.ExcelWriter(out) as book:
        pandas.DataFrame().to_excel(book, sheet_name="empty", index=False)
        frame.to_excel(book, sheet_name="talks", index=False)
        frame.to_excel(book, sheet_name="labels", index=False)
    lines = bring(out.getvalue(), "talks.xlsx").lines()
    assert lines == [
        "talks.xlsx: only the first sheet, 'talks', is read; save each of the others ('labels') as its own file"
    ]


def test_columns_of_other_names_are_chosen(bring: Bring) -> None:
    text = "Nr,Wer,Was\nn1,user,Hi\nn1,assistant,Hello\n"
    assert refusal(bring, text) == [
        "talks.csv, line 1: which column is the conversation?; there are Nr, Wer, Was",
    ]
    chosen = {"conversation_column": "Nr", "speaker_column": "Wer", "text_column": "Was"}
    assert bring(text, **chosen).added["conversations"] == 1
    assert "three different columns" in refusal(bring, text, **{**chosen, "text_column": "Wer"})[0]
    assert "there is no column 'What'" in refusal(bring, text, **{**chosen, "text_column": "What"})[0]


def test_who_is_the_assistant_is_asked_where_no_name_tells(
    bring: Bring, small: Small, tmp_path: Path
) -> None:
    text = "session,speaker,text\nn1,Ms A,Hi\nn1,Luna,Hello\nn1,user,And?\nn1,Luna,Well\n"
    line, other = refusal(bring, text)
    assert "'Luna'" in other and "(2 rows; this is the first)" in other
    assert "line 2: who is 'Ms A', the user or the assistant?" in line and "--assistant NAME" in line
    assert bring(text, assistant=("luna",)).added["conversations"] == 1
    assert [role for role, _ in talks_of(small)["n1"][0]] == ["user", "assistant", "user", "assistant"]
    (tmp_path / "again.csv").write_text(text, encoding="utf-8")
    sample = recognise(tmp_path / "again.csv").sample
    assert MessageTableFiles().unknown_speakers(sample, {}) == ["Ms A", "Luna"]


def test_rows_that_are_out_of_order_are_refused(bring: Bring) -> None:
    text = "session,turn,speaker,text\nn1,2,assistant,Hello\nn1,1,user,Hi\n"
    assert refusal(bring, text) == [
        "talks.csv, line 3: turn 1 of conversation 'n1' comes after turn 2; sort the rows by turn"
    ]


def test_what_is_said_of_single_messages_is_named_and_left_out(bring: Bring, small: Small) -> None:
    report = bring("session,speaker,text,mood\nn1,user,Hi,sad\nn1,assistant,Hello,\n")
    assert report.lines() == ["talks.csv: left out, because they belong to single messages: mood"]
    assert talks_of(small)["n1"][1] == {}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            "session,speaker,text\n,user,Hi\n",
            "line 2: the cell session is empty, so the row belongs to no conversation",
        ),
        ("session,speaker,text\nn1,user,Hi\n", "line 2: the assistant says nothing"),
        ("session,speaker,text\n", "the file contains no conversation"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(bring: Bring, text: str, problem: str) -> None:
    assert any(problem in line for line in refusal(bring, text))


def test_nothing_of_a_file_with_a_bad_row_is_kept(bring: Bring, small: Small) -> None:
    refusal(bring, TABLE + ",9,user,Lost,fox\n")
    assert talks_of(small) == {}


def test_a_workbook_that_is_broken_further_down_is_one_sentence(bring: Bring) -> None:
    whole, broken = io.BytesIO(), io.BytesIO()
    pandas.read_csv(io.StringIO(TABLE)).to_excel(whole, index=False)
    with zipfile.ZipFile(whole) as source, zipfile.ZipFile(broken, "w") as target:
        for name in source.namelist():
            part = source.read(name)
            target.writestr(name, part[:-60] if name == "xl/worksheets/sheet1.xml" else part)
    with pytest.raises(ImportRefused) as refused:
        bring(broken.getvalue(), "talks.xlsx")
    assert table_files.BROKEN in "".join(refused.value.report.lines())
