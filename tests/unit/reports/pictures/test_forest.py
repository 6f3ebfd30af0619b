"""The still picture of a forest: marks stand where their values are, and what is missing is not drawn."""

from __future__ import annotations

import pytest

from reports.document import Forest, ForestMark, ForestRow, Report, Section
from reports.pictures.forest import LEFT, RIGHT, draw_forest
from reports.render.page_file import page
from scoring.agreement.intervals.estimate import Estimate


def estimate(value: float | None, low: float | None = None, high: float | None = None) -> Estimate:
    return Estimate(value, 20, "kappa", None if value is not None else "nobody", low=low, high=high)


def forest(*estimates: tuple[Estimate, Estimate], low: float = -1.0, high: float = 1.0) -> Forest:
    rows = tuple(
        ForestRow(f"Criterion {number}", f"n {number}", (ForestMark("kappa", a), ForestMark("AC1", b)))
        for number, (a, b) in enumerate(estimates)
    )
    return Forest("f", "Title", "Axis", rows, low, high)


def x_of(value: float, low: float = -1.0, high: float = 1.0) -> float:
    return LEFT + (RIGHT - LEFT) * (value - low) / (high - low)


def test_marks_and_bars_stand_where_their_values_are() -> None:
    picture = draw_forest(forest((estimate(0.5, 0.25, 0.75), estimate(-1.0))))
    first, second = picture.rows[0].marks
    assert float(first.x) == x_of(0.5)
    assert first.bar == (f"{x_of(0.25):g}", f"{x_of(0.75):g}")
    assert float(second.x) == x_of(-1.0) and second.bar is None
    assert first.y != second.y and first.shape != second.shape


def test_a_bar_that_leaves_the_axis_is_cut_at_its_end() -> None:
    mark = draw_forest(forest((estimate(0.9, -3.0, 2.0), estimate(0.0)))).rows[0].marks[0]
    assert mark.bar == (f"{LEFT:g}", f"{RIGHT:g}")


def test_what_cannot_be_estimated_is_a_cross_and_says_why() -> None:
    mark = draw_forest(forest((estimate(None), estimate(0.1)))).rows[0].marks[0]
    assert mark.look == "cross" and mark.bar is None and "cannot be estimated: nobody" in mark.words


def test_every_mark_says_its_number_and_limits() -> None:
    mark = draw_forest(forest((estimate(0.54, 0.42, 0.65), estimate(0.0)))).rows[0].marks[0]
    assert mark.words == "Criterion 0: kappa 0.54; 0.42 to 0.65; n 0"


@pytest.mark.parametrize(
    ("low", "high", "labels"),
    [
        (-1.0, 1.0, ["-1.0", "-0.5", "0.0", "0.5", "1.0"]),
        (0.0, 0.5, ["0.0", "0.1", "0.2", "0.3", "0.4", "0.5"]),
        (-0.75, 1.0, ["-0.75", "-0.50", "-0.25", "0.00", "0.25", "0.50", "0.75", "1.00"]),
    ],
)
def test_ticks_are_round_numbers_and_zero_is_marked(low: float, high: float, labels: list[str]) -> None:
    picture = draw_forest(forest((estimate(0.1), estimate(0.2)), low=low, high=high))
    assert [tick.label for tick in picture.ticks] == labels
    assert [float(tick.label) for tick in picture.ticks if tick.zero] == [0.0]
    for tick in picture.ticks:
        assert float(tick.x) == pytest.approx(x_of(float(tick.label), low, high), abs=0.01)


def test_a_file_with_a_picture_has_no_script_and_is_the_same_twice() -> None:
    report = Report(
        "R",
        (),
        (),
        (
            Section(
                "s",
                "S",
                (
                    forest(
                        (estimate(0.5, 0.1, 0.9), estimate(None)),
                    ),
                ),
            ),
        ),
    )
    html = page(report)
    assert html == page(report) and b"<script" not in html and len(html) < 20_000
    assert html.count(b'role="img"') == 1 and html.count(b'class="bar"') == 1


def test_a_forest_without_rows_is_an_empty_axis() -> None:
    picture = draw_forest(Forest("f", "T", "A", (), 0.0, 1.0))
    assert (picture.rows, picture.legend) == ((), ()) and picture.ticks
