"""Blocks between an opening and a closing tag in a model's text.

Searched with find and not with one pattern: a pattern that looks for the end from every beginning takes hours
on a long text of nothing but beginnings.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple


class Block(NamedTuple):
    """`inside` stands between the tags; the block reaches from `start` to `end`, tags included."""

    inside: str
    start: int
    end: int


@lru_cache(maxsize=32)
def _tags(name: str, any_case: bool) -> tuple[re.Pattern[str], re.Pattern[str]]:
    flags = re.IGNORECASE if any_case else 0
    return re.compile(re.escape(f"<{name}>"), flags), re.compile(re.escape(f"</{name}>"), flags)


def first_block(text: str, name: str, any_case: bool = True, begin: int = 0) -> Block | None:
    """Return the first closed block <name>...</name> of `text` from position `begin` on, or None.

    With `any_case` the tags may have any letter case, else exactly that of `name`.
    """
    opening, closing = _tags(name, any_case)
    first = opening.search(text, begin)
    last = closing.search(text, first.end()) if first else None
    return Block(text[first.end() : last.start()], first.start(), last.end()) if first and last else None


def opening_tag(text: str, name: str) -> tuple[int, int] | None:
    """Return (start, end) of the first opening tag <name>, whatever its letter case; None if there
    is none.
    """
    found = _tags(name, True)[0].search(text)
    return found.span() if found else None


def without_blocks(text: str, name: str, any_case: bool = True) -> str:
    """Return `text` without its closed blocks <name>...</name>, tags included; a block that is never closed
    stays.
    """
    kept, at = [], 0
    while block := first_block(text, name, any_case, at):
        kept.append(text[at : block.start])
        at = block.end
    return "".join([*kept, text[at:]])
