"""Moves toward and away from the judge, by hand."""

from __future__ import annotations

import math

import pytest
from scipy.stats import t

from scoring.agreement.people.anchoring import NO_DIFFERENCE, NO_REVEALS, Reveal, anchoring, move

ORDER = {"1": 1, "2": 2, "3": 3, "4": 4, "5": 5}


def reveal(
    before: str, judge: str, after: str, conversation: int = 1, rater: int = 1, criterion: str = "depth"
) -> Reveal:
    return Reveal(conversation, rater, criterion, before, judge, after)


@pytest.mark.parametrize(
    ("before", "judge", "after", "way"),
    [
        ("1", "4", "1", 0),
        ("1", "4", "2", 1),
        ("1", "4", "4", 1),
        ("2", "4", "1", -1),
        ("2", "3", "4", 0),
        ("3", "3", "2", -1),
        ("3", "3", "3", 0),
        ("1", "3", "5", 0),
        ("2", "3", "5", -1),
        ("NA", "4", "4", 1),
        ("NA", "4", "3", 0),
        ("3", "4", "NA", 0),
        ("4", "4", "NA", -1),
        ("2", "NA", "NA", 1),
        ("NA", "NA", "2", -1),
        ("2", "NA", "3", 0),
        ("NA", "NA", "NA", 0),
    ],
)
def test_on_an_ordered_scale_nearer_is_toward_and_does_not_apply_is_a_kind_of_its_own(
    before: str, judge: str, after: str, way: int
) -> None:
    assert move(reveal(before, judge, after), ORDER) == way


@pytest.mark.parametrize(
    ("before", "judge", "after", "way"),
    [
        ("YES", "NO", "NO", 1),
        ("NO", "NO", "YES", -1),
        ("YES", "NO", "NA", 0),
        ("NO", "NO", "NA", -1),
        ("YES", "NO", "YES", 0),
        ("1", "4", "2", 0),
    ],
)
def test_on_a_nominal_scale_only_becoming_or_ceasing_to_be_the_judges_label_is_a_move(
    before: str, judge: str, after: str, way: int
) -> None:
    assert move(reveal(before, judge, after), {}) == way


def test_the_index_is_toward_less_away_of_all_reveals_and_moves_are_given_of_those_that_differed_too() -> (
    None
):
    result = anchoring(
        [
            reveal("1", "3", "3", 1),
            reveal("3", "3", "3", 1),
            reveal("3", "3", "2", 2),
            reveal("2", "4", "3", 2),
            reveal("2", "3", "4", 3, 2),
            reveal("1", "2", "1", 3, 2),
            reveal("YES", "NO", "NO", 3, 2, "safe"),
        ],
        {"depth": ORDER},
    )
    together = result.together
    assert (
        together.reveals,
        together.differed,
        together.toward,
        together.away,
        together.aside,
        together.changed,
    ) == (7, 5, 3, 1, 1, 5)
    assert (together.index.value, together.followed.value, together.index.n, together.followed.n) == (
        2 / 7,
        3 / 5,
        7,
        5,
    )
    assert (result.by_rater[1].index.value, result.by_rater[2].index.value) == (1 / 4, 1 / 3)
    assert (
        result.by_criterion["depth"].index.value,
        result.by_criterion["safe"].index.value,
        result.by_criterion["safe"].reveals,
    ) == (1 / 6, 1.0, 1)


def test_the_interval_leaves_out_one_conversation_at_a_time() -> None:
    result = anchoring(
        [
            reveal("1", "3", "3", 1),
            reveal("1", "3", "1", 1),
            reveal("1", "3", "3", 2),
            reveal("3", "3", "1", 3),
            reveal("1", "3", "1", 3),
        ],
        {"depth": ORDER},
    )
    without = [0 / 3, 0 / 4, 2 / 3]
    mean = sum(without) / 3
    half = t.ppf(0.975, 2) * math.sqrt(2 / 3 * sum((x - mean) ** 2 for x in without))
    index = result.together.index
    assert index.value == 1 / 5
    assert (index.low, index.high) == (max(-1, 1 / 5 - half), min(1, 1 / 5 + half))
    assert (index.conversations, index.influential_part) == (3, 3)


def test_moves_away_alone_give_a_negative_index() -> None:
    found = anchoring([reveal("3", "3", "1", 1), reveal("3", "3", "3", 2)], {"depth": ORDER}).together
    assert (found.index.value, found.followed.value, found.followed.undefined) == (-0.5, None, NO_DIFFERENCE)
    assert found.index.low is not None and found.index.low >= -1


def test_without_reveals_there_is_a_reason_and_no_zero() -> None:
    found = anchoring([], {})
    assert (
        found.together.index.value,
        found.together.index.undefined,
        dict(found.by_rater),
        dict(found.by_criterion),
    ) == (None, NO_REVEALS, {}, {})


def test_one_conversation_has_an_index_and_no_interval() -> None:
    found = anchoring([reveal("1", "3", "3")], {"depth": ORDER}).together.index
    assert (found.value, found.low) == (1.0, None) and found.no_interval
