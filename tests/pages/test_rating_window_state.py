"""What one window of the rating page remembers is of one rater in one study."""

from __future__ import annotations

from typing import Any

import pytest
import streamlit as st

from pages.widgets.workbench.window_state import rating_window


def test_each_rater_and_each_study_of_a_tab_has_a_window_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    state: dict[str, Any] = {}
    monkeypatch.setattr(st, "session_state", state)
    first = rating_window(1, 1)
    first.last_view = {"said": "by the first rater"}
    assert rating_window(1, 1) is first
    for other in (rating_window(1, 2), rating_window(2, 1), rating_window(11, 1), rating_window(1, 11)):
        assert other is not first and other.last_view is None
    assert len(state) == 5
