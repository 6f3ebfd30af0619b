"""What the server does before its first visitor comes."""

from __future__ import annotations

import pytest
import streamlit as st
from streamlit import delta_generator, env_util

from pages.widgets.server_lifetime import skip_prompt_check


def test_the_first_element_of_a_server_looks_through_no_sources(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def is_repl() -> bool:
        calls.append(True)
        return False

    monkeypatch.setattr(env_util, "is_repl", is_repl)
    monkeypatch.setattr(delta_generator, "_use_warning_has_been_displayed", False)
    st.empty()
    assert calls == [True], "Streamlit asks this nowhere else"
    monkeypatch.setattr(delta_generator, "_use_warning_has_been_displayed", False)
    skip_prompt_check()
    st.empty()
    assert calls == [True]
