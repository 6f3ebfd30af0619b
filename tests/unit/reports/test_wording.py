"""What figures are called in words."""

from __future__ import annotations

import pytest

from reports.wording import (
    agreement_change,
    agreement_share,
    average_levels,
    describe_time,
    levels_away,
    signed_points,
)
from scoring.agreement.intervals.estimate import Estimate
from scoring.agreement.people.rounds import RoundLabel, change, pairwise


@pytest.mark.parametrize(
    ("difference", "digits", "words"),
    [
        (0.04, 0, "+4"),
        (-0.04, 0, "-4"),
        (0.0, 0, "0"),
        (0.004, 0, "0"),
        (-0.004, 0, "0"),
        (0.004, 1, "+0.4"),
        (1.0, 0, "+100"),
    ],
)
def test_points_have_a_sign_unless_they_are_nothing(difference: float, digits: int, words: str) -> None:
    assert signed_points(difference, digits) == words


def labels_of_two(conversations: int, other: str) -> list[RoundLabel]:
    """Two raters on a unit of each conversation: the first says YES, the other `other`."""
    return [
        RoundLabel(number, number, "a", rater, label)
        for number in range(conversations)
        for rater, label in ((1, "YES"), (2, other))
    ]


@pytest.mark.parametrize(
    ("conversations", "words"),
    [
        (0, "cannot be estimated: nothing was labelled by two raters"),
        (1, "+100 points (no interval: one conversation can't show how much this varies)"),
        (
            4,
            "+100 points (no interval: every conversation changed alike, so how much this varies can't "
            "be estimated)",
        ),
    ],
)
def test_a_change_of_a_round_without_an_interval_says_why(conversations: int, words: str) -> None:
    before, after = labels_of_two(conversations, "NO"), labels_of_two(conversations, "YES")
    assert agreement_change(change(before, after)) == words


def test_a_share_of_a_round_without_an_interval_says_why() -> None:
    assert agreement_share(pairwise(labels_of_two(1, "YES"))) == (
        "1 of 1, 100% (no interval: one conversation can't show how much this varies)"
    )
    assert agreement_share(pairwise([])) == "cannot be estimated: nothing was labelled by two raters"


def test_limits_of_a_share_and_of_a_change_stand_beside_them() -> None:
    mixed = [*labels_of_two(3, "YES"), *(label for label in labels_of_two(6, "NO") if label.conversation > 2)]
    share, difference = pairwise(mixed), change(mixed, labels_of_two(6, "YES"))
    assert share.low is not None and difference.low is not None
    assert agreement_share(share).startswith("3 of 6, 50% (") and " to " in agreement_share(share)
    assert agreement_change(difference).startswith("+50 points (") and agreement_change(difference).endswith(
        ")"
    )


@pytest.mark.parametrize(
    ("minutes", "units_left", "words"),
    [
        (None, 10, ""),
        (4.2, None, "about 4 min each"),
        (4.2, 0, "about 4 min each"),
        (0.3, 2, "about 1 min of work left, under a minute each"),
        (0.9, 5, "about 4 min of work left, about 1 min each"),
        (2.0, 12, "about 25 min of work left, about 2 min each"),
        (4.0, 15, "about 1 hour of work left, about 4 min each"),
        (4.0, 22, "about 1.5 hours of work left, about 4 min each"),
        (4.0, 180, "about 12 hours of work left, about 4 min each"),
        (6.0, 1000, "about 100 hours of work left, about 6 min each"),
    ],
)
def test_what_is_left_is_said_as_coarsely_as_it_is_known(
    minutes: float | None, units_left: int | None, words: str
) -> None:
    assert describe_time(minutes, units_left) == words


@pytest.mark.parametrize(
    ("bias", "words"),
    [
        (Estimate(0.354, 9, "m", low=0.14, high=0.56), "on average 0.35 levels above them (0.14 to 0.56)"),
        (
            Estimate(-0.354, 9, "m", low=-0.56, high=-0.14),
            "on average 0.35 levels below them (0.14 to 0.56)",
        ),
        (
            Estimate(-0.354, 9, "m", low=-0.81, high=0.1),
            "on average 0.35 levels below them (0.10 above to 0.81 below)",
        ),
        (
            Estimate(0.354, 9, "m", low=-0.1, high=0.81, conversations=4),
            "on average 0.35 levels above them (0.10 below to 0.81 above, too little data to rely on)",
        ),
        (Estimate(-0.354, 9, "m", low=-0.71, high=0.001), "on average 0.35 levels below them (0.00 to 0.71)"),
        (
            Estimate(-0.004, 9, "m", low=-0.1, high=0.1),
            "on average 0.00 levels away from them (0.10 below to 0.10 above)",
        ),
        (
            Estimate(0.0, 9, "m", no_interval="nothing varies"),
            "on average 0.00 levels away from them (no interval: nothing varies)",
        ),
        (Estimate(None, 0, "m", undefined="no pair"), ""),
    ],
)
def test_a_mean_difference_has_a_way_where_it_is_not_nothing(bias: Estimate, words: str) -> None:
    assert average_levels(bias) == words


@pytest.mark.parametrize(
    "levels, words",
    [
        (1.62, "1.62 levels above"),
        (-0.07, "0.07 levels below"),
        (1.0, "1.00 level above"),
        (-1.0, "1.00 level below"),
        (1.004, "1.00 level above"),
        (0.004, "no levels"),
        (-0.004, "no levels"),
    ],
)
def test_a_lean_says_how_far_and_which_way(levels: float, words: str) -> None:
    assert levels_away(levels) == words
