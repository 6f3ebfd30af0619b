"""One browser context for all tests of a worker, as empty for each as a new one, but for what the browser keeps of the
files of the app: to fetch and compile them anew is a third of opening a page.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, BrowserContext

from tests.browser.actions import open_context
from tests.browser.serving import home_address

STORED = "local_storage,indexeddb,cache_storage,service_workers,file_systems"


class LentContext:
    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._context: BrowserContext | None = None

    @contextmanager
    def lend(self) -> Iterator[BrowserContext]:
        """A test that changes what cannot be taken back, such as a script of all pages, takes a context of its own."""
        if self._context is None:
            self._context = open_context(self._browser)
        context = self._context
        yield context
        context.unroute_all()
        context.set_offline(False)
        context.clear_permissions()
        context.clear_cookies()
        blank = context.new_page()
        for page in context.pages[:-1]:
            page.close()
        context.new_cdp_session(blank).send(
            "Storage.clearDataForOrigin", {"origin": home_address(), "storageTypes": STORED}
        )
        blank.close()

    def close(self) -> None:
        if self._context is not None:
            self._context.close()
