"""What models compute once a process: many tests score the same conversations."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import pytest

from scoring.arrays import Array
from scoring.models.embedder import Embedder, Pieces, Vectors
from scoring.models.pair_scorer import PairScorer


def remember_forward_passes(patch: pytest.MonkeyPatch) -> None:
    """Batch by batch, since what stands beside a text in its batch moves the eighth digit of its vector."""
    patch.setattr(Embedder, "_forward", lambda self, batch: _vectors_of(self, tuple(batch)).copy())


_compute: Any = Embedder._forward


@cache
def _vectors_of(embedder: Embedder, batch: tuple[Pieces, ...]) -> Vectors:
    vectors: Vectors = _compute(embedder, list(batch))
    return vectors


def remember_pair_scores(patch: pytest.MonkeyPatch) -> None:
    """All pairs of one call together, for the same reason; models with the same weights are one."""
    patch.setattr(PairScorer, "scores", _remembered_scores)


_score: Any = PairScorer.scores
_SCORES: dict[tuple[str, tuple[tuple[str, str], ...]], Array] = {}


def _remembered_scores(scorer: PairScorer, pairs: Sequence[tuple[str, str]]) -> Array:
    call = scorer.label, tuple(pairs)
    if call not in _SCORES:
        _SCORES[call] = _score(scorer, pairs)
    return _SCORES[call].copy()
