"""Bringing what somebody came for into view, once."""

from __future__ import annotations

import streamlit as st

SCRIPT = """
export default function ({ data, parentElement }) {
  // It is gone with the page, so that who comes again is brought there again.
  if (parentElement.scrolledFor === data.once) return;
  const look = (times) => {
    const found = document.querySelector(`.${data.place}`);
    if (found) { parentElement.scrolledFor = data.once; found.scrollIntoView({ block: "start" }); }
    else if (times) setTimeout(() => look(times - 1), 100);
  };
  look(30);
}
"""
_COMPONENT = st.components.v2.component("second_reader_scroll_to", html="<span></span>", js=SCRIPT)


def scroll_to(place: str, once: str) -> None:
    """`place`: the class of an element on this page; `once`: what for, so that the next run of the page does
    not scroll again.
    """
    _COMPONENT(key=f"scroll-{place}", data={"place": place, "once": once})
