"""The choice of units from a list that shows how each begins. Typed numbers are a shortcut."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import streamlit as st

from data.exporters.csv_cells import cell
from data.labels.unit_list import list_units
from data.record.studies import Study
from pages.widgets import reader_session, untrusted_text
from pages.widgets.address_number import read_number
from pages.widgets.lead.flash_message import field_key
from pages.widgets.unit_names import name_units

FORM = "calibration"
MAX_UNITS_LISTED = 500  # listed at once; the search covers all
ROW_HEIGHT, ROWS = 35, 8


@dataclass(frozen=True)
class UnitChoice:
    """`wanted`: the typed or chosen numbers of units, such as 3, 7, 20-25; "" for none."""

    wanted: str

    @property
    def single(self) -> int | None:
        """Return the unit if exactly one is chosen."""
        return read_number(self.wanted.strip())


def choose_units(study: Study) -> UnitChoice:
    """Ask for units by words or numbers, and return the choice."""
    words_field, numbers = st.columns([3, 2])
    words = words_field.text_input(
        f"Find a {study.noun.singular}",
        key="practice-words",
        placeholder="first words, id or number",
    )
    typed = numbers.text_input(
        "or type numbers",
        key=field_key(FORM, "calibration-units"),
        placeholder="3, 7, 20-25",
    )
    with reader_session.store().reading() as connection:
        listed = list_units(connection, study, words, MAX_UNITS_LISTED)
    positions = [unit.position for unit in listed.units]
    names = name_units(study, reader_session.reader(study), positions)
    state: Any = st.dataframe(
        {
            study.noun.heading: positions,
            "Id": [cell(names[position]) for position in positions],
            "Begins": [cell(unit.beginning or "(no text)") for unit in listed.units],
            "Turns": [unit.turns for unit in listed.units],
            "Rated by": [unit.raters for unit in listed.units],
            "For practice": [unit.use for unit in listed.units],
        },
        height=ROW_HEIGHT * (min(ROWS, max(1, len(listed.units))) + 1) + 3,
        hide_index=True,
        key=field_key(FORM, f"practice-units-{study.id}-{words}"),
        on_select="rerun",
        selection_mode="multi-row",
        column_config={
            study.noun.heading: st.column_config.NumberColumn(width=90),
            "Id": st.column_config.TextColumn(width=110),
            "Begins": st.column_config.TextColumn(width="large"),
            "Turns": st.column_config.NumberColumn(width=55),
            "Rated by": st.column_config.NumberColumn(width=70),
            "For practice": st.column_config.TextColumn(width=90),
        },
    )
    if listed.total > len(listed.units):
        untrusted_text.paragraph(
            f"The first {len(listed.units):,} of {listed.total:,}; search for the others.",
            small=True,
        )
    chosen = [str(listed.units[row].position) for row in state.selection.rows if row < len(listed.units)]
    return UnitChoice(typed if typed.strip() else ", ".join(chosen))
