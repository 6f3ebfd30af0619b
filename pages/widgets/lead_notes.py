"""Notes of raters to the study lead, to be read and answered by somebody with a name."""

from __future__ import annotations

import uuid

import streamlit as st

from data.access.permissions import Person, may
from data.access.reveals import TO_SETTLE
from data.labels import settlements
from data.record import units
from data.record.studies import Rater, Study
from data.record.units import Unit
from data.settling import adjudications, unit_openings
from data.settling.adjudications import SettlementBasis
from data.settling.anonymous_labels import anonymous_labels
from data.settling.escalations import KINDS, Escalation
from data.store.errors import StoreError
from data.store.free_text import NOTE_LIMIT
from data.work import rated_units
from pages.widgets import reader_session, untrusted_text
from pages.widgets.decision_form import decision_form
from pages.widgets.settle_card import judges_of, standing_of_decision, voice_of
from pages.widgets.settle_list.choices import ONLY_PUT_OFF, SHOW_AGAIN
from pages.widgets.unit_text import HEIGHT, unit_text
from scoring.instruments import Criterion
from scoring.transcripts import Message
from services import settling
from words.figures import moment


def lead_notes(study: Study, rater: Rater, escalations: list[Escalation]) -> None:
    """Show one note after another, the most urgent first."""
    passed: set[int] = st.session_state.setdefault(f"passed-notes-{study.id}-{rater.id}", set())
    left = [escalation for escalation in escalations if escalation.id not in passed]
    if not left:
        untrusted_text.paragraph(
            ONLY_PUT_OFF
            if escalations
            else "No notes are waiting for your answer. Notes on what you still have to rate are answered "
            "by somebody else."
        )
        if escalations:
            st.button(SHOW_AGAIN, key="passed-again", on_click=passed.clear)
        return
    escalation = left[0]
    with reader_session.store().reading() as connection:
        unit = units.get(connection, escalation.unit_id)
        messages = units.transcript(connection, unit)
        knows_labels = rated_units.has_rated(
            connection, unit, rater.id
        )  # a rater of the unit may answer, and sees no colleague's label by it
        opened = unit_openings.has_opened(connection, unit, rater.id)
        shows_judge = bool(may(connection, Person(rater), TO_SETTLE["escalation"], study, unit))
    criterion = next((c for c in unit.criteria(study) if c.id == escalation.criterion), None)
    if not knows_labels and not opened:
        untrusted_text.paragraph(
            f"The next note says: {KINDS[escalation.kind]}. To read it, open the {study.noun.singular} with "
            "colleagues' labels and, if they agree, the judge's. This is recorded, and you will never get "
            "it to rate."
        )
        st.button(
            "Open it",
            key="open-next",
            type="primary",
            shortcut="J",
            on_click=_open,
            args=(study, unit, rater),
        )
        return
    if shows_judge:  # record it before any judge label leaves the server
        settling.reveal_judge_to_settle(reader_session.store(), study, unit, rater, "escalation")
    left_side, right = st.columns([11, 9], gap="medium")
    with left_side:
        unit_text(study, unit, messages)
    with right, st.container(height=HEIGHT, border=False, gap="xsmall", key="note-card"):
        about = study.unit_name(unit.position) + (f", {criterion.name}" if criterion else "")
        untrusted_text.heading(f"{about}: {KINDS[escalation.kind]}", 3)
        untrusted_text.answers(
            [
                untrusted_text.Statement(
                    "A rater wrote",
                    "",
                    moment(escalation.at) + " UTC",
                    [escalation.note if escalation.note is not None else "(the text was erased)"],
                )
            ]
        )
        _answer(study, rater, escalation, passed)
        if not knows_labels:
            _labels(study, unit, rater, criterion, messages, shows_judge)


def _open(study: Study, unit: Unit, rater: Rater) -> None:
    try:
        settling.open_note(reader_session.store(), study, unit, rater)
    except StoreError as error:
        untrusted_text.show_error(error)


def _answer(study: Study, rater: Rater, escalation: Escalation, passed: set[int]) -> None:
    event = st.session_state.setdefault(f"answer-event-{escalation.id}-{rater.id}", str(uuid.uuid4()))
    with st.form(f"answer-{escalation.id}", border=False):
        note = st.text_area(
            "Your answer: what you did, or which rule applies",
            max_chars=NOTE_LIMIT,
            height=80,
            key=f"answer-note-{escalation.id}",
        )
        pressed = st.form_submit_button("Answer", type="primary", shortcut="Ctrl+Enter", key="answer")
    st.button(
        "Later",
        key="pass",
        type="tertiary",
        shortcut="Q",
        on_click=passed.add,
        args=(escalation.id,),
    )
    if not pressed:
        return
    try:
        settling.answer_note(reader_session.store(), study, rater, escalation.id, event, note or "")
    except StoreError as error:
        untrusted_text.show_error(error)
        return
    st.rerun()


def _labels(
    study: Study,
    unit: Unit,
    rater: Rater,
    criterion: Criterion | None,
    messages: list[Message] | None,
    shows_judge: bool,
) -> None:
    asked = [criterion] if criterion else list(unit.criteria(study))
    with reader_session.store().reading() as connection:
        labels = anonymous_labels(connection, study, unit)
    with st.expander("Labels given, and the form to settle one"):
        if not shows_judge:
            untrusted_text.paragraph(
                f"The judge's labels are hidden here: clinicians disagree about this {study.noun.singular}, "
                "and you settle that without seeing the judge's labels.",
                small=True,
            )
        for asked_criterion in asked:
            untrusted_text.heading(asked_criterion.name, 3)
            untrusted_text.answers(
                [
                    *(
                        voice_of(study, asked_criterion, voice, messages)
                        for voice in labels
                        if voice.criterion == asked_criterion.id
                    ),
                    *(judges_of(study, unit, rater, [asked_criterion.id]) if shows_judge else []),
                ]
            )
        chosen = (
            asked[0]
            if criterion
            else st.selectbox(
                "Settle the label for",
                [None, *asked],
                key="settle-which",
                format_func=lambda c: c.name if c else "nothing",
            )
        )
        if chosen is None:
            return
        with reader_session.store().reading() as connection:
            before = settlements.current(connection, unit.id, chosen.id)
            seen = SettlementBasis(
                before.id if before else None, adjudications.ratings_of(connection, study, unit, chosen.id)
            )
        held = st.session_state.setdefault(f"settling-note-{study.id}-{rater.id}", {})
        standing = standing_of_decision("escalation", None)
        decision_form(study, unit, rater, chosen, "escalation", seen, held, lambda: None, standing)
