"""The platform's own windows for errors stay away.

When the server does not answer for a moment, the platform lays a window over the page and takes the focus:
what somebody types just then into a note arrived as keys of the rating page, and labelled one criterion after
the other. The platform leaves its windows out where the server's host configuration says so; what they would
say is said in the page (pages/widgets/bar/connection.js).
"""

from __future__ import annotations

import json

from runs.web_access import Application, Message, Receive, Scope, Send

HOST_CONFIG = "/_stcore/host-config"


class NoErrorDialogs:
    """ASGI middleware. Changes one value of one answer."""

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
    """`answer`: its start, and its body in one part or several."""
    start, *parts = answer
    if start["status"] != 200:
        return answer
    configuration = json.loads(b"".join(part.get("body", b"") for part in parts))
    body = json.dumps({**configuration, "blockErrorDialogs": True}).encode()
    headers = [(name, value) for name, value in start["headers"] if name.lower() != b"content-length"]
    length = (b"content-length", str(len(body)).encode())
    return [{**start, "headers": [*headers, length]}, {"type": "http.response.body", "body": body}]
