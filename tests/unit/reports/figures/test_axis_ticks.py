"""Numbers of an axis below zero are written as in sentences; where none is, Plotly writes them."""

from __future__ import annotations

from reports.figures.axis_ticks import plain_ticks


def test_below_zero_the_numbers_have_the_minus_sign_of_the_sentences() -> None:
    ticks = plain_ticks([-10.0, None, 12.0])
    assert ticks["tickvals"] == [-10.0, -5.0, 0.0, 5.0, 10.0]
    assert ticks["ticktext"] == ["-10", "-5", "0", "5", "10"]
    assert plain_ticks([-0.9, 0.2])["ticktext"][0] == "-0.8"


def test_where_no_number_is_below_zero_nothing_is_said() -> None:
    assert plain_ticks([0.0, 5.0]) == plain_ticks([]) == plain_ticks([None]) == plain_ticks([-1.0]) == {}
    assert plain_ticks([-0.01, 1.0]) == {}, "the axis begins a little below, and no number stands there"
