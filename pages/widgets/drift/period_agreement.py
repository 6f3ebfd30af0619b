"""Agreement with the judge over time on the page: what moved, the line and the level, over days that
were rated, judged or held.
"""

from __future__ import annotations

from functools import partial

import streamlit as st

from data.access.permissions import Person
from data.record.rater_codes import read_rater_codes
from data.record.studies import Study
from pages.widgets import reader_session, untrusted_text
from pages.widgets.blocks import show_blocks
from pages.widgets.chart import draw_chart
from pages.widgets.drift.movement_rows import moved_rows
from pages.widgets.drift.part_lines import table_with_file
from pages.widgets.drift.period_findings import NO_DAYS, NO_JUDGE, NO_PAIRS, view_over_time
from pages.widgets.opening_line import open_line
from reports.drift import level_words, what_moved
from reports.drift import period_agreement as said
from reports.drift.agreement_by_date import AXES, AgreementByDate, PeriodChoice, PeriodView
from reports.drift.over_time import JudgeChoice
from reports.figures import periods
from reports.figures.turn_curves import CONFIG
from scoring.drift.periods import LENGTHS

NOTHING = "Nothing"
NEEDS = {
    NO_JUDGE: "Start a run on the Runs page, or import a judge's labels.",
    NO_PAIRS: "Have clinicians rate, blind, conversations that the judge has labelled.",
    NO_DAYS: "The ratings and the judge's labels came from files without dates, and the conversations have "
    "no date. Ratings given in this app are dated, and so are judge runs.",
}


def over_time(study: Study, reader: Person) -> None:
    """Show agreement with a judge over time."""
    with st.container(key="answer-page", gap="small"):
        answer, choices = st.columns([3, 2], gap="medium")
        with (
            choices,
            st.container(horizontal=True, horizontal_alignment="right", vertical_alignment="bottom"),
        ):
            shown = view_over_time(study, partial(_choose_judge, study), partial(_choose_periods, study))
        if isinstance(shown, str):
            with answer:
                untrusted_text.heading(f"Change over time can't be estimated, {shown}.", 1)
            untrusted_text.paragraph(NEEDS.get(shown, ""))
            return
        codes = {}
        if reader.rater is None:  # to a rater no single colleague is shown, under a code neither
            with reader_session.store().reading() as connection:
                codes = read_rater_codes(connection, study)
        with answer:
            first, rest = what_moved.headline(shown, codes)
            untrusted_text.heading(first, 1)
            if rest:
                untrusted_text.paragraph(rest, small=True)
        moved_rows(what_moved.rows(shown, codes))
        _chart(shown)
        open_line("Everything behind it", "everything", lambda: _everything(study, shown))


def _choose_judge(study: Study, choice: JudgeChoice) -> int:
    return st.selectbox(
        "Judge",
        list(choice.names),
        index=list(choice.names).index(choice.usual),
        key=f"time-judge-{study.id}",
        format_func=choice.names.__getitem__,
    )


def _choose_periods(study: Study, source: AgreementByDate) -> PeriodChoice:
    with st.popover("Chart options"):
        axis = st.selectbox("Date by", source.axes, format_func=AXES.__getitem__, key=f"time-axis-{study.id}")
        by = st.selectbox(
            "Group cases by",
            [*source.moments.divides(), NOTHING],
            format_func=lambda name: name.replace("_", " "),
            key=f"time-by-{study.id}",
        )
        length = st.selectbox(
            "One point for each",
            LENGTHS,
            index=LENGTHS.index(source.fitting(axis)),
            format_func=str.capitalize,
            key=f"time-length-{study.id}-{axis}",
        )
    return axis, None if by == NOTHING else by, length


def _chart(shown: PeriodView) -> None:
    draw_chart(periods.line(shown), key="time-line", config=CONFIG)
    untrusted_text.paragraph(
        " ".join(
            [
                "Bars: 95% intervals. Numbers below: labels compared.",
                said.changes_words(shown),
            ]
        ),
        small=True,
    )


def _everything(study: Study, shown: PeriodView) -> None:
    for title, key, draw in (
        ("How it was tested", "drift-tested", _tested),
        ("Agreement with the judge over time", "drift-line", _line),
        ("Does the judge rate higher or lower than clinicians?", "drift-level", _level),
    ):
        open_line(title, key, partial(draw, study, shown))


def _tested(study: Study, shown: PeriodView) -> None:
    untrusted_text.paragraph(what_moved.NOTE, small=True)
    table_with_file(study, what_moved.table(shown))


def _line(study: Study, shown: PeriodView) -> None:
    show_blocks(study, said.blocks(shown))
    table_with_file(study, said.periods_table(shown))
    if shown.by is not None:
        table_with_file(study, said.mix_table(shown))


def _level(study: Study, shown: PeriodView) -> None:
    is_known = any(estimate.value is not None for estimate in shown.levels)
    if is_known:
        draw_chart(periods.level(shown), key="time-level", config=CONFIG)
    show_blocks(study, level_words.level_words(shown))
    if is_known:
        table_with_file(study, level_words.level_table(shown))
