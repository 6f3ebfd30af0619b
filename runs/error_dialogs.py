"""Suppress the platform's own error windows.

When the server doesn't answer for a moment, the platform opens a window over the page and takes the focus.
What a rater was typing into a note then arrived as keys of the rating page and labelled criteria. The
platform omits these windows if the server's host configuration says so; pages/widgets/bar/connection.js shows
the message instead.
"""

from __future__ import annotations

import json

from runs.web_access import Application, Message, Receive, Scope, Send

HOST_CONFIG = "/_stcore/host-config"


class NoErrorDialogs:
    """ASGI middleware that changes one value of one response."""

    def __init__(self, application: Application) -> None:
        self._application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not scope["path"].endswith(HOST_CONFIG):
            await self._application(scope, receive, send)
            return
        answer: list[Message] = []

        async def keep(message: Message) -> None:
            answer.append(message)
            if message["type"] == "http.response.body" and not message.get("more_body"):
                for each in _without_dialogs(answer):
                    await send(each)

        await self._application(scope, receive, keep)


def _without_dialogs(answer: list[Message]) -> list[Message]:
    """Return the response changed; `answer`: its start, and its body in one or more parts."""
    start, *parts = answer
    if start["status"] != 200:
        return answer
    configuration = json.loads(b"".join(part.get("body", b"") for part in parts))
    body = json.dumps({**configuration, "blockErrorDialogs": True}).encode()
    headers = [(name, value) for name, value in start["headers"] if name.lower() != b"content-length"]
    length = (b"content-length", str(len(body)).encode())
    return [{**start, "headers": [*headers, length]}, {"type": "http.response.body", "body": body}]
