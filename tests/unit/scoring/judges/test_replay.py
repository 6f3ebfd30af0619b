"""Recorded answers: found by the exact request, or refused."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from scoring.judges.catalogue import JudgeUnusable
from scoring.judges.judge_client import JudgeAnswer
from scoring.judges.replay import ReplayJudge, read_recordings
from tests.servers.judges import request

WORDS = "she wept over the tulips"
ONE = {"key": "k", "reply": "{}", "served": "gemini-3.8-flash"}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "recordings.jsonl"


def write(file: Path, *lines: object) -> Path:
    file.write_text(
        "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines), encoding="utf-8"
    )
    return file


def answered(file: Path, key: str) -> JudgeAnswer:
    return asyncio.run(ReplayJudge(file).ask(request(key=key)))


def test_a_recorded_request_has_its_answer(file: Path) -> None:
    assert answered(write(file, ONE), "k") == JudgeAnswer(
        "ok", text="{}", served="gemini-3.8-flash", finish="STOP"
    )


def test_a_request_that_was_not_recorded_is_refused_and_never_answered(file: Path) -> None:
    assert answered(write(file, ONE), "another") == JudgeAnswer("not_recorded")


def test_an_empty_file_answers_nothing(file: Path) -> None:
    assert answered(write(file, ""), "k").status == "not_recorded"


def test_empty_lines_and_the_same_answer_twice_do_no_harm(file: Path) -> None:
    assert set(read_recordings(write(file, ONE, "", ONE, "  "))) == {"k"}


def test_line_ends_inside_a_recorded_text_are_part_of_it(file: Path) -> None:
    one = json.dumps({**ONE, "reply": "a\u2028b\u0085c"}, ensure_ascii=False)
    assert read_recordings(write(file, one))["k"].reply == "a\u2028b\u0085c"


def test_two_answers_to_one_request_are_refused(file: Path) -> None:
    with pytest.raises(
        JudgeUnusable, match=r"recordings\.jsonl, line 2: another answer to the request of an earlier line"
    ):
        read_recordings(write(file, ONE, {**ONE, "reply": "[]"}))


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[]",
        "3",
        "null",
        "[" * 10_000,
        {"key": "k"},
        {"reply": "r"},
        {**ONE, "more": 1},
        {**ONE, "reply": {WORDS: 1}},
        WORDS,
    ],
)
def test_a_line_that_is_no_recording_is_named_without_its_words(file: Path, line: object) -> None:
    with pytest.raises(
        JudgeUnusable, match=r"recordings\.jsonl, line 2: not a recording; expected key, reply and served"
    ) as caught:
        read_recordings(write(file, ONE, line))
    assert "tulips" not in str(caught.value)


def test_a_file_that_is_not_text_is_refused(file: Path) -> None:
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(JudgeUnusable, match="cannot be read: not UTF-8 text"):
        read_recordings(file)


def test_a_file_that_is_not_there_is_refused(file: Path) -> None:
    with pytest.raises(JudgeUnusable, match="cannot be read: No such file or directory"):
        read_recordings(file)
