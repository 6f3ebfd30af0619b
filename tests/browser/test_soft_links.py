"""Links on a page lead on without loading the app anew, Back undoes them, and a new tab stays a new tab."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.actions import MINUTE, click, open_tab, visit, wait_for_redraw
from tests.browser.serving import Server

LOADED_ONCE = "() => window.loaded === 1"


def open_page(page: Page, server: Server, address: str) -> None:
    visit(page, server, address)
    expect(page.get_by_role("table").first).to_be_visible()
    wait_for_redraw(page)
    page.evaluate("window.loaded = 1")


def test_a_link_in_a_row_of_evidence_and_back(page: Page, server: Server) -> None:
    open_page(page, server, "agreement?study=lend_an_ear&reader=lead")
    address, entries = page.url, page.evaluate("history.length")
    click(page.locator("tbody tr").first)
    click(page.locator('.stMain a[href*="review?"]').first)
    page.wait_for_url("**/review?*unit=*", timeout=MINUTE)
    expect(page.get_by_role("button", name="Choose a name and rate")).to_be_visible()
    assert page.evaluate(LOADED_ONCE) and page.evaluate("history.length") == entries + 1
    page.go_back()
    page.wait_for_url(address, timeout=MINUTE)
    expect(page.get_by_role("heading", level=1)).to_contain_text("matches clinicians on")
    assert page.evaluate(LOADED_ONCE)


def test_a_link_of_the_overview_and_of_the_help(page: Page, server: Server) -> None:
    open_page(page, server, "overview?study=lend_an_ear&reader=lead")
    click(page.get_by_role("link", name="begin", exact=True))
    expect(page.get_by_role("heading", level=1)).to_contain_text("labels need settling")
    page.keyboard.press("Escape")
    click(page.get_by_role("link", name="Help", exact=True))
    expect(page.get_by_role("heading", name="Settling disagreements", level=1)).to_be_visible()
    assert page.evaluate(LOADED_ONCE)


def test_with_ctrl_it_is_a_new_tab(page: Page, server: Server) -> None:
    open_page(page, server, "overview?study=lend_an_ear&reader=lead")
    link = page.get_by_role("link", name="begin", exact=True)
    open_tab(link, re.compile(r"/adjudication\?"))
    assert "/overview?" in page.url and page.evaluate(LOADED_ONCE)
