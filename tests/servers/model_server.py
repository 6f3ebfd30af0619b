"""A model server on loopback that behaves as it is told: well, slowly, wrongly, or not at all. The SDKs talk
to it as to a real one.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

MODEL = "gemini-3.8-flash"


@dataclass
class Seen:
    """A request as it arrived. `number` counts from 1."""

    number: int
    method: str
    path: str
    body: dict[str, Any]
    headers: dict[str, str]
    target: str = ""  # the path with what stands after the question mark

    @property
    def gemini(self) -> bool:
        return "chat/completions" not in self.path

    @property
    def prompt(self) -> str:
        if self.gemini:
            return "".join(part["text"] for content in self.body["contents"] for part in content["parts"])
        return str(self.body["messages"][-1]["content"])

    @property
    def schema(self) -> dict[str, Any] | None:
        asked: dict[str, Any] | None = (
            self.body.get("generationConfig", {}).get("responseJsonSchema")
            if self.gemini
            else self.body.get("response_format", {}).get("json_schema", {}).get("schema")
        )
        return asked


@dataclass
class Reply:
    """`cut`: the body is longer than what is sent. `hang`: nothing is sent. `after`: seconds before anything
    is. `drip`: seconds between its bytes.
    """

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    after: float = 0.0
    cut: bool = False
    hang: bool = False
    drip: float = 0.0


Behaviour = Callable[[Seen], Reply]


def as_json(value: Any, status: int = 200, **more: Any) -> Reply:
    return Reply(status, json.dumps(value).encode(), {"content-type": "application/json"}, **more)


def valid_text(schema: Mapping[str, Any] | None, label: str | None = None) -> str:
    """A reply in the form of a schema; the first label of each question unless told otherwise."""
    if schema is None:
        return "nothing to say"
    document: dict[str, Any] = {}
    for name, field_schema in schema["properties"].items():
        if field_schema.get("type") == "object":
            document[name] = json.loads(valid_text(field_schema, label))
        elif name == "label":
            labels = field_schema.get("enum") or [field_schema["const"]]
            document[name] = label if label in labels else labels[0]
        elif name == "cited_turns":
            document[name] = [1]
        else:
            document[name] = "What was said in turn 1 carries this."
    return json.dumps(document)


def gemini(
    text: str | None,
    finish: str = "STOP",
    model: str | None = MODEL,
    usage: dict[str, int] | None = None,
    **more: Any,
) -> Reply:
    content = {"role": "model", "parts": [{"text": text}]} if text is not None else None
    candidate = {"finishReason": finish, "index": 0, **({"content": content} if content else {}), **more}
    return as_json(
        {
            "candidates": [candidate],
            "modelVersion": model,
            "responseId": "r-1",
            "usageMetadata": usage
            or {
                "promptTokenCount": 1000,
                "candidatesTokenCount": 50,
                "thoughtsTokenCount": 100,
                "totalTokenCount": 1150,
            },
        }
    )


def chat(
    text: str | None, finish: str = "stop", model: str = "local-model", refusal: str | None = None
) -> Reply:
    return as_json(
        {
            "id": "c-1",
            "object": "chat.completion",
            "created": 1,
            "model": model,
            "choices": [
                {
                    "index": 0,
                    "finish_reason": finish,
                    "message": {"role": "assistant", "content": text, "refusal": refusal},
                }
            ],
            "usage": {"prompt_tokens": 1000, "completion_tokens": 50, "total_tokens": 1050},
        }
    )


def error(
    status: int, name: str, message: str = "as told", details: Sequence[dict[str, Any]] = (), **headers: str
) -> Reply:
    """An error in Google's form, which other servers' clients take as well."""
    reply = as_json(
        {"error": {"code": status, "message": message, "status": name, "details": list(details)}}, status
    )
    reply.headers |= {name.replace("_", "-"): value for name, value in headers.items()}
    return reply


def too_many(seconds: float | None = None, day: bool = False) -> Reply:
    details: list[dict[str, Any]] = []
    if seconds is not None:
        details.append({"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": f"{seconds:g}s"})
    if day:
        details.append(
            {
                "@type": "type.googleapis.com/google.rpc.QuotaFailure",
                "violations": [{"quotaId": "GenerateRequestsPerDayPerProjectPerModel"}],
            }
        )
    return error(429, "RESOURCE_EXHAUSTED", details=details)


def well(seen: Seen, label: str | None = None) -> Reply:
    text = valid_text(seen.schema, label)
    return (
        gemini(text, model=seen.path.rsplit("/", 1)[-1].split(":")[0])
        if seen.gemini
        else chat(text, model=seen.body["model"])
    )


class ModelServer:
    """`requests` in the order of their arrival; `behave` may be changed while it runs."""

    def __init__(self, behave: Behaviour = well, port: int = 0) -> None:
        self.behave, self.requests = behave, []  # type: ignore[var-annotated]
        self._wanted_port, self.port = port, 0
        self._loop = asyncio.new_event_loop()
        self._up = threading.Event()
        self._thread = threading.Thread(target=self._serve, daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> ModelServer:
        self._thread.start()
        assert self._up.wait(60)
        return self

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(60)

    def _serve(self) -> None:
        asyncio.set_event_loop(self._loop)
        server = self._loop.run_until_complete(
            asyncio.start_server(self._connection, "127.0.0.1", self._wanted_port)
        )
        self.port = server.sockets[0].getsockname()[1]
        self._up.set()
        self._loop.run_forever()
        server.close()
        for task in asyncio.all_tasks(self._loop):
            task.cancel()
        self._loop.run_until_complete(asyncio.sleep(0))
        self._loop.close()

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await self._exchange(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {
            name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines) if value
        }
        raw = await reader.readexactly(int(headers.get("content-length", "0")))
        method, path, _ = first.split(" ")
        seen = Seen(
            len(self.requests) + 1, method, path.split("?")[0], json.loads(raw) if raw else {}, headers, path
        )
        self.requests.append(seen)
        reply = self.behave(seen)
        if reply.hang:
            await asyncio.sleep(3600)
        if reply.after:
            await asyncio.sleep(reply.after)
        length = len(reply.body) + (100 if reply.cut else 0)
        more = "".join(f"{name}: {value}\r\n" for name, value in reply.headers.items())
        writer.write(f"HTTP/1.1 {reply.status} X\r\ncontent-length: {length}\r\n{more}\r\n".encode("latin-1"))
        for number in range(len(reply.body) if reply.drip else 0):
            writer.write(reply.body[number : number + 1])
            await writer.drain()
            await asyncio.sleep(reply.drip)
        writer.write(b"" if reply.drip else reply.body)
        await writer.drain()
        return not reply.cut


@contextmanager
def serving(behave: Behaviour = well) -> Iterator[ModelServer]:
    server = ModelServer(behave).start()
    try:
        yield server
    finally:
        server.stop()


def in_turn(*replies: Reply, then: Behaviour = well) -> Behaviour:
    """One reply after the other, then the rest."""
    waiting = iter(replies)

    def behave(seen: Seen) -> Reply:
        found = next(waiting, None)
        return found if found is not None else then(seen)

    return behave
