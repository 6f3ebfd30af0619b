"""Arguments of a wrong kind, refused by name."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from scoring.bad_input import BadInput, count, inside, number, text, texts, values


@pytest.mark.parametrize("value", [3, 0.5, b"a", ["a"], {"a": 1}, True])
def test_what_is_no_text_is_refused_by_name_and_kind(value: Any) -> None:
    with pytest.raises(BadInput) as raised:
        text("reply", value)
    assert (raised.value.argument, raised.value.message) == (
        "reply",
        f"reply: expected a text, found {type(value).__name__}",
    )
    assert isinstance(raised.value, ValueError)


def test_none_is_an_empty_text_and_odd_texts_pass() -> None:
    assert texts("replies", ("a", None, "\ud800", "")) == ["a", "", "\ud800", ""]


@pytest.mark.parametrize(
    ("value", "argument"),
    [("abc", "x"), (b"abc", "x"), (None, "x"), (3, "x"), ({"a"}, "x"), (["a", 3], "x[1]"), ([["a"]], "x[0]")],
)
def test_what_is_no_list_of_texts_is_refused_by_name_and_place(value: Any, argument: str) -> None:
    with pytest.raises(BadInput) as raised:
        texts("x", value)
    assert raised.value.argument == argument


def test_numbers_keep_their_gaps() -> None:
    assert values("x", [1, None, Fraction(1, 4), 0.0]) == [1.0, None, 0.25, 0.0]


@pytest.mark.parametrize("value", [True, "1", None, math.nan, -math.inf, 10**400, 1j])
def test_what_is_no_finite_number_is_refused(value: Any) -> None:
    with pytest.raises(BadInput, match="x: expected a"):
        number("x", value)


def test_a_count_is_a_whole_number_of_python_or_numpy() -> None:
    assert (count("x", 0), count("x", np.int64(7))) == (0, 7)
    assert type(count("x", np.int64(7))) is int


@pytest.mark.parametrize("value", [-1, np.int64(-1), True, 1.0, np.float64(1), math.nan, "1", None])
def test_what_is_no_count_is_refused(value: Any) -> None:
    with pytest.raises(BadInput, match=r"x: expected a (whole number|count from 0)"):
        count("x", value)


@pytest.mark.parametrize("value", [0, 1, -0.5, 2, math.nan, "0.5"])
def test_the_ends_are_not_inside(value: Any) -> None:
    assert inside("x", 0.5, 0, 1) == 0.5
    with pytest.raises(BadInput, match="x: expected a"):
        inside("x", value, 0, 1)
