"""Words in small or capital letters, as the store is asked for them: SQLite knows those of ASCII alone.

`holds_word` may find too much; the caller checks it with `str.casefold`. It finds too little only
of letters that fold to those of ASCII: ß is found as ss, not as one s, and a ligature such as ﬁ not at all.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import defaultdict
from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, func, or_

_LETTERS = re.compile(r"[^\x00-\x1f\x7f-\U0010ffff\"\\]+")  # characters that stored messages hold unescaped
_LAST_WITH_CASE = 0x1F000


def holds_word(column: ColumnElement[str], word: str) -> ColumnElement[bool]:
    """Return the condition that the column may hold the folded word, as a text or in stored messages."""
    letters = max(_LETTERS.findall(word), key=len, default="")
    if len(letters) > 1:  # LIKE is twice as fast as lower(), or as GLOB with both cases
        return or_(*(column.like(f"%{pattern}%", escape="/") for pattern in _like_patterns(letters)))
    parts = {word, json.dumps(word, ensure_ascii=False)[1:-1]}
    return or_(*(column.op("GLOB")(f"*{_glob_pattern(part)}*") for part in sorted(parts)))


def contains(column: ColumnElement[Any], words: str) -> ColumnElement[bool]:
    """Return the condition that the column holds the words in any case.

    It calls Python for each row, so use it for short texts. The connection must know `fold`
    (data/store/store.py).
    """
    return func.instr(func.fold(func.coalesce(column, "")), fold(words)) > 0


def fold(text: str) -> str:
    """Return a text in which letters that differ only in case or composition are equal."""
    return unicodedata.normalize("NFC", text).casefold()


def _like_patterns(letters: str) -> list[str]:
    """Return patterns in which two letters s may stand for one that folds to them."""
    escaped = re.sub(r"([/%_])", r"/\1", letters)
    if escaped.count("ss") > 1:
        return [escaped.replace("ss", "%")]
    return sorted({escaped.replace("ss", letter) for letter in ("ss", "ß", "ẞ")})


def _glob_pattern(part: str) -> str:
    return "".join(_glob_letter(letter) for letter in part)


def _glob_letter(letter: str) -> str:
    letters = {letter, *_letters_that_fold_to().get(letter, ())}
    return f"[{''.join(sorted(letters))}]" if len(letters) > 1 or letter in "*?[" else letter


@cache
def _letters_that_fold_to() -> dict[str, tuple[str, ...]]:
    letters = defaultdict(list)
    for letter in map(chr, range(_LAST_WITH_CASE)):
        folded = letter.casefold()
        if folded != letter and len(folded) == 1:
            letters[folded].append(letter)
    return {folded: tuple(others) for folded, others in letters.items()}
