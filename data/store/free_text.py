"""Free text that people write, wherever they write it: how long it may be, and which characters it may
have.
"""

from __future__ import annotations

import re

from sqlalchemy import Connection

from data.store import content
from data.store.errors import Refused

NOTE_LIMIT = 20_000  # characters
# Control characters but tab and line ends, which no export can hold, and halves of characters (lone
# surrogates).
_CANNOT_BE_KEPT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")


def check_text(what: str, text: str, most: int = NOTE_LIMIT) -> None:
    """Raises Refused, with a sentence that begins with `what` it is, for a text of more than `most`
    characters and for a character that cannot be kept.
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
    """Check a text and keep it without the white space around it; its id and HMAC, or two Nones for no
    text. `conversation_id`: of the conversation that it is about; None: of none.
    """
    check_text(what, text)
    return content.put(connection, text.strip(), conversation_id)
