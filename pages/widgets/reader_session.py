"""The study and the person of this browser tab, in the address and in the session.

There are no accounts by default: a person chooses a name from the study's raters, once per browser
(remembered_person.py). `reader` returns who that is in a study; if accounts come, only this file changes. An
address alone opens neither the lead's view nor a rater's list: `reader` follows it only if this browser
opened the study as its lead before, or chose that name in it.

A tab that showed the labels of a whole study, or a browser that remembers its lead, asks before it gives a
person one of the study's raters' names. That name is then recorded as having seen the labels.
"""

from __future__ import annotations

import streamlit as st

from data.access.permissions import Person
from data.record import studies, units
from data.record.studies import Rater, Study
from data.store import actors
from data.store.errors import NotFound
from data.store.store import Store
from data.work import exposures, lead_openings
from pages.widgets import remembered_person
from pages.widgets.address_number import read_number
from pages.widgets.agreement import address
from pages.widgets.remembered_person import RememberedPerson
from services.leading import open_as_lead
from services.rating import record_earlier_sight

LEAD = "lead"
_ASK = ""  # replaces a chosen reader: the study asks again, whatever the browser remembers
_PERSON = "remembered person"
_CHOSEN, _IMPORTER = "chosen reader of ", "name of who imports into "
_NOTE, _WANTED = "note-seen-", "wanted-name-"


def store() -> Store:
    """Return the store of this tab."""
    store: Store = st.session_state["store"]
    return store


def study() -> Study | None:
    """Return the study of this tab, from the address or else from the session."""
    key = st.query_params.get("study") or st.session_state.get("study")
    if not key:
        return None
    with store().reading() as connection:
        study = studies.find(connection, key)
    if study is not None:
        st.session_state["study"] = st.query_params["study"] = study.key
    return study


def leave_study() -> None:
    """Leave the study of this tab."""
    st.session_state.pop("study", None)


def person() -> RememberedPerson:
    """Return the person that the browser remembers, with what was chosen in this tab since."""
    remembered: RememberedPerson | None = st.session_state.get(_PERSON)
    if remembered is None:
        remembered = st.session_state[_PERSON] = remembered_person.of_this_browser()
        for key in remembered.leads:  # another tab has shown them to this person
            st.session_state[_saw_key(key)] = "browser"
    return remembered


def reader(of: Study) -> Person | None:
    """Return the person, or None if the page must ask: no name was chosen in this browser, the address names
    another one, the name needs a confirmation, or a rater opened a lead's address.
    """
    person()
    chosen = st.query_params.get("reader") or choice(of)
    if not chosen:
        return None
    if chosen == LEAD:
        if blind_rater(of) is not None or not leads(of):
            return None
        reader = Person(None, st.session_state.get(_IMPORTER + of.key, "") or _own_name(of))
        # Somebody who does not rate may see everything; the address keeps that across a page load.
        saw_everything(of)
    else:
        rater = _rater(of, chosen)
        if rater is None:
            return None
        if asks_before(of, rater):
            st.session_state[wanted_key(of)] = rater.name
            return None
        if not _is_chosen(of, rater):
            return None
        reader, chosen = Person(rater), str(rater.id)
        _remember(of, rater)
    st.session_state[_CHOSEN + of.key] = st.query_params["reader"] = chosen
    _carry_over(of, reader)
    return reader


def leads(of: Study) -> bool:
    """Tell whether this browser opened the study as its lead, according to the trail."""
    proof = person().leads.get(of.key)
    if proof is None:
        return False
    with store().reading() as connection:
        return lead_openings.is_recorded(connection, of.id, proof)


def _is_chosen(of: Study, rater: Rater) -> bool:
    """Tell whether this rater's name was chosen in this tab or browser."""
    names = (person().name, *person().others)
    return rater.name in names or st.session_state.get(_CHOSEN + of.key) == str(rater.id)


def _remember(of: Study, rater: Rater) -> None:
    colleagues: list[str] = []
    if rater.name != person().name:
        with store().reading() as connection:
            colleagues = [colleague.name for colleague in studies.raters(connection, of.id)]
    st.session_state[_PERSON] = person().rating(of.key, rater.name, colleagues)


def choice(of: Study) -> str | None:
    """Return who this tab or browser knows as reading the study, as an address names it: LEAD or a rater's
    id.

    None if unknown, and for a lead with the name of one of the raters, who is asked which of the two.
    """
    if _CHOSEN + of.key in st.session_state:
        return st.session_state[_CHOSEN + of.key] or None
    namesake = _namesake(of)
    if leads(of):  # a lead with the name of one of its raters is asked which
        return LEAD if namesake is None else None
    return str(namesake.id) if namesake is not None else None


def blind_rater(of: Study) -> Rater | None:
    """Return the rater that this tab or browser knows, unless it is recorded that they saw the study's
    labels. None for a lead.
    """
    chosen = choice(of)
    rater = _rater(of, chosen) if chosen and chosen != LEAD else None
    if rater is None:
        return None
    with store().reading() as connection:
        return None if exposures.saw_page(connection, rater.id) else rater


def _namesake(of: Study) -> Rater | None:
    """Return the study's rater with the name that the browser remembers."""
    name = person().name
    if not name:
        return None
    with store().reading() as connection:
        raters = studies.raters(connection, of.id)
    return next((rater for rater in raters if rater.kind == "person" and rater.name == name), None)


def _own_name(of: Study) -> str:
    """Return the remembered name if no rater of the study has it."""
    return "" if _namesake(of) is not None else person().name


def _rater(of: Study, chosen: str) -> Rater | None:
    rater_id = read_number(chosen)
    if rater_id is None:
        return None
    try:
        with store().reading() as connection:
            rater = studies.rater(connection, rater_id)
    except NotFound:
        return None
    return rater if rater.study_id == of.id and rater.kind == "person" else None


def committed_by_reader(of: Study) -> int:
    """Return how many units the person of this tab has committed; 0 for nobody or a lead."""
    chosen = choice(of)
    rater = _rater(of, chosen) if chosen and chosen != LEAD else None
    if rater is None:
        return 0
    with store().reading() as connection:
        return units.rater_progress(connection, rater.id).committed


def actor(of: Study) -> str:
    """Return the actor for the trail: the name chosen in this tab, or a study lead."""
    found = reader(of)
    if found is None:
        return actors.LEAD
    return found.rater.name if found.rater else found.name or actors.LEAD


def turn_to(of: Study) -> None:
    """Make this the study of the tab. A reader in the address belongs to the old study, so another study asks
    again.
    """
    if st.query_params.get("study") != of.key:
        st.query_params.pop("reader", None)
    st.session_state["study"] = st.query_params["study"] = of.key


def choose(of: Study, chosen: str, name: str = "") -> None:
    """Take the chosen person. `name` is of somebody who does not rate and makes no rater.

    A person who opens the study as its lead is recorded before anything is shown. A rater's name is recorded
    as having seen the labels if they were shown here; the page has asked before.
    """
    if chosen == LEAD and (name not in ("", person().name) or not leads(of)):
        proof = open_as_lead(store(), name or person().name or actors.LEAD, of)
        st.session_state[_PERSON] = person().leading(of.key, proof, name)
    st.session_state[_IMPORTER + of.key] = name
    st.session_state[_CHOSEN + of.key] = st.query_params["reader"] = chosen
    st.session_state.pop(wanted_key(of), None)
    rater = _rater(of, chosen) if chosen != LEAD else None
    if rater is not None and asks_before(of, rater):
        record_earlier_sight(store(), of, rater)


def forget_reader(of: Study) -> None:
    """Forget the person in this study, so that it asks again."""
    # The next person starts at their own place and sees the content note.
    for name in (_IMPORTER, _NOTE, _WANTED):
        st.session_state.pop(name + of.key, None)
    st.session_state[_CHOSEN + of.key] = _ASK
    # A lead's filters don't stay in the next rater's address either.
    for name in ("reader", "unit", "note", "back", *address.NAMES):
        st.query_params.pop(name, None)


def forget_person() -> None:
    """Forget the person in this tab and the browser ("Switch person"). The tab still knows what it showed."""
    remembered = person()
    for key in list(st.session_state):
        if str(key).startswith((_CHOSEN, _IMPORTER, _NOTE, _WANTED)):
            del st.session_state[key]
    st.session_state[_PERSON] = remembered.forgotten()
    for name in ("reader", "unit", "note", "back", *address.NAMES):
        st.query_params.pop(name, None)


def decline(of: Study) -> None:
    """Drop the name that was to be confirmed."""
    st.session_state.pop(wanted_key(of), None)
    st.session_state[_CHOSEN + of.key] = _ASK
    st.query_params.pop("reader", None)


def note_key(of: Study) -> str:
    """Return the session key that notes that the content note was read."""
    return _NOTE + of.key


def wanted_key(of: Study) -> str:
    """Return the session key of the chosen name that needs a confirmation."""
    return _WANTED + of.key


def saw_everything(of: Study) -> None:
    """Note that this tab showed the judge's labels of the whole study to its person."""
    st.session_state[_saw_key(of.key)] = "tab"


def showed_everything(of: Study) -> bool:
    """Tell whether this tab showed the judge's labels of the whole study to anybody, or this browser did to
    the person that it remembers.
    """
    return shown_in(of) is not None


def shown_in(of: Study) -> str | None:
    """Return "tab" or "browser", whichever showed the labels of the whole study; None if neither did."""
    person()
    shown: str | None = st.session_state.get(_saw_key(of.key))
    return shown


def _saw_key(key: str) -> str:
    return f"saw-{key}"


def asks_before(of: Study, rater: Rater) -> bool:
    """Tell whether this name needs a confirmation: the labels of the whole study were shown here, and it is
    not recorded that this rater saw them.
    """
    if not showed_everything(of):
        return False
    with store().reading() as connection:
        return not exposures.saw_page(connection, rater.id)


def _carry_over(of: Study, reader: Person) -> None:
    """Mark this tab as having shown the study if its person saw it, because the next name may be at the same
    screen.
    """
    if reader.rater is None:
        return
    with store().reading() as connection:
        page_seen = exposures.saw_page(connection, reader.rater.id)
    if page_seen:
        saw_everything(of)
