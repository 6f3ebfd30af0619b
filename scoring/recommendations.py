"""Sentences of a reasoning that may hold a recommendation: candidates for a plan when no plan was written
down.

As published: sentences end after . ! or ? followed by blanks; a candidate has 25 to 300 characters and a word
of the wide action list; the same sentence in other capitals or blanks is taken once, as it first stood.
"""

from __future__ import annotations

import re

from scoring.bad_input import BadInput, text
from scoring.clinical_actions import Lexicon, lexicon

SHORTEST = 25
LONGEST = 300

_BETWEEN_SENTENCES = re.compile(r"(?<=[.!?])\s+")


def recommendation_candidates(
    reasoning: str | None, words: Lexicon | None = None, shortest: int = SHORTEST, longest: int = LONGEST
) -> list[str]:
    """The candidates in the order of the text, each once. `words`: a lexicon with a group "action"; the wide
    one by default.

    `shortest` and `longest` are numbers of characters, both included. Raises BadInput for anything but a
    text, and for a longest below the shortest.
    """
    if longest < shortest:
        raise BadInput("longest", f"expected at least {shortest}, found {longest}")
    wanted = words or lexicon("reference-wide")
    sentences_by_key: dict[str, str] = {}
    for piece in _BETWEEN_SENTENCES.split(text("reasoning", reasoning)):
        sentence = piece.strip()
        if shortest <= len(sentence) <= longest and wanted.has(sentence, "action"):
            sentences_by_key.setdefault(" ".join(sentence.lower().split()), sentence)
    return list(sentences_by_key.values())
