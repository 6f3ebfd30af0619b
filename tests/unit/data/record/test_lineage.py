"""Studies that continue one another stand in a line: a circle cannot be made, and one that somebody else made
holds nothing up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import Connection, event, func, select

from data import schema
from data.keeping.verify import verify
from data.record import lineage
from data.record.answers import CriterionAnswer
from data.store.errors import Refused
from data.work import exposures, ratings
from data.work.worklist import open_worklist
from tests.studies.small_study import Small
from tests.unit.data.tampering import attacker

FIRST, SECOND, THIRD = 1, 2, 3


@pytest.fixture
def three(make_study: Callable[..., Small]) -> Small:
    """Three studies; the third continues the second, and that the first. The first is given."""
    first, second, third = (make_study(key=key) for key in ("first", "second", "third"))
    for later, earlier in ((second, first), (third, second)):
        with first.store.writing("lead", "go on", later.study.id) as (connection, entry):
            lineage.record_successor(connection, entry, later.study.id, earlier.study.id, None, None)
    return first


@contextmanager
def few_statements(connection: Connection, most: int = 200) -> Iterator[None]:
    """What goes round in a circle for ever ends with an error here."""
    count = 0

    def counted(*_: object) -> None:
        nonlocal count
        count += 1
        assert count < most, "this goes on for ever"

    event.listen(connection, "before_cursor_execute", counted)
    yield
    event.remove(connection, "before_cursor_execute", counted)


@contextmanager
def in_a_circle(path: Path) -> Iterator[Connection]:
    """The store with the first study continuing the third."""
    with attacker(path) as connection:
        connection.exec_driver_sql(
            f"INSERT INTO successor (study_id, of_study_id, at, trail) VALUES ({FIRST}, {THIRD}, 't', 1)"
        )
        yield connection


def test_the_studies_before_are_told_the_nearest_first(three: Small) -> None:
    with three.store.reading() as connection:
        assert [lineage.earlier_studies(connection, study_id) for study_id in (FIRST, SECOND, THIRD)] == [
            [],
            [FIRST],
            [SECOND, FIRST],
        ]


def test_related_studies_are_those_before_and_after_and_those_of_one_study(
    three: Small, make_study: Callable[..., Small]
) -> None:
    sibling, stranger = make_study(key="sibling"), make_study(key="stranger")
    with three.store.writing("lead", "go on", sibling.study.id) as (connection, entry):
        lineage.record_successor(connection, entry, sibling.study.id, FIRST, None, None)
    family = {FIRST, SECOND, THIRD, sibling.study.id}
    with three.store.reading() as connection:
        for study_id in family:
            assert lineage.related_studies(connection, study_id) == sorted(family - {study_id})
        assert lineage.related_studies(connection, stranger.study.id) == []


@pytest.mark.parametrize("of_study", [FIRST, SECOND, THIRD])
def test_a_study_cannot_continue_itself_or_what_continues_it(three: Small, of_study: int) -> None:
    with (
        pytest.raises(Refused, match="study_continues_itself"),
        three.store.writing("lead", "go round", FIRST) as (connection, entry),
    ):
        lineage.record_successor(connection, entry, FIRST, of_study, None, None)
    with three.store.reading() as connection:
        assert connection.execute(select(func.count()).select_from(schema.successor)).scalar() == 2
        assert verify(connection).problems == []


def test_in_a_circle_each_study_is_told_once(three: Small, store_path: Path) -> None:
    with in_a_circle(store_path) as connection, few_statements(connection):
        assert lineage.earlier_studies(connection, THIRD) == [SECOND, FIRST]


def test_what_was_shown_before_a_rating_is_told_in_a_circle_too(three: Small, store_path: Path) -> None:
    """It was asked before every commit, under the store's write lock."""
    with in_a_circle(store_path) as connection, few_statements(connection):
        assert (
            exposures.exposure_now(connection, three.study, three.desk().unit(2), three.raters[0]) == "blind"
        )


def test_a_unit_is_committed_in_a_circle_too(three: Small) -> None:
    desk = three.desk()
    desk.draft_all(2)
    with three.store.writing("somebody", "go round") as (connection, entry):
        entry.write(schema.successor, {"study_id": FIRST, "of_study_id": THIRD})
    with (
        three.store.writing("Ann", "commit", three.study.id) as (connection, entry),
        few_statements(connection),
    ):
        assert (
            ratings.commit(entry, open_worklist(connection, three.study, desk.rater), desk.unit(2), "event-1")
            == 1
        )
    with (
        three.store.writing("Ann", "change", three.study.id) as (connection, entry),
        few_statements(connection),
    ):
        assert ratings.change(
            connection,
            entry,
            three.study,
            desk.unit(2),
            desk.rater,
            "event-2",
            "warm",
            CriterionAnswer(label="NO"),
            "cold",
        )


def test_a_circle_is_named(three: Small, store_path: Path) -> None:
    with in_a_circle(store_path) as connection:
        assert (
            f"study {FIRST} continues itself through study {THIRD}, {SECOND}" in verify(connection).problems
        )


def test_every_circle_is_named_once_and_what_leads_into_it_is_none(store_path: Path, three: Small) -> None:
    with attacker(store_path) as connection:
        connection.exec_driver_sql("DROP TRIGGER successor_no_delete")
        connection.exec_driver_sql("DELETE FROM successor")
        for study_id, of_study_id in ((1, 2), (2, 3), (3, 2), (7, 7), (8, 1), (9, 10)):
            connection.exec_driver_sql(
                f"INSERT INTO successor (study_id, of_study_id, at, trail) VALUES ({study_id}, "
                f"{of_study_id}, 't', 1)"
            )
        assert lineage.find_circles(connection) == [[2, 3], [7]]
