"""A calibration round: rated blind by all, discussed, rated again, and never in the headline."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from data.keeping.verify import verify
from data.labels import agreement_labels, disagreements
from data.record import units
from data.store.errors import Refused
from data.work import calibration
from data.work.calibration import CalibrationRound
from tests.studies.planned import plan_for, taken, workers
from tests.studies.small_study import Small

Make = Callable[..., Small]


def begin(made: Small, *positions: int, raters: tuple[int, ...] | None = None) -> int:
    with made.store.writing("lead", "begin", made.study.id) as (connection, entry):
        found = [
            unit.id
            for position in positions
            if (unit := units.at_position(connection, made.study.id, position))
        ]
        return calibration.begin(
            connection, entry, made.study, "First round", list(raters or made.raters), found
        )


def step(made: Small, number: int, to: str) -> None:
    with made.store.writing("lead", "move on", made.study.id) as (connection, entry):
        calibration.move_on(connection, entry, made.study, number, to)


def the_round(made: Small) -> CalibrationRound:
    with made.store.reading() as connection:
        return calibration.rounds(connection, made.study.id)[0]


def test_a_round_from_the_first_rating_to_the_end(make_small: Make) -> None:
    small = make_small(6, 3)
    plan_for(small, overlap=1)
    number = begin(small, 2, 4, raters=small.raters[:2])
    first, second, third = workers(small)
    for desk in (first, second):
        assert [desk.purpose(desk.rate_next()) for _ in range(2)] == ["calibration", "calibration"]  # type: ignore[arg-type]
    assert third.purpose(third.rate_next()) == "real"  # type: ignore[arg-type]
    with small.store.reading() as connection:
        assert calibration.finished(connection, the_round(small)) == set(small.raters[:2])
    step(small, number, "discussed")
    assert first.purpose(first.rate_next()) == "real"  # type: ignore[arg-type]
    step(small, number, "again")
    for desk in (first, second):
        places = [desk.rate_next("NO") for _ in range(2)]
        assert [desk.purpose(place) for place in places if isinstance(place, int)] == [
            "discussed",
            "discussed",
        ]
        assert [desk.shown(place)[0] for place in places if isinstance(place, int)] == [2, 4]
    with small.store.reading() as connection:
        assert calibration.finished(connection, the_round(small), again=True) == set(small.raters[:2])
        assert verify(connection).problems == []
    step(small, number, "closed")
    first.rate_all()
    assert set(taken(small)) == {1, 3, 5, 6}
    with small.store.reading() as connection:
        assert {
            label.position for label in agreement_labels.human_labels(connection, small.study.id, "blind")
        } == {1, 3, 5, 6}


def test_nothing_of_the_judge_is_shown_for_a_set_that_is_being_calibrated(make_small: Make) -> None:
    made = make_small(3, 2)
    plan_for(made, overlap=1)
    begin(made, 1)
    one = workers(made)[0]
    one.rate_next()
    assert one.purpose(1) == "calibration" and not one.may_see(1)


def test_the_discussion_waits_for_two_and_leaves_out_who_is_not_done(make_small: Make) -> None:
    small = make_small(3, 3)
    plan_for(small, overlap=1)
    number = begin(small, 1, 2)
    first, second, third = workers(small)
    first.rate_next()
    first.rate_next()
    with pytest.raises(Refused, match="too_few_rated_round"):
        step(small, number, "discussed")
    second.rate_next()
    second.rate_next()
    third.rate_next()
    step(small, number, "discussed")
    step(small, number, "again")
    place = third.take()
    assert isinstance(place, int) and third.purpose(place) == "real"
    with pytest.raises(Refused, match="round_moved_meanwhile"):
        step(small, number, "again")


def test_who_rated_a_unit_for_real_before_has_rated_it_for_the_round(make_small: Make) -> None:
    small = make_small(2, 2)
    plan_for(small, overlap=2)
    first, second = workers(small)
    place = first.rate_next()
    assert isinstance(place, int)
    begin(small, first.shown(place)[0])
    assert first.purpose(first.take()) == "real"  # type: ignore[arg-type]
    assert second.purpose(second.take()) == "calibration"  # type: ignore[arg-type]
    with small.store.reading() as connection:
        assert agreement_labels.human_labels(connection, small.study.id, "blind") == []


def test_what_was_rated_for_real_before_a_round_is_in_no_queue_of_disagreements(make_small: Make) -> None:
    small = make_small(2, 3)
    plan_for(small, overlap=2)
    first, second, _ = workers(small)
    for desk, label in ((first, "YES"), (second, "NO")):
        while isinstance(desk.rate_next(label), int):
            pass
    with small.store.reading() as connection:
        assert {
            disagreement.position
            for disagreement in disagreements.between_people(connection, small.study).items
        } == {1, 2}
    begin(small, 1)
    with small.store.reading() as connection:
        assert {
            disagreement.position
            for disagreement in disagreements.between_people(connection, small.study).items
        } == {2}


def test_a_round_that_makes_no_sense_is_refused(make_small: Make) -> None:
    small = make_small(3, 3)
    with pytest.raises(Refused, match="save_plan_first"):
        begin(small, 1)
    plan_for(small)
    with pytest.raises(Refused, match=r"round_needs_two_raters|too_few_rated_round"):
        begin(small, 1, raters=small.raters[:1])
    with pytest.raises(Refused, match="round_needs_conversations"):
        begin(small)
    begin(small, 1)
    with pytest.raises(Refused, match="practice_already"):
        begin(small, 1, 2)


def test_beginning_the_same_round_twice_changes_nothing(make_small: Make) -> None:
    small = make_small(6, 3)
    plan_for(small, overlap=1)
    number = begin(small, 2, 4, raters=small.raters[:2])
    assert begin(small, 4, 2, raters=small.raters[:2]) == number
    with small.store.reading() as connection:
        assert len(calibration.rounds(connection, small.study.id)) == 1
    with pytest.raises(Refused, match="practice_already"):
        begin(small, 2, 4)
    for desk in workers(small)[:2]:
        desk.rate_next()
        desk.rate_next()
    step(small, number, "discussed")
    with pytest.raises(Refused, match="practice_already"):
        begin(small, 2, 4, raters=small.raters[:2])
