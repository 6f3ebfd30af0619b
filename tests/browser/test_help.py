"""Help in a browser: from a page to its paragraph and back, the search, narrow and dark."""

from __future__ import annotations

import re
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.actions import MINUTE, click, fill, open_window, visit, wait_for_redraw
from tests.browser.looks import check_look
from tests.browser.serving import Server


def heading(page: Page, name: str) -> None:
    expect(page.get_by_role("heading", name=name, level=1)).to_be_visible()


def test_help_opens_at_the_paragraph_of_the_page_and_back_leads_to_it(page: Page, server: Server) -> None:
    visit(page, server, "agreement?study=lend_an_ear&reader=lead")
    expect(page.get_by_role("table").first).to_be_visible()
    wait_for_redraw(page)
    address = page.url
    page.keyboard.press("?")
    heading(page, "Reading the agreement")
    expect(page.locator(".bar .study .cut")).to_have_text("Lend an Ear")
    check_look(page)
    fill(page.get_by_placeholder("Search the help"), "calibration")
    page.keyboard.press("Enter")
    click(page.get_by_role("link", name="Calibration · Setting up the work"))
    heading(page, "Calibration")
    for name in ("Reading the agreement", None):
        page.go_back()
        if name:
            heading(page, name)
    page.wait_for_url(address, timeout=MINUTE)
    expect(page.get_by_role("table").first).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_help_of_the_rating_page_on_a_phone(
    browser: Browser, server: Server, scheme: Literal["light", "dark"]
) -> None:
    page = open_window(browser, width=390, height=844)
    page.emulate_media(color_scheme=scheme)
    page.goto(f"{server.url}/help?topic=guide&section=rating-in-five-minutes")
    heading(page, "Rating, in five minutes")
    check_look(page)
    assert page.evaluate("document.querySelector('.stMain').scrollWidth <= innerWidth")
    expect(page.get_by_text(re.compile("Coaching rubric, worked example"))).to_be_attached()
    page.close()
