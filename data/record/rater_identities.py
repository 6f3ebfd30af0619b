"""Imported raters who are a rater of the study, as a study lead confirmed.

Their labels stay under the imported name, so that a file never adds to what somebody rated here. Where
agreement is computed, both are one person, and where both labelled the same, the label that was given here
counts.
"""

from __future__ import annotations

from sqlalchemy import Connection, exists, select

from data import schema
from data.record import studies
from data.record.studies import Study, name_key
from data.store import content
from data.store.errors import Refused
from data.store.trail import TrailEntry

IMPORTED, FROM_A_FILE = " (imported)", " (from a file)"
_LONGEST_NAME = 80


def name_apart(name: str, same: bool) -> str | None:
    """Return the name for labels of a file whose rater has the same name as a person: "Ann (from a file)".

    "Ann (imported)" if `same`, because both are the same person. None if the name would be longer than 80
    characters, because two people could get one.
    """
    kept = f"{name}{IMPORTED if same else FROM_A_FILE}"
    return kept if len(kept) <= _LONGEST_NAME else None


def is_apart(name: str) -> bool:
    """Tell whether a name has the form that `name_apart` makes."""
    return name_key(name).endswith((name_key(IMPORTED), name_key(FROM_A_FILE)))


def confirm_identity(
    connection: Connection,
    entry: TrailEntry,
    study: Study,
    rater_id: int,
    person_id: int,
    confirmed_by: str,
    source: str,
) -> None:
    """Record that an imported rater is a person of the study. Stating it twice changes nothing.

    Raise Refused without a source, for others than an imported rater and a person of this study, and if the
    rater is confirmed as somebody else.
    """
    kinds = {rater.id: rater.kind for rater in studies.raters(connection, study.id)}
    if kinds.get(rater_id) != "imported" or kinds.get(person_id) != "person":
        raise Refused("not_same_kind_of_rater")
    if not source.strip():
        raise Refused("identity_needs_source")
    confirmed_person = rater_identities(connection, study.id).get(rater_id)
    if confirmed_person == person_id:
        return
    if confirmed_person is not None:
        raise Refused("identity_taken")
    source_content, source_mac = content.put(connection, source.strip(), None)
    entry.write(
        schema.rater_identity,
        {
            "rater_id": rater_id,
            "person_id": person_id,
            "confirmed_by": confirmed_by,
            "source_content": source_content,
            "source_mac": source_mac,
        },
    )


def rater_identities(connection: Connection, study_id: int) -> dict[int, int]:
    """Return imported rater -> the person of the study who they are confirmed to be."""
    table, rater = schema.rater_identity, schema.rater
    rows = connection.execute(
        select(table.c.rater_id, table.c.person_id)
        .join(rater, rater.c.id == table.c.rater_id)
        .where(rater.c.study_id == study_id)
    )
    return {row.rater_id: row.person_id for row in rows}


def rater_ids_of_person(connection: Connection, person_id: int) -> list[int]:
    """Return the person's id, then those of imported raters confirmed to be the same."""
    table = schema.rater_identity
    return [
        person_id,
        *connection.execute(select(table.c.rater_id).where(table.c.person_id == person_id)).scalars(),
    ]


def person_with_same_labels(connection: Connection, study: Study, rater_id: int) -> int | None:
    """Return the person under whom labels of this imported rater were imported again, or None.

    That is a person confirmed later for a second imported rater with at least one label of the same unit
    and criterion.
    """
    names = {rater.id: rater.name for rater in studies.raters(connection, study.id)}
    first, again = schema.rating.alias(), schema.rating.alias()
    for imported_id, person_id in rater_identities(connection, study.id).items():
        if name_key(names[rater_id]) != name_key(f"{names[person_id]}{FROM_A_FILE}"):
            continue
        both = exists().where(
            first.c.rater_id == rater_id,
            again.c.rater_id == imported_id,
            first.c.unit_id == again.c.unit_id,
            first.c.criterion == again.c.criterion,
        )
        if connection.execute(select(both)).scalar():
            return person_id
    return None
