"""Units: what a rater reads, and where they stand."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import sqlalchemy as sa

from data import schema
from data.record import studies, units
from data.record.units import Unit
from data.schema.vocabulary import UnitKind
from data.store.errors import NotFound
from data.store.store import Store
from scoring.transcripts import Message
from tests.studies.small_study import SAID, Desk, Small


def window(desk: Desk, around: int, size: int = 60) -> list[tuple[int, int, str]]:
    with desk.store.reading() as connection:
        return units.progress_window(connection, desk.study.id, desk.rater, around, size)


def test_a_unit_is_found_by_id_and_by_position(small: Small) -> None:
    unit = small.desk().unit(2)
    with small.store.reading() as connection:
        assert units.get(connection, unit.id) == unit
        assert units.at_position(connection, small.study.id, 5) is None


def test_what_is_not_there_is_a_sentence(small: Small) -> None:
    with small.store.reading() as connection, pytest.raises(NotFound, match="not_in_study"):
        units.get(connection, 999)


def test_the_transcript_of_a_conversation_is_whole_and_in_order(small: Small) -> None:
    with small.store.reading() as connection:
        found = units.transcript(connection, small.desk().unit(2))
    assert found == [
        Message("user", f"{SAID} 2.0"),
        Message("assistant", "Reply 2.0"),
        Message("user", f"{SAID} 2.1"),
        Message("assistant", "Reply 2.1"),
    ]


def test_the_transcript_of_a_turn_ends_with_the_reply_that_is_rated(sample_store: Store) -> None:
    with sample_store.reading() as connection:
        study = studies.find(connection, "plan_demo")
        assert study is not None
        unit = units.at_position(connection, study.id, 1)
        assert unit is not None
        messages = units.transcript(connection, unit)
    assert unit.message is not None
    assert messages is not None
    assert (len(messages), messages[-1].role) == (unit.message + 1, "assistant")


def test_the_criteria_of_a_turn_are_the_strategies_of_its_plan(sample_store: Store) -> None:
    with sample_store.reading() as connection:
        study = studies.find(connection, "plan_demo")
        assert study is not None
        unit = units.at_position(connection, study.id, 1)
    assert unit is not None
    assert unit.declared
    assert tuple(criterion.id for criterion in unit.criteria(study)) == unit.declared


def test_a_rater_who_did_nothing_stands_at_the_beginning(small: Small) -> None:
    desk = small.desk()
    assert (desk.seat(), desk.state(1), desk.next_open()) == (units.RaterProgress(1, 0, 0), "open", 1)


def test_skipping_is_no_commit_and_can_be_taken_up_again(small: Small) -> None:
    desk = small.desk()
    desk.skip(1)
    assert (desk.state(1), desk.next_open()) == ("skipped", 2)
    with small.store.reading() as connection:
        assert units.next_skipped(connection, desk.rater) == 1
    desk.rate(1)
    with small.store.reading() as connection:
        assert units.next_skipped(connection, desk.rater) is None


def test_a_skipped_unit_that_is_taken_up_again_is_the_next_open_one_until_it_is_committed(
    small: Small,
) -> None:
    desk = small.desk()
    desk.skip(1)
    desk.rate(2)
    assert desk.next_open() == 3
    desk.draft(1, "warm")
    assert desk.next_open() == 1


def test_a_committed_unit_cannot_be_skipped(small: Small) -> None:
    desk = small.desk()
    desk.rate(1)
    desk.skip(1)
    assert desk.state(1) == "committed"


def test_drafts_survive_skipping(small: Small) -> None:
    desk = small.desk()
    desk.draft_all(2)
    desk.skip(2)
    assert desk.commit(2) == 1


def test_one_raters_work_moves_nobody_elses_seat(small: Small) -> None:
    small.desk(0).rate(1)
    assert small.desk(1).seat() == units.RaterProgress(1, 0, 0)


def test_the_window_lists_units_with_this_raters_states(small: Small) -> None:
    desk = small.desk()
    desk.rate(1)
    desk.reveal(1)
    desk.rate(2)
    desk.skip(3)
    small.desk(1).rate(4)
    assert [(position, state) for position, _, state in window(desk, 1)] == [
        (1, "compared"),
        (2, "committed"),
        (3, "skipped"),
        (4, "open"),
    ]


def test_the_window_is_cut_around_its_position(make_study: Callable[..., Small]) -> None:
    desk = make_study(conversation_count=12).desk()
    assert [position for position, _, _ in window(desk, 9, size=6)] == [7, 8, 9, 10, 11, 12]
    assert [position for position, _, _ in window(desk, 1, size=3)] == [1, 2, 3]


@pytest.mark.parametrize("count", [63, 64, 65, 130])
def test_the_frontier_jumps_over_everything_that_was_done_ahead(
    store: Store, make_study: Callable[..., Small], count: int
) -> None:
    desk = make_study(conversation_count=count + 1).desk()
    with store.reading() as connection:
        rows = connection.execute(sa.select(schema.unit).order_by(schema.unit.c.position)).all()
    units_by_position = {
        row.position: Unit(
            row.id, row.study_id, row.conversation_id, UnitKind(row.kind), row.position, None, (), 2
        )
        for row in rows
    }
    with store.writing("tests", "work from the end") as (connection, _):
        for position in range(count, 1, -1):
            units.set_state(connection, desk.rater, units_by_position[position], "committed")
            units.count_commit(connection, desk.study.id, desk.rater)
        assert units.rater_progress(connection, desk.rater).frontier == 1
        units.set_state(connection, desk.rater, units_by_position[1], "committed")
        units.count_commit(connection, desk.study.id, desk.rater)
    assert desk.seat() == units.RaterProgress(count + 1, count, 0)
    assert desk.next_open() == count + 1
