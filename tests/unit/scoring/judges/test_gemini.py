"""Every way in which a call to Gemini ends, through the real SDK."""

from __future__ import annotations

import socket
import subprocess
import sys
from typing import Any

import pytest

from scoring.judges.gemini import GeminiJudge
from scoring.judges.judge_client import JudgeAnswer, Usage
from tests.servers.judges import SCHEMA, SECRET, asked, gemini_fields
from tests.servers.model_server import (
    MODEL,
    ModelServer,
    Reply,
    as_json,
    error,
    gemini,
    in_turn,
    too_many,
    valid_text,
)

JSON = {"content-type": "application/json"}
KEY_INVALID = [{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID"}]
BLOCKING = {"category": "HARM_CATEGORY_DANGEROUS_CONTENT", "probability": "HIGH", "blocked": True}
THOUGHT = {"text": "Let me think.", "thought": True}


def told(server: ModelServer, reply: Reply, seconds: float = 5) -> JudgeAnswer:
    """What the adapter makes of a reply, for which it asked once and no more."""
    server.behave = in_turn(reply)
    answer = asked(GeminiJudge, gemini_fields(server, timeout_seconds=seconds))
    assert len(server.requests) == 1
    return answer


# ---- replies ----


def test_a_reply_comes_back_with_its_model_its_usage_and_its_id(server: ModelServer) -> None:
    text = valid_text(SCHEMA)
    assert told(server, gemini(text)) == JudgeAnswer(
        "ok", text=text, served=MODEL, response_id="r-1", finish="STOP", usage=Usage(1000, 150, 100, 0)
    )


def test_thinking_counts_as_output_and_cached_tokens_are_part_of_the_input(server: ModelServer) -> None:
    usage = {
        "promptTokenCount": 900,
        "candidatesTokenCount": 40,
        "thoughtsTokenCount": 300,
        "cachedContentTokenCount": 800,
        "totalTokenCount": 1240,
    }
    assert told(server, gemini("{}", usage=usage)).usage == Usage(900, 340, 300, 800)


def test_a_thought_is_no_part_of_the_answer(server: ModelServer) -> None:
    assert (
        told(server, gemini(None, content={"role": "model", "parts": [THOUGHT, {"text": "{}"}]})).text == "{}"
    )


@pytest.mark.parametrize(
    "parts",
    [[], [{"text": ""}], [THOUGHT], [{"functionCall": {"name": "f"}}]],
    ids=["none", "empty", "a thought", "no text"],
)
def test_a_reply_without_a_text_is_empty_and_not_ok(
    server: ModelServer, parts: list[dict[str, object]]
) -> None:
    answer = told(server, gemini(None, content={"role": "model", "parts": parts}))
    assert (answer.status, answer.detail, answer.text) == ("invalid", "an empty reply", None)


@pytest.mark.parametrize(
    "text",
    ["```json\n{}\n```", '{"reasoning": "r", "cited_turns": [1], "label": "MAYBE"}'],
    ids=["fenced", "wrong label"],
)
def test_what_a_finished_reply_says_is_left_to_the_reader_of_verdicts(server: ModelServer, text: str) -> None:
    answer = told(server, gemini(text))
    assert (answer.status, answer.text) == ("ok", text)


def test_a_reply_that_was_cut_off_is_not_read_even_if_it_looks_whole(server: ModelServer) -> None:
    answer = told(server, gemini(valid_text(SCHEMA), "MAX_TOKENS"))
    assert (answer.status, answer.finish) == ("truncated", "MAX_TOKENS")


def test_thinking_that_took_all_the_room_is_a_reply_cut_off(server: ModelServer) -> None:
    answer = told(
        server,
        gemini(
            None,
            "MAX_TOKENS",
            usage={"promptTokenCount": 10, "thoughtsTokenCount": 64, "totalTokenCount": 74},
        ),
    )
    assert (answer.status, answer.text, answer.usage) == ("truncated", None, Usage(10, 64, 64, 0))


@pytest.mark.parametrize("finish", ["SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII"])
def test_a_withheld_reply_is_blocked_whatever_text_came_with_it(server: ModelServer, finish: str) -> None:
    for text in (None, valid_text(SCHEMA)):
        server.requests.clear()
        answer = told(server, gemini(text, finish, safetyRatings=[BLOCKING]))
        assert (answer.status, answer.detail, answer.finish, answer.text) == (
            "blocked_output",
            finish,
            finish,
            text,
        )
        assert answer.safety == ("HARM_CATEGORY_DANGEROUS_CONTENT=HIGH blocked",)


def test_a_refused_prompt_is_blocked_with_its_reason(server: ModelServer) -> None:
    answer = told(
        server,
        as_json(
            {
                "promptFeedback": {"blockReason": "PROHIBITED_CONTENT", "safetyRatings": [BLOCKING]},
                "modelVersion": MODEL,
                "usageMetadata": {"promptTokenCount": 1000, "totalTokenCount": 1000},
            }
        ),
    )
    assert (answer.status, answer.detail, answer.served, answer.usage) == (
        "blocked_prompt",
        "PROHIBITED_CONTENT",
        MODEL,
        Usage(1000, 0, 0, 0),
    )
    assert answer.safety == ("HARM_CATEGORY_DANGEROUS_CONTENT=HIGH blocked",)


@pytest.mark.parametrize(
    ("finish", "detail"),
    [("OTHER", "OTHER"), ("LANGUAGE", "LANGUAGE"), ("MALFORMED_FUNCTION_CALL", "MALFORMED_FUNCTION_CALL")],
)
def test_any_other_end_is_not_ok(server: ModelServer, finish: str, detail: str) -> None:
    assert told(server, gemini(valid_text(SCHEMA), finish)).detail == f"it ended with {detail}"


@pytest.mark.filterwarnings("ignore:.*is not a valid FinishReason")
def test_an_end_in_words_is_not_repeated(server: ModelServer) -> None:
    answer = told(server, gemini("{}", "because she said so"))
    assert (answer.status, answer.detail) == ("invalid", "it ended with an unknown reason")


def test_another_model_is_named_as_it_named_itself(server: ModelServer) -> None:
    assert told(server, gemini("{}", model="gemini-3.9-flash")).served == "gemini-3.9-flash"


def test_half_a_surrogate_pair_in_a_reply_becomes_a_mark_that_can_be_kept(server: ModelServer) -> None:
    assert told(server, gemini("half \ud83d")).text == "half ?"


# ---- errors ----


def test_too_many_calls_are_a_quota_with_the_seconds_that_the_server_asked_for(server: ModelServer) -> None:
    answer = told(server, too_many(12.5))
    assert (answer.status, answer.wait, answer.exhausted, answer.http, answer.detail) == (
        "quota",
        12.5,
        False,
        429,
        "429 RESOURCE_EXHAUSTED",
    )


def test_too_many_calls_without_a_hint_have_none(server: ModelServer) -> None:
    assert told(server, too_many()).wait is None


@pytest.mark.parametrize(
    "violation",
    [{"quotaId": "GenerateRequestsPerDayPerProjectPerModel"}, {"quotaId": "Requests", "quotaValue": "0"}],
)
def test_a_quota_of_the_day_or_of_nothing_is_used_up_whatever_the_hint(
    server: ModelServer, violation: dict[str, str]
) -> None:
    details: list[dict[str, Any]] = [
        {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "3s"},
        {"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [violation]},
    ]
    answer = told(server, error(429, "RESOURCE_EXHAUSTED", details=details))
    assert (answer.status, answer.exhausted) == ("quota", True)


@pytest.mark.parametrize(
    ("reply", "status"),
    [
        (error(400, "INVALID_ARGUMENT", details=KEY_INVALID), "refused_key"),
        (error(401, "UNAUTHENTICATED"), "refused_key"),
        (error(403, "PERMISSION_DENIED"), "refused_key"),
        (error(404, "NOT_FOUND"), "gone"),
        (error(400, "INVALID_ARGUMENT"), "rejected"),
        (error(422, "UNPROCESSABLE"), "rejected"),
        (error(408, "TIMEOUT"), "transport"),
        (error(500, "INTERNAL"), "transport"),
        (error(503, "UNAVAILABLE"), "transport"),
        (Reply(502, b"<html>Bad Gateway</html>", {"content-type": "text/html"}), "transport"),
    ],
)
def test_an_error_has_its_own_status(server: ModelServer, reply: Reply, status: str) -> None:
    answer = told(server, reply)
    assert (answer.status, answer.http, answer.text) == (status, reply.status, None)


def test_a_service_that_is_down_may_say_for_how_long(server: ModelServer) -> None:
    details = [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "7s"}]
    assert told(server, error(503, "UNAVAILABLE", details=details)).wait == 7


def test_what_the_server_says_about_an_error_stands_apart_from_its_code(server: ModelServer) -> None:
    answer = told(server, error(400, "she said that she", "what she said"))
    assert (answer.detail, answer.said) == ("400", "what she said")


@pytest.mark.parametrize(
    "body",
    [
        b"[]",
        b"3",
        b'{"error": {"message": {"a": 1}, "details": "x"}}',
        b'{"error": {"details": [{"violations": "x"}, 3]}}',
    ],
)
def test_an_error_in_another_form_has_the_status_of_its_code(server: ModelServer, body: bytes) -> None:
    answer = told(server, Reply(429, body, dict(JSON)))
    assert (answer.status, answer.said) == ("quota", None)


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
        b"<html>Sign in</html>",
    ],
)
def test_a_body_of_something_else_is_a_failed_transport_and_blames_no_conversation(
    server: ModelServer, body: bytes
) -> None:
    assert told(server, Reply(200, body, dict(JSON))).status == "transport"


@pytest.mark.parametrize("body", [b'{"candidates": [{}]}', b'{"candidates": [null]}', b'{"candidates": "x"}'])
def test_a_candidate_without_an_end_is_not_ok(server: ModelServer, body: bytes) -> None:
    assert told(server, Reply(200, body, dict(JSON))).status == "invalid"


def test_a_named_model_that_gives_no_candidate_and_no_reason_gave_no_valid_reply(server: ModelServer) -> None:
    answer = told(server, as_json({"modelVersion": MODEL}))
    assert (answer.status, answer.detail) == ("invalid", "the body holds no candidate")


def test_a_server_that_hangs_is_given_up(server: ModelServer) -> None:
    assert told(server, Reply(hang=True), seconds=0.2) == JudgeAnswer("transport", detail="ReadTimeout")


def test_a_body_that_stops_in_the_middle_is_given_up(server: ModelServer) -> None:
    reply = gemini("{}")
    reply.cut = True
    assert told(server, reply, seconds=0.5).status == "transport"


def test_a_server_that_is_not_there_is_a_failed_transport(server: ModelServer) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    answer = asked(GeminiJudge, gemini_fields(server, base_url=f"http://127.0.0.1:{port}"))
    assert (answer.status, answer.detail) == ("transport", "ConnectError")


def test_the_key_goes_in_a_header_and_not_in_the_address(server: ModelServer) -> None:
    told(server, gemini("{}"))
    [seen] = server.requests
    assert seen.headers["x-goog-api-key"] == SECRET
    assert SECRET not in seen.target


def test_a_code_that_the_sdk_does_not_know_stands_in_no_log() -> None:
    """The SDK warns of it in the server's own words. In a process of its own, because pytest keeps warnings."""
    words = "a sentence of the client"
    program = (
        "import scoring.judges.gemini; from google.genai import types; "
        f"assert types.FinishReason({words!r}).value == {words!r}"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert words not in done.stderr + done.stdout
