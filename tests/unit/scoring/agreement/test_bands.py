"""A word only where the lower limit reaches it."""

from __future__ import annotations

import pytest

from scoring.agreement.bands import band
from scoring.agreement.estimate import Estimate, cannot


@pytest.mark.parametrize(("low", "word"), [(0.39999, None), (0.40, "fair"), (0.59999, "fair"), (0.60, "good"), (0.74999, "good"), (0.75, "excellent"),
                                           (-0.5, None), (1.0, "excellent")])
def test_cicchetti_by_the_lower_limit(low: float, word: str | None) -> None:
    assert band(Estimate(1.0, 50, "kappa, mean of 3 of 3", low=low, high=1.0)) == word


@pytest.mark.parametrize(("low", "word"), [(0.6669, None), (0.667, "enough for tentative conclusions"), (0.7999, "enough for tentative conclusions"),
                                           (0.8, "firm enough for conclusions")])
def test_krippendorff_for_alpha(low: float, word: str | None) -> None:
    assert band(Estimate(0.99, 50, "alpha, ordinal", low=low, high=1.0)) == word


def test_without_an_interval_or_a_value_there_is_no_word() -> None:
    assert band(Estimate(0.99, 50, "kappa", no_interval="too few")) is None
    assert band(cannot("nothing", 0, "kappa")) is None
