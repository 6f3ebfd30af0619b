"""Print text from outside so that it can't control the terminal."""

from __future__ import annotations

import unicodedata

import click

# Characters that change the direction of text, or end a line only in some terminals.
STEERING = frozenset("\u061c\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def printable(text: str) -> str:
    """Return the text with control characters except line end and tab escaped, such as \\x1b."""
    return "".join(
        character if character in "\n\t" or not _steers(character) else _written_out(character)
        for character in text
    )


def one_line(text: str) -> str:
    """Return a title or name on one line, without tabs."""
    return printable(" ".join(text.split()))


def echo(text: str, err: bool = False) -> None:
    """Print a line that may hold text from outside."""
    click.echo(printable(text), err=err)


def renew_line(text: str, width: int) -> None:
    """Print over the last line of `width` characters, on stderr, without leaving any of it."""
    line = one_line(text)
    click.echo(f"\r{line.ljust(width)}{'' if line else chr(13)}", nl=False, err=True)


def _steers(character: str) -> bool:
    return character in STEERING or unicodedata.category(character) in ("Cc", "Cs")


def _written_out(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")
