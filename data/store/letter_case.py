"""Words in small or capital letters, as the store is asked for them: SQLite knows those of ASCII alone.

`holds_word` may find too much; whoever asks reads what was found (`str.casefold`). It finds too little only
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

_LETTERS = re.compile(r"[^\x00-\x1f\x7f-\U0010ffff\"\\]+")  # those that a file of messages holds as they are
_LAST_WITH_CASE = 0x1F000


def holds_word(column: ColumnElement[str], word: str) -> ColumnElement[bool]:
    """Whether the column may hold the word, which is folded, as a text or in a file of messages."""
    letters = max(_LETTERS.findall(word), key=len, default="")
    if len(letters) > 1:  # LIKE is twice as fast as lower(), and as GLOB with the letters of either case
        return or_(*(column.like(f"%{pattern}%", escape="/") for pattern in _like_patterns(letters)))
    parts = {word, json.dumps(word, ensure_ascii=False)[1:-1]}
    return or_(*(column.op("GLOB")(f"*{_glob_pattern(part)}*") for part in sorted(parts)))


def contains(column: ColumnElement[Any], words: str) -> ColumnElement[bool]:
    """Whether the column holds the words, in small or capital letters. Asks Python for each row: for short
    texts. The connection knows `fold` (data/store/store.py).
    """
    return func.instr(func.fold(func.coalesce(column, "")), fold(words)) > 0


def fold(text: str) -> str:
    """Letters that differ in case only, or in how they are put together, are the same afterwards."""
    return unicodedata.normalize("NFC", text).casefold()


def _like_patterns(letters: str) -> list[str]:
    """Two letters s may stand for one that folds to them."""
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
