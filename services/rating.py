"""What happens around a rating: a unit is given, the judge is shown, the labels of the whole study are
opened.
"""

from __future__ import annotations

from data.record.studies import Rater, Study
from data.record.units import Unit
from data.store.store import Store
from data.work import assignment, exposures
from data.work.next_unit import NoUnit


def take_unit(store: Store, study: Study, rater: Rater) -> int | NoUnit:
    """The place, in the rater's list, of the unit they are to rate now, or why there is none. Raises Refused
    where the study has no plan.
    """
    with store.writing(rater.name, "take a unit", study.id) as (connection, entry):
        return assignment.take(connection, entry, study, rater)


def reveal_judge(store: Store, study: Study, unit: Unit, rater: Rater) -> None:
    """Record that the judges of a unit are shown to its rater, before anything of them leaves the server.
    Raises Refused where they may not be shown yet.
    """
    with store.writing(rater.name, "reveal", study.id) as (connection, entry):
        exposures.record_reveal(connection, entry, study, unit, rater.id)


def open_whole_study(store: Store, study: Study, rater: Rater) -> None:
    """Record that a rater opens the labels of the whole study, before they are shown."""
    with store.writing(rater.name, "open the labels of the whole study", study.id) as (connection, entry):
        exposures.record_page(connection, entry, rater.id)


def record_earlier_sight(store: Store, study: Study, rater: Rater) -> None:
    """Record that the labels of the whole study had been shown where this rater now sits."""
    action = "saw the judge's labels before taking this name"
    with store.writing(rater.name, action, study.id) as (connection, entry):
        exposures.record_page(connection, entry, rater.id)
