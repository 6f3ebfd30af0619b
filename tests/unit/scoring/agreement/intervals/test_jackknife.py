"""The interval against leaving out each conversation by hand; what there is no interval for, and why."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta

from scoring.agreement.coefficients.percent import PERCENT
from scoring.agreement.coefficients.prevalence import PREVALENCE
from scoring.agreement.intervals.estimate import Estimate
from scoring.agreement.intervals.jackknife import ALIKE, ONE, RESTS_ON_ONE, jackknife
from scoring.agreement.labels.rarity import MIN_RARER, too_few
from tests.unit.scoring.agreement.by_hand import (
    AMOUNTS,
    COEFFICIENTS,
    SHARES,
    jackknife_error,
    of_a_share,
    on_fishers_scale,
    rarer_conversations,
    symmetric,
    weight_in,
)
from tests.unit.scoring.agreement.drawn import (
    ALL,
    PAIRED,
    SPREADS,
    Drawn,
    Rows,
    drawn,
    estimate,
    labels_of,
    shuffle,
    units_of_two,
    weighing,
)

pytestmark = pytest.mark.filterwarnings("error")
CHANCE_TOO = {
    name for name in ALL if name not in PAIRED and name != "agreeing" and not name.startswith("alpha")
}  # read chance off units with one label too


def taking_part(sample: Drawn, name: str) -> tuple[list[int], list[int]]:
    """The conversations that the statistic reads, and those with a unit that two people labelled."""
    given_to = {
        part: [
            sum(label is not None for label in row)
            for row, at in zip(sample.rows, sample.parts, strict=True)
            if at == part
        ]
        for part in sample.parts
    }
    paired = sorted(part for part, numbers in given_to.items() if max(numbers) > 1)
    return sorted(
        part for part, numbers in given_to.items() if max(numbers) > 0
    ) if name in CHANCE_TOO else paired, paired


@given(
    drawn(),
    st.sampled_from(sorted(ALL)),
    st.one_of(st.none(), st.lists(st.integers(1, 9), min_size=16, max_size=16)),
)
def test_it_is_what_leaving_out_each_conversation_gives(
    sample: Drawn, name: str, weight: list[int] | None
) -> None:
    def computed(chosen: list[int]) -> float | None:
        """From scratch, as if there were only these units."""
        if not chosen:
            return None
        labels = labels_of([sample.rows[at] for at in chosen], sample.k)
        return estimate(
            name, labels if weight is None else weighing(labels, [weight[at] for at in chosen]), sample.raters
        ).value

    result = estimate(
        name, sample.labels if weight is None else weighing(sample.labels, weight), sample.raters
    )
    everything = list(range(len(sample.rows)))
    read, paired = taking_part(sample, name)
    without = [computed([at for at in everything if sample.parts[at] != part]) for part in read]
    whole = computed(everything)
    rarer = rarer_conversations(sample, weight_in(name, weight))
    shared = len(rarer[1]) if rarer is not None else 0
    assert result.value == (None if whole is None else pytest.approx(whole, abs=1e-9))
    assert result.conversations == len(paired)
    if whole is None:
        assert result.undefined and result.low is None
    elif len(read) < 2:
        assert (result.low, result.no_interval) == (None, ONE)
    elif None in without:
        assert (result.low, result.no_interval, result.influence) == (None, RESTS_ON_ONE, 1.0)
    elif name in COEFFICIENTS and rarer is None:
        return  # two labels are the commonest: rounding says which of them is the rarer
    elif name in COEFFICIENTS and shared < MIN_RARER:
        assert (result.low, result.error, result.no_interval) == (None, None, too_few(shared))
    else:
        spread = np.array(without, dtype=float)
        squares = (spread - spread.mean()) ** 2
        if squares.sum() < 1e-20:
            assert result.no_interval == ALIKE or "Clopper-Pearson" in result.method
        elif squares.sum() > 1e-16:  # between the two, rounding decides
            error = jackknife_error(spread.tolist())
            low, high = limits_of(name, whole, error, len(paired), units_of_two(sample.labels), shared)
            assert result.low == pytest.approx(min(whole, max(low, lowest(name))), abs=1e-6)
            assert result.high == pytest.approx(max(whole, min(1.0, high)), abs=1e-6)
            assert result.influence == pytest.approx(squares.max() / squares.sum(), rel=1e-4)
            assert result.error == pytest.approx(error, abs=1e-6)


def limits_of(
    name: str, value: float, error: float, conversations: int, units: int, shared: int
) -> tuple[float, float]:
    if name in SHARES:
        return of_a_share(value, error, conversations, units)
    if name in AMOUNTS:
        return symmetric(value, error, conversations - 1)
    return on_fishers_scale(value, error, shared - 1)


def test_the_standard_error_is_that_of_the_formula_where_the_interval_is_cut_short() -> None:
    """|a - d| / n of 9, 10 and 1 - 9 of 10, 10 and 20: without each of them 2/30, 1/30 and 19/20; the
    interval ends at 0 and at 1.
    """
    tables = np.array([[[9, 1], [0, 0]], [[10, 0], [0, 0]], [[1, 9], [1, 9]]], dtype=float)
    estimate = jackknife(PREVALENCE, tables, 40)
    error = jackknife_error([2 / 30, 1 / 30, 19 / 20])
    assert estimate.value == pytest.approx(11 / 40) and estimate.error == pytest.approx(error, abs=1e-12)
    assert (
        symmetric(11 / 40, error, 2)[0] < 0
        and symmetric(11 / 40, error, 2)[1] > 1
        and (estimate.low, estimate.high) == (0, 1)
    )


def test_a_share_is_never_cut_short_and_has_the_standard_error_too() -> None:
    """9 of 10, 10 of 10 and 2 of 20 alike: without each of them 12/30, 11/30 and 19/20."""
    estimate = jackknife(
        PERCENT, np.array([[[9, 1], [0, 0]], [[10, 0], [0, 0]], [[1, 9], [9, 1]]], dtype=float), 40
    )
    error = jackknife_error([12 / 30, 11 / 30, 19 / 20])
    assert estimate.error == pytest.approx(error, abs=1e-12)
    assert (
        (estimate.low, estimate.high) == pytest.approx(of_a_share(21 / 40, error, 3, 40))
        and (estimate.low or 0.0) > 0
        and (estimate.high or 1.0) < 1
    )


@pytest.mark.parametrize("rows", [[[0, 0], [1, 1]] * 3, [[0, 1], [1, 0]] * 3, [[0, 0]]])
def test_without_an_interval_made_of_it_there_is_no_standard_error(rows: Rows) -> None:
    found = estimate("percent", labels_of(rows, 2, [at // 2 for at in range(len(rows))]), 2)
    assert found.value is not None and found.error is None


def lowest(name: str) -> float:
    return 0.0 if name in ("percent", "agreeing", "prevalence", "bias") else -1.0


@given(drawn(), st.sampled_from(sorted(ALL)))
def test_no_number_is_ever_infinite_or_not_a_number_and_no_interval_passes_1(
    sample: Drawn, name: str
) -> None:
    sound(estimate(name, sample.labels, sample.raters))


def sound(found: Estimate) -> None:
    for number in (found.value, found.low, found.high, found.influence):
        assert number is None or math.isfinite(number)
    if found.low is not None and found.high is not None and found.value is not None:
        assert found.low <= found.value <= found.high <= 1
    assert (found.low is None) == bool(found.undefined or found.no_interval)


# Two conversations of two units each, in which two people differ once in each; and more of the kind below

SPLIT: Rows = [[0, 0], [1, 0], [1, 1], [0, 1]]
AGREEING_TWICE: Rows = [[0, 0], [1, 1]]


@pytest.mark.parametrize("name", sorted(set(ALL) - {"prevalence", "bias"}))
@pytest.mark.parametrize("conversations", [2, 5, 40])
def test_where_all_agree_the_interval_is_that_of_so_many_conversations_without_a_miss(
    name: str, conversations: int
) -> None:
    rows = AGREEING_TWICE * conversations
    result = estimate(name, labels_of(rows, 2, [at // 2 for at in range(len(rows))]), 2)
    if (
        name in COEFFICIENTS and conversations < MIN_RARER
    ):  # both labels are in every conversation, so that each is one of the rarer
        assert (result.low, result.no_interval) == (None, too_few(conversations))
        assert result.value == pytest.approx(1)
        return
    assert (result.high, result.conversations) == (result.value, conversations)
    assert result.value == pytest.approx(1)
    assert result.low == pytest.approx(beta.ppf(0.025, conversations, 1), abs=1e-12)
    assert result.method.endswith("all agree: Clopper-Pearson over conversations")


@pytest.mark.parametrize("name", SHARES)
@pytest.mark.parametrize("conversations", [2, 5, 40])
def test_a_share_that_is_0_everywhere_has_the_interval_of_so_many_conversations_without_a_hit(
    name: str, conversations: int
) -> None:
    rows: Rows = [[0, 1], [1, 0]] * conversations
    found = estimate(name, labels_of(rows, 2, [at // 2 for at in range(len(rows))]), 2)
    assert (found.value, found.low, found.conversations) == (0, 0, conversations)
    assert found.high == pytest.approx(beta.ppf(0.975, 1, conversations), abs=1e-12)
    assert found.method.endswith("never: Clopper-Pearson over conversations") and found.error is None


def test_an_amount_that_is_0_everywhere_has_none() -> None:
    rows: Rows = [[0, 1], [1, 0]] * 5
    found = estimate("bias", labels_of(rows, 2, [at // 2 for at in range(len(rows))]), 2)
    assert (found.value, found.low, found.no_interval) == (0, None, ALIKE)


@pytest.mark.parametrize(
    "name", sorted(set(SPREADS) | {name for name in ALL if name.startswith(("Conger", "alpha"))})
)
def test_a_conversation_in_which_nobody_labelled_beside_another_is_no_witness_that_all_agree(
    name: str,
) -> None:
    """Three conversations speak for agreement, however many were read by one person only."""
    rows: Rows = AGREEING_TWICE * 3 + [[0, None], [None, 1]] * 20
    found = estimate(name, labels_of(rows, 2, [at // 2 for at in range(len(rows))]), 2)
    assert found.conversations == 3
    assert found.low == pytest.approx(beta.ppf(0.025, 3, 1), abs=1e-12)


def test_a_conversation_read_by_one_person_only_changes_nothing_in_percent_agreement() -> None:
    alone: Rows = [[0, None], [None, 1]]
    few, more = (
        estimate("agreeing", labels_of(rows, 2, list(range(len(rows)))), 2)
        for rows in (SPLIT, [*alone, *SPLIT])
    )
    assert (more.value, more.low, more.high, more.conversations) == (
        few.value,
        few.low,
        few.high,
        few.conversations,
    )
    assert more.influential_part is not None and few.influential_part is not None


@pytest.mark.parametrize("name", sorted(ALL))
def test_one_conversation_has_a_value_and_no_interval(name: str) -> None:
    found = estimate(name, labels_of(SPLIT, 2, [0] * 4), 2)
    assert found.value is not None
    assert (found.low, found.no_interval, found.conversations, found.influential_part) == (None, ONE, 1, None)


def test_what_cannot_be_estimated_without_one_conversation_names_it() -> None:
    rows: Rows = [[0, 0], [0, 0], [0, 0], [1, 0], [0, 0]]
    for name in (
        "Cohen none",
        "Cohen quadratic",
        "Scott",
        "Fleiss none",
        "Conger none",
        "alpha nominal",
        "alpha ordinal",
        "alpha interval",
    ):
        result = estimate(
            name, labels_of(rows, 2, [4, 4, 9, 7, 9]), 2
        )  # conversations 0, 1 and 2 in the order they come
        assert result.value is not None
        assert (result.no_interval, result.influential_part, result.influence, result.low) == (
            RESTS_ON_ONE,
            2,
            1.0,
            None,
        ), name
    for name in (
        "Gwet none",
        "Brennan-Prediger none",
    ):  # these can do without variation, and not without the rarer label
        assert estimate(name, labels_of(rows, 2, [4, 4, 9, 7, 9]), 2).no_interval == too_few(0)
    for name in ("percent", "agreeing"):
        assert estimate(name, labels_of(rows, 2, [4, 4, 9, 7, 9]), 2).low is not None


def test_the_hinge_is_the_conversation_that_moves_the_value_most_and_its_share_of_the_variance() -> None:
    tables = np.array([[[9, 1], [0, 9]], [[9, 0], [1, 9]], [[1, 9], [9, 1]], [[9, 1], [0, 9]]], dtype=float)
    found = jackknife(PERCENT, tables, 80)
    agreed = np.array([18, 18, 2, 18])
    left = (agreed.sum() - agreed) / (tables.sum() - tables.sum(axis=(1, 2)))
    squares = (left - left.mean()) ** 2
    assert found.influential_part == 2
    assert found.influence == pytest.approx(squares[2] / squares.sum())


def test_conversations_without_a_count_neither_count_nor_shift_the_number_of_the_hinge() -> None:
    tables = np.array([[[9, 1], [0, 9]], [[9, 0], [1, 9]], [[1, 9], [9, 1]]], dtype=float)
    empty = np.zeros((2, 2))
    plain, spaced = (
        jackknife(PERCENT, tables, 60),
        jackknife(PERCENT, np.array([empty, tables[0], empty, tables[1], tables[2], empty]), 60),
    )
    assert (spaced.value, spaced.low, spaced.high, spaced.conversations, spaced.influence) == (
        plain.value,
        plain.low,
        plain.high,
        plain.conversations,
        plain.influence,
    )
    assert (plain.influential_part, spaced.influential_part) == (2, 4)


def test_where_every_conversation_shows_the_same_disagreement_there_is_no_interval() -> None:
    found = jackknife(PERCENT, np.array([[[3, 1], [1, 3]]] * 6, dtype=float), 48)
    assert (found.value, found.low, found.no_interval) == (0.75, None, ALIKE)


def test_no_upper_end_passes_1_and_percent_agreement_does_not_pass_0() -> None:
    few_misses = jackknife(PERCENT, np.array([[[9, 1], [0, 9]], [[10, 0], [0, 10]]], dtype=float), 39)
    assert (
        few_misses.low is not None
        and few_misses.high is not None
        and 0 <= few_misses.low < 1 - 1e-6 < few_misses.high <= 1
    )
    few_hits = jackknife(PERCENT, np.array([[[0, 9], [9, 1]], [[0, 10], [10, 0]]], dtype=float), 39)
    assert (
        few_hits.low is not None
        and few_hits.high is not None
        and 0 <= few_hits.low < 1e-6 < few_hits.high < 1
    )


def test_labels_in_another_order_give_the_same() -> None:
    sample = Drawn(3, [[0, 1, 2], [2, 2, None], [1, 1, 1], [0, 0, 1], [2, 1, 2]], [0, 0, 1, 1, 2])
    labels = sample.labels
    for name in ALL:
        if name not in ("prevalence", "bias"):
            assert estimate(name, shuffle(labels, 1), 3) == estimate(name, labels, 3), name
