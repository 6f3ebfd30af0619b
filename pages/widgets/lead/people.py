"""The settings of one rater: reserved work, conflicts of interest, and admission without certification."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from data.labels.work_overview import RaterRow
from data.record import units
from data.record.studies import Study
from data.store.errors import StoreError
from data.work import certification, conflict_rules, conflicts
from data.work.plan import WorkPlan
from pages.widgets import reader_session, untrusted_text
from pages.widgets.lead.flash_message import field_key, finish
from services.raters import free_reservations, let_in, state_conflict
from words.plurals import inflect


def show(study: Study, rater: RaterRow, plan: WorkPlan | None) -> None:
    """Show the settings of one rater side by side."""
    with st.container(key="rater-details", gap="small"):
        if plan is None:
            untrusted_text.paragraph(
                f"Save a plan first. With a plan, conflicts of interest of {rater.name} can be entered and "
                f"{study.noun.plural} can be reserved.",
                small=True,
            )
            return
        left, right = st.columns([1, 2], gap="large")
        with left:
            _held(study, rater)
            if plan.certify:
                _let_in(study, rater)
        with right:
            _conflicts(study, rater)


def _held(study: Study, rater: RaterRow) -> None:
    untrusted_text.heading(f"If {rater.name} leaves", 3)
    untrusted_text.paragraph(
        f"{study.noun.count(rater.held)} {inflect(rater.held, 'is', 'are')} reserved for this rater. "
        "Committed labels stay.",
        small=True,
    )
    if not st.button(
        "Release them",
        key="lead-free",
        help="Other raters can then rate them. Remove the name from the plan as well.",
    ):
        return
    freed = free_reservations(reader_session.store(), reader_session.actor(study), study, rater.id)
    finish(
        f"{study.noun.count(freed)} that {inflect(freed, 'was', 'were')} reserved for {rater.name} "
        f"{inflect(freed, 'is', 'are')} free for others again."
        if freed
        else f"Nothing was reserved for {rater.name}."
    )


def _conflicts(study: Study, rater: RaterRow) -> None:
    untrusted_text.heading("Must not rate", 3)
    with reader_session.store().reading() as connection:
        rules = conflicts.rules(connection, rater.id)
        keys = units.conversation_keys(connection, sorted(rules.conversations))
        bars = {fact: conflict_rules.barred_now(connection, study.id, fact) for fact in sorted(rules.facts)}
        facts = conflict_rules.facts(connection, study.id)
    untrusted_text.paragraph(
        "Name the conversations that this rater must not rate, one by one or by a fact such as who spoke in "
        "them.",
        small=True,
    )
    if bars or keys:
        untrusted_text.table(
            "Not given to this rater",
            ["What", "Conversations now"],
            [[f"{name} is {value}", f"{number:,}"] for (name, value), number in bars.items()]
            + [[name, "1"] for _, name in keys],
            numeric=(1,),
        )
    left, middle, right = st.columns(3)
    named = left.text_input(
        f"Number of a {study.noun.singular}, or id of the conversation",
        key=field_key("conflict", "conflict-key"),
    )
    fact = (
        middle.selectbox(
            "or by a fact about conversations",
            [None, *facts],
            key=field_key("conflict", "conflict-fact"),
            format_func=lambda fact_name: fact_name or "none",
        )
        if facts
        else None
    )
    value = "" if fact is None else _value(right, fact, facts[fact])
    with st.container(horizontal=True):
        add, lift = (
            st.button("Bar", key="conflict-add"),
            st.button("Allow again", key="conflict-lift"),
        )
    if add or lift:
        _state(study, rater, named, fact, value or "", lift)


def _value(place: DeltaGenerator, fact: str, values: list[str] | None) -> str | None:
    """Show one field per fact, so that no other fact's value stays in it."""
    key = field_key("conflict", f"conflict-value-{fact}")
    if values is None:
        return place.text_input("and its value", key=key)
    return place.selectbox("and its value", values, index=None, key=key, placeholder="choose")


def _state(study: Study, rater: RaterRow, named: str, fact: str | None, value: str, lift: bool) -> None:
    try:
        change = state_conflict(
            reader_session.store(),
            reader_session.actor(study),
            study,
            rater.id,
            named,
            fact,
            value,
            lifted=lift,
        )
    except StoreError as error:
        untrusted_text.show_error(error)
        return
    what = named.strip() if fact is None else f"{fact} is {value.strip()}"
    if not change.changed:
        finish(
            f"Nothing was changed: {what} was {'not barred for' if lift else 'barred already for'} "
            f"{rater.name}.",
            "conflict",
        )
    finish(
        f"{'Allowed again' if lift else 'Barred'} for {rater.name}: {what} "
        f"({change.conversations:,} {inflect(change.conversations, 'conversation', 'conversations')} now).",
        "conflict",
    )


def _let_in(study: Study, rater: RaterRow) -> None:
    untrusted_text.heading("Certification", 3)
    with reader_session.store().reading() as connection:
        status = certification.certification_status(connection, study, rater.id)
    score = f"{status.same} of {status.labels} labels match the expert's" if status.labels else ""
    if status.let_in:
        untrusted_text.paragraph(
            f"Admitted by the study lead{f'; {score}' if score else ''}. Reason: "
            f"{status.reason or 'the text was erased'}"
        )
    elif status.certified:
        untrusted_text.paragraph(f"Certified{f': {score}' if score else ''}.")
    else:
        untrusted_text.paragraph(f"{score or 'Not certified yet'}.")
    if status.certified:
        return
    with st.form(field_key("let-in", "let-in-form"), border=False):
        reason = st.text_input(
            "Admit without certification because", key=field_key("let-in", "let-in-reason")
        )
        if not st.form_submit_button("Admit", key=field_key("let-in", "let-in")):
            return
    try:
        let_in(reader_session.store(), reader_session.actor(study), study, rater.id, reason)
    except StoreError as error:
        untrusted_text.show_error(error)
        return
    finish(f"{rater.name} was admitted.", "let-in")
