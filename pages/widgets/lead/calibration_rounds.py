"""Calibration rounds, each with its next step, and a form that starts one."""

from __future__ import annotations

import streamlit as st

from data.record import studies
from data.record.studies import Study
from data.store.errors import StoreError
from data.work import calibration
from data.work.calibration import CalibrationRound
from pages.widgets import reader_session, untrusted_text
from pages.widgets.lead.flash_message import field_key, finish
from pages.widgets.lead.unit_choice import FORM, UnitChoice
from services import work_planning

NEXT = {
    "": ("discussed", "Show the labels to everyone"),
    "discussed": ("again", "Start the second rating"),
    "again": ("closed", "Close the round"),
}
STEP_WORDS = {
    "": "is being rated blind",
    "discussed": "is being discussed",
    "again": "is being rated again",
    "closed": "is closed",
}
ABOUT = "Everyone rates the set blind, discusses the labels and reasons, and rates it again."


def begin_round(study: Study, chosen: UnitChoice) -> None:
    """Show the form that begins a calibration round on the chosen units."""
    with reader_session.store().reading() as connection:
        people = {
            rater.id: rater.name for rater in studies.raters(connection, study.id) if rater.kind == "person"
        }
    left, middle, right = st.columns([3, 3, 2], vertical_alignment="bottom")
    title = left.text_input("Title of a new round", key=field_key(FORM, "calibration-title"))
    raters = middle.multiselect(
        "Raters",
        list(people),
        format_func=lambda rater: people[rater],
        key=field_key(FORM, "calibration-raters"),
        placeholder="two or more",
    )
    if not right.button("Start the round", key=field_key(FORM, "calibration-begin"), help=ABOUT):
        return
    try:
        work_planning.begin_calibration(
            reader_session.store(), reader_session.actor(study), study, title, raters, chosen.wanted
        )
    except StoreError as error:
        untrusted_text.show_error(error)
        return
    finish(f"The round \u201c{title.strip()}\u201d has started.", FORM)


def show_rounds(study: Study, rounds: list[CalibrationRound]) -> None:
    """Show the rounds, the newest first."""
    untrusted_text.heading("Calibration rounds", 2)
    if not rounds:
        untrusted_text.paragraph(ABOUT, small=True)
    for calibration_round in rounds:
        _round(study, calibration_round)


def _round(study: Study, calibration_round: CalibrationRound) -> None:
    with reader_session.store().reading() as connection:
        first, second = (
            len(calibration.finished(connection, calibration_round, again=again)) for again in (False, True)
        )
    again = f", {second} rated it again" if calibration_round.step in ("again", "closed") else ""
    untrusted_text.paragraph(
        f"{calibration_round.title}: {study.noun.count(len(calibration_round.units))}, "
        f"{STEP_WORDS[calibration_round.step]}. {first} of {len(calibration_round.raters)} raters "
        f"have rated the whole set{again}."
    )
    with st.container(horizontal=True):
        if calibration_round.step:
            untrusted_text.link(
                "Who said what, and why",
                f"calibration?study={study.key}&reader=lead&round={calibration_round.id}",
            )
        if calibration_round.step in NEXT and st.button(
            NEXT[calibration_round.step][1], key=f"calibration-{calibration_round.id}"
        ):
            _move_on(study, calibration_round)


def _move_on(study: Study, calibration_round: CalibrationRound) -> None:
    step = NEXT[calibration_round.step][0]
    try:
        work_planning.move_calibration_on(
            reader_session.store(), reader_session.actor(study), study, calibration_round.id, step
        )
    except StoreError as error:
        untrusted_text.show_error(error)
        return
    finish(f"The round \u201c{calibration_round.title}\u201d {STEP_WORDS[step]} now.")
