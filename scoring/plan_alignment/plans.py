"""The declared plan of a reply, and the alignment of one trial."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from scoring.bad_input import text as text_of
from scoring.blocks import first_block, opening_tag
from scoring.instruments import Taxonomy

HIGHEST = 2
MOST_STRATEGIES = 2  # a plan of one or two known strategies is valid

_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")
_STRATEGY_TAG = re.compile(r"<([a-z_]+(?:\s*/\s*[a-z_]+)*)>", re.IGNORECASE)
_LEADING_END = re.compile(r"^</\w+>\s*")
_STRAY = re.compile(r"[<>\"']")


@dataclass(frozen=True)
class DeclaredPlan:
    """The plan in front of a reply, and the reply without it.

    `text`: the plan as written. `declared`: its known ids in the order written, each once; `unknown`: the ids
    that the taxonomy lacks. `response`: the text after the plan. `closed`: whether the block had its end tag.
    """

    text: str
    declared: tuple[str, ...]
    unknown: tuple[str, ...]
    response: str
    closed: bool
    present: bool = True  # False: there was no plan at all, which is not an empty one

    @property
    def valid(self) -> bool:
        """Whether the plan has one or two known strategies, as the published program requires."""
        return 1 <= len(self.declared) <= MOST_STRATEGIES


def parse_plan(output: str, taxonomy: Taxonomy, lenient: bool = False) -> DeclaredPlan:
    """Split a reply into its plan and the response.

    The first closed <plan> block counts; an unclosed one ends at the first blank line, if any.
    Only the first line of the block is the plan, with ids separated by "/". Without a plan, `present` is
    False and the whole output is the response.

    Args:
        output: the reply.
        taxonomy: the known strategies.
        lenient: without a block, also accept a tag made of known ids, or a first line made of one or two
            known ids, as the published program's second version does.

    Raises:
        BadInput: `output` is neither a text nor None.
    """
    text = text_of("output", output).strip()
    block = first_block(text, "plan")
    if block:
        return _plan(block.inside, text[block.end :], taxonomy, closed=True)
    opened = opening_tag(text, "plan")
    if opened:
        inside, rest = _until_blank_line(text[opened[1] :])
        return _plan(inside, rest, taxonomy, closed=False)
    return (_lenient(text, taxonomy) if lenient else None) or DeclaredPlan(
        "", (), (), text, False, present=False
    )


def declared_strategies(text: str, taxonomy: Taxonomy) -> frozenset[str]:
    """Return the known ids in all lines of the first closed <plan> block; empty without such a block.

    Ids are separated by "/".
    """
    block = first_block(text_of("text", text), "plan")
    return frozenset(_split(block.inside, taxonomy)[0]) if block else frozenset()


def _until_blank_line(text: str) -> tuple[str, str]:
    blank = _BLANK_LINE.search(text)
    return (text[: blank.start()], text[blank.end() :]) if blank else (text, "")


def _plan(block: str, rest: str, taxonomy: Taxonomy, closed: bool) -> DeclaredPlan:
    line = block.strip().split("\n")[0].strip()
    declared, unknown = _split(line, taxonomy)
    return DeclaredPlan(line, declared, unknown, rest.strip(), closed)


def _split(text: str, taxonomy: Taxonomy) -> tuple[tuple[str, ...], tuple[str, ...]]:
    names = list(dict.fromkeys(part.strip().lower() for part in text.split("/") if part.strip()))
    return tuple(n for n in names if taxonomy.strategy(n)), tuple(
        n for n in names if not taxonomy.strategy(n)
    )


def _lenient(text: str, taxonomy: Taxonomy) -> DeclaredPlan | None:
    tag = _STRATEGY_TAG.search(text)  # as published, only the first tag of that form is looked at
    if tag:
        declared, unknown = _split(tag.group(1), taxonomy)
        if declared and not unknown:
            return DeclaredPlan(
                _joined(tag.group(1)),
                declared,
                (),
                _LEADING_END.sub("", text[tag.end() :].strip(), count=1),
                False,
            )
    lines = text.split("\n")
    first = lines[0].strip()
    if first.lower() in ("plan", "plan:") and len(lines) > 1:
        first = lines[1].strip()  # as published, such a line of ids stays part of the reply
    first = _STRAY.sub("", first).strip()
    names = [part.strip().lower() for part in first.split("/")]
    if not 1 <= len(names) <= MOST_STRATEGIES or not all(taxonomy.strategy(name) for name in names):
        return None
    response = "\n".join(lines[1:]).strip()
    response = response.removesuffix("</plan>").strip()
    return DeclaredPlan(_joined(first), tuple(dict.fromkeys(names)), (), response, False)


def _joined(ids: str) -> str:
    return " / ".join(part.strip().lower() for part in ids.split("/"))


def trial_alignment(
    declared: Sequence[str], labels: Mapping[str, int | None], highest: int = HIGHEST
) -> Fraction | None:
    """Return the mean label of the declared strategies divided by the highest label, 0 to 1.

    Args:
        declared: the declared strategies.
        labels: strategy -> label, 0 to `highest`, or None for no label.
        highest: the highest possible label.

    Returns:
        None if nothing is declared or any declared strategy has no label.
    """
    values = [labels.get(strategy) for strategy in declared]
    judged = [value for value in values if value is not None]
    if not values or len(judged) < len(values):
        return None
    return Fraction(sum(judged), highest * len(judged))
