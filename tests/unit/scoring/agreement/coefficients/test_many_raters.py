"""Fleiss', Brennan and Prediger's, Gwet's and Conger's coefficients: against statsmodels where it has them,
else against their definitions.
"""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.inter_rater import fleiss_kappa

from scoring.agreement.coefficients.conger import NO_RATINGS, habits
from scoring.agreement.coefficients.kappa import NO_VARIATION
from scoring.agreement.coefficients.multirater import NOBODY
from scoring.agreement.coefficients.weights import Weights, weights
from scoring.agreement.labels.labels import Labels
from tests.unit.scoring.agreement.drawn import KINDS, ROUNDING, Drawn, drawn, estimate

pytestmark = pytest.mark.filterwarnings("error")
NAMES = ("Fleiss", "Brennan-Prediger", "Gwet", "Conger")


def counted(sample: Drawn) -> np.ndarray:
    return np.array(
        [
            np.bincount([label for label in row if label is not None], minlength=sample.k)
            for row in sample.rows
        ]
    )


@given(drawn(missing=False))
def test_fleiss_and_brennan_prediger_of_complete_tables_are_those_of_statsmodels(sample: Drawn) -> None:
    counts = counted(sample)
    uniform = estimate("Brennan-Prediger none", sample.labels, sample.raters)
    assert uniform.value == pytest.approx(fleiss_kappa(counts, method="randolph"), abs=ROUNDING)
    found = estimate("Fleiss none", sample.labels, sample.raters)
    if (counts.sum(axis=0) > 0).sum() < 2:
        assert found.undefined == NO_VARIATION
    else:
        assert found.value == pytest.approx(fleiss_kappa(counts), abs=ROUNDING)


def chance_of(name: str, sample: Drawn, weight: np.ndarray) -> float:
    """What raters who do not look would agree on, from the definition of each, one label and one rater at a
    time.
    """
    k, given_to = sample.k, [[label for label in row if label is not None] for row in sample.rows]
    shares = [np.mean([given.count(c) / len(given) for given in given_to if given]) for c in range(k)]
    if name == "Fleiss":
        return float(sum(weight[c, d] * shares[c] * shares[d] for c in range(k) for d in range(k)))
    if name == "Brennan-Prediger":
        return float(weight.sum() / k**2)
    if name == "Gwet":
        return float(weight.sum() / (k * (k - 1)) * sum(share * (1 - share) for share in shares))
    own = [[row[rater] for row in sample.rows if row[rater] is not None] for rater in range(sample.raters)]
    habit = [[labels.count(c) / len(labels) for c in range(k)] for labels in own]
    return float(
        np.mean(
            [
                sum(weight[c, d] * habit[g][c] * habit[h][d] for c in range(k) for d in range(k))
                for g, h in permutations(range(sample.raters), 2)
            ]
        )
    )


@given(drawn(), st.sampled_from(NAMES), st.sampled_from(KINDS))
def test_each_is_its_definition_written_out(sample: Drawn, name: str, kind: Weights) -> None:
    weight = weights(kind, np.arange(sample.k, dtype=float))
    several = [
        labels for row in sample.rows if len(labels := [label for label in row if label is not None]) > 1
    ]
    result = estimate(f"{name} {kind}", sample.labels, sample.raters)
    if not several:
        assert result.undefined == NOBODY
        return
    if name == "Conger" and any(
        all(row[rater] is None for row in sample.rows) for rater in range(sample.raters)
    ):
        assert result.undefined == NO_RATINGS
        return
    agreed = float(
        np.mean([np.mean([weight[a, b] for a, b in permutations(labels, 2)]) for labels in several])
    )
    chance = chance_of(name, sample, weight)
    if chance > 1 - ROUNDING:
        assert result.undefined == NO_VARIATION
    else:
        assert result.value == pytest.approx((agreed - chance) / (1 - chance), abs=1e-8)


@given(drawn(raters=(2, 2)), st.sampled_from(KINDS))
def test_conger_of_two_raters_who_labelled_everything_is_cohens_kappa(sample: Drawn, kind: Weights) -> None:
    full = Drawn(
        sample.k,
        [row for row in sample.rows if None not in row],
        [part for part, row in zip(sample.parts, sample.rows, strict=True) if None not in row],
    )
    ours, cohens = (estimate(f"{name} {kind}", full.labels, 2) for name in ("Conger", "Cohen"))
    for end in ("value", "low", "high", "conversations", "influential_part"):
        expected = getattr(cohens, end)
        assert getattr(ours, end) == (None if expected is None else pytest.approx(expected, abs=1e-7)), end


def test_habits_are_those_of_the_raters_asked_for_in_any_order() -> None:
    labels = Labels(
        ("0", "1"),
        np.array([0, 0, 1, 1]),
        np.array([7, 3, 7, 3]),
        np.array([0, 0, 0, 0]),
        np.array([0, 1, 0, 0]),
    )
    assert habits(labels, (7, 3))[0, 3:].tolist() == [[2, 0], [1, 1]]
    assert habits(labels, (3, 7))[0, 3:].tolist() == [[1, 1], [2, 0]]
