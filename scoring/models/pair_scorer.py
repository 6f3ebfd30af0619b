"""Scores of pairs of texts by a sentence-transformers cross-encoder, offline and on the processor."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from scoring.arrays import Array
from scoring.models import offline
from scoring.models.model_settings import ModelEntry, ModelMissing, settings_hash

BATCH = 16
# A model reads a few hundred word pieces. What stands behind this many characters cannot be among them, and
# millions of them would be cut into pieces for nothing, again for each hypothesis.
CHARACTERS = 100_000


class PairScorer:
    """Scores (first, second) pairs of texts as the network gives them, one number for each of its labels.

    `labels`: by the position of their score, as the model's own configuration has them. `label` names model,
    weights and settings. Of a pair that is longer than the model reads, the end of the longer text is left
    out. Raises ModelMissing where the weights are absent or are not those of the configuration.
    """

    def __init__(self, entry: ModelEntry) -> None:
        folder, digest = entry.checked_path()
        offline.prepare()
        import torch
        from sentence_transformers import CrossEncoder

        try:
            self._model = CrossEncoder(str(folder), device="cpu", local_files_only=True)
        except Exception as error:  # noqa: BLE001  the libraries raise whatever a broken file leads to
            raise ModelMissing(
                f"The files of the model {entry.name} cannot be read as a cross-encoder "
                f"({type(error).__name__}); one may be cut or missing. Copy its folder anew and add the "
                "model again."
            ) from None
        if not _has_vocabulary(self._model.tokenizer):
            raise ModelMissing(
                f"The model {entry.name} reads every text as the same: the files of its tokenizer "
                "(tokenizer.json, vocab.txt or the like) are missing. Copy its whole folder and add the "
                "model again."
            )
        # Compared as they leave the model: a squashing function would make ties of what is far apart.
        self._unsquashed = torch.nn.Identity()
        id2label = self._model.config.id2label
        self.labels = tuple(str(id2label[number]) for number in sorted(id2label))
        self.name, self.sha256 = entry.name, digest
        pieces, settings = self._model.max_seq_length, settings_hash(folder)
        self.label = f"{entry.name}, weights {digest[:12]}, {pieces} word pieces, settings {settings[:8]}"

    def scores(self, pairs: Sequence[tuple[str, str]]) -> Array:
        """Return scores, shape (pairs, labels). Raise ModelMissing if the model answers with
        anything else.
        """
        if not pairs:
            return np.zeros((0, len(self.labels)))
        readable = [
            (offline.readable(first[:CHARACTERS]), offline.readable(second[:CHARACTERS]))
            for first, second in pairs
        ]
        predicted = self._model.predict(
            readable, batch_size=BATCH, activation_fn=self._unsquashed, show_progress_bar=False
        )
        scores = np.asarray(predicted, dtype=np.float64).reshape(len(pairs), -1)
        if scores.shape != (len(pairs), len(self.labels)) or not np.isfinite(scores).all():
            raise ModelMissing(
                f"The model {self.name} answers with something else than a number for each label. Its files "
                "do not belong together; add the model again."
            )
        return scores


def _has_vocabulary(tokenizer: Any) -> bool:
    """A tokenizer without its files is made all the same, and knows no word."""
    first, second = (tokenizer(text)["input_ids"] for text in ("sleep", "dogs"))
    return bool(first != second)


@lru_cache(maxsize=2)
def open_pair_scorer(entry: ModelEntry) -> PairScorer:
    """Load the model of an entry. Raise ModelMissing if it can't be used."""
    return PairScorer(entry)
