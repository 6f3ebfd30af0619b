"""Trials: a model answers a frozen turn of a conversation again. Each trial is a conversation of a separate
study, so that it can be rated, judged and compared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, func, select, union

from data import schema
from data.importers.conversations import ConversationRow, add_all
from data.importers.persons import NOBODY, is_person_like
from data.importers.report import ImportReport
from data.record import conversations, studies
from data.record.conversations import Conversation
from data.record.fact_names import PERSON, plain_name
from data.record.studies import Study, StudySpec
from data.store.errors import NotFound, Refused
from data.store.trail import TrailEntry
from scoring.plan_alignment import parse_plan
from scoring.transcripts import Message, turn_numbers

_ALIKE = {"data_class": "data class", "instrument_id": "instrument", "taxonomy_id": "taxonomy"}


@dataclass(frozen=True)
class FrozenTurn:
    """The messages before the reply to a turn, counted from 1, without the plans that earlier replies
    declared.
    """

    source: Conversation
    turn: int
    messages: tuple[Message, ...]


@dataclass(frozen=True)
class TrialReply:
    """`number` counts from 1."""

    number: int
    attempt_id: int
    text: str


def freeze(connection: Connection, study: Study, key: str, turn: int | None = None) -> FrozenTurn:
    """Return the conversation up to the user's last message of a turn, by default the last turn. Raises
    NotFound or Refused.
    """
    table = schema.conversation
    conversation_id = connection.execute(
        select(table.c.id).where(table.c.study_id == study.id, table.c.key == key)
    ).scalar()
    if conversation_id is None:
        raise NotFound(f"The study {study.key} has no conversation {key!r}.")
    (source,) = conversations.read(connection, [conversation_id])
    if source.messages is None:
        raise Refused(f"The words of {key!r} were erased; there is nothing to answer.")
    numbers = turn_numbers([message.role for message in source.messages])
    last = max(numbers, default=0)
    wanted = last if turn is None else turn
    before = [
        message
        for message, number in zip(source.messages, numbers, strict=True)
        if number < wanted or (number == wanted and message.role != "assistant")
    ]
    if not 1 <= wanted <= last or not before or before[-1].role != "user":
        raise Refused(f"{key!r} has no user message to answer in turn {wanted}; it has {last} turns.")
    return FrozenTurn(source, wanted, tuple(_without_plan(message, study) for message in before))


def _without_plan(message: Message, study: Study) -> Message:
    if message.role != "assistant" or study.taxonomy is None:
        return message
    return Message(message.role, parse_plan(message.text, study.taxonomy).response)


def check_target(connection: Connection, source: Study, key: str) -> Study | None:
    """Return the study for trials of the source; None if it doesn't exist yet.

    Raises Refused if the study holds anything but trials, has another data class, instrument or taxonomy (the
    source's words must not be shown or rated differently there), or if the key is invalid.
    """
    study = studies.find(connection, key)
    if study is None:
        studies.check_key(key)
        return None
    table, trial, columns = schema.conversation, schema.trial, schema.study.c
    rows = connection.execute(select(schema.study).where(columns.id.in_([source.id, study.id]))).all()
    for name, kind in _ALIKE.items():
        if len({getattr(row, name) for row in rows}) > 1:
            raise Refused(
                f"The study {key} has a different {kind} from {source.key}; name another study with --into."
            )
    other = connection.execute(
        select(table.c.id).where(
            table.c.study_id == study.id, table.c.id.not_in(select(trial.c.conversation_id))
        )
    ).first()
    if other is not None:
        raise Refused(
            f"The study {key} holds conversations other than trials; name another study with --into."
        )
    return study


def study_of_trials(connection: Connection, entry: TrailEntry, source: Study, key: str, title: str) -> Study:
    """Return the study for trials of the source, created with the source's settings if needed. Raises Refused
    as `check_target` does.
    """
    study = check_target(connection, source, key)
    if study is not None:
        return study
    row = connection.execute(select(schema.study).where(schema.study.c.id == source.id)).one()
    spec = StudySpec(
        key,
        title,
        row.instrument_id,
        row.taxonomy_id,
        data_class=source.data_class,
        review=row.review,
        reveal=row.reveal,
        batch_size=row.batch_size,
        content_note=row.content_note,
        provenance=f"trials of {source.key}",
        role_names=source.role_names,
    )
    return studies.get(connection, studies.create(connection, entry, spec))


def add_trials(
    connection: Connection,
    entry: TrailEntry,
    study: Study,
    frozen: FrozenTurn,
    facts: Mapping[str, object],
    replies: Sequence[TrialReply],
) -> ImportReport:
    """Make a conversation of each reply that the study doesn't hold yet, and report those that can't be
    rated.

    New trials get the next free keys; trials that are there keep theirs.
    """
    report = ImportReport("trials")
    table, trial = schema.conversation, schema.trial
    taken = set(connection.execute(select(table.c.key).where(table.c.study_id == study.id)).scalars())
    present = set(
        connection.execute(
            select(trial.c.attempt_id)
            .join(table, table.c.id == trial.c.conversation_id)
            .where(table.c.study_id == study.id)
        ).scalars()
    )
    fresh = [reply for reply in replies if reply.attempt_id not in present]
    if not fresh:
        return report
    history = [(message.role, message.text) for message in frozen.messages]
    kept_facts = _without_person(frozen.source.facts)
    keys = _free_keys(taken, fresh)
    rows = [
        ConversationRow(
            reply.number,
            keys[reply.number],
            [*history, ("assistant", reply.text)],
            {
                **kept_facts,
                **facts,
                "trial": reply.number,
                "vignette": frozen.source.key,
                "turn": frozen.turn,
            },
        )
        for reply in fresh
    ]
    add_all(connection, entry, study, rows, report, NOBODY)
    report.raise_if_wrong()
    ids = dict(
        connection.execute(
            select(table.c.key, table.c.id).where(
                table.c.study_id == study.id, table.c.key.in_([row.key for row in rows])
            )
        ).all()
    )
    entry.write_many(
        schema.trial,
        [
            {
                "conversation_id": ids[keys[reply.number]],
                "source_id": frozen.source.id,
                "attempt_id": reply.attempt_id,
                "turn": frozen.turn,
                "number": reply.number,
            }
            for reply in fresh
        ],
    )
    return report


def _without_person(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the facts without those that name the person."""
    whose = conversations.person(dict(facts))
    return {
        name: value
        for name, value in facts.items()
        if plain_name(name) not in PERSON and not (is_person_like(name) and str(value).strip() == whose)
    }


def number_in(connection: Connection, study_id: int) -> int:
    """Return how many trials a study holds, including erased ones."""
    table = schema.conversation
    return connection.execute(
        select(func.count())
        .select_from(schema.trial)
        .join(table, table.c.id == schema.trial.c.conversation_id)
        .where(table.c.study_id == study_id)
    ).scalar_one()


def with_same_words(connection: Connection, conversation_ids: Sequence[int]) -> list[int]:
    """Return these conversations and all that hold their words: continued ones in other studies, trials of
    them, and so on.
    """
    table, trial = schema.conversation, schema.trial
    all_ids, waiting = list(conversation_ids), list(conversation_ids)
    while waiting:
        transcripts = select(table.c.transcript_content).where(table.c.id.in_(waiting))
        rows = connection.execute(
            union(
                select(table.c.id).where(table.c.transcript_content.in_(transcripts)),
                select(trial.c.conversation_id).where(trial.c.source_id.in_(waiting)),
            )
        ).scalars()
        waiting = [number for number in rows if number not in all_ids]
        all_ids += waiting
    return all_ids


def _free_keys(taken: set[str], replies: Sequence[TrialReply]) -> dict[int, str]:
    """Return the key of each trial by its number: its own number if that is free, otherwise the next free
    one.
    """
    keys: dict[int, str] = {}
    for reply in replies:
        number = reply.number
        while _key(number) in taken:
            number += 1
        keys[reply.number] = _key(number)
        taken.add(keys[reply.number])
    return keys


def _key(number: int) -> str:
    return f"trial_{number:02d}"
