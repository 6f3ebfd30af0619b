"""One of a thing or several, in words."""

from __future__ import annotations

import pytest

from words.plurals import count, inflect, join_words


@pytest.mark.parametrize(
    ("number", "words"),
    [(0, "units are"), (1, "unit is"), (2, "units are"), (1.0, "unit is"), (0.5, "units are")],
)
def test_only_exactly_one_is_singular(number: float, words: str) -> None:
    assert inflect(number, "unit is", "units are") == words


def test_a_number_comes_with_its_words_and_its_thousands_apart() -> None:
    assert [count(number, "pass", "passes") for number in (0, 1, 1200)] == [
        "0 passes",
        "1 pass",
        "1,200 passes",
    ]


def test_words_in_a_row_have_a_conjunction_before_the_last() -> None:
    assert [join_words("abc"[:number]) for number in range(4)] == ["", "a", "a and b", "a, b and c"]
    assert join_words(["x", "y", "z"], "or") == "x, y or z"
