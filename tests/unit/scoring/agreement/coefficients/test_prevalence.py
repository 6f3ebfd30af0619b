"""Percent agreement, prevalence and bias, and kappa put together from them (Byrt, Bishop and Carlin 1993)."""

from __future__ import annotations

from itertools import combinations
from statistics import fmean

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from scoring.agreement.coefficients.prevalence import PREVALENCE, TWO_LABELS
from scoring.agreement.intervals.jackknife import jackknife
from tests.unit.scoring.agreement.drawn import ROUNDING, Drawn, drawn, estimate, labels_of

pytestmark = pytest.mark.filterwarnings("error")
tables = st.tuples(*[st.integers(0, 30)] * 4).filter(any)


@given(drawn())
def test_percent_agreement_is_over_pairs_or_averaged_over_units(sample: Drawn) -> None:
    pairs = [list(combinations([label for label in row if label is not None], 2)) for row in sample.rows]
    assume(any(pairs))
    assert estimate("percent", sample.labels, sample.raters).value == pytest.approx(
        fmean(a == b for unit in pairs for a, b in unit), abs=ROUNDING
    )
    assert estimate("agreeing", sample.labels, sample.raters).value == pytest.approx(
        fmean(fmean(a == b for a, b in unit) for unit in pairs if unit), abs=ROUNDING
    )


@given(tables)
def test_kappa_is_pabak_corrected_for_prevalence_and_bias(table: tuple[int, int, int, int]) -> None:
    rows = [
        row
        for cell, count in zip(([0, 0], [0, 1], [1, 0], [1, 1]), table, strict=True)
        for row in [cell] * count
    ]
    labels = labels_of(rows, 2)
    kappa, pabak, prevalence, bias, percent = (
        estimate(name, labels, 2).value
        for name in ("Cohen none", "Brennan-Prediger none", "prevalence", "bias", "percent")
    )
    assert pabak is not None and prevalence is not None and bias is not None and percent is not None
    assert pabak == pytest.approx(2 * percent - 1)
    n, (a, b, c, d) = sum(table), table
    assert (prevalence, bias) == pytest.approx((abs(a - d) / n, abs(b - c) / n))
    if kappa is not None:
        assert kappa == pytest.approx(
            (pabak - prevalence**2 + bias**2) / (1 - prevalence**2 + bias**2), abs=ROUNDING
        )


def test_more_than_two_labels_have_neither() -> None:
    for name in ("prevalence", "bias"):
        assert estimate(name, labels_of([[0, 1], [2, 2]], 3), 2).undefined == TWO_LABELS


def test_full_prevalence_is_no_agreement_so_its_interval_is_never_that_of_agreement() -> None:
    found = jackknife(PREVALENCE, np.array([[[5, 0], [0, 0]]] * 8, dtype=float), 40)
    assert (found.value, found.low) == (1, None)
