"""A lead with the small study, a key, and short breaths between tries."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from runs.asking import engine
from tests.servers.judges import SECRET, VARIABLE, gemini_fields
from tests.servers.judging import Lead
from tests.servers.model_server import ModelServer, serving
from tests.studies.small_study import Small


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with serving() as started:
        yield started


@pytest.fixture
def lead(
    server: ModelServer, make_study: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Lead]:
    """Whatever a test does, the trail verifies after it."""
    monkeypatch.setenv(VARIABLE, SECRET)
    monkeypatch.setattr(engine, "SPELL", (0.005, 0.01))
    small: Small = make_study(data_class="synthetic", with_judges=False)  # type: ignore[operator]
    lead = Lead(small, server, tmp_path, gemini_fields(server, max_output_tokens=256))
    yield lead
    assert lead.problems() == []
