"""A real, tiny model for whatever asks whether one text follows from another."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.models.tiny_cross_encoder import write_cross_encoder


@pytest.fixture(scope="session")
def tiny_entailer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_cross_encoder(tmp_path_factory.mktemp("tiny"))


@pytest.fixture
def weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which models are added, which is not there yet."""
    folder = tmp_path / "weights"
    monkeypatch.setenv("SECOND_READER_WEIGHTS", str(folder))
    return folder
