"""Clinical actions in an assistant's text: the sentences that recommend, manage risk or follow up.

A sentence counts when it has a word of the lexicon. The lexicons are data (configs/lexicons): two reproduce
the publications, `clinical-1` is the default and mends their faults.
"""

from __future__ import annotations

import re
from functools import cached_property, lru_cache
from pathlib import Path

from pydantic import Field, field_validator

from configs.files.yaml_files import read_model
from configs.settings import ROOT
from scoring.bad_input import BadInput, text
from scoring.blocks import without_blocks
from scoring.instruments import Identifier, Strict

DEFAULT = "clinical-1"
FOLDER = ROOT / "lexicons"

_CONTENT_TAG = re.compile(r"</?content>")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_WORD = re.compile(r"[^\W_]")


class Lexicon(Strict):
    """Terms by group. See the head of configs/lexicons/reference-narrow.yaml for the notation."""

    key: Identifier
    version: str = Field(min_length=1)
    title: str
    note: str = ""
    groups: dict[str, str] = Field(min_length=1)

    @field_validator("groups")
    @classmethod
    def _terms_in_each(cls, groups: dict[str, str]) -> dict[str, str]:
        for name, terms in groups.items():
            if not all(_WORD.search(term) for term in terms.split(",")):
                raise ValueError(f"the group {name} has an empty term; terms are separated by single commas")
        return groups

    @property
    def label(self) -> str:
        return f"{self.key} ({self.version})"

    @cached_property
    def _patterns(self) -> list[re.Pattern[str]]:
        return [
            re.compile(
                r"\b(?:" + "|".join(_as_pattern(term.strip().lower()) for term in terms.split(",")) + r")\b"
            )
            for terms in self.groups.values()
        ]

    def is_action(self, sentence: str) -> bool:
        """Tell whether a sentence contains a term of any group, ignoring letter case."""
        lowered = sentence.lower()
        return any(pattern.search(lowered) for pattern in self._patterns)


def _as_pattern(term: str) -> str:
    return (
        re.escape(term).replace(r"\~", r"\s*").replace("~", r"\s*").replace(r"\*", r"\w*").replace(r"\ ", " ")
    )


def load_lexicon(path: Path) -> Lexicon:
    """Read a lexicon file. Raise ConfigFileError if it can't be used."""
    return read_model(path, Lexicon)[0]


def lexicon(key: str = DEFAULT) -> Lexicon:
    """Return a shipped lexicon. Raise BadInput for an unknown key, with the keys there are."""
    known = sorted(path.stem for path in FOLDER.glob("*.yaml"))
    if key not in known:
        raise BadInput("lexicon", f"there is no lexicon {key!r}; there are {', '.join(known)}")
    return _shipped(key)


@lru_cache(maxsize=8)
def _shipped(key: str) -> Lexicon:
    return load_lexicon(FOLDER / f"{key}.yaml")


def clean(said: str | None) -> str:
    """Return a reply without closed <think> blocks (lower case, as published), <content> tags and outer
    blanks.

    "" for None. Raise BadInput for anything but a text.
    """
    return _CONTENT_TAG.sub("", without_blocks(text("text", said), "think", any_case=False)).strip()


def extract_clinical_actions(said: str | None, words: Lexicon | None = None) -> str:
    """Return the sentences of a reply that are clinical actions, in order, joined by a blank; "" if none
    are.

    Sentences end at ".", "!" or "?" before a blank; a line break alone ends none. `words` None is the
    shipped lexicon. Raise BadInput for anything but a text or None.
    """
    found = words or lexicon()
    return " ".join(sentence for sentence in _SENTENCE_END.split(clean(said)) if found.is_action(sentence))
