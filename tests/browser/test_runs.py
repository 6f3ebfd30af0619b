"""A judge run from a page, done by the worker's own process: whoever closes the browser or kills the worker
loses nothing.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from playwright.sync_api import Browser, Page, expect
from sqlalchemy import func, select

from configs.settings import ROOT
from data import schema
from data.keeping.verify import verify
from data.store.store import Store
from tests.browser.actions import (
    click,
    click_while_running,
    fill,
    focus,
    open_context,
    open_window,
    press,
    visit,
    wait_for_redraw,
)
from tests.browser.looks import check_look
from tests.browser.serving import Server
from tests.servers.model_server import ModelServer, Reply, Seen, gemini, serving, well

pytestmark = pytest.mark.slow

FLASH = "gemini-3.8-flash"
CALLS = 155


class Worker:
    """second-reader worker, in a process of its own."""

    def __init__(self, log: Path) -> None:
        self._log = log
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "cli", "worker"], cwd=ROOT.parent, stdout=log, stderr=subprocess.STDOUT
            )

    def kill(self) -> None:
        if self._process and self._process.poll() is None:
            os.kill(self._process.pid, signal.SIGKILL)
            self._process.wait()


def slowly(seen: Seen) -> Reply:
    reply = gemini(None, "SAFETY") if "CQ9:" in seen.prompt else well(seen, "NO")
    reply.after = 0.15
    return reply


@pytest.fixture
def model() -> Iterator[ModelServer]:
    with serving(slowly) as running:
        yield running


@pytest.fixture
def server(
    database: Path, tmp_path: Path, model: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Server]:
    """The app with a judge behind loopback."""
    models = yaml.safe_load((ROOT / "models.yaml").read_text(encoding="utf-8"))
    models["judges"][FLASH] |= {"base_url": model.url, "in_flight": 4}
    (tmp_path / "models.yaml").write_text(yaml.safe_dump(models, sort_keys=False), encoding="utf-8")
    monkeypatch.setenv("SECOND_READER_MODELS", str(tmp_path / "models.yaml"))
    monkeypatch.setenv("SECOND_READER_DATABASE_URL", f"sqlite:///{database}")
    monkeypatch.setenv("SECOND_READER_SAMPLES", "no")
    monkeypatch.setenv("GEMINI_API_KEY", "not a real key")
    running = Server(database, tmp_path / "server.log")
    running.start()
    yield running
    running.kill()


@pytest.fixture
def worker(server: Server, tmp_path: Path) -> Iterator[Worker]:
    made = Worker(tmp_path / "worker.log")
    made.start()
    yield made
    made.kill()


def open_runs(page: Page, server: Server) -> None:
    visit(page, server, "runs?study=coaching_demo&reader=lead")
    expect(page.get_by_role("heading", name="Start a run")).to_be_visible()


def ended(store: Store, seconds: float = 600) -> str:
    """Wait until the newest run has ended; returns what was said."""
    table = schema.run_event
    limit = time.monotonic() + seconds
    while time.monotonic() < limit:
        with store.reading() as connection:
            detail = connection.execute(
                select(table.c.detail).where(table.c.kind == "ended").order_by(table.c.id.desc())
            ).scalar()
        if detail:
            return str(detail)
        time.sleep(0.2)
    raise AssertionError("the run does not end")


def judged(store: Store) -> int:
    with store.reading() as connection:
        return int(
            connection.execute(select(func.count()).where(schema.judgement.c.origin == "run")).scalar() or 0
        )


def test_a_run_goes_on_when_the_browser_is_closed_and_its_failures_open_their_calls(
    browser: Browser, server: Server, store: Store, worker: Worker
) -> None:
    context = open_context(browser)
    page = context.new_page()
    open_runs(page, server)
    focus(page.get_by_role("button", name="Start", exact=True))
    press(page, "Enter")
    expect(page.get_by_role("heading", name=f"Run 1: {FLASH} is running")).to_be_visible()
    expect(page.get_by_text(re.compile(rf"\d+ of {CALLS} calls, \d+ under way"))).to_be_visible()
    context.close()
    assert f"{CALLS} of {CALLS} calls" in ended(store)
    context = open_context(browser)
    page = context.new_page()
    open_runs(page, server)
    expect(page.get_by_role("heading", name="17 calls to 2 judges returned no label.")).to_be_visible()
    click(page.get_by_text("1 earlier run"))
    expect(page.get_by_text(f"{CALLS} of {CALLS} calls, 14 failures.")).to_be_visible()
    click(page.get_by_role("link", name="demo-03", exact=True).last)
    expect(page.get_by_role("heading", name=f"demo-03, asked of {FLASH}")).to_be_visible()
    expect(page.get_by_text("CQ9: Handles crisis signals appropriately")).to_be_visible()
    context.close()


def test_a_worker_that_was_killed_goes_on_where_it_was(
    page: Page, server: Server, store: Store, worker: Worker, model: ModelServer
) -> None:
    open_runs(page, server)
    click(page.get_by_role("button", name="Start", exact=True))
    limit = time.monotonic() + 600
    while judged(store) < 40 and time.monotonic() < limit:
        time.sleep(0.05)
    worker.kill()
    labels_before = judged(store)
    assert 40 <= labels_before < CALLS
    worker.start()
    ended(store)
    assert judged(store) == CALLS
    assert len(model.requests) <= CALLS + 4  # at most what was in flight at the kill is asked twice
    expect(page.get_by_text("1 earlier run")).to_be_visible()
    with store.reading() as connection:
        assert verify(connection).problems == []


def test_a_cancelled_run_finishes_what_is_in_flight_and_keeps_it(
    page: Page, server: Server, store: Store, worker: Worker, model: ModelServer
) -> None:
    open_runs(page, server)
    click(page.get_by_role("button", name="Start", exact=True))
    click_while_running(page.get_by_role("button", name="Cancel"))
    assert "Cancelled" in ended(store)
    assert judged(store) == len(model.requests)


def test_the_pages_about_judges_are_accessible_and_fit(
    browser: Browser, server: Server, store: Store, worker: Worker
) -> None:
    page = open_window(browser)
    open_runs(page, server)
    click(page.get_by_text("Limits and repeats"))
    fill(page.get_by_role("spinbutton", name="Only this many conversations"), "2")
    press(page, "Tab")
    click(page.get_by_role("button", name="Start", exact=True))
    ended(store)
    with store.reading() as connection:
        judge = connection.execute(select(func.max(schema.judgement.c.judge_id))).scalar_one()
    headings = {
        "runs": "Start a run",
        "judges": "Does it give the same label when asked again?",
        "calls": "The exact prompt",
    }
    for name, heading in headings.items():
        which = f"&unit=1&criterion=CQ9&judge={judge}" if name == "calls" else ""
        visit(page, server, f"{name}?study=coaching_demo&reader=lead{which}")
        if name == "judges":
            opener = page.locator(".opener").last
            expect(opener).to_be_visible()
            check_look(page, "judges-lines")
            click(opener)
        expect(page.get_by_role("heading", name=heading)).to_be_visible()
        check_look(page, name)
    page.close()


def test_the_page_of_the_runs_answers_on_one_screen(browser: Browser, server: Server) -> None:
    page = open_window(browser)
    open_runs(page, server)
    expect(page.get_by_role("heading", level=1)).to_have_text(
        "3 calls to Demonstration judge returned no label."
    )
    expect(page.get_by_text(re.compile("^155 calls, about"))).to_be_visible()
    wait_for_redraw(page)
    main = page.locator("[data-testid=stMain]")
    assert main.evaluate("main => main.scrollHeight <= window.innerHeight")
    words = page.locator("[data-testid=stMainBlockContainer]").inner_text().split()
    assert len(words) <= 120, " ".join(words)
    page.set_viewport_size({"width": 390, "height": 768})
    check_look(page)
    page.close()
