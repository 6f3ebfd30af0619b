"""What every page of a study begins with: which study, and who sits here."""

from __future__ import annotations

import streamlit as st

from data.studies import Study
from pages.widgets import reader_session
from pages.widgets.ask_reader import ask_reader
from pages.widgets.reader_session import Reader


def page_context(rating: bool) -> tuple[Study, Reader] | None:
    """The study and the reader, or None after the page has asked for what is missing."""
    study = reader_session.study()
    if study is None:
        st.info("Choose a study first: “Second Reader”, at the top, leads to them.")
        return None
    reader = reader_session.reader(study)
    if reader is None:
        ask_reader(study, rating=rating)
        return None
    return study, reader
