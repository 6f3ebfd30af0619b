"""Trials: a frozen turn of a conversation, answered again by a model. Each is a conversation of a study of
its own, so that it can be rated, judged and compared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, select

from data import conversations, schema, studies
from data.conversations import PERSON, Conversation
from data.errors import NotFound, Refused
from data.importers.conversations import ConversationRow, add_all
from data.importers.persons import NOBODY
from data.importers.report import ImportReport
from data.studies import Study, StudySpec
from data.trail import TrailEntry
from scoring.plan_alignment import parse_plan
from scoring.transcripts import Message, turn_numbers


@dataclass(frozen=True)
class FrozenTurn:
    """What stood before the reply to a turn, from 1; without the plans that earlier replies declared."""

    source: Conversation
    turn: int
    messages: tuple[Message, ...]


@dataclass(frozen=True)
class TrialReply:
    """`number` from 1."""

    number: int
    request_attempt_id: int
    text: str


def freeze(connection: Connection, study: Study, key: str, turn: int | None = None) -> FrozenTurn:
    """The conversation up to the user's last message of a turn; the last turn by default. Raises NotFound,
    Refused.
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
        raise Refused(f"{key!r} has no message of the user to answer in turn {wanted}; it has {last} turns.")
    return FrozenTurn(source, wanted, tuple(_without_plan(message, study) for message in before))


def _without_plan(message: Message, study: Study) -> Message:
    if message.role != "assistant" or study.taxonomy is None:
        return message
    return Message(message.role, parse_plan(message.text, study.taxonomy).response)


def study_of_trials(connection: Connection, entry: TrailEntry, source: Study, key: str, title: str) -> Study:
    """The study that the trials go into: made like the source, for the same eyes and the same judges, or the
    one that is there. Raises Refused for a study that holds anything else than trials.
    """
    study = studies.find(connection, key)
    if study is not None:
        table, trial = schema.conversation, schema.trial
        other = connection.execute(
            select(table.c.id).where(
                table.c.study_id == study.id, table.c.id.not_in(select(trial.c.conversation_id))
            )
        ).first()
        if other is not None:
            raise Refused(
                f"The study {key} holds other conversations than trials; name another one with --into."
            )
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
    """Make a conversation of each reply that is none yet; what cannot be rated is said in the report."""
    report = ImportReport("trials")
    present = set(
        connection.execute(
            select(schema.conversation.c.key).where(schema.conversation.c.study_id == study.id)
        ).scalars()
    )
    fresh = [reply for reply in replies if _key(reply.number) not in present]
    if not fresh:
        return report
    history = [(message.role, message.text) for message in frozen.messages]
    kept_facts = {name: value for name, value in frozen.source.facts.items() if name not in PERSON}
    rows = [
        ConversationRow(
            reply.number,
            _key(reply.number),
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
    table = schema.conversation
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
                "conversation_id": ids[_key(reply.number)],
                "source_id": frozen.source.id,
                "request_attempt_id": reply.request_attempt_id,
                "turn": frozen.turn,
                "number": reply.number,
            }
            for reply in fresh
        ],
    )
    return report


def derived(connection: Connection, conversation_ids: Sequence[int]) -> list[int]:
    """The conversations that hold words of these: trials of them, and trials of trials."""
    table, all_ids, waiting = schema.trial, list(conversation_ids), list(conversation_ids)
    while waiting:
        rows = connection.execute(
            select(table.c.conversation_id).where(table.c.source_id.in_(waiting))
        ).scalars()
        waiting = [number for number in rows if number not in all_ids]
        all_ids += waiting
    return all_ids


def _key(number: int) -> str:
    return f"trial_{number:02d}"
