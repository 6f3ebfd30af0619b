"""Read the cells of a run table as numbers within a range."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any

ID = "run_id"
MAX_CELL_SHOWN = 30  # of a bad cell, in an error
PLAIN = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
COMMA = re.compile(r"[+-]?\d+,\d+", re.ASCII)


class UnexpectedCell(Exception):
    """A cell has the wrong content; the message says what it holds and what was expected."""


@dataclass(frozen=True)
class NumberRange:
    low: float
    high: float
    words: str
    share: bool = False


SHARE = NumberRange(0, 1, "a number from 0 to 1", share=True)
SIMILARITY = NumberRange(-1, 1, "a number from -1 to 1", share=True)
TEMPERATURE = NumberRange(0, 10, "a temperature such as 0.7")
COUNT = NumberRange(0, 1e9, "a whole number from 0")
SLICE = NumberRange(0, 1e6, "the number of a slice")
MESSAGES = NumberRange(0, 1e6, "a number of messages")


def number(raw: Any, kind: NumberRange) -> float:
    """Return the number in a cell; a decimal comma counts as a point. Raises UnexpectedCell."""
    if isinstance(raw, bool) or not isinstance(raw, str | int | float):
        raise UnexpectedCell(f"expected {kind.words}")
    cell = str(raw).strip()
    spelled = cell.replace(",", ".") if COMMA.fullmatch(cell) else cell
    if kind.share and cell.endswith("%"):
        raise UnexpectedCell(f"{cell[:MAX_CELL_SHOWN]!r} is a percentage; write it as a share, such as 0.85")
    if cell.lower() in {"nan", "na", "n/a", "none", "null", "-"}:
        raise UnexpectedCell(f"{cell!r} is not a number; leave the cell empty instead")
    parsed = float(spelled) if PLAIN.fullmatch(spelled) else math.nan
    if not math.isfinite(parsed):
        raise UnexpectedCell(f"{cell[:MAX_CELL_SHOWN]!r} is not a number; expected {kind.words}")
    if not kind.low <= parsed <= kind.high:
        percent = "; write a percentage as a share, such as 0.85" if kind.share and 1 < parsed <= 100 else ""
        raise UnexpectedCell(f"{cell[:MAX_CELL_SHOWN]} is not {kind.words}{percent}")
    return abs(parsed) if parsed == 0 else parsed


def whole(raw: Any, kind: NumberRange) -> int:
    """Return the whole number in a cell, also from 2.0. Raises UnexpectedCell.

    A comma is refused, because 1,000 may be one or a thousand.
    """
    if isinstance(raw, str) and "," in raw:
        raise UnexpectedCell(
            f"{raw.strip()[:MAX_CELL_SHOWN]!r} has a comma; expected {kind.words}, without one"
        )
    parsed = number(raw, kind)
    if parsed != int(parsed):
        raise UnexpectedCell(f"{str(raw).strip()[:MAX_CELL_SHOWN]} is not {kind.words}")
    return int(parsed)
