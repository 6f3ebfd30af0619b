"""Agreement with the judge over time on the page: what moved, the line and the level, over days that
were rated, judged or held.
"""

from __future__ import annotations

import streamlit as st

from data.record.rater_codes import read_rater_codes
from data.record.studies import Study
from pages.widgets import reader_session, untrusted_text
from pages.widgets.blocks import show_blocks
from pages.widgets.chart import draw_chart
from pages.widgets.drift.movement_rows import moved_rows
from pages.widgets.drift.part_lines import table_with_file
from pages.widgets.drift.period_findings import (
    NO_DAYS,
    NO_JUDGE,
    NO_PAIRS,
    in_words,
    judges_over_time,
    labels_over_time,
    period_view,
    untold_reason,
)
from pages.widgets.opening_line import opening_line
from pages.widgets.reader_session import Reader
from reports.drift import headline, level_words, rater_movement
from reports.drift import period_agreement as said
from reports.drift.agreement_by_date import AXES, PeriodView
from reports.figures import periods
from reports.figures.turn_curves import CONFIG
from scoring.drift.periods import LENGTHS

NOTHING = "Nothing"
NEEDS = {
    NO_JUDGE: "Start a run on the Runs page, or bring a judge's labels in.",
    NO_PAIRS: "It takes blind ratings of conversations that the judge has labelled.",
    NO_DAYS: "The ratings and the judge's labels came from files that do not say when they were given, and "
    "the conversations have no date. Ratings given in this program have a day, and so have judge runs.",
}


def over_time(study: Study, reader: Reader) -> None:
    with st.container(key="answer-page", gap="small"):
        answer, choices = st.columns([3, 2], gap="medium")
        with (
            choices,
            st.container(horizontal=True, horizontal_alignment="right", vertical_alignment="bottom"),
        ):
            shown = _choices(study)
        if isinstance(shown, str):
            with answer:
                untrusted_text.heading(f"Whether anything moved over time cannot be told, {shown}.", 1)
            untrusted_text.paragraph(NEEDS.get(shown, ""))
            return
        codes = {}
        if reader.rater is None:  # to a rater no single colleague is shown, under a code neither
            with reader_session.store().reading() as connection:
                codes = read_rater_codes(connection, study)
        with answer:
            untrusted_text.heading(headline.headline(shown, codes), 1)
        moved_rows(headline.rows(shown, codes))
        _chart(shown)
        everything = opening_line("Everything behind it", "everything")
        if everything.open:
            with everything:
                _everything(study, shown)


def _choices(study: Study) -> PeriodView | str:
    """What is chosen to be shown, or why there is nothing."""
    choice = judges_over_time(study)
    if choice is None:
        return NO_JUDGE
    judge = st.selectbox(
        "Judge",
        list(choice.names),
        index=list(choice.names).index(choice.usual),
        key=f"time-judge-{study.id}",
        format_func=choice.names.__getitem__,
    )
    head, source = labels_over_time(study, judge)
    reason = untold_reason(source)
    if reason is not None:
        return reason
    with st.popover("What is drawn"):
        axis = st.selectbox("Time is", source.axes, format_func=AXES.__getitem__, key=f"time-axis-{study.id}")
        by = st.selectbox(
            "Cases divided by",
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
    shown = period_view(study, judge, head, source, axis, None if by == NOTHING else by, length)
    return in_words(shown.too_many) if shown.too_many is not None else shown


def _chart(shown: PeriodView) -> None:
    draw_chart(periods.line(shown), key="time-line", config=CONFIG)
    untrusted_text.paragraph(
        " ".join(["Bars: 95 % intervals. Below: labels compared.", said.changes_words(shown)]),
        small=True,
    )


def _everything(study: Study, shown: PeriodView) -> None:
    for title, key, draw in (
        ("How it was tested", "drift-tested", _tested),
        ("Agreement with the judge over time", "drift-line", _line),
        ("Does the judge rate higher or lower than clinicians?", "drift-level", _level),
    ):
        line = opening_line(title, key)
        if line.open:
            with line:
                draw(study, shown)


def _tested(study: Study, shown: PeriodView) -> None:
    untrusted_text.paragraph(rater_movement.NOTE, small=True)
    table_with_file(study, "what_moved", lambda: rater_movement.table(shown))


def _line(study: Study, shown: PeriodView) -> None:
    show_blocks(study, said.blocks(shown))
    table_with_file(study, "agreement_over_time", lambda: said.periods_table(shown))
    if shown.by is not None:
        table_with_file(study, "mix_over_time", lambda: said.mix_table(shown))


def _level(study: Study, shown: PeriodView) -> None:
    if any(estimate.value is not None for estimate in shown.levels):
        draw_chart(periods.level(shown), key="time-level", config=CONFIG)
        show_blocks(study, level_words.level_words(shown))
        table_with_file(study, "level_over_time", lambda: level_words.level_table(shown))
    else:
        show_blocks(study, level_words.level_words(shown))
