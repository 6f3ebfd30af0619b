"""A small line: points stand where their values are, gaps stay gaps, and without a line there is no picture."""

from __future__ import annotations

import pytest

from reports.pictures.small_line import BOTTOM, LEFT, RIGHT, TOP, SmallLine, draw_small_line
from reports.render.small_pictures import small_line_svg
from words.figures import percent


def line(*values: float | None) -> SmallLine | None:
    names = [f"week {number}" for number in range(len(values))]
    return draw_small_line(values, names, 0.0, 1.0, percent, "Agreement")


def test_the_ends_stand_where_their_values_are() -> None:
    picture = line(0.0, 0.5, 1.0)
    assert picture is not None
    assert picture.paths == (f"M{LEFT} {BOTTOM}L160.0 36.0L{RIGHT} {TOP}",)
    assert (picture.first.text, picture.last.text) == ("0%", "100%")
    assert picture.guides == (BOTTOM, TOP)


def test_a_gap_stays_a_gap_and_a_value_between_two_is_a_dot() -> None:
    picture = line(0.2, 0.3, None, 0.4, None, 0.5, 0.5)
    assert picture is not None and len(picture.paths) == 2 and len(picture.dots) == 1


@pytest.mark.parametrize("values", [(), (None, None), (0.4,), (None, 0.4, None)])
def test_where_there_is_no_line_nothing_is_drawn(values: tuple[float | None, ...]) -> None:
    assert line(*values) is None


def test_all_of_it_is_said_for_whoever_does_not_see_it() -> None:
    picture = line(0.5, 0.2, None, 0.9, 0.6)
    assert picture is not None
    assert picture.words == (
        "Agreement: 50% at week 0, 60% at week 4; lowest 20% at week 1, highest 90% at week 3."
    )
    svg = small_line_svg(picture)
    assert svg.startswith("<svg ") and f'aria-label="{picture.words}"' in svg and "nan" not in svg.lower()


def test_text_from_outside_is_text() -> None:
    picture = draw_small_line([0.1, 0.2], ["<b>", '"><script>'], 0.0, 1.0, percent, "<img src=x>")
    assert picture is not None
    svg = small_line_svg(picture)
    assert "<script" not in svg and "<img" not in svg and "<b>" not in svg
