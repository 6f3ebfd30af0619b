"""A study that goes on under a new version of its rubric: the units whose criteria are worded anew are rated
again.

Labels are never carried over: what was said of the old wording is not an answer to the new one. The words of
the conversations are the same rows of `content`, so that erasing them in one study erases them in both
(data/keeping/erase.py).
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, func, select

from configs.files.yaml_files import ConfigFileError, content_hash
from data import schema
from data.record import lineage, studies
from data.record.conversations import find_without_words
from data.record.known_words import copy_words
from data.record.studies import Study, StudySpec
from data.schema.vocabulary import UnitKind
from data.store.errors import Refused
from data.store.free_text import put_text
from data.store.trail import TrailEntry
from data.work import conflicts
from scoring.instrument_changes import InstrumentChanges, compare
from scoring.instruments import Instrument, parse_instrument


@dataclass(frozen=True)
class VersionProposal:
    """A new version as read: what differs, and the units to rate again by position. `forgotten`: units whose
    words were erased.
    """

    instrument: Instrument
    changes: InstrumentChanges
    unit_ids: tuple[int, ...]
    positions: tuple[int, ...]
    forgotten: int


@dataclass(frozen=True)
class StudyVersion:
    """A study and the version of its rubric."""

    study_id: int
    key: str
    title: str
    version: str


def body(connection: Connection, study: Study) -> str:
    """Return the text of the study's instrument, as it was registered."""
    table = schema.instrument
    return str(
        connection.execute(
            select(table.c.body)
            .join(schema.study, schema.study.c.instrument_id == table.c.id)
            .where(schema.study.c.id == study.id)
        ).scalar_one()
    )


def propose(connection: Connection, study: Study, new_body: str) -> VersionProposal:
    """Read a new version without keeping anything. Raises Refused where it cannot be read or is no new
    version of this rubric.
    """
    try:
        new = parse_instrument(new_body, "rubric")
    except ConfigFileError as error:
        raise Refused(str(error)) from None
    changes = compare(study.instrument, new)
    if changes.problems:
        raise Refused(" ".join(changes.problems))
    table = schema.instrument
    if connection.execute(
        select(table.c.id).where(
            table.c.key == new.key, table.c.version == new.version, table.c.sha256 != content_hash(new_body)
        )
    ).first():
        raise Refused("version_exists", version=new.version)
    rating, unit = schema.rating, schema.unit
    rated = (
        select(unit.c.id, unit.c.position, unit.c.conversation_id)
        .join(rating, rating.c.unit_id == unit.c.id)
        .where(unit.c.study_id == study.id, unit.c.kind == UnitKind.LISTED, rating.c.source != "rule")
    )
    # A new criterion, one that is asked after other answers now, and a changed scale of plans concern
    # whatever was rated at all.
    if not changes.added and not changes.asked_elsewhere and "*" not in changes.read_anew:
        rated = rated.where(rating.c.criterion.in_(changes.read_anew))
    rated_rows = (
        connection.execute(rated.distinct().order_by(unit.c.position)).all() if changes.read_anew else []
    )
    gone = find_without_words(connection, {row.conversation_id for row in rated_rows})
    remaining_rows = [row for row in rated_rows if row.conversation_id not in gone]
    return VersionProposal(
        new,
        changes,
        tuple(row.id for row in remaining_rows),
        tuple(row.position for row in remaining_rows),
        len(rated_rows) - len(remaining_rows),
    )


def begin(
    connection: Connection, entry: TrailEntry, study: Study, new_body: str, key: str, title: str, reason: str
) -> int:
    """Create the study that continues this one under `new_body`; return its id.

    It has the same settings and people, their conflicts of interest, the conversations of the units to rate
    again, those units from position 1 on, and their references; no label, judgement or plan of work.
    Creating the same one again, as a double click does, changes nothing.

    Raises:
        Refused: the text is no new version (`propose`), nothing is to rate again, or reason, title or key
            can't be used.
    """
    for version in continued_by(connection, study.id):
        if (version.key, version.title) == (key, title.strip()) and studies.instrument_sha256(
            connection, studies.get(connection, version.study_id)
        ) == content_hash(new_body):
            return version.study_id
    proposal = propose(connection, study, new_body)
    if not proposal.unit_ids:
        raise Refused("nothing_to_rate_again")
    if not reason.strip():
        raise Refused("rubric_change_needs_reason")
    if not title.strip():
        raise Refused("study_needs_title")
    taxonomy_id = connection.execute(
        select(schema.study.c.taxonomy_id).where(schema.study.c.id == study.id)
    ).scalar()
    study_id = studies.create(
        connection,
        entry,
        StudySpec(
            key,
            title.strip(),
            studies.register_instrument(connection, entry, new_body),
            taxonomy_id,
            study.description,
            study.data_class,
            study.review,
            study.reveal,
            study.batch_size,
            study.content_note,
            study.provenance,
            study.role_names,
        ),
    )
    people = {
        rater.id: entry.write(schema.rater, {"study_id": study_id, "name": rater.name, "kind": "person"})
        for rater in studies.raters(connection, study.id)
        if rater.kind == "person"
    }
    conversations = _copy_units(connection, entry, study.id, study_id, proposal.unit_ids)
    _copy_conflicts(connection, entry, people, conversations)
    _copy_references(connection, entry, study.id, study_id, conversations)
    reason_content, reason_mac = put_text(connection, "reason", reason, None)
    lineage.record_successor(connection, entry, study_id, study.id, reason_content, reason_mac)
    return study_id


def continues(connection: Connection, study_id: int) -> StudyVersion | None:
    """Return the study that this one continues; None if it continues none."""
    table = schema.successor
    of = connection.execute(select(table.c.of_study_id).where(table.c.study_id == study_id)).scalar()
    return _relation(connection, of) if of is not None else None


def continued_by(connection: Connection, study_id: int) -> list[StudyVersion]:
    """Return the studies that continue this one, earliest first."""
    table = schema.successor
    study_ids = (
        connection.execute(
            select(table.c.study_id).where(table.c.of_study_id == study_id).order_by(table.c.id)
        )
        .scalars()
        .all()
    )
    return [_relation(connection, row) for row in study_ids]


def _relation(connection: Connection, study_id: int) -> StudyVersion:
    study = studies.get(connection, study_id)
    return StudyVersion(study.id, study.key, study.title, study.instrument.version)


def _copy_units(
    connection: Connection, entry: TrailEntry, old: int, new: int, unit_ids: tuple[int, ...]
) -> dict[int, int]:
    """Returns old conversation -> new conversation."""
    unit, conversation = schema.unit, schema.conversation
    of_study = connection.execute(
        select(unit).where(unit.c.study_id == old, unit.c.kind == UnitKind.LISTED).order_by(unit.c.position)
    ).all()
    wanted = set(unit_ids)
    rows = [row for row in of_study if row.id in wanted]
    needed = {row.conversation_id for row in rows}
    talks = [
        row
        for row in connection.execute(
            select(conversation).where(conversation.c.study_id == old).order_by(conversation.c.position)
        )
        if row.id in needed
    ]
    columns = (
        "key",
        "messages",
        "turns",
        "facts_content",
        "facts_mac",
        "transcript_content",
        "transcript_mac",
    )
    new_ids = entry.write_many(
        conversation,
        [
            {**{name: row._mapping[name] for name in columns}, "study_id": new, "position": number}
            for number, row in enumerate(talks, start=1)
        ],
    )
    conversations = {row.id: new_id for row, new_id in zip(talks, new_ids, strict=True)}
    copy_words(connection, entry, conversations)
    entry.write_many(
        unit,
        [
            {
                "study_id": new,
                "conversation_id": conversations[row.conversation_id],
                "message": row.message,
                "kind": UnitKind.LISTED,
                "position": number,
                "criteria": row.criteria,
            }
            for number, row in enumerate(rows, start=1)
        ],
    )
    return conversations


def _copy_conflicts(
    connection: Connection, entry: TrailEntry, people: dict[int, int], conversations: dict[int, int]
) -> None:
    """Who must not rate their own must not do so here either. What was barred because they saw what was said
    of the old wording is free again: nothing was said yet of the new one.
    """
    for rater_id, new_id in people.items():
        held = conflicts.rules(connection, rater_id)
        for conversation_id in sorted(
            held.conversations & conversations.keys() - conflicts.seen_conversations(connection, rater_id)
        ):
            conflicts.state_conflict(
                connection, entry, new_id, conversation_id=conversations[conversation_id]
            )
        for fact, value in sorted(
            pair for pair in held.facts if pair[1]
        ):  # without its words a fact bars nothing that can be told
            conflicts.state_conflict(connection, entry, new_id, fact=fact, value=value)


def _copy_references(
    connection: Connection, entry: TrailEntry, old: int, new: int, conversations: dict[int, int]
) -> None:
    """The present gold steps, plans and entities of the study, of its conditions, and of the conversations
    that come along.
    """
    table = schema.reference
    newest = select(func.max(table.c.id)).where(table.c.study_id == old).group_by(table.c.kind, table.c.scope)
    rows = connection.execute(
        select(table)
        .join(schema.content, schema.content.c.id == table.c.body_content)
        .where(table.c.id.in_(newest), schema.content.c.text.is_not(None))
        .order_by(table.c.id)
    )
    columns = ("kind", "scope", "version", "body_content", "body_mac", "source")
    entry.write_many(
        table,
        [
            {
                **{name: row._mapping[name] for name in columns},
                "study_id": new,
                "conversation_id": conversations.get(row.conversation_id),
            }
            for row in rows
            if row.conversation_id is None or row.conversation_id in conversations
        ],
    )
