"""Who may talk to the server: requests as browsers send them, and as an attacker's page makes them send
them.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from runs.web_access import (
    FOREIGN_HOST,
    FOREIGN_ORIGIN,
    OwnPagesOnly,
    names_this_machine,
    security_headers,
    why_refused,
)


def request(
    kind: str = "http", host: str = "127.0.0.1:8501", method: str = "GET", **headers: str
) -> dict[str, Any]:
    named = {"host": host, **{name.replace("_", "-"): value for name, value in headers.items()}}
    return {
        "type": kind,
        "scheme": "ws" if kind == "websocket" else "http",
        "method": method,
        "path": "/",
        "headers": [(name.encode(), value.encode()) for name, value in named.items()],
    }


@pytest.mark.parametrize(
    "host", ["127.0.0.1:8501", "localhost:8501", "LOCALHOST:9", "[::1]:8501", "localhost", "127.0.0.1"]
)
def test_names_of_this_machine(host: str) -> None:
    assert names_this_machine(host)


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:8501",
        "127.0.0.1.evil.example:8501",
        "localhost.evil.example",
        "evil@127.0.0.1:8501",
        "127.0.0.1:8501@evil.example",
        "127.0.0.1:8501/x",
        "127.0.0.1:x",
        "",
        " 127.0.0.1",
        "127.1",
        "0.0.0.0:8501",
        "[::",
        "127.0.0.1:8501#",
        "127.0.0.1:99999",
    ],
)
def test_other_hosts_are_refused(host: str) -> None:
    assert not names_this_machine(host)
    assert why_refused(request(host=host)) == FOREIGN_HOST


def test_a_request_without_a_host_or_with_two_is_refused() -> None:
    without = request()
    without["headers"] = []
    twice = request()
    twice["headers"] *= 2
    assert why_refused(without) == why_refused(twice) == FOREIGN_HOST


def test_what_the_own_page_sends_goes_on() -> None:
    assert why_refused(request()) is None
    assert why_refused(request(sec_fetch_site="none", sec_fetch_dest="document")) is None
    assert (
        why_refused(request(method="PUT", origin="http://127.0.0.1:8501", sec_fetch_site="same-origin"))
        is None
    )
    assert why_refused(request("websocket", origin="http://127.0.0.1:8501")) is None
    assert why_refused(request("websocket", host="localhost:8501", origin="http://LOCALHOST:8501")) is None


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example",
        "http://localhost:8501",
        "http://127.0.0.1:9999",
        "http://127.0.0.1",
        "https://127.0.0.1:8501",
        "null",
        "http://127.0.0.1:8501.evil.example",
        "",
    ],
)
def test_other_origins_are_refused_other_ports_of_this_machine_too(origin: str) -> None:
    assert why_refused(request("websocket", origin=origin)) == FOREIGN_ORIGIN
    assert why_refused(request(method="PUT", origin=origin)) == FOREIGN_ORIGIN


def test_a_websocket_without_an_origin_is_refused() -> None:
    assert why_refused(request("websocket")) == FOREIGN_ORIGIN


def test_another_page_may_open_a_tab_but_load_nothing_into_itself() -> None:
    link = request(sec_fetch_site="cross-site", sec_fetch_dest="document")
    assert why_refused(link) is None
    for part in ("image", "script", "iframe", "empty", "object"):
        assert why_refused(request(sec_fetch_site="cross-site", sec_fetch_dest=part)) == FOREIGN_ORIGIN
        assert why_refused(request(sec_fetch_site="same-site", sec_fetch_dest=part)) == FOREIGN_ORIGIN
    assert (
        why_refused(request(method="POST", sec_fetch_site="cross-site", sec_fetch_dest="document"))
        == FOREIGN_ORIGIN
    )


def test_only_scripts_of_the_sent_page_are_allowed_inline() -> None:
    policy = security_headers("<html><script>ours()</script><script src='x.js'></script></html>")[
        "content-security-policy"
    ]
    scripts = next(part for part in policy.split("; ") if part.startswith("script-src"))
    assert scripts.count("'sha256-") == 1
    assert "unsafe" not in scripts
    assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy


def answer(scope: dict[str, Any], page: Path) -> list[dict[str, Any]]:
    """What the server sends for a request, with an application that answers everything."""
    sent: list[dict[str, Any]] = []

    async def application(_scope: Any, _receive: Any, send: Any) -> None:
        await send(
            {
                "type": "http.response.start",
                "status": 200,
                "headers": [(b"X-Frame-Options", b"ALLOWALL"), (b"etag", b"1")],
            }
        )
        await send({"type": "http.response.body", "body": b"a transcript"})

    async def receive() -> dict[str, Any]:
        raise AssertionError("nothing is read")

    async def send(message: Any) -> None:
        sent.append(dict(message))

    asyncio.run(OwnPagesOnly(application, str(page))(scope, receive, send))
    return sent


def test_a_refused_request_never_reaches_the_application(tmp_path: Path) -> None:
    page = tmp_path / "index.html"
    page.write_text("<html></html>")
    start, body = answer(request(host="evil.example"), page)
    assert start["status"] == 403 and b"transcript" not in body["body"]
    assert [
        message["type"] for message in answer(request("websocket", origin="http://evil.example"), page)
    ] == ["websocket.close"]


def test_every_answer_carries_the_headers_and_ours_go_before(tmp_path: Path) -> None:
    page = tmp_path / "index.html"
    page.write_text("<html></html>")
    start, body = answer(request(), page)
    headers = {name.lower(): value for name, value in start["headers"]}
    assert (
        headers[b"x-frame-options"] == b"DENY"
        and headers[b"x-content-type-options"] == b"nosniff"
        and headers[b"etag"] == b"1"
    )
    assert len(start["headers"]) == len(headers)
    assert body["body"] == b"a transcript"
