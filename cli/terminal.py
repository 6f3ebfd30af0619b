"""What is printed: text from outside never steers the terminal."""

from __future__ import annotations

import unicodedata

import click

# Characters that turn the direction of what follows, or end a line in some terminals and not in others.
STEERING = frozenset("\u061c\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def printable(text: str) -> str:
    """The text with every control character but line end and tab written out: an escape becomes \\x1b."""
    return "".join(
        character if character in "\n\t" or not _steers(character) else _written_out(character)
        for character in text
    )


def one_line(text: str) -> str:
    """A title or name on one line of a list, without tabs."""
    return printable(" ".join(text.split()))


def echo(text: str, err: bool = False) -> None:
    """Print a line that may hold text from outside."""
    click.echo(printable(text), err=err)


def renew_line(text: str, width: int) -> None:
    """Print over the line before, on stderr; `width`: how long that was. Nothing of it is left, and the next
    text begins where this one did.
    """
    line = one_line(text)
    click.echo(f"\r{line.ljust(width)}{'' if line else chr(13)}", nl=False, err=True)


def _steers(character: str) -> bool:
    return character in STEERING or unicodedata.category(character) in ("Cc", "Cs")


def _written_out(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")
