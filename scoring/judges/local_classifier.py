"""A judge without a language model: a cross-encoder on this machine scores how well a reply fits what a
criterion asks, and thresholds that were fitted on settled labels make a label of the score.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from configs.settings import Settings
from scoring.arrays import Array
from scoring.bad_input import BadInput
from scoring.classifier_fit import ClassifierThresholds, read_thresholds
from scoring.entailment import ENTAILMENT
from scoring.judges.catalogue import JudgeEntry, JudgeUnusable
from scoring.judges.judge_client import JudgeAnswer, JudgeRequest, RequestMaterial, Usage, WithoutBatches
from scoring.models.installed_models import entry_of
from scoring.models.model_settings import ModelMissing
from scoring.models.pair_scorer import PairScorer, open_pair_scorer

ADAPTER = "local classifier 1"


class LocalClassifier(WithoutBatches):
    """Costs nothing and sends nothing. Raises JudgeUnusable where model or thresholds are missing."""

    adapter = ADAPTER

    def __init__(self, entry: JudgeEntry, folder: Path) -> None:
        self._model = entry.model
        try:
            self._thresholds = thresholds_of(entry, folder)
            self._scorer = open_pair_scorer(entry_of(Settings.read().weights, entry.model))
        except (BadInput, ModelMissing) as error:
            raise JudgeUnusable(str(error)) from None
        if self._thresholds.model != self._scorer.label:
            raise JudgeUnusable(
                f"The thresholds were fitted with {self._thresholds.model}, and the model here is "
                f"{self._scorer.label}. Fit the judge again (second-reader fit)."
            )

    async def ask(self, request: JudgeRequest, room: int = 1) -> JudgeAnswer:
        """Return the label of the mean score of the replies; status "rejected" or "invalid" if there is
        none.
        """
        if request.material is None:
            return JudgeAnswer("rejected", detail="a local classifier answers single criteria only")
        cuts = self._thresholds.criteria.get(request.material.criterion)
        if cuts is None:
            return JudgeAnswer("rejected", detail="no thresholds were fitted for this criterion")
        try:
            scores = await asyncio.to_thread(score_replies, self._scorer, request.material)
        except ModelMissing:
            return JudgeAnswer("rejected", detail="the model gave no numbers")
        if not scores:
            return JudgeAnswer("invalid", detail="there is no reply to score", served=self._model)
        score, best = float(np.mean(scores)), int(np.argmax(scores))
        turn = request.material.turns[best]
        listed = ", ".join(f"{cut:.3f}" for cut in cuts.cuts)
        reply = {
            "reasoning": f"Score {score:.3f}, cuts {listed}. The reply of turn {turn} fits best.",
            **({"cited_turns": [turn] if turn else []} if request.material.cites_turns else {}),
            "label": cuts.label(score),
        }
        return JudgeAnswer("ok", text=json.dumps(reply), served=self._model, usage=Usage())

    async def close(self) -> None:
        """Do nothing: there are no connections."""
        return None


def thresholds_of(entry: JudgeEntry, folder: Path) -> ClassifierThresholds:
    """Read the thresholds file that the entry names, relative to `folder` (that of models.yaml) or
    absolute.

    Raise BadInput if it can't be used.
    """
    return read_thresholds(folder / str(entry.options.get("thresholds", "")))


def score_replies(scorer: PairScorer, material: RequestMaterial) -> list[float]:
    """Return one score per reply, higher where it fits the statement better.

    With several labels it is the probability of entailment, 0 to 1, else the model's own score. Raise
    ModelMissing if the model does not answer as expected.
    """
    has_labels = len(scorer.labels) > 1
    pairs = [
        (reply, material.statement) if has_labels else (material.statement, reply)
        for reply in material.replies
    ]
    raw = scorer.scores(pairs)
    if not has_labels:
        return [float(row[0]) for row in raw]
    place = [label.strip().lower() for label in scorer.labels].index(ENTAILMENT)
    return [float(value) for value in _softmax(raw)[:, place]]


def _softmax(scores: Array) -> Array:
    powers = np.exp(scores - scores.max(axis=1, keepdims=True, initial=-np.inf))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))


def mean_score(scores: Sequence[float]) -> float | None:
    """Return the mean of a unit's scores over its replies; None without replies."""
    return float(np.mean(scores)) if scores else None
