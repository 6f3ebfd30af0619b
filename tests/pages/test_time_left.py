"""What a rater is told of their own pace and of what is left."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from data.record import studies
from data.work import exposures, next_unit
from data.work.plan import WorkPlan
from data.work.worklist import open_worklist
from pages import my_work
from pages.widgets.workbench import next_step
from pages.widgets.workbench.view import view
from reports.refusals import word_notice
from tests.pages.conftest import BarOfTest, text_of
from tests.studies.known_browsers import cookie_of_person
from tests.studies.planned import plan_for, workers
from tests.studies.small_study import Small


def time_left(small: Small, number: int) -> Any:
    """As the page of one of the raters shows it."""
    with small.store.reading() as connection:
        worklist = open_worklist(connection, small.study, small.raters[number])
        unit, rater = worklist.at(1), studies.rater(connection, small.raters[number])
        assert unit is not None
        return view(worklist, unit, rater, with_transcript=False)["progress"]["time_left"]


def hint(small: Small, position: int) -> str:
    with small.store.reading() as connection:
        rater = studies.rater(connection, small.raters[0])
        worklist = open_worklist(connection, small.study, rater.id)
        unit = worklist.at(position)
        assert unit is not None
        said: str = view(worklist, unit, rater, with_transcript=False)["progress"]["hint"]
        return said


def test_a_rater_is_told_after_how_many_more_the_judge_is_shown(make_study: Callable[..., Small]) -> None:
    study = make_study(conversation_count=5, reveal="after_batch", batch_size=3)
    hints = []
    for position in range(1, 6):
        hints.append(hint(study, position))
        study.desk().rate(position)
        if position == 3:
            assert hint(study, 3) == "judge's labels to compare"
            for committed in (1, 2, 3):
                study.desk().reveal(committed)
    assert hints == [
        "you see the judge's labels after this one and 2 more",
        "you see the judge's labels after this one and 1 more",
        "you see the judge's labels after this one",
        "you see the judge's labels after this one and 1 more",  # of three; the list ends before
        "you see the judge's labels after this one",
    ]


@pytest.mark.parametrize(("batch_size", "is_told"), [(100, True), (4, False)])
def test_what_is_said_of_the_judge_ahead_tells_no_repeat(
    make_study: Callable[..., Small], batch_size: int, is_told: bool
) -> None:
    study = make_study(conversation_count=12, raters=("Ann",), reveal="after_batch", batch_size=batch_size)
    plan_for(study, overlap=1, repeats=0.2)
    [ann] = workers(study)
    purposes, number = [], 0
    while isinstance(place := ann.take(), int):
        with study.store.reading() as connection:
            if exposures.first_to_compare(open_worklist(connection, study.study, ann.rater)) is None:
                ahead = (
                    (f"you see the judge's labels after this one and {99 - number} more, or at the end")
                    if is_told
                    else ""
                )
                assert hint(study, place) == ahead
        purposes.append(ann.purpose(place))
        ann.rate(place)
        number += 1
    assert {"real", "repeat"} == set(purposes)


def test_in_a_plan_of_named_raters_the_last_of_the_list_is_counted_to(
    make_study: Callable[..., Small],
) -> None:
    study = make_study(conversation_count=3, reveal="after_batch", batch_size=100)
    plan_for(study, each=True, raters=study.raters)
    ann = workers(study)[0]
    place = ann.take()
    assert (
        isinstance(place, int)
        and hint(study, place) == "you see the judge's labels after this one and 2 more"
    )


@pytest.mark.parametrize(
    "settings",
    [
        {"reveal": "after_unit"},
        {"reveal": "never"},
        {"reveal": "after_batch", "review": "open"},
        {"reveal": "after_batch", "with_judges": False},
    ],
)
def test_where_no_judge_lies_ahead_nothing_is_said_of_one(
    make_study: Callable[..., Small], settings: dict[str, Any]
) -> None:
    assert hint(make_study(**settings), 1) == ""


def test_after_six_units_a_rater_is_told_how_long_the_rest_takes(
    make_study: Callable[..., Small], app: Callable[..., AppTest], bar: BarOfTest
) -> None:
    study = make_study(conversation_count=9)
    ann = study.desk()
    for position in range(1, 7):
        assert time_left(study, 0) == ""
        for criterion in ("warm", "safe", "deep")[: 2 if position == 1 else 3]:
            ann.draft(position, criterion)
        ann.commit(position)
    assert time_left(study, 0) == "about 1 min of work left, under a minute each"
    assert time_left(study, 1) == ""
    own_work = app("my_work", study="small", reader=str(ann.rater))
    assert "About 1 min of work left, under a minute each." in text_of(own_work)
    assert "each" not in text_of(app("my_work", study="small", reader=str(study.raters[1])))
    for name, is_told in (("Ann", True), ("Ben", False)):
        bar.remember(cookie_of_person(study.store, name))
        assert ("about 1 min left" in text_of(app("studies"))) is is_told


@pytest.mark.parametrize(
    ("unit", "minutes", "words"),
    [
        ("conversation", 50.4, "1 conversation in 50 minutes: a short break keeps labels steady."),
        ("assistant_turn", 50.0, "1 reply in 50 minutes: a short break keeps labels steady."),
        ("conversation", 44.9, ""),
    ],
)
def test_after_long_a_break_is_suggested(
    monkeypatch: pytest.MonkeyPatch, small: Small, unit: str, minutes: float, words: str
) -> None:
    sitting = next_unit.Sitting(units=1, minutes=minutes, minutes_since_commit=3.0)
    monkeypatch.setattr(next_unit, "current_sitting", lambda *_: sitting)
    study = replace(small.study, instrument=small.study.instrument.model_copy(update={"unit": unit}))
    worklist: Any = SimpleNamespace(plan=WorkPlan(), study=study, connection=None, rater_id=1)
    assert next_step._rest(worklist) == words


@pytest.mark.parametrize(
    ("length", "skipped", "words"),
    [
        (4, False, "You have rated everything."),
        (4, True, "Only the ones that you skipped are left; see below."),
        (0, False, "There is nothing to rate yet."),
    ],
)
def test_why_nothing_comes_is_true_of_a_list_without_a_plan(
    small: Small, length: int, skipped: bool, words: str
) -> None:
    with small.store.reading() as connection:
        rater = studies.rater(connection, small.raters[0])
    nothing = my_work._nothing(small.study, rater, None, length, skipped)
    assert nothing is not None and word_notice(nothing.notice) == words
