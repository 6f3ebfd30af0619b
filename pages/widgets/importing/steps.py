"""The four steps of an import, and the current one."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st


def show_steps(titles: Sequence[str], here: int, left_out: Sequence[str] = ()) -> None:
    """Show the steps. `here`: the open step, from 0; earlier ones are done. `left_out`: steps that this file
    doesn't need; they keep their numbers.
    """
    items = "".join(_step(title, number, here, title in left_out) for number, title in enumerate(titles))
    st.html(f'<ol class="sr-steps" aria-label="Steps">{items}</ol>')


def _step(title: str, number: int, here: int, is_left_out: bool) -> str:
    if is_left_out:
        return f"<li>{number + 1} {title}: not needed</li>"
    if number < here:
        return (
            f'<li class="sr-done"><span aria-hidden="true">✓</span> {title}'
            '<span class="sr-unseen">, done</span></li>'
        )
    return f"<li{' aria-current=step' if number == here else ''}>{number + 1} {title}</li>"
