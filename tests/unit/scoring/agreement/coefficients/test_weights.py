"""How near labels are to each other."""

from __future__ import annotations

import numpy as np
import pytest

from scoring.agreement.coefficients.weights import Weights, weights
from tests.unit.scoring.agreement.drawn import KINDS


@pytest.mark.parametrize(
    ("kind", "row"),
    [
        ("none", [1, 0, 0, 0]),
        ("linear", [1, 2 / 3, 1 / 3, 0]),
        ("quadratic", [1, 8 / 9, 5 / 9, 0]),
        ("ordinal", [1, 1 - 1 / 6, 1 - 3 / 6, 0]),
    ],
)
def test_by_how_far_the_lowest_label_is_from_each(kind: Weights, row: list[float]) -> None:
    assert weights(kind, np.arange(4.0))[0] == pytest.approx(row)


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_label_agrees_fully_and_the_order_of_two_makes_no_difference(kind: Weights) -> None:
    found = weights(kind, np.array([0, 1, 5, 7.5]))
    assert np.diag(found).tolist() == [1] * 4
    assert np.array_equal(found, found.T)


def test_linear_and_quadratic_read_what_the_labels_count_and_ordinal_does_not() -> None:
    uneven = np.array([0, 1, 10.0])
    assert weights("linear", uneven)[0] == pytest.approx([1, 0.9, 0])
    assert weights("quadratic", uneven)[0] == pytest.approx([1, 0.99, 0])
    assert weights("ordinal", uneven)[0] == pytest.approx([1, 2 / 3, 0])


@pytest.mark.parametrize("kind", KINDS)
def test_a_scale_of_one_label_has_one_weight(kind: Weights) -> None:
    assert weights(kind, np.array([3.0])).tolist() == [[1]]
