"""Level 3.2 of plan-output alignment: how alike the replies of an experiment are, by BERTScore over all
pairs.

Source: the published program behind the seed "Plan-Output Alignment"; of a pair the earlier reply is the
reference. The library is optional and is imported when a model is made.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from pathlib import Path
from typing import Any

from scoring.agreement.intervals.estimate import Estimate, undefined_estimate
from scoring.bad_input import BadInput, texts
from scoring.models import offline
from scoring.models.model_settings import MAX_REPLIES, BertScoreEntry, ModelMissing, bertscore

Means = tuple[float, float, float]
NAMES = ("precision", "recall", "f1")
TWO_REPLIES_NEEDED = "Fewer than two replies to compare."
NOT_COMPARABLE = "not comparable with the published values, which were made with DeBERTa-XLarge-MNLI"
PUBLISHED = ("deberta-xlarge-mnli", 40)
LONGEST = 512  # word pieces, as published
CHARACTERS = 100_000  # more than any model reads; see scoring/models/entailment.py


@dataclass(frozen=True)
class ResponseSimilarity:
    """Means over all pairs, `n` replies each; None where there is no pair.

    `blank`: replies that were left out. `cut`: replies that the model reads only in part.
    `reference`: what the published program prints, 1.0 where there is no pair. `model` names what compared.
    """

    precision: Estimate
    recall: Estimate
    f1: Estimate
    blank: int
    cut: int
    reference: dict[str, float]
    model: str


class BertScore:
    """BERTScore with one layer of a local model, without idf weights and without rescaling.

    Raises ModelMissing where the library or the weights are absent, or do not fit together.
    """

    def __init__(self, entry: BertScoreEntry) -> None:
        folder, digest = entry.checked_path()
        limit = _word_pieces(folder, entry)
        offline.prepare()
        os.environ.setdefault(
            "MPLBACKEND", "Agg"
        )  # the library loads matplotlib, which is not to look for a screen
        try:
            from bert_score import BERTScorer
        except ImportError as error:
            raise ModelMissing(
                "The library bert-score is not installed, so the replies of an experiment cannot be "
                "compared by BERTScore. "
                f"Install it with: .venv/bin/pip install bert-score==0.3.13 ({error})"
            ) from None
        self._scorer = BERTScorer(model_type=str(folder), num_layers=entry.num_layers, device="cpu")
        self._tokenizer: Any = self._scorer._tokenizer
        self.limit = self._tokenizer.model_max_length = min(limit, LONGEST, self._tokenizer.model_max_length)
        note = "" if (entry.name, entry.num_layers) == PUBLISHED else f"; {NOT_COMPARABLE}"
        self.label = (
            f"{entry.name}, layer {entry.num_layers}, weights {digest[:12]}, {self.limit} word pieces{note}"
        )

    def lengths(self, replies: Sequence[str]) -> list[int]:
        """Return the number of word pieces of each reply with the model's markers; 0 for a reply without
        pieces.
        """
        markers = self._tokenizer.num_special_tokens_to_add()
        pieces = [
            self._tokenizer.encode(_given(reply), add_special_tokens=False, truncation=False, verbose=False)
            for reply in replies
        ]
        return [len(found) + markers if found else 0 for found in pieces]

    def mean_over_pairs(self, replies: Sequence[str]) -> Means:
        """Return mean precision, recall and F1 over all pairs of `replies`, at least two, each with word
        pieces.
        """
        references, candidates = zip(*combinations(map(_given, replies), 2), strict=True)
        found = self._scorer.score(list(candidates), list(references))
        precision, recall, f1 = (float(values.double().mean()) for values in found)
        return precision, recall, f1


def response_similarity(
    responses: Sequence[str | None], model: BertScore | None = None
) -> ResponseSimilarity:
    """Return how alike the replies of an experiment are (BERTScore, mean over all pairs).

    Blank replies are left out; with fewer than two others the values are None.

    Raises:
        BadInput: anything but texts, or more than MAX_REPLIES (1,000).
        ModelMissing: the model can't be used.
    """
    replies = texts("responses", responses)
    if len(replies) > MAX_REPLIES:
        raise BadInput("responses", f"expected at most {MAX_REPLIES} replies, found {len(replies)}")
    compares = model or configured_bertscore()
    # A reply of invisible characters has no word pieces, and the library would give it the similarity 0.
    lengths = compares.lengths(replies)
    full_replies = [reply for reply, length in zip(replies, lengths, strict=True) if length]
    method = f"BERTScore, mean over pairs of {len(full_replies)} replies, {compares.label}"
    blank, cut = len(replies) - len(full_replies), sum(length > compares.limit for length in lengths)
    if len(full_replies) < 2:
        none = undefined_estimate(TWO_REPLIES_NEEDED, len(full_replies), method)
        return ResponseSimilarity(none, none, none, blank, cut, dict.fromkeys(NAMES, 1.0), compares.label)
    means = compares.mean_over_pairs(full_replies)
    precision, recall, f1 = (Estimate(mean, len(full_replies), method) for mean in means)
    return ResponseSimilarity(
        precision, recall, f1, blank, cut, dict(zip(NAMES, means, strict=True)), compares.label
    )


def _given(reply: str) -> str:
    return offline.readable(reply[:CHARACTERS])


def _word_pieces(folder: Path, entry: BertScoreEntry) -> int:
    """How many word pieces the network has places for. Raises ModelMissing for a folder that the library
    misreads.
    """
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        raise ModelMissing(
            f"The folder {folder} of the model {entry.name} has no config.json that can be read. Correct it "
            f"in {entry.file}."
        ) from None
    layers = config.get("num_hidden_layers")
    if isinstance(layers, int) and entry.num_layers > layers:
        raise ModelMissing(
            f"The model {entry.name} has {layers} layers, and num_layers is {entry.num_layers}. Correct it "
            f"in {entry.file}."
        )
    if "t5" in str(folder) and "t5" not in str(config.get("model_type")):
        raise ModelMissing(
            f"The library takes every model for a T5 whose path has t5 in it, as {folder} has. Move the "
            f"folder, and correct {entry.file}."
        )
    places = config.get("max_position_embeddings")
    return places if isinstance(places, int) and places > 0 else LONGEST


@lru_cache(maxsize=1)
def _loaded(entry: BertScoreEntry) -> BertScore:
    return BertScore(entry)


def configured_bertscore() -> BertScore:
    """Return the model of configs/bertscore.yaml, loaded once. Raise ModelMissing if it can't be used."""
    return _loaded(bertscore().model)
