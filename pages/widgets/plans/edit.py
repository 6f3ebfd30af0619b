"""A plan of care: a form for its next or first version, and the earlier ones to read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn
from urllib.parse import urlencode

import streamlit as st

from data.record.studies import Study
from data.record.target_plans import LONGEST, PlanVersion
from data.store.errors import StoreError
from pages.widgets import reader_session, untrusted_text
from pages.widgets.lead.flash_message import field_key, finish
from pages.widgets.plans.scopes import PlanScope
from pages.widgets.plans.words import whom
from reports.refusals import word_error
from scoring.models.word_pieces import counted
from services.study_changes import save_target_plan
from words.figures import moment
from words.plurals import count

FORM = "plan"
REFUSED = "plans-refused"


def show(study: Study, plan_scope: PlanScope, versions: Sequence[PlanVersion]) -> None:
    """Show the plan of a scope. `versions`: the newest first; empty without a plan."""
    present = versions[0] if versions else None
    scope, named = plan_scope.scope, plan_scope.address
    base_key = field_key(FORM, f"plan-base-{study.id}-{named}")
    base = st.session_state.setdefault(base_key, present.version if present else 0)
    untrusted_text.heading(whom(scope)[:1].upper() + whom(scope)[1:], 2)
    untrusted_text.paragraph(_about(plan_scope, present), small=True)
    if present is not None and base != present.version:
        _overtaken(present, base, base_key)
    text = st.text_area(
        "What the assistant should do",
        value=(present.text or "") if present else "",
        height=200,
        max_chars=LONGEST,
        key=field_key(FORM, f"plan-text-{study.id}-{named}"),
        persist_state="session",
        placeholder="Ask directly about safety. Recommend a GP appointment. Agree one small step and follow "
        "up next week.",
    )
    _refused()
    with st.container(horizontal=True, vertical_alignment="center"):
        save_words = "Save as a new version" if present else "Save the plan"
        pressed = st.button(save_words, key="plan-save", type="primary", shortcut="Ctrl+Enter")
        conversation = plan_scope.conversation
        if conversation is not None and conversation.position is not None:
            untrusted_text.link(
                "Read the conversation",
                f"review?{urlencode({'study': study.key, 'reader': 'lead', 'unit': conversation.position})}",
            )
    if pressed:
        _save(study, scope, text, base)
    if len(versions) > 1:
        with st.expander(f"Earlier versions ({len(versions) - 1})", type="compact"):
            for version in versions[1:]:
                untrusted_text.heading(
                    f"Version {version.version}, {moment(version.at)} UTC, by {version.by}", 3
                )
                untrusted_text.paragraph(version.text if version.text is not None else "Its text was erased.")


def _about(plan_scope: PlanScope, present: PlanVersion | None) -> str:
    if present is None:
        conversation = plan_scope.conversation
        if conversation is None or conversation.scope is None:
            return "No plan yet."
        return f"No plan of its own; the plan for {whom(conversation.scope)} applies."
    length = "Its text was erased." if present.text is None else _length(present.text)
    return (
        f"Version {present.version}, saved {moment(present.at)} UTC by {present.by}. "
        f"Source: {present.source}. {length}"
    )


def _overtaken(present: PlanVersion, base: int, base_key: str) -> None:
    """Show the version that somebody else saved meanwhile. The typed text stays."""
    st.warning(
        untrusted_text.plain(
            f"{present.by} saved version {present.version} in the meantime. Your text below started from "
            f"version {base}. This is version {present.version}:"
        )
    )
    untrusted_text.paragraph(present.text or "")
    with st.container(horizontal=True):
        if st.button("Discard my text and use theirs", key="plan-theirs"):
            finish(f"The field now has version {present.version}.", FORM)
        if st.button("I have read it: save my text as the next version", key="plan-follow"):
            st.session_state[base_key] = present.version
            st.rerun()


def _save(study: Study, scope: str, text: str, after: int) -> None:
    try:
        version = save_target_plan(
            reader_session.store(), reader_session.actor(study), study, scope, text, after
        )
    except StoreError as error:
        _refuse(error)
    if version is None:
        finish("Nothing was changed: this is the current version.", FORM)
    finish(f"Saved as version {version}, for {whom(scope)}.", FORM)


def _refuse(error: StoreError) -> NoReturn:
    """Redraw the page with the refusal; it then also shows what others saved."""
    st.session_state[REFUSED] = word_error(error)
    st.rerun()


def _refused() -> None:
    refusal = st.session_state.pop(REFUSED, None)
    if refusal is not None:
        st.error(untrusted_text.plain(refusal))


def _length(text: str) -> str:
    words, pieces = len(text.split()), counted(text)
    length_words = count(words, "word", "words")
    if pieces is None:
        return f"{length_words}."
    if pieces.fits:
        return (
            f"{length_words}, {pieces.pieces:,} word pieces. The model reads the whole plan (its limit is "
            f"{pieces.window:,} word pieces)."
        )
    return (
        f"{length_words}, {pieces.pieces:,} word pieces, but the model reads only {pieces.window:,} "
        'at once. The published method ("beginning only") sees only the beginning of this plan; ours '
        "averages its parts. A shorter plan gives a sharper comparison."
    )
