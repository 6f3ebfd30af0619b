"""First steps for somebody new to this browser: one line above the list of studies."""

from __future__ import annotations

import streamlit as st

from data.record import studies
from pages.widgets import reader_session
from pages.widgets.untrusted_text import Link

EXAMPLE = ("coaching_example", "review", "Rate the worked example")
REPORT = ("lend_an_ear", "agreement", "see how far the judge and clinicians agree in Lend an Ear")


def show_first_steps() -> None:
    """Show the line, unless this browser has a name or the samples are missing or archived."""
    person = reader_session.person()
    if person.name or person.leads:
        return
    with reader_session.store().reading() as connection:
        linked = [studies.find(connection, key) for key, *_ in (EXAMPLE, REPORT)]
    if any(study is None or study.archived for study in linked):
        return
    rate, read = (_link(*step) for step in (EXAMPLE, REPORT))
    st.html(
        f'<p class="sr-small">New here? {rate} (five turns). Then {read}, or '
        f"{Link('import your own data', 'importing').__html__()}.</p>"
    )


def _link(study: str, page: str, text: str) -> str:
    return Link(text, f"{page}?study={study}").__html__()
