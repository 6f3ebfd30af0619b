"""Raters whose labels a study lead leaves out of the headline, and takes back: append-only, each time with a
name and a reason.

Nothing that they rated is changed. Every report prints the numbers with and without them.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, select

from data import schema
from data.record import studies
from data.record.adoptions import NAME_LIMIT
from data.record.rater_identities import person_with_same_labels, rater_identities
from data.record.studies import Study
from data.store import content
from data.store.errors import Refused
from data.store.free_text import check_text, put_text
from data.store.trail import TrailEntry

ERASED = "the reason was erased"


@dataclass(frozen=True)
class SetAside:
    """One step: `rater_id` set aside, or taken back where `back`."""

    rater_id: int
    back: bool
    by: str
    reason: str
    at: str


def set_rater_aside(
    connection: Connection,
    entry: TrailEntry,
    study: Study,
    rater_id: int,
    by: str,
    reason: str,
    *,
    back: bool = False,
) -> None:
    """Leave a rater's labels out of all headlines from now on, or with `back` include them again.

    Raise Refused without a name or a reason, for somebody of another study, for an imported rater who
    counts as a person, and if nothing would change.
    """
    people = {rater.id: rater.name for rater in studies.raters(connection, study.id)}
    if rater_id not in people:
        raise Refused("rater_elsewhere")
    person = rater_identities(connection, study.id).get(rater_id)
    if person is not None:
        raise Refused("counts_as_person", person=people[person])
    if not by.strip():
        raise Refused("name_of_who_counts")
    if not reason.strip():
        raise Refused("set_aside_needs_reason")
    check_text("name", by, NAME_LIMIT)
    check_text("reason", reason)
    if (rater_id in raters_set_aside(connection, study.id)) != back:
        raise Refused("rater_counts_already" if back else "set_aside_already")
    person_id = person_with_same_labels(connection, study, rater_id) if back else None
    if person_id is not None:
        raise Refused("person_counted_twice", person=people[person_id])
    reason_content, reason_mac = put_text(connection, "reason", reason, None)
    entry.write(
        schema.set_aside,
        {
            "rater_id": rater_id,
            "back": int(back),
            "decided_by": by.strip(),
            "reason_content": reason_content,
            "reason_mac": reason_mac,
        },
    )


def raters_set_aside(connection: Connection, study_id: int) -> dict[int, str]:
    """Return rater -> reason, for raters who are set aside now."""
    last = {step.rater_id: step for step in set_aside_history(connection, study_id)}
    return {rater: step.reason for rater, step in last.items() if not step.back}


def set_aside_history(connection: Connection, study_id: int) -> list[SetAside]:
    """Return every step, oldest first; an erased reason is replaced by a note."""
    table, rater = schema.set_aside, schema.rater
    rows = connection.execute(
        select(table)
        .join(rater, rater.c.id == table.c.rater_id)
        .where(rater.c.study_id == study_id)
        .order_by(table.c.id)
    ).all()
    reasons = content.get_many(connection, [row.reason_content for row in rows])
    return [
        SetAside(
            row.rater_id, bool(row.back), row.decided_by, reasons.get(row.reason_content) or ERASED, row.at
        )
        for row in rows
    ]
