"""Ask for the person's name: a rater of the study, or somebody who does not rate in it. Asked once per
browser.

In a tab that showed the labels of the whole study, choosing a rater's name marks it for good as having seen
them (reader_session.py). So the page asks before it takes such a name, unless it is marked already.
"""

from __future__ import annotations

import streamlit as st

from data.record import studies
from data.record.studies import Rater, Study, name_key
from data.store.errors import StoreError
from data.work import exposures
from pages.widgets import reader_session, untrusted_text
from services.raters import add_rater, add_settler
from services.rating import record_earlier_sight

SETTLES = "I settle disagreements here"
LEADS = "I lead this study or read its results"
BEFORE_SETTLING = (
    "To settle disagreements, you read clinicians' labels for conversations that you did not rate, and "
    "decide without seeing the judge's labels. From then on, you will be given nothing more to rate."
)
OPENS_AS_LEAD = "You are opening this study as its lead. You will see every label. This is recorded."
BEFORE_LEADING = (
    "You will see every label. This is recorded, and you can't rate blind afterwards. Choose this only if "
    "you neither rate nor settle disagreements here."
)


def ask_reader(study: Study, rating: bool, adds_rater: bool = True) -> None:
    """Ask for a name; with `rating`, only for a rater's. Without `adds_rater`, a new name adds no rater."""
    if st.query_params.get("reader") == reader_session.LEAD:
        rater = reader_session.blind_rater(study)
        if rater is not None:
            _ask_rater_before_lead(study, rater)
        else:
            _ask_lead(study)
        return
    untrusted_text.heading(study.title)
    with reader_session.store().reading() as connection:
        people = [r for r in studies.raters(connection, study.id) if r.kind == "person"]
    asking = reader_session.showed_everything(study)
    if asking:
        st.warning(_warning(study))
    own_name = reader_session.person().name
    if own_name and not any(name_key(rater.name) == name_key(own_name) for rater in people):
        _ask_role(study, own_name, people, rating, adds_rater, asking)
    else:
        _ask_name(study, people, rating, adds_rater, asking)
    if asking and (wanted := st.session_state.get(reader_session.wanted_key(study))):
        _confirm(study, wanted, people)


def _ask_lead(study: Study) -> None:
    """Ask before opening a lead's address in a browser that hasn't opened the study as its lead."""
    untrusted_text.heading(study.title, 1)
    st.text(OPENS_AS_LEAD)
    with st.container(horizontal=True):
        opens = st.button("Open as lead", key="reader-lead", type="primary")
        st.button(
            "Choose a rater's name instead",
            key="reader-not-lead",
            type="tertiary",
            on_click=reader_session.decline,
            args=(study,),
        )
    if opens:
        _sit_down(study, reader_session.LEAD)


def _ask_rater_before_lead(study: Study, rater: Rater) -> None:
    """Ask a rater who opened a lead's address which of the two they want. The page shows nothing before."""
    untrusted_text.heading("This link is for study leads", 1)
    untrusted_text.paragraph(
        f"You are rating “{study.title}” as {rater.name}. This link shows the labels of the judge and of "
        "colleagues. If you open it, it is permanently recorded that you saw them, and what you rate from "
        "then on stays out of the blind numbers."
    )
    with st.container(horizontal=True):
        stays = st.button(
            untrusted_text.plain(f"Continue as {rater.name}"), key="reader-stay", type="primary"
        )
        opens = st.button("Open it and record this", key="reader-lead-record")
    if stays:
        _sit_down(study, str(rater.id))
    if opens:
        record_earlier_sight(reader_session.store(), study, rater)
        _sit_down(study, reader_session.LEAD)


def _warning(study: Study) -> str:
    known = reader_session.person()
    before = "press “Switch person” and " if known.name or known.leads else ""
    return (
        f"This {reader_session.shown_in(study)} has shown the labels of the whole study. If you choose a "
        "rater's name here, it is permanently recorded that this rater has seen them, and what this rater "
        f"rates from then on stays out of the blind numbers. If you have not seen them, {before}open the "
        "app in a new tab."
    )


def _ask_name(study: Study, people: list[Rater], rating: bool, adds_rater: bool, asking: bool) -> None:
    # The bar shows a lead of another study as a study lead, but this study asks all the same.
    leads_others = any(key != study.key for key in reader_session.person().leads)
    why = " You lead other studies here; choose your name for this one." if leads_others else ""
    st.text(
        f"Choose your name. Your list and your ratings are saved under it.{why}"
        if adds_rater
        else "Who is importing? The name is saved with the import."
    )
    with st.container(horizontal=True):
        for rater in people:
            if st.button(untrusted_text.plain(rater.name), key=f"reader-{rater.id}"):
                _wanted(study, rater.name, people, asking)
    with st.form("new-reader", border=False):
        name = st.text_input(
            "Another name", max_chars=80, placeholder="a name or code that you will recognise"
        )
        if st.form_submit_button("I rate here" if adds_rater else "Begin", key="reader-new"):
            if adds_rater:
                _wanted(study, name, people, asking)
            else:
                _name_lead(study, name, people, asking)
        if adds_rater and st.form_submit_button(SETTLES, key="reader-settle"):
            _settle(study, name, people, asking)
        if adds_rater:
            untrusted_text.paragraph(BEFORE_SETTLING, small=True)
        if not rating:
            untrusted_text.paragraph(BEFORE_LEADING, small=True)
            if st.form_submit_button(LEADS, key="reader-lead"):
                _lead(study, name, people)


def _ask_role(
    study: Study, own_name: str, people: list[Rater], rating: bool, adds_rater: bool, asking: bool
) -> None:
    """Ask for the role of somebody whose name is known but who doesn't rate in this study."""
    untrusted_text.paragraph(f"{own_name}, what do you do in this study?")
    with st.container(horizontal=True):
        if adds_rater and st.button("I rate here", key="reader-own"):
            _wanted(study, own_name, people, asking)
        if adds_rater and st.button(SETTLES, key="reader-own-settle"):
            _settle(study, own_name, people, asking)
        if not rating and st.button(LEADS, key="reader-lead"):
            _sit_down(study, reader_session.LEAD, own_name)
    if adds_rater:
        untrusted_text.paragraph(BEFORE_SETTLING, small=True)
    if not rating:
        untrusted_text.paragraph(BEFORE_LEADING, small=True)
    if people:
        untrusted_text.paragraph("Or choose your name if you rate here under another one:", small=True)
        with st.container(horizontal=True):
            for rater in people:
                if st.button(untrusted_text.plain(rater.name), key=f"reader-{rater.id}"):
                    _wanted(study, rater.name, people, asking)


def _settle(study: Study, name: str, people: list[Rater], asking: bool) -> None:
    """Take the name of somebody who settles. A rater may become a settler."""
    name = " ".join(name.split())
    if asking and name and not _marked(name, people):
        st.error(
            "This tab has shown the labels of the whole study, but a person who settles disagreements must "
            "not have seen the judge's labels. Open the app in a new tab."
        )
        return
    try:
        rater = add_settler(reader_session.store(), name or "unnamed", study, _namesake(name, people) or name)
    except StoreError as error:
        untrusted_text.show_error(error)
        return
    reader_session.choose(study, str(rater.id), "")
    st.switch_page(
        st.session_state["page_adjudication"], query_params={"study": study.key, "reader": str(rater.id)}
    )


def _wanted(study: Study, name: str, people: list[Rater], asking: bool) -> None:
    """Take the chosen or typed name, or ask about it first."""
    name = " ".join(name.split())
    if asking and name and not _marked(name, people):
        st.session_state[reader_session.wanted_key(study)] = name
        return
    _take(study, name, people)


def _lead(study: Study, name: str, people: list[Rater]) -> None:
    """Take a lead, with or without a name; the name must not be a rater's."""
    name = " ".join(name.split())
    namesake = _namesake(name, people)
    if namesake is not None:
        st.error(
            untrusted_text.plain(f"{namesake} rates in this study. To lead it, enter another name, or none.")
        )
        return
    _sit_down(study, reader_session.LEAD, name)


def _name_lead(study: Study, name: str, people: list[Rater], asking: bool) -> None:
    """Take a typed name: any spelling of a rater's name is that rater; another name is of somebody who
    doesn't rate.
    """
    name = " ".join(name.split())
    namesake = _namesake(name, people)
    if namesake is not None:
        _wanted(study, namesake, people, asking)
    elif name:
        _sit_down(study, reader_session.LEAD, name)
    else:
        st.error("Write a name first.")


def _namesake(name: str, people: list[Rater]) -> str | None:
    return next((rater.name for rater in people if name_key(rater.name) == name_key(name)), None)


def _marked(name: str, people: list[Rater]) -> bool:
    known = next((rater for rater in people if rater.name == name), None)
    if known is None:
        return False
    with reader_session.store().reading() as connection:
        return exposures.saw_page(connection, known.id)


def _confirm(study: Study, name: str, people: list[Rater]) -> None:
    with st.container(border=True):
        untrusted_text.paragraph(
            f"Use the name {name}? It is then recorded that this person has seen the labels of the whole "
            "study. This can't be undone."
        )
        with st.container(horizontal=True):
            taken = st.button(untrusted_text.plain(f"Use the name {name} and record this"), key="reader-take")
            st.button("Don't use it", key="reader-not", on_click=reader_session.decline, args=(study,))
    if taken:
        _take(study, name, people)


def _take(study: Study, name: str, people: list[Rater]) -> None:
    person = next((rater for rater in people if rater.name == name), None)
    if person is not None:
        _sit_down(study, str(person.id))
    try:
        rater = add_rater(reader_session.store(), name or "unnamed", study, name)
    except StoreError as error:
        untrusted_text.show_error(error)
        return
    if rater.kind != "person":
        st.error("This name belongs to imported ratings. Choose another.")
        return
    _sit_down(study, str(rater.id))


def _sit_down(study: Study, chosen: str, name: str = "") -> None:
    reader_session.choose(study, chosen, name)
    st.rerun()
