"""What pages call a unit: by its conversation's id to a lead or analyst, and by its number to a rater."""

from __future__ import annotations

from collections.abc import Iterable

from data.access.permissions import Action, Person, may
from data.record.studies import Study
from data.record.unit_names import read_unit_names
from pages.widgets import reader_session


def name_units(study: Study, reader: Person | None, positions: Iterable[int]) -> dict[int, str]:
    """Return position in the study -> what this person knows the unit as."""
    wanted = list(positions)
    names = {position: study.unit_name(position) for position in wanted}
    if reader is None or reader.rater is not None:
        return names
    with reader_session.store().reading() as connection:
        if may(connection, reader, Action.SEE_LABELS_UNRECORDED, study):
            names |= read_unit_names(connection, study, wanted)
    return names


def name_unit(study: Study, position: int) -> str:
    """Return what the person of this tab knows a unit as."""
    return name_units(study, reader_session.reader(study), [position])[position]
