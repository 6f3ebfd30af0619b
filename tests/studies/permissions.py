"""Ask for a rater what they may see."""

from __future__ import annotations

from sqlalchemy import Connection

from data.access.permissions import Action, Person, may, read_rater
from data.record.studies import Study
from data.record.units import Unit


def sees_judge(connection: Connection, study: Study, rater_id: int, unit: Unit) -> bool:
    person = Person(read_rater(connection, study, rater_id))
    return bool(may(connection, person, Action.SEE_JUDGE, study, unit))
