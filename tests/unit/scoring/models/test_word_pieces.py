"""Counting word pieces without torch gives what the embedder itself counts."""

from __future__ import annotations

import subprocess
import sys

import pytest

from configs.settings import ROOT
from scoring.models import word_pieces
from scoring.models.embedder import configured_embedder
from scoring.models.model_settings import Embedders
from scoring.models.word_pieces import counted

TEXTS = [
    "",
    "Plan a walk.",
    "Überforderung 😀 naïve <b>&amp;",
    "half \ud800 a character",
    "x" * 300,
    "Ask directly. " * 200,
]


@pytest.mark.parametrize("text", TEXTS)
def test_it_counts_as_the_embedder_does(text: str) -> None:
    model, found = configured_embedder(), counted(text)
    assert found is not None
    assert (found.pieces, found.window) == (len(model.pieces([text])[0]), model.window)
    assert found.fits == (found.pieces <= model.window)


def test_a_model_that_is_not_there_counts_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    missing = Embedders.model_validate({"default": "m", "embedders": [{"name": "m", "folder": "/nowhere"}]})
    monkeypatch.setattr(word_pieces, "embedders", lambda: missing)
    assert counted("Plan a walk.") is None


def test_it_loads_no_torch() -> None:
    program = (
        "import sys; from scoring.models.word_pieces import counted; assert counted('walk'); assert "
        "'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True, cwd=ROOT.parent)
