"""Conversations as messages and turns.

A message is one utterance; a turn is the user's message or messages and the assistant's reply to them, so ten
turns are ten exchanges.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Role = Literal["system", "user", "assistant"]


@dataclass(frozen=True, slots=True)
class Message:
    role: Role
    text: str


# Tags around what a model thought; some models leave out the first one.
_THOUGHTS = re.compile(r"\s*<(think|thinking|thought|reasoning)>|.*</think>", re.IGNORECASE | re.DOTALL)


def has_thoughts(role: str, text: str) -> bool:
    """Tell whether an assistant's reply holds thoughts, which the user was not shown.

    It does if it begins, after blanks, with <think>, <thinking>, <thought> or <reasoning> in any letter
    case, or has </think> anywhere.
    """
    return role == "assistant" and _THOUGHTS.match(text) is not None


def cut_marked(text: str, start: int, end: int) -> str:
    """Return the marked part of a text; `start` and `end` count UTF-16 units, as browsers do."""
    return text.encode("utf-16-le", "surrogatepass")[2 * start : 2 * end].decode("utf-16-le", "replace")


def turn_numbers(roles: Sequence[str]) -> list[int]:
    """Return the turn of each message, from 1; 0 for what comes before the first user or assistant message.

    A new turn begins with the first user message after an assistant's. What the assistant says before any
    user message is turn 1 as well, so that it can be pointed to.
    """
    numbers: list[int] = []
    turn, answered = 0, True
    for role in roles:
        if role == "user" and answered:
            turn, answered = turn + 1, False
        elif role == "assistant":
            if turn == 0:
                turn = 1
            answered = True
        numbers.append(turn)
    return numbers


def count_turns(roles: Sequence[str]) -> int:
    """Return the number of complete turns: those with a user message and a reply.

    Neither a trailing user message nor a greeting makes a turn. The rules of instruments (minimum_turns)
    use this number.
    """
    numbered = list(zip(turn_numbers(roles), roles, strict=True))
    return len(
        {n for n, role in numbered if role == "user"} & {n for n, role in numbered if role == "assistant"}
    )
