from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from data.store import Store
from tests import small_study
from tests.small_study import Small


@pytest.fixture
def small(store: Store, tmp_path: Path) -> Callable[..., Small]:
    """A small study of so many conversations and raters."""

    def make(conversations: int = 8, raters: int = 3, **more: Any) -> Small:
        return small_study.make(store, tmp_path, conversation_count=conversations, raters=tuple(f"Rater {n}" for n in range(1, raters + 1)), **more)

    return make
