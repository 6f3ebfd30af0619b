"""A rater is set aside and taken back: append-only, with a name and a reason each time, in the trail."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import select

from data import schema
from data.keeping.verify import verify
from data.record.adoptions import NAME_LIMIT
from data.record.set_aside import ERASED, SetAside, raters_set_aside, set_aside_history, set_rater_aside
from data.store import content
from data.store.errors import Refused
from data.store.free_text import NOTE_LIMIT
from data.store.store import Store
from tests.studies import small_study
from tests.studies.small_study import Small


def put(
    small: Small, number: int = 0, by: str = "Dr Lee", reason: str = "in training", *, back: bool = False
) -> None:
    with small.store.writing("Dr Lee", "set a rater aside", small.study.id) as (connection, entry):
        set_rater_aside(connection, entry, small.study, small.raters[number], by, reason, back=back)


def now(small: Small) -> dict[int, str]:
    with small.store.reading() as connection:
        return raters_set_aside(connection, small.study.id)


def history(small: Small) -> list[SetAside]:
    with small.store.reading() as connection:
        return set_aside_history(connection, small.study.id)


def test_set_aside_and_taken_back_every_step_stays(small: Small) -> None:
    ann, ben = small.raters
    assert now(small) == {}
    put(small, reason="  in training until May ")
    put(small, 1, "Dr Ray", "did not read the manual")
    assert now(small) == {ann: "in training until May", ben: "did not read the manual"}
    put(small, by=" Dr Ray ", reason="the training is over", back=True)
    assert now(small) == {ben: "did not read the manual"}
    put(small, reason="again")
    assert now(small) == {ann: "again", ben: "did not read the manual"}
    assert [(step.rater_id, step.back, step.by, step.reason) for step in history(small)] == [
        (ann, False, "Dr Lee", "in training until May"),
        (ben, False, "Dr Ray", "did not read the manual"),
        (ann, True, "Dr Ray", "the training is over"),
        (ann, False, "Dr Lee", "again"),
    ]
    assert [step.at for step in history(small)] == sorted(step.at for step in history(small))


def test_every_step_is_an_entry_of_the_trail_and_nothing_that_they_rated_is_changed(small: Small) -> None:
    desk = small.desk()
    desk.rate(2)
    given = desk.ratings(2)
    put(small)
    put(small, reason="back again", back=True)
    with small.store.reading() as connection:
        entries = connection.execute(
            select(schema.trail.c.actor, schema.trail.c.action).order_by(schema.trail.c.seq.desc()).limit(2)
        ).all()
        assert [tuple(entry) for entry in entries] == [("Dr Lee", "set a rater aside")] * 2
        assert verify(connection).problems == []
    assert desk.ratings(2) == given


@pytest.mark.parametrize(
    ("by", "reason", "says"),
    [
        (" ", "in training", "name_of_who_counts"),
        ("Dr Lee", " \n", "set_aside_needs_reason"),
        ("x" * (NAME_LIMIT + 1), "why", "text_too_long"),
        ("Dr Lee", "x" * (NOTE_LIMIT + 1), "text_too_long"),
    ],
)
def test_without_a_name_or_a_reason_of_some_length_it_is_refused(
    small: Small, by: str, reason: str, says: str
) -> None:
    with pytest.raises(Refused, match=says):
        put(small, by=by, reason=reason)
    assert now(small) == {} and history(small) == []


def test_what_is_so_already_is_refused(small: Small) -> None:
    with pytest.raises(Refused, match="rater_counts_already"):
        put(small, back=True)
    put(small)
    with pytest.raises(Refused, match="set_aside_already"):
        put(small)
    put(small, back=True)
    with pytest.raises(Refused, match="rater_counts_already"):
        put(small, back=True)
    assert len(history(small)) == 2


def test_somebody_of_another_study_is_refused_and_in_no_list(store: Store, tmp_path: Path) -> None:
    one, other = small_study.make(store, tmp_path), small_study.make(store, tmp_path, key="other")
    with store.writing("Dr Lee", "set a rater aside", one.study.id) as (connection, entry):
        for rater in (other.raters[0], 10**6):
            with pytest.raises(Refused, match="rater_elsewhere"):
                set_rater_aside(connection, entry, one.study, rater, "Dr Lee", "why")
    put(one)
    assert now(other) == {} and history(other) == []


def test_where_the_reason_was_erased_it_says_so_and_they_stay_set_aside(small: Small) -> None:
    put(small)
    with small.store.writing("Dr Lee", "erase", small.study.id) as (connection, entry):
        number = connection.execute(select(schema.set_aside.c.reason_content)).scalar_one()
        content.erase(entry, connection, number, "asked for")
    assert now(small) == {small.raters[0]: ERASED}
    with small.store.reading() as connection:
        assert verify(connection).problems == []
