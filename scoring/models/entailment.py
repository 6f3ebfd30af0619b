"""Entailment with a sentence-transformers cross-encoder, offline and on the processor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np

from scoring.entailment import VERDICTS, Verdict
from scoring.models import offline
from scoring.models.configured import EntailmentEntry, ModelMissing, entailment

BATCH = 16
# A model reads a few hundred word pieces. What stands behind this many characters cannot be among them, and
# millions of them would be cut into pieces for nothing, again for each hypothesis.
CHARACTERS = 100_000


class Entailer:
    """Says of each (premise, hypothesis) whether the second follows from the first. `label` names model and
    weights.

    Of a pair that is longer than the model reads, the end of the longer text is left out.
    Raises ModelMissing where the weights are absent, are not those of the configuration, or have other
    labels.
    """

    def __init__(self, entry: EntailmentEntry) -> None:
        folder, digest = entry.checked_path()
        offline.prepare()
        import torch
        from sentence_transformers import CrossEncoder

        self._model = CrossEncoder(str(folder), device="cpu", local_files_only=True)
        # Compared as they leave the model: a squashing function would make ties of what is far apart.
        self._as_they_are = torch.nn.Identity()
        self._order = label_order(self._model.config.id2label, entry.name)
        self.name, self.sha256 = entry.name, digest
        self.label = f"{entry.name}, weights {digest[:12]}, {self._model.max_seq_length} word pieces"

    def verdicts(self, pairs: Sequence[tuple[str, str]]) -> list[Verdict]:
        if not pairs:
            return []
        readable = [
            (offline.readable(premise[:CHARACTERS]), offline.readable(hypothesis[:CHARACTERS]))
            for premise, hypothesis in pairs
        ]
        scores = np.asarray(
            self._model.predict(
                readable, batch_size=BATCH, activation_fn=self._as_they_are, show_progress_bar=False
            )
        )
        if scores.shape != (len(pairs), len(self._order)) or not np.isfinite(scores).all():
            raise ModelMissing(
                f"The model {self.name} answers with something else than a number for each label. Its files "
                "in the folder "
                f"of {EntailmentEntry.file} do not belong together; install the model again."
            )
        return [self._order[number] for number in scores.argmax(axis=1)]


def label_order(id2label: Mapping[int, str], name: str) -> tuple[Verdict, ...]:
    """The model's labels by the position of their score, as its own configuration has them. Raises
    ModelMissing.
    """
    written = [str(id2label[number]) for number in sorted(id2label)]
    order = tuple(
        verdict for label_name in written for verdict in VERDICTS if verdict == label_name.strip().lower()
    )
    if sorted(order) != sorted(VERDICTS) or len(written) != len(order):
        raise ModelMissing(
            f"The model {name} has the labels {', '.join(written)}; needed are {', '.join(VERDICTS)}. "
            f"Name another model in {EntailmentEntry.file}, or correct id2label in the model's config.json."
        )
    return order


@lru_cache(maxsize=1)
def _loaded(entry: EntailmentEntry) -> Entailer:
    return Entailer(entry)


def configured_entailer() -> Entailer:
    """The model of configs/entailment.yaml, loaded once. Raises ModelMissing."""
    return _loaded(entailment().entry())
