"""One unit as a study lead reads it: the answer, the conversation and the table of labels on one screen."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from data.store.store import Store
from tests.browser.actions import click, press, visit
from tests.browser.looks import check_look, resize
from tests.browser.serving import Server
from tests.studies import disputed_demo

pytestmark = pytest.mark.slow


def test_the_answer_and_every_criterion_stand_on_one_screen_beside_the_conversation(
    page: Page, server: Server, store: Store
) -> None:
    disputed_demo.dispute(store)
    visit(page, server, f"review?study={disputed_demo.KEY}&reader=lead&unit=7&note=seen")
    expect(page.get_by_role("heading", level=1)).to_contain_text("of 12 criteria differ")
    expect(page.get_by_role("region", name="Conversation")).to_be_in_viewport()
    rows = page.get_by_role("table", name="Labels, criterion by criterion").locator(".line")
    expect(rows).to_have_count(12)
    expect(rows.last).to_be_in_viewport(ratio=1)
    expect(rows.first).to_contain_text("clinicians differ")
    expect(rows.first.locator("td.marked")).not_to_have_count(0)
    expect(rows.last.locator("td.marked")).to_have_count(0)
    expect(rows.last).to_contain_text("by rule")
    check_look(page)
    click(page.get_by_role("button", name="Pacing"))
    expect(page.get_by_role("table", name="Who said what")).to_contain_text("Demonstration judge")
    check_look(page)
    for width in (1024, 390):
        resize(page, width, 768)
        check_look(page)
    expect(rows.first).to_be_in_viewport()  # before the conversation, where there is no room beside it
    table = page.get_by_role("table", name="Labels, criterion by criterion")
    for cell in table.locator(".line").first.locator(".words").all():
        box = cell.bounding_box()
        assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= 390
    expect(table.locator(".line").first.locator(".words").last).to_have_attribute("data-column", "Judge")


def test_units_are_read_one_after_the_other(page: Page, server: Server) -> None:
    address = f"review?study={disputed_demo.KEY}&reader=lead&note=seen"
    visit(page, server, f"{address}&unit=1&turn=2&back=overview")
    expect(page.get_by_text(re.compile(r"^demo-01, 1 of 14\."))).to_be_visible()
    expect(page.get_by_role("link", name="Previous")).to_have_count(0)
    click(page.get_by_role("link", name="Next", exact=True))
    expect(page.get_by_text(re.compile(r"^demo-02, 2 of 14\."))).to_be_visible()
    assert "back=overview" in page.url and "turn=" not in page.url
    press(page, "j")
    expect(page.get_by_text(re.compile(r"^demo-03, 3 of 14\."))).to_be_visible()
    press(page, "k")
    expect(page.get_by_text(re.compile(r"^demo-02, 2 of 14\."))).to_be_visible()
    visit(page, server, f"{address}&unit=9&among=4.9.2")
    expect(page.get_by_text(re.compile(r"^demo-09, 9 of 14\."))).to_be_visible()
    press(page, "j")
    expect(page.get_by_text(re.compile(r"^demo-02, 2 of 14\."))).to_be_visible()
    expect(page.get_by_role("link", name="Next", exact=True)).to_have_count(0)
