"""Conversations that can't be used: the line and the reason are named, and nothing of the file is kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from data.store.errors import NotFound
from tests.studies import importing
from tests.studies.small_study import Small
from tests.unit.data.importers.conftest import Bring, lines, talk

GOOD = lines(talk("n1"), talk("n2"))
Refuse = Callable[..., list[str]]

WRONG: dict[str, tuple[Any, str]] = {
    "no turns": ({"id": "x", "turns": []}, "line 3: the conversation is empty"),
    "only blank texts": (
        {"id": "x", "turns": [{"user": " ", "assistant": ""}]},
        "line 3: the conversation is empty",
    ),
    "nobody replies": (
        {"id": "x", "messages": [{"role": "user", "content": "hi"}]},
        "line 3: the assistant says nothing, so there is nothing to rate",
    ),
    "only the system speaks": (
        {"id": "x", "messages": [{"role": "system", "content": "Be kind."}]},
        "line 3: the conversation is empty",
    ),
    "unknown role": (
        {"id": "x", "messages": [{"role": "narrator", "content": "hi"}]},
        "line 3: message 1 has the role 'narrator'; use user, assistant, tool or system",
    ),
    "no role": ({"id": "x", "messages": [{"content": "hi"}]}, "line 3: message 1 has the role None"),
    "no text": ({"id": "x", "messages": [{"role": "user"}]}, "line 3: message 1 has no text"),
    "number for text": (
        {"id": "x", "turns": [{"user": 7, "assistant": "hi"}]},
        "line 3: message 1 has no text",
    ),
    "three in a pair": (
        [["a", "b", "c"]],
        "line 3: message 1 is neither an object with role and content nor a pair",
    ),
    "turns no list": ({"id": "x", "turns": "hi"}, "line 3: messages or turns must be a list"),
    "nothing known": (
        {"id": "x", "text": "hi"},
        "line 3: there are no messages or turns; there are id, text",
    ),
    "empty object": ({}, "line 3: there are no messages or turns, and nothing else"),
    "a text": ("hi", "line 3: expected an object with messages or turns, or a list of pairs"),
    "a number": (3, "line 3: expected an object"),
    "true for id": (
        {"id": True, "turns": [["a", "b"]]},
        "line 3: the id must be a text or a number, at most 200 characters",
    ),
    "blank id": ({"id": "  ", "turns": [["a", "b"]]}, "line 3: the id must be a text or a number"),
    "endless id": ({"id": "x" * 201, "turns": [["a", "b"]]}, "line 3: the id must be a text or a number"),
    "numbers that run backwards": (
        {
            "id": "x",
            "messages": [
                {"turn": 1, "role": "user", "content": "hi"},
                {"turn": 3, "role": "user", "content": "well"},
                {"turn": 2, "role": "assistant", "content": "hello"},
            ],
        },
        "line 3: turn 2 of conversation 'x' comes after turn 3; sort the messages by turn",
    ),
    "numbers of turns that run backwards, as texts": (
        {
            "id": 7,
            "turns": [
                {"Message Number": "10", "user": "hi", "assistant": "hello"},
                {"Message Number": "9", "user": "well", "assistant": "good"},
            ],
        },
        "line 3: Message Number 9 of conversation '7' comes after Message Number 10; sort the messages by Message Number",
    ),
    "numbers in a list of messages": (
        [
            {"index": 1, "role": "user", "content": "hi"},
            {"index": 0, "role": "assistant", "content": "hello"},
        ],
        "line 3: index 0 of conversation 'line-3' comes after index 1; sort the messages by index",
    ),
    "id twice": (
        talk("n1", "other words"),
        "line 3: the id 'n1' is already on line 1; give every conversation its own id",
    ),
}
FILES: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "line 1: the file is empty"),
    "blank": (b" \n\n ", "line 1: the file is empty"),
    "not JSON": (b"hello there\n", "line 1: not valid JSON"),
    "cut off": (b'{"id": "a", "turns": [{"user": "hi", "assi', "line 1: not valid JSON"),
    "cut off in the last line": (GOOD.encode() + b'{"id": "a", "tu', "line 3: not valid JSON"),
    "cut off in an array": (
        b'[{"turns": [["a", "b"]]}, {"turns": [["a"',
        "line 2: the array can't be read after element 1",
    ),
    "an array with something behind": (
        b'[{"turns": [["a", "b"]]}] {"id"',
        "line 2: there is text after the end of the array",
    ),
    "an empty array": (b"[]", "the file contains no conversation"),
    "Latin-1": (
        GOOD.encode() + lines(talk("x", "grün")).encode("latin-1"),
        "line 3: a letter such as é or ü is not stored as UTF-8",
    ),
    "Latin-1 in an array": (
        '[{"turns": [["grün", "b"]]}]'.encode("latin-1"),
        "line 1: a letter such as é or ü is not stored as UTF-8",
    ),
    "Latin-1 further down in an array": (
        '[{"turns": [["a", "b"]]},\n\n\n{"turns": [["grün", "b"]]}]'.encode("latin-1"),
        "line 4: a letter such as é or ü is not stored as UTF-8",
    ),
    "UTF-16": (
        lines(talk("x")).encode("utf-16"),
        "line 1: the file is UTF-16; save it as UTF-8 and import it again",
    ),
    "UTF-16 big-endian": (b"\xfe\xff" + lines(talk("x")).encode("utf-16-be"), "line 1: the file is UTF-16"),
    "lone surrogate": (
        b'{"turns": [["hi \\ud83d there", "b"]]}',
        "line 1: the text holds half a character (a lone surrogate)",
    ),
    "lone surrogate in an array": (
        b'[{"turns": [["hi \\ude00 there", "b"]]}]',
        "line 1: the text holds half a character (a lone surrogate)",
    ),
    "lone surrogate in an id": (
        b'{"id": "\\ud83d", "turns": [["a", "b"]]}',
        "line 1: the text holds half a character",
    ),
    "lone surrogate beside the text": (
        b'{"mood": "\\ud83d", "turns": [["a", "b"]]}',
        "line 1: the text holds half a character",
    ),
    "very deep": (b"[" * 100_000, "nested too deeply"),
    "very deep on a line": (b'{"turns": ' + b"[" * 100_000, "nested too deeply"),
    "an endless number": (
        b'{"id": ' + b"1" * 5000 + b"}",
        "line 1: not valid JSON: a number has too many digits",
    ),
}


@pytest.mark.parametrize(("value", "says"), WRONG.values(), ids=WRONG)
def test_a_wrong_conversation_is_named_by_its_line(
    bring_conversations: Bring, refused: Refuse, value: Any, says: str
) -> None:
    found = refused(bring_conversations, GOOD + lines(value))
    assert len(found) == 1
    assert found[0].startswith(f"file.jsonl, {says}")


@pytest.mark.parametrize(("content", "says"), FILES.values(), ids=FILES)
def test_a_file_that_cannot_be_read_is_named_by_its_line(
    bring_conversations: Bring, refused: Refuse, content: bytes, says: str
) -> None:
    assert says in refused(bring_conversations, content)[0]


@pytest.mark.parametrize(
    "content",
    [GOOD + lines(value) for value, _ in WRONG.values()] + [content for content, _ in FILES.values()],
    ids=[*WRONG, *FILES],
)
def test_nothing_of_a_wrong_file_is_kept(
    bring_conversations: Bring,
    refused: Refuse,
    row_counts: Callable[[], dict[str, int]],
    content: str | bytes,
) -> None:
    before = row_counts()
    refused(bring_conversations, content)
    assert row_counts() == before


def test_a_wrong_line_after_many_good_ones_undoes_them_all(
    bring_conversations: Bring, refused: Refuse, row_counts: Callable[[], dict[str, int]]
) -> None:
    before = row_counts()
    many = lines(*(talk(f"n{n}") for n in range(1100)))  # more than are written at a time
    assert len(refused(bring_conversations, many + "broken\n")) == 1
    assert row_counts() == before


def test_every_wrong_line_is_reported_at_once(bring_conversations: Bring, refused: Refuse) -> None:
    found = refused(bring_conversations, lines(talk("n1"), 1, talk("n2"), 2, 3))
    assert [line.split(":")[0] for line in found] == [
        "file.jsonl, line 2",
        "file.jsonl, line 4",
        "file.jsonl, line 5",
    ]


def test_of_very_many_wrong_lines_the_rest_is_counted(bring_conversations: Bring, refused: Refuse) -> None:
    found = refused(bring_conversations, lines(*range(1, 1301)))
    assert (len(found), found[-1]) == (201, "... and 1,100 more of the same kind.")


def test_errors_stand_before_what_was_only_noticed(bring_conversations: Bring, refused: Refuse) -> None:
    found = refused(
        bring_conversations, lines({"turns": [{"user": "so?", "assistant": "hi"}, {"user": "bye"}]}, 7)
    )
    assert ["expected an object" in found[0], "has no reply" in found[1]] == [True, True]


def test_an_unknown_study_is_named_with_those_there_are(small: Small, write: Callable[..., Any]) -> None:
    with pytest.raises(NotFound, match="no_study_of_key"):
        importing.import_conversations(small.store, "smal", write(GOOD), "tests")


def test_a_file_that_is_gone_is_a_report_and_no_traceback(
    small: Small, write: Callable[..., Any], refused: Refuse
) -> None:
    path = write(GOOD)
    path.unlink()
    assert refused(importing.import_conversations, small.store, "small", path, "tests") == [
        "file.jsonl: the file can't be read: No such file or directory"
    ]
