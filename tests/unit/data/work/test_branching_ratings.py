"""Rating a form in which the next question depends on the answer: the server's side of it."""

from __future__ import annotations

from pathlib import Path

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from data import schema
from data.keeping.verify import verify
from data.record.answers import CriterionAnswer
from data.record.asked_questions import asked_in_unit
from data.store.errors import Refused
from data.store.store import Store
from data.work import ratings
from tests.studies.branching import BRANCHING
from tests.studies.small_study import Desk, make

NAMES = ("risk", "missed", "false_alarm", "confirms", "tone")


@pytest.fixture
def desk(store: Store, tmp_path: Path) -> Desk:
    return make(store, tmp_path, instrument=BRANCHING, with_judges=False).desk()


def drafts(desk: Desk, position: int = 1) -> dict[str, str | None]:
    with desk.store.reading() as connection:
        kept = ratings.drafts(connection, desk.rater, desk.unit(position).id)
    return {name: answer.label or answer.cannot_rate for name, answer in kept.items()}


def answer(desk: Desk, *answers: tuple[str, str], position: int = 1) -> None:
    for name, label in answers:
        desk.draft(position, name, label)


def test_a_unit_is_complete_without_what_is_not_asked(desk: Desk) -> None:
    answer(desk, ("risk", "NO"))
    with pytest.raises(Refused, match="left_to_rate_here"):
        desk.commit(1)
    answer(desk, ("false_alarm", "NO"))
    desk.commit(1, shown={"risk": "NO", "false_alarm": "NO"})
    assert {name: rating.answer.label for name, rating in desk.ratings(1).items()} == {
        "risk": "NO",
        "false_alarm": "NO",
    }
    with desk.store.reading() as connection:
        count = connection.execute(sa.select(sa.func.count()).select_from(schema.rating)).scalar()
        problems = verify(connection).problems
    assert count == 2 and problems == []  # no row at all of a question that was not asked


def test_a_question_that_is_not_asked_takes_no_label(desk: Desk) -> None:
    with pytest.raises(Refused, match="question_not_asked"):
        desk.draft(1, "missed", "YES")
    answer(desk, ("risk", "NO"))
    with pytest.raises(Refused, match=r"question_not_asked|unasked_answer_on_screen"):
        desk.draft(1, "missed", None, cannot_rate="other")
    assert drafts(desk) == {"risk": "NO"}
    desk.draft(1, "missed", None, note="a thought")  # words are no label


def test_an_answer_that_closes_questions_takes_their_labels_and_no_words(desk: Desk) -> None:
    answer(desk, ("risk", "YES"), ("missed", "NO"), ("confirms", "YES"), ("tone", "NO"))
    desk.draft(1, "confirms", "YES", note="asked late")
    answer(desk, ("risk", "NO"))
    assert drafts(desk) == {"risk": "NO", "missed": None, "confirms": None, "tone": None}
    with desk.store.reading() as connection:
        answers = ratings.drafts(connection, desk.rater, desk.unit(1).id)
    assert answers["confirms"] == CriterionAnswer(note="asked late")
    answer(desk, ("risk", "YES"))  # open again, and nothing of before counts
    with pytest.raises(Refused, match="left_to_rate_here"):
        desk.commit(1)
    with desk.store.reading() as connection:
        assert verify(connection).problems == []


def test_what_stood_on_the_screen_of_a_question_that_is_not_asked_stops_the_commit(desk: Desk) -> None:
    answer(desk, ("risk", "NO"), ("false_alarm", "YES"))
    with pytest.raises(Refused, match="unasked_answer_on_screen"):
        desk.commit(1, shown={"risk": "NO", "false_alarm": "YES", "tone": "YES"})
    assert not desk.ratings(1)
    event = "00000000-aaaa"
    desk.commit(1, event=event, shown={"risk": "NO", "false_alarm": "YES", "tone": None})
    desk.commit(1, event=event, shown={"risk": "NO", "false_alarm": "YES", "tone": None})  # once


def test_behind_what_cannot_be_rated_nothing_is_asked(desk: Desk) -> None:
    answer(desk, ("risk", "YES"))
    desk.draft(1, "missed", None, cannot_rate="other")
    desk.commit(1)
    assert set(desk.ratings(1)) == {"risk", "missed"}


def test_a_change_after_the_commit_opens_and_closes_no_question(desk: Desk) -> None:
    answer(desk, ("risk", "YES"), ("missed", "YES"), ("tone", "NO"))
    desk.commit(1)
    for name, label in (("risk", "NO"), ("missed", "NO")):
        with pytest.raises(Refused, match="change_asks_other_questions"):
            desk.change(1, name, label)
    desk.change(1, "missed", "NA")  # the same questions follow
    desk.change(1, "tone", "YES")
    now = {name: rating.answer.label for name, rating in desk.ratings(1).items()}
    assert now == {"risk": "YES", "missed": "NA", "tone": "YES"}


def test_what_a_rule_fills_in_opens_what_is_asked_after_it(store: Store, tmp_path: Path) -> None:
    form = BRANCHING.replace(
        "{id: missed, name: Missed, scale: yes_no,",
        "{id: missed, name: Missed, scale: yes_no, minimum_turns: 9,",
    )
    desk = make(store, tmp_path, instrument=form, with_judges=False).desk()
    answer(desk, ("risk", "YES"))
    with pytest.raises(Refused, match="left_to_rate_here"):
        desk.commit(1)
    answer(desk, ("tone", "NO"))
    desk.commit(1, shown={"risk": "YES", "missed": "NA", "tone": "NO"})
    assert {name: rating.answer.label for name, rating in desk.ratings(1).items()} == {
        "risk": "YES",
        "missed": "NA",
        "tone": "NO",
    }


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    presses=st.lists(
        st.tuples(st.sampled_from(NAMES), st.sampled_from(["YES", "NO", "NA", "cannot"])), max_size=12
    )
)
def test_whatever_is_pressed_only_asked_questions_have_answers(
    store: Store, tmp_path_factory: pytest.TempPathFactory, presses: list[tuple[str, str]]
) -> None:
    number = next(COUNTER)
    desk = make(
        store, tmp_path_factory.mktemp("form"), key=f"form{number}", instrument=BRANCHING, with_judges=False
    ).desk()
    for name, label in presses:
        try:
            if label == "cannot":
                desk.draft(2, name, None, cannot_rate="other")
            else:
                desk.draft(2, name, label)
        except Refused:
            continue
        with store.reading() as connection:
            answers = ratings.drafts(connection, desk.rater, desk.unit(2).id)
        asked = asked_in_unit(desk.study, desk.unit(2), {n: a.label for n, a in answers.items()})
        assert {n for n, a in answers.items() if a.answered} <= asked


COUNTER = iter(range(10_000))
