"""How steady raters are, by hand and against another program."""

from __future__ import annotations

import math
import random

import pytest
from sklearn.metrics import cohen_kappa_score

from scoring.agreement.people.compare import ONE_PAIR
from scoring.agreement.people.repeats import ALL_ONE, NO_REPEATS, RepeatedAnswer, repeats

DOMAINS = {"warm": ["YES", "NO"], "depth": ["1", "2", "3", "NA"]}


def again(
    first: str, second: str, conversation: int = 1, rater: int = 1, criterion: str = "warm"
) -> RepeatedAnswer:
    return RepeatedAnswer(conversation, rater, criterion, first, second)


def test_same_of_pairs_per_rater_and_together() -> None:
    result = repeats(
        [
            again("YES", "YES", 1),
            again("NO", "YES", 2),
            again("NO", "NO", 3),
            again("1", "3", 1, 2, "depth"),
            again("NA", "NA", 2, 2, "depth"),
        ],
        DOMAINS,
    )
    assert (result.together.same, result.together.pairs, result.together.percent.value) == (3, 5, 3 / 5)
    assert (result.by_rater[1].same, result.by_rater[1].pairs, result.by_rater[2].percent.value) == (
        2,
        3,
        1 / 2,
    )
    assert result.by_criterion["depth"].pairs == 2
    low, high = result.together.percent.low, result.together.percent.high
    assert low is not None and high is not None and 0 <= low < 3 / 5 < high <= 1


def test_of_one_criterion_kappa_is_cohens() -> None:
    chance = random.Random(3)
    pairs = []
    for number in range(60):
        first = chance.choice("123")
        pairs.append(
            again(first, first if chance.random() < 0.7 else chance.choice("123"), number % 20, 1, "depth")
        )
    kappa = repeats(pairs, DOMAINS).by_rater[1].kappa
    assert kappa.value == pytest.approx(
        cohen_kappa_score([p.first for p in pairs], [p.second for p in pairs])
    )
    assert kappa.value is not None and kappa.low is not None and kappa.high is not None
    assert kappa.low < kappa.value < kappa.high


def test_that_criteria_differ_is_no_agreement() -> None:
    """Always YES on one and always 1 on the other: one table of both would give a kappa of 1."""
    pairs = [again("YES", "YES", number) for number in range(9)] + [
        again("1", "1", number, 1, "depth") for number in range(9)
    ]
    found = repeats(pairs, DOMAINS).together
    assert (found.percent.value, found.kappa.value, found.kappa.undefined) == (1.0, None, ALL_ONE)


def test_expected_and_observed_add_up_over_criteria() -> None:
    pairs = [
        again("YES", "YES", 1),
        again("NO", "NO", 2),
        again("YES", "NO", 3),
        again("1", "1", 1, 1, "depth"),
        again("2", "1", 2, 1, "depth"),
    ]
    observed, expected = 1 + 1, (3 - (2 * 1 + 1 * 2) / 3) + (2 - (1 * 2) / 2)
    assert repeats(pairs, DOMAINS).together.kappa.value == pytest.approx(1 - observed / expected)


def test_all_the_same_is_no_certain_one() -> None:
    found = repeats(
        [again("YES" if n % 2 else "NO", "YES" if n % 2 else "NO", n) for n in range(8)], DOMAINS
    ).together
    assert (found.percent.value, found.percent.high, found.kappa.value) == (1.0, 1.0, 1.0)
    assert found.percent.low == pytest.approx(math.pow(0.025, 1 / 8)) and found.kappa.low == found.percent.low


@pytest.mark.parametrize(
    ("pairs", "percent", "kappa"), [([], NO_REPEATS, NO_REPEATS), ([again("YES", "NO")], None, ONE_PAIR)]
)
def test_too_few_repeats_have_a_reason(pairs: list[RepeatedAnswer], percent: str | None, kappa: str) -> None:
    found = repeats(pairs, DOMAINS).together
    assert (found.percent.undefined, found.kappa.undefined, found.kappa.value) == (percent, kappa, None)


def test_a_label_outside_the_scale_is_refused() -> None:
    with pytest.raises(ValueError, match="'MAYBE' is not on this scale"):
        repeats([again("YES", "MAYBE"), again("YES", "YES")], DOMAINS)
