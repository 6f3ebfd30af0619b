"""A browser, a server, and a store with the sample studies, copied for each test that writes."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect, sync_playwright

from data.record import studies
from data.store.store import Store, open_store
from tests.browser.actions import MINUTE, click, open_context, press_labels, visit
from tests.browser.chromium import ARGUMENTS, executable
from tests.browser.lent_context import LentContext
from tests.browser.serving import FreshServer, Server

expect.set_options(timeout=MINUTE)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=executable(), args=ARGUMENTS)
        yield launched
        launched.close()


@pytest.fixture
def database(samples_file: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(samples_file, tmp_path / "store.sqlite"))


@pytest.fixture
def store(database: Path) -> Iterator[Store]:
    opened = open_store(f"sqlite:///{database}")
    yield opened
    opened.close()


@pytest.fixture
def server(database: Path, tmp_path: Path) -> Iterator[Server]:
    running = Server(database, tmp_path / "server.log")
    running.start()
    yield running
    running.kill()


@pytest.fixture
def fresh_server(database: Path, tmp_path: Path) -> Iterator[FreshServer]:
    running = FreshServer(database, tmp_path / "server.log")
    running.start()
    yield running
    running.kill()


@pytest.fixture(scope="session")
def lent_context(browser: Browser) -> Iterator[LentContext]:
    lent = LentContext(browser)
    yield lent
    lent.close()


@pytest.fixture
def context(
    browser: Browser, lent_context: LentContext, request: pytest.FixtureRequest
) -> Iterator[BrowserContext]:
    if request.node.get_closest_marker("own_context"):
        opened = open_context(browser)
        yield opened
        opened.close()
        return
    with lent_context.lend() as lent:
        yield lent


def fail_on_policy(message: ConsoleMessage) -> None:
    """What the content policy of the server forbids is missing from the page, so no page of ours may ask for
    it.
    """
    if "Content Security Policy" in message.text:
        pytest.fail(f"the content policy forbids what a page needs: {message.text}")


@pytest.fixture
def page(context: BrowserContext) -> Page:
    opened = context.new_page()
    opened.on("pageerror", lambda error: pytest.fail(f"an error in the page: {error}"))
    opened.on("console", fail_on_policy)
    return opened


@pytest.fixture
def reader(store: Store) -> Callable[[str, str], int]:
    """The id of a rater by study and name."""

    def find(study: str, name: str = "Reader 1") -> int:
        with store.reading() as connection:
            found = studies.find(connection, study)
            assert found is not None
            return next(r.id for r in studies.raters(connection, found.id) if r.name == name)

    return find


@pytest.fixture
def open_review(page: Page, server: Server, reader: Callable[..., int]) -> Callable[..., Page]:
    """Open the review page as a rater and wait for the workbench."""

    def go(study: str, name: str = "Reader 1", **query: Any) -> Page:
        extra = "".join(f"&{key}={value}" for key, value in query.items())
        visit(page, server, f"review?study={study}&reader={reader(study, name)}{extra}")
        begin_reading(page)
        return page

    return go


def begin_reading(page: Page) -> None:
    """Past the note on the content, where there is one, to the workbench."""
    note, row = (
        page.get_by_role("button", name="Open the conversations"),
        page.locator(".workbench .row").first,
    )
    expect(note.or_(row)).to_be_visible()
    if note.is_visible():
        click(note)
    expect(row).to_be_visible()


def saved(page: Page) -> None:
    """Wait until everything done so far is in the database."""
    expect(page.locator(".saved")).to_have_text(__import__("re").compile(r"^saved \d\d:\d\d:\d\d$"))


def rate_all(page: Page, keys: str) -> None:
    """One label key for each criterion, then commit."""
    press_labels(page, keys)
    page.keyboard.press("Control+Enter")
