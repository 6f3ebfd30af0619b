"""The button with which a lead takes the samples out of the list of studies, or brings them back."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import streamlit as st

from data.access.permissions import NotPermitted, find_person
from data.record import studies
from data.record.studies import Study
from data.store import actors
from data.store.errors import StoreError
from pages.widgets import reader_session, untrusted_text
from services.study_changes import set_archived


def show_samples_button(samples: Sequence[Study], listed: bool) -> None:
    """Show the button to somebody who leads a study of this store. `listed`: whether the samples are in the
    list now; if not, they are archived.
    """
    if not samples or not _leads_any():
        return
    text = "Take the samples out of the list" if listed else "Bring the samples back"
    if st.button(text, key=f"samples-{'remove' if listed else 'restore'}", type="tertiary"):
        _move(samples, archived=listed)


def _leads_any() -> bool:
    store = reader_session.store()
    with store.reading() as connection:
        led = [studies.find(connection, key) for key in reader_session.person().leads]
    return any(study is not None and reader_session.leads(study) for study in led)


def _move(samples: Sequence[Study], archived: bool) -> None:
    store, name = reader_session.store(), reader_session.person().name or actors.LEAD
    try:
        for sample in samples:
            with store.reading() as connection:
                person = find_person(connection, sample, name)
            with suppress(NotPermitted):  # a sample that they rate themselves stays
                set_archived(store, name, person, sample, archived)
    except StoreError as error:
        untrusted_text.show_error(error)
        return
    st.rerun()
