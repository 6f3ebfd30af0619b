"""Conversations as a table with a row per message, as the program proposes to read it: coded by several people,
in another order, or with what a model thought.
"""

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
from data.importers import table_files
from data.importers.file_starts import foreign_start
from data.importers.mapping.table_mapping import parse_mapping
from data.importers.mapping.table_sample import read_table_sample
from data.importers.report import ImportRefused, ImportReport
from data.store import content
from tests.studies import importing
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


CODED = """transcript_id,utterance_id,interlocutor,utterance_text,annotator_id,code
1,0,client,I feel low.,3,sad
1,0,client,I feel low.,4,change
1,1,therapist,Tell me more.,3,question
1,1,therapist,Tell me more.,4,reflection
"""


@pytest.fixture
def bring(small: Small, tmp_path: Path) -> Bring:
    def bring_in(text: str | bytes, name: str = "talks.csv", **answers: Any) -> ImportReport:
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return importing.import_table(small.store, "small", path, "tests", **answers)

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


def test_what_differs_within_a_conversation_is_named_and_left_out(bring: Bring, small: Small) -> None:
    report = bring("session,speaker,text,mood\nn1,user,Hi,sad\nn1,assistant,Hello,glad\n")
    assert report.lines() == ["talks.csv: left out, because the mapping leaves them out: mood"]
    assert talks_of(small)["n1"][1] == {}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            "session,speaker,text\nn1,user,Hi\nn1,assistant,Hello\n,user,And?\n",
            "line 4: the cell session is empty",
        ),
        (
            "session,speaker,text\nn1,user,Hi\nn2,user,Hi\nn2,assistant,Hello\n",
            "line 2: the assistant says nothing",
        ),
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


def test_a_workbook_that_was_cut_off_is_called_incomplete(bring: Bring, tmp_path: Path) -> None:
    whole = io.BytesIO()
    pandas.read_csv(io.StringIO(TABLE)).to_excel(whole, index=False)
    cut = whole.getvalue()[: len(whole.getvalue()) // 2]
    mapping = parse_mapping(
        "columns: {conversation_id: conversation, speaker: speaker, text: text}", "mapping.yaml"
    )
    with pytest.raises(ImportRefused) as refused:
        bring(cut, "talks.xlsx", mapping=mapping)
    assert set(refused.value.report.lines()) == {f"talks.xlsx: {table_files.CUT_OFF}"}
    assert foreign_start(tmp_path / "talks.xlsx") == table_files.CUT_OFF
    assert read_table_sample(tmp_path / "talks.xlsx").problem == f"talks.xlsx: {table_files.CUT_OFF}"


def said(small: Small, key: str) -> list[tuple[str, str]]:
    table = schema.conversation
    with small.store.reading() as connection:
        number = connection.execute(select(table.c.transcript_content).where(table.c.key == key)).scalar_one()
        return [tuple(message) for message in json.loads(content.get(connection, number) or "")]


ONCE = [("user", "I feel low."), ("assistant", "Tell me more.")]


@pytest.mark.parametrize("blocks", [False, True])
def test_a_message_that_several_people_coded_is_taken_once(bring: Bring, small: Small, blocks: bool) -> None:
    head, *rows = CODED.splitlines()
    if blocks:  # all rows of one coder, then all of the other
        rows.sort(key=lambda row: row.split(",")[4])
    report = bring("\n".join([head, *rows]))
    assert said(small, "1") == ONCE
    assert report.added["conversations"] == 1
    assert ("talks.csv: 2 rows repeat a message, which was read once") in report.lines()
    (left_out,) = (line for line in report.lines() if "leaves them out" in line)
    assert sorted(left_out.rpartition(": ")[2].split(", ")) == ["annotator_id", "code"]


def test_the_same_number_as_a_decimal_is_the_same_number(bring: Bring, small: Small) -> None:
    bring(CODED.replace("1,1,therapist,Tell me more.,4", "1,1.0,therapist,Tell me more.,4"))
    assert said(small, "1") == ONCE


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ("1,0,user,Mm-hmm\n1,1,assistant,Go on\n1,2,user,Mm-hmm\n1,3,assistant,Go on\n", 4),
        ("1,1,user,Hi\n1,1,assistant,Hello\n1,2,user,Hm\n1,2,assistant,Yes\n", 4),
    ],
)
def test_what_is_said_twice_stays_two_messages(bring: Bring, small: Small, rows: str, expected: int) -> None:
    report = bring(f"conversation_id,turn,speaker,text\n{rows}")
    assert len(said(small, "1")) == expected and not report.notices


@pytest.mark.parametrize("places", [("u1", "u2", "u3"), ("", "", ""), ("1-a", "1-b", "1-c")])
@pytest.mark.parametrize("coder", ["", ",A"])
def test_a_message_whose_place_is_no_number_is_never_dropped(
    bring: Bring, small: Small, places: tuple[str, ...], coder: str
) -> None:
    head = f"conversation_id,utterance_id,speaker,text{',annotator' if coder else ''}"
    rows = zip(places, ("user", "assistant", "user"), ("Yes.", "Go on.", "Yes."), strict=True)
    lines = [f"1,{place},{speaker},{text}{coder}" for place, speaker, text in rows]
    report = bring("\n".join([head, *lines]), same_person="none")
    assert said(small, "1") == [("user", "Yes."), ("assistant", "Go on."), ("user", "Yes.")]
    assert not any("repeat a message" in line for line in report.lines())


def test_a_number_that_stands_twice_with_the_same_words_is_an_error_where_nobody_coded(bring: Bring) -> None:
    rows = "1,1,user,Hi\n1,2,assistant,Yes\n1,2,assistant,Yes\n"
    assert refusal(bring, f"conversation_id,turn,speaker,text\n{rows}") == [
        "talks.csv, line 4: turn 2 is already on line 3 with the same words. Keep one row per message; if the speaker said it twice, give each its own turn"
    ]


def test_without_numbers_messages_that_are_all_there_twice_are_asked_about(bring: Bring) -> None:
    rows = "1,client,I feel low.,3\n1,client,I feel low.,4\n1,therapist,Go on.,3\n1,therapist,Go on.,4\n"
    line = refusal(bring, f"id,speaker,text,annotator_id\n{rows}")[0]
    assert "line 2: every message is there several times" in line and "names the rater" in line


@pytest.mark.parametrize("numbers", [("2.0", "1.0"), ("2", "1"), ("10", "9")])
def test_numbers_that_run_backwards_are_sorted_however_they_are_written(
    bring: Bring, small: Small, numbers: tuple[str, str]
) -> None:
    first, second = numbers
    report = bring(f'conversation_id,turn,speaker,text\n1,"{first}",assistant,Hi\n1,"{second}",user,Hello\n')
    assert said(small, "1") == [("user", "Hello"), ("assistant", "Hi")]
    assert "sorted by turn, which ran backwards" in report.lines()[0]


@pytest.mark.parametrize(
    ("first", "second", "is_sorted"),
    [
        ("2026-03-01T10:00:00", "2026-03-01T09:59:00", True),
        ("2026-03-01T10:00:00+01:00", "2026-03-01T09:30:00+00:00", False),
        ("2026-03-01 10:00", "2026-03-01 10:00", False),
    ],
)
def test_moments_that_run_backwards_are_sorted(
    bring: Bring, small: Small, first: str, second: str, is_sorted: bool
) -> None:
    bring(f"conversation_id,timestamp,speaker,text\n1,{first},user,Hello\n1,{second},assistant,Hi\n")
    expected = [("user", "Hello"), ("assistant", "Hi")]
    assert said(small, "1") == (expected[::-1] if is_sorted else expected)


@pytest.mark.parametrize(
    ("reply", "is_marked"),
    [
        ("<think>She is sad.</think>\nTell me more.", True),
        ("\n<THINKING> sad </THINKING> Go on", True),
        ("She is sad.\n</think>\n\nTell me more.", True),
        ("<think>and it never ends", True),
        ("I <think> so", False),
        ("What do you think?", False),
    ],
)
def test_what_a_model_thought_is_kept_and_named(
    small: Small, tmp_path: Path, reply: str, is_marked: bool
) -> None:
    """The words stay as they are, because metrics read them."""
    messages = [{"role": "user", "content": "<think>Hi"}, {"role": "assistant", "content": reply}]
    path = tmp_path / "talks.jsonl"
    path.write_text(json.dumps({"id": "t1", "messages": messages}), encoding="utf-8")
    report = importing.import_conversations(small.store, "small", path, "tests", same_person="none")
    assert said(small, "t1") == [("user", "<think>Hi"), ("assistant", reply)]
    assert ("begins with the model's thinking" in " ".join(report.lines())) == is_marked
