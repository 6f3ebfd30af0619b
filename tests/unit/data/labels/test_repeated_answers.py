"""First and second answers to units that came again unannounced."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sqlalchemy import select

from data import schema
from data.labels.repeated_answers import RepeatedAnswers, answered_twice
from data.record import units
from data.record.answers import CriterionAnswer
from data.record.units import Unit
from data.work import exposures, ratings
from scoring.agreement.people.repeats import repeats
from tests.studies.planned import Worker, plan_for, workers
from tests.studies.small_study import Small

Make = Callable[..., Small]


@pytest.fixture
def planned(make_small: Make) -> Small:
    made = make_small(20, 1)
    plan_for(made, overlap=1, repeats=0.2)
    return made


def of(small: Small) -> RepeatedAnswers:
    with small.store.reading() as connection:
        return answered_twice(connection, small.study)


def rate_all(one: Worker, again: str) -> list[Unit]:
    """YES to everything, and another answer to what comes again; the twins in their order."""
    twins = []
    while isinstance(place := one.take(), int):
        came_again = one.purpose(place) == "repeat"
        one.rate(place, again if came_again else "YES")
        twins += [one.unit(place)] if came_again else []
    return twins


def original(small: Small, twin: Unit) -> Unit:
    with small.store.reading() as connection:
        return units.get(
            connection,
            connection.execute(
                select(schema.repeat.c.of_unit_id).where(schema.repeat.c.unit_id == twin.id)
            ).scalar_one(),
        )


def change(small: Small, rater: int, unit: Unit, criterion: str, answer: CriterionAnswer) -> None:
    with small.store.writing("tests", "change", small.study.id) as (connection, entry):
        ratings.change(
            connection,
            entry,
            small.study,
            unit,
            rater,
            f"{unit.id}{criterion}{answer.label}",
            criterion,
            answer,
            "a slip",
        )


def test_every_criterion_of_every_repeat_is_a_pair(planned: Small) -> None:
    one = workers(planned)[0]
    twins = rate_all(one, "NO")
    found = of(planned)
    assert twins and {pair.conversation for pair in found.pairs} == {twin.conversation_id for twin in twins}
    short = sum(twin.turns == 1 for twin in twins)  # "deep" is filled in by rule there
    assert len(found.pairs) == 3 * len(twins) - short
    assert {(pair.first, pair.second, pair.rater) for pair in found.pairs} == {("YES", "NO", one.rater)}
    assert found.domains["warm"] == ["YES", "NO", "NA"]
    assert (repeats(found.pairs, found.domains).together.same, found.without_label) == (0, 0)


def test_the_last_blind_answer_before_the_second_one_counts(planned: Small) -> None:
    desk = workers(planned)[0]
    twin = rate_all(desk, "NO")[0]
    change(
        planned, desk.rater, original(planned, twin), "warm", CriterionAnswer(label="NA")
    )  # after the repeat: too late to be the first answer
    change(planned, desk.rater, twin, "safe", CriterionAnswer(label="YES"))
    pairs = {
        pair.criterion: (pair.first, pair.second)
        for pair in of(planned).pairs
        if pair.conversation == twin.conversation_id
    }
    assert (pairs["warm"], pairs["safe"]) == (("YES", "NO"), ("YES", "YES"))


def test_cannot_rate_is_counted_apart(planned: Small) -> None:
    one = workers(planned)[0]
    twins = rate_all(one, "YES")
    change(planned, one.rater, twins[0], "warm", CriterionAnswer(cannot_rate="other"))
    found = of(planned)
    assert found.without_label == 1
    assert repeats(found.pairs, found.domains).by_rater[one.rater].percent.value == 1.0


def test_nothing_came_again_yet(small: Small) -> None:
    small.desk().rate(2)
    assert of(small) == RepeatedAnswers([], {}, 0)


def test_a_unit_that_became_practice_says_nothing(planned: Small) -> None:
    one = workers(planned)[0]
    twins = rate_all(one, "NO")
    before = len(of(planned).pairs)
    with planned.store.writing("tests", "gold", planned.study.id) as (_, entry):
        entry.write(
            schema.gold_label,
            {"unit_id": original(planned, twins[0]).id, "criterion": "warm", "label": "YES", "said_by": "E"},
        )
    assert len(of(planned).pairs) in (before - 3, before - 2)


def test_an_answer_after_the_judge_was_seen_is_none(planned: Small) -> None:
    one = workers(planned)[0]
    twin = rate_all(one, "NO")[0]
    with planned.store.writing("tests", "open the page", planned.study.id) as (connection, entry):
        exposures.record_page(connection, entry, one.rater)
    change(planned, one.rater, twin, "warm", CriterionAnswer(label="YES"))
    assert {(pair.first, pair.second) for pair in of(planned).pairs} == {("YES", "NO")}
