"""One criterion: every unit on which a clinician and the judge differ, one click away."""

from __future__ import annotations

import numpy as np
import streamlit as st

from data.studies import Study
from pages.widgets import foreign
from pages.widgets.unit_links import unit_links
from runs.agreement.findings import Findings

LISTED = 200


def differences(study: Study, found: Findings) -> None:
    with_pairs = [one for one in found.beside if one.counted.pairs]
    if not with_pairs:
        return
    foreign.heading("Unit by unit", 2)
    chosen = with_pairs[st.selectbox("Criterion", range(len(with_pairs)), key="agreement-criterion",
                                     format_func=lambda i: with_pairs[i].question.criterion.name)]
    pairs, names, units = chosen.pairs, chosen.question.names, found.material.units
    differ = np.flatnonzero(pairs.first != pairs.second)
    position = units.position[units.at(pairs.unit[differ])]
    order = np.lexsort((pairs.side[differ], position))[:LISTED]
    more = f", the first {LISTED} listed" if len(differ) > LISTED else ""
    foreign.heading(f"Where they differ: {len(differ):,}{more}", 3)
    if not len(differ):
        st.text("Nowhere: every pair has the same label.")
        return
    links = unit_links(study, {int(position[at]) for at in order}, chosen.question.id)
    foreign.table("Disagreements", ["Unit", "Who", "Clinician", found.asked.judge.name if found.asked.judge else ""], [
        [links[int(position[at])], found.names[int(pairs.side[differ[at]])], names[pairs.first[differ[at]]], names[pairs.second[differ[at]]]] for at in order])
