"""Text from outside, shown as text: the one way onto a page for what an import or a person wrote.

Streamlit's own write and markdown render images, links and styles; these do not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import streamlit as st

from pages.widgets import emphasis
from reports.refusals import word_error
from reports.render.block_html import paragraph_html, table_html

CAME_FOR = "sr-came-for"  # the class of what is said above a message that somebody came for


def paragraph(text: str, small: bool = False, term: str = "") -> None:
    """`term`: what the field calls it, for whoever points at it."""
    st.html(paragraph_html(text, "small" if small else "plain", term))


def chart_title(text: str) -> None:
    st.html(f'<p class="sr-chart-title" dir="auto">{escape(text)}</p>')


def plain(text: str) -> str:
    """For labels and messages, which Streamlit reads as Markdown: its characters escaped."""
    return "".join("\\" + c if c in "\\`*_{}[]()#+-.!|<>~:$&" else c for c in text)


def show_error(error: Exception) -> None:
    st.error(plain(word_error(error)))


def preformatted(text: str) -> None:
    """Text with its line ends as they are, wrapped to the page."""
    st.html(f'<pre class="sr-pre" tabindex="0" dir="auto">{escape(text)}</pre>')


def link(text: str, target: str, term: str = "") -> None:
    """A link inside the app, on a line of its own. `term`: what the field calls it."""
    title = f' title="{escape(term, quote=True)}"' if term else ""
    st.html(f'<p class="sr-text"{title}>{Link(text, target).__html__()}</p>')


def turn_links(previous: str, following: str) -> None:
    """To the one before and the one behind, in one line; the keys J and K follow them. Empty for none."""
    ways = (("Previous", previous, "sr-previous", "K"), ("Next", following, "sr-next", "J"))
    inner = "".join(
        f'<a class="{name}" href="{escape(target)}" target="_self" title="{key}">{text}</a> '
        for text, target, name, key in ways
        if target
    )
    st.html(f'<p class="sr-small sr-turn">{inner}</p>')


def conversation(messages: Sequence[tuple[str, str, bool]], came_for: tuple[int, str] = (-1, "")) -> None:
    """Messages as (who, text, marked) with a scroll of their own: a marked one is what the page is about.
    `came_for`: the message that somebody came for, and what is said above it.
    """
    place, note = came_for
    inner = "".join(
        (f'<p class="sr-small {CAME_FOR}">{escape(note)}</p>' if number == place else "")
        + f'<article class="sr-message{" sr-marked" if marked else ""}"><p class="sr-small">{escape(who)}</p>'
        f'<p class="sr-text" dir="auto">{emphasis.html_of(text)}</p></article>'
        for number, (who, text, marked) in enumerate(messages)
    )
    st.html(f'<div class="sr-scroll" tabindex="0" role="region" aria-label="Conversation">{inner}</div>')


def excerpt(label: str, messages: Sequence[tuple[str, str]]) -> None:
    """The beginning of a conversation as (who, text), in a frame."""
    inner = "".join(
        f'<p class="sr-small">{escape(who)}</p><p class="sr-text" dir="auto">{emphasis.html_of(text)}</p>'
        for who, text in messages
    )
    st.html(f'<div class="sr-excerpt" role="group" aria-label="{escape(label, quote=True)}">{inner}</div>')


@dataclass(frozen=True)
class Statement:
    """What one person or judge said: who, the label, what stands beside it, their words, and what they
    quote.
    """

    who: str
    said: str
    beside: str = ""
    words: Sequence[str] = ()
    quotes: Sequence[str] = ()

    def html(self) -> str:
        inner = "".join(f'<p class="sr-text" dir="auto">{emphasis.html_of(text)}</p>' for text in self.words)
        inner += "".join(
            f'<blockquote dir="auto">{emphasis.html_of(text)}</blockquote>' for text in self.quotes
        )
        return (
            f'<section class="sr-answer"><p><strong>{escape(self.who)}</strong><span '
            f'class="sr-said">{escape(self.said)}</span>'
            f'<span class="sr-small">{escape(self.beside)}</span></p>{inner}</section>'
        )


def answers(listed: Sequence[Statement]) -> None:
    """One under the other."""
    st.html("".join(statement.html() for statement in listed))


def heading(text: str, level: int = 2) -> None:
    st.html(f'<h{level} class="sr-h{level}">{escape(text)}</h{level}>')


def table(
    caption: str, header: Sequence[str], rows: Sequence[Sequence[str | Link]], numeric: Sequence[int] = ()
) -> None:
    st.html(table_html(caption, header, rows, numeric))


def window(
    caption: str, header: Sequence[str], rows: Sequence[Sequence[str | Link]], numeric: Sequence[int] = ()
) -> None:
    """A table that scrolls by itself where it is long."""
    st.html(f'<div class="sr-window">{table_html(caption, header, rows, numeric)}</div>')


class Link:
    """A link inside the app; `target` is made by us from numbers and known keys."""

    def __init__(self, text: str, target: str) -> None:
        self.text, self.target = text, target

    def __html__(self) -> str:
        return f'<a href="{escape(self.target, quote=True)}" target="_self">{escape(self.text)}</a>'
