"""The raters, one by one: their link, conflicts of interest, what they hold, and being let in without
certification.
"""

from __future__ import annotations

import streamlit as st

from data import studies, units
from data.errors import StoreError
from data.studies import Rater, Study
from data.work import barring, certification, conflicts
from data.work import plan as plans
from pages.widgets import reader_session, untrusted_text
from pages.widgets.lead.flash_message import field_key, finish
from scoring.plurals import inflect
from services.raters import free_reservations, let_in, state_conflict


def show(study: Study) -> None:
    with reader_session.store().reading() as connection:
        people = [rater for rater in studies.raters(connection, study.id) if rater.kind == "person"]
        plan = plans.current(connection, study.id)
    if not people:
        st.info("Nobody has a name in this study yet. Add raters under Plan.")
        return
    untrusted_text.table(
        "Links to hand out; each opens that rater's own list",
        ["Rater", "Link"],
        [
            [
                rater.name,
                untrusted_text.Link(
                    f"{_address()}my_work?study={study.key}&reader={rater.id}",
                    f"my_work?study={study.key}&reader={rater.id}",
                ),
            ]
            for rater in people
        ],
    )
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
    untrusted_text.heading("Somebody leaves", 2)
    untrusted_text.paragraph(
        "What they have committed stays. What is kept for them goes back to the others; take their name out "
        "of the plan as well.",
        small=True,
    )
    if not st.button("Free what is kept for them", key="lead-free"):
        return
    count = free_reservations(reader_session.store(), reader_session.actor(study), study, rater.id)
    finish(
        f"{count} {inflect(count, 'unit', 'units')} kept for {rater.name} {inflect(count, 'is', 'are')} "
        "free for others again."
        if count
        else f"Nothing was kept for {rater.name}."
    )


def _conflicts(study: Study, rater: Rater) -> None:
    untrusted_text.heading("Conflicts of interest", 2)
    with reader_session.store().reading() as connection:
        rules = conflicts.rules(connection, rater.id)
        keys = units.conversation_keys(connection, sorted(rules.conversations))
        bars = {fact: barring.barred_now(connection, study.id, fact) for fact in sorted(rules.facts)}
        facts = barring.facts(connection, study.id)
    untrusted_text.paragraph(
        "Nobody rates their own: name the conversations that this rater must not be given, or a fact of "
        "conversations, such as the clinician "
        "who spoke in them.",
        small=True,
    )
    if bars or keys:
        untrusted_text.table(
            "Not given to this rater",
            ["What", "Conversations now"],
            [[f"{name} is {value}", f"{count:,}"] for (name, value), count in bars.items()]
            + [[name, "1"] for _, name in keys],
            numeric=(1,),
        )
    left, middle, right = st.columns(3)
    named = left.text_input(
        "Unit number, or the conversation's id", key=field_key("conflict", "conflict-key")
    )
    fact = middle.selectbox(
        "or a fact of conversations",
        [None, *facts],
        key=field_key("conflict", "conflict-fact"),
        format_func=lambda fact_name: fact_name or "none",
        disabled=not facts,
    )
    values = facts[fact] if fact is not None else []
    # A field of its own for each fact, so that no value of another one stays in it.
    its = field_key("conflict", f"conflict-value-{fact}")
    value = (
        right.text_input("and its value", key=its)
        if values is None
        else right.selectbox(
            "and its value", values, index=None, key=its, placeholder="choose", disabled=fact is None
        )
    )
    with st.container(horizontal=True):
        add, lift = (
            st.button("Do not give", key="conflict-add"),
            st.button("May be given again", key="conflict-lift"),
        )
    if add or lift:
        _state(study, rater, named, fact, value or "", lift)


def _state(study: Study, rater: Rater, named: str, fact: str | None, value: str, lift: bool) -> None:
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
        st.error(untrusted_text.plain(str(error)))
        return
    what = named.strip() if fact is None else f"{fact} is {value.strip()}"
    if not change.changed:
        finish(
            f"Nothing was changed: {what} was {'not barred for' if lift else 'barred already for'} "
            f"{rater.name}.",
            "conflict",
        )
    finish(
        f"{'May be given' if lift else 'Not given'} to {rater.name}{' again' if lift else ''}: {what} "
        f"({change.conversations:,} {inflect(change.conversations, 'conversation', 'conversations')} now).",
        "conflict",
    )


def _let_in(study: Study, rater: Rater) -> None:
    untrusted_text.heading("Certification", 2)
    with reader_session.store().reading() as connection:
        status = certification.certification_status(connection, study, rater.id)
    score = f"{status.same} of {status.labels} labels were the expert's" if status.labels else ""
    if status.let_in:
        untrusted_text.paragraph(
            f"Let in by the study lead{f'; {score}' if score else ''}. Why: "
            f"{status.reason or 'the words were erased'}"
        )
    elif status.certified:
        untrusted_text.paragraph(f"Certified{f': {score}' if score else ''}.")
    else:
        untrusted_text.paragraph(f"{score or 'Not certified yet'}.")
    if status.certified:
        return
    with st.form(field_key("let-in", "let-in-form"), border=False):
        reason = st.text_input("Let them in without it, because", key=field_key("let-in", "let-in-reason"))
        if not st.form_submit_button("Let them in", key=field_key("let-in", "let-in")):
            return
    try:
        let_in(reader_session.store(), reader_session.actor(study), study, rater.id, reason)
    except StoreError as error:
        st.error(untrusted_text.plain(str(error)))
        return
    finish(f"{rater.name} was let in.", "let-in")
