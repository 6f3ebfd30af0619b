"""What a conflict of interest can be stated of, and how many conversations each rule bars now."""

from __future__ import annotations

import json

from sqlalchemy import Connection, select

from data import schema
from data.record import conversations, units
from data.store.batch_sizes import MAX_IDS_PER_QUERY
from data.store.errors import Refused
from data.work import conflicts
from data.work.conflicts import ConflictRules
from words.unit_nouns import CONVERSATION, UnitNoun

MOST_VALUES = 200  # more are too many to choose from


def facts(connection: Connection, study_id: int) -> dict[str, list[str] | None]:
    """Return every fact that conversations of the study state -> its values as a rule compares them,
    sorted.

    The values are None where there are more than 200. Facts without any value are absent.
    """
    table, text = schema.conversation, schema.content
    values_by_fact: dict[str, set[str]] = {}
    for body in connection.execute(
        select(text.c.text)
        .join(table, table.c.facts_content == text.c.id)
        .where(table.c.study_id == study_id)
    ).scalars():
        for name, value in (json.loads(body) if body is not None else {}).items():
            values = values_by_fact.setdefault(name, set())
            if value is not None and str(value).strip() and len(values) <= MOST_VALUES:
                values.add(str(value).strip())
    return {
        name: sorted(values_by_fact[name]) if len(values_by_fact[name]) <= MOST_VALUES else None
        for name in sorted(values_by_fact)
        if values_by_fact[name]
    }


def barred_now(connection: Connection, study_id: int, fact: tuple[str, str]) -> int:
    """Return how many conversations of the study a rule about a fact (name, value) bars now.

    Conversations whose facts were erased are counted.
    """
    rule, every = ConflictRules(frozenset(), frozenset({fact})), conversations.ids(connection, study_id)
    return sum(
        len(conflicts.barred_conversations(connection, rule, set(every[start : start + MAX_IDS_PER_QUERY])))
        for start in range(0, len(every), MAX_IDS_PER_QUERY)
    )


def conversation_named(
    connection: Connection, study_id: int, text: str, noun: UnitNoun = CONVERSATION
) -> int:
    """Return the id of the conversation that a text names by a unit's number or by its own id.

    Numbers: "3", "unit 3", "conversation 3" (or "reply 3" where replies are numbered). Ids: "demo-03", "id
    demo-03". Raise Refused where there is none, and where a number is that of one unit and the id of
    another's conversation.
    """
    asked, numbered = text.strip(), (noun.singular, "unit")
    kind, _, rest = asked.partition(" ")
    kind, name = (
        (kind.lower(), rest.strip()) if kind.lower() in (*numbered, "id") and rest.strip() else ("", asked)
    )
    number = int(name) if kind != "id" and name.isascii() and name.isdigit() and len(name) < 10 else 0
    unit = units.at_position(connection, study_id, number) if number else None
    if kind in numbered:
        name = asked  # an id may begin with such a word
    by_id = conversations.id_of(connection, study_id, name) if kind != "unit" else None
    if unit is not None and by_id is not None and unit.conversation_id != by_id:
        written = f"{number}" if kind else f"{noun.singular} {number}"
        raise Refused("conflict_ambiguous", name=name, noun=noun, written=written)
    conversation_id = unit.conversation_id if unit is not None else by_id
    if conversation_id is None:
        raise Refused("conflict_conversation_unknown", name=name, noun=noun)
    return conversation_id
