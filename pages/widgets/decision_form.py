"""The form that settles a label: the label that holds, why people differed, and the reason in words."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

import streamlit as st

from data.labels.settlements import BOTH_STAND, CAUSES, Trigger
from data.record.studies import Rater, Study
from data.record.units import Unit
from data.settling.adjudications import SettlementBasis, SettlementDecision
from data.store.errors import StoreError
from data.store.free_text import NOTE_LIMIT
from pages.widgets import reader_session, untrusted_text
from pages.widgets.page_scripts.decision_keys import listen_for_decision_keys
from scoring.instruments import Criterion
from services import settling

KEYS = {
    "confirmed": "F",
    "judge_error": "G",
    "rater_slip": "S",
    "rubric_ambiguous": "U",
    "context_missing": "M",
    "legitimate_difference": "D",
}


def decision_form(
    study: Study,
    unit: Unit,
    rater: Rater,
    criterion: Criterion,
    trigger: Trigger,
    seen: SettlementBasis,
    held: dict[str, Any],
    go_on: Callable[[], None],
    standing: str,
    button_words: str = "Settle",
) -> None:
    """Show the form. `held` keeps the choices so far; `go_on` is called once the settlement is saved. `seen`
    is what the page shows now; `standing` says whether the label can be a reference label.
    """
    asked = (trigger, unit.id, criterion.id)
    if held.get("asked") != asked:
        held.clear()
        held.update(asked=asked, event=str(uuid.uuid4()), label=None, cause=None)
    before, held["seen"] = held.get("seen", seen), seen
    with st.container(gap="xsmall", key="settle-decision"):  # stays in view under long answers
        levels = study.instrument.permitted(criterion)
        _choices(
            "Which label is right?",
            "label",
            {x.id: (x.name, x.key.upper()) for x in levels},
            held,
            held["cause"] == BOTH_STAND,
            {x.name: x.anchor for x in levels if x.anchor},
        )
        # The words of the buttons are saved and shown afterwards.
        causes = {
            name: (CAUSES[name], KEYS[name])
            for name in CAUSES
            if name != ("judge_error" if trigger == "human_human" else "confirmed")
        }
        _choices("Why this label?", "cause", causes, held, False, {})
        listen_for_decision_keys()
        with st.form(f"settle-{trigger}-{unit.id}-{criterion.id}", border=False):
            trouble = st.container()  # above the button, which stays in view
            left, right = st.columns([3, 2], gap="small")
            with left:
                reason = st.text_area(
                    "Reason (O to write)", max_chars=NOTE_LIMIT, height=68, key=f"reason-{held['event']}"
                )
            with right:
                note = st.text_area(
                    "Note on the rubric, if any",
                    max_chars=NOTE_LIMIT,
                    height=68,
                    key=f"rubric-note-{held['event']}",
                )
            with st.container(horizontal=True, gap="small", vertical_alignment="center"):
                pressed = st.form_submit_button(
                    button_words, type="primary", shortcut="Ctrl+Enter", key="settle", width="content"
                )
                untrusted_text.paragraph(standing, small=True)
    if pressed and held["cause"] is None:  # here, because only the form knows its causes
        trouble.error(untrusted_text.plain(f"Say why: {', '.join(words for words, _ in causes.values())}."))
    elif pressed:
        decision = SettlementDecision(
            criterion.id, held["label"], held["cause"] or "", reason or "", note or ""
        )
        with trouble:
            is_kept = _keep(study, unit, rater, held["event"], trigger, decision, before)
        if is_kept:
            held.clear()
            go_on()
            st.rerun()


def _choices(
    question: str,
    name: str,
    offered: dict[str, tuple[str, str]],
    held: dict[str, Any],
    closed: bool,
    anchors: dict[str, str],
) -> None:
    with st.container(horizontal=True, gap="xsmall", vertical_alignment="center"):
        untrusted_text.paragraph(question, small=True)
        for value, (words, key) in offered.items():
            chosen = held[name] == value and not closed
            st.button(
                ("✓ " if chosen else "") + untrusted_text.plain(words),
                key=f"{name}-{value}",
                shortcut=key,
                disabled=closed,
                type="primary" if chosen else "secondary",
                on_click=_choose,
                args=(held, name, value),
            )
        if anchors:
            with st.popover("What each label means", type="tertiary"):
                untrusted_text.table(
                    "Labels", ["Label", "Means"], [[name, anchor] for name, anchor in anchors.items()]
                )


def _choose(held: dict[str, Any], name: str, value: str) -> None:
    held[name] = value
    if name == "cause" and value == BOTH_STAND:
        held["label"] = None  # both readings are valid, so there is no label to settle


def _keep(
    study: Study,
    unit: Unit,
    rater: Rater,
    event: str,
    trigger: Trigger,
    decision: SettlementDecision,
    seen: SettlementBasis,
) -> bool:
    try:
        settling.settle(reader_session.store(), study, unit, rater, event, trigger, decision, seen)
    except StoreError as error:
        untrusted_text.show_error(error)
        return False
    return True
