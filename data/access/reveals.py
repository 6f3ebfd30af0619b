"""Record that a person is shown the judges of a unit, before they are shown."""

from __future__ import annotations

from sqlalchemy import Connection

from data import schema
from data.access.permissions import Action, Person, read_rater, require
from data.labels.settlements import Trigger
from data.record import units
from data.record.studies import Study
from data.record.units import Unit
from data.store.trail import TrailEntry
from data.work import exposures

TO_SETTLE: dict[Trigger, Action] = {  # what is settled -> what its settler asks for
    "human_human": Action.SEE_JUDGE_AFTER_SETTLING,
    "human_judge": Action.SEE_JUDGE_TO_SETTLE,
    "escalation": Action.SEE_JUDGE_OF_NOTE,
}


def record_reveal(connection: Connection, entry: TrailEntry, study: Study, unit: Unit, rater_id: int) -> None:
    """Record that a rater is shown the judges of a unit of their list. Judges already shown to them are not
    recorded again.

    Raises NotPermitted where the rater may not see them yet.
    """
    person = Person(read_rater(connection, study, rater_id))
    require(connection, person, Action.SEE_JUDGE, study, unit)
    new = _record(connection, entry, unit, rater_id, "open" if study.review == "open" else "reveal")
    if new and units.state(connection, rater_id, unit.id) == "committed":
        units.set_state(connection, rater_id, unit, "compared")


def record_reveal_to_settler(
    connection: Connection, entry: TrailEntry, study: Study, unit: Unit, rater_id: int, trigger: Trigger
) -> None:
    """Record that somebody who settles labels of a unit, and never rates it, is shown its judges. It counts
    among the reveals that this person has seen.

    Raises NotPermitted where the settler may not see them, or not yet.
    """
    person = Person(read_rater(connection, study, rater_id))
    require(connection, person, TO_SETTLE[trigger], study, unit)
    _record(connection, entry, unit, rater_id, "reveal")


def _record(connection: Connection, entry: TrailEntry, unit: Unit, rater_id: int, kind: str) -> bool:
    """Return whether anything new was recorded."""
    unseen = exposures.unseen_judges(connection, unit, rater_id)
    if not unseen:
        return False
    first = not exposures.revealed(connection, rater_id, unit.id)
    entry.write_many(
        schema.exposure,
        [
            {"rater_id": rater_id, "unit_id": unit.id, "judge_id": judge_id, "kind": kind}
            for judge_id in unseen
        ],
    )
    if first:
        units.count_reveal(connection, rater_id)
    return True
