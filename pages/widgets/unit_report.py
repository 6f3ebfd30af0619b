"""One unit with all its labels, for a study lead, who does not rate. Raters have the same names as on the
Agreement page.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from urllib.parse import urlencode

import streamlit as st

from data.labels import settlements, unit_labels
from data.labels.unit_labels import UnitLabel
from data.record import units
from data.record.rater_codes import read_rater_codes
from data.record.studies import Study, unit_count
from data.record.units import Unit
from data.store.store import Connection
from data.work.draw_record import Inclusion, inclusion_of
from pages.widgets import reader_session, untrusted_text
from pages.widgets.address_number import number_in_address
from pages.widgets.agreement.address import back_link
from pages.widgets.evidence.component import draw_evidence
from pages.widgets.evidence.table_data import evidence_data
from pages.widgets.unit_links import units_beside
from pages.widgets.unit_names import name_unit
from pages.widgets.unit_text import unit_text
from reports.unit_reading.differences import compare_labels
from reports.unit_reading.label_table import ToldSettlement, label_details, label_evidence
from reports.unit_reading.sentence import sentence_of_unit
from scoring.transcripts import Message
from words.figures import percent

BY_NAME = "unit-names"


@dataclass(frozen=True)
class _Reading:
    """Everything about the unit; raters have names or pseudonyms as chosen."""

    unit: Unit
    total: int
    messages: list[Message] | None
    labels: list[UnitLabel]
    settled: dict[str, ToldSettlement]
    drawn: Inclusion | None


def unit_report(study: Study) -> None:
    """Show how far the labels differ, and the transcript next to them. The address names the unit and a
    criterion, which comes first and is open.
    """
    with reader_session.store().reading() as connection:
        reading = _read(connection, study, named=bool(st.session_state.get(BY_NAME)))
    if reading is None:
        st.info(f"There is no such {study.noun.singular}.")
        return
    came_for = st.query_params.get("criterion", "")
    rows = compare_labels(study, reading.unit, reading.labels, came_for)
    with st.container(key="unit-head"):
        back_link(study)
        untrusted_text.heading(sentence_of_unit(rows), 1)
        _about(study, reading)
    is_open = len(rows) == 1 or (bool(rows) and rows[0].criterion.id == came_for)
    with st.container(key="unit-panes"):
        left, right = st.columns([4, 5], gap="medium")
        with left:
            unit_text(
                study,
                reading.unit,
                reading.messages,
                with_instructions=True,
                came_for=number_in_address("turn") or 0,
            )
        with right, st.container(key="unit-labels"):
            draw_evidence(
                f"evidence-unit-{reading.unit.id}",
                evidence_data(
                    label_evidence(rows, reading.settled),
                    label_details(rows, reading.settled, reading.messages),
                    {},
                    opened=rows[0].criterion.id if is_open else "",
                ),
            )


def _read(connection: Connection, study: Study, named: bool) -> _Reading | None:
    asked = number_in_address("unit")
    unit = units.at_position(connection, study.id, 1 if asked is None else asked)
    if unit is None:
        return None
    codes = read_rater_codes(connection, study)
    settled = settlements.of_unit(connection, unit)
    return _Reading(
        unit,
        unit_count(connection, study.id),
        units.transcript(connection, unit),
        _called(unit_labels.of_unit(connection, unit), codes, named),
        {
            settlement.criterion: ToldSettlement(
                settlement,
                settlement.by if named else codes[settlement.rater_id],
                settlements.reason(connection, settlement.id),
            )
            for settlement in settled
        },
        inclusion_of(connection, unit.id),
    )


def _called(labels: list[UnitLabel], codes: dict[int, str], named: bool) -> list[UnitLabel]:
    """Return the names, people first, in the order of their codes."""
    people = [(codes[label.rater], label) for label in labels if label.rater is not None]
    return [
        label if named else replace(label, who=code)
        for code, label in sorted(people, key=lambda code_and_label: code_and_label[0])
    ] + [label for label in labels if label.rater is None]


def _about(study: Study, reading: _Reading) -> None:
    """Show which unit it is, why everything is shown, and the actions."""
    position = reading.unit.position
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        untrusted_text.paragraph(
            f"{name_unit(study, position)}, {position:,} of {reading.total:,}. You do not rate here, so you "
            "see everything. If you now choose a name in this tab, that person is recorded as having seen it."
            + _drawn(reading.drawn),
            small=True,
        )
        positions = units_beside(reading.unit.position, reading.total)
        untrusted_text.turn_links(*(_address_of(position) for position in positions))
        st.toggle("Raters by name", key=BY_NAME)
        gold = {"study": study.key, "reader": reader_session.LEAD, "unit": reading.unit.position}
        untrusted_text.link("Set the expert's labels", f"gold?{urlencode(gold)}")
        st.button(
            "Choose a name and rate", key="leave-lead", on_click=reader_session.forget_reader, args=(study,)
        )


def _address_of(position: int | None) -> str:
    """Return the address of another unit, with the same link back and criterion."""
    if position is None:
        return ""
    others = {name: value for name, value in st.query_params.to_dict().items() if name != "turn"}
    return f"review?{urlencode({**others, 'unit': position})}"


def _drawn(drawn: Inclusion | None) -> str:
    if drawn is None:
        return ""
    chance = (
        "selected by hand" if drawn.chance is None else (f"selected with a chance of {percent(drawn.chance)}")
    )
    return f" To be rated since selection {drawn.draw} ({drawn.stratum}): {chance}."
