"""The raters, one by one: their link, conflicts of interest, what they hold, and being let in without certification."""

from __future__ import annotations

import streamlit as st

from data import conversations, studies, units
from data.errors import Refused, StoreError
from data.studies import Rater, Study
from data.work import assignment, certification, conflicts
from data.work import plan as plans
from pages.widgets import foreign, place


def show(study: Study) -> None:
    with place.store().reading() as connection:
        people = [rater for rater in studies.raters(connection, study.id) if rater.kind == "person"]
        plan = plans.current(connection, study.id)
    if not people:
        st.info("Nobody has a name in this study yet. Add raters under Plan.")
        return
    foreign.table("Links to hand out; each opens that rater's own list", ["Rater", "Link"], [
        [rater.name, foreign.Link(f"{_address()}my-work?study={study.key}&reader={rater.id}", f"my-work?study={study.key}&reader={rater.id}")]
        for rater in people])
    number = st.selectbox("Rater", range(len(people)), format_func=lambda n: people[n].name, key="lead-rater")
    rater = people[number]
    if plan is None:
        return
    _held(study, rater)
    _conflicts(study, rater)
    if plan.certify:
        _let_in(study, rater)


def _address() -> str:
    """Where this app is reached, as the lead's browser has it."""
    return f"{(st.context.url or '').rpartition('/')[0]}/".lstrip("/")


def _held(study: Study, rater: Rater) -> None:
    foreign.heading("Somebody leaves", 2)
    foreign.paragraph("What they have committed stays. What is kept for them goes back to the others; take their name out of the plan as well.", small=True)
    if not st.button("Free what is kept for them", key="lead-free"):
        return
    with place.store().writing(place.actor(study), "free what a rater holds", study.id) as (connection, entry):
        count = assignment.free(connection, entry, study, rater.id)
    st.success(f"Freed {count}." if count else "Nothing was kept for them.")


def _conflicts(study: Study, rater: Rater) -> None:
    foreign.heading("Conflicts of interest", 2)
    with place.store().reading() as connection:
        rules = conflicts.rules(connection, rater.id)
        keys = units.conversation_keys(connection, sorted(rules.conversations))
    foreign.paragraph("Nobody rates their own: name the conversations that this rater must not be given, or a fact of conversations, such as the clinician "
                      "who spoke in them.", small=True)
    if rules.facts or keys:
        foreign.table("Not given to this rater", ["What"], [[f"{name} is {value}"] for name, value in sorted(rules.facts)] + [[key] for _, key in keys])
    with st.form("conflict", clear_on_submit=True, border=False):
        left, middle, right = st.columns(3)
        key = left.text_input("Conversation", key="conflict-key", placeholder="its id")
        fact = middle.text_input("or a fact", key="conflict-fact", placeholder="clinician")
        value = right.text_input("and its value", key="conflict-value")
        add, lift = st.form_submit_button("Do not give", key="conflict-add"), st.form_submit_button("May be given again", key="conflict-lift")
    if not (add or lift):
        return
    try:
        with place.store().writing(place.actor(study), "conflict of interest", study.id) as (connection, entry):
            if key.strip():
                found = conversations.id_of(connection, study.id, key.strip())
                if found is None:
                    raise Refused(f"The study has no conversation {key.strip()!r}.")
                conflicts.state(connection, entry, rater.id, conversation_id=found, lifted=lift)
            else:
                conflicts.state(connection, entry, rater.id, fact=fact.strip() or None, value=value, lifted=lift)
    except StoreError as error:
        st.error(foreign.plain(str(error)))
        return
    st.rerun()


def _let_in(study: Study, rater: Rater) -> None:
    foreign.heading("Certification", 2)
    with place.store().reading() as connection:
        found = certification.standing(connection, study, rater.id)
    not_yet = f"{found.same} of {found.labels} labels were the expert's." if found.labels else "Not certified yet."
    foreign.paragraph("Certified." if found.certified else not_yet)
    if found.certified:
        return
    with st.form("let-in", clear_on_submit=True, border=False):
        reason = st.text_input("Let them in without it, because", key="let-in-reason")
        if st.form_submit_button("Let them in", key="let-in"):
            try:
                with place.store().writing(place.actor(study), "let a rater in", study.id) as (connection, entry):
                    certification.grant(connection, entry, rater.id, reason)
            except StoreError as error:
                st.error(foreign.plain(str(error)))
                return
            st.rerun()
