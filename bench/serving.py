"""A Streamlit process on a free loopback port, and a browser for it."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from runs.memory import MEMORY
from tests.browser.chromium import ARGUMENTS, executable

ROOT = Path(__file__).resolve().parents[1]
AWAKE = [
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
]


@contextmanager
def app(database: Path, log: Path, checkout: Path = ROOT) -> Iterator[tuple[str, int]]:
    """Second Reader on one store; gives its address and process id. `checkout`: whose program runs."""
    with _streamlit(
        checkout,
        "app.py",
        log,
        SECOND_READER_DATABASE_URL=f"sqlite:///{database}",
        SECOND_READER_SAMPLES="no",
        SECOND_READER_OPEN_BROWSER="no",
    ) as running:
        yield running


@contextmanager
def bare_page(database: Path, log: Path) -> Iterator[tuple[str, int]]:
    with _streamlit(ROOT, "bench/bare_page.py", log, BENCH_BARE_DATABASE=str(database)) as running:
        yield running


@contextmanager
def _streamlit(folder: Path, script: str, log: Path, **environment: str) -> Iterator[tuple[str, int]]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    settings = {name: value for name, value in os.environ.items() if not name.startswith("SECOND_READER_")}
    with log.open("ab") as file:
        process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "streamlit",
                "run",
                script,
                "--server.address",
                "127.0.0.1",
                "--server.port",
                str(port),
            ],
            cwd=folder,
            env={**settings, **MEMORY, **environment, "PYTHONPATH": str(folder)},
            stdout=file,
            stderr=subprocess.STDOUT,
        )
    try:
        url = f"http://127.0.0.1:{port}"
        _wait(url, process, log)
        yield url, process.pid
        if process.poll() is not None:
            raise RuntimeError(f"the server stopped: {log.read_text(errors='replace')[-2000:]}")
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(600):
        if process.poll() is not None:
            break
        try:
            with urllib.request.urlopen(f"{url}/_stcore/health", timeout=1) as reply:
                if reply.status == 200:
                    return
        except OSError:
            time.sleep(0.05)
    raise RuntimeError(f"the server does not answer: {log.read_text(errors='replace')[-2000:]}")


@contextmanager
def browser() -> Iterator[Browser]:
    path = executable()
    if path is None:
        raise SystemExit("These benches need Chromium (Debian: apt-get install chromium).")
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=path, args=[*ARGUMENTS, *AWAKE])
        yield launched
        launched.close()


def open_page(launched: Browser, url: str) -> Page:
    """A page in a window of its own, so that it is painted while others are open too."""
    context = launched.new_context(viewport={"width": 1366, "height": 768})
    page = context.new_page()
    page.set_default_timeout(30_000)
    page.goto(url)
    return page


def open_review(launched: Browser, url: str, study: str, reader: int) -> Page:
    page = open_page(launched, f"{url}/review?study={study}")
    page.locator(f".st-key-reader-{reader} button").click()
    page.locator(".workbench .row").first.wait_for()
    return page
