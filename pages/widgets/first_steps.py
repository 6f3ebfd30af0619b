"""What somebody may try on the first start: one line above the sample studies."""

from __future__ import annotations

import streamlit as st

from data.work.first_start import is_untouched
from pages.widgets import reader_session
from pages.widgets.untrusted_text import Link
from runs.sample_studies import ORDER

EXAMPLE = ("coaching_example", "review", "Rate the worked example")
REPORT = ("lend_an_ear", "agreement", "read the agreement of Lend an Ear")


def show_first_steps() -> None:
    """Nothing once somebody has committed a unit, or another study is there."""
    with reader_session.store().reading() as connection:
        if not is_untouched(connection, ORDER):
            return
    rate, read = (_link(*step) for step in (EXAMPLE, REPORT))
    st.html(
        f'<p class="sr-small">New here? {rate}, five turns. Then {read}, or '
        f"{Link('bring in your own', 'importing').__html__()}.</p>"
    )


def _link(study: str, page: str, text: str) -> str:
    return Link(text, f"{page}?study={study}").__html__()
