"""An evidence block of a report, and the details behind its rows, as data for the browser."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pages.widgets.blocks import Links, shown_cell
from pages.widgets.evidence.contract import EvidenceData, TableColumn, TableRow
from reports.document import SIGNS, Block, Evidence, EvidenceRow, RowDetails
from reports.render.block_html import block_html, paragraph_html
from reports.render.evidence_html import legend_html, marks_html, scale_html, spread_html


def evidence_data(
    evidence: Evidence,
    details: Mapping[str, RowDetails],
    links: Links,
    opened: str = "",
    opens_below: bool = False,
) -> EvidenceData:
    """Return the table's data. `details` are by row key, `links` by unit position. A row's notes come before
    its details. `opened`: the row to open. `opens_below`: the page draws the details.
    """
    return EvidenceData(
        title=evidence.title,
        corner=evidence.corner,
        verdict_name=evidence.verdict_name,
        spread_name=evidence.spread_name,
        legend=legend_html(evidence),
        scale=scale_html(evidence) if evidence.series else "",
        columns=[
            TableColumn(
                name=head.name,
                term=head.term,
                numeric=_has_amounts(evidence, column),
                sortable=_has_amounts(evidence, column),
            )
            for column, head in enumerate(map(evidence.page_head, evidence.columns))
        ],
        rows=[_row(evidence, row, details.get(row.key, RowDetails()), links) for row in evidence.rows],
        opened=opened,
        opens_below=opens_below,
        brief=evidence.brief,
    )


def _has_amounts(evidence: Evidence, column: int) -> bool:
    return any(row.amounts[column] is not None for row in evidence.rows)


def _row(evidence: Evidence, row: EvidenceRow, details: RowDetails, links: Links) -> TableRow:
    sentence = paragraph_html(details.sentence, "strong") if details.sentence else ""
    heads = map(evidence.page_head, evidence.notes_names)
    notes = "".join(
        paragraph_html(f"{head.name}: {note}.", term=head.term)
        for head, note in zip(heads, row.page_notes or row.notes, strict=True)
        if note
    )
    return TableRow(
        key=row.key,
        name=row.name,
        shape=row.shape,
        sign=SIGNS[row.shape],
        verdict=row.verdict,
        marks=marks_html(evidence, row),
        spread=spread_html(row.spread),
        cells=list(row.page_cells or row.cells),
        marked=list(row.marked),
        remark=row.remark,
        amounts=list(row.amounts),
        beside=_html(details.beside, links),
        behind=f"{sentence}{notes}{_html(details.behind, links)}",
    )


def _html(blocks: Iterable[Block], links: Links) -> str:
    return "".join(block_html(block, lambda cell: shown_cell(cell, links)) for block in blocks)
