"""Write the newest number of every metric of a study as a table: one row each, with the reason if there is
none.
"""

from __future__ import annotations

import csv
import json
from pathlib import Path

from sqlalchemy import Connection, select

from data import schema
from data.exporters.csv_cells import cell
from data.record import metrics
from data.record.studies import Study
from data.store.errors import Refused
from data.store.private_files import open_private

HEADER = (
    "metric",
    "variant",
    "version",
    "conversation",
    "unit",
    "message",
    "judge",
    "value",
    "undefined",
    "detail",
)


def write(connection: Connection, study: Study, path: Path) -> int:
    """Write the table as CSV in UTF-8; return how many numbers it holds.

    `unit`: its position in the study. `message`: from 1, for units that are a turn. `detail`: JSON. An empty
    `value` means no number, never 0; `undefined` says why. Raises Refused if nothing was computed; an
    existing file is not overwritten.
    """
    values = metrics.present(connection, study.id, judges=True)
    if not values:
        raise Refused("no_metric_yet", study=study.key)
    conversation, unit, judge = schema.conversation, schema.unit, schema.judge
    keys = {
        row.id: row.key
        for row in connection.execute(
            select(conversation.c.id, conversation.c.key).where(conversation.c.study_id == study.id)
        )
    }
    units = {
        row.id: row
        for row in connection.execute(
            select(unit.c.id, unit.c.position, unit.c.message, unit.c.conversation_id).where(
                unit.c.study_id == study.id
            )
        )
    }
    judges = {
        row.id: row.name
        for row in connection.execute(select(judge.c.id, judge.c.name).where(judge.c.study_id == study.id))
    }
    with open_private(path, "x", encoding="utf-8", newline="") as file:
        out = csv.writer(file)
        out.writerow(HEADER)
        for value in values:
            subject = value.subject
            of_unit = units.get(subject.unit_id) if subject.unit_id else None
            of_conversation = subject.conversation_id or (
                of_unit.conversation_id if of_unit is not None else None
            )
            out.writerow(
                [
                    value.metric,
                    value.variant,
                    value.version,
                    cell(keys.get(of_conversation, "")) if of_conversation else "",
                    of_unit.position if of_unit is not None else "",
                    of_unit.message + 1 if of_unit is not None and of_unit.message is not None else "",
                    cell(judges.get(subject.judge_id, "")) if subject.judge_id else "",
                    "" if value.value is None else repr(value.value),
                    cell(value.undefined or ""),
                    json.dumps(dict(value.detail), sort_keys=True, ensure_ascii=False),
                ]
            )
    return len(values)
