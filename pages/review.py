"""Review: rate a unit blind, commit it, and compare with the judge if the study shows it."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

import streamlit as st

from data.access.permissions import Action, Person, may
from data.record.studies import Rater, Study, unit_count
from data.store.errors import Notice, StoreError
from data.store.trail import now
from data.work import exposures, roles
from data.work.archive import is_touched
from data.work.next_unit import NoUnit
from data.work.worklist import open_worklist
from pages.widgets import reader_session, untrusted_text
from pages.widgets.address_number import number_in_address
from pages.widgets.content_note import content_note_seen
from pages.widgets.hints import choose_rating_hint
from pages.widgets.page_context import page_context
from pages.widgets.unit_report import unit_report
from pages.widgets.workbench.component import state, workbench
from pages.widgets.workbench.view import acknowledged, view
from pages.widgets.workbench.waiting_answers import save_waiting_answers
from pages.widgets.workbench.window_state import RatingWindow, rating_window
from reports.refusals import word_error, word_notice, word_reason
from services import rating_events
from services.rating import reveal_judge, take_unit
from services.rating_events import Outcome


def render() -> None:
    """Draw the Rate page."""
    arrived = page_context(rating=True)
    if arrived is None:
        return
    study, reader = arrived
    if not content_note_seen(study):
        return
    if reader.rater is None:
        unit_report(study)
        return
    with reader_session.store().reading() as connection:
        settles = roles.is_settler(connection, reader.rater.id)
    if settles:
        st.info(word_reason("settles_here"))
        untrusted_text.link("Settle", f"adjudication?study={study.key}&reader={reader.rater.id}")
        return
    window = rating_window(study.id, reader.rater.id)
    window.run = uuid.uuid4().hex
    archived = _find_archived(study, reader.rater)
    if nothing := archived or _take_first_unit(study, reader.rater):
        st.info(untrusted_text.plain(nothing))
        if archived:
            save_waiting_answers(study, reader.rater)
        return
    _follow_address(window)
    _workbench(study, reader.rater)


def _find_archived(study: Study, rater: Rater) -> str:
    """Return that the study is archived, or "" where the rater has something to finish: a unit that is open
    in this tab, or one that they have begun.
    """
    if not study.archived or rating_window(study.id, rater.id).last_view is not None:
        return ""
    with reader_session.store().reading() as connection:
        worklist = open_worklist(connection, study, rater.id)
        left = worklist.next_open() or exposures.first_to_compare(worklist)
    return "" if left else word_notice(Notice("study_archived"))


def _take_first_unit(study: Study, rater: Rater) -> str:
    """Give the rater a first unit if their list is empty. Return why they have none, or ""."""
    with reader_session.store().reading() as connection:
        if unit_count(connection, study.id) == 0:
            return "This study has nothing to rate yet. Import conversations on the Import page."
        if open_worklist(connection, study, rater.id).length:
            return ""
    taken = take_unit(reader_session.store(), study, rater)
    return word_notice(taken.notice) if isinstance(taken, NoUnit) else ""


def _follow_address(window: RatingWindow) -> None:
    """Turn to the unit of the address after a full run of the page: somebody opened an address or went back.

    Events of the workbench carry the address at which they were sent, which may be one unit behind, so the
    fragment ignores it.
    """
    if st.query_params.get("unit") != window.address:
        window.position = None


# After a restart of the server, Streamlit reruns a page only if it has a fragment that runs on a timer, or if
# a fragment answered last. Without either, a browser whose server ended before the first answer would wait
# for ever. So the workbench runs on a timer, rarely.
@st.fragment(run_every=timedelta(days=1))
def _workbench(study: Study, rater: Rater) -> None:
    store = reader_session.store()
    key = f"workbench-{study.id}-{rater.id}"
    window = rating_window(study.id, rater.id)
    sent = state(key)
    try:
        if window.position is None:
            window.position = _position(study, rater)
    except StoreError as error:
        if window.last_view is None:
            untrusted_text.show_error(error)
            return
    # Without a store the page stays at the unit that it shows.
    position = window.position or int(window.address or 1)
    outcome = rating_events.take(
        store, study, rater, list(sent.events or []), window.receipts, position, word_error
    )
    window.position = outcome.position
    if outcome.leave:
        reader_session.forget_person()
        st.rerun()
    try:
        data = _acknowledge(window, outcome, sent.want) or _show(study, rater, window, outcome, sent.want)
    except StoreError as error:
        if window.last_view is None:
            untrusted_text.show_error(error)
            return
        data = window.last_view
        outcome.trouble = outcome.trouble or word_error(error)
    workbench(
        key,
        {
            **data,
            "hint": choose_rating_hint(study, data),
            "session": window.run,
            "acked": outcome.acked,
            "refused": outcome.refused,
            "trouble": outcome.trouble,
            "now": now(),
            "focus": st.query_params.get("criterion"),
            "turn": number_in_address("turn") or 0,
        },
    )


def _position(study: Study, rater: Rater) -> int:
    """Return the position of the unit in the address, or else of the first unfinished one."""
    asked = number_in_address("unit")
    with reader_session.store().reading() as connection:
        worklist = open_worklist(connection, study, rater.id)
        opens = not study.archived or is_touched(connection, rater.id, asked or 0)
        if asked is not None and 1 <= asked <= worklist.length and opens:
            return asked
        listed = worklist.next_open()
        last = int(rating_window(study.id, rater.id).address or 1) if study.archived else 1
        compare = exposures.first_to_compare(worklist) or last
        if listed is not None or worklist.plan is None:
            return listed or compare
    taken = take_unit(reader_session.store(), study, rater)
    return taken if isinstance(taken, int) else compare


def _acknowledge(window: RatingWindow, outcome: Outcome, wanted: int | None) -> dict[str, Any] | None:
    """Return the last view with the saved answers, without the store. None if anything else changed."""
    if wanted or window.last_view is None or window.last_view_run != window.run:
        return None
    data = acknowledged(window.last_view, outcome.unit, outcome.answers)
    window.last_view = data or window.last_view
    return data


def _show(
    study: Study, rater: Rater, window: RatingWindow, outcome: Outcome, wanted: int | None
) -> dict[str, Any]:
    store = reader_session.store()
    with store.reading() as connection:
        worklist = open_worklist(connection, study, rater.id)
        unit = worklist.at(outcome.position) or worklist.at(1)
        assert unit is not None
        unseen = exposures.unseen_judges(connection, unit, rater.id)
        reveal = unseen and may(connection, Person(rater), Action.SEE_JUDGE, study, unit)
    if reveal:  # record it before any judge label leaves the server
        reveal_judge(store, study, unit, rater)
    if st.query_params.get("unit") != str(unit.position):
        st.query_params["unit"] = str(unit.position)
        for name in ("criterion", "turn"):
            st.query_params.pop(name, None)
    window.address = str(unit.position)
    with store.reading() as connection:
        worklist = open_worklist(connection, study, rater.id)
        send = unit.id not in window.sent_units or wanted == worklist.name_of(unit)
        data = view(worklist, unit, rater, with_transcript=send)
    window.sent_units.add(unit.id)
    window.last_view = {name: value for name, value in data.items() if name != "transcript"}
    window.last_view_run = window.run
    return data
