"""Read the messages of a conversation as (role, text), whatever names the file uses.

Anything but text (a tool call, an image, the model's thinking) appears in the text in brackets, in its place
between the words: a reply that called a crisis line is not just the words "One moment."
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from data.importers.reading import REPLACEMENT
from words.plurals import count, inflect

ROLES = {
    "user": "user",
    "human": "user",
    "patient": "user",
    "client": "user",
    "seeker": "user",
    "assistant": "assistant",
    "gpt": "assistant",
    "model": "assistant",
    "bot": "assistant",
    "chatbot": "assistant",
    "therapist": "assistant",
    "coach": "assistant",
    "counselor": "assistant",
    "counsellor": "assistant",
    "supporter": "assistant",
    "system": "system",
    "developer": "system",  # the newer name for system
}
TOOL = "tool"  # the role of a tool's reply until it is merged into an assistant message
TOOL_ROLES = ("tool", "function")
TEXT_TYPES = ("text", "input_text", "output_text")
# Blocks other than text, by the types that common interfaces use.
KINDS = {
    **dict.fromkeys(
        (
            "tool_use",
            "tool_call",
            "tool-call",
            "function_call",
            "functionCall",
            "function",
            "server_tool_use",
            "mcp_tool_use",
        ),
        "tool call",
    ),
    **dict.fromkeys(
        ("tool_result", "tool-result", "function_call_output", "functionResponse", "mcp_tool_result"),
        "tool result",
    ),
    **dict.fromkeys(("image", "image_url", "input_image", "images"), "image"),
    **dict.fromkeys(("audio", "input_audio", "output_audio"), "audio"),
    **dict.fromkeys(("video", "video_url", "input_video"), "video"),
    **dict.fromkeys(("file", "input_file", "document", "files", "attachments", "attachment"), "file"),
    **dict.fromkeys(
        ("thinking", "redacted_thinking", "reasoning", "reasoning_content", "reasoning_text"), "thinking"
    ),
}
UNKEPT = "unkept"  # counted with the kinds of blocks: a character that the store can't hold
BESIDE = ("reasoning_content", "reasoning", "thinking")  # shown before the text of a message
AFTER = (
    "refusal",
    "audio",
    "images",
    "files",
    "attachments",
    "tool_calls",
    "function_call",
    "toolInvocations",
    "tool_invocations",
)


class MalformedConversation(ValueError):
    """A conversation can't be used; the message says why."""


class UnknownFields(MalformedConversation):
    """A conversation uses other field names, most likely on every line."""


def read_messages(items: Any, others: Counter[str]) -> list[tuple[str, str]]:
    """Return (role, text) of every message in a list of messages, turns or pairs.

    Args:
        others: counts blocks other than text by kind, and replaced characters under UNKEPT.

    Raises:
        MalformedConversation: the list can't be read.
    """
    if not isinstance(items, list):
        raise MalformedConversation("messages or turns must be a list")
    messages: list[tuple[str, str]] = []
    for number, item in enumerate(items, start=1):
        if isinstance(item, dict) and ("user" in item or "assistant" in item):
            messages += [
                (role, _text(item[role], number, others)) for role in ("user", "assistant") if role in item
            ]
        elif isinstance(item, dict):
            messages.append(read_message(item, number, others))
        elif isinstance(item, list) and len(item) == 2:
            messages += [
                ("user", _text(item[0], number, others)),
                ("assistant", _text(item[1], number, others)),
            ]
        else:
            raise MalformedConversation(
                f"message {number} is neither an object with role and content nor a pair"
            )
    messages = with_tool_replies(messages)
    if not any(role != "system" and text.strip() for role, text in messages):
        raise MalformedConversation("the conversation is empty")
    if not any(role == "assistant" and text.strip() for role, text in messages):
        raise MalformedConversation("the assistant says nothing, so there is nothing to rate")
    return messages


def with_tool_replies(messages: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the messages with each tool reply merged into an assistant message, because it is not a turn of
    its own.

    It joins the assistant's message before it, or the next one if somebody else spoke last. If the user
    speaks before the assistant does, it becomes a system message.
    """
    placed: list[tuple[str, str]] = []
    waiting: list[str] = []
    for role, text in messages:
        if role == TOOL and placed and placed[-1][0] == "assistant":
            placed[-1] = "assistant", "\n".join(part for part in (placed[-1][1], text) if part)
        elif role == TOOL:
            waiting.append(text)
        elif role == "assistant" and waiting:
            placed.append((role, "\n".join(part for part in (*waiting, text) if part)))
            waiting = []
        else:
            if role == "user" and waiting:
                placed.append(("system", "\n".join(waiting)))
                waiting = []
            placed.append((role, text))
    return [*placed, ("system", "\n".join(waiting))] if waiting else placed


def others_sentence(others: Mapping[str, int]) -> str:
    """Return a sentence that counts what is shown in brackets; "" if nothing is."""
    counted = ", ".join(
        f"{number} {kind if kind in ('thinking', 'audio') else inflect(number, kind, f'{kind}s')}"
        for kind, number in others.items()
        if kind != UNKEPT
    )
    return f"shown in brackets, because it is not text: {counted}" if counted else ""


def unkept_sentence(others: Mapping[str, int]) -> tuple[str, str] | None:
    """Return how many characters can't be kept and what replaced them; None if all are kept."""
    number = others.get(UNKEPT, 0)
    if not number:
        return None
    return (
        f"{count(number, 'character', 'characters')} of the text can't be kept (NUL)",
        f"{inflect(number, 'it was', 'they were')} replaced by {REPLACEMENT}",
    )


def keep_text(text: str, others: Counter[str]) -> str:
    """Return the text with characters that can't be kept replaced, counted in `others` under UNKEPT."""
    if "\x00" in text:
        others[UNKEPT] += text.count("\x00")
        text = text.replace("\x00", REPLACEMENT)
    return text


def read_message(item: Any, number: int, others: Counter[str]) -> tuple[str, str]:
    """Return (role, text) of the `number`th object with role and content. Raises MalformedConversation.

    A tool's reply has the role TOOL; `with_tool_replies` merges it.
    """
    if not isinstance(item, dict):
        raise MalformedConversation(f"message {number} is not an object with role and content")
    role = item.get("role", item.get("from"))
    content = item.get("content", item.get("value", item.get("text")))
    if str(role).lower() in TOOL_ROLES:
        return TOOL, keep_text(_block({"type": "tool_result", "content": content}, others), others)
    role_name = ROLES.get(str(role).lower())
    if role_name == "user" and _is_tool_reply(content):
        return TOOL, _text(content, number, others)
    if role_name is None:
        raise MalformedConversation(
            f"message {number} has the role {role!r}; use user, assistant, tool or system"
        )
    before = [part for name in BESIDE for part in _beside(name, item.get(name), others)]
    after = [part for name in AFTER for part in _beside(name, item.get(name), others)]
    if content is None and (before or after):
        return role_name, keep_text("\n".join((*before, *after)), others)
    text = _text(content, number, others)
    whole = "\n".join(part for part in (*before, text, *after) if part) if before or after else text
    return role_name, keep_text(whole, others)


def _is_tool_reply(content: Any) -> bool:
    """Tell whether a message holds only tool results, which some interfaces write as the user's."""
    return (
        isinstance(content, list)
        and bool(content)
        and all(isinstance(part, dict) and _kind(part) == "tool result" for part in content)
    )


def _kind(block: dict[str, Any]) -> str:
    return KINDS.get(str(block.get("type", "text")), "other part")


def _beside(name: str, value: Any, others: Counter[str]) -> list[str]:
    """Return the parts of a field next to a message's text."""
    if not value:
        return []
    if name == "refusal":
        return [str(value)]
    if name in BESIDE:
        return [_block({"type": "thinking", "thinking": value}, others)]
    kind = (
        "tool_call"
        if name in ("tool_calls", "function_call", "toolInvocations", "tool_invocations")
        else name
    )
    return [
        _block({**(part if isinstance(part, dict) else {"text": part}), "type": kind}, others)
        for part in (value if isinstance(value, list) else [value])
    ]


def _text(value: Any, number: int, others: Counter[str]) -> str:
    if isinstance(value, list):  # typed content blocks
        value = "\n".join(_block(block, others) for block in value)
    if not isinstance(value, str):
        raise MalformedConversation(f"message {number} has no text")
    return keep_text(value, others)


def _block(block: Any, others: Counter[str]) -> str:
    """Return a block of a message as text, in brackets if it is not text."""
    if isinstance(block, str):
        return block
    if not isinstance(block, dict):
        others["other part"] += 1
        return f"[{_compact(block)}]"
    written = str(block.get("type", "text"))
    if written in TEXT_TYPES and isinstance(block.get("text", ""), str | None):
        return str(block.get("text") or "")
    if written == "refusal" and isinstance(block.get("refusal"), str):
        return str(block["refusal"])
    kind = _kind(block)
    others[kind] += 1
    content = _content(kind, block)
    if kind == "thinking":
        return (
            f"[thinking, not shown to the user: {content}]"
            if content
            else "[thinking, not shown to the user; it was not kept]"
        )
    return f"[{written if kind == 'other part' else kind}{f': {content}' if content else ''}]"


def _content(kind: str, block: dict[str, Any]) -> str:
    """Return the words of a block other than text; the data of images and sounds is left out."""
    if kind == "tool call":
        inner = block.get("function")
        function = inner if isinstance(inner, dict) else block
        name = function.get("name", function.get("toolName", block.get("toolName", "")))
        arguments = next((function[key] for key in ("arguments", "input", "args") if key in function), None)
        return " ".join(part for part in (_compact(name), _compact(arguments)) if part)
    if kind == "tool result":
        return _words(
            next((block[key] for key in ("content", "output", "result", "response") if key in block), None)
        )
    if kind == "thinking":
        return _words(
            next(
                (
                    block[key]
                    for key in ("thinking", "reasoning", "text", "summary", "content")
                    if block.get(key)
                ),
                None,
            )
        )
    if kind == "audio":
        sound = block.get("audio", block.get("input_audio", block))
        return _compact(
            next(
                (
                    part["transcript"]
                    for part in (block, sound)
                    if isinstance(part, dict) and part.get("transcript")
                ),
                None,
            )
        )
    if kind in ("image", "video"):
        return _compact(
            next((block[key] for key in ("alt", "alt_text", "caption", "title") if block.get(key)), None)
        )
    if kind == "file":
        return _compact(next((block[key] for key in ("name", "filename", "title") if block.get(key)), None))
    return _words(block.get("text")) or _compact(
        {key: value for key, value in block.items() if key != "type"}
    )


def _words(value: Any) -> str:
    """Return a text, or the joined texts of a list of blocks."""
    if isinstance(value, list):
        return " ".join(
            filter(
                None,
                (
                    _words(part.get("text", part.get("type")) if isinstance(part, dict) else part)
                    for part in value
                ),
            )
        )
    return _compact(value)


def _compact(value: Any) -> str:
    return (
        ""
        if value in (None, "", {}, [])
        else value
        if isinstance(value, str)
        else json.dumps(value, ensure_ascii=False)
    )
