"""What a rater says of a pair of steps: kept until its score is shown to them, and never changed."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import select

from data import schema
from data.keeping.verify import verify
from data.record import set_aside, step_pairs
from data.record.step_pairs import RatedStepPair, StepExposures
from data.schema.vocabulary import StepVerdict
from data.store.errors import Refused, StoreError
from data.work import repeats
from tests.studies.small_study import Desk, Small

PAIR = RatedStepPair("digest", 0, 1, 3, 10)
OTHER = RatedStepPair("digest", 1, 1, 5, 10)


def rate(desk: Desk, verdict: str, event: str, pair: RatedStepPair = PAIR, position: int = 2) -> bool:
    unit = desk.unit(position)
    with desk.store.writing("tests", "rate a pair of steps", desk.study.id) as (connection, entry):
        return step_pairs.rate(connection, entry, unit, desk.rater, event, pair, StepVerdict(verdict))


def show(desk: Desk, event: str = "show-1", inputs: str = "digest", position: int = 2) -> bool:
    unit = desk.unit(position)
    with desk.store.writing("tests", "show the scores of steps", desk.study.id) as (connection, entry):
        return step_pairs.show_scores(connection, entry, unit, desk.rater, event, inputs)


def verdicts(desk: Desk, position: int = 2) -> dict[tuple[int, int], str]:
    unit = desk.unit(position)
    with desk.store.reading() as connection:
        current = step_pairs.current(connection, desk.rater, unit.id, "digest")
    return {places: stored.verdict.value for places, stored in current.items()}


def of_study(small: Small) -> list[tuple[int, int, str]]:
    with small.store.reading() as connection:
        return [
            (rating.rater_id, rating.pair.model_step, rating.verdict.value)
            for rating in step_pairs.of_study(connection, small.study.id)
        ]


def test_a_change_is_a_new_row_that_names_the_one_it_replaces(small: Small) -> None:
    desk = small.desk()
    assert rate(desk, "wrong", "event-1")
    assert rate(desk, "partly", "event-2")
    assert rate(desk, "right", "event-3", OTHER)
    assert verdicts(desk) == {(0, 1): "partly", (1, 1): "right"}
    with desk.store.reading() as connection:
        rows = connection.execute(select(schema.step_pair_rating)).all()
        assert verify(connection).problems == []
    assert [(row.verdict, row.replaces) for row in rows] == [("wrong", None), ("partly", 1), ("right", None)]


def test_the_same_event_and_the_same_verdict_change_nothing(small: Small) -> None:
    desk = small.desk()
    assert rate(desk, "right", "event-1")
    assert not rate(desk, "right", "event-1")
    assert not rate(desk, "right", "event-2")
    with pytest.raises(Refused, match="event_id_reused"):
        rate(desk, "wrong", "event-1")
    assert verdicts(desk) == {(0, 1): "right"}


def test_once_the_scores_are_shown_nothing_is_kept_any_more(small: Small) -> None:
    desk, colleague = small.desk(0), small.desk(1)
    assert rate(desk, "right", "event-1")
    assert show(desk) and not show(desk) and not show(desk, "show-2")
    with pytest.raises(Refused, match="step_scores_shown"):
        rate(desk, "wrong", "event-2")
    with pytest.raises(Refused, match="step_scores_shown"):
        rate(desk, "right", "event-3", OTHER)
    assert not rate(desk, "right", "event-1"), "an acknowledgement that was lost is given again"
    assert verdicts(desk) == {(0, 1): "right"}
    assert rate(colleague, "wrong", "event-4"), "a colleague was shown nothing"
    with small.store.reading() as connection:
        shown = step_pairs.exposures_of(connection, desk.rater)
        assert shown == StepExposures(frozenset({"digest"}), frozenset({desk.unit(2).conversation_id}))
        assert step_pairs.exposures_of(connection, colleague.rater).inputs == set()


def test_other_steps_of_a_conversation_are_not_blind_once_its_scores_were_shown(small: Small) -> None:
    """A gold step more leaves most pairs as they were."""
    desk = small.desk()
    show(desk)
    with pytest.raises(Refused, match="step_scores_shown"):
        rate(desk, "right", "event-1", RatedStepPair("another digest", 0, 1, 3, 10))
    assert rate(desk, "right", "event-2", RatedStepPair("another digest", 0, 1, 3, 10), position=3)


def test_the_same_steps_in_another_conversation_are_not_blind_either(small: Small) -> None:
    desk = small.desk()
    show(desk)
    with pytest.raises(Refused, match="step_scores_shown"):
        rate(desk, "right", "event-1", position=3)
    assert not show(desk, "show-3", position=3), "nothing more is shown than before"


def test_a_unit_that_comes_again_asks_again_and_its_scores_end_the_answers_of_the_first(small: Small) -> None:
    """It looks as it did the first time; its own answers count nowhere."""
    desk = small.desk()
    unit = desk.unit(2)
    with small.store.writing("tests", "repeat", small.study.id) as (connection, entry):
        again = replace(unit, id=repeats.repeat_of(connection, entry, unit.id, "repeat"))
        assert step_pairs.show_scores(connection, entry, unit, desk.rater, "show-1", "digest")
        assert not step_pairs.scores_shown(connection, desk.rater, again.id, "digest")
        assert step_pairs.rate(connection, entry, again, desk.rater, "e-1", PAIR, StepVerdict.RIGHT)
    assert of_study(small) == []
    colleague = small.desk(1)
    with small.store.writing("tests", "repeat", small.study.id) as (connection, entry):
        assert step_pairs.show_scores(connection, entry, again, colleague.rater, "show-2", "digest")
        assert step_pairs.scores_shown(connection, colleague.rater, unit.id, "digest")


def test_the_study_has_the_last_word_of_each_rater_without_those_set_aside(small: Small) -> None:
    first, second = small.desk(0), small.desk(1)
    rate(first, "wrong", "event-1")
    rate(first, "right", "event-2")
    rate(second, "partly", "event-3")
    assert of_study(small) == [(first.rater, 0, "right"), (second.rater, 0, "partly")]
    with small.store.writing("Dr Lee", "set aside", small.study.id) as (connection, entry):
        set_aside.set_rater_aside(
            connection, entry, small.study, second.rater, "Dr Lee", "in training until May"
        )
    assert of_study(small) == [(first.rater, 0, "right")]


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE step_pair_rating SET verdict = 'wrong'",
        "DELETE FROM step_pair_rating",
        "DELETE FROM step_exposure",
    ],
)
def test_rows_are_never_changed_or_deleted(small: Small, statement: str) -> None:
    rate(small.desk(), "right", "event-1")
    show(small.desk())
    with (
        pytest.raises(StoreError, match="never_changed"),
        small.store.writing("tests", "attack") as (connection, _),
    ):
        connection.exec_driver_sql(statement)
