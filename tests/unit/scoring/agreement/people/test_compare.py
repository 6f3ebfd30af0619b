"""Two sides on the same units: who is paired with whom, and what goes into which number."""

from __future__ import annotations

import pytest

from scoring.agreement.people.compare import LabelPair, compare, pair_up

DOMAIN = ["0", "1", "2", "NA"]


def test_only_labels_of_the_same_unit_are_paired() -> None:
    assert pair_up([(1, "YES"), (2, "NO")], [(1, "NO"), (3, "YES")]) == [LabelPair(1, "YES", "NO")]


def test_a_unit_labelled_twice_is_paired_with_each() -> None:
    assert pair_up([(1, "YES"), (1, "NO")], [(1, "YES")]) == [
        LabelPair(1, "YES", "YES"),
        LabelPair(1, "NO", "YES"),
    ]


def test_counts_come_from_the_pairs() -> None:
    found = compare(
        [LabelPair(1, "0", "0"), LabelPair(2, "0", "1"), LabelPair(2, "2", "2")], DOMAIN, True, "NA"
    )
    assert found.same == 2
    assert found.percent.value == pytest.approx(2 / 3)
    assert [p.unit for p in found.disagreements] == [2]


def test_quadratic_kappa_leaves_out_what_does_not_apply() -> None:
    rows = [LabelPair(1, "0", "0"), LabelPair(2, "1", "2"), LabelPair(3, "2", "2")]
    with_na = [*rows, LabelPair(4, "NA", "0"), LabelPair(5, "0", "NA"), LabelPair(6, "NA", "NA")]
    without, found = (
        compare(rows, DOMAIN, True, "NA").quadratic,
        compare(with_na, DOMAIN, True, "NA").quadratic,
    )
    assert without is not None
    assert found is not None
    assert (found.value, found.n) == (without.value, 3)


def test_plain_kappa_counts_what_does_not_apply_as_a_label() -> None:
    assert compare([LabelPair(1, "NA", "NA"), LabelPair(2, "0", "0")], DOMAIN, True, "NA").kappa.value == 1


def test_a_nominal_scale_has_no_quadratic_kappa() -> None:
    assert compare([LabelPair(1, "YES", "NO")], ["YES", "NO"], False, None).quadratic is None


def test_where_kappa_cannot_be_estimated_there_is_a_reason_and_no_number() -> None:
    found = compare([LabelPair(1, "0", "0"), LabelPair(1, "0", "0")], DOMAIN, True, "NA")
    assert found.quadratic is not None
    assert (found.kappa.value, found.quadratic.value) == (None, None)
    assert found.kappa.undefined


def test_without_pairs_nothing_can_be_estimated() -> None:
    found = compare([], DOMAIN, True, "NA")
    assert found.quadratic is not None
    assert (found.percent.value, found.kappa.value, found.quadratic.value) == (None, None, None)
