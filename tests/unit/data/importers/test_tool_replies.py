"""Replies of tools inside conversations: kept where they stood, nobody's words, and no turn."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from data.importers.messages import with_tool_replies
from scoring.transcripts import turn_numbers
from tests.unit.data.importers.test_conversation_forms import read

CALL = {
    "role": "assistant",
    "content": None,
    "tool_calls": [{"function": {"name": "find_line", "arguments": "DE"}}],
}


@pytest.mark.parametrize("role", ["tool", "function", "Tool"])
@pytest.mark.parametrize("content", ["0800 1110", [{"type": "text", "text": "0800 1110"}]])
def test_the_reply_of_a_tool_stands_beside_its_call(tmp_path: Path, role: str, content: Any) -> None:
    messages = [
        {"role": "user", "content": "help"},
        CALL,
        {"role": role, "content": content, "tool_call_id": "t"},
        {"role": "assistant", "content": "Call them."},
        {"role": "user", "content": "ok"},
        {"role": "assistant", "content": "Good."},
    ]
    rows, report = read(tmp_path, json.dumps({"id": "a", "messages": messages}))
    assert rows[0].messages == [
        ("user", "help"),
        ("assistant", "[tool call: find_line DE]\n[tool result: 0800 1110]"),
        ("assistant", "Call them."),
        ("user", "ok"),
        ("assistant", "Good."),
    ]
    assert turn_numbers([role for role, _ in rows[0].messages]) == [1, 1, 1, 2, 2]
    assert report.lines() == [
        "file.json, line 1: shown in brackets, because it is not text: 1 tool call, 1 tool result"
    ]


def test_a_reply_after_the_user_belongs_to_what_the_assistant_says_next() -> None:
    assert with_tool_replies(
        [("user", "u"), ("tool", "[x]"), ("system", "s"), ("tool", "[y]"), ("assistant", "a")]
    ) == [("user", "u"), ("system", "s"), ("assistant", "[x]\n[y]\na")]


def test_a_reply_that_nobody_answers_is_neither_the_clients_nor_the_assistants() -> None:
    assert with_tool_replies(
        [("user", "u"), ("tool", "[x]"), ("user", "v"), ("assistant", "a"), ("user", "w"), ("tool", "[y]")]
    ) == [
        ("user", "u"),
        ("system", "[x]"),
        ("user", "v"),
        ("assistant", "a"),
        ("user", "w"),
        ("system", "[y]"),
    ]


def test_a_developer_instructs_the_assistant_as_the_system_does(tmp_path: Path) -> None:
    messages = [
        {"role": "developer", "content": "Be kind."},
        {"role": "user", "content": "hi"},
        {"role": "assistant", "content": "hello"},
    ]
    rows, report = read(tmp_path, json.dumps({"id": "a", "messages": messages}))
    assert rows[0].messages == [("system", "Be kind."), ("user", "hi"), ("assistant", "hello")]
    assert report.problems == []
