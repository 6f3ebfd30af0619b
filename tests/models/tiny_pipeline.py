"""A real spaCy pipeline that knows a few words."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any


def make_pipeline(folder: Path, words: Sequence[str] = ("sertraline", "dementia", "pills")) -> Path:
    import spacy

    pipeline = spacy.blank("en")
    ruler: Any = pipeline.add_pipe("entity_ruler")
    ruler.add_patterns([{"label": "ENTITY", "pattern": [{"LOWER": word}]} for word in words])
    pipeline.meta["version"] = "1.2.3"
    pipeline.to_disk(folder)
    return folder
