"""Small still pictures as SVG (templates/small_line.html). Text from outside is text in them."""

from __future__ import annotations

from reports.pictures.small_line import HEIGHT, LEFT, RIGHT, WIDTH, SmallLine
from reports.render.html_templates import environment


def small_line_svg(picture: SmallLine) -> str:
    """Return the line as SVG."""
    macros = environment().get_template("small_line.html").module
    return str(macros.small_line(picture, WIDTH, HEIGHT, LEFT, RIGHT))  # type: ignore[attr-defined]
