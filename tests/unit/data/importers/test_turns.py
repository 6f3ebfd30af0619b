"""The turn number of another program: asked for where it cannot be told, checked against the words where
there are any.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from configs.settings import ROOT
from data import schema
from data.importers.new_study import NewStudy
from data.importers.report import ImportRefused, ImportReport
from data.importers.turns import COUNTS, OWN_COUNT, TurnCount, turn_count
from data.record.judgements import JudgeIdentity
from data.record.studies import StudySpec
from data.store.store import Store
from tests.studies import importing
from tests.unit.data.importers.conftest import lines

Counts = Callable[[], dict[str, int]]
INSTRUMENT = """\
key: replies
version: "1"
title: Replies
unit: assistant_turn
scales:
  yes_no:
    kind: nominal
    levels:
      - {id: "YES", name: "Yes", key: y, value: 1}
      - {id: "NO", name: "No", key: n, value: 0}
criteria:
  - {id: warm, name: Warm, scale: yes_no}
"""
LENGTH = 8


@pytest.fixture
def judge(store: Store, tmp_path: Path, write: Callable[..., Path]) -> Callable[..., ImportReport]:
    """Import labels into a study of two conversations of eight turns, with a greeting of the system, whose
    replies are rated.
    """
    (tmp_path / "replies.yaml").write_text(INSTRUMENT)
    talks = [
        {
            "id": key,
            "messages": [
                {"role": "system", "content": "Be kind."},
                *(
                    {"role": role, "content": f"{key} {role} says number {turn} in some words"}
                    for turn in range(1, LENGTH + 1)
                    for role in ("user", "assistant")
                ),
            ],
        }
        for key in ("a", "b")
    ]
    new = NewStudy(StudySpec("replies", "Replies", 0), "replies", None, (), tmp_path, ROOT / "taxonomies")
    importing.import_conversations(store, "replies", write(lines(*talks)), "tests", new=new)

    def bring(*rows: dict[str, Any], turns: TurnCount | None = None) -> ImportReport:
        content = lines(
            *({"conversation_id": "a", "criterion": "warm", "label": "YES", **row} for row in rows)
        )
        return importing.import_judgements(
            store, "replies", write(content, "labels.jsonl"), "tests", JudgeIdentity("Judge"), turns=turns
        )

    return bring


def placed(store: Store) -> list[int]:
    """The turns of the replies that have a label."""
    with store.reading() as connection:
        messages = connection.execute(
            sa.select(schema.unit.c.message)
            .join(schema.judgement, schema.judgement.c.unit_id == schema.unit.c.id)
            .order_by(schema.judgement.c.id)
        ).scalars()
        return [message // 2 for message in messages]


def numbers(count: TurnCount, turns: range) -> list[int]:
    return [
        turn - 1 + count.first if count.counts == "turn" else 2 * turn - 1 + count.first for turn in turns
    ]


@pytest.mark.parametrize("count", COUNTS, ids=str)
def test_a_whole_conversation_tells_what_is_counted(
    store: Store, judge: Callable[..., ImportReport], count: TurnCount
) -> None:
    report = judge(*({"turn": number} for number in numbers(count, range(1, LENGTH + 1))))
    assert placed(store) == list(range(1, LENGTH + 1))
    assert report.lines() == (
        []
        if count == OWN_COUNT
        else [
            f"labels.jsonl: the turn numbers were read as {count}: only then does every row match a reply to rate"
        ]
    )


@pytest.mark.parametrize("count", COUNTS, ids=str)
def test_where_several_readings_fit_it_is_asked_and_an_answer_places_them_right(
    store: Store, judge: Callable[..., ImportReport], row_counts: Counts, count: TurnCount
) -> None:
    rows = [
        {"turn": number} for number in numbers(count, range(2, 4)) if count != TurnCount("message", 1)
    ] or [{"turn": 4}]
    before = row_counts()
    with pytest.raises(ImportRefused) as caught:
        judge(*rows)
    assert len(caught.value.report.lines()) == 1
    assert (
        "it is unclear what the turn numbers count: they fit these conversations as turns from 1 and as"
        in caught.value.report.lines()[0]
    )
    assert "in a terminal with --turns-count and --turns-from" in caught.value.report.lines()[0]
    assert row_counts() == before
    judge(*rows, turns=count)
    assert placed(store) == ([2] if count == TurnCount("message", 1) else [2, 3])


@pytest.mark.parametrize("count", COUNTS, ids=str)
@pytest.mark.parametrize("who", ["assistant", "user"])
def test_the_words_beside_a_number_tell_what_it_counts(
    store: Store, judge: Callable[..., ImportReport], count: TurnCount, who: str
) -> None:
    judge(
        *(
            {"turn": number, "text": f"A {who} says  number {turn} in some words"}
            for turn, number in zip((2, 3), numbers(count, range(2, 4)), strict=True)
        )
    )
    assert placed(store) == [2, 3]


@pytest.mark.parametrize("turn_count", COUNTS, ids=str)
@pytest.mark.parametrize("count", COUNTS, ids=str)
def test_a_wrong_reading_that_fits_does_not_pass_where_the_words_say_otherwise(
    store: Store,
    judge: Callable[..., ImportReport],
    row_counts: Counts,
    count: TurnCount,
    turn_count: TurnCount,
) -> None:
    number, before = numbers(count, range(3, 4))[0], row_counts()
    row = {"turn": number, "text": "a assistant says number 3 in some words"}
    if count == turn_count:
        judge(row, turns=turn_count)
        assert placed(store) == [3]
        return
    with pytest.raises(ImportRefused) as caught:
        judge(row, turns=turn_count)
    assert (
        "is not where its number says" in caught.value.report.lines()[0]
        or "there is nothing to rate in" in caught.value.report.lines()[0]
    )
    assert row_counts() == before


def test_words_that_stand_nowhere_are_told_and_the_numbers_asked_for(
    judge: Callable[..., ImportReport],
) -> None:
    with pytest.raises(ImportRefused) as caught:
        judge({"turn": 3, "text": "something else altogether"})
    assert "it is unclear" in caught.value.report.lines()[0]
    report = judge({"turn": 3, "text": "something else altogether"}, turns=OWN_COUNT)
    assert "could not be checked against them" in report.lines()[0]


@pytest.mark.parametrize("number", [9, 0, -1, "last", "1e400"])
def test_a_number_that_means_no_reply_is_named(
    judge: Callable[..., ImportReport], row_counts: Counts, number: object
) -> None:
    before = row_counts()
    with pytest.raises(ImportRefused) as caught:
        judge({"turn": 1}, {"turn": number}, turns=OWN_COUNT)
    assert caught.value.report.lines() == [
        f"labels.jsonl, line 2: there is nothing to rate in turn {number} of this conversation"
    ]
    assert row_counts() == before


def test_a_count_is_called_as_it_is_written() -> None:
    assert [turn_count(str(count)) for count in COUNTS] == list(COUNTS)
    assert turn_count("lines from 7") is None
