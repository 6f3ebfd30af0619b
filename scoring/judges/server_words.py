"""What a server may say, as it can be kept: texts, names and codes without what a store cannot hold."""

from __future__ import annotations

import re


def code(value: object) -> str:
    """Return a code that a server sent; "" if it does not have the form of one, because it could be words.

    A code has 1 to 64 letters, digits or ._:/@-.
    """
    text = str(value or "")
    return text if re.fullmatch(r"[\w.:/@-]{1,64}", text) else ""


def name(value: object) -> str | None:
    """Return the name under which a model answered, at most 120 characters; None if it is empty or no text.

    Every character but ASCII letters, digits and _./:@+- becomes "?".
    """
    text = (words(value) or "").strip()
    return re.sub(r"[^\w./:@+-]", "?", text, flags=re.ASCII)[:120] or None


def words(value: object) -> str | None:
    """Return a server's text with a mark for NUL and half surrogate pairs; None if it is empty or no text."""
    if not isinstance(value, str):
        return None
    return value.encode("utf-8", "replace").decode("utf-8").replace("\x00", "\ufffd") or None
