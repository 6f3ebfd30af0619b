"""The question whether several conversations or items are of the same person."""

from __future__ import annotations

import streamlit as st

from data.importers.persons import NOBODY

SAME_PERSON = {
    "": "not answered; the check asks if it looks likely",
    "no": "no, each is from a different person",
    "named": "yes, the file names the person",
}


def ask_same_person(column: str) -> str:
    """Ask whether several conversations are of the same person; return the fact's name, "none", or "" if
    not given.
    """
    answer = st.selectbox(
        "Are several conversations from the same person?",
        list(SAME_PERSON),
        format_func=SAME_PERSON.__getitem__,
        key="import-same-person",
        help="Conversations from one person are alike. If you answer yes, intervals are made by leaving out "
        "one person at a time, not one conversation.",
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
