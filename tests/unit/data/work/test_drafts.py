"""Drafts: kept one event after another, once each, and only while the unit is open."""

from __future__ import annotations

from typing import Any

import pytest
import sqlalchemy as sa

from data import schema
from data.record.answers import CriterionAnswer, Span
from data.store.errors import NotFound, Refused
from data.store.free_text import NOTE_LIMIT
from data.work import ratings
from tests.studies.small_study import Desk, Small


def drafts(desk: Desk, position: int) -> dict[str, CriterionAnswer]:
    with desk.store.reading() as connection:
        return ratings.drafts(connection, desk.rater, desk.unit(position).id)


def count(desk: Desk) -> int:
    with desk.store.reading() as connection:
        return connection.execute(sa.select(sa.func.count()).select_from(schema.draft)).scalar_one()


def test_a_draft_is_kept_whole(small: Small) -> None:
    desk = small.desk()
    given: dict[str, Any] = {
        "also": ["NO"],
        "confidence": 2,
        "note": "note",
        "evidence": [Span(message=1, start=0, end=5)],
    }
    assert desk.draft(2, "warm", "YES", **given)
    assert drafts(desk, 2) == {"warm": CriterionAnswer(label="YES", **given)}


def test_the_last_draft_of_a_criterion_holds_and_the_earlier_stay(small: Small) -> None:
    desk = small.desk()
    for label in ("YES", "NO", None):
        desk.draft(2, "warm", label)
    assert drafts(desk, 2)["warm"].label is None
    assert count(desk) == 3


def test_the_same_event_twice_is_kept_once(small: Small) -> None:
    desk = small.desk()
    assert desk.draft(2, "warm", "YES", event="00000000-1") is True
    assert desk.draft(2, "warm", "YES", event="00000000-1") is False
    assert (count(desk), drafts(desk, 2)["warm"].label) == (1, "YES")


def test_raters_do_not_see_each_others_drafts(small: Small) -> None:
    small.desk(0).draft(2, "warm", "NO")
    assert drafts(small.desk(1), 2) == {}


def test_a_draft_after_the_commit_is_refused(small: Small) -> None:
    desk = small.desk()
    desk.rate(2)
    with pytest.raises(Refused, match="committed_already"):
        desk.draft(2, "warm", "NO")


def test_the_event_of_a_kept_draft_may_come_again_after_the_commit(small: Small) -> None:
    desk = small.desk()
    desk.draft_all(2)
    desk.draft(2, "warm", "NO", event="00000000-1")
    desk.commit(2)
    assert desk.draft(2, "warm", "NO", event="00000000-1") is False


def test_another_rater_may_still_draft(small: Small) -> None:
    small.desk(0).rate(2)
    assert small.desk(1).draft(2, "warm")


@pytest.mark.parametrize(
    ("criterion", "answer", "match"),
    [
        ("warm", {"label": "MAYBE"}, "label_not_permitted"),
        ("warm", {"label": "yes"}, "label_not_permitted"),
        ("safe", {"label": "NA"}, "label_not_permitted"),
        ("warm", {"label": "YES", "also": ["MAYBE"]}, "label_not_permitted"),
        ("safe", {"label": "YES", "also": ["NA"]}, "label_not_permitted"),
        ("warm", {"label": "YES", "also": ["YES"]}, "also_is_label"),
        ("warm", {"label": "YES", "cannot_rate": "unreadable"}, "label_and_cannot_rate"),
    ],
)
def test_an_answer_that_the_criterion_does_not_permit_is_refused(
    small: Small, criterion: str, answer: dict[str, object], match: str
) -> None:
    with pytest.raises(Refused, match=match):
        small.desk().draft(2, criterion, **answer)  # type: ignore[arg-type]
    assert count(small.desk()) == 0


def test_a_criterion_that_is_not_there_is_refused(small: Small) -> None:
    with pytest.raises(NotFound, match="no_criterion"):
        small.desk().draft(2, "tall")


def test_what_a_rule_fills_in_cannot_be_answered_otherwise(small: Small) -> None:
    with pytest.raises(Refused, match="filled_in_by_rule"):
        small.desk().draft(1, "deep", "YES")
    with pytest.raises(Refused, match="filled_in_by_rule"):
        small.desk().draft(1, "deep", None, cannot_rate="other")


def test_a_note_may_stand_beside_what_a_rule_fills_in(small: Small) -> None:
    assert small.desk().draft(1, "deep", None, note="so short")


@pytest.mark.parametrize(
    "answer",
    [
        {"cannot_rate": "no time"},
        {"confidence": 0},
        {"confidence": 4},
        {"note": "x" * (NOTE_LIMIT + 1)},
        {"colour": "red"},
        {"evidence": [{"message": -1, "start": 0, "end": 1}]},
        {"evidence": [{"message": 0, "start": 0, "end": 0}]},
    ],
)
def test_an_answer_of_the_wrong_form_is_no_answer(answer: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="validation error"):
        CriterionAnswer.model_validate(answer)


def test_the_error_of_a_wrong_answer_does_not_repeat_the_note() -> None:
    with pytest.raises(ValueError, match="validation error") as caught:
        CriterionAnswer.model_validate({"note": "very private " * NOTE_LIMIT})
    assert "very private" not in str(caught.value)


def test_a_draft_begins_the_unit_and_takes_it_out_of_the_skipped(small: Small) -> None:
    desk = small.desk()
    desk.skip(2)
    desk.draft(2, "warm")
    assert desk.state(2) == "begun"
