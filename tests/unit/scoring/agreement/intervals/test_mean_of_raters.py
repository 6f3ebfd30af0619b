"""The mean over raters against brute force: leave one conversation out, compute every rater again, take the
mean of those who have a value, each as often as they share units.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.agreement.coefficients.kappa import cohen
from scoring.agreement.coefficients.percent import PERCENT
from scoring.agreement.coefficients.prevalence import PREVALENCE
from scoring.agreement.intervals.jackknife import Statistic
from scoring.agreement.intervals.mean_of_raters import NONE, ONE_PAIR, average
from scoring.agreement.labels.labels import Labels
from scoring.agreement.labels.pairs import LabelPairs, pair_raters, pair_with_judge
from scoring.agreement.labels.rarity import MIN_RARER, too_few
from tests.unit.scoring.agreement.by_hand import jackknife_error, of_a_share, on_fishers_scale

DOMAIN = ("0", "1", "2")
STATISTICS = (PERCENT, cohen("none", 3), cohen("quadratic", 3))


@st.composite
def pairs(draw: st.DrawFn, weighted: bool = False) -> LabelPairs:
    rows = draw(
        st.lists(
            st.tuples(st.integers(0, 3), st.integers(0, 6), st.integers(0, 2), st.integers(0, 2)), max_size=24
        )
    )
    side, part, first, second = np.array(rows, dtype=np.int64).reshape(-1, 4).T
    weight = 0.25 * (1 + part.astype(float)) if weighted else None
    return LabelPairs(DOMAIN, side, np.arange(len(rows)), part, first, second, weight)


def by_hand(statistic: Statistic, label_pairs: LabelPairs) -> float:
    """Of each rater with two pairs or more, from the one table of all of them; each as often as they have
    pairs.
    """
    values, pairs = [], []
    for side in sorted(set(label_pairs.side.tolist())):
        own = label_pairs.where(label_pairs.side == side)
        value = float(statistic.of(own.by_part().sum(axis=0)))
        if len(own) > 1 and not np.isnan(value):
            values.append(value)
            pairs.append(len(own))
    return float(np.average(values, weights=pairs)) if values else float("nan")


def shared_by_hand(label_pairs: LabelPairs) -> int | None:
    """In how many parts two gave a rarer label to a unit; None where two labels are the commonest."""
    weight = np.ones(len(label_pairs)) if label_pairs.weight is None else label_pairs.weight
    amounts = [
        float(weight[label_pairs.first == code].sum() + weight[label_pairs.second == code].sum())
        for code in range(len(DOMAIN))
    ]
    commonest = int(np.argmax(amounts))
    if sorted(amounts)[-2] == amounts[commonest]:
        return None
    return len(
        set(label_pairs.part[(label_pairs.first != commonest) & (label_pairs.second != commonest)].tolist())
    )


@pytest.mark.parametrize("statistic", STATISTICS, ids=lambda statistic: statistic.name)
@given(data=st.data(), weighted=st.booleans())
def test_value_error_and_limits_are_those_of_brute_force(
    statistic: Statistic, data: st.DataObject, weighted: bool
) -> None:
    label_pairs = data.draw(pairs(weighted))
    rater_mean = average(statistic, label_pairs.by_side())
    assert rater_mean.value == pytest.approx(by_hand(statistic, label_pairs), nan_ok=True)
    if np.isnan(rater_mean.value):
        assert rater_mean.estimate().value is None
        return
    without = [
        by_hand(statistic, label_pairs.where(label_pairs.part != part)) for part in rater_mean.parts.tolist()
    ]
    assert rater_mean.without.tolist() == pytest.approx(without, nan_ok=True)
    estimate, count, shared = rater_mean.estimate(), len(without), shared_by_hand(label_pairs)
    if count < 2 or np.isnan(without).any() or shared is None:
        return
    if statistic is not PERCENT and shared < MIN_RARER:
        assert (estimate.low, estimate.error) == (None, None) and str(estimate.no_interval) == too_few(shared)
        return
    error = jackknife_error(without)
    if error < 1e-9:
        return
    low, high = (
        of_a_share(rater_mean.value, error, count, len(label_pairs))
        if statistic is PERCENT
        else on_fishers_scale(rater_mean.value, error, shared - 1)
    )
    assert estimate.error == pytest.approx(error)
    assert estimate.low == pytest.approx(
        min(rater_mean.value, max(statistic.low, low))
    ) and estimate.high == pytest.approx(max(rater_mean.value, min(1.0, high)))


def of(*rows: tuple[int, int, int, int]) -> LabelPairs:
    side, part, first, second = np.array(rows, dtype=np.int64).reshape(-1, 4).T
    return LabelPairs(DOMAIN, side, np.arange(len(rows)), part, first, second)


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
    """Of one pair that differs the formula makes a kappa of 0, which pulls the mean and widens the interval
    for nothing.
    """
    rows = of(
        (1, 1, 0, 1), (1, 2, 1, 1), (2, 1, 0, 0), (2, 2, 1, 1), (2, 3, 0, 0), (2, 4, 1, 0), (2, 5, 1, 1)
    )
    rater_mean = average(cohen("none", 3), rows.by_side())
    assert rater_mean.without[1] == pytest.approx(
        by_hand(cohen("none", 3), rows.where((rows.part != 2) & (rows.side == 2)))
    )


def test_people_among_themselves_are_pairs_of_people() -> None:
    unit, rater = np.repeat(np.arange(6), 3), np.tile(np.arange(3), 6)
    code = np.array([0, 0, 1, 1, 1, 1, 2, 2, 2, 0, 1, 0, 2, 1, 2, 0, 0, 0])
    labels = Labels(DOMAIN, unit, rater, unit, code)
    rater_mean = average(PERCENT, pair_raters(labels).by_side())
    assert len(rater_mean.sides) == 3 and rater_mean.n == 18
    assert rater_mean.value == pytest.approx(
        np.mean(
            [
                (code[0::3] == code[1::3]).mean(),
                (code[0::3] == code[2::3]).mean(),
                (code[1::3] == code[2::3]).mean(),
            ]
        )
    )
    judge = Labels(DOMAIN, np.arange(6), np.zeros(6, dtype=np.int64), np.arange(6), code[0::3])
    assert average(PERCENT, pair_with_judge(labels, judge).by_side()).each.tolist() == pytest.approx(
        [1, 2 / 3, 5 / 6]
    )


def test_what_is_no_agreement_is_averaged_alike() -> None:
    rows = LabelPairs(
        ("YES", "NO"),
        np.array([1, 1, 2, 2]),
        np.arange(4),
        np.arange(4),
        np.array([0, 0, 0, 1]),
        np.array([0, 1, 0, 1]),
    )
    assert average(PREVALENCE, rows.by_side()).value == pytest.approx((0.5 + 0.0) / 2)


def test_a_rater_with_five_careless_labels_does_not_weigh_as_much_as_one_with_fifty() -> None:
    """Ann and Ben agree with the judge on 45 of 50 units each, Cleo on 1 of 5; a plain mean would be 0.67."""
    rows = [
        (rater, unit, unit % 2, unit % 2 if unit >= 5 else 1 - unit % 2)
        for rater in (1, 2)
        for unit in range(50)
    ]
    rows += [(3, unit, 0, 0 if unit == 0 else 1) for unit in range(5)]
    rater_mean = average(PERCENT, of(*rows).by_side())
    assert rater_mean.each.tolist() == pytest.approx([0.9, 0.9, 0.2])
    assert rater_mean.value == pytest.approx((45 + 45 + 1) / 105)
    kappa = average(cohen("none", 3), of(*rows).by_side())
    assert kappa.value == pytest.approx((50 * kappa.each[0] + 50 * kappa.each[1] + 5 * kappa.each[2]) / 105)


def test_what_a_unit_weighs_makes_each_value_and_not_how_often_it_counts() -> None:
    """Pairs are counted: a unit that was drawn with a small chance stands for many, and its rater did not
    work more.
    """
    rows = LabelPairs(
        DOMAIN,
        np.array([1, 1, 2, 2]),
        np.arange(4),
        np.arange(4),
        np.array([0, 0, 0, 0]),
        np.array([0, 1, 0, 0]),
        np.array([3.0, 1.0, 0.5, 0.5]),
    )
    assert average(PERCENT, rows.by_side()).value == pytest.approx((2 * 0.75 + 2 * 1.0) / 4)
