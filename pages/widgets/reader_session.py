"""Where this browser tab is and who sits at it: the study and the reader, in the address and in the session.

On the loopback default there are no accounts: a person chooses a name from the study's raters, once a
browser (remembered_person.py). `reader` returns who that is in a study; when accounts come, this file is the
only one that changes. An address by itself opens neither the study for its lead nor somebody's list: `reader`
goes by it only where this browser opened the study as its lead before, or chose that name in it.

A tab that showed the labels of a whole study, and a browser that remembers somebody who leads it, gives that
study's raters no name without asking, and whoever takes one is recorded as having seen the labels.
"""

from __future__ import annotations

import streamlit as st

from data.record import studies, units
from data.record.studies import Rater, Study
from data.store import actors
from data.store.errors import NotFound
from data.store.store import Store
from data.work import exposures, lead_openings
from data.work.permissions import Person
from pages.widgets import remembered_person
from pages.widgets.address_number import read_number
from pages.widgets.agreement import address
from pages.widgets.remembered_person import RememberedPerson
from services.leading import open_as_lead
from services.rating import record_earlier_sight

LEAD = "lead"
_ASK = ""  # in place of a chosen reader: whatever the browser remembers, this study asks anew
_PERSON = "remembered person"
_CHOSEN, _IMPORTER = "chosen reader of ", "name of who imports into "
_NOTE, _WANTED = "note-seen-", "wanted-name-"


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


def leave_study() -> None:
    """This tab is in no study."""
    st.session_state.pop("study", None)


def person() -> RememberedPerson:
    """Whom the browser remembers, and what was chosen in this tab since."""
    remembered: RememberedPerson | None = st.session_state.get(_PERSON)
    if remembered is None:
        remembered = st.session_state[_PERSON] = remembered_person.of_this_browser()
        for key in remembered.leads:  # they were shown to whoever sits here, in another tab
            st.session_state[_saw_key(key)] = "browser"
    return remembered


def reader(of: Study) -> Person | None:
    """Who sits here, or None where that is to be asked: nobody was chosen in this browser yet, the address
    names somebody else, the name is asked about before it is taken, or a rater comes by an address of the
    lead.
    """
    person()
    chosen = st.query_params.get("reader") or choice(of)
    if not chosen:
        return None
    if chosen == LEAD:
        if blind_rater(of) is not None or not leads(of):
            return None
        reader = Person(None, st.session_state.get(_IMPORTER + of.key, "") or _own_name(of))
        # Somebody who does not rate may see everything; the address carries that over a new page load.
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
    """Whether this browser opened the study as its lead, which the trail knows."""
    proof = person().leads.get(of.key)
    if proof is None:
        return False
    with store().reading() as connection:
        return lead_openings.is_recorded(connection, of.id, proof)


def _is_chosen(of: Study, rater: Rater) -> bool:
    """Whether the name of this rater was chosen in this tab or this browser."""
    names = (person().name, *person().others)
    return rater.name in names or st.session_state.get(_CHOSEN + of.key) == str(rater.id)


def _remember(of: Study, rater: Rater) -> None:
    colleagues: list[str] = []
    if rater.name != person().name:
        with store().reading() as connection:
            colleagues = [colleague.name for colleague in studies.raters(connection, of.id)]
    st.session_state[_PERSON] = person().rating(of.key, rater.name, colleagues)


def choice(of: Study) -> str | None:
    """The reader that this tab or this browser knows for a study, as an address names it."""
    if _CHOSEN + of.key in st.session_state:
        return st.session_state[_CHOSEN + of.key] or None
    namesake = _namesake(of)
    if leads(of):  # somebody who leads it under the name of one of its raters is asked which
        return LEAD if namesake is None else None
    return str(namesake.id) if namesake is not None else None


def blind_rater(of: Study) -> Rater | None:
    """The rater who sits here by what this tab or this browser knows, where it is not recorded of them that
    they saw the labels of the study. None where somebody leads it here.
    """
    chosen = choice(of)
    rater = _rater(of, chosen) if chosen and chosen != LEAD else None
    if rater is None:
        return None
    with store().reading() as connection:
        return None if exposures.saw_page(connection, rater.id) else rater


def _namesake(of: Study) -> Rater | None:
    """The rater of the study who has the name that the browser remembers."""
    name = person().name
    if not name:
        return None
    with store().reading() as connection:
        raters = studies.raters(connection, of.id)
    return next((rater for rater in raters if rater.kind == "person" and rater.name == name), None)


def _own_name(of: Study) -> str:
    """The remembered name of somebody who does not rate; that of a rater of the study stays the rater's."""
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
    """How many units the name chosen in this tab has committed; 0 for nobody or a lead."""
    chosen = choice(of)
    rater = _rater(of, chosen) if chosen and chosen != LEAD else None
    if rater is None:
        return 0
    with store().reading() as connection:
        return units.rater_progress(connection, rater.id).committed


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
    """`name`: of somebody who does not rate; no rater of the study is made of it. A person who opens the
    study as its lead is recorded before anything of it is shown. A person who takes a rater's name where
    the labels of the whole study were shown is recorded, and was asked before.
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
    """This study asks anew who sits here."""
    # Whoever sits down next begins at their own place and is warned of the content like anyone.
    for name in (_IMPORTER, _NOTE, _WANTED):
        st.session_state.pop(name + of.key, None)
    st.session_state[_CHOSEN + of.key] = _ASK
    # Nor does what a lead narrowed a report down to stay in the address of whoever rates next.
    for name in ("reader", "unit", "note", "back", *address.NAMES):
        st.query_params.pop(name, None)


def forget_person() -> None:
    """Somebody else sits here: neither this tab nor the browser knows a name any more. What this tab showed
    stays known to it.
    """
    remembered = person()
    for key in list(st.session_state):
        if str(key).startswith((_CHOSEN, _IMPORTER, _NOTE, _WANTED)):
            del st.session_state[key]
    st.session_state[_PERSON] = remembered.forgotten()
    for name in ("reader", "unit", "note", "back", *address.NAMES):
        st.query_params.pop(name, None)


def decline(of: Study) -> None:
    """The name that was asked about is not taken."""
    st.session_state.pop(wanted_key(of), None)
    st.session_state[_CHOSEN + of.key] = _ASK
    st.query_params.pop("reader", None)


def note_key(of: Study) -> str:
    """Where the session remembers that the content note was read."""
    return _NOTE + of.key


def wanted_key(of: Study) -> str:
    """Where the session keeps the name that was chosen and is asked about before it is taken."""
    return _WANTED + of.key


def saw_everything(of: Study) -> None:
    """Note that this tab showed the judge's labels of the whole study, whoever sat at it."""
    st.session_state[_saw_key(of.key)] = "tab"


def showed_everything(of: Study) -> bool:
    """Whether this tab showed the judge's labels of the whole study to anybody, or the browser to whom it
    remembers.
    """
    return shown_in(of) is not None


def shown_in(of: Study) -> str | None:
    """Where the labels of the whole study were shown: in this tab, or in this browser."""
    person()
    shown: str | None = st.session_state.get(_saw_key(of.key))
    return shown


def _saw_key(key: str) -> str:
    return f"saw-{key}"


def asks_before(of: Study, rater: Rater) -> bool:
    """Whether this name is asked about before it is taken: where the labels of the whole study were shown,
    and it is not recorded of this rater that they saw them.
    """
    if not showed_everything(of):
        return False
    with store().reading() as connection:
        return not exposures.saw_page(connection, rater.id)


def _carry_over(of: Study, reader: Person) -> None:
    """Who saw the whole study makes this a tab that showed it: the next name was at this screen as well."""
    if reader.rater is None:
        return
    with store().reading() as connection:
        page_seen = exposures.saw_page(connection, reader.rater.id)
    if page_seen:
        saw_everything(of)
