"""Numbers are rounded as by hand."""

from __future__ import annotations

import pytest

from words.figures import date_in_words, decimal, duration, percent, signed_decimal


@pytest.mark.parametrize(
    ("value", "digits", "shown"),
    [
        (-0.125, 2, "-0.13"),
        (0.125, 2, "0.13"),
        (0.7125, 3, "0.713"),
        (-0.001, 2, "0.00"),
        (1.0, 3, "1.000"),
        (0.8, 3, "0.800"),
    ],
)
def test_halves_go_up_and_nothing_has_no_sign(value: float, digits: int, shown: str) -> None:
    assert decimal(value, digits) == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (1 / 8, "13%"),
        (5 / 8, "63%"),
        (7 / 8, "88%"),
        (0.0, "0%"),
        (1.0, "100%"),
        (0.999, "99.9%"),
        (0.001, "0.1%"),
    ],
)
def test_percent_never_reads_as_all_or_nothing_when_it_is_not(value: float, shown: str) -> None:
    assert percent(value) == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0.125, "+0.13"), (-0.125, "-0.13"), (0.004, "0.00"), (-0.004, "0.00"), (0.0, "0.00")],
)
def test_a_sign_stands_before_what_is_more_than_nothing(value: float, shown: str) -> None:
    assert signed_decimal(value, 2) == shown


@pytest.mark.parametrize(
    ("minutes", "shown"), [(0.02, "under 0.1"), (0.05, "0.1"), (3.26, "3.3"), (12.0, "12.0")]
)
def test_a_moment_does_not_read_as_nothing(minutes: float, shown: str) -> None:
    assert duration(minutes) == shown


def test_a_date_is_written_in_words() -> None:
    assert [date_in_words(day) for day in ("2026-03-23", "2026-12-01", "2026-01")] == [
        "23 March 2026",
        "1 December 2026",
        "January 2026",
    ]
