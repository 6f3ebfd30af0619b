"""The whole job with the keyboard alone, from the first page to the agreement, in every sample study."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from sqlalchemy import func, select

from data import schema
from data.keeping.verify import verify
from data.store.store import Store
from tests.browser.actions import wait_for_redraw
from tests.browser.conftest import rate_all, saved
from tests.browser.serving import Server

pytestmark = pytest.mark.slow

FOCUSED = """() => {
  let node = document.activeElement;
  while (node && node.shadowRoot && node.shadowRoot.activeElement) node = node.shadowRoot.activeElement;
  // The page and its main part hold the words of every button on them, and do nothing on Enter.
  if (!node || node.querySelector("button, a, input")) return "";
  return `${node.closest('[class*="st-key-"]')?.className || ""} ${node.innerText || node.getAttribute("aria-label") || ""}`;
}"""


def tab_to(page: Page, wanted: str) -> None:
    """Once the page stands still, press Tab until the focus is on what is wanted, then Enter."""
    wait_for_redraw(page)
    for _ in range(120):
        page.keyboard.press("Tab")
        if re.search(wanted, page.evaluate(FOCUSED)):
            page.keyboard.press("Enter")
            return
    raise AssertionError(f"the keyboard does not reach {wanted}")


def sit_down(page: Page, server: Server, study: str) -> None:
    page.goto(server.url)
    expect(page.locator(f".st-key-rate-{study} button")).to_be_visible()
    tab_to(page, f"st-key-rate-{study}")
    asked, row = page.get_by_text("Choose your name."), page.locator(".workbench .row").first
    note = page.get_by_role("button", name="Open the conversations")
    expect(asked.or_(note).or_(row)).to_be_visible()
    if asked.is_visible():  # once a browser
        tab_to(page, "Reader 1")
    expect(note.or_(row)).to_be_visible()
    if note.is_visible():
        tab_to(page, "Open the conversations")
    expect(page.locator(".workbench .row").first).to_be_visible()


def rate_five(page: Page, keys: Callable[[Page], str]) -> None:
    for done in range(1, 6):
        rate_all(page, keys(page))
        expect(page.locator(".rail .count")).to_have_text(re.compile(f"^{done} of "))
        if done < 5 and page.locator(".decision, .judgement").count():
            page.keyboard.press("j")
        expect(page.locator(".pad footer")).to_be_visible()
        if done < 5:
            expect(page.locator(".pad footer")).to_contain_text(re.compile(r"^\d+ left"))


def open_criteria(page: Page) -> int:
    return int(re.search(r"(\d+) left", page.locator(".pad footer").inner_text()).group(1))  # type: ignore[union-attr]


def test_every_sample_study_is_rated_compared_and_read(page: Page, server: Server, store: Store) -> None:
    sit_down(page, server, "coaching_example")
    rate_all(page, "yayyyyyyayy")
    expect(page.locator(".decision")).to_contain_text("By your labels: 1.000, pass")
    expect(page.locator(".judgement blockquote")).to_be_visible()

    sit_down(page, server, "coaching_demo")
    rate_five(page, lambda p: "y" * open_criteria(p))
    page.keyboard.press("g")
    page.keyboard.press("n")
    page.keyboard.type("the judge saw it, I had not")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".row.focus")).to_contain_text("Both are kept.")

    sit_down(page, server, "plan_demo")
    rate_five(page, lambda p: "2" * open_criteria(p))
    sit_down(page, server, "lend_an_ear")
    rate_five(page, lambda _: "232111")
    expect(page.locator(".judgement").first).to_be_visible()
    sit_down(page, server, "vera_mh")
    rate_five(page, lambda _: "10a21")
    saved(page)

    page.goto(f"{server.url}/my_work?study=coaching_demo")
    expect(page.get_by_role("heading", name="My work", level=1)).to_be_visible()
    expect(page.locator(".bar .study .cut")).to_have_text("Coaching rubric, demonstration")
    wait_for_redraw(page)
    for key in ("g", "a"):
        page.keyboard.press(key)
    expect(page.get_by_text(re.compile(r"gave the same label on \d+ of \d+")).first).to_be_visible()
    with store.reading() as connection:
        assert connection.execute(select(func.count()).select_from(schema.commit)).scalar() == 21
        assert verify(connection).problems == []
