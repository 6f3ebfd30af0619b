"""The blocks of a report as HTML, for a page and for a file: the one place that draws them. Text from outside
is text in them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Protocol

from reports.document import Block, Cell, Forest, Heat, Panels, Paragraph, Scatter, Table, Tone
from reports.pictures.forest import draw_forest
from reports.pictures.panels import draw_panels
from reports.pictures.scatter import draw_scatter
from reports.render.html_templates import environment


class Html(Protocol):
    """A cell that is more than text, such as a link, and escapes what it holds."""

    def __html__(self) -> str: ...


def block_html(block: Block, cell_of: Callable[[Cell], str | Html]) -> str:
    """Return a block as HTML. `cell_of`: returns a cell as words or as a link.

    Raise TypeError for evidence, which a file has in parts and a page as a table that opens.
    """
    if isinstance(block, Paragraph):
        return paragraph_html(block.text, block.tone)
    if isinstance(block, Table):
        rows = [[cell_of(cell) for cell in row] for row in block.rows]
        return table_html(block.caption, block.header, rows, block.numeric)
    if isinstance(block, Heat):
        return draw_macro(
            "tables",
            "square",
            block.title,
            block.corner,
            block.down,
            block.across,
            [
                [(text, round(22 * shade) if shade else 0) for text, shade in zip(row, shades, strict=True)]
                for row, shades in zip(block.texts, block.shades, strict=True)
            ],
        )
    if isinstance(block, Forest):
        return draw_macro("forest", "forest", draw_forest(block))
    if isinstance(block, Panels):
        return draw_macro("panels", "panels", draw_panels(block))
    if isinstance(block, Scatter):
        return draw_macro("panels", "scatter", draw_scatter(block))
    raise TypeError(f"a block of the kind {type(block).__name__} is not drawn by itself")


def paragraph_html(text: str, tone: Tone = "plain", term: str = "") -> str:
    """Return a paragraph as HTML; the text is escaped. `term`: its tooltip."""
    return draw_macro("tables", "paragraph", text, tone, term)


def table_html(
    caption: str, header: Sequence[str], rows: Sequence[Sequence[str | Html]], numeric: Sequence[int] = ()
) -> str:
    """Return a table as HTML. Columns in `numeric` are aligned right; a row's first cell is its header."""
    return draw_macro("tables", "table", caption, header, rows, numeric)


def draw_macro(template: str, macro: str, *values: object) -> str:
    """Return what a macro of templates/`template`.html writes; it escapes its values."""
    return str(getattr(_macros(template), macro)(*values))


@lru_cache
def _macros(template: str) -> Any:
    return environment().get_template(f"{template}.html").module
