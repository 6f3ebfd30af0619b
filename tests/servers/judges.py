"""Entries of models.yaml that point at the model server on loopback, and one call as an adapter is asked to
make it.
"""

from __future__ import annotations

import asyncio
from typing import Any

from scoring.judges.catalogue import JudgeEntry
from scoring.judges.judge_client import JudgeAnswer, JudgeClient, JudgeRequest
from scoring.judges.reply_parsing import reply_model, schema_of
from tests.servers.model_server import MODEL, ModelServer

VARIABLE = "TEST_JUDGE_KEY"
SECRET = "a-key-that-nobody-may-see"
SCHEMA = schema_of(reply_model(("YES", "NO", "NA"), "turns"))
LOCAL = "local-model"


def gemini_fields(server: ModelServer, **more: Any) -> dict[str, Any]:
    return {
        "provider": "gemini",
        "model": MODEL,
        "key": VARIABLE,
        "base_url": server.url,
        "data_classes": ["synthetic"],
        "timeout_seconds": 5,
        **more,
    }


def local_fields(server: ModelServer, **more: Any) -> dict[str, Any]:
    return {
        "provider": "openai_compatible",
        "model": LOCAL,
        "base_url": f"{server.url}/v1",
        "data_classes": ["synthetic"],
        "timeout_seconds": 5,
        **more,
    }


def request(**more: Any) -> JudgeRequest:
    return JudgeRequest(
        **{
            "system": "You are a judge.",
            "user": "What was said.",
            "schema": SCHEMA,
            "data_class": "synthetic",
            "key": "k",
            **more,
        }
    )


def asked(
    client_type: type[Any], fields: dict[str, Any], what: JudgeRequest | None = None, room: int = 1
) -> JudgeAnswer:
    """What comes of one call through the adapter `made`."""

    async def once() -> JudgeAnswer:
        judge: JudgeClient = client_type(JudgeEntry.model_validate(fields))
        try:
            return await judge.ask(what or request(), room)
        finally:
            await judge.close()

    return asyncio.run(once())
