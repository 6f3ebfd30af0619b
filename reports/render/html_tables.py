"""Tables as HTML, for a page and for a file: real ones, read aloud and printed. Text from outside is text in
them.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Protocol

LONGEST_WORD = 40  # letters


class Html(Protocol):
    """A cell that is more than text, such as a link, and escapes what it holds."""

    def html(self) -> str: ...


def table(
    caption: str, header: Sequence[str], rows: Sequence[Sequence[str | Html]], numeric: Sequence[int] = ()
) -> str:
    """`numeric` columns are aligned right. The first cell of a row is its header."""

    def cell(value: str | Html, column: int) -> str:
        inner = escape(value) if isinstance(value, str) else value.html()
        side = _classes(
            "sr-num" if column in numeric else "",
            "sr-long" if isinstance(value, str) and _is_long(value) else "",
        )
        return f'<th scope="row"{side}>{inner}</th>' if column == 0 else f"<td{side}>{inner}</td>"

    def column(i: int, name: str) -> str:
        classes = _classes("sr-num" if i in numeric else "", "sr-long" if _is_long(name) else "")
        return f'<th scope="col"{classes}>{escape(name)}</th>'

    head = "".join(column(i, name) for i, name in enumerate(header))
    body = "".join("<tr>" + "".join(cell(value, i) for i, value in enumerate(row)) + "</tr>" for row in rows)
    return _framed("sr-table", caption, head, body)


def _classes(*names: str) -> str:
    return f' class="{" ".join(filter(None, names))}"' if any(names) else ""


def _is_long(text: str) -> bool:
    """Whether a word is wider than any column should be. Only such cells may break within words: others would
    be squeezed letter by letter.
    """
    return any(len(word) > LONGEST_WORD for word in text.split())


def square(
    caption: str,
    corner: str,
    down: Sequence[str],
    across: Sequence[str],
    texts: Sequence[Sequence[str]],
    shades: Sequence[Sequence[float | None]],
) -> str:
    """Counts whose cells are darker the larger their share, 0 to 1; what they hold stands in them as text."""

    def cell(text: str, shade: float | None) -> str:
        tint = (
            f' style="background: color-mix(in srgb, currentColor {round(22 * shade)}%, transparent)"'
            if shade
            else ""
        )
        return f'<td class="sr-num"{tint}>{escape(text)}</td>'

    head = f'<th scope="col" class="sr-small">{escape(corner)}</th>' + "".join(
        f'<th scope="col"{_classes("sr-num", "sr-long" if _is_long(name) else "")}>{escape(name)}</th>'
        for name in across
    )
    body = "".join(
        f'<tr><th scope="row"{_classes("sr-long" if _is_long(name) else "")}>{escape(name)}</th>'
        f"{''.join(cell(text, shade) for text, shade in zip(row, tints, strict=True))}</tr>"
        for name, row, tints in zip(down, texts, shades, strict=True)
    )
    return _framed("sr-table sr-square", caption, head, body)


def _framed(kind: str, caption: str, head: str, body: str) -> str:
    """With a scroll of its own, which the keyboard reaches."""
    return (
        f'<div class="sr-wide" tabindex="0" role="region" aria-label="{escape(caption)}"><table '
        f'class="{kind}"><caption>{escape(caption)}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )
