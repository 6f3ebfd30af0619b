"""The study itself: its title, whether it is archived, and the erasure of its words."""

from __future__ import annotations

import streamlit as st

from data.keeping.erase import count_words
from data.record.studies import Study
from data.record.study_changes import TITLE_LIMIT
from data.store.errors import StoreError
from pages.widgets import reader_session, untrusted_text
from pages.widgets.lead.flash_message import finish
from reports.wording import describe_erasure
from services.study_changes import forget_study, rename_study, set_archived
from words.plurals import count


def show(study: Study) -> None:
    """Show the title, the archive and the erasure, each with its button."""
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
    untrusted_text.heading("Erase all words", 2)
    _show_erasure(study)


def _show_erasure(study: Study) -> None:
    with reader_session.store().reading() as connection:
        words = count_words(connection, study)
    if not words.texts:
        untrusted_text.paragraph(
            "All words of this study are erased. Labels and numbers are kept.", small=True
        )
        return
    untrusted_text.paragraph(describe_erasure(words), small=True)
    with st.form("erase-form", border=False):
        typed = st.text_input("Type the study's name to confirm", key="erase-name")
        reason = st.text_input("Reason (kept, so don't name anybody)", key="erase-reason")
        confirmed = st.form_submit_button("Erase all words for good", key="erase-go")
    if confirmed:
        _erase(study, typed, reason)


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


def _erase(study: Study, typed: str, reason: str) -> None:
    reader = reader_session.reader(study)
    assert reader is not None
    actor = reader_session.actor(study)
    try:
        forgotten = forget_study(reader_session.store(), actor, reader, study, typed, reason)
    except StoreError as error:
        untrusted_text.show_error(error)
        return
    copies = [
        f" The study {key} still has the words of {count(number, 'conversation', 'conversations')}."
        for key, number in forgotten.elsewhere.items()
    ]
    finish(f"{count(forgotten.texts, 'text', 'texts')} erased.{''.join(copies)}")
