"""A key in the environment, and the model server."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.servers.judges import SECRET, VARIABLE
from tests.servers.model_server import ModelServer, serving


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, SECRET)


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with serving() as started:
        yield started
