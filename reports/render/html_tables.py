"""Tables as HTML, for a page and for a file (templates/tables.html). Text from outside is text in them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Protocol

from reports.render.html_templates import environment


class Html(Protocol):
    """A cell that is more than text, such as a link, and escapes what it holds."""

    def __html__(self) -> str: ...


def table(
    caption: str, header: Sequence[str], rows: Sequence[Sequence[str | Html]], numeric: Sequence[int] = ()
) -> str:
    """`numeric` columns are aligned right. The first cell of a row is its header."""
    return str(_macros().table(caption, header, rows, numeric))


def square(
    caption: str,
    corner: str,
    down: Sequence[str],
    across: Sequence[str],
    texts: Sequence[Sequence[str]],
    shades: Sequence[Sequence[float | None]],
) -> str:
    """Counts whose cells are darker the larger their share, 0 to 1; what they hold stands in them as text."""
    return str(_macros().square(caption, corner, down, across, tinted_cells(texts, shades)))


def tinted_cells(
    texts: Sequence[Sequence[str]], shades: Sequence[Sequence[float | None]]
) -> list[list[tuple[str, int]]]:
    """Row by row, the text of each cell and how dark it is, in percent of the text's colour."""
    return [
        [(text, round(22 * shade) if shade else 0) for text, shade in zip(row, tints, strict=True)]
        for row, tints in zip(texts, shades, strict=True)
    ]


@lru_cache
def _macros() -> Any:
    return environment().get_template("tables.html").module
