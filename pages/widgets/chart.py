"""A chart below its title. The title is text of the page, because a narrow screen would cut it off in the
picture.
"""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import streamlit as st

from pages.widgets import untrusted_text

OF_TITLE = 25  # pixels that the title took above the picture


def draw_chart(figure: Any, key: str, **options: Any) -> Any:
    """Draw the chart and return Streamlit's selection. Later lines of the title are small."""
    title, margin = figure.layout.title.text, figure.layout.margin.t
    if title:
        first, *further = title.split("<br>")
        with st.container(key=f"titled-{key}", gap=None):
            untrusted_text.chart_title(_plain_words(first))
            for line in further:
                untrusted_text.paragraph(_plain_words(line), small=True)
        figure.update_layout(title=None, margin={"t": max(30, (margin or 0) - OF_TITLE)})
    return st.plotly_chart(figure, key=key, **options)


def _plain_words(line: str) -> str:
    """Remove our own tags. Tags in text from outside are escaped and stay."""
    return unescape(re.sub(r"<[^>]*>", "", line))
