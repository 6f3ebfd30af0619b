"""Write every unit to be rated as a table, with why it was drawn and with what chance, for weighting."""

from __future__ import annotations

import csv
from pathlib import Path

from sqlalchemy import Connection, select

from data import schema
from data.exporters.csv_cells import cell
from data.record.studies import Study
from data.store.errors import Refused
from data.store.private_files import open_private
from data.work import draws

HEADER = (
    "unit",
    "conversation",
    "message",
    "draw",
    "why",
    "group",
    "chance",
    "place",
    "raters_wanted",
    "raters_taken",
)


def write(connection: Connection, study: Study, path: Path) -> int:
    """Write the table as CSV in UTF-8, in the order of the work; return the number of units.

    `chance` is empty if a person chose the unit. Raises Refused; an existing file is not overwritten.
    """
    inclusions = draws.chances(connection, study.id)
    if not inclusions:
        raise Refused("nothing_drawn_yet", study=study.key)
    unit, conversation, slot = schema.unit, schema.conversation, schema.slot
    rows = {
        row.id: row
        for row in connection.execute(
            select(
                unit.c.id,
                unit.c.position,
                unit.c.message,
                conversation.c.key,
                slot.c.wanted,
                slot.c.taken,
            )
            .join(conversation, conversation.c.id == unit.c.conversation_id)
            .outerjoin(slot, slot.c.unit_id == unit.c.id)
            .where(unit.c.study_id == study.id)
        )
    }
    with open_private(path, "x", encoding="utf-8", newline="") as file:
        out = csv.writer(file)
        out.writerow(HEADER)
        for unit_id, inclusion in inclusions.items():
            row = rows[unit_id]
            out.writerow(
                [
                    row.position,
                    cell(row.key),
                    "" if row.message is None else row.message + 1,
                    inclusion.draw,
                    inclusion.why,
                    cell(inclusion.stratum),
                    "" if inclusion.chance is None else repr(inclusion.chance),
                    inclusion.place,
                    row.wanted,
                    row.taken,
                ]
            )
    return len(inclusions)
