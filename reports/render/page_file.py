"""A report as one HTML file that needs nothing else: no network, no server, no script. The same report gives
the same bytes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from reports.document import Cell, Report, UnitLink
from reports.render.block_html import block_html
from reports.render.html_templates import environment, read_style
from words.unit_nouns import CONVERSATION, UnitNoun


def page(report: Report) -> bytes:
    """Return the report as an HTML file in UTF-8."""
    html: str = (
        environment()
        .get_template("report.html")
        .render(
            report=_without_answer(report.for_files()),
            style=read_style("report.css", "picture.css"),
            draw=lambda block: block_html(block, lambda cell: text(cell, report.noun, report.unit_names)),
        )
    )
    return html.encode()


def _without_answer(report: Report) -> Report:
    """Return the report without sentences that its head says."""
    sections = (
        replace(
            section, blocks=tuple(b for b in section.blocks if getattr(b, "text", None) not in report.answer)
        )
        for section in report.sections
    )
    return replace(report, sections=tuple(sections))


def text(cell: Cell, noun: UnitNoun = CONVERSATION, names: Mapping[int, str] | None = None) -> str:
    """Return a cell as words; a link to a unit becomes its name in `names`, or else its number."""
    if not isinstance(cell, UnitLink):
        return str(cell)
    return (names or {}).get(cell.position) or noun.name(cell.position)
