"""Settling units on which labels differ, and answering notes to the study lead."""

from __future__ import annotations

from data.access import reveals
from data.labels.settlements import Trigger
from data.record.studies import Rater, Study
from data.record.units import Unit
from data.settling import adjudications, escalations, unit_openings
from data.settling.adjudications import SettlementBasis, SettlementDecision
from data.store.store import Store


def open_disagreement(store: Store, study: Study, unit: Unit, rater: Rater) -> None:
    """Record, before it opens, that a person opens a unit to settle its labels. They will never get it to
    rate. Raises Refused.
    """
    with store.writing(rater.name, "open a disagreement", study.id) as (connection, entry):
        unit_openings.open_unit(connection, entry, study, unit, rater.id)


def open_note(store: Store, study: Study, unit: Unit, rater: Rater) -> None:
    """Record that a person opens a unit to answer a note on it. Raises Refused, like `open_disagreement`."""
    with store.writing(rater.name, "open a note to the study lead", study.id) as (connection, entry):
        unit_openings.open_unit(connection, entry, study, unit, rater.id)


def answer_note(store: Store, study: Study, rater: Rater, note_id: int, event: str, words: str) -> None:
    """Save an answer to a note. The same event again changes nothing. Raise Refused if it can't be
    answered.
    """
    with store.writing(rater.name, "answer a note to the study lead", study.id) as (connection, entry):
        escalations.answer(connection, entry, study, note_id, rater.id, event, words)


def reveal_judge_to_settle(store: Store, study: Study, unit: Unit, rater: Rater, trigger: Trigger) -> None:
    """Record, before they are shown, that a settler sees the judges of a unit. Raises Refused."""
    with store.writing(rater.name, "reveal", study.id) as (connection, entry):
        reveals.record_reveal_to_settler(connection, entry, study, unit, rater.id, trigger)


def settle(
    store: Store,
    study: Study,
    unit: Unit,
    rater: Rater,
    event: str,
    trigger: Trigger,
    decision: SettlementDecision,
    basis: SettlementBasis,
) -> None:
    """Save the label that a person decided on. `basis`: what their screen showed. The same event again
    changes nothing. Raises Refused, also if the labels have changed since.
    """
    with store.writing(rater.name, "settle", study.id) as (connection, entry):
        adjudications.settle(connection, entry, study, unit, rater.id, event, trigger, decision, basis)
