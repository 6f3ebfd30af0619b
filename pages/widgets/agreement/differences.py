"""One criterion: every unit on which a clinician and the judge differ, one click away."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import streamlit as st

from data.studies import Study
from pages.widgets import foreign
from pages.widgets.agreement.address import CRITERION, Address, chosen
from pages.widgets.unit_links import unit_links
from runs.agreement.findings import Findings
from scoring.agreement.one_criterion import JudgeBeside

LISTED = 200


def differences(study: Study, found: Findings, address: Address) -> None:
    with_pairs = [one for one in found.beside if one.counted.pairs]
    if not with_pairs:
        return
    foreign.heading("Unit by unit", 2)
    one = _criterion({one.question.id: one for one in with_pairs}, address)
    pairs, names, units = one.pairs, one.question.names, found.material.units
    differ = np.flatnonzero(pairs.first != pairs.second)
    position = units.position[units.at(pairs.unit[differ])]
    order = np.lexsort((pairs.side[differ], position))[:LISTED]
    more = f", the first {LISTED} listed" if len(differ) > LISTED else ""
    foreign.heading(f"Where they differ: {len(differ):,}{more}", 3)
    if not len(differ):
        st.text("Nowhere: every pair has the same label.")
        return
    links = unit_links(study, {int(position[at]) for at in order}, one.question.id)
    foreign.table(
        "Disagreements",
        ["Unit", "Who", "Clinician", found.asked.judge.name if found.asked.judge else ""],
        [
            [
                links[int(position[at])],
                found.names[int(pairs.side[differ[at]])],
                names[pairs.first[differ[at]]],
                names[pairs.second[differ[at]]],
            ]
            for at in order
        ],
    )


def _criterion(known: Mapping[str, JudgeBeside], address: Address) -> JudgeBeside:
    first = next(iter(known))
    address.before(
        "criterion",
        CRITERION,
        lambda asked: asked if asked in known else None,
        first,
        "a criterion that nobody labelled beside the judge",
        lambda: known[first].question.criterion.name,
    )
    found = st.selectbox(
        "Criterion",
        list(known),
        key=CRITERION,
        on_change=chosen,
        format_func=lambda one: known[one].question.criterion.name,
    )
    address.keep("criterion", found if found != first else "")
    return known[found]
