"""Every way in which a call to an OpenAI-compatible server ends, through the real SDK."""

from __future__ import annotations

import json
import socket
from typing import Any

import pytest

from scoring.judges.judge_client import JudgeAnswer, Usage
from scoring.judges.openai_compatible import OpenAICompatibleJudge
from tests.servers.judges import LOCAL, SCHEMA, SECRET, VARIABLE, asked, local_fields, request
from tests.servers.model_server import ModelServer, Reply, as_json, chat, in_turn, valid_text

JSON = {"content-type": "application/json"}


def told(server: ModelServer, reply: Reply, seconds: float = 5) -> JudgeAnswer:
    """What the adapter makes of a reply, for which it asked once and no more."""
    server.behave = in_turn(reply)
    answer = asked(OpenAICompatibleJudge, local_fields(server, timeout_seconds=seconds))
    assert len(server.requests) == 1
    return answer


def failing(
    status: int, code: str | None = None, kind: str | None = None, message: str = "as told", **headers: str
) -> Reply:
    reply = as_json({"error": {"message": message, "type": kind, "code": code, "param": None}}, status)
    reply.headers |= {name.replace("_", "-"): value for name, value in headers.items()}
    return reply


def body_with(**more: Any) -> bytes:
    return json.dumps(
        {"model": LOCAL, "choices": [{"finish_reason": "stop", "message": {"content": "{}"}}], **more}
    ).encode()


# ---- replies ----


def test_a_reply_comes_back_with_its_model_its_usage_and_its_id(server: ModelServer) -> None:
    text = valid_text(SCHEMA)
    assert told(server, chat(text)) == JudgeAnswer(
        "ok", text=text, served=LOCAL, response_id="c-1", finish="stop", usage=Usage(1000, 50, 0, 0)
    )


def test_thinking_is_part_of_the_output_and_cached_tokens_of_the_input(server: ModelServer) -> None:
    usage = {
        "prompt_tokens": 900,
        "completion_tokens": 340,
        "total_tokens": 1240,
        "completion_tokens_details": {"reasoning_tokens": 300},
        "prompt_tokens_details": {"cached_tokens": 800},
    }
    assert told(server, Reply(200, body_with(usage=usage), dict(JSON))).usage == Usage(900, 340, 300, 800)


@pytest.mark.parametrize(
    "usage",
    [
        None,
        {},
        {"prompt_tokens": "many"},
        {"prompt_tokens": 3},
        {"prompt_tokens": -1, "completion_tokens": 2},
        [1],
    ],
)
def test_a_server_that_does_not_count_has_no_usage(server: ModelServer, usage: object) -> None:
    answer = told(server, Reply(200, body_with(usage=usage), dict(JSON)))
    assert (answer.status, answer.usage) == ("ok", None)


@pytest.mark.parametrize(
    "text",
    ["```json\n{}\n```", '{"reasoning": "r", "cited_turns": [1], "label": "MAYBE"}'],
    ids=["fenced", "wrong label"],
)
def test_what_a_finished_reply_says_is_left_to_the_reader_of_verdicts(server: ModelServer, text: str) -> None:
    answer = told(server, chat(text))
    assert (answer.status, answer.text) == ("ok", text)


@pytest.mark.parametrize(
    ("reply", "status", "detail"),
    [
        (chat(valid_text(SCHEMA), "length"), "truncated", "length"),
        (chat(valid_text(SCHEMA), "content_filter"), "blocked_output", "content_filter"),
        (chat(None, refusal="I cannot judge this."), "blocked_output", "refusal"),
        (chat(valid_text(SCHEMA), refusal="No."), "blocked_output", "refusal"),
        (chat(valid_text(SCHEMA), "tool_calls"), "invalid", "it ended with tool_calls"),
        (chat(""), "invalid", "an empty reply"),
        (chat(None), "invalid", "an empty reply"),
        (chat("{}", "because she said so"), "invalid", "it ended with none"),
    ],
)
def test_a_reply_that_did_not_end_well_is_not_ok(
    server: ModelServer, reply: Reply, status: str, detail: str
) -> None:
    answer = told(server, reply)
    assert (answer.status, answer.detail) == (status, detail)


def test_another_model_is_named_as_it_named_itself(server: ModelServer) -> None:
    assert told(server, chat("{}", model="other-model")).served == "other-model"


@pytest.mark.parametrize("model", [None, "", 7])
def test_a_server_that_does_not_name_its_model_served_none(server: ModelServer, model: object) -> None:
    assert told(server, Reply(200, body_with(model=model), dict(JSON))).served is None


def test_half_a_surrogate_pair_in_a_reply_becomes_a_mark_that_can_be_kept(server: ModelServer) -> None:
    assert told(server, chat("half \ud83d")).text == "half ?"


# ---- errors ----


@pytest.mark.parametrize(
    ("after", "wait"),
    [("3", 3.0), ("0.5", 0.5), ("Wed, 21 Oct 2026 07:28:00 GMT", None), ("", None), ("-4", 0.0)],
)
def test_too_many_calls_are_a_quota_with_the_seconds_that_the_server_asked_for(
    server: ModelServer, after: str, wait: float | None
) -> None:
    answer = told(server, failing(429, "rate_limit_exceeded", retry_after=after))
    assert (answer.status, answer.wait, answer.exhausted, answer.http) == ("quota", wait, False, 429)


def test_a_quota_that_is_used_up_is_not_waited_for(server: ModelServer) -> None:
    assert told(server, failing(429, "insufficient_quota")).exhausted


@pytest.mark.parametrize(
    ("reply", "status"),
    [
        (failing(400, "invalid_api_key"), "rejected"),
        (failing(401, "invalid_api_key"), "refused_key"),
        (failing(403), "refused_key"),
        (failing(404, "model_not_found"), "gone"),
        (failing(400, "invalid_request_error"), "rejected"),
        (failing(422), "rejected"),
        (failing(400, "content_filter"), "blocked_prompt"),
        (failing(408), "transport"),
        (failing(500), "transport"),
        (failing(503), "transport"),
        (Reply(502, b"<html>Bad Gateway</html>", {"content-type": "text/html"}), "transport"),
    ],
)
def test_an_error_has_its_own_status(server: ModelServer, reply: Reply, status: str) -> None:
    answer = told(server, reply)
    assert (answer.status, answer.http, answer.text) == (status, reply.status, None)


def test_what_the_server_says_about_an_error_stands_apart_from_its_code(server: ModelServer) -> None:
    answer = told(server, failing(400, "she said that she", message="what she said"))
    assert answer.detail == "400"
    assert "what she said" in str(answer.said)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"not json",
        b"[]",
        b"null",
        b"3",
        b'"text"',
        b"{}",
        b"\xff\xfe",
        b"[" * 50_000,
        b'{"choices": []}',
        b'{"choices": "x"}',
        b'{"choices": [null]}',
        b'{"model": "m", "choices": [{"finish_reason": "stop", "message": "x"}]}',
    ],
)
def test_a_body_of_something_else_is_a_failed_transport_and_blames_no_conversation(
    server: ModelServer, body: bytes
) -> None:
    assert told(server, Reply(200, body, dict(JSON))).status == "transport"


def test_a_page_in_place_of_an_answer_is_a_failed_transport(server: ModelServer) -> None:
    assert (
        told(server, Reply(200, b"<html>Sign in</html>", {"content-type": "text/html"})).status == "transport"
    )


def test_a_text_that_is_none_is_empty(server: ModelServer) -> None:
    choices = [{"finish_reason": "stop", "message": {"content": ["a part"]}}]
    assert told(server, Reply(200, body_with(choices=choices), dict(JSON))).detail == "an empty reply"


def test_a_server_that_hangs_is_given_up(server: ModelServer) -> None:
    assert told(server, Reply(hang=True), seconds=0.2) == JudgeAnswer("transport", detail="APITimeoutError")


def test_a_body_that_stops_in_the_middle_is_given_up(server: ModelServer) -> None:
    reply = chat("{}")
    reply.cut = True
    assert told(server, reply, seconds=0.5).status == "transport"


def test_a_server_that_is_not_there_is_a_failed_transport(server: ModelServer) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    answer = asked(OpenAICompatibleJudge, local_fields(server, base_url=f"http://127.0.0.1:{port}/v1"))
    assert (answer.status, answer.detail) == ("transport", "APIConnectionError")


# ---- what is sent ----


def sent(server: ModelServer, room: int = 1, **fields: Any) -> dict[str, Any]:
    asked(OpenAICompatibleJudge, local_fields(server, **fields), room=room)
    body: dict[str, Any] = server.requests[-1].body
    return body


BARE = {
    "model": LOCAL,
    "max_tokens": 2048,
    "messages": [
        {"role": "system", "content": "You are a judge."},
        {"role": "user", "content": "What was said."},
    ],
    "response_format": {
        "type": "json_schema",
        "json_schema": {"name": "answer", "strict": True, "schema": SCHEMA},
    },
}


def test_nothing_is_sent_that_is_not_set(server: ModelServer) -> None:
    assert sent(server) == BARE


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"temperature": 0}, {"temperature": 0}),
        ({"seed": 0}, {"seed": 0}),
        ({"max_output_tokens": 100}, {"max_tokens": 100}),
    ],
)
def test_what_is_set_is_sent_as_it_is_set(
    server: ModelServer, fields: dict[str, Any], expected: dict[str, Any]
) -> None:
    assert sent(server, **fields) == {**BARE, **expected}


def test_a_repair_has_more_room_and_nothing_else(server: ModelServer) -> None:
    assert sent(server, room=2) == {**BARE, "max_tokens": 4096}


def test_without_a_schema_no_json_is_asked_for(server: ModelServer) -> None:
    asked(OpenAICompatibleJudge, local_fields(server), request(schema=None))
    assert "response_format" not in server.requests[0].body


def test_a_key_is_sent_only_where_one_is_named(server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "a key for somebody else")
    sent(server)
    sent(server, key=VARIABLE)
    assert [seen.headers["authorization"] for seen in server.requests] == ["Bearer none", f"Bearer {SECRET}"]
