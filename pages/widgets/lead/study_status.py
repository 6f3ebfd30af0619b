"""Progress: the answer in one sentence, one line per rater with their link, and the rest behind lines that
open.
"""

from __future__ import annotations

from functools import partial
from urllib.parse import urlencode

import streamlit as st

from data.record import studies
from data.record.studies import Study
from data.store import trail
from pages.widgets import reader_session, untrusted_text
from pages.widgets.blocks import show_blocks
from pages.widgets.lead import people
from pages.widgets.opening_line import open_line
from pages.widgets.rater_table.component import draw_raters
from pages.widgets.rater_table.contract import RaterLine, RaterTableData
from pages.widgets.write_address import write_address
from reports.progress.findings import ProgressFindings, gather_progress
from reports.progress.rater_work import RaterWork, headline, list_rater_work, rater_remark
from reports.progress.tables import criteria_table, open_tables, raters_table, units_words

MAX_ROWS_LISTED = 50  # the exported report has all
RATER = "rater"  # in the address: the rater whose details are open


def show(study: Study) -> None:
    """Show how far the work is, and a table of the raters."""
    with reader_session.store().reading() as connection:
        findings = gather_progress(connection, study, most=MAX_ROWS_LISTED)
        units = studies.unit_count(connection, study.id)
    work = list_rater_work(findings, units, trail.now())
    untrusted_text.heading(headline(findings, work, units), 1)
    totals = findings.totals
    if totals is not None and totals.drawn:
        under_way = f" {totals.under_way:,} under way." if totals.under_way else ""
        untrusted_text.paragraph(f"{units_words(totals, study.noun)}{under_way}", small=True)
    if work:
        _raters(study, findings, work)
    _rest(study, findings)


def _raters(study: Study, findings: ProgressFindings, work: list[RaterWork]) -> None:
    asked = st.query_params.get(RATER, "")
    opened = next((rater.row for rater in work if str(rater.row.id) == asked), None)
    lines = [_line(study, rater, findings) for rater in work]
    pressed = draw_raters(RaterTableData(rows=lines, opened=str(opened.id) if opened else ""))
    if pressed is not None:
        write_address(**{RATER: "" if pressed == asked else pressed})
        st.rerun()
    if opened is not None:
        people.show(study, opened, findings.plan)


def _line(study: Study, work: RaterWork, findings: ProgressFindings) -> RaterLine:
    row = work.row
    return RaterLine(
        key=str(row.id),
        name=row.name,
        code=row.code,
        remark=rater_remark(row, findings.plan),
        share=work.share,
        rated=work.rated_words,
        last=work.last,
        late=bool(work.quiet),
        pace=work.pace,
        left=work.left,
        address=f"my_work?{urlencode({'study': study.key, 'reader': row.id})}",
    )


def _rest(study: Study, findings: ProgressFindings) -> None:
    """Show all numbers of the work, each kind behind a line that opens."""
    tables = (
        ("work-raters", "Every number by rater", list(raters_table(findings, named=True))),
        ("work-criteria", "By criterion", list(criteria_table(study, findings.criteria))),
        ("work-open", "Unclaimed and expired work", list(open_tables(findings, named=True))),
    )
    for key, title, blocks in tables:
        if blocks:
            open_line(title, key, partial(show_blocks, study, blocks))
