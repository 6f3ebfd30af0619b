"""When each rater committed each unit, and how many minutes it took."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from data import schema
from data.importers.imported_ratings import RatingProvenance, add_ratings
from data.importers.report import ImportReport
from data.keeping.verify import verify
from data.labels.rating_durations import RatingMoments, rating_moments
from data.labels.repeated_answers import answered_twice
from data.record import units
from data.store.store import Store
from data.work import ratings
from data.work.worklist import open_worklist
from scoring.drift.periods import day_of
from tests.studies.made_raters import rate, stamp
from tests.studies.planned import plan_for
from tests.studies.small_study import Small, make

NINE = datetime(2026, 3, 2, 9, tzinfo=UTC)
DAY = day_of("2026-03-02T09:00:00.000+00:00")


@pytest.fixture
def planned(store: Store, tmp_path: Path) -> Small:
    small = make(store, tmp_path, conversation_count=8)
    plan_for(small, each=True, raters=small.raters)
    return small


def moments(small: Small) -> RatingMoments:
    with small.store.reading() as connection:
        return rating_moments(connection, small.study)


def work(small: Small, spells: list[tuple[float, float]], rater: int = 0) -> None:
    """Units taken so many minutes after nine, and committed so many minutes later."""
    rng = random.Random(rater)
    with small.store.writing("tests", "rate", small.study.id) as (connection, entry):
        for begun, took in spells:
            assert rate(
                small,
                entry,
                connection,
                small.raters[rater],
                rng,
                NINE + timedelta(minutes=begun),
                took,
                lambda *_: "YES",
            )


def minutes(small: Small) -> list[float | None]:
    return [None if np.isnan(one) else round(float(one), 6) for one in moments(small).minutes]


def test_a_unit_takes_from_the_moment_it_was_given_to_its_commit(planned: Small) -> None:
    work(planned, [(0, 4), (10, 2.5), (0.5 + 24 * 60, 3)])
    durations = moments(planned)
    assert durations.minutes.tolist() == pytest.approx([4, 2.5, 3])
    assert (
        durations.day.tolist() == [DAY, DAY, DAY + 1]
        and durations.rater.tolist() == [planned.raters[0]] * 3
        and len(set(durations.unit.tolist())) == 3
    )
    with planned.store.reading() as connection:
        assert verify(connection).problems == []


def test_more_than_an_hour_is_a_break(planned: Small) -> None:
    work(planned, [(0, 60), (200, 60.1)])
    assert minutes(planned) == [60, None]


def test_what_was_given_before_the_last_commit_counts_from_that_commit(small: Small) -> None:
    """Without a plan nothing is given: the time runs from commit to commit, and that of the first is not
    known.
    """
    desk = small.desk()
    for position in (1, 2):
        desk.draft_all(position)
    with small.store.writing("tests", "commit", small.study.id) as (connection, entry):
        for position, at in ((1, 0), (2, 7)):
            entry.at = stamp(NINE + timedelta(minutes=at))
            ratings.commit(
                entry, open_worklist(connection, small.study, desk.rater), desk.unit(position), f"e{position}"
            )
    assert minutes(small) == [None, 7]


def test_raters_do_not_count_from_each_others_commits(planned: Small) -> None:
    work(planned, [(0, 4), (5, 1)], 0)
    work(planned, [(1, 2), (4, 3)], 1)
    assert minutes(planned) == [4, 1, 2, 3]


def test_a_clock_that_was_set_back_gives_no_time(planned: Small) -> None:
    work(planned, [(60, 4), (0, 1)])
    assert minutes(planned) == [4, None]


def test_practice_and_what_came_again_are_no_units_but_end_a_spell(planned: Small) -> None:
    plan_for(planned, each=True, raters=planned.raters, repeats=0.2)
    rng = random.Random(3)
    with planned.store.writing("tests", "rate", planned.study.id) as (connection, entry):
        for number in range(40):
            if not rate(
                planned,
                entry,
                connection,
                planned.raters[0],
                rng,
                NINE + timedelta(minutes=20 * number),
                5,
                lambda *_: "YES",
            ):
                break
    with planned.store.reading() as connection:
        assert connection.execute(schema.repeat.select()).all(), "something came again"
        pairs = answered_twice(connection, planned.study).pairs
        real = units.ids(connection, planned.study.id)
    assert set(moments(planned).unit.tolist()) == set(real) and minutes(planned) == [5] * 8
    assert pairs and {pair.day for pair in pairs} == {DAY}
    with planned.store.writing("tests", "gold", planned.study.id) as (_, entry):
        entry.write(
            schema.gold_label, {"unit_id": real[0], "criterion": "warm", "label": "YES", "said_by": "E"}
        )
    assert set(moments(planned).unit.tolist()) == set(real[1:])


def test_imported_ratings_have_no_moment_of_their_own(small: Small) -> None:
    report = ImportReport("ratings")
    with small.store.writing("tests", "import", small.study.id) as (connection, entry):
        add_ratings(
            connection,
            entry,
            small.study,
            enumerate(
                [
                    {
                        "conversation_id": "c2",
                        "criterion": "warm",
                        "label": "NO",
                        "rater": "Zed",
                        "at": "2020-01-01",
                    }
                ],
                start=1,
            ),
            report,
            RatingProvenance("blind", "tests"),
        )
        report.raise_if_wrong()
    small.desk().rate(2)
    durations = moments(small)
    assert durations.rater.tolist() == [small.raters[0]] and durations.day.tolist() == [
        day_of(stamp(datetime.now(UTC)))
    ]


def test_nobody_rated_anything(small: Small) -> None:
    found = moments(small)
    assert [len(one) for one in (found.rater, found.unit, found.day, found.minutes)] == [0] * 4
