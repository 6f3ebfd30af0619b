"""The least that a Streamlit page can do for one event: a component in a fragment, one durable commit, a
counter painted.

Run by `streamlit run` from the bench "commit"; not a part of the app.
"""

from __future__ import annotations

import os
import sqlite3
import threading

import streamlit as st

JS = """
export default function (component) {
  const { data, parentElement, setStateValue } = component;
  const shown = parentElement.querySelector(".count");
  shown.textContent = String(data.count);
  shown.press = () => setStateValue("pressed", data.count + 1);
  if (shown.stop) return shown.stop;
  const listen = event => { if (event.ctrlKey && event.key === "Enter") shown.press(); };
  document.addEventListener("keydown", listen);
  shown.stop = () => document.removeEventListener("keydown", listen);
  return shown.stop;
}
"""
COMPONENT = st.components.v2.component(
    "bench_bare", html='<p class="bare">count <span class="count"></span></p>', js=JS
)


@st.cache_resource(show_spinner=False)
def _kept() -> tuple[sqlite3.Connection, threading.Lock]:
    raw = sqlite3.connect(os.environ["BENCH_BARE_DATABASE"], isolation_level=None, check_same_thread=False)
    raw.execute("PRAGMA journal_mode=WAL")
    raw.execute("PRAGMA synchronous=FULL")
    raw.execute("CREATE TABLE IF NOT EXISTS kept (id INTEGER PRIMARY KEY, pressed INTEGER)")
    return raw, threading.Lock()


@st.fragment
def bare() -> None:
    pressed = (st.session_state.get("bare") or {}).get("pressed") or 0
    if pressed > st.session_state.get("count", 0):
        raw, lock = _kept()
        with lock:
            raw.execute("BEGIN IMMEDIATE")
            raw.execute("INSERT INTO kept (pressed) VALUES (?)", (pressed,))
            raw.execute("COMMIT")
        st.session_state["count"] = pressed
    COMPONENT(key="bare", data={"count": st.session_state.get("count", 0)}, on_pressed_change=lambda: None)


st.set_page_config(layout="wide")
bare()
