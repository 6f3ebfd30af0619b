"""A change is a new rating that names the one it replaces, with a reason. Both stay."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from data import schema
from data.store import content
from data.store.errors import NotFound, Refused
from data.work import ratings
from tests.studies.small_study import Desk, Small


@pytest.fixture
def desk(small: Small) -> Desk:
    """A rater who committed the second unit."""
    desk = small.desk()
    desk.rate(2)
    return desk


def test_the_new_label_holds_and_the_old_one_stays(desk: Desk) -> None:
    old = desk.ratings(2)["warm"]
    new = desk.change(2, "warm", "NO", reason="the second reply is cold")
    with desk.store.reading() as connection:
        rows = connection.execute(
            sa.select(schema.rating).where(schema.rating.c.criterion == "warm").order_by(schema.rating.c.id)
        ).all()
        reason = content.get(connection, rows[1].reason_content)
    assert [(row.id, row.label, row.replaces) for row in rows] == [(old.id, "YES", None), (new, "NO", old.id)]
    assert reason == "the second reply is cold"
    assert desk.ratings(2)["warm"].answer.label == "NO"


def test_the_rating_as_committed_can_still_be_told(desk: Desk) -> None:
    desk.change(2, "warm", "NO")
    with desk.store.reading() as connection:
        assert ratings.first(connection, desk.rater, desk.unit(2).id)["warm"].answer.label == "YES"


def test_a_second_change_replaces_the_first(desk: Desk) -> None:
    first = desk.change(2, "warm", "NO")
    second = desk.change(2, "warm", "NA")
    with desk.store.reading() as connection:
        assert (
            connection.execute(
                sa.select(schema.rating.c.replaces).where(schema.rating.c.id == second)
            ).scalar()
            == first
        )


def test_other_criteria_and_other_raters_are_untouched(small: Small, desk: Desk) -> None:
    small.desk(1).rate(2)
    desk.change(2, "warm", "NO")
    assert {c: g.answer.label for c, g in desk.ratings(2).items()} == {
        "warm": "NO",
        "safe": "YES",
        "deep": "YES",
    }
    assert small.desk(1).ratings(2)["warm"].answer.label == "YES"


def test_the_same_event_twice_is_one_change(desk: Desk) -> None:
    assert desk.change(2, "warm", "NO", event="00000000-1")
    assert desk.change(2, "warm", "NO", event="00000000-1") is None
    assert desk.ratings(2)["warm"].answer.label == "NO"


def test_before_the_commit_there_is_nothing_to_change(small: Small) -> None:
    desk = small.desk()
    desk.draft_all(2)
    with pytest.raises(Refused, match="change_before_commit"):
        desk.change(2, "warm", "NO")


@pytest.mark.parametrize("reason", ["", "  \n"])
def test_a_change_without_a_reason_is_refused(desk: Desk, reason: str) -> None:
    with pytest.raises(Refused, match="change_needs_reason"):
        desk.change(2, "warm", "NO", reason=reason)
    assert desk.ratings(2)["warm"].answer.label == "YES"


def test_a_change_to_nothing_is_refused(desk: Desk) -> None:
    with pytest.raises(Refused, match="change_needs_label"):
        desk.change(2, "warm", None)


def test_a_change_to_cannot_rate_is_a_change(desk: Desk) -> None:
    desk.change(2, "warm", None, cannot_rate="unreadable")
    assert desk.ratings(2)["warm"].answer.cannot_rate == "unreadable"


def test_a_change_to_what_is_not_permitted_is_refused(desk: Desk) -> None:
    with pytest.raises(Refused, match="label_not_permitted"):
        desk.change(2, "safe", "NA")


def test_what_a_rule_filled_in_cannot_be_changed(small: Small) -> None:
    desk = small.desk()
    desk.rate(1)
    with pytest.raises(Refused, match="filled_in_by_rule"):
        desk.change(1, "deep", "YES")


def test_a_criterion_that_is_not_there_cannot_be_changed(desk: Desk) -> None:
    with pytest.raises(NotFound, match="no_criterion"):
        desk.change(2, "tall", "NO")


def test_a_change_counts_as_no_commit(desk: Desk) -> None:
    before = desk.seat()
    desk.change(2, "warm", "NO")
    assert desk.seat() == before
