"""Marked places of conversations as text."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache

from sqlalchemy import Connection

from data.store import content
from scoring.transcripts import cut_marked, turn_numbers

SEPARATOR = " · "  # between several places
NONE = "[]"  # as the store writes no place


class MarkedPlaces:
    """Reads the conversations of a few transcripts, by the ids of their texts."""

    def __init__(self, connection: Connection, content_ids: Iterable[int | None]) -> None:
        self._texts = content.get_many(connection, set(content_ids))
        self._messages: dict[int, list[tuple[str, str]]] = {}
        self._turns: dict[int, list[int]] = {}

    def turn_of(self, content_id: int | None, message: int | None) -> int | None:
        """Return the turn of a message, from 1; None for no message and for an erased conversation."""
        if message is None or not self._read(content_id):
            return None
        assert content_id is not None
        return self._turns[content_id][message]

    def describe(self, content_id: int | None, spans: str, words: bool) -> str | None:
        """Return "turn 2: “words”" for each place of `spans` (JSON), without the words unless `words`; None
        without a place and for an erased conversation.
        """
        if spans == NONE or not self._read(content_id):
            return None
        assert content_id is not None
        messages, turns = self._messages[content_id], self._turns[content_id]
        places = []
        for span in json.loads(spans):
            place = f"turn {turns[span['message']] or '?'}"
            quote = cut_marked(messages[span["message"]][1], span["start"], span["end"])
            places.append(f"{place}: “{quote}”" if words else place)
        return SEPARATOR.join(places)

    def _read(self, content_id: int | None) -> bool:
        if content_id is None or content_id not in self._texts:
            return False
        if content_id not in self._messages:
            messages = self._messages[content_id] = json.loads(self._texts[content_id])
            self._turns[content_id] = turn_numbers([role for role, _ in messages])
        return True


@cache
def describe_turns(cited: str) -> str | None:
    """Return "turn 2 · turn 5" for turns as JSON; None without one."""
    return SEPARATOR.join(f"turn {turn}" for turn in json.loads(cited)) or None
