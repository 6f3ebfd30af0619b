"""A report as one HTML file that needs nothing else: no network, no server, no script. The same report gives
the same bytes.
"""

from __future__ import annotations

from reports.document import Cell, Report, UnitLink
from reports.pictures.forest import draw_forest
from reports.pictures.panels import draw_panels
from reports.pictures.scatter import draw_scatter
from reports.render.html_tables import tinted_cells
from reports.render.html_templates import TEMPLATES, environment
from words.unit_nouns import CONVERSATION, UnitNoun


def page(report: Report) -> bytes:
    """UTF-8."""
    style = (TEMPLATES / "report.css").read_text(encoding="utf-8")
    html: str = (
        environment()
        .get_template("report.html")
        .render(
            report=report.for_files(),
            style=style,
            kind_of=lambda block: type(block).__name__,
            cells_of=lambda table: [[text(cell, report.noun) for cell in row] for row in table.rows],
            tinted=tinted_cells,
            draw_forest=draw_forest,
            draw_panels=draw_panels,
            draw_scatter=draw_scatter,
        )
    )
    return html.encode()


def text(cell: Cell, noun: UnitNoun = CONVERSATION) -> str:
    """A cell as words: a way to a unit is its name."""
    return noun.name(cell.position) if isinstance(cell, UnitLink) else str(cell)
