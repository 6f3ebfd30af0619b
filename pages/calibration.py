"""A calibration round: who gave which label and why, unit by unit, and agreement before and after. Shows no
judge.
"""

from __future__ import annotations

import streamlit as st

from data.access.permissions import Person
from data.labels import unit_labels
from data.labels.unit_labels import UnitLabel
from data.record import units
from data.record.studies import Study
from data.work import calibration
from data.work.calibration import CalibrationRound
from pages.widgets import reader_session, untrusted_text
from pages.widgets.blocks import show_blocks
from pages.widgets.page_context import page_context
from pages.widgets.settle_card import names_of
from pages.widgets.unit_text import unit_text
from reports.calibration.report import NO_ROUND
from reports.calibration.round_agreement import STILL_BLIND, round_agreement, still_blind
from reports.unit_reading.label_words import words_beside


def render() -> None:
    """Draw the Calibration page."""
    arrived = page_context(rating=False)
    if arrived is None:
        return
    study, reader = arrived
    untrusted_text.heading("Calibration", 1)
    calibration_round = _wanted(study, reader)
    if calibration_round is None:
        return
    untrusted_text.heading(calibration_round.title, 2)
    with reader_session.store().reading() as connection:
        second = calibration.repeats_shown(
            connection, calibration_round, reader.rater.id if reader.rater is not None else None
        )
    if calibration_round.step == "again" and not second:
        st.info(
            "The labels of the second rating are shown here once you have rated the whole set again, or "
            "once the round is closed."
        )
    _agreement(study, calibration_round, second)
    _units(study, calibration_round, second)


def _wanted(study: Study, reader: Person) -> CalibrationRound | None:
    """Return the round of the address if this person may see it: a lead, or one of its raters who has rated
    the whole set. None after saying why.
    """
    with reader_session.store().reading() as connection:
        rounds = calibration.rounds(connection, study.id)
        if reader.rater is not None:
            rounds = [
                calibration_round
                for calibration_round in rounds
                if reader.rater.id in calibration_round.raters
            ]
        calibration_round = next(
            (
                calibration_round
                for calibration_round in rounds
                if str(calibration_round.id) == st.query_params.get("round")
            ),
            rounds[0] if rounds else None,
        )
        whole_set_rated = calibration_round is not None and (
            reader.rater is None or reader.rater.id in calibration.finished(connection, calibration_round)
        )
    if calibration_round is None:
        st.info(NO_ROUND)
        return None
    if not whole_set_rated:
        st.info("You see the others' labels here once you have rated the whole set.")
        return None
    if still_blind(calibration_round):
        st.info(STILL_BLIND)
        return None
    return calibration_round


def _agreement(study: Study, of: CalibrationRound, second: bool) -> None:
    with reader_session.store().reading() as connection:
        blocks = list(round_agreement(connection, study, of, second))
    show_blocks(study, blocks)


def _units(study: Study, of: CalibrationRound, second: bool) -> None:
    with reader_session.store().reading() as connection:
        round_units = units.by_ids(connection, list(of.units))
    number = st.selectbox(
        study.noun.heading,
        range(len(round_units)),
        format_func=lambda n: f"{n + 1} of {len(round_units)}",
        key="calibration-unit",
    )
    unit = round_units[number]
    with reader_session.store().reading() as connection:
        repeat_ids = calibration.repeats_of(connection, of)
        messages = units.transcript(connection, unit)
        first = unit_labels.of_people(connection, unit, calibration.finished(connection, of))
        later = (
            unit_labels.of_people(
                connection,
                units.get(connection, repeat_ids[unit.id]),
                calibration.finished(connection, of, again=True),
            )
            if second and unit.id in repeat_ids
            else []
        )
    left, right = st.columns([3, 2], gap="large")
    with left:
        unit_text(study, unit, messages)
    with right:
        for criterion in unit.criteria(study):
            names = names_of(study, criterion)

            def label_name(label: UnitLabel | None, names: dict[str, str] = names) -> str:
                return (
                    ""
                    if label is None
                    else "cannot rate"
                    if label.label is None
                    else names.get(label.label, label.label)
                )

            again = {label.who: label for label in later if label.criterion == criterion.id}
            rows = [
                [
                    label.who,
                    label_name(label),
                    label_name(again.get(label.who)),
                    words_beside(label, names, messages),
                ]
                for label in first
                if label.criterion == criterion.id and not label.by_rule
            ]
            if rows:
                untrusted_text.table(criterion.name, ["Who", "Before", "After", "Why"], rows)
