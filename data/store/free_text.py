"""Check free text that people write: its length and its characters."""

from __future__ import annotations

import re

from sqlalchemy import Connection

from data.store import content
from data.store.errors import Refused

NOTE_LIMIT = 20_000  # characters
# Control characters except tab and line ends, which exports can't hold, and lone surrogates.
_CANNOT_BE_KEPT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")


def check_text(what: str, text: str, most: int = NOTE_LIMIT) -> None:
    """Raise Refused for a text of more than `most` characters or with a forbidden character; the sentence
    begins with `what`.
    """
    if len(text) > most:
        raise Refused("text_too_long", what=what, most=most)
    match = _CANNOT_BE_KEPT.search(text)
    if match:
        words_before = text[: match.start()].split("\n")[-1].strip()[-20:]
        where = f'right after "{words_before}"' if words_before else f"at place {match.start() + 1:,}"
        raise Refused("character_unusable", what=what, where=where)


def put_text(
    connection: Connection, what: str, text: str, conversation_id: int | None
) -> tuple[int | None, str | None]:
    """Check a text and store it without surrounding white space; return its id and HMAC, or (None, None) for
    no text.

    `conversation_id`: the conversation it is about, or None.
    """
    check_text(what, text)
    return content.put(connection, text.strip(), conversation_id)
