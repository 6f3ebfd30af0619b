"""One rater's tab without a browser: Streamlit's own websocket messages, the workbench's own events."""

from __future__ import annotations

import asyncio
import json
import time
import uuid
from contextlib import suppress
from typing import Any

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin, Subprotocol

from pages.widgets.remembered_person import COOKIE, RememberedPerson, cookie_value
from pages.widgets.workbench.component import NAME

PATIENCE = 15.0


class NotTaken(Exception):
    """The server refused an event, could not take it now, or did not answer."""


class Tab:
    """Opens the review page as one rater and rates: a label for each criterion in turn, then the commit."""

    def __init__(self, url: str, study: str, reader: int, name: str) -> None:
        self._address, self._origin = url.replace("http", "ws", 1) + "/_stcore/stream", Origin(url)
        self._url, self._query = f"{url}/review", f"study={study}&reader={reader}"
        self._cookie = f"{COOKIE}={cookie_value(RememberedPerson(name))}"
        self._socket: ClientConnection | None = None
        self._listener: asyncio.Task[None] | None = None
        self._widget = self._fragment = self._page = ""
        self._data: dict[str, Any] = {}
        self._came = asyncio.Event()
        self.acked: dict[str, str] = {}  # event id -> draft or commit

    async def open(self) -> None:
        self._socket = await connect(
            self._address,
            origin=self._origin,
            subprotocols=[Subprotocol("streamlit")],
            additional_headers={"Cookie": self._cookie},
            max_size=None,
        )
        self._listener = asyncio.create_task(self._listen())
        await self._send({})
        await self._until(lambda: bool(self._data))

    async def close(self) -> None:
        if self._listener:
            self._listener.cancel()
            with suppress(asyncio.CancelledError, ConnectionClosed):
                await self._listener
        if self._socket:
            await self._socket.close()

    async def act(self) -> float:
        """The next draft, or the commit when all are answered: seconds until its acknowledgement is here."""
        event = self._next_event()
        began = time.perf_counter()
        await self._send({"events": [event]})
        await self._until(lambda: event["id"] in self._data["acked"] or self._wrong(event["id"]))
        took = time.perf_counter() - began
        if wrong := self._wrong(event["id"]):
            raise NotTaken(wrong)
        self.acked[event["id"]] = event["kind"]
        return took

    def _next_event(self) -> dict[str, Any]:
        data, answers = self._data, self._data["answers"]
        base = {"unit": data["unit"]["id"], "id": str(uuid.uuid4())}
        for number, criterion in enumerate(data["criteria"]):
            if (answers.get(criterion["id"]) or {}).get("label") is None:
                answer = {
                    "label": criterion["levels"][number % len(criterion["levels"])]["id"],
                    "cannot_rate": None,
                    "also": [],
                    "confidence": None,
                    "note": "",
                    "evidence": [],
                }
                return {**base, "kind": "draft", "criterion": criterion["id"], "answer": answer}
        shown = {c["id"]: answers[c["id"]]["label"] for c in data["criteria"] if c["forced"] is None}
        return {**base, "kind": "commit", "shown": shown}

    def _wrong(self, event: str) -> str | None:
        refused = next((item["message"] for item in self._data["refused"] if item["id"] == event), None)
        trouble: str | None = refused or self._data["trouble"]
        return trouble

    async def _until(self, done: Any) -> None:
        async with asyncio.timeout(PATIENCE):
            while not done():
                self._came.clear()
                await self._came.wait()
                if self._listener and self._listener.done():
                    raise NotTaken("the connection was closed")

    async def _send(self, state: dict[str, Any]) -> None:
        message = BackMsg()
        asked = message.rerun_script
        asked.query_string, asked.page_script_hash, asked.fragment_id = (
            self._query,
            self._page,
            self._fragment,
        )
        if not self._page:
            asked.page_name = "review"
        asked.context_info.url, asked.context_info.timezone, asked.context_info.locale = (
            self._url,
            "UTC",
            "en-US",
        )
        asked.widget_states.SetInParent()
        if state:
            asked.widget_states.widgets.add(id=self._widget, json_value=json.dumps(state))
        assert self._socket is not None
        await self._socket.send(message.SerializeToString())

    async def _listen(self) -> None:
        assert self._socket is not None
        try:
            async for raw in self._socket:
                message = ForwardMsg()
                message.ParseFromString(raw if isinstance(raw, bytes) else raw.encode())
                self._take(message)
        except ConnectionClosed:
            pass
        finally:
            self._came.set()

    def _take(self, message: ForwardMsg) -> None:
        kind = message.WhichOneof("type")
        if kind == "page_info_changed":
            self._query = message.page_info_changed.query_string
        elif kind == "new_session":
            self._page = message.new_session.page_script_hash
        elif kind == "delta" and message.delta.WhichOneof("type") == "new_element":
            element = message.delta.new_element
            if element.bidi_component.component_name == NAME:
                self._widget, self._fragment = element.bidi_component.id, message.delta.fragment_id
                self._page = message.metadata.active_script_hash
                self._data = json.loads(element.bidi_component.json)
                self._came.set()
