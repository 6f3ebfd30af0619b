"""Allow only pages that this server sent, at this machine's addresses and outside frames.

Otherwise any page in another tab could send requests here. Three things stop that. The Host header must name
this machine, which prevents DNS rebinding. The Origin must be the address that the request went to, including
the port. And no page may be framed or run scripts from elsewhere. The server does this itself, because there
is no proxy in front of it.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

LOOPBACK_NAMES = frozenset({"127.0.0.1", "localhost", "::1"})
FOREIGN_HOST = "This address is not served here. Open the address that the program printed when it started.\n"
FOREIGN_ORIGIN = "Another page sent this request, so it is refused. Open Second Reader in its own tab.\n"
_INLINE_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)


class OwnPagesOnly:
    """ASGI middleware that refuses requests of other hosts and origins with 403 and adds the security headers
    to every response.

    `page`: the HTML file that the server sends first; its inline scripts are allowed by their hash.
    """

    def __init__(self, application: Application, page: str) -> None:
        self._application = application
        headers = security_headers(Path(page).read_text(encoding="utf-8"))
        self._headers = tuple((name.encode(), value.encode()) for name, value in headers.items())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._application(scope, receive, send)
            return
        refusal = why_refused(scope)
        if refusal is not None:
            await _refuse(scope, send, refusal)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                names = {name for name, _ in self._headers}
                headers = [
                    (name, value) for name, value in message.get("headers", []) if name.lower() not in names
                ]
                message = {**message, "headers": [*headers, *self._headers]}
            await send(message)

        await self._application(scope, receive, send_with_headers)


def why_refused(scope: Scope) -> str | None:
    """Return why a request is refused, in a sentence; None if it is allowed.

    FOREIGN_HOST unless its one Host header names this machine; FOREIGN_ORIGIN for an Origin that is not the
    app's own, a websocket without Origin, or a page of another site that loads something.
    """
    hosts = _values(scope, b"host")
    if len(hosts) != 1 or not names_this_machine(hosts[0]):
        return FOREIGN_HOST
    origins = _values(scope, b"origin")
    if scope["type"] == "websocket" and not origins:  # every browser sends the origin of a websocket
        return FOREIGN_ORIGIN
    scheme = {"ws": "http", "wss": "https"}.get(scope.get("scheme", "http"), scope.get("scheme", "http"))
    if any(origin.lower() != f"{scheme}://{hosts[0]}".lower() for origin in origins):
        return FOREIGN_ORIGIN
    # A page of another address may load what needs no Origin, such as a picture; newer browsers say so.
    if any(
        site.strip().lower() in ("cross-site", "same-site") for site in _values(scope, b"sec-fetch-site")
    ) and not _opens_a_page(scope):
        return FOREIGN_ORIGIN
    return None


def names_this_machine(host: str) -> bool:
    """Tell whether a Host header, "name" or "name:port", is one of this machine's names.

    They are 127.0.0.1, localhost and [::1], in any letter case; port 0 or one that is no number gives
    False.
    """
    try:
        address = urlsplit(f"//{host}")
        port_is_a_number = address.port is None or address.port > 0
    except ValueError:
        return False
    plain = address.netloc == host and not (address.path or address.query or address.fragment or "@" in host)
    return plain and port_is_a_number and (address.hostname or "") in LOOPBACK_NAMES


def security_headers(page: str) -> dict[str, str]:
    """Return header name -> value for every response, names in small letters.

    The content-security-policy allows scripts only from the server and those written in `page`, by their
    hashes; nothing is loaded from elsewhere. The others deny frames, referrers, and devices such as the
    camera.
    """
    policy = {
        "default-src": "'none'",
        "script-src": " ".join(
            ("'self'", "blob:", *_hashes(_INLINE_SCRIPT.findall(page)))
        ),  # components are modules in a blob
        "style-src": "'self' 'unsafe-inline'",  # the platform and the charts write their styles into the page
        "img-src": "'self' data: blob:",
        "font-src": "'self' data:",
        "media-src": "'self' data: blob:",
        "connect-src": "'self'",
        "worker-src": "'self' blob:",
        "frame-src": "'none'",
        "object-src": "'none'",
        "base-uri": "'self'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
    }
    return {
        "content-security-policy": "; ".join(f"{name} {value}" for name, value in policy.items()),
        "x-frame-options": "DENY",
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
    }


def _hashes(scripts: Iterable[str]) -> list[str]:
    return [
        f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"
        for script in scripts
    ]


def _opens_a_page(scope: Scope) -> bool:
    """Tell whether the request follows a link to a page, which opens in its own tab."""
    return (
        scope["type"] == "http"
        and scope.get("method") == "GET"
        and _values(scope, b"sec-fetch-dest") == ["document"]
    )


def _values(scope: Scope, name: bytes) -> list[str]:
    return [value.decode("latin-1") for header, value in scope.get("headers", []) if header.lower() == name]


async def _refuse(scope: Scope, send: Send, reason: str) -> None:
    if scope["type"] == "websocket":
        await send(
            {"type": "websocket.close", "code": 1008, "reason": ""}
        )  # before it was accepted: the server answers 403
        return
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"x-content-type-options", b"nosniff")]
    await send({"type": "http.response.start", "status": 403, "headers": headers})
    await send({"type": "http.response.body", "body": reason.encode()})
