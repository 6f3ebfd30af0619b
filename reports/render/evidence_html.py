"""What an evidence table of a page draws: its axis, the marks of each row, and how values of a row lie."""

from __future__ import annotations

from dataclasses import dataclass

from reports.document import ON_ONE_LINE, Evidence, EvidenceRow, Spread
from reports.pictures.axis_ticks import round_values
from reports.pictures.marks import Axis, Mark, draw_mark, draw_thin_mark, legend_mark
from reports.render.block_html import draw_macro
from reports.wording import number_with_limits

HEIGHT = 26.0  # of the marks of a row, in pixels
MAX_TICKS = 4


@dataclass(frozen=True)
class PlacedTick:
    x: str
    label: str


def scale_html(evidence: Evidence) -> str:
    """Return the numbers of the axis as HTML, for above the rows."""
    axis = evidence.page_head(evidence.axis)
    words = f"{axis.name} ({axis.term})" if axis.term else axis.name
    return draw_macro("evidence", "scale", _ticks(evidence), words)


def legend_html(evidence: Evidence) -> str:
    """Return what the marks are as HTML; "" if there is nothing to explain."""
    axis, names = evidence.page_head(evidence.axis), evidence.series
    if not names and not axis.name:
        return ""
    shown = names if len(names) <= ON_ONE_LINE else ()
    marks = [
        legend_mark(None if len(shown) == 1 else series, "7", 7.0, name) for series, name in enumerate(shown)
    ]
    return draw_macro("evidence", "legend", marks, axis)


def marks_html(evidence: Evidence, row: EvidenceRow) -> str:
    """Return the estimates of a row on the axis as HTML; "" if it has none."""
    return (
        draw_macro("evidence", "row", _marks(evidence, row), _ticks(evidence), HEIGHT)
        if row.estimates
        else ""
    )


def spread_html(spread: Spread | None) -> str:
    """Return a spread on its own axis as HTML; "" for None."""
    if spread is None:
        return ""
    ends = (f"{spread.axis_low:g}", f"{spread.axis_high:g}")
    return draw_macro("evidence", "spread", spread, ends, Axis(spread.axis_low, spread.axis_high).place)


def _marks(evidence: Evidence, row: EvidenceRow) -> list[Mark]:
    axis, lane = Axis(evidence.low, evidence.high), HEIGHT / len(row.estimates)
    clear = row.clear or (True,) * len(row.estimates)
    marks = []
    for series, (name, estimate, is_clear) in enumerate(
        zip(evidence.series, row.estimates, clear, strict=True)
    ):
        mark = ((series + 0.5) * lane, lane, f"{name}: {number_with_limits(estimate)}", not is_clear)
        if len(row.estimates) > ON_ONE_LINE:
            marks.append(draw_thin_mark(axis, estimate, mark))
        else:
            marks.append(draw_mark(axis, estimate, series if len(row.estimates) > 1 else None, mark))
    return marks


def _ticks(evidence: Evidence) -> list[PlacedTick]:
    axis = Axis(evidence.low, evidence.high)
    values, _ = round_values(evidence.low, evidence.high, MAX_TICKS)
    return [PlacedTick(axis.place(value), f"{value:g}") for value in values]
