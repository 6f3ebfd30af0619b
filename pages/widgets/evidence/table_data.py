"""An evidence block of a report, and what opens behind its rows, as the browser is told them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pages.widgets.blocks import Links, shown_cell
from pages.widgets.evidence.contract import (
    EvidenceData,
    ParagraphBlock,
    RowPart,
    SquareBlock,
    TableAxis,
    TableBlock,
    TableColumn,
    TableLink,
    TableMark,
    TableRow,
    TableSpread,
)
from pages.widgets.untrusted_text import Link
from reports.document import Block, Cell, Evidence, EvidenceRow, Heat, Paragraph, RowDetails, Spread, Table
from reports.wording import number_with_limits
from scoring.agreement.intervals.estimate import Estimate

TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)
BOTH_WAYS = (-1.0, -0.5, 0.0, 0.5, 1.0)  # of an axis on which less than nothing is as much as more


def evidence_data(
    evidence: Evidence,
    details: Mapping[str, RowDetails],
    links: Links,
    opened: str = "",
    opens_below: bool = False,
) -> EvidenceData:
    """`details` by the keys of the rows, `links` by the positions of units. A row's notes are put before its
    details. `opened`: the row to open. `opens_below`: what opens is drawn by the page.
    """
    ticks = BOTH_WAYS if evidence.low <= -1 else TICKS
    axis, heads = evidence.page_head(evidence.axis), map(evidence.page_head, evidence.columns)
    return EvidenceData(
        title=evidence.title,
        corner=evidence.corner,
        verdict_name=evidence.verdict_name,
        spread_name=evidence.spread_name,
        series=list(evidence.series),
        axis=TableAxis(
            low=evidence.low,
            high=evidence.high,
            ticks=[tick for tick in ticks if evidence.low <= tick <= evidence.high],
            words=axis.name,
            term=axis.term,
        ),
        columns=[
            TableColumn(
                name=head.name,
                term=head.term,
                numeric=_has_amounts(evidence, column),
                sortable=_has_amounts(evidence, column),
            )
            for column, head in enumerate(heads)
        ],
        rows=[_row(evidence, row, details.get(row.key, RowDetails()), links) for row in evidence.rows],
        opened=opened,
        opens_below=opens_below,
        brief=evidence.brief,
    )


def _has_amounts(evidence: Evidence, column: int) -> bool:
    return any(row.amounts[column] is not None for row in evidence.rows)


def _row(evidence: Evidence, row: EvidenceRow, details: RowDetails, links: Links) -> TableRow:
    sentence: list[RowPart] = (
        [ParagraphBlock(kind="paragraph", text=details.sentence, term="", tone="strong")]
        if details.sentence
        else []
    )
    notes: list[RowPart] = [
        ParagraphBlock(kind="paragraph", text=f"{head.name}: {note}.", term=head.term, tone="plain")
        for head, note in zip(
            map(evidence.page_head, evidence.notes_names), row.page_notes or row.notes, strict=True
        )
        if note
    ]
    return TableRow(
        key=row.key,
        name=row.name,
        shape=row.shape,
        verdict=row.verdict,
        marks=[
            _mark(name, estimate, clear)
            for name, estimate, clear in zip(
                evidence.series if row.estimates else (),
                row.estimates,
                row.clear or (True,) * len(row.estimates),
                strict=True,
            )
        ],
        spread=_spread(row.spread) if row.spread else None,
        cells=list(row.page_cells or row.cells),
        marked=list(row.marked),
        remark=row.remark,
        amounts=list(row.amounts),
        beside=_parts(details.beside, links),
        behind=sentence + notes + _parts(details.behind, links),
    )


def _spread(spread: Spread) -> TableSpread:
    return TableSpread(
        low=spread.low,
        quarter=spread.quarter,
        median=spread.median,
        three_quarters=spread.three_quarters,
        high=spread.high,
        axis_low=spread.axis_low,
        axis_high=spread.axis_high,
        points=list(spread.points),
        ends=[f"{end:g}" for end in (spread.axis_low, spread.axis_high)],
        words=spread.words,
    )


def _mark(name: str, estimate: Estimate, clear: bool) -> TableMark:
    return TableMark(
        value=estimate.value,
        low=estimate.low,
        high=estimate.high,
        words=f"{name}: {number_with_limits(estimate)}",
        clear=clear,
    )


def _parts(blocks: Iterable[Block], links: Links) -> list[RowPart]:
    return [_part(block, links) for block in blocks]


def _part(block: Block, links: Links) -> RowPart:
    if isinstance(block, Paragraph):
        return ParagraphBlock(kind="paragraph", text=block.text, term="", tone=block.tone)
    if isinstance(block, Table):
        return TableBlock(
            kind="table",
            caption=block.caption,
            header=list(block.header),
            rows=[[_cell(value, links) for value in row] for row in block.rows],
            numeric=list(block.numeric),
        )
    if isinstance(block, Heat):
        return SquareBlock(
            kind="square",
            caption=block.title,
            corner=block.corner,
            down=list(block.down),
            across=list(block.across),
            texts=[list(row) for row in block.texts],
            shades=[list(row) for row in block.shades],
        )
    raise TypeError(f"a {type(block).__name__} does not open behind a row")


def _cell(value: Cell, links: Links) -> str | TableLink:
    cell = shown_cell(value, links)
    return TableLink(text=cell.text, target=cell.target) if isinstance(cell, Link) else cell
