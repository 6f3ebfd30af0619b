"""Text from outside, shown as text. Everything that an import or a person wrote reaches a page through this
module, because Streamlit's own write and markdown render images, links and styles.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import streamlit as st

from pages.widgets import emphasis
from reports.refusals import word_error
from reports.render.block_html import paragraph_html, table_html

# Emphasis, links, images, code, HTML, colours, icons, mathematics, addresses, and what begins a block.
MARKUP = re.compile(r"[\\`*_\[\]<>$:~|@&]|www\.|^\s*([-+#=]|\d+[.)]\s)")
CAME_FOR = "sr-came-for"  # the class of the note above a message that a link opened


def paragraph(text: str, small: bool = False, term: str = "") -> None:
    """Show a paragraph. `term`: the technical term, as a tooltip."""
    st.html(paragraph_html(text, "small" if small else "plain", term))


def chart_title(text: str) -> None:
    """Show the title of a chart; the text is escaped."""
    st.html(f'<p class="sr-chart-title" dir="auto">{escape(text)}</p>')


def plain(text: str) -> str:
    r"""Return the text for labels and messages, which Streamlit reads as Markdown: a backslash before each
    of \`*_{}[]()#+-.!|<>~:$&.
    """
    return "".join("\\" + c if c in "\\`*_{}[]()#+-.!|<>~:$&" else c for c in text)


def label(text: str) -> str:
    """Return the text for a widget's label, which is also its name for a screen reader: as it is where
    Markdown reads nothing into it, otherwise as `plain` does.
    """
    return plain(text) if MARKUP.search(text) else text


def show_error(error: Exception) -> None:
    """Show the sentence for an error."""
    st.error(plain(word_error(error)))


def preformatted(text: str) -> None:
    """Show text with its line ends, wrapped to the page."""
    st.html(f'<pre class="sr-pre" tabindex="0" dir="auto">{escape(text)}</pre>')


def link(text: str, target: str, term: str = "") -> None:
    """Show a link inside the app on its own line. `term`: the technical term, as a tooltip."""
    title = f' title="{escape(term, quote=True)}"' if term else ""
    st.html(f'<p class="sr-text"{title}>{Link(text, target).__html__()}</p>')


def turn_links(previous: str, following: str) -> None:
    """Show links to the previous and next item on one line; the keys K and J follow them. "" for none."""
    ways = (("Previous", previous, "sr-previous", "K"), ("Next", following, "sr-next", "J"))
    inner = "".join(
        f'<a class="{name}" href="{escape(target)}" target="_self" title="{key}">{text}</a> '
        for text, target, name, key in ways
        if target
    )
    st.html(f'<p class="sr-small sr-turn">{inner}</p>')


def conversation(messages: Sequence[tuple[str, str, bool]], came_for: tuple[int, str] = (-1, "")) -> None:
    """Show messages, (who, text, marked), in their own scroll area. `came_for`: the message that a link
    opened, and the note above it.
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
    """Show the beginning of a conversation, (who, text), in a frame."""
    inner = "".join(
        f'<p class="sr-small">{escape(who)}</p><p class="sr-text" dir="auto">{emphasis.html_of(text)}</p>'
        for who, text in messages
    )
    st.html(f'<div class="sr-excerpt" role="group" aria-label="{escape(label, quote=True)}">{inner}</div>')


@dataclass(frozen=True)
class Statement:
    """What one person or judge said: who, the label, a note next to it, their words, and their quotes."""

    who: str
    said: str
    beside: str = ""
    words: Sequence[str] = ()
    quotes: Sequence[str] = ()

    def html(self) -> str:
        """Return the statement as HTML; all text is escaped."""
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
    """Show statements one below another."""
    st.html("".join(statement.html() for statement in listed))


def heading(text: str, level: int = 2) -> None:
    """Show a heading; the text is escaped."""
    st.html(f'<h{level} class="sr-h{level}">{escape(text)}</h{level}>')


def table(
    caption: str, header: Sequence[str], rows: Sequence[Sequence[str | Link]], numeric: Sequence[int] = ()
) -> None:
    """Show a table; all text is escaped."""
    st.html(table_html(caption, header, rows, numeric))


def window(
    caption: str, header: Sequence[str], rows: Sequence[Sequence[str | Link]], numeric: Sequence[int] = ()
) -> None:
    """Show a table; a long one scrolls inside its own area."""
    st.html(f'<div class="sr-window">{table_html(caption, header, rows, numeric)}</div>')


class Link:
    """A link inside the app. We build `target` from numbers and known keys."""

    def __init__(self, text: str, target: str) -> None:
        self.text, self.target = text, target

    def __html__(self) -> str:
        return f'<a href="{escape(self.target, quote=True)}" target="_self">{escape(self.text)}</a>'
