"""A picture as a component of the page, because Streamlit's own HTML removes SVG."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from pages.widgets.scripts.modules import assemble
from reports.render.html_templates import read_style

FOLDER = Path(__file__).parent
_COMPONENT = st.components.v2.component(
    "second_reader_picture",
    html='<div class="picture"></div>',
    css=read_style("picture.css"),
    js=assemble(FOLDER / "main.js"),
)


def draw_picture(key: str, html: str) -> None:
    """Draw `html`, written by reports/render/block_html.py, which escapes all text from outside."""
    _COMPONENT(key=key, data={"html": html})
