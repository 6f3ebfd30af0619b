"""The interval against leaving out each conversation by hand; what there is no interval for, and why."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta, t

from scoring.agreement.estimate import Estimate
from scoring.agreement.jackknife import ALIKE, ONE, RESTS_ON_ONE, jackknife
from scoring.agreement.percent import PERCENT
from tests.unit.scoring.agreement.drawn import ALL, PAIRED, SPREADS, Drawn, Rows, drawn, estimate, labels_of, weighing

pytestmark = pytest.mark.filterwarnings("error")
CHANCE_TOO = {name for name in ALL if name not in PAIRED and name != "agreeing" and not name.startswith("alpha")}  # read chance off units with one label too


def taking_part(sample: Drawn, name: str) -> tuple[list[int], list[int]]:
    """The conversations that the statistic reads, and those with a unit that two people labelled."""
    given_to = {part: [sum(label is not None for label in row) for row, at in zip(sample.rows, sample.parts, strict=True) if at == part] for part in sample.parts}
    paired = sorted(part for part, numbers in given_to.items() if max(numbers) > 1)
    return sorted(part for part, numbers in given_to.items() if max(numbers) > 0) if name in CHANCE_TOO else paired, paired


@given(drawn(), st.sampled_from(sorted(ALL)), st.one_of(st.none(), st.lists(st.integers(1, 9), min_size=16, max_size=16)))
def test_it_is_what_leaving_out_each_conversation_gives(sample: Drawn, name: str, weight: list[int] | None) -> None:
    def computed(chosen: list[int]) -> float | None:
        """From scratch, as if there were only these units."""
        if not chosen:
            return None
        labels = labels_of([sample.rows[at] for at in chosen], sample.k)
        return estimate(name, labels if weight is None else weighing(labels, [weight[at] for at in chosen]), sample.raters).value

    found = estimate(name, sample.labels if weight is None else weighing(sample.labels, weight), sample.raters)
    everything = list(range(len(sample.rows)))
    read, paired = taking_part(sample, name)
    without = [computed([at for at in everything if sample.parts[at] != part]) for part in read]
    whole = computed(everything)
    assert found.value == (None if whole is None else pytest.approx(whole, abs=1e-9))
    assert found.conversations == len(paired)
    if whole is None:
        assert found.undefined and found.low is None
    elif len(read) < 2:
        assert (found.low, found.no_interval) == (None, ONE)
    elif None in without:
        assert (found.low, found.no_interval, found.hinge_share) == (None, RESTS_ON_ONE, 1.0)
    else:
        spread = np.array(without, dtype=float)
        squares = (spread - spread.mean()) ** 2
        if squares.sum() < 1e-20:
            assert found.no_interval == ALIKE or "Clopper-Pearson" in found.method
        elif squares.sum() > 1e-16:  # between the two, rounding decides
            half = t.ppf(0.975, len(paired) - 1) * math.sqrt((len(read) - 1) / len(read) * squares.sum())
            assert found.low is not None and found.high is not None
            assert found.high == pytest.approx(max(whole, min(1.0, whole + half)), abs=1e-6)
            assert found.low == pytest.approx(min(whole, max(whole - half, lowest(name))), abs=1e-6)
            assert found.hinge_share == pytest.approx(squares.max() / squares.sum(), rel=1e-4)


def lowest(name: str) -> float:
    return 0.0 if name in ("percent", "agreeing", "prevalence", "bias") else -1.0


@given(drawn(), st.sampled_from(sorted(ALL)))
def test_no_number_is_ever_infinite_or_not_a_number_and_no_interval_passes_1(sample: Drawn, name: str) -> None:
    sound(estimate(name, sample.labels, sample.raters))


def sound(found: Estimate) -> None:
    for number in (found.value, found.low, found.high, found.hinge_share):
        assert number is None or math.isfinite(number)
    if found.low is not None and found.high is not None and found.value is not None:
        assert found.low <= found.value <= found.high <= 1
    assert (found.low is None) == bool(found.undefined or found.no_interval)


# Two conversations of two units each, in which two people differ once in each; and more of the kind below

SPLIT: Rows = [[0, 0], [1, 0], [1, 1], [0, 1]]
AGREEING_TWICE: Rows = [[0, 0], [1, 1]]


@pytest.mark.parametrize("name", sorted(set(ALL) - {"prevalence", "bias"}))
@pytest.mark.parametrize("conversations", [2, 5, 40])
def test_where_all_agree_the_interval_is_that_of_so_many_conversations_without_a_miss(name: str, conversations: int) -> None:
    rows = AGREEING_TWICE * conversations
    found = estimate(name, labels_of(rows, 2, [at // 2 for at in range(len(rows))]), 2)
    assert (found.value, found.high, found.conversations) == (pytest.approx(1), found.value, conversations)
    assert found.low == pytest.approx(beta.ppf(0.025, conversations, 1), abs=1e-12)
    assert found.method.endswith("all agree: Clopper-Pearson over conversations")


@pytest.mark.parametrize("name", sorted(set(SPREADS) | {name for name in ALL if name.startswith(("Conger", "alpha"))}))
def test_a_conversation_in_which_nobody_labelled_beside_another_is_no_witness_that_all_agree(name: str) -> None:
    """Three conversations speak for agreement, however many were read by one person only."""
    rows: Rows = AGREEING_TWICE * 3 + [[0, None], [None, 1]] * 20
    found = estimate(name, labels_of(rows, 2, [at // 2 for at in range(len(rows))]), 2)
    assert found.conversations == 3
    assert found.low == pytest.approx(beta.ppf(0.025, 3, 1), abs=1e-12)


def test_a_conversation_read_by_one_person_only_changes_nothing_in_percent_agreement() -> None:
    alone: Rows = [[0, None], [None, 1]]
    few, more = (estimate("agreeing", labels_of(rows, 2, list(range(len(rows)))), 2) for rows in (SPLIT, [*alone, *SPLIT]))
    assert (more.value, more.low, more.high, more.conversations) == (few.value, few.low, few.high, few.conversations)
    assert more.hinge is not None and few.hinge is not None


@pytest.mark.parametrize("name", sorted(ALL))
def test_one_conversation_has_a_value_and_no_interval(name: str) -> None:
    found = estimate(name, labels_of(SPLIT, 2, [0] * 4), 2)
    assert found.value is not None
    assert (found.low, found.no_interval, found.conversations, found.hinge) == (None, ONE, 1, None)


def test_what_cannot_be_estimated_without_one_conversation_names_it() -> None:
    rows: Rows = [[0, 0], [0, 0], [0, 0], [1, 0], [0, 0]]
    for name in ("Cohen none", "Cohen quadratic", "Scott", "Fleiss none", "Conger none", "alpha nominal", "alpha ordinal", "alpha interval"):
        found = estimate(name, labels_of(rows, 2, [4, 4, 9, 7, 9]), 2)  # conversations 0, 1 and 2 in the order they come
        assert found.value is not None
        assert (found.no_interval, found.hinge, found.hinge_share, found.low) == (RESTS_ON_ONE, 2, 1.0, None), name
    for name in ("percent", "agreeing", "Gwet none", "Brennan-Prediger none"):  # these can do without variation
        assert estimate(name, labels_of(rows, 2, [4, 4, 9, 7, 9]), 2).low is not None


def test_the_hinge_is_the_conversation_that_moves_the_value_most_and_its_share_of_the_variance() -> None:
    tables = np.array([[[9, 1], [0, 9]], [[9, 0], [1, 9]], [[1, 9], [9, 1]], [[9, 1], [0, 9]]], dtype=float)
    found = jackknife(PERCENT, tables, 80)
    agreed = np.array([18, 18, 2, 18])
    left = (agreed.sum() - agreed) / (tables.sum() - tables.sum(axis=(1, 2)))
    squares = (left - left.mean()) ** 2
    assert found.hinge == 2
    assert found.hinge_share == pytest.approx(squares[2] / squares.sum())


def test_conversations_without_a_count_neither_count_nor_shift_the_number_of_the_hinge() -> None:
    tables = np.array([[[9, 1], [0, 9]], [[9, 0], [1, 9]], [[1, 9], [9, 1]]], dtype=float)
    empty = np.zeros((2, 2))
    plain, spaced = jackknife(PERCENT, tables, 60), jackknife(PERCENT, np.array([empty, tables[0], empty, tables[1], tables[2], empty]), 60)
    assert (spaced.value, spaced.low, spaced.high, spaced.conversations, spaced.hinge_share) == \
        (plain.value, plain.low, plain.high, plain.conversations, plain.hinge_share)
    assert (plain.hinge, spaced.hinge) == (2, 4)


def test_where_every_conversation_shows_the_same_disagreement_there_is_no_interval() -> None:
    found = jackknife(PERCENT, np.array([[[3, 1], [1, 3]]] * 6, dtype=float), 48)
    assert (found.value, found.low, found.no_interval) == (0.75, None, ALIKE)


def test_no_upper_end_passes_1_and_percent_agreement_does_not_pass_0() -> None:
    few_misses = jackknife(PERCENT, np.array([[[9, 1], [0, 9]], [[10, 0], [0, 10]]], dtype=float), 39)
    assert few_misses.high == 1 and few_misses.low is not None and 0 <= few_misses.low < 1
    few_hits = jackknife(PERCENT, np.array([[[0, 9], [9, 1]], [[0, 10], [10, 0]]], dtype=float), 39)
    assert few_hits.low == 0 and few_hits.high is not None and few_hits.high < 1


def test_labels_in_another_order_give_the_same() -> None:
    sample = Drawn(3, [[0, 1, 2], [2, 2, None], [1, 1, 1], [0, 0, 1], [2, 1, 2]], [0, 0, 1, 1, 2])
    labels, turned = sample.labels, np.random.default_rng(1).permutation(len(sample.labels))
    for name in ALL:
        if name not in ("prevalence", "bias"):
            assert estimate(name, labels.where(turned), 3) == estimate(name, labels, 3), name
