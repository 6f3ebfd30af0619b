"""Raters over time on the page: for a lead all of them under codes, for a rater only their own."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from data.studies import Study
from pages.widgets import reader_session, untrusted_text
from pages.widgets.blocks import show_blocks
from pages.widgets.drift.csv_button import csv_button
from pages.widgets.memo import memoize, study_head
from pages.widgets.reader_session import Reader
from reports.document import Panels, Table
from reports.drift.calibration_rounds import rounds_table
from reports.drift.rater_panels import level_panels, minute_panels, same_panels
from reports.drift.rater_tables import levels_table, minutes_table, rater_table, same_table
from reports.drift.rater_words import summary
from reports.drift.raters import RaterDrift, RaterDriftData, gather_raters, of_everyone, of_reader
from reports.figures.panels import FEW, panels
from reports.figures.turn_curves import CONFIG
from scoring.bad_input import BadInput
from scoring.drift.periods import LENGTHS

PERIODS = {"day": "Days", "week": "Weeks", "month": "Months"}
MOST = 24  # panels in one chart; the tables have everybody


def raters(study: Study, reader: Reader) -> None:
    """Who comes here may see the labels of the whole study: pages/drift.py has asked."""
    rater = None if reader.rater is None else reader.rater.id
    with reader_session.store().reading() as connection:
        head = study_head(connection, study)
        source = memoize(
            "drift-raters", (study.id, rater), head, lambda: gather_raters(connection, study, rater)
        )
    if rater not in {None, *source.raters} or not source.raters:
        untrusted_text.paragraph(_nothing(source, rater))
        return
    left, right = st.columns([2, 1], vertical_alignment="bottom")
    length = left.segmented_control(
        "In periods of",
        list(LENGTHS),
        format_func=PERIODS.__getitem__,
        required=True,
        default=source.length,
        key=f"drift-raters-periods-{study.id}",
    )
    named = rater is None and right.toggle(
        "Show names",
        key="drift-raters-names",
        help="Otherwise raters stand under codes that tell nothing of who they are.",
    )
    try:
        drift = memoize(
            "drift-raters-found",
            (study.id, rater, length, named),
            head,
            lambda: of_everyone(source, length, named) if rater is None else of_reader(source, length, rater),
        )
    except BadInput as error:
        st.warning(untrusted_text.plain(error.problem))
        return
    show_blocks(study, summary(drift))
    _levels(study, drift)
    _same(study, drift)
    _minutes(study, drift)
    _rounds(study, drift)


def _nothing(source: RaterDriftData, rater: int | None) -> str:
    who = "Nobody has" if rater is None else "You have not"
    imported = (
        f" The {source.undated:,} ratings of this study were imported, so that nobody knows their moments."
        if rater is None and source.undated
        else ""
    )
    return (
        f"{who} committed a unit of this study "
        f"here{' yet' if rater is None else ' yet, so that there is nothing of you to show'}.{imported}"
    )


def _levels(study: Study, drift: RaterDrift) -> None:
    untrusted_text.heading("Stricter or more lenient?", 2)
    withheld = any(drift.withheld(rater) for rater in drift.names)
    nothing = (
        "Only one other rater labelled the same units blind, whom the comparison would show: a study lead "
        "sees it."
        if withheld
        else "Nobody else has labelled the same units blind yet."
        if drift.own
        else "No two raters have labelled the same units blind yet."
    )
    _chart(study, level_panels(drift), nothing, lambda: levels_table(drift))
    show_blocks(study, [rater_table(drift)])
    csv_button("raters_moved", study, lambda: rater_table(drift))
    more = (
        ""
        if drift.own
        else (
            " Where one rater moves, the others seem to move the other way: so the clearest is named, taken "
            "out of the others, and "
            "everything is tested again."
        )
    )
    untrusted_text.paragraph(
        "Own level less the mean of the others' on the same unit and question; 0 is as the others. Every "
        "conversation gives one difference, "
        "and these, and the days, are tested (Mann-Kendall). Halves are the earlier and the later of them; "
        "the change in 4 weeks is their "
        "Theil-Sen slope." + more,
        small=True,
    )


def _same(study: Study, drift: RaterDrift) -> None:
    untrusted_text.heading("Steady?", 2)
    _chart(
        study,
        same_panels(drift),
        "No unit has come a second time and been answered twice yet. How many do is set in the plan of the "
        "work.",
        lambda: same_table(drift),
    )


def _minutes(study: Study, drift: RaterDrift) -> None:
    untrusted_text.heading("Faster or slower?", 2)
    _chart(
        study,
        minute_panels(drift),
        "No unit's minutes are known yet: the time is counted from one commit to the next.",
        lambda: minutes_table(drift),
    )
    untrusted_text.paragraph(
        "Minutes from the commit before, or from the moment the unit was given where that is later, to its "
        "own commit. Pauses of more than "
        "an hour are left out.",
        small=True,
    )


def _rounds(study: Study, drift: RaterDrift) -> None:
    untrusted_text.heading("Calibration rounds", 2)
    table = rounds_table(drift)
    if table is None:
        untrusted_text.paragraph(
            "You were in no calibration round whose labels have been laid beside each other."
            if drift.own
            else "No calibration round has laid its labels beside each other yet. One is begun on the Lead "
            "page, under Practice."
        )
        return
    show_blocks(study, [table])
    csv_button("calibration", study, lambda: table)


def _chart(study: Study, shown: Panels | None, nothing: str, make_table: Callable[[], Table]) -> None:
    """The chart, what it shows as a table, and that table as a file."""
    if shown is None:
        untrusted_text.paragraph(nothing)
        return
    if len(shown.panels) > MOST:
        untrusted_text.paragraph(
            f"The first {MOST} of {len(shown.panels)} raters are drawn; the tables have all of them.",
            small=True,
        )
    st.plotly_chart(panels(shown, MOST), key=f"drift-raters-{shown.key}", config=CONFIG)
    bars = "the middle half of the units" if shown.key == "minutes" else "95 % intervals over conversations"
    untrusted_text.paragraph(
        f"Bars are {bars}; hollow points rest on fewer than {FEW} {shown.n_of}. "
        "Where there is nothing there is a gap; very long bars are cut.",
        small=True,
    )
    with st.expander("The chart as a table"):
        show_blocks(study, [make_table()])
    csv_button(make_table().key, study, make_table)
