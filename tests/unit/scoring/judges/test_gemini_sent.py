"""What is sent to Gemini: exactly what models.yaml sets, and nothing that it does not."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from scoring.judges.catalogue import JudgeEntry
from scoring.judges.gemini import GeminiJudge
from scoring.judges.judge_client import JudgeRequest
from scoring.judges.reply_parsing import reply_model, schema_of
from tests.servers.judges import SCHEMA, asked, gemini_fields, request
from tests.servers.model_server import MODEL, ModelServer

BARE = {"maxOutputTokens": 2048, "responseMimeType": "application/json", "responseJsonSchema": SCHEMA}


def sent(
    server: ModelServer, what: JudgeRequest | None = None, room: int = 1, **fields: Any
) -> dict[str, Any]:
    asked(GeminiJudge, gemini_fields(server, **fields), what, room)
    [seen] = server.requests
    assert seen.path.endswith(f"/models/{MODEL}:generateContent")
    body: dict[str, Any] = seen.body
    return body


def test_the_prompt_goes_in_two_parts(server: ModelServer) -> None:
    body = sent(server, request(system="Who you are.", user="What was said.\u2028{{label}}"))
    assert [part["text"] for part in body["systemInstruction"]["parts"]] == ["Who you are."]
    assert [
        (content["role"], [part["text"] for part in content["parts"]]) for content in body["contents"]
    ] == [("user", ["What was said.\u2028{{label}}"])]


def test_nothing_is_sent_that_is_not_set(server: ModelServer) -> None:
    body = sent(server)
    assert body["generationConfig"] == BARE
    assert set(body) == {"contents", "systemInstruction", "generationConfig"}


# Names inside thinkingConfig go out as the SDK writes them; Google's JSON takes both spellings.
@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"temperature": 0}, {"temperature": 0}),
        ({"temperature": 0.7}, {"temperature": 0.7}),
        ({"seed": 0}, {"seed": 0}),
        ({"seed": 7}, {"seed": 7}),
        ({"thinking_budget": 0}, {"thinkingConfig": {"thinking_budget": 0}}),
        ({"thinking_budget": -1}, {"thinkingConfig": {"thinking_budget": -1}}),
        ({"thinking_level": "LOW"}, {"thinkingConfig": {"thinking_level": "LOW"}}),
        ({"max_output_tokens": 100}, {"maxOutputTokens": 100}),
    ],
)
def test_what_is_set_is_sent_as_it_is_set(
    server: ModelServer, fields: dict[str, Any], expected: dict[str, Any]
) -> None:
    assert sent(server, **fields)["generationConfig"] == {**BARE, **expected}


def test_safety_settings_are_sent_one_by_one(server: ModelServer) -> None:
    safety = {"HARM_CATEGORY_HARASSMENT": "OFF", "HARM_CATEGORY_DANGEROUS_CONTENT": "BLOCK_ONLY_HIGH"}
    assert sent(server, safety=safety)["safetySettings"] == [
        {"category": category, "threshold": threshold} for category, threshold in safety.items()
    ]


def test_a_repair_has_more_room_and_nothing_else(server: ModelServer) -> None:
    assert sent(server, room=2)["generationConfig"] == {**BARE, "maxOutputTokens": 4096}


def test_without_a_schema_no_json_is_asked_for(server: ModelServer) -> None:
    assert sent(server, request(schema=None))["generationConfig"] == {"maxOutputTokens": 2048}


def test_every_call_of_one_client_has_its_own_schema_and_prompt(server: ModelServer) -> None:
    models = [reply_model(tuple(f"{letter}{number}" for letter in "ABC"), "none") for number in range(20)]

    async def ask_all() -> None:
        judge = GeminiJudge(JudgeEntry.model_validate(gemini_fields(server)))
        for number, model in enumerate(models):
            await judge.ask(
                request(system=f"system {number}", schema=dict(schema_of(model)))
            )  # a schema that nobody else holds
        await judge.close()

    asyncio.run(ask_all())
    for number, (seen, model) in enumerate(zip(server.requests, models, strict=True)):
        assert (seen.schema, seen.body["systemInstruction"]["parts"][0]["text"]) == (
            schema_of(model),
            f"system {number}",
        )


def test_the_schema_puts_the_reasoning_before_the_label(server: ModelServer) -> None:
    sent(server)
    schema = server.requests[0].schema
    assert schema is not None
    assert list(schema["properties"]) == schema["required"] == ["reasoning", "cited_turns", "label"]
    assert (schema["properties"]["label"]["enum"], schema["additionalProperties"]) == (
        ["YES", "NO", "NA"],
        False,
    )
