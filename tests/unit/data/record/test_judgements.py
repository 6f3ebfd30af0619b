"""Judges by identity, and what raters answer to their judgements."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from sqlalchemy import select

from data import schema
from data.record import judgements
from data.record.judgements import JudgeIdentity
from data.store.errors import NotFound, Refused
from data.work import answers_to_judges
from tests.studies.small_study import Desk, Small

IDENTITY = JudgeIdentity("Judge", "provider", "model", "prompt", "small-1", {"temperature": 0}, "parser-1")


def respond(
    desk: Desk,
    kind: str,
    value: str | None = None,
    event: str = "00000000-1",
    judge: int = 1,
    criterion: str = "warm",
) -> None:
    unit = desk.unit(2)
    with desk.store.writing("tests", kind, desk.study.id) as (connection, entry):
        answers_to_judges.respond(connection, entry, unit, desk.rater, event, judge, criterion, kind, value)


def responses(desk: Desk) -> dict[tuple[int, str, str], str | None]:
    unit = desk.unit(2)
    with desk.store.reading() as connection:
        return answers_to_judges.responses(connection, desk.rater, unit.id)


@pytest.fixture
def desk(small: Small) -> Desk:
    """A rater who committed the second unit and was shown the judges."""
    desk = small.desk()
    desk.rate(2)
    desk.reveal(2)
    return desk


@pytest.mark.parametrize(
    "difference",
    [
        {"name": "Other"},
        {"provider": "x"},
        {"model": "x"},
        {"prompt": "x"},
        {"instrument": "x"},
        {"parameters": {"temperature": 1}},
        {"parser": "x"},
    ],
)
def test_judges_that_differ_in_anything_are_two(small: Small, difference: dict[str, object]) -> None:
    with small.store.writing("tests", "two judges") as (connection, entry):
        first = judgements.register(connection, entry, small.study.id, IDENTITY)
        second = judgements.register(connection, entry, small.study.id, replace(IDENTITY, **difference))  # type: ignore[arg-type]
    assert first != second


def test_the_same_identity_is_the_same_judge(small: Small) -> None:
    with small.store.writing("tests", "one judge") as (connection, entry):
        first = judgements.register(connection, entry, small.study.id, IDENTITY)
        assert judgements.register(connection, entry, small.study.id, replace(IDENTITY)) == first


def test_a_judge_keeps_its_whole_identity(small: Small) -> None:
    with small.store.writing("tests", "one judge") as (connection, entry):
        judge_id = judgements.register(connection, entry, small.study.id, IDENTITY)
        assert (
            json.loads(
                connection.execute(
                    select(schema.judge.c.identity).where(schema.judge.c.id == judge_id)
                ).scalar_one()
            )
            == IDENTITY.fields()
        )
        assert judge_id not in [
            judge.id for judge in judgements.judges(connection, small.study.id)
        ]  # it said nothing and was asked nothing


def test_the_last_answer_holds(desk: Desk) -> None:
    respond(desk, "keep")
    respond(desk, "change", event="00000000-2")
    respond(desk, "reasoning", "supported", event="00000000-3")
    assert responses(desk) == {(1, "warm", "decision"): "change", (1, "warm", "reasoning"): "supported"}


def test_the_same_event_twice_is_kept_once(desk: Desk) -> None:
    respond(desk, "keep")
    respond(desk, "keep")
    assert responses(desk) == {(1, "warm", "decision"): "keep"}


def test_nobody_answers_to_what_was_not_shown(small: Small) -> None:
    small.desk().rate(2)
    with pytest.raises(Refused, match="judge_not_revealed"):
        respond(small.desk(), "keep")


def test_an_unknown_word_for_the_reasoning_is_refused(desk: Desk) -> None:
    with pytest.raises(Refused, match="say_kind_of_reasoning"):
        respond(desk, "reasoning", "brilliant")


@pytest.mark.parametrize("where", [{"judge": 99}, {"criterion": "tall"}])
def test_an_answer_to_what_the_judge_never_said_is_refused(desk: Desk, where: dict[str, object]) -> None:
    with pytest.raises(NotFound, match="judge_silent_on_criterion"):
        respond(desk, "keep", **where)  # type: ignore[arg-type]
