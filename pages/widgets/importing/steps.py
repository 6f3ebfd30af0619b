"""The four steps of bringing a file in, and where one is."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st


def show_steps(titles: Sequence[str], here: int) -> None:
    """`here`: the number of the step that is open, from 0; those before it are done."""
    items = "".join(
        f'<li class="sr-done"><span aria-hidden="true">✓</span> {title}'
        '<span class="sr-unseen">, done</span></li>'
        if number < here
        else f"<li{' aria-current=step' if number == here else ''}>{number + 1} {title}</li>"
        for number, title in enumerate(titles)
    )
    st.html(f'<ol class="sr-steps" aria-label="Steps">{items}</ol>')
