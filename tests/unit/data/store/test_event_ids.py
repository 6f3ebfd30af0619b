"""The id of an event belongs to one rater, one unit and one content, whatever kind of event it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from data import schema
from data.labels import reasoning_comments
from data.settling import escalations
from data.store import content, event_ids
from data.store.errors import Refused
from data.work import answers_to_judges, ratings
from tests.studies.small_study import Desk, Small

EVENT = "00000000-0000-1"


def draft(desk: Desk, position: int, words: str) -> Any:
    return desk.draft(position, "warm", "YES", event=EVENT, note=words)


def commit(desk: Desk, position: int, words: str) -> Any:
    desk.draft_all(position)
    return desk.commit(position, event=EVENT, shown={"safe": "YES" if words == "first" else "NO"})


def change(desk: Desk, position: int, words: str) -> Any:
    return desk.change(position, "warm", "NO", reason=words, event=EVENT)


def keep(desk: Desk, position: int, words: str) -> Any:
    unit, judges = desk.unit(position), [1] if words == "first" else [1, 2]
    with desk.store.writing("tests", "keep", desk.study.id) as (connection, entry):
        return answers_to_judges.decide(connection, entry, unit, desk.rater, EVENT, judges, "warm", "keep")


def reasoning(desk: Desk, position: int, words: str) -> Any:
    unit, value = desk.unit(position), "supported" if words == "first" else "partly"
    with desk.store.writing("tests", "judge reasoning", desk.study.id) as (connection, entry):
        return answers_to_judges.respond(
            connection, entry, unit, desk.rater, EVENT, 1, "warm", "reasoning", value
        )


def comment(desk: Desk, position: int, words: str) -> Any:
    unit = desk.unit(position)
    with desk.store.writing("tests", "comment", desk.study.id) as (connection, entry):
        return reasoning_comments.write(connection, entry, unit, desk.rater, EVENT, 1, "warm", words)


def tell(desk: Desk, position: int, words: str) -> Any:
    unit = desk.unit(position)
    with desk.store.writing("tests", "tell", desk.study.id) as (connection, entry):
        return escalations.raise_(connection, entry, desk.study, unit, desk.rater, EVENT, "risk", words)


BEFORE_THE_COMMIT = (draft, tell)
AFTER_THE_COMMIT = (change, keep, reasoning, comment)
Act = Callable[[Desk, int, str], Any]


@pytest.fixture
def revealed(small: Small) -> Small:
    """Both raters have committed the second and the third unit, and have seen the judges."""
    for desk in (small.desk(0), small.desk(1)):
        for position in (2, 3):
            desk.rate(position)
            desk.reveal(position)
    return small


@pytest.fixture
def ready(request: pytest.FixtureRequest, act: Act) -> Small:
    """A study in which both raters may do this with the second and the third unit."""
    study: Small = request.getfixturevalue("revealed" if act in AFTER_THE_COMMIT else "small")
    return study


@pytest.mark.parametrize("act", [*BEFORE_THE_COMMIT, *AFTER_THE_COMMIT])
@pytest.mark.parametrize(
    ("rater", "position", "words"),
    [(1, 2, "first"), (0, 3, "first"), (0, 2, "other words")],
    ids=["another rater", "another unit", "other content"],
)
def test_an_event_is_kept_once_and_refused_with_anything_else(
    ready: Small, row_counts: Callable[[], dict[str, Any]], act: Act, rater: int, position: int, words: str
) -> None:
    act(ready.desk(), 2, "first")
    before = row_counts()
    act(ready.desk(), 2, "first")
    assert row_counts() == before, "the same event again is acknowledged and changes nothing"
    with pytest.raises(Refused, match="event_id_reused"):
        act(ready.desk(rater), position, words)
    assert row_counts() == before


@pytest.mark.parametrize(("rater", "position"), [(1, 2), (0, 3)], ids=["another rater", "another unit"])
def test_the_event_of_a_commit_is_one_raters_and_one_units(small: Small, rater: int, position: int) -> None:
    commit(small.desk(), 2, "first")
    with pytest.raises(Refused, match="event_id_reused"):
        commit(small.desk(rater), position, "first")
    assert small.desk(rater).ratings(position) == {}


def test_a_commit_of_other_answers_than_were_committed_is_refused(small: Small) -> None:
    desk = small.desk()
    commit(desk, 2, "first")
    for event in (EVENT, "00000000-0000-2"):
        assert desk.commit(2, event=event, shown={"warm": "YES", "safe": "YES"}) == 1
        with pytest.raises(Refused, match="committed_otherwise"):
            desk.commit(2, event=event, shown={"warm": "YES", "safe": "NO"})


def test_a_change_after_the_commit_leaves_the_commit_what_it_was(small: Small) -> None:
    desk = small.desk()
    commit(desk, 2, "first")
    desk.change(2, "safe", "NO")
    assert desk.commit(2, event=EVENT, shown={"safe": "YES"}) == 1


def test_a_change_may_come_again_after_another_change(small: Small) -> None:
    desk = small.desk()
    desk.draft(2, "warm", "YES", also=["NO", "NA"])
    for criterion in ("safe", "deep"):
        desk.draft(2, criterion)
    desk.commit(2)
    desk.change(2, "warm", "NO", also=["NA"], event=EVENT)
    desk.change(2, "warm", "NA")
    assert desk.change(2, "warm", "NO", event=EVENT) is None
    with pytest.raises(Refused, match="event_id_reused"):
        desk.change(2, "warm", "YES", event=EVENT)


def test_words_that_were_erased_are_not_taken_for_the_same(small: Small) -> None:
    desk = small.desk()
    draft(desk, 2, "first")
    with small.store.writing("tests", "erase") as (connection, entry):
        content.erase(
            entry, connection, connection.execute(schema.draft.select()).one().note_content, "asked for"
        )
    with pytest.raises(Refused, match="event_id_reused"):
        draft(desk, 2, "first")


def test_a_note_added_or_taken_away_is_another_event(small: Small) -> None:
    desk = small.desk()
    draft(desk, 2, "")
    assert draft(desk, 2, "") is False
    with pytest.raises(Refused, match="event_id_reused"):
        draft(desk, 2, "words")
    with small.store.reading() as connection:
        subject = {"rater_id": desk.rater, "unit_id": desk.unit(2).id}
        assert event_ids.is_kept(connection, schema.draft, EVENT, subject, {"note": ""})
        assert not event_ids.is_kept(connection, schema.draft, "00000000-0000-2", subject)
        assert ratings.drafts(connection, desk.rater, desk.unit(2).id)["warm"].note == ""
