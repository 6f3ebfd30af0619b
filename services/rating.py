"""Steps around a rating: giving a unit, showing the judge, opening the labels of the whole study."""

from __future__ import annotations

from data.access import reveals
from data.record.studies import Rater, Study
from data.record.units import Unit
from data.store.store import Store
from data.work import assignment, exposures
from data.work.next_unit import NoUnit


def take_unit(store: Store, study: Study, rater: Rater) -> int | NoUnit:
    """Return the next unit's place in the rater's list, or why there is none. Raises Refused if planless."""
    with store.writing(rater.name, "take a unit", study.id) as (connection, entry):
        return assignment.take(connection, entry, study, rater)


def reveal_judge(store: Store, study: Study, unit: Unit, rater: Rater) -> None:
    """Record that a rater sees the judges of a unit, before their labels leave the server. Raises Refused if
    the rater may not see them yet.
    """
    with store.writing(rater.name, "reveal", study.id) as (connection, entry):
        reveals.record_reveal(connection, entry, study, unit, rater.id)


def open_whole_study(store: Store, study: Study, rater: Rater) -> None:
    """Record that a rater opens the labels of the whole study, before they are shown."""
    with store.writing(rater.name, "open the labels of the whole study", study.id) as (connection, entry):
        exposures.record_page(connection, entry, rater.id)


def record_earlier_sight(store: Store, study: Study, rater: Rater) -> None:
    """Record that this rater's browser had shown the labels of the whole study."""
    action = "saw the judge's labels before taking this name"
    with store.writing(rater.name, action, study.id) as (connection, entry):
        exposures.record_page(connection, entry, rater.id)
