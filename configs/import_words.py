"""What column names and cells of spreadsheets usually mean (configs/import_words.yaml)."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from pydantic import BaseModel, ConfigDict

from configs.files.yaml_files import read_model
from configs.settings import ROOT


class ImportWords(BaseModel):
    """`columns`: what a column is -> its usual names, the likeliest first. `assistant`, `user`: names of
    speakers. `judges`, `people`: cells that say what kind of rater gave a label. `labels`: "yes", "no" and
    "not applicable" -> how they are written. `evaluative`: which of
    these words say how good something is. All casefolded.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    columns: dict[str, tuple[str, ...]]
    assistant: tuple[str, ...]
    user: tuple[str, ...]
    judges: tuple[str, ...]
    people: tuple[str, ...]
    labels: dict[str, tuple[str, ...]]
    evaluative: tuple[str, ...]


@lru_cache
def import_words() -> ImportWords:
    """Return the words. Raises ConfigFileError."""
    words = read_model(ROOT / "import_words.yaml", ImportWords)[0].model_dump()
    return ImportWords.model_validate(_fold(words))


def _fold(words: Any) -> Any:
    """Return all words as `str.casefold` writes them, because cells are compared so."""
    if isinstance(words, dict):
        return {name: _fold(part) for name, part in words.items()}
    return words.casefold() if isinstance(words, str) else tuple(map(_fold, words))
