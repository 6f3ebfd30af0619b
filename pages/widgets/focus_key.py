"""The key O begins the writing, as on the review page; Esc ends it, so that the other keys work again.

Settling opens the next label. In a text Streamlit takes Ctrl+Enter twice, for form and button, and the second
message would still carry the address of the label before: so the button is pressed once, whatever is held
down or pressed again.
"""

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
  const stop = (event) => { event.preventDefault(); event.stopImmediatePropagation(); };
  const settle = (event) => {
    const button = document.querySelector(".st-key-settle button");
    const form = event.composedPath()[0].closest?.("[data-testid=stForm]");
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || !button) return;
    if (form ? !form.contains(button) : document.querySelector(".st-key-answer")) return;
    stop(event);
    if (!event.repeat) button.click();
  };
  const again = (event) => {
    if (event.detail > 1 && event.composedPath()[0].closest?.(".st-key-settle")) stop(event);
  };
  const listening = new AbortController();
  document.addEventListener("keydown", listen, { signal: listening.signal });
  window.addEventListener("keydown", settle, { capture: true, signal: listening.signal });
  window.addEventListener("click", again, { capture: true, signal: listening.signal });
  return () => listening.abort();
}
"""
_COMPONENT = st.components.v2.component("second_reader_focus_key", html="<span></span>", js=SCRIPT)


def focus_key() -> None:
    """For a page with one text to write first."""
    _COMPONENT(key="focus-key")
