"""What figures are called in words."""

from __future__ import annotations

import pytest

from reports.wording import signed_points


@pytest.mark.parametrize(
    ("difference", "digits", "words"),
    [
        (0.04, 0, "+4"),
        (-0.04, 0, "-4"),
        (0.0, 0, "0"),
        (0.004, 0, "0"),
        (-0.004, 0, "0"),
        (0.004, 1, "+0.4"),
        (1.0, 0, "+100"),
    ],
)
def test_points_have_a_sign_unless_they_are_nothing(difference: float, digits: int, words: str) -> None:
    assert signed_points(difference, digits) == words
