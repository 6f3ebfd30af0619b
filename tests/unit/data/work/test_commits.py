"""A commit makes ratings of all criteria together, or of none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from data import schema
from data.store import content
from data.store.errors import Refused
from data.store.trail import TrailEntry
from data.work import ratings
from tests.studies.small_study import Small


def test_a_commit_makes_a_rating_of_every_criterion(small: Small) -> None:
    desk = small.desk()
    desk.draft(2, "warm", "NO")
    desk.draft(2, "safe", "YES")
    desk.draft(2, "deep", "NA")
    assert desk.commit(2) == 1
    assert {c: (g.answer.label, g.source) for c, g in desk.ratings(2).items()} == {
        "warm": ("NO", "given"),
        "safe": ("YES", "given"),
        "deep": ("NA", "given"),
    }


def test_a_rating_keeps_everything_of_its_draft(small: Small) -> None:
    desk = small.desk()
    desk.draft_all(2)
    desk.draft(2, "warm", "NO", note="cold", also=["YES"], confidence=1)
    desk.commit(2)
    answer = desk.ratings(2)["warm"].answer
    assert (answer.label, answer.note, answer.also, answer.confidence) == ("NO", "cold", ["YES"], 1)


def test_cannot_rate_is_an_answer_and_no_label(small: Small) -> None:
    desk = small.desk()
    desk.draft_all(2)
    desk.draft(2, "warm", None, cannot_rate="context_missing")
    desk.commit(2)
    answer = desk.ratings(2)["warm"].answer
    assert (answer.label, answer.cannot_rate) == (None, "context_missing")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([], "left_to_rate_here"),
        (["warm"], "left_to_rate_here"),
        (["warm", "safe"], "left_to_rate_here"),
    ],
)
def test_a_commit_with_open_criteria_is_refused_and_writes_nothing(
    small: Small, row_counts: Callable[[], dict[str, Any]], given: list[str], message: str
) -> None:
    desk = small.desk()
    for criterion in given:
        desk.draft(2, criterion)
    before = row_counts()
    with pytest.raises(Refused, match=message):
        desk.commit(2)
    assert row_counts() == before
    assert (desk.seat().committed, desk.ratings(2)) == (0, {})


def test_what_stood_on_the_screen_is_what_is_committed(small: Small) -> None:
    desk = small.desk()
    desk.draft_all(2)
    desk.draft(2, "warm", None, cannot_rate="unreadable")
    assert desk.commit(2, shown={"warm": "unreadable", "safe": "YES", "deep": "YES"}) == 1


@pytest.mark.parametrize("shown", [{"warm": "NO"}, {"warm": None}, {"warm": "unreadable", "safe": "YES"}])
def test_a_commit_of_something_else_than_stood_on_the_screen_is_refused_and_writes_nothing(
    small: Small, row_counts: Callable[[], dict[str, Any]], shown: dict[str, str | None]
) -> None:
    desk = small.desk()
    desk.draft_all(2)
    before = row_counts()
    with pytest.raises(Refused, match="draft_differs_from_screen"):
        desk.commit(2, shown=shown)
    assert row_counts() == before


def test_a_withdrawn_answer_leaves_the_criterion_open(small: Small) -> None:
    desk = small.desk()
    desk.draft_all(2)
    desk.draft(2, "safe", None)
    with pytest.raises(Refused, match="left_to_rate_here"):
        desk.commit(2)


def test_a_commit_that_breaks_off_leaves_nothing_of_it(
    small: Small, row_counts: Callable[[], dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = small.desk()
    desk.draft_all(2)
    before, whole = row_counts(), TrailEntry.write_many

    def break_off(entry: TrailEntry, table: Any, rows: Any) -> list[int]:
        if table is schema.rating:
            whole(entry, table, list(rows)[:2])
            raise RuntimeError("the power went")
        return whole(entry, table, rows)

    with monkeypatch.context() as during:
        during.setattr(TrailEntry, "write_many", break_off)
        with pytest.raises(RuntimeError, match="the power went"):
            desk.commit(2)
    assert row_counts() == before
    assert (desk.state(2), desk.seat().committed) == ("begun", 0)
    assert desk.commit(2) == 1


def test_committing_again_changes_nothing(small: Small, row_counts: Callable[[], dict[str, Any]]) -> None:
    desk = small.desk()
    desk.rate(2)
    before = row_counts()
    assert desk.commit(2) == 1
    assert desk.commit(2, event="00000000-9") == 1
    assert row_counts() == before


def test_the_event_of_a_commit_does_for_one_unit_only(small: Small) -> None:
    desk = small.desk()
    desk.draft_all(2)
    desk.draft_all(3)
    desk.commit(2, event="00000000-1")
    with pytest.raises(Refused, match="event_id_reused"):
        desk.commit(3, event="00000000-1")
    assert desk.ratings(3) == {}


def test_commits_are_counted_for_each_rater(small: Small) -> None:
    ann, ben = small.desk(0), small.desk(1)
    assert [ann.rate(3), ann.rate(2), ben.rate(2)] == [1, 2, 1]


def test_what_the_turn_rule_forces_is_filled_in_by_rule_and_asked_of_nobody(small: Small) -> None:
    desk = small.desk()
    desk.draft(1, "warm")
    desk.draft(1, "safe")
    desk.commit(1)
    deep = desk.ratings(1)["deep"]
    assert (deep.answer.label, deep.source) == ("NA", "rule")


def test_a_note_beside_what_the_rule_fills_in_is_kept(small: Small) -> None:
    desk = small.desk()
    desk.draft_all(1)
    desk.draft(1, "deep", None, note="so short")
    desk.commit(1)
    deep = desk.ratings(1)["deep"]
    assert (deep.answer.label, deep.answer.note, deep.source) == ("NA", "so short", "rule")


def test_when_it_was_committed_can_be_told(small: Small) -> None:
    desk = small.desk()
    desk.rate(2)
    with small.store.reading() as connection:
        assert ratings.committed_at(connection, desk.rater, desk.unit(2).id)
        assert ratings.committed_at(connection, desk.rater, desk.unit(3).id) is None


def test_no_free_text_lies_outside_the_content_table(small: Small) -> None:
    desk = small.desk()
    desk.draft_all(2)
    desk.draft(2, "warm", note="an unmistakable note")
    desk.commit(2)
    desk.change(2, "warm", "NO", reason="an unmistakable reason", note="an unmistakable note")
    with small.store.reading() as connection:
        for table in (*schema.SEALED, schema.trail):
            assert "unmistakable" not in str(connection.execute(table.select()).all())
        assert "an unmistakable reason" in content.get_many(connection, range(1, 100)).values()
