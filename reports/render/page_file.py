"""A report as one HTML file that needs nothing else: no network, no server, no script. The same report gives
the same bytes.
"""

from __future__ import annotations

from reports.document import Cell, Report, Table, UnitLink
from reports.figures.forest_picture import draw_forest
from reports.figures.panels_picture import draw_panels
from reports.figures.scatter_picture import draw_scatter
from reports.render.html_tables import tinted_cells
from reports.render.html_templates import TEMPLATES, environment


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
            cells_of=_cells,
            tinted=tinted_cells,
            draw_forest=draw_forest,
            draw_panels=draw_panels,
            draw_scatter=draw_scatter,
        )
    )
    return html.encode()


def _cells(table: Table) -> list[list[str]]:
    return [[text(cell) for cell in row] for row in table.rows]


def text(cell: Cell) -> str:
    """A cell as words: a way to a unit is its number."""
    return f"Unit {cell.position}" if isinstance(cell, UnitLink) else str(cell)
