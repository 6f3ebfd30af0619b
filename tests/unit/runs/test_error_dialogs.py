"""One answer of the server is changed, in one value; every other one passes as it came."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import pytest

from runs.error_dialogs import HOST_CONFIG, NoErrorDialogs
from runs.web_access import Receive, Scope, Send

CONFIGURATION = {"allowedOrigins": ["https://a.example"], "blockErrorDialogs": False, "metricsUrl": ""}


def answer_to(path: str, parts: Sequence[bytes], status: int = 200, kind: str = "http") -> list[Any]:
    body = b"".join(parts)

    async def application(_scope: Scope, _receive: Receive, send: Send) -> None:
        headers = [(b"content-type", b"application/json"), (b"Content-Length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        for number, part in enumerate(parts, 1):
            await send({"type": "http.response.body", "body": part, "more_body": number < len(parts)})

    messages: list[Any] = []

    async def send(message: Any) -> None:
        messages.append(message)

    async def receive() -> Any:
        raise AssertionError("nothing is asked of the client")

    asyncio.run(NoErrorDialogs(application)({"type": kind, "path": path}, receive, send))
    return messages


@pytest.mark.parametrize("prefix", ["", "/folder"])
@pytest.mark.parametrize("count", [1, 3])
def test_the_platform_is_told_to_leave_its_windows_out(prefix: str, count: int) -> None:
    text = json.dumps(CONFIGURATION).encode()
    step = -(-len(text) // count)
    start, body = answer_to(prefix + HOST_CONFIG, [text[at : at + step] for at in range(0, len(text), step)])
    assert json.loads(body["body"]) == {**CONFIGURATION, "blockErrorDialogs": True}
    assert start["headers"] == [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body["body"])).encode()),
    ]


@pytest.mark.parametrize(
    ("path", "status", "kind"),
    [("/_stcore/health", 200, "http"), (HOST_CONFIG, 403, "http"), (HOST_CONFIG, 200, "websocket")],
)
def test_every_other_answer_passes_as_it_came(path: str, status: int, kind: str) -> None:
    start, *rest = answer_to(path, [b"no ", b"JSON"], status, kind)
    assert (start["status"], [part["body"] for part in rest]) == (status, [b"no ", b"JSON"])
    assert (b"Content-Length", b"7") in start["headers"]
