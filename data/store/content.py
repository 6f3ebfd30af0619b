"""Free text, stored separately so that a person's words can be erased while the trail still verifies."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterable, Sequence

from sqlalchemy import Connection, Table, select, update

from data import schema
from data.store.driver import insert_rows
from data.store.errors import NotFound
from data.store.trail import TrailEntry, next_id

ERASED_AT_ONCE = 5_000  # texts; a statement takes a limited number of values


def content_mac(salt: bytes, text: str) -> str:
    """Return the HMAC-SHA-256 of the text under its own random salt, in hex. Without the salt it reveals
    nothing about the text.
    """
    return hmac.new(salt, text.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()


def spell_conversation(table: Table) -> str:
    """Return SQL for the conversation of a row of `table`, called `referring`; NULL if it has none. The row's
    texts are erased with it.
    """
    if table is schema.conversation:
        return "referring.id"
    if table is schema.plan_decision:
        return "(SELECT conversation_id FROM plan_proposal WHERE plan_proposal.id = referring.proposal_id)"
    if "conversation_id" in table.columns:
        return "referring.conversation_id"
    if "unit_id" in table.columns:
        return "(SELECT conversation_id FROM unit WHERE unit.id = referring.unit_id)"
    return "NULL"


def put(
    connection: Connection, text: str | None, conversation_id: int | None
) -> tuple[int | None, str | None]:
    """Store one text; return its id and HMAC, or (None, None) for no text. `conversation_id`: as in
    `put_many`.
    """
    return (None, None) if not text else put_many(connection, [(text, conversation_id)])[0]


def put_many(connection: Connection, texts: Iterable[tuple[str, int | None]]) -> list[tuple[int, str]]:
    """Store texts, each with the id of its conversation, with which it is erased (None: no conversation).
    Return the id and HMAC of each.
    """
    rows, places = [], []
    for number, (text, conversation_id) in enumerate(texts, start=next_id(connection, schema.content)):
        salt = secrets.token_bytes(16)
        rows.append((number, conversation_id, salt, text))
        places.append((number, content_mac(salt, text)))
    if rows:
        insert_rows(connection, schema.content, rows)
    return places


def get(connection: Connection, content_id: int | None) -> str | None:
    """Return the text with this id; None for None, an unknown id, or an erased text."""
    if content_id is None:
        return None
    found: str | None = connection.execute(
        select(schema.content.c.text).where(schema.content.c.id == content_id)
    ).scalar()
    return found


def same(connection: Connection, content_id: int | None, told: str | None, text: str) -> bool:
    """Tell whether the stored text equals `text`. An erased text never does."""
    salt = connection.execute(select(schema.content.c.salt).where(schema.content.c.id == content_id)).scalar()
    return salt is not None and content_mac(salt, text) == told


def get_many(connection: Connection, ids: Iterable[int | None]) -> dict[int, str]:
    """Return id -> text; None, unknown ids and erased texts are absent."""
    wanted = [i for i in ids if i is not None]
    rows = connection.execute(
        select(schema.content.c.id, schema.content.c.text).where(schema.content.c.id.in_(wanted))
    )
    return {row.id: row.text for row in rows if row.text is not None}


def erase(entry: TrailEntry, connection: Connection, content_id: int, reason: str) -> None:
    """Remove a text and its salt for good, and record the erasure. Raise NotFound for an unknown id."""
    if (
        connection.execute(select(schema.content.c.id).where(schema.content.c.id == content_id)).scalar()
        is None
    ):
        raise NotFound("no_text", content_id=content_id)
    erase_many(entry, connection, [content_id], reason)


def erase_many(entry: TrailEntry, connection: Connection, content_ids: Sequence[int], reason: str) -> int:
    """Remove texts and their salts for good, and record each erasure under one reason. Return how many; the
    ids must exist.
    """
    if not content_ids:
        return 0
    table = schema.content
    reason_content, reason_mac = put(connection, reason, None)
    for start in range(0, len(content_ids), ERASED_AT_ONCE):
        some = content_ids[start : start + ERASED_AT_ONCE]
        connection.execute(update(table).where(table.c.id.in_(some)).values(text=None, salt=None))
        rows = (
            {"content_id": number, "reason_content": reason_content, "reason_mac": reason_mac}
            for number in some
        )
        entry.write_many(schema.erasure, rows)
    return len(content_ids)
