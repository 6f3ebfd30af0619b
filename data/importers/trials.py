"""Trials: a frozen turn of a conversation, answered again by a model. Each is a conversation of a study of
its own, so that it can be rated, judged and compared.
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
    """What stood before the reply to a turn, from 1; without the plans that earlier replies declared."""

    source: Conversation
    turn: int
    messages: tuple[Message, ...]


@dataclass(frozen=True)
class TrialReply:
    """`number` from 1."""

    number: int
    attempt_id: int
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


def check_target(connection: Connection, source: Study, key: str) -> Study | None:
    """The study that trials of the source go into, where it is there. Raises Refused for one that holds
    anything else than trials, or is of another data class, instrument or taxonomy (words of the source would
    go where they may not, or be rated as what they are not), and for a key that no study can have.
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
                f"The study {key} has another {kind} than {source.key}; name another one with --into."
            )
    other = connection.execute(
        select(table.c.id).where(
            table.c.study_id == study.id, table.c.id.not_in(select(trial.c.conversation_id))
        )
    ).first()
    if other is not None:
        raise Refused(f"The study {key} holds other conversations than trials; name another one with --into.")
    return study


def study_of_trials(connection: Connection, entry: TrailEntry, source: Study, key: str, title: str) -> Study:
    """The study that the trials go into: the one that is there, or made like the source, for the same eyes
    and the same judges. Raises Refused as `check_target` does.
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
    """Make a conversation of each reply that is none in this study yet; what cannot be rated is said in the
    report. Trials of another conversation, turn or model that are there keep their keys: these get the next
    ones.
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
    """Without whose conversation it was, under the name that the importing person gave it too."""
    whose = conversations.person(dict(facts))
    return {
        name: value
        for name, value in facts.items()
        if plain_name(name) not in PERSON and not (is_person_like(name) and str(value).strip() == whose)
    }


def number_in(connection: Connection, study_id: int) -> int:
    """How many trials a study holds, erased ones among them."""
    table = schema.conversation
    return connection.execute(
        select(func.count())
        .select_from(schema.trial)
        .join(table, table.c.id == schema.trial.c.conversation_id)
        .where(table.c.study_id == study_id)
    ).scalar_one()


def with_same_words(connection: Connection, conversation_ids: Sequence[int]) -> list[int]:
    """These, and all that hold their words: in studies that continue theirs or that theirs continue, trials
    of them, trials of trials, and those where such a study is continued in its turn.
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
    """By the number of the trial, the key of its conversation: of its own number, where that is free."""
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
