"""A judge's reply in lines: `strategy: reasoning | score: 0`, one line a strategy."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from scoring.bad_input import BadInput, names, text
from scoring.blocks import without_blocks

Parser = Literal["strict", "lenient"]
NOT_SCORED = "not scored by judge"  # how the published files write a strategy without a line

_STRICT = re.compile(r"^(\w+):\s*(.+?)\s*\|\s*score:\s*([012])\s*$", re.IGNORECASE | re.MULTILINE)
# Bullets on the line of the id only: over line breaks, a reply of bullets would take the square of its lines.
_LENIENT = re.compile(
    r"^(?:[^\S\n]|[*-])*(\w+):\s*(.+?)\s*\|\s*score:\s*([012])\s*$", re.IGNORECASE | re.MULTILINE
)
_LONG_BLANK = re.compile(r"\s{200,}")  # the patterns above take the square of its length
_BOLD = re.compile(r"\*\*(\w+)\*\*")
_PLACEHOLDER = "strategy_id"


@dataclass(frozen=True)
class JudgeLines:
    """A judge's score (0 to 2) and reasoning per declared strategy; a strategy without a line is in neither.

    `undeclared`: the ids of lines about strategies that were not asked for, in alphabetical order.
    """

    scores: dict[str, int]
    reasoning: dict[str, str]
    undeclared: tuple[str, ...]


def known_parser(parser: Parser) -> Parser:
    """Return `parser`; raise BadInput if it is unknown."""
    if parser not in ("strict", "lenient"):
        raise BadInput("parser", f'expected "strict" or "lenient", found {parser!r}')
    return parser


def parse_judge_lines(reply: str, declared: Collection[str], parser: Parser = "lenient") -> JudgeLines:
    """Read a judge's scores of the declared strategies; of several lines about one, the last counts.

    Args:
        reply: lines of the form `strategy: reasoning | score: 0`, with a score of 0, 1 or 2.
        declared: the ids of the strategies that were asked for.
        parser: "strict": the line begins with the id and ends with the digit. "lenient": <think> blocks are
            removed, and bold ids, bullets and blanks in front are allowed; if lines are missing, lines with
            an undeclared id, in order, count for the missing strategies in alphabetical order.

    Raises:
        BadInput: an argument of the wrong type, or an unknown parser.
    """
    raw, wanted = text("reply", reply), sorted(names("declared", declared))
    lenient = known_parser(parser) == "lenient"
    if lenient:
        raw = _BOLD.sub(r"\1", without_blocks(raw, "think"))
    raw = _LONG_BLANK.sub(lambda blank: "\n" if "\n" in blank.group() else " ", raw)
    lines = [
        (name.lower(), reasoning.strip(), int(score))
        for name, reasoning, score in (_LENIENT if lenient else _STRICT).findall(raw)
    ]
    line_by_strategy = {
        name: (reasoning, score) for name, reasoning, score in lines if not (lenient and name == _PLACEHOLDER)
    }
    undeclared = tuple(sorted(name for name in line_by_strategy if name not in wanted))
    if lenient and len(line_by_strategy) < len(wanted):
        missing = [name for name in wanted if name not in line_by_strategy]
        strangers = [(reasoning, score) for name, reasoning, score in lines if name not in wanted]
        line_by_strategy |= dict(zip(missing, strangers, strict=False))
    scored = [name for name in wanted if name in line_by_strategy]
    return JudgeLines(
        {name: line_by_strategy[name][1] for name in scored},
        {name: line_by_strategy[name][0] for name in scored},
        undeclared,
    )
