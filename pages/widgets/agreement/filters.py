"""The filters of the report: judge, raters, conversations and dates."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date, timedelta
from functools import partial
from hashlib import sha256
from typing import Any, TypeVar

import streamlit as st

from data.labels import rationales
from data.record import adoptions, judgements
from data.record.judgements import Judge
from data.record.studies import Study
from data.store.study_heads import StudyHead
from pages.widgets import reader_session
from pages.widgets.agreement.address import FIRST_DAY, LAST_DAY, Address, chosen, day
from pages.widgets.agreement.exports import show_exports
from pages.widgets.memo import memoize, study_head
from reports.agreement.agreement_data import gather_findings, narrow_findings, read_agreement_data
from reports.agreement.findings import Findings, ReportRequest
from scoring.agreement.labels.label_data import Arm

ARMS: dict[str, Arm] = {
    "Given blind (the headline)": "blind",
    "Given after seeing the judge's labels": "shown",
    "It is unknown what the rater had seen": "unknown",
}
Made = TypeVar("Made")
EVERYONE = 0  # no rater has this id; None would leave the list without a choice
MAX_CONVERSATIONS_LOOKED_UP = 3_000  # number of units up to which quotations are looked up unasked


def filters(study: Study, lead: bool, address: Address) -> Findings:
    """Show the filters and return what they select. `lead`: a study lead may see raters by name."""
    judges, first, head = _judges(study)
    row = st.container(horizontal=True, horizontal_alignment="right", vertical_alignment="bottom")
    with row:
        judge = _judge(judges, first, address)
    whole = _whole(study, judges, judge, head)
    with row, st.popover("Narrow"):
        narrowed, named, reasons = _narrowed(whole, lead, address)
    asked = ReportRequest(study, judge, whole.asked.others, **narrowed)
    few = len(set(whole.material.units.conversation.tolist())) <= MAX_CONVERSATIONS_LOOKED_UP
    with_reasons = judge is not None and (few or reasons)
    findings = _found(study, asked, head, pseudonyms=not named, reasons=with_reasons)
    with row, st.popover("Export"):
        show_exports(
            study,
            findings,
            partial(gather_findings, asked=asked, pseudonyms=not named, reasons=with_reasons),
        )
    return findings


def whole_study_findings(study: Study) -> Findings:
    """Return the findings on all blind ratings and the judge in use: the Agreement page without filters."""
    judges, first, head = _judges(study)
    return _whole(study, judges, judges[first] if judges else None, head)


def _judges(study: Study) -> tuple[list[Judge], int, StudyHead]:
    """Return all judges, the index of the one in use, and the head of the study."""
    with reader_session.store().reading() as connection:
        judges = judgements.judges(connection, study.id)
        return (
            judges,
            adoptions.default_judge(connection, study.id, judges),
            study_head(connection, study),
        )


def _whole(study: Study, judges: Sequence[Judge], judge: Judge | None, head: StudyHead) -> Findings:
    others = tuple(other for other in judges if judge is None or other.id != judge.id)
    return _found(study, ReportRequest(study, judge, others), head, pseudonyms=True, reasons=False)


def _judge(judges: Sequence[Judge], first: int, address: Address) -> Judge | None:
    address.before(
        "judge",
        "agreement-judge",
        {str(judge.id): number for number, judge in enumerate(judges)}.get,
        first,
        "a judge that this study does not have",
        lambda: judges[first].name if judges else "how far clinicians agree",
    )
    if not judges:
        st.session_state.pop("agreement-judge")
        return None
    number = st.selectbox(
        "Judge",
        range(len(judges)),
        key="agreement-judge",
        on_change=chosen,
        format_func=lambda i: judges[i].title,
    )
    address.keep("judge", str(judges[number].id) if number != first else "")
    return judges[number]


def _narrowed(whole: Findings, lead: bool, address: Address) -> tuple[dict[str, Any], bool, bool]:
    arm = _arm(address)
    # A control keeps its data in the tab, so don't give it the whole study.
    names = whole.names
    # A rater's code never changes and reveals no name.
    codes = {
        rater_id: names[rater_id].removeprefix("Rater ")
        for rater_id in names
        if rater_id in whole.everyone.raters
    }
    rater = _one_of(
        "rater",
        "Rater",
        {EVERYONE: "", **codes},
        lambda rater_id: names[rater_id] if rater_id else "everyone",
        "a rater who has no labels here",
        address,
    )
    # Facts of conversations can be erased, but an address stays in a browser's history. So the address holds
    # a number made from the condition's name.
    conditions = {
        "": "",
        **{
            condition_name: sha256(condition_name.encode("utf-8", "surrogatepass")).hexdigest()[:8]
            for condition_name in whole.material.units.conditions
        },
    }
    condition = _one_of(
        "condition",
        "Condition",
        conditions,
        lambda condition_name: condition_name or "all",
        "a condition that this study does not have",
        address,
    )
    since, until = (
        _day("since", "Rated from", address),
        _day("until", "Rated until (this day included)", address),
    )
    named = lead and st.toggle("Raters by name", key="agreement-names", on_change=chosen)
    reasons = (
        whole.asked.judge is not None
        and len(set(whole.material.units.conversation.tolist())) > MAX_CONVERSATIONS_LOOKED_UP
        and st.toggle(
            "Look up what the judge quotes (takes a moment)",
            key="agreement-reasons",
            on_change=chosen,
        )
    )
    return (
        {
            "arm": arm,
            "rater": rater or None,
            "condition": condition or None,
            "since": since.isoformat() if since else "",
            "until": (until + timedelta(days=1)).isoformat() if until else "",
        },
        named,
        reasons,
    )


def _arm(address: Address) -> Arm:
    words = {arm: words_of_arm for words_of_arm, arm in ARMS.items()}
    address.before(
        "ratings",
        "agreement-arm",
        {str(arm): words_of_arm for arm, words_of_arm in words.items()}.get,
        words["blind"],
        "an unknown kind of ratings",
        lambda: "ratings given blind",
    )
    arm = ARMS[st.selectbox("Ratings", list(ARMS), key="agreement-arm", on_change=chosen)]
    address.keep("ratings", arm if arm != "blind" else "")
    return arm


def _one_of(
    name: str,
    title: str,
    choices: Mapping[Made, str],
    called: Callable[[Made], str],
    asked_for: str,
    address: Address,
) -> Made:
    """Ask for one of `choices`. Their values are written to the address; the first is the default."""
    default, key = next(iter(choices)), f"agreement-{name}"
    address.before(
        name,
        key,
        {label: value for value, label in choices.items()}.get,
        default,
        asked_for,
        lambda: called(default),
    )
    if len(choices) == 1 and name == "condition":  # nothing to choose from
        st.session_state.pop(key)
        return default
    choice = st.selectbox(title, list(choices), key=key, format_func=called, on_change=chosen)
    address.keep(name, choices[choice])
    return choice


def _day(name: str, title: str, address: Address) -> date | None:
    address.before(name, f"agreement-{name}", day, None, "an unreadable date", lambda: "any time")
    found = st.date_input(title, None, FIRST_DAY, LAST_DAY, key=f"agreement-{name}", on_change=chosen)
    found = found if isinstance(found, date) else None
    address.keep(name, found.isoformat() if found else "")
    return found


def _found(
    study: Study, asked: ReportRequest, head: StudyHead, *, pseudonyms: bool, reasons: bool
) -> Findings:
    """Compute the findings once for the same data and choices, and read the labels once for all choices but
    judge and dates. The head of the study tells whether anything was written since.
    """
    source = (study.id, asked.judge.id if asked.judge else None, asked.since, asked.until)

    def compute() -> Findings:
        with reader_session.store().reading() as connection:
            # Read one state of the store, which may be later than that of the controls.
            now = study_head(connection, study)
            read = memoize("agreement-read", source, now, lambda: read_agreement_data(connection, asked))
            given = (
                rationales.read_reasons(connection, study, asked.judge.id)
                if asked.judge and reasons
                else None
            )
            return narrow_findings(read, asked, pseudonyms=pseudonyms, reasons=given)

    return memoize(
        "agreement-found",
        (*source, asked.rater, asked.condition, asked.arm, pseudonyms, reasons),
        head,
        compute,
    )
