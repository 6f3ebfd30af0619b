"""The study itself: its title, and whether it is archived."""

from __future__ import annotations

import streamlit as st

from data.record.studies import Study
from data.record.study_changes import TITLE_LIMIT
from data.store.errors import StoreError
from pages.widgets import reader_session, untrusted_text
from pages.widgets.lead.flash_message import finish
from services.study_changes import rename_study, set_archived


def show(study: Study) -> None:
    """Show the title and the archive, each with its button."""
    untrusted_text.heading(study.title, 1)
    with st.form("rename-form", border=False):
        title = st.text_input("Title", study.title, max_chars=TITLE_LIMIT, key=f"title-of-{study.id}")
        renamed = st.form_submit_button("Rename", key="rename-go")
    untrusted_text.paragraph(f"The key stays {study.key}, so links and commands still work.", small=True)
    if renamed:
        _rename(study, title)
    untrusted_text.heading("Archive", 2)
    untrusted_text.paragraph(
        "The study is archived: nobody is given anything in it to rate, and nothing can be imported."
        if study.archived
        else "An archived study leaves the list of studies. Nothing is deleted, and results still open. "
        "Raters are given nothing more; they can still save what they have begun.",
        small=True,
    )
    if st.button("Restore this study" if study.archived else "Archive this study", key="archive-go"):
        _archive(study, not study.archived)


def _rename(study: Study, title: str) -> None:
    reader = reader_session.reader(study)
    assert reader is not None
    try:
        rename_study(reader_session.store(), reader_session.actor(study), reader, study, title)
    except StoreError as error:
        untrusted_text.show_error(error)
        return
    finish("The study has a new title.")


def _archive(study: Study, archived: bool) -> None:
    reader = reader_session.reader(study)
    assert reader is not None
    try:
        set_archived(reader_session.store(), reader_session.actor(study), reader, study, archived)
    except StoreError as error:
        untrusted_text.show_error(error)
        return
    finish("The study is archived." if archived else "The study is back in the list.")
