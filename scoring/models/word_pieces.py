"""How many word pieces a text has for the embedder, and how many it reads at once. No torch: the tokenizer's
own file is enough.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from scoring.models import offline
from scoring.models.model_settings import ModelMissing, embedders

TOKENIZER, SENTENCES = "tokenizer.json", "sentence_bert_config.json"


@dataclass(frozen=True)
class CountedPieces:
    """`window`: what the model reads at once, its own two markers not counted."""

    pieces: int
    window: int

    @property
    def fits(self) -> bool:
        return self.pieces <= self.window


def counted(text: str) -> CountedPieces | None:
    """Return how many word pieces the configured embedder makes of a text.

    None if the embedder can't be used, or has no files that define how it cuts a text.
    """
    try:
        folder = embedders().entry().path()
    except ModelMissing:
        return None
    if not all((folder / name).is_file() for name in (TOKENIZER, SENTENCES)):
        return None
    tokenizer, window = _loaded(folder)
    return CountedPieces(len(tokenizer.encode(offline.readable(text), add_special_tokens=False).ids), window)


@lru_cache(maxsize=2)
def _loaded(folder: Path) -> tuple[Any, int]:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    longest = int(json.loads((folder / SENTENCES).read_text(encoding="utf-8")).get("max_seq_length") or 512)
    return tokenizer, longest - int(tokenizer.num_special_tokens_to_add(is_pair=False))
