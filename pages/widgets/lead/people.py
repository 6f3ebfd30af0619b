"""The raters, one by one: their link, conflicts of interest, what they hold, and being let in without
certification.
"""

from __future__ import annotations

import streamlit as st

from data import studies, units
from data.errors import StoreError
from data.studies import Rater, Study
from data.work import assignment, barring, certification, conflicts
from data.work import plan as plans
from pages.widgets import foreign, place
from pages.widgets.lead.done import done, key


def show(study: Study) -> None:
    with place.store().reading() as connection:
        people = [rater for rater in studies.raters(connection, study.id) if rater.kind == "person"]
        plan = plans.current(connection, study.id)
    if not people:
        st.info("Nobody has a name in this study yet. Add raters under Plan.")
        return
    foreign.table(
        "Links to hand out; each opens that rater's own list",
        ["Rater", "Link"],
        [
            [
                rater.name,
                foreign.Link(
                    f"{_address()}my-work?study={study.key}&reader={rater.id}",
                    f"my-work?study={study.key}&reader={rater.id}",
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
    foreign.heading("Somebody leaves", 2)
    foreign.paragraph(
        "What they have committed stays. What is kept for them goes back to the others; take their name out "
        "of the plan as well.",
        small=True,
    )
    if not st.button("Free what is kept for them", key="lead-free"):
        return
    with place.store().writing(place.actor(study), "free what a rater holds", study.id) as (
        connection,
        entry,
    ):
        count = assignment.free(connection, entry, study, rater.id)
    done(
        f"{count} {'unit' if count == 1 else 'units'} kept for {rater.name} {'is' if count == 1 else 'are'} "
        "free for others again."
        if count
        else f"Nothing was kept for {rater.name}."
    )


def _conflicts(study: Study, rater: Rater) -> None:
    foreign.heading("Conflicts of interest", 2)
    with place.store().reading() as connection:
        rules = conflicts.rules(connection, rater.id)
        keys = units.conversation_keys(connection, sorted(rules.conversations))
        bars = {fact: barring.barred_now(connection, study.id, fact) for fact in sorted(rules.facts)}
        facts = barring.facts(connection, study.id)
    foreign.paragraph(
        "Nobody rates their own: name the conversations that this rater must not be given, or a fact of "
        "conversations, such as the clinician "
        "who spoke in them.",
        small=True,
    )
    if bars or keys:
        foreign.table(
            "Not given to this rater",
            ["What", "Conversations now"],
            [[f"{name} is {value}", f"{count:,}"] for (name, value), count in bars.items()]
            + [[name, "1"] for _, name in keys],
            numeric=(1,),
        )
    left, middle, right = st.columns(3)
    named = left.text_input("Unit number, or the conversation's id", key=key("conflict", "conflict-key"))
    fact = middle.selectbox(
        "or a fact of conversations",
        [None, *facts],
        key=key("conflict", "conflict-fact"),
        format_func=lambda one: one or "none",
        disabled=not facts,
    )
    values = facts[fact] if fact is not None else []
    # A field of its own for each fact, so that no value of another one stays in it.
    its = key("conflict", f"conflict-value-{fact}")
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
        with place.store().writing(place.actor(study), "conflict of interest", study.id) as (
            connection,
            entry,
        ):
            before = conflicts.rules(connection, rater.id)
            conversation = barring.conversation_named(connection, study.id, named) if named.strip() else None
            conflicts.state(
                connection, entry, rater.id, conversation_id=conversation, fact=fact, value=value, lifted=lift
            )
            changed = conflicts.rules(connection, rater.id) != before
            count = 1 if fact is None else barring.barred_now(connection, study.id, (fact, value.strip()))
    except StoreError as error:
        st.error(foreign.plain(str(error)))
        return
    what = named.strip() if fact is None else f"{fact} is {value.strip()}"
    if not changed:
        done(
            f"Nothing was changed: {what} was {'not barred for' if lift else 'barred already for'} "
            f"{rater.name}.",
            "conflict",
        )
    done(
        f"{'May be given' if lift else 'Not given'} to {rater.name}{' again' if lift else ''}: {what} "
        f"({count:,} {'conversation' if count == 1 else 'conversations'} now).",
        "conflict",
    )


def _let_in(study: Study, rater: Rater) -> None:
    foreign.heading("Certification", 2)
    with place.store().reading() as connection:
        found = certification.standing(connection, study, rater.id)
    score = f"{found.same} of {found.labels} labels were the expert's" if found.labels else ""
    if found.let_in:
        foreign.paragraph(
            f"Let in by the study lead{f'; {score}' if score else ''}. Why: "
            f"{found.reason or 'the words were erased'}"
        )
    elif found.certified:
        foreign.paragraph(f"Certified{f': {score}' if score else ''}.")
    else:
        foreign.paragraph(f"{score or 'Not certified yet'}.")
    if found.certified:
        return
    with st.form(key("let-in", "let-in-form"), border=False):
        reason = st.text_input("Let them in without it, because", key=key("let-in", "let-in-reason"))
        if not st.form_submit_button("Let them in", key=key("let-in", "let-in")):
            return
    try:
        with place.store().writing(place.actor(study), "let a rater in", study.id) as (connection, entry):
            certification.grant(connection, entry, rater.id, reason)
    except StoreError as error:
        st.error(foreign.plain(str(error)))
        return
    done(f"{rater.name} was let in.", "let-in")
