"""A number with a sign stands in a table of a page as it is; what may be a formula does not, nor in a file."""

from __future__ import annotations

import pytest

from data.exporters.csv_cells import cell
from pages.widgets.page_cells import page_cell


@pytest.mark.parametrize(
    "text",
    [
        "-0.08 to 0.19, too little data to rely on",
        "-0.08 (-0.2 to 0.19), too little data to rely on",
        "-12% (plausible range -20% to -4%)",
        "+1,204 points",
        "-3",
        "0.5",
        "plain",
        "",
    ],
)
def test_numbers_with_limits_and_words_are_shown_without_an_apostrophe(text: str) -> None:
    assert page_cell(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "=1+1",
        "-2+3",
        "-2 +3",
        "-2 -3",
        "-1 HYPERLINK(A1)",
        "-1|calc",
        "-cmd",
        "+x",
        "@x",
        "-1 to =2",
        '-1 "a"',
        "-1 A1:B2",
        "\t=1",
        "-1\n=2",
    ],
)
def test_everything_else_keeps_its_guard(text: str) -> None:
    assert page_cell(text) == f"'{text}"


def test_files_stay_as_they_were() -> None:
    assert cell("-0.08 to 0.19, too little data to rely on") == "'-0.08 to 0.19, too little data to rely on"
