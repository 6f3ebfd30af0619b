"""A single pair says nothing about agreement beyond chance, whatever the formula prints for it."""

from __future__ import annotations

import pytest

from scoring.agreement.compare import ONE_PAIR, LabelPair, compare


def test_one_pair_has_a_count_and_no_kappa() -> None:
    found = compare([LabelPair(1, 1, "YES", "NO")], ["YES", "NO"], ordinal=True, not_applicable=None)
    assert (found.same, len(found.pairs), found.percent.value) == (0, 1, 0.0)
    for kappa in (found.kappa, found.quadratic):
        assert kappa is not None and kappa.value is None and kappa.undefined == ONE_PAIR


def test_a_rater_with_one_pair_does_not_pull_down_the_mean() -> None:
    many = [LabelPair(unit, 1, label, label) for unit, label in enumerate(["YES", "NO", "YES", "NO"])]
    found = compare([*many, LabelPair(9, 2, "YES", "NO")], ["YES", "NO"], ordinal=False, not_applicable=None)
    assert found.kappa.value == pytest.approx(1.0) and "mean of 1 of 2 raters" in found.kappa.method
