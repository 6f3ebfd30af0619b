"""Sentence vectors that the model computes once a process: many tests score the same conversations."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from scoring.models.embedder import Embedder, Pieces, Vectors


def remember_forward_passes(patch: pytest.MonkeyPatch) -> None:
    """Batch by batch, since what stands beside a text in its batch moves the eighth digit of its vector."""
    patch.setattr(Embedder, "_forward", lambda self, batch: _vectors_of(self, tuple(batch)).copy())


_compute: Any = Embedder._forward


@cache
def _vectors_of(embedder: Embedder, batch: tuple[Pieces, ...]) -> Vectors:
    vectors: Vectors = _compute(embedder, list(batch))
    return vectors
