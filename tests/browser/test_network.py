"""Pages of other addresses: no frame, no websocket, no request; and our own pages keep to their policy."""

from __future__ import annotations

import http.server
import socket
import threading
from collections.abc import Iterator
from http.client import HTTPConnection

import pytest
from playwright.sync_api import Page, expect

from tests.browser.serving import Server

ATTACK = """<!doctype html><title>another page</title>
<iframe src="%(url)s/" id="frame"></iframe>
<script>
window.results = {};
const socket = new WebSocket("%(socket)s/_stcore/stream", ["streamlit"]);
socket.onopen = () => { window.results.socket = "open"; };
socket.onerror = () => { window.results.socket ??= "refused"; };
fetch("%(url)s/_stcore/health").then(() => { window.results.fetch = "read"; }, () => { window.results.fetch = "refused"; });
fetch("%(url)s/_stcore/health", {mode: "no-cors"}).then((reply) => { window.results.blind = reply.type; }, () => { window.results.blind = "refused"; });
</script>"""


@pytest.fixture
def other_page(server: Server) -> Iterator[str]:
    """The address of a page on another port of this machine, which attacks the server."""
    content = (ATTACK % {"url": server.url, "socket": server.url.replace("http", "ws")}).encode()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as foreign:
        threading.Thread(target=foreign.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{foreign.server_address[1]}"
        foreign.shutdown()


def test_another_page_gets_no_frame_no_websocket_and_no_answer(
    server: Server, page: Page, other_page: str
) -> None:
    page.goto(other_page)
    page.wait_for_function("Object.keys(window.results).length === 3")
    assert page.evaluate("window.results.socket") == "refused"
    assert page.evaluate("window.results.fetch") == "refused"
    assert page.evaluate("window.results.blind") in (
        "refused",
        "opaque",
    )  # of an opaque answer a page reads nothing
    frame = page.query_selector("#frame")
    assert frame is not None
    inner = frame.content_frame()
    assert inner is not None
    inner.wait_for_load_state()
    assert inner.locator("[data-testid=stApp], script").count() == 0


def test_dns_rebinding_ends_at_the_host(server: Server) -> None:
    connection = HTTPConnection("127.0.0.1", server.port, timeout=60)
    for path in ("/", "/_stcore/health", "/review", "/media/x", "/_stcore/host-config"):
        connection.request("GET", path, headers={"Host": "evil.example"})
        reply = connection.getresponse()
        assert (reply.status, b"address" in reply.read()) == (403, True)
    connection.close()


@pytest.mark.parametrize(
    ("host", "origin"), [("evil.example", "http://evil.example"), ("", "http://localhost:1"), ("", "")]
)
def test_a_websocket_is_opened_to_our_own_page_only(server: Server, host: str, origin: str) -> None:
    assert b" 101 " not in _upgrade(server, host or f"127.0.0.1:{server.port}", origin)


def test_a_websocket_of_our_own_page_is_opened(server: Server) -> None:
    assert b" 101 " in _upgrade(server, f"127.0.0.1:{server.port}", server.url)


def test_the_address_by_its_other_name_works_too(server: Server, page: Page) -> None:
    page.goto(f"http://localhost:{server.port}/")
    expect(page.get_by_role("heading", name="Studies")).to_be_visible()


def _upgrade(server: Server, host: str, origin: str) -> bytes:
    """The first line that the server answers to a websocket handshake."""
    lines = [
        "GET /_stcore/stream HTTP/1.1",
        f"Host: {host}",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Protocol: streamlit",
        *([f"Origin: {origin}"] if origin else []),
        "",
        "",
    ]
    with socket.create_connection(("127.0.0.1", server.port), timeout=60) as opened:
        opened.sendall("\r\n".join(lines).encode())
        return opened.recv(4096).split(b"\r\n")[0]


def test_an_address_without_a_page_is_named_and_leads_to_the_studies(server: Server, page: Page) -> None:
    page.goto(f"{server.url}/no%3Cb%3Esuch")
    expect(page.get_by_text("There is no page “no<b>such”. These are the studies.")).to_be_visible()
    expect(page.get_by_role("heading", name="Studies")).to_be_visible()
    page.goto(f"{server.url}/studies")
    expect(page.get_by_role("heading", name="Studies")).to_be_visible()
    assert page.get_by_text("There is no page").count() == 0
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_no_address_leads_to_a_traceback(server: Server, page: Page) -> None:
    connection = HTTPConnection("127.0.0.1", server.port, timeout=60)
    for path in (
        "/%00",
        "/review%00",
        "/media/%00",
        "/_stcore/upload_file/%00/%00",
        "/%ED%A0%80",
        "/%ff",
        "/..%2f",
    ):
        connection.request("GET", path)
        reply = connection.getresponse()
        assert reply.status in (200, 400, 404) and len(reply.read()) < 10_000, path
    connection.close()
    page.goto(f"{server.url}/review?study=%00&reader=%00")
    expect(page.get_by_text("Choose a study first")).to_be_visible()
    page.goto(f"{server.url}/review?study=vera_mh&study=lend_an_ear&reader=lead&reader=-1&unit=%ff")
    expect(page.get_by_text("Choose your name.")).to_be_visible()
    assert "Traceback" not in server.log.read_text(encoding="utf-8", errors="replace")
