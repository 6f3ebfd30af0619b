"""The key O begins the writing, as on the review page; Esc ends it, so that the other keys work again."""

from __future__ import annotations

import streamlit as st

SCRIPT = """
export default function () {
  const typing = (node) => node instanceof HTMLElement
    && (node.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(node.tagName));
  const listen = (event) => {
    const target = event.composedPath()[0];
    if (event.key === "Escape" && typing(target)) target.blur();
    const alone = !event.ctrlKey && !event.metaKey && !event.altKey;
    if (event.key.toLowerCase() !== "o" || !alone || typing(target)) return;
    const words = document.querySelector("textarea");
    if (!words) return;
    event.preventDefault();
    words.focus();
  };
  document.addEventListener("keydown", listen);
  return () => document.removeEventListener("keydown", listen);
}
"""
_COMPONENT = st.components.v2.component("second_reader_focus_key", html="<span></span>", js=SCRIPT)


def focus_key() -> None:
    """For a page with one text to write first."""
    _COMPONENT(key="focus-key")
