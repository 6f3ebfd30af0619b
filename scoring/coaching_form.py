"""Conversations in the strict forms of the coaching rubric's program, and the text that its judge is shown.

The product's own import (data/importers/conversations.py) takes more; this is what a judge prompt in the
published form may be made of. Three forms: {"messages": [{"role", "content"}]}, {"turns": [{"user",
"assistant"}], "system_prompt"}, [["user", "assistant"], ...].
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from scoring.bad_input import BadInput, text
from scoring.instruments import Instrument


@dataclass(frozen=True)
class CoachingConversation:
    """`turns`: (user, assistant) pairs, at least one, neither text empty."""

    turns: tuple[tuple[str, str], ...]
    system_prompt: str | None = None

    def formatted(self) -> str:
        """Return the text shown to the judge: the system prompt if there is one, then turn by turn."""
        parts = [f"--- System Prompt ---\n{self.system_prompt}\n"] if self.system_prompt else []
        parts += [
            f"--- Turn {number} ---\nUser: {user}\nAssistant: {assistant}\n"
            for number, (user, assistant) in enumerate(self.turns, start=1)
        ]
        return "\n".join(parts)

    def applicable(self, instrument: Instrument) -> list[str]:
        """Return the ids of the criteria that no rule excludes for a conversation of this length,
        in order.
        """
        return [
            c.id for c in instrument.criteria if instrument.forced_not_applicable(c, len(self.turns)) is None
        ]


def load(file_text: str) -> CoachingConversation:
    """Read one conversation from the JSON text of a file: messages, turns, or a list of pairs.

    "messages" wins over "turns". Raise BadInput for JSON or a form that can't be used.
    """
    content = text("file_text", file_text)
    try:
        value = json.loads(content)
    except (ValueError, RecursionError) as error:  # RecursionError: thousands of brackets in each other
        raise BadInput("file_text", f"this is not JSON ({error})") from None
    if isinstance(value, dict) and "messages" in value:
        return _of_messages(value["messages"])
    if isinstance(value, dict) and "turns" in value:
        prompt = value.get("system_prompt")
        if prompt is not None and not isinstance(prompt, str):
            raise BadInput("system_prompt", f"expected a text, found {type(prompt).__name__}")
        return _made(
            [_of_turn(turn, number) for number, turn in enumerate(_list("turns", value["turns"]), start=1)],
            prompt,
        )
    if isinstance(value, list):
        return _made([_of_pair(pair, number) for number, pair in enumerate(value, start=1)], None)
    raise BadInput("file_text", "there is neither messages nor turns nor a list of pairs")


def _of_messages(messages: Any) -> CoachingConversation:
    prompt: str | None = None
    turns: list[tuple[str, str]] = []
    waiting: list[str] = []
    for number, message in enumerate(_list("messages", messages), start=1):
        if (
            not isinstance(message, dict)
            or not isinstance(message.get("role"), str)
            or not isinstance(message.get("content"), str)
        ):
            raise BadInput(f"messages[{number}]", "expected an object with role and content")
        role, message_text = message["role"], message["content"]
        if role == "system":
            prompt = message_text
        elif role == "user":
            waiting.append(message_text)
        elif role == "assistant":
            if not waiting:
                raise BadInput(
                    f"messages[{number}]", "the assistant speaks without a message of the user before it"
                )
            turns.append(("\n".join(waiting), message_text))
            waiting = []
    if waiting:
        raise BadInput("messages", "the conversation ends with a message of the user that has no reply")
    return _made(turns, prompt)


def _of_turn(turn: Any, number: int) -> tuple[str, str]:
    if not isinstance(turn, dict):
        raise BadInput(f"turns[{number}]", "expected an object with user and assistant")
    return _said(turn.get("user"), number), _said(turn.get("assistant"), number)


def _of_pair(pair: Any, number: int) -> tuple[str, str]:
    if not isinstance(pair, list) or len(pair) != 2:
        raise BadInput(f"turn {number}", "expected a pair of texts, the user's and the assistant's")
    return _said(pair[0], number), _said(pair[1], number)


def _said(value: Any, number: int) -> str:
    if not isinstance(value, str):
        raise BadInput(f"turn {number}", f"expected a text, found {type(value).__name__}")
    return value


def _list(argument: str, value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise BadInput(argument, f"expected a list, found {type(value).__name__}")
    return value


def _made(turns: list[tuple[str, str]], prompt: str | None) -> CoachingConversation:
    if not turns:
        raise BadInput("turns", "there is no complete turn")
    for number, turn in enumerate(turns, start=1):
        if not all(turn):
            raise BadInput(f"turn {number}", "a text is empty")
    return CoachingConversation(tuple(turns), prompt)
