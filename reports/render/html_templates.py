"""Templates of HTML that escape by themselves: whatever is put into one is text, unless it says that it is
markup (`__html__`).
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

TEMPLATES = Path(__file__).with_name("templates")
LONGEST_WORD = 40  # letters


@lru_cache
def environment() -> Environment:
    """Return the environment of the templates, which escapes all values."""
    made = Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined, auto_reload=False
    )
    made.tests["long_word"] = has_long_word
    return made


def read_style(*names: str) -> str:
    """Return the style sheets with these names, one after the other."""
    return "".join((TEMPLATES / name).read_text(encoding="utf-8") for name in names)


def has_long_word(cell: object) -> bool:
    """Tell whether a cell is a text with a word of more than LONGEST_WORD (40) characters, so that it may
    break within words.
    """
    return isinstance(cell, str) and any(len(word) > LONGEST_WORD for word in cell.split())
