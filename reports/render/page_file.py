"""A report as one HTML file that needs nothing else: no network, no server. The same report gives the same
bytes.
"""

from __future__ import annotations

from html import escape

from reports.document import Block, Cell, Forest, Heat, Paragraph, Report, Section, Table, UnitLink
from reports.figures.forest import forest
from reports.render import html_tables

STYLE = """
body {
  font: 16px/1.5 system-ui, sans-serif; color: #1a1a1a; background: #fff;
  max-width: 72rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere;
}
table { overflow-wrap: normal; } caption, .sr-long { overflow-wrap: anywhere; } .sr-long { min-width: 12ch; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.25rem; margin-top: 2rem; }
.small { font-size: .9rem; color: #444; } .strong { font-size: 1.1rem; font-weight: 600; }
table { border-collapse: collapse; font-size: .92rem; margin: .6rem 0 1.2rem; }
caption { text-align: left; font-weight: 600; padding: .3rem 0; }
th, td {
  border-bottom: 1px solid #ccc; padding: .3rem .8rem .3rem 0;
  text-align: left; font-weight: 400; vertical-align: top;
}
thead th { font-weight: 600; }
.sr-num { text-align: right; font-variant-numeric: tabular-nums; }
.sr-wide { overflow-x: auto; }
.sr-square { min-width: 60ch; }
.sr-square .sr-num { padding-left: .8rem; }
.sr-small { font-size: .9rem; color: #444; }
.warn { border: 2px solid #1a1a1a; padding: .2rem 1rem; }
@media print {
  body { margin: 0; font-size: 11px; }
  h2 { break-after: avoid; }
  table { break-inside: auto; }
  .sr-wide { overflow: visible; }
}
"""


def page(report: Report) -> bytes:
    """UTF-8."""
    charts = any(isinstance(block, Forest) for section in report.sections for block in section.blocks)
    parts = [
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" '
        'content="width=device-width">',
        f"<title>{escape(report.title)}</title><style>{STYLE}</style>",
        _plotly() if charts else "",
        f"</head><body><h1>{escape(report.title)}</h1>",
        *(f'<p class="small">{escape(line)}</p>' for line in report.header),
    ]
    if report.cautions:
        parts.append(
            '<section class="warn"><h2>Before you believe these numbers</h2><ul>'
            + "".join(f"<li>{escape(caution)}</li>" for caution in report.cautions)
            + "</ul></section>"
        )
    parts += [_section(section) for section in report.sections]
    settings = "".join(
        f"<li>{escape(name)}: {escape(str(value))}</li>" for name, value in report.settings.items()
    )
    parts.append(f'<h2>What this was computed from</h2><ul class="small">{settings}</ul></body></html>')
    return "\n".join(parts).encode()


def _plotly() -> str:
    from plotly.offline import get_plotlyjs

    return f"<script>{get_plotlyjs()}</script>"


def _section(section: Section) -> str:
    blocks = "".join(_block(block) for block in section.blocks)
    return f'<section id="{escape(section.key)}"><h2>{escape(section.title)}</h2>{blocks}</section>'


def _block(block: Block) -> str:
    if isinstance(block, Paragraph):
        return f'<p class="{block.tone}" dir="auto">{escape(block.text)}</p>'
    if isinstance(block, Table):
        return html_tables.table(
            block.caption, block.header, [[text(cell) for cell in row] for row in block.rows], block.numeric
        )
    if isinstance(block, Heat):
        return html_tables.square(
            block.title, block.corner, block.down, block.across, block.texts, block.shades
        )
    figure = forest(block).update_layout(template="plotly_white")
    drawn: str = figure.to_html(
        full_html=False,
        include_plotlyjs=False,
        div_id=f"chart-{block.key}",
        config={"displaylogo": False, "responsive": True},
    )
    return drawn


def text(cell: Cell) -> str:
    """A cell as words: a way to a unit is its number."""
    return f"Unit {cell.position}" if isinstance(cell, UnitLink) else str(cell)
