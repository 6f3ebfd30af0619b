"""What a text puts between quotation marks, and whether another text says it.

Straight and typographic marks, double and single. An apostrophe is no mark: a single mark opens only where no
letter stands before it, and closes only where none comes after it. Of quotations within quotations only the
outermost is one. All in linear time.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache

# Raised with every change of what is a quotation or of where one stands, together with a step of migration,
# after which stores are counted anew (data/record/quotation_counts.py).
RULE = 1
MIN_WORDS = 3
ONLY_OPEN = "„‟"
_CLOSED_BY = {"“": "„", "«": "»"}  # closes what this mark opened, and opens otherwise
QUOTATIONS_HELD = 4096  # in their parts; a judge quotes the same words for several criteria
DOUBLE, SINGLE = '"＂“”„‟«»', "'‘’‚‛"
# Words that begin with an apostrophe; their mark opens no quotation.
ELIDED = frozenset(("bout", "cause", "cos", "em", "n", "round", "s", "til", "till", "tis", "twas"))
# A single mark within a word is an apostrophe.
_MARK = re.compile(
    rf"[{DOUBLE}]|(?<![^\W_])[{SINGLE}]|[{SINGLE}](?![^\W_])|\n[ \t\r]*\n",
)
_WORD = re.compile(r"\w+")
_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u2060\ufe0e\ufe0f\ufeff]")
_MARKS = re.compile(f"[{DOUBLE}{SINGLE}`´]")
_DASHES = re.compile(r" ?[-‐‑‒–—―−]+ ?")
_DOTS = re.compile(r"\.(?: ?\.)+")
_DECADE = re.compile(r"\d\ds\b")
_ASCII_MARKS = "\"'`"
# Stands between messages that are made plain at once: no letter, no space, and nothing joins with it.
_BETWEEN = "\x00"
# What is left out, and what the person quoting put in: "[...]", "(...)", "[she]".
_GAP = re.compile(r"\[[^\[\]]{0,80}\]|\(\s*(?:\.(?: ?\.)+|…)\s*\)|\.(?: ?\.)+|…")
_GAP_SIGNS = "[(.…"  # without one of them there is no gap


def quotations(text: str) -> list[str]:
    """Return what is between quotation marks and has at least MIN_WORDS (3) words, in the order of the
    text.
    """
    enclosed = [text[start:end].strip() for start, end in _outermost(_enclosed(text))]
    return [quoted for quoted in enclosed if _parts(quoted)[1] >= MIN_WORDS]


def searchable(messages: Iterable[str]) -> str:
    """Return messages as one text for `says`, one message per line, so that no quotation spans two
    messages.
    """
    listed = list(messages)
    joined = _BETWEEN.join(listed)
    if joined.count(_BETWEEN) >= len(listed):  # a message holds the separator itself
        return "\n".join(map(_plain, listed))
    plain = _plain(joined)  # a long text at once takes a fifth of the time
    return plain.replace(f" {_BETWEEN}", _BETWEEN).replace(f"{_BETWEEN} ", _BETWEEN).replace(_BETWEEN, "\n")


def says(said: str, quoted: str) -> bool:
    """Tell whether a text made by `searchable` contains a quotation.

    Where something was left out of it ("..."), each part has to be there. Letter case, white space, the
    kind of marks, dashes and dots, and punctuation at the ends of a part make no difference.
    """
    return all(_holds(said, part) for part in _parts(quoted)[0])


def _holds(said: str, part: str) -> bool:
    """Whether the words of a part stand there as words, not as the middle of others."""
    at = said.find(part)
    while at >= 0:
        end = at + len(part)
        if not _WORD.match(said, end) and not (at and _WORD.match(said, at - 1)):
            return True
        at = said.find(part, at + 1)
    return False


@lru_cache(QUOTATIONS_HELD)
def _parts(quoted: str) -> tuple[tuple[str, ...], int]:
    """The parts as `says` looks for them, from their first word to their last, and how many words that is."""
    parts, count = [], 0
    for part in _without_gaps(quoted):
        plain = _plain(part)
        words = list(_WORD.finditer(plain))
        count += len(words)
        if words:
            parts.append(plain[words[0].start() : words[-1].end()])
    return tuple(parts), count


def _without_gaps(quoted: str) -> list[str]:
    """The parts of a quotation between which something was left out."""
    return _GAP.split(quoted) if any(sign in quoted for sign in _GAP_SIGNS) else [quoted]


def _plain(text: str) -> str:
    """What is compared: without marks, and with one kind of space, dash and dots."""
    if text.isascii():  # most text is, and needs none of the searches
        text, may_hold_dash = text.lower(), "-" in text
        for mark in _ASCII_MARKS:
            text = text.replace(mark, "")
    else:
        text, may_hold_dash = unicodedata.normalize("NFKC", text).casefold(), True
        text = _MARKS.sub("", _UNSEEN.sub("", text))
    if ".." in text or ". ." in text:
        text = _DOTS.sub(" ", text)
    text = " ".join(text.split())
    return _DASHES.sub("-", text) if may_hold_dash else text


def _enclosed(text: str) -> Iterator[tuple[int, int]]:
    """(start, end) of what marks enclose, in the order in which it ends. An opening mark that nothing closes
    is passed over.
    """
    opened: list[tuple[str, int, str]] = []  # (kind, where its words begin, mark)
    waiting = {"double": 0, "single": 0}

    def close(kind: str) -> int:
        while True:
            which, start, _ = opened.pop()
            waiting[which] -= 1
            if which == kind:
                return start

    for mark_match in _MARK.finditer(text):
        at, mark = mark_match.start(), mark_match.group()
        if mark[0] == "\n":  # a single mark that is still open here was an apostrophe
            while opened and opened[-1][0] == "single":
                close("single")
            continue
        kind = "double" if mark in DOUBLE else "single"
        opens, closes = _double(text, at, opened) if kind == "double" else _single(text, at)
        if closes and waiting[kind]:
            yield close(kind), at
        elif opens:
            opened.append((kind, at + 1, mark))
            waiting[kind] += 1


def _double(text: str, at: int, opened: list[tuple[str, int, str]]) -> tuple[bool, bool]:
    """Whether a double mark may open and may close. The same mark closes in one language and opens in
    another.
    """
    mark = text[at]
    if mark in ONLY_OPEN:
        return True, False
    last = (
        next((mark for kind, _, mark in reversed(opened[-2:]) if kind == "double"), "")
        if mark in "“«»"
        else ""
    )
    if mark in _CLOSED_BY:
        closes = last == _CLOSED_BY[mark]
        return not closes, closes
    before, after = _neighbours(text, at)
    if before.isspace() and after.isspace():
        opens, closes = True, True
    else:
        opens = not before.isalnum() and not after.isspace()
        closes = not before.isspace() and not after.isalnum()
    return opens, last not in ("", "»") if mark == "»" else closes


def _single(text: str, at: int) -> tuple[bool, bool]:
    mark, (before, after) = text[at], _neighbours(text, at)
    word = _WORD.match(text, at + 1, at + 9)
    elided = (
        mark != "‘"
        and word is not None
        and (word.group().casefold() in ELIDED or _DECADE.match(word.group()) is not None)
    )
    opens = mark in "'‘‚‛" and not before.isalnum() and not after.isspace() and not elided
    return opens, mark in "'‘’" and not before.isspace() and not after.isalnum()


def _neighbours(text: str, at: int) -> tuple[str, str]:
    return text[at - 1] if at else " ", text[at + 1] if at + 1 < len(text) else " "


def _outermost(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Those that lie in no other."""
    kept: list[tuple[int, int]] = []
    for start, end in spans:
        while kept and kept[-1][0] > start:
            kept.pop()
        kept.append((start, end))
    return kept
