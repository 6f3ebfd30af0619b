"""Work in a page says nothing for a moment, then how far it is, how long it takes, and how to stop it."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

SCRIPT = """
import streamlit as st
from pages.widgets.work_progress import WorkProgress

clock = [0.0]
progress = WorkProgress("work", lambda: None, lambda: clock[0])
for number in range(1, st.session_state["steps"] + 1):
    clock[0] += 0.5
    progress("read", number, 100)
if st.session_state["ends"]:
    progress.end()
"""


def shown(steps: int, ends: bool = False) -> AppTest:
    at = AppTest.from_string(SCRIPT)
    at.session_state["steps"], at.session_state["ends"] = steps, ends
    return at.run()


def test_short_work_shows_nothing() -> None:
    assert not shown(1).get("progress") and not shown(1).button


def test_longer_work_shows_a_bar_with_the_time_left_and_a_way_to_stop_it() -> None:
    at = shown(20)
    assert not at.exception
    assert at.get("progress")[0].proto.text == "20% read, about 40 s left"
    assert [button.label for button in at.button] == ["Stop"]


def test_what_has_ended_leaves_no_bar() -> None:
    assert not shown(20, ends=True).get("progress")
