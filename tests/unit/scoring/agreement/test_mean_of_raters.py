"""The mean over raters against brute force: leave one conversation out, compute every rater again, take the mean of those who have a value."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t

from scoring.agreement.jackknife import Statistic
from scoring.agreement.kappa import cohen
from scoring.agreement.labels import Labels
from scoring.agreement.mean_of_raters import NONE, ONE_PAIR, average, difference
from scoring.agreement.pairs import Pairs, among, beside
from scoring.agreement.percent import PERCENT
from scoring.agreement.prevalence import PREVALENCE

DOMAIN = ("0", "1", "2")
STATISTICS = (PERCENT, cohen("none", 3), cohen("quadratic", 3))


@st.composite
def pairs(draw: st.DrawFn, weighted: bool = False) -> Pairs:
    rows = draw(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 6), st.integers(0, 2), st.integers(0, 2)), max_size=24))
    side, part, first, second = np.array(rows, dtype=np.int64).reshape(-1, 4).T
    weight = 0.25 * (1 + part.astype(float)) if weighted else None
    return Pairs(DOMAIN, side, np.arange(len(rows)), part, first, second, weight)


def by_hand(statistic: Statistic, found: Pairs) -> float:
    """Of each rater with two pairs or more, from the one table of all of them."""
    values = []
    for side in sorted(set(found.side.tolist())):
        own = found.where(found.side == side)
        value = float(statistic.of(own.by_part().sum(axis=0)))
        if len(own) > 1 and not np.isnan(value):
            values.append(value)
    return float(np.mean(values)) if values else float("nan")


@pytest.mark.parametrize("statistic", STATISTICS, ids=lambda one: one.name)
@given(data=st.data(), weighted=st.booleans())
def test_value_and_jackknife_are_those_of_brute_force(statistic: Statistic, data: st.DataObject, weighted: bool) -> None:
    found = data.draw(pairs(weighted))
    made = average(statistic, found.by_side())
    assert made.value == pytest.approx(by_hand(statistic, found), nan_ok=True)
    if np.isnan(made.value):
        assert made.estimate().value is None
        return
    without = [by_hand(statistic, found.where(found.part != part)) for part in made.parts.tolist()]
    assert made.without.tolist() == pytest.approx(without, nan_ok=True)
    estimate = made.estimate()
    if estimate.low is None or "all agree" in estimate.method or np.isnan(without).any():
        return
    count = len(without)
    error = float(np.sqrt((count - 1) / count * ((np.array(without) - np.mean(without)) ** 2).sum()))
    assert estimate.low == pytest.approx(max(statistic.low, made.value - t.ppf(0.975, count - 1) * error))
    assert estimate.high == pytest.approx(min(1.0, made.value + t.ppf(0.975, count - 1) * error))


@given(first=pairs(), second=pairs())
def test_a_difference_leaves_the_same_conversation_out_of_both(first: Pairs, second: Pairs) -> None:
    one, two = average(PERCENT, first.by_side()), average(PERCENT, second.by_side())
    found = difference(one, two, "difference")
    if np.isnan(one.value) or np.isnan(two.value):
        assert found.value is None and found.undefined
        return
    assert found.value == pytest.approx(one.value - two.value) and found.n == len(first) + len(second)
    parts = sorted({*first.part.tolist(), *second.part.tolist()})
    without = np.array([by_hand(PERCENT, first.where(first.part != part)) - by_hand(PERCENT, second.where(second.part != part)) for part in parts])
    assert found.conversations == len(parts)
    if found.low is not None:
        error = float(np.sqrt((len(parts) - 1) / len(parts) * ((without - without.mean()) ** 2).sum()))
        assert found.low == pytest.approx(max(-2.0, found.value - t.ppf(0.975, len(parts) - 1) * error))
    else:
        assert len(parts) < 2 or np.isnan(without).any() or np.ptp(without) < 1e-9


def of(*rows: tuple[int, int, int, int]) -> Pairs:
    side, part, first, second = np.array(rows, dtype=np.int64).reshape(-1, 4).T
    return Pairs(DOMAIN, side, np.arange(len(rows)), part, first, second)


def test_nobody_and_one_pair_each_say_why_there_is_nothing() -> None:
    kappa = cohen("none", 3)
    assert average(kappa, of().by_side()).estimate().undefined == NONE
    assert average(kappa, of((1, 1, 0, 0), (2, 1, 0, 1)).by_side()).estimate().undefined == ONE_PAIR


def test_of_how_many_raters_it_is_the_mean_stands_in_the_method() -> None:
    rows = of((1, 1, 0, 0), (1, 2, 1, 1), (1, 3, 1, 0), (2, 1, 0, 0), (2, 2, 0, 0))
    found = average(cohen("none", 3), rows.by_side()).estimate()
    assert found.method == "kappa, mean of 1 of 2" and found.n == 5
    assert found.value == pytest.approx(1 - (1 / 3) / (1 - (1 / 3 * 2 / 3 + 2 / 3 * 1 / 3)))


def test_a_rater_left_with_one_pair_has_no_value_any_more() -> None:
    """Of one pair that differs the formula makes a kappa of 0, which pulls the mean and widens the interval for nothing."""
    rows = of((1, 1, 0, 1), (1, 2, 1, 1), (2, 1, 0, 0), (2, 2, 1, 1), (2, 3, 0, 0), (2, 4, 1, 0), (2, 5, 1, 1))
    made = average(cohen("none", 3), rows.by_side())
    assert made.without[1] == pytest.approx(by_hand(cohen("none", 3), rows.where((rows.part != 2) & (rows.side == 2))))


def test_people_among_themselves_are_pairs_of_people() -> None:
    unit, rater = np.repeat(np.arange(6), 3), np.tile(np.arange(3), 6)
    code = np.array([0, 0, 1, 1, 1, 1, 2, 2, 2, 0, 1, 0, 2, 1, 2, 0, 0, 0])
    labels = Labels(DOMAIN, unit, rater, unit, code)
    made = average(PERCENT, among(labels).by_side())
    assert len(made.sides) == 3 and made.n == 18
    assert made.value == pytest.approx(np.mean([(code[0::3] == code[1::3]).mean(), (code[0::3] == code[2::3]).mean(), (code[1::3] == code[2::3]).mean()]))
    judge = Labels(DOMAIN, np.arange(6), np.zeros(6, dtype=np.int64), np.arange(6), code[0::3])
    assert average(PERCENT, beside(labels, judge).by_side()).each.tolist() == pytest.approx([1, 2 / 3, 5 / 6])


def test_what_is_no_agreement_is_averaged_alike() -> None:
    rows = Pairs(("YES", "NO"), np.array([1, 1, 2, 2]), np.arange(4), np.arange(4), np.array([0, 0, 0, 1]), np.array([0, 1, 0, 1]))
    assert average(PREVALENCE, rows.by_side()).value == pytest.approx((0.5 + 0.0) / 2)
