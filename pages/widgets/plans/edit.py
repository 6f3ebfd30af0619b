"""Opening a plan, writing its next version, and reading the earlier ones."""

from __future__ import annotations

import hashlib
from typing import NoReturn

import streamlit as st

from data import target_plans
from data.errors import Refused, StoreError
from data.studies import Study
from data.target_plans import LONGEST, ConversationPlan, PlanVersion
from data.work import barring
from pages.widgets import reader_session, untrusted_text
from pages.widgets.lead.flash_message import field_key, finish
from pages.widgets.plans.words import whom
from scoring.figures import moment
from scoring.models.word_pieces import counted
from scoring.plurals import count
from services.study_changes import save_target_plan

FORM = "plan"
NEW, WANTED, REFUSED = "", "plans-wanted", "plans-refused"
LEVELS = {"study": "the whole study", "condition": "a condition", "conversation": "one conversation"}


def show(study: Study, plans: dict[str, list[PlanVersion]], conversations: list[ConversationPlan]) -> None:
    options, wanted = [*plans, NEW], st.session_state.get(WANTED)
    chosen = st.selectbox(
        "Plan",
        options,
        index=options.index(wanted) if wanted in options else 0,
        key=field_key(FORM, "plans-open"),
        format_func=lambda scope: f"for {whom(scope)}" if scope else "Write a new one",
    )
    if chosen:
        _open(study, str(chosen), plans[str(chosen)])
    else:
        _new(study, plans, conversations)


def _open(study: Study, scope: str, versions: list[PlanVersion]) -> None:
    present, named = versions[0], hashlib.sha256(scope.encode()).hexdigest()[:12]
    base_key = field_key(FORM, f"plan-base-{study.id}-{named}")
    base = st.session_state.setdefault(base_key, present.version)
    about = (
        f"Version {present.version}, saved {moment(present.at)} UTC by {present.by}, from: {present.source}."
    )
    untrusted_text.paragraph(
        f"{about} {'Its words were erased.' if present.text is None else _length(present.text)}", small=True
    )
    if base != present.version:
        _overtaken(present, base, base_key)
    text = st.text_area(
        "What the assistant should do",
        value=present.text or "",
        height=200,
        max_chars=LONGEST,
        key=field_key(FORM, f"plan-text-{study.id}-{named}"),
        persist_state="session",
    )
    _refused()
    if st.button("Save as a new version", key="plan-save", type="primary", shortcut="Ctrl+Enter"):
        _save(study, scope, text, base)
    if len(versions) > 1:
        with st.expander(f"Earlier versions ({len(versions) - 1})"):
            for version in versions[1:]:
                untrusted_text.heading(
                    f"Version {version.version}, {moment(version.at)} UTC, by {version.by}", 3
                )
                untrusted_text.paragraph(
                    version.text if version.text is not None else "Its words were erased."
                )


def _overtaken(present: PlanVersion, base: int, base_key: str) -> None:
    """Somebody else saved while this text was open: what was typed stays, and theirs is read first."""
    st.warning(
        untrusted_text.plain(
            f"Version {present.version} was saved by {present.by} in the meantime. The field below began "
            f"with version {base}. "
            f"Version {present.version} says:"
        )
    )
    untrusted_text.paragraph(present.text or "")
    with st.container(horizontal=True):
        if st.button("Drop mine and take theirs", key="plan-theirs"):
            finish(f"Version {present.version} stands in the field.", FORM)
        if st.button("I have read it: mine shall follow it", key="plan-follow"):
            st.session_state[base_key] = present.version
            st.rerun()


def _new(study: Study, plans: dict[str, list[PlanVersion]], conversations: list[ConversationPlan]) -> None:
    conditions = sorted(
        {conversation.condition for conversation in conversations if conversation.condition is not None}
    )
    levels = [level for level in LEVELS if level != "condition" or conditions]
    level = st.radio(
        "For",
        levels,
        format_func=LEVELS.__getitem__,
        horizontal=True,
        key=field_key(FORM, "plan-level"),
        help=None if conditions else "The conversations of this study name no condition.",
    )
    name: str | None = ""
    if level == "condition":
        name = st.selectbox(
            "Condition", conditions, index=None, placeholder="choose", key=field_key(FORM, "plan-condition")
        )
    elif level == "conversation":
        name = st.text_input(
            "Unit number, or the conversation's id", max_chars=200, key=field_key(FORM, "plan-conversation")
        )
    text = st.text_area(
        "What the assistant should do",
        height=200,
        max_chars=LONGEST,
        key=field_key(FORM, f"plan-new-{study.id}"),
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
    with reader_session.store().reading() as connection:
        number = barring.conversation_named(connection, study.id, typed)
        return target_plans.key_of(connection, number)


def _save(study: Study, scope: str, text: str, after: int) -> None:
    try:
        version = save_target_plan(
            reader_session.store(), reader_session.actor(study), study, scope, text, after
        )
    except StoreError as error:
        _refuse(error)
    st.session_state[WANTED] = scope
    if version is None:
        finish("Nothing was changed: the text is the present version.", FORM)
    finish(f"Saved as version {version}, for {whom(scope)}.", FORM)


def _refuse(error: StoreError) -> NoReturn:
    """Said with the page made anew, which then also shows what others have saved."""
    st.session_state[REFUSED] = str(error)
    st.rerun()


def _refused() -> None:
    said = st.session_state.pop(REFUSED, None)
    if said is not None:
        st.error(untrusted_text.plain(said))


def _length(text: str) -> str:
    words, pieces = len(text.split()), counted(text)
    length_words = count(words, "word", "words")
    if pieces is None:
        return f"{length_words}."
    if pieces.fits:
        return (
            f"{length_words}, {pieces.pieces:,} word pieces: the model reads it whole (at most "
            f"{pieces.window:,})."
        )
    return (
        f"{length_words}, {pieces.pieces:,} word pieces, and the model reads {pieces.window:,} at once: the "
        "published "
        'way ("beginning only") sees only the '
        "beginning of this plan; ours takes the mean of its parts. A shorter plan is compared more sharply."
    )
