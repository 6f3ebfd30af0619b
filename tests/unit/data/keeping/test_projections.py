"""What is kept beside the record to be looked up quickly is compared with the record, with rater and unit."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from data.keeping.verify import verify
from tests.studies.planned import Worker, plan_for, workers
from tests.studies.small_study import Small
from tests.unit.data.tampering import after


@pytest.fixture
def rated(make_study: Callable[..., Small]) -> Small:
    """Ann committed units 1, 2 and 4, compared unit 2, and began unit 5; she left unit 3 for later. Ben did
    nothing.
    """
    small = make_study(conversation_count=6)
    desk = small.desk()
    for position in (1, 2):
        desk.rate(position)
    desk.reveal(2)
    desk.skip(3)
    desk.rate(4)
    desk.draft(5, "warm")
    assert problems(small) == []
    return small


@pytest.fixture
def planned(make_study: Callable[..., Small]) -> tuple[Small, list[Worker]]:
    """With a plan of two raters for each unit: Ann committed what stands at her place 1, skipped place 2,
    holds and began place 3; place 4 ran out.
    """
    small = make_study(conversation_count=8)
    plan_for(small, overlap=2)
    people = workers(small)
    ann = people[0]
    ann.rate_next()
    second = ann.take()
    assert isinstance(second, int)
    ann.skip(second)
    third = ann.take()
    assert isinstance(third, int)
    ann.draft(third)
    assert problems(small) == []
    return small, people


def problems(small: Small) -> list[str]:
    with small.store.reading() as connection:
        return verify(connection).problems


@pytest.mark.parametrize(
    ("statement", "wrong"),
    [
        ("UPDATE rater_progress SET committed = 2", ["the counters of rater 1 differ from the record"]),
        ("UPDATE rater_progress SET reveals = 0", ["the counters of rater 1 differ from the record"]),
        (
            "UPDATE rater_progress SET rater_id = 2",
            [
                "the counters of rater 1 differ from the record",
                "the counters of rater 2 differ from the record",
                "the place where rater 2 continues is not where their rated units end",
            ],
        ),
        ("DELETE FROM rater_progress", ["the counters of rater 1 differ from the record"]),
        (
            "INSERT INTO rater_progress VALUES (2, 1, 1, 0)",
            ["the counters of rater 2 differ from the record"],
        ),
        *(
            (
                f"UPDATE rater_progress SET frontier = {place}",
                ["the place where rater 1 continues is not where their rated units end"],
            )
            for place in (-1, 0, 1, 2, 4, 6, 7, 1000)
        ),
        (
            "UPDATE rater_progress SET frontier = 'x'",
            ["the place where rater 1 continues is not where their rated units end"],
        ),
    ],
)
def test_a_seat(rated: Small, store_path: Path, statement: str, wrong: list[str]) -> None:
    assert after(store_path, statement).problems == wrong


def test_a_seat_may_stand_at_a_unit_that_was_skipped_since(rated: Small, store_path: Path) -> None:
    assert after(store_path, "UPDATE rater_progress SET frontier = 3").problems == []


@pytest.mark.parametrize(
    ("statement", "wrong"),
    [
        (
            "UPDATE progress SET unit_id = 6 WHERE unit_id = 4",
            [
                "rater 1, unit 6: stands at another place than in the rater's list",
                "rater 1, unit 4: was committed and is not in the rater's list",
            ],
        ),
        (
            "UPDATE progress SET unit_id = 99 WHERE unit_id = 3",
            ["rater 1, unit 99: is not of the rater's study"],
        ),
        (
            "UPDATE progress SET rater_id = 2 WHERE unit_id = 4",
            [
                "the place where rater 1 continues is not where their rated units end",
                "rater 2, unit 4: counts as rated and was not committed",
                "rater 1, unit 4: was committed and is not in the rater's list",
            ],
        ),
        (
            "UPDATE progress SET position = 6 WHERE unit_id = 5",
            ["rater 1, unit 5: stands at another place than in the rater's list"],
        ),
        (
            "UPDATE progress SET position = -5 WHERE unit_id = 5",
            ["rater 1, unit 5: stands at another place than in the rater's list"],
        ),
        (
            "UPDATE progress SET state = 'skipped' WHERE unit_id = 4",
            ["rater 1, unit 4: was committed and does not count as rated"],
        ),
        (
            "UPDATE progress SET state = 'begun' WHERE unit_id = 1",
            [
                "the place where rater 1 continues is not where their rated units end",
                "rater 1, unit 1: was committed and does not count as rated",
            ],
        ),
        (
            "UPDATE progress SET state = 'committed' WHERE unit_id = 2",
            ["rater 1, unit 2: was revealed and does not count as compared"],
        ),
        (
            "UPDATE progress SET state = 'compared' WHERE unit_id = 4",
            ["rater 1, unit 4: counts as compared and no reveal is recorded"],
        ),
        (
            "UPDATE progress SET state = 'committed' WHERE unit_id = 5",
            [
                "the place where rater 1 continues is not where their rated units end",
                "rater 1, unit 5: counts as rated and was not committed",
            ],
        ),
        (
            "UPDATE progress SET state = 'begun' WHERE unit_id = 3",
            [
                "the place where rater 1 continues is not where their rated units end",
                "rater 1, unit 3: counts as begun and nothing of it was saved",
            ],
        ),
        (
            "UPDATE progress SET state = 'done' WHERE unit_id = 5",
            ["rater 1, unit 5: stands in no state that there is"],
        ),
        (
            "DELETE FROM progress WHERE unit_id = 5",
            ["rater 1, unit 5: was begun and is not in the rater's list"],
        ),
        (
            "DELETE FROM progress WHERE unit_id = 4",
            [
                "the place where rater 1 continues is not where their rated units end",
                "rater 1, unit 4: was committed and is not in the rater's list",
            ],
        ),
        (
            "INSERT INTO progress VALUES (2, 1, 1, 'begun')",
            ["rater 2, unit 1: counts as begun and nothing of it was saved"],
        ),
        (
            "INSERT INTO progress VALUES (2, 1, 1, 'committed')",
            ["rater 2, unit 1: counts as rated and was not committed"],
        ),
    ],
)
def test_where_a_rater_stands_without_a_plan(
    rated: Small, store_path: Path, statement: str, wrong: list[str]
) -> None:
    found = after(store_path, statement).problems
    assert [problem for problem in found if problem in wrong] == wrong
    assert [problem for problem in found if problem not in wrong and "the place where" not in problem] == []


@pytest.mark.parametrize(
    ("statement", "wrong"),
    [
        (
            "UPDATE progress SET state = 'begun' WHERE state = 'skipped'",
            "counts as begun and nothing of it was saved",
        ),
        (
            "UPDATE progress SET state = 'skipped' WHERE state = 'begun'",
            "was taken up again and counts as skipped",
        ),
        (
            "UPDATE progress SET position = 9 WHERE state = 'begun'",
            "stands at another place than in the rater's list",
        ),
        ("UPDATE progress SET position = position + 1", "stands at another place than in the rater's list"),
        ("DELETE FROM progress WHERE state = 'skipped'", "was given and is not in the rater's list"),
        (
            "INSERT INTO progress SELECT 2, id, position, 'skipped' FROM unit WHERE position = 1",
            "is not in the rater's list",
        ),
    ],
)
def test_where_a_rater_stands_with_a_plan(
    planned: tuple[Small, list[Worker]], store_path: Path, statement: str, wrong: str
) -> None:
    assert any(
        problem.startswith("rater ") and problem.endswith(wrong)
        for problem in after(store_path, statement).problems
    )


def test_a_unit_of_another_study_is_no_ones_work(
    rated: Small, make_study: Callable[..., Small], store_path: Path
) -> None:
    make_study(key="another")
    assert after(store_path, "UPDATE progress SET unit_id = 7 WHERE unit_id = 3").problems == [
        "rater 1, unit 7: is not of the rater's study"
    ]


def test_a_walk_that_lies_behind_a_unit_which_only_others_had_is_named(
    planned: tuple[Small, list[Worker]], store_path: Path
) -> None:
    """Ben has had the first units, and Ann has not: hers may not lie behind them because his list holds
    them.
    """
    small, (ann, ben) = planned
    ben.rate_all()
    assert problems(small) == []
    behind = f"INSERT INTO rater_cursor VALUES ({ann.rater}, 8) ON CONFLICT DO UPDATE SET place = 8"
    assert after(store_path, behind).problems == [
        f"rater {ann.rater} has passed over units that they could still be given"
    ]


@pytest.mark.parametrize(
    "statement", ["UPDATE rater_cursor SET place = 'x'", "UPDATE rater_cursor SET place = x'ff'"]
)
def test_a_walk_that_has_come_to_no_place_is_named(
    planned: tuple[Small, list[Worker]], store_path: Path, statement: str
) -> None:
    assert (
        "rater 1 has passed over units that they could still be given"
        in after(store_path, statement).problems
    )


def test_what_was_done_before_the_first_plan_stands_in_the_lists_as_it_was(rated: Small) -> None:
    plan_for(rated, overlap=2)
    assert problems(rated) == []
    for worker in workers(rated):
        worker.rate_all()
        assert problems(rated) == []
