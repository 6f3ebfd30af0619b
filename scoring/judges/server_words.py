"""What a server may say, as it can be kept: texts, names and codes without what a store cannot hold."""

from __future__ import annotations

import re


def code(value: object) -> str:
    """A code that a server said, or nothing where it is not in the form of one: then it could be words of a
    conversation.
    """
    text = str(value or "")
    return text if re.fullmatch(r"[\w.:/@-]{1,64}", text) else ""


def name(value: object) -> str | None:
    """The name under which a model answered: it is kept, shown and printed in a command, so only what names
    are made of stays of it.
    """
    text = (words(value) or "").strip()
    return re.sub(r"[^\w./:@+-]", "?", text, flags=re.ASCII)[:120] or None


def words(value: object) -> str | None:
    """A text of a server, if it is one and not empty. NUL and half a surrogate pair, which cannot be kept,
    become a mark.
    """
    if not isinstance(value, str):
        return None
    return value.encode("utf-8", "replace").decode("utf-8").replace("\x00", "\ufffd") or None
