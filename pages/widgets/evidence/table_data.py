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
)
from pages.widgets.untrusted_text import Link
from reports.document import Block, Cell, Evidence, EvidenceRow, Heat, Paragraph, RowDetails, Table
from reports.wording import number_with_limits
from scoring.agreement.estimate import Estimate

TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)


def evidence_data(
    evidence: Evidence,
    details: Mapping[str, RowDetails],
    links: Links,
    opened: str = "",
) -> EvidenceData:
    """`details` by the keys of the rows, `links` by the positions of units. A row's notes are put before its
    details. `opened`: the row that is open at first.
    """
    return EvidenceData(
        title=evidence.title,
        corner=evidence.corner,
        verdict_name=evidence.verdict_name,
        series=list(evidence.series),
        axis=TableAxis(
            low=evidence.low,
            high=evidence.high,
            ticks=[tick for tick in TICKS if evidence.low <= tick <= evidence.high],
            words=evidence.axis,
        ),
        columns=[
            TableColumn(
                name=name,
                numeric=_has_amounts(evidence, column),
                sortable=_has_amounts(evidence, column),
            )
            for column, name in enumerate(evidence.columns)
        ],
        rows=[_row(evidence, row, details.get(row.key, RowDetails()), links) for row in evidence.rows],
        opened=opened,
    )


def _has_amounts(evidence: Evidence, column: int) -> bool:
    return any(row.amounts[column] is not None for row in evidence.rows)


def _row(evidence: Evidence, row: EvidenceRow, details: RowDetails, links: Links) -> TableRow:
    sentence: list[RowPart] = (
        [ParagraphBlock(kind="paragraph", text=details.sentence, tone="strong")] if details.sentence else []
    )
    notes: list[RowPart] = [
        ParagraphBlock(kind="paragraph", text=f"{name}: {note}.", tone="plain")
        for name, note in zip(evidence.notes_names, row.notes, strict=True)
        if note
    ]
    return TableRow(
        key=row.key,
        name=row.name,
        shape=row.shape,
        verdict=row.verdict,
        marks=[_mark(name, estimate) for name, estimate in zip(evidence.series, row.estimates, strict=True)],
        cells=list(row.cells),
        amounts=list(row.amounts),
        beside=_parts(details.beside, links),
        behind=sentence + notes + _parts(details.behind, links),
    )


def _mark(name: str, estimate: Estimate) -> TableMark:
    return TableMark(
        value=estimate.value,
        low=estimate.low,
        high=estimate.high,
        words=f"{name}: {number_with_limits(estimate)}",
    )


def _parts(blocks: Iterable[Block], links: Links) -> list[RowPart]:
    return [_part(block, links) for block in blocks]


def _part(block: Block, links: Links) -> RowPart:
    if isinstance(block, Paragraph):
        return ParagraphBlock(kind="paragraph", text=block.text, tone=block.tone)
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
