"""Agreement over time on the page: what moved, the line, the level, the control chart."""

from __future__ import annotations

from html import escape

import streamlit as st

from data.rater_codes import read_rater_codes
from data.studies import Study
from data.study_heads import StudyHead
from pages.widgets import reader_session, untrusted_text
from pages.widgets.blocks import show_blocks
from pages.widgets.drift.csv_button import csv_button
from pages.widgets.memo import memoize, study_head
from pages.widgets.reader_session import Reader
from reports.drift import headline, level_words, rater_movement
from reports.drift import period_agreement as said
from reports.drift.agreement_by_date import AXES, AgreementByDate, PeriodView
from reports.drift.over_time import judge_choice, read_over_time
from reports.figures import periods
from reports.figures.turn_curves import CONFIG
from scoring.drift.periods import LENGTHS

NOTHING = "Nothing"
SIGNS = {"no": "\u2715", "leans": "\u2248", "yes": "\u2013", "unknown": "?"}


def over_time(study: Study, reader: Reader) -> None:
    with st.container(key="answer-page", gap="small"):
        answer, choices = st.columns([3, 2], gap="medium")
        with choices, st.container(horizontal=True, vertical_alignment="bottom"):
            shown = _choices(study)
        if shown is None:
            with answer:
                untrusted_text.heading("Nothing can be told over time yet.", 1)
            return
        codes = {}
        if reader.rater is None:  # to a rater no single colleague is shown, under a code neither
            with reader_session.store().reading() as connection:
                codes = read_rater_codes(connection, study)
        with answer:
            untrusted_text.heading(headline.headline(shown, codes), 1)
        _rows(headline.rows(shown, codes))
        _chart(shown)
        with st.expander("How it was tested", type="compact"):
            untrusted_text.paragraph(rater_movement.NOTE, small=True)
            show_blocks(study, [rater_movement.table(shown)])
            csv_button("what_moved", study, lambda: rater_movement.table(shown))
        _line(study, shown)
        _level(study, shown)
        _control(study, shown)


def _choices(study: Study) -> PeriodView | None:
    """What is chosen to be shown, or None after a word on why there is nothing."""
    chosen = _read(study)
    if chosen is None:
        return None
    judge, head, source = chosen
    if not len(source.pairs.same):
        st.info("Nobody has rated blind what this judge labelled, so there is no agreement to follow yet.")
        return None
    if not source.axes:
        st.info(
            "No day is known: the ratings and the judge's labels came from files that do not say when they "
            "were given, and the conversations have no "
            "date. Ratings given in this program have a day, and so have judge runs."
        )
        return None
    shown = _chosen(study, judge, head, source)
    if shown.too_many is not None:
        st.warning(f"{shown.too_many}.")
        return None
    return shown


def _chart(shown: PeriodView) -> None:
    st.plotly_chart(periods.line(shown), key="time-line", config=CONFIG)
    untrusted_text.paragraph(
        " ".join(["Bars: 95 % intervals. Along the bottom: labels compared.", said.changes_words(shown)]),
        small=True,
    )


def _rows(moved: list[headline.MovedRow]) -> None:
    st.html(
        '<ul class="sr-moved">'
        + "".join(
            f'<li class="sr-{row.shape}"><span class="sr-sign" aria-hidden="true">{SIGNS[row.shape]}</span>'
            f"<span>{escape(row.words)}</span></li>"
            for row in moved
        )
        + "</ul>"
    )


def _read(study: Study) -> tuple[int, StudyHead, AgreementByDate] | None:
    """The judge that was chosen, the head of the study, and what was said beside this
    judge.
    """
    with reader_session.store().reading() as connection:
        head, choice = study_head(connection, study), judge_choice(connection, study)
        if choice is None:
            st.info("This study has no judge yet, so there is no agreement with one to follow.")
            return None
        judge = st.selectbox(
            "Judge",
            list(choice.names),
            index=list(choice.names).index(choice.usual),
            key=f"time-judge-{study.id}",
            format_func=choice.names.__getitem__,
        )
        source = memoize(
            "drift-time", (study.id, judge), head, lambda: read_over_time(connection, study, judge)
        )
        return judge, head, source


def _chosen(study: Study, judge: int, head: StudyHead, source: AgreementByDate) -> PeriodView:
    popover = st.popover("What is drawn")
    axis = popover.selectbox(
        "Time is", source.axes, format_func=AXES.__getitem__, key=f"time-axis-{study.id}"
    )
    divides = source.moments.divides()
    by = popover.selectbox(
        "Cases divided by",
        [*divides, NOTHING],
        format_func=lambda name: name.replace("_", " "),
        key=f"time-by-{study.id}",
    )
    length = popover.selectbox(
        "One point for each",
        LENGTHS,
        index=LENGTHS.index(source.fitting(axis)),
        format_func=str.capitalize,
        key=f"time-length-{study.id}-{axis}",
    )
    return memoize(
        "drift-time-shown",
        (study.id, judge, axis, by, length),
        head,
        lambda: PeriodView(source, axis, None if by == NOTHING else by, length),
    )


def _line(study: Study, shown: PeriodView) -> None:
    untrusted_text.heading("Agreement with the judge over time", 2)
    show_blocks(study, said.blocks(shown))
    with st.expander("The line as a table"):
        show_blocks(study, [said.periods_table(shown)])
        csv_button("agreement_over_time", study, lambda: said.periods_table(shown))
        if shown.by is not None:
            show_blocks(study, [said.mix_table(shown)])
            csv_button("mix_over_time", study, lambda: said.mix_table(shown))


def _level(study: Study, shown: PeriodView) -> None:
    if any(estimate.value is not None for estimate in shown.levels):
        untrusted_text.heading("Does the judge rate higher or lower than clinicians?", 2)
        st.plotly_chart(periods.level(shown), key="time-level", config=CONFIG)
        show_blocks(study, level_words.level_words(shown))
        with st.expander("The levels as a table"):
            show_blocks(study, [level_words.level_table(shown)])
            csv_button("level_over_time", study, lambda: level_words.level_table(shown))


def _control(study: Study, shown: PeriodView) -> None:
    untrusted_text.heading("Did disagreement step up or down?", 2)
    if shown.line.chart.p is not None:
        st.plotly_chart(periods.control(shown), key="time-control", config=CONFIG)
    show_blocks(study, said.chart_words(shown))
    if shown.line.chart.p is not None:
        with st.expander("The control chart as a table"):
            show_blocks(study, [said.chart_table(shown)])
            csv_button("control_chart", study, lambda: said.chart_table(shown))
