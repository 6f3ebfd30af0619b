"""Conversations come in three forms and three layouts; all of them mean the same."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from data.importers import conversations
from data.importers.report import ImportReport
from tests.studies.small_study import Small
from tests.unit.data.importers.conftest import Bring, lines

SPOKEN = [("user", "hi"), ("assistant", "hello"), ("user", "well"), ("assistant", "good")]
FORMS: dict[str, Any] = {
    "messages": {"messages": [{"role": role, "content": text} for role, text in SPOKEN]},
    "from and value": {
        "conversations": [
            {"from": {"user": "human", "assistant": "gpt"}[role], "value": text} for role, text in SPOKEN
        ]
    },
    "numbered messages": {
        "messages": [
            {"turn": number // 2, "timestamp": f"2026-03-0{9 - number}", "role": role, "content": text}
            for number, (role, text) in enumerate(SPOKEN)
        ]
    },
    "turns": {"turns": [{"user": "hi", "assistant": "hello"}, {"user": "well", "assistant": "good"}]},
    "exchanges": {
        "exchanges": [
            {"exchange_number": 1, "user": "hi", "assistant": "hello"},
            {"exchange_number": 2, "user": "well", "assistant": "good"},
        ]
    },
    "pairs": [["hi", "hello"], ["well", "good"]],
    "pairs in an object": {"conversation": [["hi", "hello"], ["well", "good"]]},
    "typed content": {
        "messages": [{"role": role, "content": [{"type": "text", "text": text}]} for role, text in SPOKEN]
    },
}
LAYOUTS = {
    "one a line": lambda values: "\n".join(json.dumps(value) for value in values),
    "blank lines between": lambda values: (
        "\n\n" + "\r\n\r\n".join(json.dumps(value) for value in values) + "\n\n"
    ),
    "one array": json.dumps,
    "one array over many lines": lambda values: "\n " + json.dumps(values, indent=2) + "\n",
}


def read(tmp_path: Path, content: str | bytes) -> tuple[list[conversations.ConversationRow], ImportReport]:
    path, report = tmp_path / "file.json", ImportReport("file.json")
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return list(conversations.read(path, report)), report


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_every_form_in_every_layout_means_the_same(tmp_path: Path, form: Any, layout: Any) -> None:
    found, report = read(tmp_path, layout([form, form]))
    assert [conversation.messages for conversation in found] == [SPOKEN, SPOKEN]
    assert report.problems == []


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_one_conversation_over_many_lines_is_one_conversation(tmp_path: Path, form: Any) -> None:
    found, report = read(tmp_path, json.dumps(form, indent=2))
    assert [conversation.messages for conversation in found] == [SPOKEN]
    assert report.problems == []


def test_a_large_array_is_read_whole(tmp_path: Path) -> None:
    many = [{"id": n, "turns": [{"user": "u" * 900, "assistant": "a" * 900}]} for n in range(700)]
    found, report = read(tmp_path, json.dumps(many))
    assert [conversation.key for conversation in found] == [str(n) for n in range(700)]
    assert report.problems == []


@pytest.mark.parametrize(
    ("given", "key"),
    [
        ({"id": "a"}, "a"),
        ({"conversation_id": "b", "id": "a"}, "b"),
        ({"id": 7}, "7"),
        ({"id": " x "}, "x"),
        ({}, "line-1"),
    ],
)
def test_the_id_is_taken_as_written_or_made_of_the_line(
    tmp_path: Path, given: dict[str, Any], key: str
) -> None:
    found, _ = read(tmp_path, json.dumps({**given, "turns": [{"user": "hi", "assistant": "hello"}]}))
    assert [conversation.key for conversation in found] == [key]


def test_the_system_prompt_stands_first_and_is_no_turn(tmp_path: Path) -> None:
    found, _ = read(
        tmp_path, json.dumps({"system_prompt": "Be kind.", "turns": [{"user": "hi", "assistant": "hello"}]})
    )
    assert found[0].messages == [("system", "Be kind."), ("user", "hi"), ("assistant", "hello")]


def test_other_fields_are_facts_and_labels_inside_are_not(tmp_path: Path) -> None:
    found, _ = read(
        tmp_path,
        json.dumps(
            {"id": "a", "persona": "P", "ratings": {"x": {}}, "turns": [{"user": "hi", "assistant": "hello"}]}
        ),
    )
    assert found[0].facts == {"persona": "P"}


@pytest.mark.parametrize(
    ("talk", "says"),
    [
        (
            [
                {"role": "user", "content": "hi"},
                {"role": "assistant", "content": "hello"},
                {"role": "user", "content": "so?"},
            ],
            "ends with a message of the user that has no reply",
        ),
        (
            [
                {"role": "assistant", "content": "hello"},
                {"role": "user", "content": "hi"},
                {"role": "assistant", "content": "so"},
            ],
            "begins with the assistant",
        ),
        (
            [
                {"role": "user", "content": "hi"},
                {"role": "assistant", "content": " "},
                {"role": "assistant", "content": "so"},
            ],
            "message 2 is empty; shown as such",
        ),
        (
            [{"role": "user", "content": "itâ€™s"}, {"role": "assistant", "content": "hello"}],
            'looks wrongly decoded ("â€™"); it was kept as it is',
        ),
        (
            [{"role": "user", "content": "grÃ¼n"}, {"role": "assistant", "content": "hello"}],
            'looks wrongly decoded ("Ã¼")',
        ),
        (
            [{"role": "user", "content": "a \ufffd b"}, {"role": "assistant", "content": "hello"}],
            "looks wrongly decoded",
        ),
    ],
)
def test_what_looks_odd_is_noticed_and_kept_as_it_is(
    tmp_path: Path, talk: list[dict[str, str]], says: str
) -> None:
    found, report = read(tmp_path, json.dumps({"messages": talk}))
    assert [text for _, text in found[0].messages] == [message["content"] for message in talk]
    assert [problem.fatal for problem in report.problems] == [False]
    assert says in report.lines()[0]


@pytest.mark.parametrize("text", ["It’s grün, ça va, naïve Ä", "50 € — “so”", "😀", "Ελλάδα", "中文"])
def test_good_text_in_any_language_is_not_called_wrongly_decoded(tmp_path: Path, text: str) -> None:
    _, report = read(
        tmp_path, json.dumps({"turns": [{"user": text, "assistant": "hello"}]}, ensure_ascii=False)
    )
    assert report.problems == []


def test_a_byte_order_mark_is_left_out_and_named(tmp_path: Path) -> None:
    for content in ('{"turns": [["hi", "hello"]]}', '[{"turns": [["hi", "hello"]]}]'):
        found, report = read(tmp_path, b"\xef\xbb\xbf" + content.encode())
        assert len(found) == 1
        assert report.lines() == [
            "file.json, line 1: the file begins with a byte-order mark; it was left out"
        ]


def test_a_zero_byte_inside_a_text_becomes_a_visible_character(tmp_path: Path) -> None:
    found, report = read(tmp_path, json.dumps({"turns": [{"user": "a\x00b", "assistant": "hello"}]}))
    assert found[0].messages[0] == ("user", "a\ufffdb")
    assert report.lines() == [
        "file.json, line 1: 1 character of the text can't be kept (NUL); it was replaced by \ufffd"
    ]


def test_zero_bytes_anywhere_are_counted_and_what_else_is_odd_is_named_too(tmp_path: Path) -> None:
    tool = {"role": "tool", "content": "\x00"}
    reply = {"role": "assistant", "content": "he\x00llo\ufffd", "refusal": "no\x00"}
    talk = {"system_prompt": "be\x00", "messages": [{"role": "user", "content": "hi"}, tool, reply]}
    conversations, report = read(tmp_path, json.dumps(talk))
    assert not any("\x00" in text for _, text in conversations[0].messages)
    assert [line.partition(": ")[2] for line in report.lines()] == [
        "shown in brackets, because it is not text: 1 tool result",
        "4 characters of the text can't be kept (NUL); they were replaced by \ufffd",
        'the text looks wrongly decoded ("\ufffd"); it was kept as it is. If it is wrong, save the source as UTF-8 and import it under a new id',
    ]


HI, HELLO, WELL, GOOD = ({"role": role, "content": text} for role, text in SPOKEN)
SYSTEM = {"role": "system", "content": "Be kind."}


def test_conversations_that_say_everything_twice_are_counted_once_in_a_file(tmp_path: Path) -> None:
    twice = [[HI, HI, HELLO, HELLO], [SYSTEM, HI, HELLO, WELL, GOOD, HI, HELLO, WELL, GOOD]]
    once = [[HI, HELLO, WELL, GOOD], [HI, HI, HELLO], [HI, HELLO, HI, GOOD]]
    conversations, report = read(
        tmp_path, json.dumps([{"messages": messages} for messages in (*twice, *once)])
    )
    assert len(conversations) == 5 and len(conversations[0].messages) == 4
    numbered = [{**message, "turn": 1} for message in twice[0]]
    assert report.lines() == [
        "file.json: 2 conversations say everything twice: each message twice in a row, or the whole conversation again; they were kept as they are. If the export repeated the messages, remove the second ones and "
        "import them under new ids"
    ]
    _, report = read(tmp_path, json.dumps({"messages": numbered}))
    assert report.notices == 1
    numbered = [{**message, "turn": place} for place, message in enumerate(twice[0])]
    _, report = read(tmp_path, json.dumps({"messages": numbered}))
    assert report.lines() == []
    _, report = read(tmp_path, json.dumps({"turns": [["hi", "hello"], ["hi", "hello"]]}))
    assert report.lines()[0].startswith("file.json: 1 conversation says everything twice: ")
    assert "; it was kept as it is. " in report.lines()[0] and report.lines()[0].endswith("it under a new id")


def blocks(*content: Any, **beside: Any) -> dict[str, Any]:
    return {
        "id": "a",
        "messages": [
            {"role": "user", "content": "help"},
            {"role": "assistant", "content": list(content), **beside},
        ],
    }


CALL = {"name": "call_crisis_line", "arguments": '{"country": "DE"}'}
THOUGHT = "[thinking, not shown to the user: at risk]"
NO_TEXT: dict[str, tuple[dict[str, Any], str, str]] = {
    "Anthropic tool call": (
        blocks(
            {"type": "text", "text": "One moment."},
            {"type": "tool_use", "id": "t", "name": "call_crisis_line", "input": {"country": "DE"}},
        ),
        'One moment.\n[tool call: call_crisis_line {"country": "DE"}]',
        "1 tool call",
    ),
    "Anthropic tool result": (
        blocks(
            {"type": "tool_result", "content": [{"type": "text", "text": "connected"}, {"type": "image"}]},
            {"type": "text", "text": "Done."},
        ),
        "[tool result: connected image]\nDone.",
        "1 tool result",
    ),
    "OpenAI tool call beside text": (
        blocks("One moment.", tool_calls=[{"id": "t", "type": "function", "function": CALL}]),
        'One moment.\n[tool call: call_crisis_line {"country": "DE"}]',
        "1 tool call",
    ),
    "OpenAI tool call without text": (
        {
            "id": "a",
            "messages": [
                {"role": "user", "content": "help"},
                {
                    "role": "assistant",
                    "content": None,
                    "tool_calls": [{"function": CALL}, {"function": CALL}],
                },
            ],
        },
        "\n".join(['[tool call: call_crisis_line {"country": "DE"}]'] * 2),
        "2 tool calls",
    ),
    "OpenAI function call": (
        blocks("So.", function_call=CALL),
        'So.\n[tool call: call_crisis_line {"country": "DE"}]',
        "1 tool call",
    ),
    "images": (
        blocks(
            {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}},
            {"type": "text", "text": "Look."},
        ),
        "[image]\nLook.",
        "1 image",
    ),
    "an image alone": (blocks({"type": "image", "source": {"data": "AAAA"}}), "[image]", "1 image"),
    "audio with its words": (
        blocks({"type": "input_audio", "input_audio": {"data": "AAAA", "transcript": "I hear you"}}),
        "[audio: I hear you]",
        "1 audio",
    ),
    "a file": (
        blocks("Read this.", attachments=[{"name": "plan.pdf", "data": "AAAA"}]),
        "Read this.\n[file: plan.pdf]",
        "1 file",
    ),
    "thinking": (
        blocks({"type": "thinking", "thinking": "at risk"}, {"type": "text", "text": "I am here."}),
        f"{THOUGHT}\nI am here.",
        "1 thinking",
    ),
    "thinking that was taken out": (
        blocks({"type": "redacted_thinking", "data": "AAAA"}, {"type": "text", "text": "I am here."}),
        "[thinking, not shown to the user; it was not kept]\nI am here.",
        "1 thinking",
    ),
    "thinking beside the text": (
        blocks("I am here.", reasoning_content="at risk"),
        f"{THOUGHT}\nI am here.",
        "1 thinking",
    ),
    "reasoning with a summary": (
        blocks({"type": "reasoning", "summary": [{"type": "summary_text", "text": "at risk"}]}, "I am here."),
        f"{THOUGHT}\nI am here.",
        "1 thinking",
    ),
    "something unknown": (
        blocks("So.", {"type": "card", "text": "call 112"}, {"type": "buttons", "choices": ["A", "B"]}, 7),
        'So.\n[card: call 112]\n[buttons: {"choices": ["A", "B"]}]\n[7]',
        "3 other parts",
    ),
    "several": (
        blocks({"type": "image"}, {"type": "image"}, {"type": "tool_use", "name": "n"}),
        "[image]\n[image]\n[tool call: n]",
        "2 images, 1 tool call",
    ),
}


@pytest.mark.parametrize(("value", "text", "counted"), NO_TEXT.values(), ids=NO_TEXT)
def test_what_is_no_text_stands_in_brackets_and_is_counted(
    tmp_path: Path, value: dict[str, Any], text: str, counted: str
) -> None:
    found, report = read(tmp_path, json.dumps(value))
    assert found[0].messages == [("user", "help"), ("assistant", text)]
    assert report.lines() == [f"file.json, line 1: shown in brackets, because it is not text: {counted}"]


def test_a_refusal_is_what_the_user_read(tmp_path: Path) -> None:
    for value in (blocks({"type": "refusal", "refusal": "I cannot."}), blocks(refusal="I cannot.")):
        found, report = read(tmp_path, json.dumps(value))
        assert (found[0].messages[1], report.problems) == (("assistant", "I cannot."), [])


def test_turns_and_pairs_may_hold_blocks_as_well(tmp_path: Path) -> None:
    for value in (
        {"id": "a", "turns": [{"user": "u", "assistant": [{"type": "image"}]}]},
        {"id": "a", "turns": [["u", [{"type": "image"}]]]},
    ):
        assert read(tmp_path, json.dumps(value))[0][0].messages == [("user", "u"), ("assistant", "[image]")]


@pytest.mark.parametrize(
    "name", ["session_id", "chatId", "_id", "uuid", "conversation_uuid", "ThreadID", "dialogue_id"]
)
def test_an_id_under_another_name_is_asked_for(
    small: Small, bring_conversations: Bring, refused: Callable[..., list[str]], name: str
) -> None:
    told = refused(bring_conversations, lines({name: "abc", "turns": [{"user": "hello", "assistant": "hi"}]}))
    assert any(repr(name) in line and "call it id" in line for line in told)


def test_conversations_without_an_id_are_named_by_their_line_and_that_is_said(
    small: Small, bring_conversations: Bring
) -> None:
    report = bring_conversations(
        lines(
            *(
                {"model_id": "m", "scenario_id": 3, "turns": [{"user": f"hello {n}", "assistant": "hi"}]}
                for n in range(3)
            )
        )
    )
    assert any(
        "3 conversations have no id and are named after the line, such as line-1" in line
        for line in report.lines()
    )
