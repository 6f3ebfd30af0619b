"""Rows of messages that several people coded, that stand in another order, or hold what a model thought."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from data import schema
from data.importers import file_import
from data.importers.kinds.message_table import MessageTableFiles
from data.importers.report import ImportRefused, ImportReport
from data.store import content
from tests.studies import importing
from tests.studies.small_study import Small

Bring = Callable[..., ImportReport]
CODED = """transcript_id,utterance_id,interlocutor,utterance_text,annotator_id,code
1,0,client,I feel low.,3,sad
1,0,client,I feel low.,4,change
1,1,therapist,Tell me more.,3,question
1,1,therapist,Tell me more.,4,reflection
"""


@pytest.fixture
def bring(small: Small, tmp_path: Path) -> Bring:
    def bring_in(text: str, name: str = "talks.csv", **answers: Any) -> ImportReport:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return file_import.import_file(small.store, "small", path, "tests", MessageTableFiles(), answers)

    return bring_in


def refusal(bring: Bring, text: str, **answers: Any) -> list[str]:
    with pytest.raises(ImportRefused) as refused:
        bring(text, **answers)
    return refused.value.report.lines()


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
    assert (
        "talks.csv: the file has one row per message and annotator_id: 2 rows repeat a message, which is imported once"
    ) in report.lines()
    (left_out,) = (line for line in report.lines() if "they belong to single messages" in line)
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


def test_a_place_that_is_no_number_tells_that_a_row_was_coded_again(bring: Bring, small: Small) -> None:
    report = bring(CODED.replace("1,0,", "1,u0,").replace("1,1,", "1,u1,"))
    assert said(small, "1") == ONCE
    assert "2 rows repeat a message" in " ".join(report.lines())


def test_a_number_that_stands_twice_with_the_same_words_is_an_error_where_nobody_coded(bring: Bring) -> None:
    rows = "1,1,user,Hi\n1,2,assistant,Yes\n1,2,assistant,Yes\n"
    assert refusal(bring, f"conversation_id,turn,speaker,text\n{rows}") == [
        "talks.csv, line 4: turn 2 is already on line 3 with the same words. Keep one row per message; if the speaker said it twice, give each its own turn"
    ]


def test_without_numbers_the_column_of_the_coders_is_named(bring: Bring) -> None:
    rows = "1,client,I feel low.,3\n1,client,I feel low.,4\n1,therapist,Go on.,3\n1,therapist,Go on.,4\n"
    (line,) = refusal(bring, f"id,speaker,text,annotator_id\n{rows}")
    assert (
        "line 3: this row repeats the words of a row above with another annotator_id" in line
        and "(2 rows" in line
    )


@pytest.mark.parametrize("numbers", [("2.0", "1.0"), ("2", "1"), ("1,5", "1,2"), ("1e1", "9")])
def test_numbers_that_run_backwards_are_an_error_however_they_are_written(
    bring: Bring, numbers: tuple[str, str]
) -> None:
    first, second = numbers
    rows = f'1,"{first}",assistant,Hi\n1,"{second}",user,Hello\n'
    (line,) = refusal(bring, f"conversation_id,turn,speaker,text\n{rows}")
    assert "sort the rows by turn" in line


@pytest.mark.parametrize(
    ("first", "second", "is_wrong"),
    [
        ("2026-03-01T10:00:00", "2026-03-01T09:59:00", True),
        ("2026-03-01T10:00:00+01:00", "2026-03-01T09:30:00+00:00", False),
        ("2026-03-01 10:00", "2026-03-01 10:00", False),
        ("10:00", "09:59", False),  # without a day nobody knows
    ],
)
def test_moments_that_run_backwards_are_an_error(
    bring: Bring, small: Small, first: str, second: str, is_wrong: bool
) -> None:
    text = f"conversation_id,timestamp,speaker,text\n1,{first},user,Hello\n1,{second},assistant,Hi\n"
    if is_wrong:
        (line,) = refusal(bring, text)
        assert "is before the row above; sort the rows by timestamp" in line
    else:
        bring(text)
        assert said(small, "1") == [("user", "Hello"), ("assistant", "Hi")]


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
