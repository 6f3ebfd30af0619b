"""The study to import into: chosen, remembered for the next file, and proposed if it has the file already."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from data.importers import file_import
from data.importers.importer import Importer
from data.importers.kinds.mapped_file import MappedFiles
from data.importers.row_importers import ConversationImporter
from data.record.studies import Study
from data.store import actors
from pages.widgets import reader_session, untrusted_text
from pages.widgets.importing.mapping_form import propose_words
from pages.widgets.importing.upload import Upload

NEW = ""  # the choice of a new study
INTO, INTO_KNOWN = "import-into", "import-into-known"  # the second where no study can be created
CHOSEN, PROPOSED, HELD = "import-into-chosen", "import-into-proposed", "import-held"


def ask_study(importer: Importer, upload: Upload, all_studies: Sequence[Study]) -> Study | None:
    """Ask for the study to import into, and return it; None for a new study, or before a choice."""
    titles = {study.key: study.title for study in all_studies}
    holder = _holder(importer, upload) if isinstance(importer, ConversationImporter | MappedFiles) else None
    key = INTO if importer.makes_study else INTO_KNOWN
    if st.session_state.get(PROPOSED) != (upload.number, key) or key not in st.session_state:
        st.session_state[PROPOSED] = (upload.number, key)
        st.session_state[key] = holder.key if holder else _usual(key, importer, titles)
    chosen = st.selectbox(
        "Into",
        [*([NEW] if importer.makes_study else []), *titles],
        index=None if st.session_state[key] is None else 0,
        placeholder="choose a study",
        format_func=lambda choice: titles[choice] if choice else "a new study",
        key=key,
        on_change=_remember,
        args=(key,),
    )
    if holder is not None:
        untrusted_text.paragraph(f"This file is in “{holder.title}” already.", small=True)
    return next((study for study in all_studies if study.key == chosen), None)


def propose_study(key: str) -> None:
    """Propose a study for the next file."""
    st.session_state[CHOSEN] = {name: (key, key) for name in (INTO, INTO_KNOWN)}
    st.session_state.pop(PROPOSED, None)


def _usual(key: str, importer: Importer, titles: dict[str, str]) -> str | None:
    """Return the choice for the last file, or else a new study, or the current study."""
    here = reader_session.study()
    usual = NEW if importer.makes_study else here.key if here else None
    place, chosen = st.session_state.get(CHOSEN, {}).get(key, ("", None))
    holds = _place() in (place, chosen) and (chosen in titles or chosen == NEW)
    return chosen if holds else usual


def _place() -> str:
    here = reader_session.study()
    return here.key if here else ""


def _remember(key: str) -> None:
    choices = st.session_state.setdefault(CHOSEN, {})
    choices[key] = (_place(), st.session_state[key])


def _holder(importer: Importer, upload: Upload) -> Study | None:
    """Find, once per file, the study that holds its conversations already. Whether a study holds labels would
    reveal hidden ones, and the page hasn't asked for the person's name yet.
    """
    of = (upload.number, importer.name)
    earlier: tuple[object, Study | None] | None = st.session_state.get(HELD)
    if earlier is not None and earlier[0] == of:
        return earlier[1]
    answers = {"mapping": propose_words(upload)} if isinstance(importer, MappedFiles) else {}
    holder = (
        None
        if None in answers.values()
        else file_import.study_that_holds(reader_session.store(), upload.path, importer, answers, actors.LEAD)
    )
    st.session_state[HELD] = (of, holder)
    return holder
