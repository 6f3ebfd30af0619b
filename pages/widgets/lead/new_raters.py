"""The form that adds raters by name, several at once."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from data.record import studies
from data.record.rater_names import split_names
from data.record.studies import Study
from data.store.errors import StoreError
from pages.widgets import reader_session, untrusted_text
from pages.widgets.lead.flash_message import field_key, finish
from reports.refusals import word_error
from services.raters import NameRefused, add_raters
from words.plurals import inflect

FORM = "people"


@dataclass(frozen=True)
class AddedRaters:
    """`ids`: all named raters, including earlier ones. `words`: what happened."""

    ids: tuple[int, ...]
    words: str


def ask(study: Study) -> list[str]:
    """Show the field and return the names in it that are not added yet."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        typed = st.text_area(
            "Add raters, one per line or separated by commas",
            key=field_key(FORM, "plan-names"),
            height=68,
            placeholder="Dr Weber, Dr Osei, N-12",
        )
        pressed = st.button("Add them", key=field_key(FORM, "plan-add"))
    if pressed:
        if not _lines(typed):
            st.error("Write at least one name.")
        elif (added := add(study)) is not None:
            finish(added.words, FORM)
    return [name for _, name in _lines(typed)]


def add(study: Study) -> AddedRaters | None:
    """Add the typed names. None after showing why nobody was added."""
    lines = _lines(st.session_state[field_key(FORM, "plan-names")])
    with reader_session.store().reading() as connection:
        present_names = _names(studies.raters(connection, study.id))
    try:
        add_raters(reader_session.store(), reader_session.actor(study), study, lines)
    except StoreError as error:
        where = f"Line {error.line}" if isinstance(error, NameRefused) else "The names"
        st.error(untrusted_text.plain(f"{where}: {word_error(error)} Nobody was added."))
        return None
    names = {name for _, name in lines}
    with reader_session.store().reading() as connection:
        people = studies.raters(connection, study.id)
    old = len(names & present_names)
    here = f" {old} {inflect(old, 'was', 'were')} here already." if old else ""
    new = len(names - present_names)
    return AddedRaters(
        tuple(rater.id for rater in people if rater.kind == "person" and rater.name in names),
        f"{new} {inflect(new, 'rater was', 'raters were')} added.{here}",
    )


def _lines(typed: str) -> list[tuple[int, str]]:
    return [
        (number, name)
        for number, line in enumerate(typed.splitlines(), start=1)
        for name in split_names(line)
    ]


def _names(raters: list[studies.Rater]) -> set[str]:
    return {rater.name for rater in raters if rater.kind == "person"}
