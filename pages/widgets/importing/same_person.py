"""Whether one person stands behind several conversations or items."""

from __future__ import annotations

import streamlit as st

from data.importers.persons import NOBODY

SAME_PERSON = {
    "": "not said; the check asks where the file looks like it",
    "no": "no, each is of another person",
    "named": "yes, the file names the person",
}


def ask_same_person(column: str) -> str:
    """The answer to whether one person stands behind several conversations: the name of a fact, "none", or
    empty where nobody said.
    """
    answer = st.selectbox(
        "Are several conversations of the same person?",
        list(SAME_PERSON),
        format_func=SAME_PERSON.__getitem__,
        key="import-same-person",
        help="Conversations of one person are alike. Intervals then leave out one person at a time, not one "
        "conversation.",
    )
    if answer != "named":
        return NOBODY if answer == "no" else ""
    return " ".join(
        st.text_input(
            f"The {column} that names the person",
            placeholder="client_id",
            max_chars=120,
            key="import-person-fact",
        ).split()
    )
