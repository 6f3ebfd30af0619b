"""The tour as a component of the page, without a build step. It sends nothing: the browser keeps which tours
were left.
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import streamlit as st

from pages.widgets.scripts.modules import assemble
from pages.widgets.tour.steps import STEPS, Role

FOLDER = Path(__file__).parent
SCRIPT = assemble(FOLDER / "main.js")
AGAIN = "tour"  # in an address: take it, whether it was left or not
_COMPONENT = st.components.v2.component(
    "second_reader_tour",
    html='<div class="tour" lang="en"></div>',
    css=(FOLDER / "style.css").read_text(encoding="utf-8"),
    js=SCRIPT,
)


def offer_tour(role: Role, is_new: bool = True) -> None:
    """Begin the tour in a browser that has not left it, where somebody is new here; or where the address asks
    for it, once.
    """
    wanted = st.query_params.pop(AGAIN, None) is not None
    _COMPONENT(
        key="tour",
        data={
            "role": role,
            "begins": "now" if wanted else "unless left" if is_new else "on demand",
            "steps": [asdict(step) for step in STEPS[role]],
        },
    )
