"""The start of every page of a study: which study, and which person."""

from __future__ import annotations

import streamlit as st

from data.access.permissions import Person
from data.record.studies import Study
from pages.widgets import reader_session, untrusted_text
from pages.widgets.ask_reader import ask_reader
from pages.widgets.untrusted_text import Link


def page_context(rating: bool) -> tuple[Study, Person] | None:
    """Return the study and the person, or None after asking for what is missing."""
    study = reader_session.study()
    if study is None:
        _ask_study()
        return None
    reader = reader_session.reader(study)
    if reader is None:
        ask_reader(study, rating=rating)
        return None
    return study, reader


def _ask_study() -> None:
    """Link to the studies. The address may be of another store, or mistyped."""
    untrusted_text.heading("Choose a study first", 1)
    if key := st.query_params.get("study"):
        untrusted_text.paragraph(f"There is no study “{key[:80]}” here.")
    st.html(Link("All studies", "studies").__html__())
