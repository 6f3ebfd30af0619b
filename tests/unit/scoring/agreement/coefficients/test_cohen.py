"""Cohen's kappa and Scott's pi of counted pairs, against scikit-learn and statsmodels."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import cohens_kappa, fleiss_kappa

from scoring.agreement.coefficients.kappa import NO_PAIR, NO_VARIATION
from scoring.agreement.coefficients.weights import Weights
from scoring.agreement.labels.pairs import pair_raters
from tests.unit.scoring.agreement.drawn import ROUNDING, Drawn, drawn, estimate, weighing

pytestmark = pytest.mark.filterwarnings("error")
WEIGHTS: tuple[Weights, ...] = ("none", "linear", "quadratic")
STATSMODELS = {"none": None, "linear": "linear", "quadratic": "quadratic"}


def both(sample: Drawn) -> list[tuple[int, int]]:
    return [(first, second) for first, second in sample.rows if first is not None and second is not None]


@given(drawn(raters=(2, 2)), st.sampled_from(WEIGHTS))
def test_it_is_the_kappa_of_scikit_learn_and_of_statsmodels(sample: Drawn, kind: Weights) -> None:
    pairs = both(sample)
    result = estimate(f"Cohen {kind}", sample.labels, 2)
    if not pairs:
        assert result.undefined == NO_PAIR
    elif len({label for pair in pairs for label in pair}) == 1:
        assert result.undefined == NO_VARIATION  # nan and a warning there
    else:
        first, second = zip(*pairs, strict=True)
        labels = list(range(sample.k))
        assert result.value == pytest.approx(
            cohen_kappa_score(first, second, labels=labels, weights=None if kind == "none" else kind),
            abs=ROUNDING,
        )
        table = pair_raters(sample.labels).table()
        assert result.value == pytest.approx(
            cohens_kappa(table, wt=STATSMODELS[kind], return_results=False), abs=ROUNDING
        )


@given(drawn(raters=(2, 2)))
def test_scotts_pi_is_fleiss_kappa_of_two_raters(sample: Drawn) -> None:
    pairs = both(sample)
    assume(len({label for pair in pairs for label in pair}) > 1)
    counts = np.array([np.bincount(pair, minlength=sample.k) for pair in pairs])
    assert estimate("Scott", sample.labels, 2).value == pytest.approx(fleiss_kappa(counts), abs=ROUNDING)


@given(drawn(raters=(2, 2)), st.lists(st.integers(1, 9), min_size=16, max_size=16), st.sampled_from(WEIGHTS))
def test_weights_of_units_are_the_sample_weights_of_scikit_learn(
    sample: Drawn, weight: list[int], kind: Weights
) -> None:
    pairs = both(sample)
    assume(len({label for pair in pairs for label in pair}) > 1)
    first, second = zip(*pairs, strict=True)
    used = [unit_weight for unit_weight, row in zip(weight, sample.rows, strict=False) if None not in row]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = cohen_kappa_score(
            first,
            second,
            labels=list(range(sample.k)),
            weights=None if kind == "none" else kind,
            sample_weight=used,
        )
    assert estimate(f"Cohen {kind}", weighing(sample.labels, weight), 2).value == pytest.approx(
        expected, abs=ROUNDING
    )
