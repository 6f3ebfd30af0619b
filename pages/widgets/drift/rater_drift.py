"""Raters over time on the page: for a lead all of them under codes, for a rater only their own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import streamlit as st

from data.access.permissions import Person
from data.record.studies import Study
from data.store.study_heads import StudyHead
from pages.widgets import reader_session, untrusted_text
from pages.widgets.blocks import show_block
from pages.widgets.drift.part_lines import show_with_tables, table_with_file
from pages.widgets.evidence.component import draw_evidence
from pages.widgets.evidence.table_data import evidence_data
from pages.widgets.memo import memoize, study_head
from pages.widgets.opening_line import open_line
from reports.document import Panels, Table
from reports.drift.rater_evidence import LINES, rater_evidence
from reports.drift.rater_tables import CHARTS, rater_table, rounds_table
from reports.drift.rater_words import HOW_TESTED, rater_headline, summary
from reports.drift.raters import RaterDrift, RaterDriftData, gather_raters, of_everyone, of_reader
from reports.pictures.panels import MIN_FILLED_POINT
from scoring.bad_input import BadInput
from scoring.drift.periods import LENGTHS, Length
from words.plurals import count

PERIODS = {"day": "Days", "week": "Weeks", "month": "Months"}
MAX_PANELS = 24  # in one picture; the tables have everybody


def raters(study: Study, reader: Person) -> None:
    """Show how raters move over time, to somebody who may see the labels of the whole study."""
    rater = None if reader.rater is None else reader.rater.id
    with reader_session.store().reading() as connection:
        head = study_head(connection, study)
        source = memoize(
            "drift-raters", (study.id, rater), head, lambda: gather_raters(connection, study, rater)
        )
    with st.container(key="answer-page", gap="small"):
        if rater not in {None, *source.raters} or not source.raters:
            untrusted_text.heading(_nothing(rater), 1)
            untrusted_text.paragraph(_needed(source, rater))
            return
        answer, choices = st.columns([3, 2], gap="medium")
        with (
            choices,
            st.container(horizontal=True, horizontal_alignment="right"),
            st.popover("Chart options"),
        ):
            length, named = _chosen(study, source, rater)
        try:
            drift = _computed(study, head, source, rater, length, named)
        except BadInput as error:
            st.warning(untrusted_text.plain(error.problem))
            return
        with answer:
            untrusted_text.heading(rater_headline(drift), 1)
        draw_evidence("evidence-raters", evidence_data(rater_evidence(drift), {}, {}))
        if len(drift.names) > LINES:
            untrusted_text.paragraph(
                f"{count(len(drift.names) - LINES, 'more rater is', 'more raters are')} in the tables below.",
                small=True,
            )
        open_line("Everything behind it", "everything", lambda: _everything(study, drift))


def _nothing(rater: int | None) -> str:
    who = "a rater" if rater is None else "you"
    whose = "nobody has" if rater is None else "you have not"
    return (
        f"It is too early to say whether {who} drifted: {whose} committed a rating for this study in this "
        "app yet."
    )


def _needed(source: RaterDriftData, rater: int | None) -> str:
    if rater is None and source.undated:
        return (
            f"The {source.undated:,} ratings of this study were imported. Only ratings committed in "
            "this app are compared here. \u201cOver time\u201d also shows imported ratings with a known day."
        )
    return "For this, two raters have to rate the same conversations or replies here over several weeks."


def _chosen(study: Study, source: RaterDriftData, rater: int | None) -> tuple[Length, bool]:
    length = st.segmented_control(
        "In periods of",
        list(LENGTHS),
        format_func=PERIODS.__getitem__,
        required=True,
        default=source.length,
        key=f"drift-raters-periods-{study.id}",
    )
    named = rater is None and st.toggle(
        "Show names",
        key="drift-raters-names",
        help="If this is off, raters have codes that do not reveal who they are.",
    )
    return length, named


def _computed(
    study: Study, head: StudyHead, source: RaterDriftData, rater: int | None, length: Length, named: bool
) -> RaterDrift:
    return memoize(
        "drift-raters-found",
        (study.id, rater, length, named),
        head,
        lambda: of_everyone(source, length, named) if rater is None else of_reader(source, length, rater),
    )


def _everything(study: Study, drift: RaterDrift) -> None:
    open_line("How it was tested", "drift-tested", lambda: _tested(study, drift))
    nobody = (
        f"Only one other rater labelled the same {study.noun.plural} blind. A comparison would reveal their "
        "labels, so only a study lead sees it."
        if any(drift.withheld(rater) for rater in drift.names)
        else f"Nobody else has labelled the same {study.noun.plural} blind yet."
        if drift.own
        else f"No two raters have labelled the same {study.noun.plural} blind yet."
    )
    lines = (
        ("Stricter or more lenient?", nobody),
        (
            "Steady?",
            "Nothing has been answered twice yet. The plan of work sets how many are given to the same "
            "rater a second time.",
        ),
        (
            "Faster or slower?",
            "No times are known yet. They are measured from one commit to the next.",
        ),
    )
    for (title, nothing), (make_chart, make_table) in zip(lines, CHARTS, strict=True):
        draw = partial(_chart, study, drift, nothing, make_chart, make_table)
        open_line(title, f"drift-{make_table.__name__}", draw)
    table = rounds_table(drift)
    if table is not None:
        open_line("Calibration rounds", "drift-calibration", lambda: table_with_file(study, table))


def _tested(study: Study, drift: RaterDrift) -> None:
    show_with_tables(study, summary(drift))
    table_with_file(study, rater_table(drift))
    show_with_tables(study, HOW_TESTED[:1] if drift.own else HOW_TESTED)


def _chart(
    study: Study,
    drift: RaterDrift,
    nothing: str,
    make_chart: Callable[[RaterDrift], Panels | None],
    make_table: Callable[[RaterDrift], Table],
) -> None:
    """The chart, what it shows as a table, and that table as a file. `nothing`: why there is none."""
    shown = make_chart(drift)
    if shown is None:
        untrusted_text.paragraph(nothing)
        return
    if len(shown.panels) > MAX_PANELS:
        untrusted_text.paragraph(
            f"The chart shows the first {MAX_PANELS} of {len(shown.panels)} raters; the tables show all of "
            "them.",
            small=True,
        )
    show_block(replace(shown, panels=shown.panels[:MAX_PANELS]), {})
    bars = (
        f"the middle half of the {study.noun.plural}"
        if shown.key == "minutes"
        else "95% intervals over conversations"
    )
    untrusted_text.paragraph(
        f"Bars are {bars}; hollow points rest on fewer than {MIN_FILLED_POINT} {shown.n_of}. A gap means "
        "that there is no value; very long bars are cut off."
        + (
            f" Minutes run from the rater's previous commit, or from when the {study.noun.singular} was "
            "given out if that was later, to its commit. Pauses of more than an hour are left out."
            if shown.key == "minutes"
            else ""
        ),
        small=True,
    )
    table_with_file(study, make_table(drift))
