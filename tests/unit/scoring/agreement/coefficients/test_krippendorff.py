"""Krippendorff's alpha against the `krippendorff` library; what weights change of it and what they leave."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from krippendorff import alpha as by_library

from scoring.agreement.coefficients.krippendorff import NO_VARIATION, Level, coincidences
from scoring.agreement.coefficients.multirater import NOBODY
from tests.unit.scoring.agreement.drawn import (
    ALPHAS,
    LEVELS,
    ROUNDING,
    Drawn,
    drawn,
    estimate,
    labels_of,
    weighing,
)

pytestmark = pytest.mark.filterwarnings("error")


def library(sample: Drawn, level: Level, values: tuple[float, ...] | None = None) -> float | None:
    """None where the library refuses or divides by nothing."""
    counted = values or tuple(map(float, range(sample.k)))
    data = np.array([[np.nan if label is None else counted[label] for label in row] for row in sample.rows]).T
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            alpha = float(
                by_library(reliability_data=data, level_of_measurement=level, value_domain=list(counted))
            )
    except ValueError:
        return None
    return None if np.isnan(alpha) else alpha


@given(drawn(), st.sampled_from(LEVELS))
def test_it_is_the_alpha_of_the_library_on_the_declared_domain(sample: Drawn, level: Level) -> None:
    paired = [
        label
        for row in sample.rows
        if sum(label is not None for label in row) > 1
        for label in row
        if label is not None
    ]
    result = estimate(f"alpha {level}", sample.labels, sample.raters)
    if len(set(paired)) < 2:  # here the library answers 1, nan or an error, by what was left unpaired
        assert (result.value, result.undefined) == (None, NO_VARIATION if paired else NOBODY)
    else:
        assert result.value == pytest.approx(library(sample, level), abs=ROUNDING)


@given(drawn(raters=(2, 3)))
def test_the_distance_of_interval_labels_is_what_they_count(sample: Drawn) -> None:
    values = (0.0, 0.5, 3.0, 10.0)[: sample.k]
    expected = library(sample, "interval", values)
    found = estimate("alpha interval", labels_of(sample.rows, sample.k, sample.parts, values), sample.raters)
    if found.value is not None:
        assert found.value == pytest.approx(expected, abs=ROUNDING)


@pytest.mark.parametrize("level", LEVELS)
def test_units_with_one_label_change_nothing(level: Level) -> None:
    rows: list[list[int | None]] = [[0, 0, 1], [2, 1, 2], [1, 1, None]]
    alone: list[list[int | None]] = [[0, None, None], [None, None, 2], [None, None, None]]
    some, more = (estimate(f"alpha {level}", labels_of(units, 3), 3) for units in (rows, [*rows, *alone]))
    assert (more.value, more.low, more.high, more.conversations) == (
        some.value,
        some.low,
        some.high,
        some.conversations,
    )
    assert more.conversations == len(rows)


@pytest.mark.parametrize("level", LEVELS)
def test_n_of_weighted_labels_is_how_many_there_are(level: Level) -> None:
    """The unit of weight 2 is like the unit twice in what is observed and expected; in n - 1 it counts
    once.
    """
    rows: list[list[int | None]] = [[0, 0, 1], [2, 1, 2], [1, 1, None], [0, 2, None], [0, None, None]]
    n, doubled_n = 10, 13
    weighted = estimate(f"alpha {level}", weighing(labels_of(rows, 3), [1, 2, 1, 1, 1]), 3).value
    doubled = estimate(f"alpha {level}", labels_of([*rows, rows[1]], 3), 3).value
    assert weighted is not None and doubled is not None
    apart = (1 - doubled) * doubled_n / (doubled_n - 1)  # disagreement observed, as a share of that expected
    assert weighted == pytest.approx(1 - (n - 1) / n * apart, abs=ROUNDING)
    assert weighted != pytest.approx(doubled, abs=1e-4)


@given(drawn(), st.floats(0.01, 1000), st.sampled_from(sorted(ALPHAS)))
def test_equal_weights_change_nothing(sample: Drawn, weight: float, name: str) -> None:
    plain, weighted = (
        estimate(name, labels, sample.raters)
        for labels in (sample.labels, weighing(sample.labels, [weight] * len(sample.rows)))
    )
    for end in ("value", "low", "high"):
        assert getattr(weighted, end) == (
            None if getattr(plain, end) is None else pytest.approx(getattr(plain, end), abs=ROUNDING)
        )


def test_the_labels_counted_are_those_beside_another_whatever_the_unit_weighs() -> None:
    units = weighing(labels_of([[0, 1], [1, None], [1, 1]], 2), [3, 5, 7]).units
    assert units.by_part(coincidences(units))[:, -1] == pytest.approx(np.array([[1, 1], [0, 0], [0, 2]]))
