"""Where this browser tab is and who sits at it: the study and the reader, in the address and in the session.

On the loopback default there are no accounts: a person chooses a name from the study's raters. `reader`
returns the chosen one; when accounts come, this file is the only one that changes.
"""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from data import actors, exposures, studies, units
from data.errors import NotFound
from data.store import Store
from data.studies import Rater, Study
from pages.widgets.agreement import address
from services.rating import record_earlier_sight

LEAD = "lead"


@dataclass(frozen=True)
class Reader:
    """`rater` is None for somebody who does not rate in this study: a study lead or an analyst. `name`:
    theirs, where they gave one to say who imports.
    """

    rater: Rater | None
    name: str = ""


def store() -> Store:
    store: Store = st.session_state["store"]
    return store


def study() -> Study | None:
    """The study of this tab, from the address or else from the session."""
    key = st.query_params.get("study") or st.session_state.get("study")
    if not key:
        return None
    with store().reading() as connection:
        study = studies.find(connection, key)
    if study is not None:
        st.session_state["study"] = st.query_params["study"] = study.key
    return study


def reader(of: Study) -> Reader | None:
    """Who sits here, or None where nobody was chosen yet."""
    chosen = st.query_params.get("reader") or st.session_state.get(_reader_key(of))
    if not chosen:
        return None
    if chosen == LEAD:
        reader = Reader(None, st.session_state.get(_importer_key(of), ""))
        # Somebody who does not rate may see everything; the address carries that over a new page load.
        saw_everything(of)
    else:
        try:
            with store().reading() as connection:
                rater = studies.rater(connection, int(chosen[:18]))
        except (NotFound, ValueError):
            return None
        if rater.study_id != of.id or rater.kind != "person":
            return None
        reader = Reader(rater)
    st.session_state[_reader_key(of)] = st.query_params["reader"] = str(chosen)
    _carry_over(of, reader)
    return reader


def _reader_key(of: Study) -> str:
    return f"chosen reader of {of.key}"


def _importer_key(of: Study) -> str:
    return f"name of who imports into {of.key}"


def committed_by_reader(of: Study) -> int:
    """How many units the name chosen in this tab has committed; 0 for nobody or a lead."""
    chosen = st.session_state.get(_reader_key(of))
    if not chosen or chosen == LEAD:
        return 0
    with store().reading() as connection:
        return units.rater_progress(connection, int(chosen)).committed


def actor(of: Study) -> str:
    """Who does something on a page, for the trail: the name chosen in this tab, or a study lead."""
    found = reader(of)
    if found is None:
        return actors.LEAD
    return found.rater.name if found.rater else found.name or actors.LEAD


def turn_to(of: Study) -> None:
    """Make this the study of the tab. A reader in the address is of the study that stood there, so another
    study asks anew.
    """
    if st.query_params.get("study") != of.key:
        st.query_params.pop("reader", None)
    st.session_state["study"] = st.query_params["study"] = of.key


def choose(of: Study, chosen: str, name: str = "") -> None:
    """`name`: of somebody who does not rate, to say who imports; no rater of the study is made of it."""
    st.session_state[_importer_key(of)] = name
    st.session_state[_reader_key(of)] = st.query_params["reader"] = chosen
    st.session_state.pop(wanted_key(of), None)


def forget_reader(of: Study) -> None:
    # Whoever sits down next begins at their own place and is warned of the content like anyone.
    st.session_state.pop(_reader_key(of), None)
    st.session_state.pop(_importer_key(of), None)
    st.session_state.pop(note_key(of), None)
    st.session_state.pop(wanted_key(of), None)
    # Nor does what a lead narrowed a report down to stay in the address of whoever rates next.
    for name in ("reader", "unit", "note", "back", *address.NAMES):
        st.query_params.pop(name, None)


def note_key(of: Study) -> str:
    """Where the session remembers that the content note was read."""
    return f"note-seen-{of.key}"


def wanted_key(of: Study) -> str:
    """Where the session keeps the name that was chosen and is asked about before it is taken."""
    return f"wanted-name-{of.key}"


def saw_everything(of: Study) -> None:
    """Note that this tab showed the judge's labels of the whole study, whoever sat at it."""
    st.session_state[f"saw-{of.key}"] = True


def showed_everything(of: Study) -> bool:
    """Whether this tab showed the judge's labels of the whole study to anybody."""
    return bool(st.session_state.get(f"saw-{of.key}"))


def _carry_over(of: Study, reader: Reader) -> None:
    """A tab that showed the whole study and then changes its name to a rater's has shown it to that rater."""
    if reader.rater is None:
        return
    with store().reading() as connection:
        page_seen = exposures.saw_page(connection, reader.rater.id)
    if page_seen:
        saw_everything(of)  # the next name in this tab was at this screen as well
    elif showed_everything(of):
        record_earlier_sight(store(), of, reader.rater)
