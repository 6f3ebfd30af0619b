"""Conflicts of interest: conversations that a rater must not rate, such as their own."""

from __future__ import annotations

import json
from collections.abc import Set
from dataclasses import dataclass, replace

from sqlalchemy import Connection, select

from data import schema
from data.schema.vocabulary import ConflictKind
from data.store import content
from data.store.errors import Refused
from data.store.trail import TrailEntry


@dataclass(frozen=True)
class ConflictRules:
    """Conversations by id, and facts of a conversation that bar it: (name, value)."""

    conversations: frozenset[int]
    facts: frozenset[tuple[str, str]]


def state_conflict(
    connection: Connection,
    entry: TrailEntry,
    rater_id: int,
    *,
    conversation_id: int | None = None,
    fact: str | None = None,
    value: str = "",
    lifted: bool = False,
) -> None:
    """Bar a rater from one conversation, or from all whose fact has this value; with `lifted`, undo that.

    Stating the same twice changes nothing.

    Raises:
        Refused: neither or both are given, the value is blank, or the bar is lifted from a conversation
            that the rater opened to settle.
    """
    if (conversation_id is None) == (fact is None) or (fact is not None and not value.strip()):
        raise Refused("conflict_of_one_thing")
    rater_rules = rules(connection, rater_id)
    stated = (
        conversation_id in rater_rules.conversations
        if conversation_id is not None
        else (fact, value.strip()) in rater_rules.facts
    )
    if stated != lifted:
        return
    if lifted and conversation_id in seen_conversations(connection, rater_id):
        raise Refused("opened_to_settle")
    value_content, value_mac = content.put(connection, value.strip(), conversation_id)
    entry.write(
        schema.conflict,
        {
            "rater_id": rater_id,
            "conversation_id": conversation_id,
            "fact": fact,
            "value_content": value_content,
            "value_mac": value_mac,
            "lifted": int(lifted),
            "kind": ConflictKind.STATED,
        },
    )
    # What was passed over may be free again, and the other way round.
    connection.execute(schema.rater_cursor.delete().where(schema.rater_cursor.c.rater_id == rater_id))


def bar_opened(entry: TrailEntry, rater_id: int, conversation_id: int) -> None:
    """Bar a rater from a conversation that they open to settle its labels."""
    row = {"rater_id": rater_id, "conversation_id": conversation_id, "lifted": 0, "kind": ConflictKind.OPENED}
    entry.write(schema.conflict, row)


def rules(connection: Connection, rater_id: int) -> ConflictRules:
    """Return the conflicts of interest in force for a rater; empty sets if none are."""
    table = schema.conflict
    rows = connection.execute(select(table).where(table.c.rater_id == rater_id).order_by(table.c.id)).all()
    if not rows:
        return ConflictRules(frozenset(), frozenset())
    values = content.get_many(
        connection, [row.value_content for row in rows if row.value_content is not None]
    )
    holds_by_conversation: dict[int, bool] = {}
    facts: dict[tuple[str, str], bool] = {}
    for row in rows:
        if row.conversation_id is not None:
            holds_by_conversation[row.conversation_id] = not row.lifted
        else:
            facts[row.fact, values.get(row.value_content) or ""] = not row.lifted
    return ConflictRules(
        frozenset(key for key, holds in holds_by_conversation.items() if holds),
        frozenset(pair for pair, holds in facts.items() if holds),
    )


def stated_rules(connection: Connection, rater_id: int) -> ConflictRules:
    """Return the rules in force, without conversations that are barred only because the rater opened them
    to settle.
    """
    all_rules = rules(connection, rater_id)
    if not all_rules.conversations:
        return all_rules
    return replace(
        all_rules, conversations=all_rules.conversations - seen_conversations(connection, rater_id)
    )


def bars_conversation(connection: Connection, rater_id: int, unit_id: int) -> bool:
    """Tell whether a conflict of interest bars this rater from the unit's conversation."""
    found = rules(connection, rater_id)
    if not found.conversations and not found.facts:
        return False
    conversation = connection.execute(
        select(schema.unit.c.conversation_id).where(schema.unit.c.id == unit_id)
    ).scalar_one()
    return bool(barred_conversations(connection, found, {conversation}))


def seen_conversations(connection: Connection, rater_id: int) -> set[int]:
    """Return the conversations that bar a rater because they opened them to settle."""
    table = schema.conflict
    rows = connection.execute(
        select(table.c.conversation_id, table.c.lifted, table.c.kind)
        .where(table.c.rater_id == rater_id, table.c.conversation_id.is_not(None))
        .order_by(table.c.id)
    ).all()
    last = {row.conversation_id: row for row in rows}
    return {
        conversation_id
        for conversation_id, row in last.items()
        if not row.lifted and row.kind == ConflictKind.OPENED
    }


def barred_conversations(
    connection: Connection, rules: ConflictRules, conversation_ids: Set[int]
) -> set[int]:
    """Return which of the conversations the rules bar.

    Where a rule is about facts and a conversation's facts were erased, it is barred.
    """
    barred_ids = set(conversation_ids & rules.conversations)
    if not rules.facts or not conversation_ids:
        return barred_ids
    table, text = schema.conversation, schema.content
    rows = connection.execute(
        select(table.c.id, table.c.facts_content, text.c.text)
        .outerjoin(text, text.c.id == table.c.facts_content)
        .where(table.c.id.in_(conversation_ids))
    )
    for row in rows:
        if row.facts_content is None:
            continue
        if row.text is None:
            barred_ids.add(row.id)
            continue
        facts = json.loads(row.text)
        if any(str(facts.get(name, "")).strip() == value for name, value in rules.facts):
            barred_ids.add(row.id)
    return barred_ids
