"""Conversations that say the same, in whichever study, form or under whichever id.

The digest of a conversation covers who says what, in turn: neither instructions nor how the text is divided
into messages of one speaker, nor blanks, capitals or the way that letters are composed. It is keyed, so
that nobody without the store can tell from it whether a text of theirs is in it.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple, TypeVar

from sqlalchemy import ColumnElement, Connection, FromClause, func, select

from data import schema
from data.store.batch_sizes import MAX_IDS_PER_QUERY
from data.store.trail import TrailEntry

Messages = Sequence[tuple[str, str]]  # role, text
Item = TypeVar("Item")


class SameWords(NamedTuple):
    conversation_id: int
    study_id: int


class WordDigests:
    """Digests under the key of the store, which is made with the first conversation."""

    def __init__(self, connection: Connection, entry: TrailEntry) -> None:
        key = connection.execute(select(schema.store_key.c.key)).scalar()
        if key is None:
            key = secrets.token_hex(32)
            entry.write(schema.store_key, {"key": key})
        self._key = bytes.fromhex(key)

    def digest(self, messages: Messages) -> str | None:
        """Return the digest of a conversation's words; None if nobody says anything."""
        return digest_words(self._key, messages)


def digest_words(key: bytes, messages: Messages) -> str | None:
    """Return the HMAC-SHA-256 of the words in hex, under `key`; None if there are no words."""
    turns = [
        [role, " ".join(_plain(text) for _, text in group).strip()]
        for role, group in groupby(
            ((role, text) for role, text in messages if role != "system" and text.strip()),
            key=lambda message: message[0],
        )
    ]
    if not turns:
        return None
    words = json.dumps(turns, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
    return hmac.new(key, words, hashlib.sha256).hexdigest()


def number_turns(messages: Messages) -> list[int]:
    """Return for each message the turn of the digest that it belongs to, from 0.

    A message without words belongs to the turn before it. In another form of the same conversation a
    message may have another place, but it has the same turn.
    """
    numbers, last, number = [], "", -1
    for role, text in messages:
        if role not in ("system", last) and text.strip():
            number, last = number + 1, role
        numbers.append(number)
    return numbers


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def record_words(entry: TrailEntry, digests: Mapping[int, str]) -> None:
    """Write the digests of new conversations (conversation id -> digest)."""
    rows = ({"conversation_id": number, "digest": digest} for number, digest in digests.items())
    entry.write_many(schema.known_words, rows)


def copy_words(connection: Connection, entry: TrailEntry, copies: Mapping[int, int]) -> None:
    """Write the digests of conversations that have the same words as others (old conversation -> new one)."""
    table = schema.known_words
    for some in _parts(list(copies)):
        rows = connection.execute(select(table).where(table.c.conversation_id.in_(some))).all()
        record_words(entry, {copies[row.conversation_id]: row.digest for row in rows})


def find_same_words(connection: Connection, digests: Collection[str]) -> Iterator[list[SameWords]]:
    """Yield, for each digest that the store has, the conversations of all studies with these words, first
    one first.
    """
    table, conversation = schema.known_words, schema.conversation
    for some in _parts(sorted(digests)):
        rows = connection.execute(
            select(table.c.digest, table.c.conversation_id, conversation.c.study_id)
            .join(conversation, conversation.c.id == table.c.conversation_id)
            .where(table.c.digest.in_(some))
            .order_by(table.c.digest, table.c.conversation_id)
        )
        for _, same in groupby(rows, key=lambda row: row.digest):
            yield [SameWords(row.conversation_id, row.study_id) for row in same]


def was_unseen(rating: FromClause) -> ColumnElement[bool]:
    """Return an SQL condition on ratings: the rater had not seen a judge of the same words elsewhere."""
    return rating.c.id.not_in(select(schema.seen_elsewhere.c.rating_id).correlate(None))


def count_seen_elsewhere(connection: Connection, study_id: int) -> int:
    """Return how many ratings of a study are left out because their rater had seen a judge of the same
    words.
    """
    rating, seen = schema.rating, schema.seen_elsewhere
    statement = select(func.count()).select_from(seen).join(rating, rating.c.id == seen.c.rating_id)
    return connection.execute(statement.where(rating.c.study_id == study_id)).scalar_one()


def _parts(items: Sequence[Item]) -> Iterator[Sequence[Item]]:
    return (items[start : start + MAX_IDS_PER_QUERY] for start in range(0, len(items), MAX_IDS_PER_QUERY))
