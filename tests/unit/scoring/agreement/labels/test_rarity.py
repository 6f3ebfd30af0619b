"""How much there is of the rarer labels, counted label by label; what the interval of a coefficient rests on;
and when there is none."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta

from scoring.agreement.coefficients.kappa import cohen
from scoring.agreement.coefficients.krippendorff import coincidences, krippendorff
from scoring.agreement.coefficients.spread import by_unit
from scoring.agreement.intervals.estimate import Estimate
from scoring.agreement.intervals.jackknife import jackknife
from scoring.agreement.labels.labels import Labels
from scoring.agreement.labels.pairs import pair_raters
from scoring.agreement.labels.rarity import (
    MIN_RARER,
    Rarity,
    rarity_of_spread,
    rarity_of_tables,
    too_few,
    too_few_carrying,
)
from scoring.arrays import IntArray
from tests.unit.scoring.agreement.by_hand import (
    COEFFICIENTS,
    on_fishers_scale,
    rarer_conversations,
    weight_in,
)
from tests.unit.scoring.agreement.drawn import (
    Drawn,
    Rows,
    drawn,
    estimate,
    labels_of,
    weighing,
)


def named(sample: Drawn, rarity: Rarity, parts: IntArray) -> tuple[set[int], set[int]]:
    """from_rows numbers the parts in the order in which they come."""
    names = list(dict.fromkeys(sample.parts))
    carrying, shared = (
        {names[number] for number in parts[mask].tolist()} for mask in (rarity.carrying, rarity.shared)
    )
    return carrying, shared


@given(drawn())
def test_of_tables_it_is_what_counting_pairs_says(sample: Drawn) -> None:
    pairs, expected = pair_raters(sample.labels), rarer_conversations(sample, weight_in("percent", None))
    if len(pairs) and expected is not None:
        parts, times = pairs.parts
        assert named(sample, rarity_of_tables(pairs.by_part(), times), parts) == expected
        assert named(sample, pairs.by_side().rarity(), pairs.by_side().parts) == expected


@given(drawn())
def test_of_spread_counts_it_is_what_counting_labels_says(sample: Drawn) -> None:
    units = sample.labels.units
    for of, name in ((by_unit, "Gwet none"), (coincidences, "alpha nominal")):
        expected = rarer_conversations(sample, weight_in(name, None))
        if len(units.names) and expected is not None:
            counts = units.by_part(of(units))
            assert named(sample, rarity_of_spread(counts, units.times), units.parts) == expected


def test_the_commonest_label_is_that_of_all_conversations_and_every_other_one_is_rarer() -> None:
    rows: Rows = [[0, 0], [0, 0], [1, 1], [1, 0], [2, 1], [0, 2]]
    pairs = pair_raters(labels_of(rows, 3))
    found = rarity_of_tables(pairs.by_part(), pairs.parts[1])
    assert found.carrying.tolist() == [False, False, True, True, True, True]
    assert found.shared.tolist() == [False, False, True, False, True, False], (
        "two different rarer labels are shared, one beside the commonest is not"
    )


def test_a_conversation_that_stands_for_many_counts_as_many() -> None:
    """YES is the commonest of 2 + 1 conversations, NO of 2 + 9."""
    tables = np.array([[[2.0, 0], [0, 0]], [[0, 0], [0, 2]]])
    assert rarity_of_tables(tables, np.array([2, 1])).carrying.tolist() == [False, True]
    assert rarity_of_tables(tables, np.array([2, 9])).carrying.tolist() == [True, False]


def test_the_words_say_in_how_many() -> None:
    assert [too_few(n) for n in (0, 1, 2)] == [
        "both labels in a pair are the rarer one in no conversation",
        "both labels in a pair are the rarer one in only one conversation",
        "both labels in a pair are the rarer one in only 2 conversations",
    ]
    assert [too_few_carrying(n) for n in (0, 1, 9)] == [
        "the rarer label was given in no conversation",
        "the rarer label was given in only one conversation",
        "the rarer label was given in only 9 conversations",
    ]


def sample_with(shared: int, common: int = 60, apart: int = 2) -> Labels:
    """One unit a conversation: `shared` in which both say 1, `common` in which both say 0, `apart` in which
    they differ either way."""
    rows = [[1, 1]] * shared + [[0, 0]] * common + [[0, 1], [1, 0]] * apart
    return labels_of(rows, 2)


@pytest.mark.parametrize("name", COEFFICIENTS)
@pytest.mark.parametrize("shared", range(MIN_RARER + 2))
def test_with_too_few_conversations_in_which_both_gave_it_a_coefficient_has_no_interval(
    name: str, shared: int
) -> None:
    found = estimate(name, sample_with(shared), 2)
    assert found.value is not None
    if shared < MIN_RARER:
        assert (found.low, found.high, found.error, found.no_interval) == (None, None, None, too_few(shared))
    else:
        assert found.low is not None and found.no_interval is None


@pytest.mark.parametrize("name", ["percent", "agreeing"])
def test_a_share_asks_for_none_of_them(name: str) -> None:
    assert estimate(name, sample_with(0), 2).low is not None


def limits(found: Estimate, df: int) -> tuple[float, float]:
    assert found.value is not None and found.error is not None
    return on_fishers_scale(found.value, found.error, df)


@pytest.mark.parametrize("name", COEFFICIENTS)
def test_the_degrees_of_freedom_are_those_of_the_conversations_in_which_both_gave_it(name: str) -> None:
    """Of 69 conversations 5 hold what a coefficient is made of: 4 degrees of freedom, not 68."""
    for shared in (5, 30):
        found = estimate(name, sample_with(shared), 2)
        assert found.conversations == shared + 64
        assert (found.low, found.high) == pytest.approx(limits(found, shared - 1))


@pytest.mark.parametrize("name", COEFFICIENTS)
def test_where_all_agree_the_limit_is_that_of_the_conversations_in_which_both_gave_it(name: str) -> None:
    found = estimate(name, sample_with(7, apart=0), 2)
    assert found.conversations == 67
    assert found.value == pytest.approx(1)
    assert found.low == pytest.approx(beta.ppf(0.025, 7, 1))
    few = estimate(name, sample_with(MIN_RARER - 1, apart=0), 2)
    assert (few.low, few.no_interval) == (None, too_few(MIN_RARER - 1))
    assert few.value == pytest.approx(1)


def test_weights_change_which_label_is_rarer_and_nothing_of_the_count() -> None:
    labels = sample_with(5, common=8)
    heavy = weighing(labels, [10.0 if unit < 5 else 0.1 for unit in range(17)])
    one, other = (jackknife(cohen("none", 2), pair_raters(some).by_part(), 17) for some in (labels, heavy))
    assert (one.low, one.high) == pytest.approx(limits(one, 4))
    assert (other.low, other.high) == pytest.approx(limits(other, 7)), "now 0 is rarer: 8 conversations"


@given(st.integers(0, 6), st.integers(2, 5))
def test_a_conversation_counts_once_however_many_units_share_it(shared: int, units: int) -> None:
    rows = [[1, 1]] * (shared * units) + [[0, 0]] * 60 + [[0, 1]] * 20
    parts = [at // units for at in range(shared * units)] + [100 + at for at in range(80)]
    labels = labels_of(rows, 2, parts)
    found = rarity_of_tables(pair_raters(labels).by_part(), pair_raters(labels).parts[1])
    assert int(found.shared.sum()) == shared
    alpha = jackknife(
        krippendorff("nominal", (0.0, 1.0)), labels.units.by_part(coincidences(labels.units)), len(labels)
    )
    assert (alpha.low is None) == (shared < MIN_RARER)
