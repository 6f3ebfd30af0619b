"""Opening a plan, writing its next version, and reading the earlier ones."""

from __future__ import annotations

import hashlib
from typing import NoReturn

import streamlit as st

from data import target_plans
from data.errors import Refused, StoreError
from data.studies import Study
from data.target_plans import LONGEST, Linked, PlanVersion
from data.work import barring
from pages.widgets import foreign, place
from pages.widgets.lead.done import done, key
from pages.widgets.plans.words import whom
from scoring.figures import moment
from scoring.models.word_pieces import counted

FORM = "plan"
NEW, WANTED, REFUSED = "", "plans-wanted", "plans-refused"
LEVELS = {"study": "the whole study", "condition": "a condition", "conversation": "one conversation"}


def show(study: Study, plans: dict[str, list[PlanVersion]], conversations: list[Linked]) -> None:
    options, wanted = [*plans, NEW], st.session_state.get(WANTED)
    chosen = st.selectbox(
        "Plan",
        options,
        index=options.index(wanted) if wanted in options else 0,
        key=key(FORM, "plans-open"),
        format_func=lambda scope: f"for {whom(scope)}" if scope else "Write a new one",
    )
    if chosen:
        _open(study, str(chosen), plans[str(chosen)])
    else:
        _new(study, plans, conversations)


def _open(study: Study, scope: str, found: list[PlanVersion]) -> None:
    present, named = found[0], hashlib.sha256(scope.encode()).hexdigest()[:12]
    base_key = key(FORM, f"plan-base-{study.id}-{named}")
    base = st.session_state.setdefault(base_key, present.version)
    about = (
        f"Version {present.version}, saved {moment(present.at)} UTC by {present.by}, from: {present.source}."
    )
    foreign.paragraph(
        f"{about} {'Its words were erased.' if present.text is None else _length(present.text)}", small=True
    )
    if base != present.version:
        _overtaken(present, base, base_key)
    text = st.text_area(
        "What the assistant should do",
        value=present.text or "",
        height=200,
        max_chars=LONGEST,
        key=key(FORM, f"plan-text-{study.id}-{named}"),
        persist_state="session",
    )
    _refused()
    if st.button("Save as a new version", key="plan-save", type="primary", shortcut="Ctrl+Enter"):
        _save(study, scope, text, base)
    if len(found) > 1:
        with st.expander(f"Earlier versions ({len(found) - 1})"):
            for one in found[1:]:
                foreign.heading(f"Version {one.version}, {moment(one.at)} UTC, by {one.by}", 3)
                foreign.paragraph(one.text if one.text is not None else "Its words were erased.")


def _overtaken(present: PlanVersion, base: int, base_key: str) -> None:
    """Somebody else saved while this text was open: what was typed stays, and theirs is read first."""
    st.warning(
        foreign.plain(
            f"Version {present.version} was saved by {present.by} in the meantime. The field below began "
            f"with version {base}. "
            f"Version {present.version} says:"
        )
    )
    foreign.paragraph(present.text or "")
    with st.container(horizontal=True):
        if st.button("Drop mine and take theirs", key="plan-theirs"):
            done(f"Version {present.version} stands in the field.", FORM)
        if st.button("I have read it: mine shall follow it", key="plan-follow"):
            st.session_state[base_key] = present.version
            st.rerun()


def _new(study: Study, plans: dict[str, list[PlanVersion]], conversations: list[Linked]) -> None:
    conditions = sorted({one.condition for one in conversations if one.condition is not None})
    levels = [level for level in LEVELS if level != "condition" or conditions]
    level = st.radio(
        "For",
        levels,
        format_func=LEVELS.__getitem__,
        horizontal=True,
        key=key(FORM, "plan-level"),
        help=None if conditions else "The conversations of this study name no condition.",
    )
    name: str | None = ""
    if level == "condition":
        name = st.selectbox(
            "Condition", conditions, index=None, placeholder="choose", key=key(FORM, "plan-condition")
        )
    elif level == "conversation":
        name = st.text_input(
            "Unit number, or the conversation's id", max_chars=200, key=key(FORM, "plan-conversation")
        )
    text = st.text_area(
        "What the assistant should do",
        height=200,
        max_chars=LONGEST,
        key=key(FORM, f"plan-new-{study.id}"),
        persist_state="session",
        placeholder="Ask directly about safety. Recommend a GP appointment. Agree one small step and follow "
        "up next week.",
    )
    _refused()
    if not st.button("Save the plan", key="plan-save", type="primary", shortcut="Ctrl+Enter"):
        return
    try:
        scope = target_plans.scope_of(str(level), _name(study, str(level), name))
        if scope in plans:
            raise Refused("There is a plan for that already. Open it above to write its next version.")
    except StoreError as error:
        _refuse(error)
    _save(study, scope, text, 0)


def _name(study: Study, level: str, typed: str | None) -> str:
    """The condition or the conversation's id. Raises StoreError where none is named."""
    if level == "study":
        return ""
    if not typed or not typed.strip():
        raise Refused(f"Name the {level} first.")
    if level == "condition":
        return typed
    with place.store().reading() as connection:
        number = barring.conversation_named(connection, study.id, typed)
        return target_plans.key_of(connection, number)


def _save(study: Study, scope: str, text: str, after: int) -> None:
    try:
        with place.store().writing(place.actor(study), "write a target plan", study.id) as (
            connection,
            entry,
        ):
            made = target_plans.save(connection, entry, study, scope, text, after)
    except StoreError as error:
        _refuse(error)
    st.session_state[WANTED] = scope
    if made is None:
        done("Nothing was changed: the text is the present version.", FORM)
    done(f"Saved as version {made}, for {whom(scope)}.", FORM)


def _refuse(error: StoreError) -> NoReturn:
    """Said with the page made anew, which then also shows what others have saved."""
    st.session_state[REFUSED] = str(error)
    st.rerun()


def _refused() -> None:
    said = st.session_state.pop(REFUSED, None)
    if said is not None:
        st.error(foreign.plain(said))


def _length(text: str) -> str:
    words, found = len(text.split()), counted(text)
    said = f"{words:,} {'word' if words == 1 else 'words'}"
    if found is None:
        return f"{said}."
    if found.fits:
        return f"{said}, {found.pieces:,} word pieces: the model reads it whole (at most {found.window:,})."
    return (
        f"{said}, {found.pieces:,} word pieces, and the model reads {found.window:,} at once: the published "
        'way ("beginning only") sees only the '
        "beginning of this plan; ours takes the mean of its parts. A shorter plan is compared more sharply."
    )
