"""Accessibility, sizes, the keyboard, and the pictures in docs/."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect

from data.store.store import Store
from tests.browser.actions import click, open_as_lead, open_window, press_labels, visit
from tests.browser.conftest import rate_all
from tests.browser.looks import check_look, resize, take_picture
from tests.browser.serving import Server
from tests.studies import disputed_demo

pytestmark = pytest.mark.slow


def test_the_loop_is_accessible_and_as_the_docs_show_it(
    browser: Browser, server: Server, reader: Callable[..., int]
) -> None:
    page = open_window(browser)

    def check(name: str) -> None:
        check_look(page, name)
        resize(page, 1920, 1080)
        check_look(page)
        resize(page, 1366, 768)

    page.goto(f"{server.url}/")
    expect(page.get_by_text("Plan-output alignment, demonstration")).to_be_visible()
    check("studies")
    visit(page, server, f"review?study=coaching_demo&reader={reader('coaching_demo')}&unit=7")
    click(page.get_by_role("button", name="Open the conversations"))
    expect(page.locator(".row").first).to_be_visible()
    press_labels(page, "yyn")
    expect(page.locator(".row.focus")).to_have_attribute(
        "data-criterion", "CQ4"
    )  # after a moment it goes on by itself
    page.keyboard.press("i")
    check("review-blind")
    page.keyboard.press("i")
    for key in ("]", "]", "e", "o"):  # of the criterion just labelled
        page.keyboard.press(key)
    page.keyboard.type("It does not name what the user fears.")
    page.keyboard.press("Escape")
    expect(page.locator(".saved")).to_have_text(re.compile(r"^saved \d\d:\d\d:\d\d$"))
    take_picture(page, "review-evidence")
    press_labels(page, "nyynnnyy")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".score")).to_be_visible()
    check("review-compared")
    open_as_lead(page, f"{server.url}/agreement?study=lend_an_ear&reader=lead")
    expect(page.get_by_role("table").first).to_be_visible()
    check("agreement")
    open_as_lead(page, f"{server.url}/drift?study=judge_change&reader=lead&part=time")
    expect(page.get_by_role("heading", level=1)).to_contain_text("the judge rates")
    expect(page.locator(".js-plotly-plot .main-svg").first).to_be_visible()
    check("judge-changed")
    page.goto(f"{server.url}/importing")
    expect(page.get_by_role("heading", name="Import conversations or labels")).to_be_visible()
    page.locator("input[type=file]").set_input_files(
        {"name": "talks.csv", "mimeType": "text/csv", "buffer": TALKS.encode()}
    )
    expect(page.get_by_role("heading", name="Recognised: 2 conversations")).to_be_visible()
    check("import")
    page.close()


TALKS = """conversation,speaker,text
c1,user,I can't sleep since the move.
c1,assistant,That sounds exhausting. What goes through your mind at night?
c1,user,Whether it was a mistake.
c1,assistant,What would tell you that it was not?
c2,user,Hello.
c2,assistant,Hello. What brings you here?
"""


def test_a_label_to_settle_is_as_the_docs_show_it(page: Page, server: Server, store: Store) -> None:
    _, ids = disputed_demo.dispute(store)
    visit(
        page, server, f"adjudication?study={disputed_demo.KEY}&reader={ids[disputed_demo.SETTLER]}&note=seen"
    )
    click(page.get_by_role("button", name="Open the first one"))
    expect(page.get_by_label("Reason")).to_be_visible()
    check_look(page, "settle")


def test_the_header_and_the_commit_button_stay_in_view(open_review: Callable[..., Page]) -> None:
    page = open_review("plan_demo")
    for place in (".facts", ".saved", "footer .main"):
        box = page.locator(f".workbench {place}").bounding_box()
        assert box is not None and box["y"] >= 0 and box["y"] + box["height"] <= 768
    rate_all(page, "21")
    expect(page.locator(".score")).to_be_visible()
    box = page.locator(".workbench .facts").bounding_box()
    assert box is not None and box["y"] >= 0


def test_side_by_side_and_one_at_a_time(open_review: Callable[..., Page]) -> None:
    page = open_review("lend_an_ear")
    for position in range(2, 6):
        rate_all(page, "123451")
        expect(page.locator(".units .here")).to_contain_text(str(position))
    rate_all(page, "123451")
    expect(page.locator(".judgement")).to_have_count(1)
    expect(page.locator(".judgement")).to_contain_text("Gemini 2.5 Pro")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".judgement")).to_contain_text("GPT-4o")
    page.keyboard.press("v")
    expect(page.locator(".judgement")).to_have_count(3)
    expect(page.locator(".judgement").first).to_contain_text("This judge gave no reasons.")
