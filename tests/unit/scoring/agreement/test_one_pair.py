"""A single pair says nothing about agreement beyond chance, whatever the formula prints for it."""

from __future__ import annotations

from scoring.agreement.people.compare import ONE_PAIR, LabelPair, compare


def test_one_pair_has_a_count_and_no_kappa() -> None:
    found = compare([LabelPair(1, "YES", "NO")], ["YES", "NO"], ordinal=True, not_applicable=None)
    assert (found.same, len(found.pairs), found.percent.value) == (0, 1, 0.0)
    for kappa in (found.kappa, found.quadratic):
        assert kappa is not None and kappa.value is None and kappa.undefined == ONE_PAIR
