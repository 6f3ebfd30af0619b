"""Which judge, whose ratings, which conversations, and when: what the report is narrowed down to."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from datetime import date, timedelta
from typing import Any, TypeVar

import streamlit as st

from data import judgements, rationales, trail
from data.studies import Study
from pages.widgets import place
from runs.agreement.findings import Asked, Findings, gathered, narrowed
from scoring.agreement.material import Arm

ARMS: dict[str, Arm] = {"Given blind (the headline)": "blind", "Given after the judge had been seen": "shown", "Not known what had been seen": "unknown"}
KEPT = 2  # of the whole study, and as it is narrowed down; a million labels take a good part of a gigabyte
Made = TypeVar("Made")
AT_ONCE = 300  # conversations up to which the judge's quotations are looked up without being asked for


def filters(study: Study, lead: bool) -> Findings:
    """The choices, and what they select. `lead`: may see raters by name."""
    with place.store().reading() as connection:
        judges = judgements.judges(connection, study.id)
        head = trail.head(connection)
    left, right = st.columns([2, 1], vertical_alignment="bottom")
    judge = None
    if judges:
        with left:
            chosen = st.selectbox("Judge", range(len(judges)), index=len(judges) - 1, key="agreement-judge",
                                  format_func=lambda i: f"{judges[i].name}, {judges[i].identity.get('model', 'unknown')}")
            judge = judges[chosen]
    whole = _found(study, Asked(study, judge, tuple(one for one in judges if judge is None or one.id != judge.id)), head, pseudonyms=True, reasons=False)
    with right, st.popover("Only some of it"):
        narrowed, named, reasons = _narrowed(study, whole, lead)
    asked = Asked(study, judge, whole.asked.others, **narrowed)
    few = len(set(whole.material.units.conversation.tolist())) <= AT_ONCE
    return _found(study, asked, head, pseudonyms=not named, reasons=judge is not None and (few or reasons))


def _narrowed(study: Study, whole: Findings, lead: bool) -> tuple[dict[str, Any], bool, bool]:
    raters, conditions = [one for one in whole.names if one in whole.material.raters], list(whole.material.units.conditions)
    arm = ARMS[st.selectbox("Ratings", list(ARMS), key="agreement-arm")]
    rater = st.selectbox("Rater", [None, *raters], key="agreement-rater", format_func=lambda one: "everyone" if one is None else whole.names[one])
    condition = st.selectbox("Condition", [None, *conditions], key="agreement-condition",
                             format_func=lambda one: "all" if one is None else one) if conditions else None
    since = st.date_input("Rated from", None, key="agreement-since")
    until = st.date_input("Rated up to and including", None, key="agreement-until")
    named = lead and st.toggle("Raters by name", key="agreement-names")
    reasons = whole.asked.judge is not None and len(set(whole.material.units.conversation.tolist())) > AT_ONCE and st.toggle(
        "Look up what the judge quotes (reads every conversation)", key="agreement-reasons")
    return {"arm": arm, "rater": rater, "condition": condition, "since": since.isoformat() if isinstance(since, date) else "",
            "until": (until + timedelta(days=1)).isoformat() if isinstance(until, date) else ""}, named, reasons


def _found(study: Study, asked: Asked, head: int, *, pseudonyms: bool, reasons: bool) -> Findings:
    """Computed once for the same data and choices in this tab, and read once for all choices but judge and times: the number of the last trail
    entry tells whether anything was written since."""
    source = (study.id, asked.judge.id if asked.judge else None, asked.since, asked.until, head)

    def made() -> Findings:
        with place.store().reading() as connection:
            read = _kept("agreement-read", source, lambda: gathered(connection, asked))
            reasoned = rationales.reasoned(connection, study, asked.judge.id) if asked.judge and reasons else None
            return narrowed(read, asked, pseudonyms=pseudonyms, reasoned=reasoned)

    return _kept("agreement-found", (*source, asked.rater, asked.condition, asked.arm, pseudonyms, reasons), made)


def _kept(name: str, key: Hashable, make: Callable[[], Made]) -> Made:
    """What was made for a key in this tab; the last ones asked for."""
    kept: OrderedDict[Hashable, Made] = st.session_state.setdefault(name, OrderedDict())
    if key not in kept:
        kept[key] = make()
    kept.move_to_end(key)
    while len(kept) > KEPT:
        kept.popitem(last=False)
    return kept[key]
