"""The search of the bar in a real browser: with the keyboard alone, on every page, and nothing that a blind rater
may not see.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.actions import MINUTE, click, open_window, press, type_words, visit, wait_for_redraw
from tests.browser.conftest import begin_reading
from tests.browser.looks import SCHEMES, resize, serious
from tests.browser.serving import Server
from tests.browser.test_never_break import Received, sample

pytestmark = pytest.mark.slow
CHOSEN = ".search [role=option][aria-selected=true] .name"


def search(page: Page, words: str) -> None:
    press(page, "/")
    expect(page.get_by_role("combobox", name="Search")).to_be_focused()
    page.keyboard.type(words)
    expect(page.locator(".search [role=status]")).not_to_have_text("Searching…")


def chosen(page: Page) -> str:
    return page.locator(CHOSEN).inner_text()


def lead(page: Page, server: Server, where: str = "metrics", study: str = "lend_an_ear") -> None:
    visit(page, server, f"{where}?study={study}&reader=lead")
    expect(page.get_by_role("navigation", name="Second Reader")).to_be_visible()
    wait_for_redraw(page)


def test_a_conversation_a_criterion_a_person_and_a_page_open_with_the_keyboard_alone(
    page: Page, server: Server
) -> None:
    lead(page, server)
    search(page, "emotions")
    expect(page.locator(CHOSEN)).to_have_text("Dismisses emotions")
    results = page.locator(".search [role=option]").count()
    page.keyboard.press("ArrowUp")
    expect(page.locator(".search [role=option]").nth(results - 1)).to_have_attribute("aria-selected", "true")
    for _ in range(results):
        if (before := chosen(page)).startswith("lend_an_ear_"):  # the lead's own ids
            break
        page.keyboard.press("ArrowDown")
        expect(page.locator(CHOSEN)).not_to_have_text(before)
    name = chosen(page)
    active = page.get_by_role("combobox", name="Search").get_attribute("aria-activedescendant")
    assert page.locator(f"#{active} .name").inner_text() == name
    page.keyboard.press("Enter")
    page.wait_for_url("**/review?study=lend_an_ear&reader=lead&unit=*", timeout=MINUTE)
    expect(page.get_by_text(name).first).to_be_visible()
    page.go_back()
    page.wait_for_url("**/metrics?**", timeout=MINUTE)
    search(page, "dismisses emotions")
    page.keyboard.press("Enter")
    page.wait_for_url("**/agreement?study=lend_an_ear&reader=lead&row=**", timeout=MINUTE)
    expect(page.get_by_role("button", name="Dismisses emotions", expanded=True)).to_be_visible()
    search(page, "validates")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Validates feelings", expanded=True)).to_be_visible()
    search(page, "reader 2")
    page.keyboard.press("Enter")
    page.wait_for_url("**/lead?study=lend_an_ear&reader=lead&part=How+it+stands&rater=**", timeout=MINUTE)
    press(page, "/")
    page.keyboard.type("drif")  # known without the server
    expect(page.locator(CHOSEN)).to_have_text("Drift")
    page.keyboard.press("Enter")
    page.wait_for_url("**/drift?study=lend_an_ear&reader=lead", timeout=MINUTE)


def test_enter_before_the_answer_opens_the_first_result_of_it(page: Page, server: Server) -> None:
    lead(page, server)
    press(page, "/")
    page.keyboard.type("50")
    page.keyboard.press("Enter")
    page.wait_for_url("**/review?study=lend_an_ear&reader=lead&unit=50", timeout=MINUTE)


def test_esc_gives_the_focus_back_and_a_slash_in_a_field_is_a_slash(page: Page, server: Server) -> None:
    lead(page, server)
    link = page.get_by_role("link", name="Agreement", exact=True)
    link.focus()
    search(page, "no such words anywhere")
    expect(page.locator(".search [role=status]")).to_have_text("No results.")
    page.keyboard.press("/")
    expect(page.get_by_role("combobox", name="Search")).to_have_value("no such words anywhere/")
    page.keyboard.press("Escape")
    expect(page.locator(".search .panel")).to_be_hidden()
    expect(link).to_be_focused()
    type_words(page, "gd")
    expect(page.locator(".bar .pages [aria-current]").first).to_have_text("Drift")


def test_the_search_opens_while_rating_and_no_key_typed_there_rates(
    page: Page, open_review: Callable[..., Page], reader: Callable[..., int]
) -> None:
    open_review("coaching_demo")
    labels = page.locator(".row .label:not(:empty)").count()
    search(page, "nnyn crisis")
    assert page.locator(".row .label:not(:empty)").count() == labels
    page.keyboard.press("Escape")
    press(page, "?")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("/")
    expect(page.locator(".search .panel")).to_be_hidden()
    page.keyboard.press("Escape")
    search(page, "7")
    page.keyboard.press("Enter")
    page.wait_for_url("**unit=7**", timeout=MINUTE)
    expect(page.locator(".units .here")).to_contain_text("7")


def test_a_criterion_that_is_searched_for_while_rating_opens_with_its_labels_in_view(
    page: Page, open_review: Callable[..., Page]
) -> None:
    open_review("coaching_demo", unit=7)
    wait_for_redraw(page)
    for words, criterion in (("crisis", "CQ9"), ("natural and", "CP2"), ("crisis", "CQ9")):
        search(page, words)
        page.keyboard.press("Enter")
        expect_open(page, criterion)
        assert "unit=7" in page.url
        press(page, "ArrowUp")  # whoever goes on is not brought back by what the server says later
        wait_for_redraw(page)
        expect(page.locator(".row.focus")).not_to_have_attribute("data-criterion", criterion)
    click(page.get_by_role("link", name="My work"))
    page.wait_for_url("**/my_work?**", timeout=MINUTE)
    search(page, "natural and")
    page.keyboard.press("Enter")
    page.wait_for_url("**/review?**criterion=CP2**", timeout=MINUTE)
    expect_open(page, "CP2")


def expect_open(page: Page, criterion: str) -> None:
    expect(page.locator(".row.focus")).to_have_attribute("data-criterion", criterion)
    wait_for_redraw(page)
    expect(page.locator(".row.focus [role=radio]").first).to_be_in_viewport(ratio=1)
    expect(page.locator(".row.focus .name")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("study", ["vera_mh", "coaching_demo"])
def test_nothing_hidden_reaches_a_blind_rater_who_searches_for_it(
    page: Page, server: Server, reader: Callable[..., int], study: str
) -> None:
    received = Received(page)
    visit(page, server, f"review?study={study}&reader={reader(study)}")
    begin_reading(page)
    conversations = sample(study, "conversations.jsonl")
    models = {row[name] for row in conversations for name in ("provider_llm", "source_file") if row.get(name)}
    judgements = sample(study, "judgements.jsonl") if study == "coaching_demo" else []
    reasons = {row["reasoning"] for row in judgements if row.get("reasoning")}
    for words in ("judge", "clinician", "reader 2", *sorted(str(model) for model in models)[:3]):
        search(page, words)
        page.keyboard.press("Escape")
    search(page, "feel")
    expect(page.locator(".search [role=option]").first).to_be_visible()
    got = received.text()
    assert not [secret for secret in models | reasons if json.dumps(str(secret))[1:-1] in got]
    assert "Demonstration judge" not in got and "Clinician A" not in got and "Reader 2" not in got


def test_results_are_accessible_and_within_the_window(browser: Browser, server: Server) -> None:
    page = open_window(browser)
    lead(page, server)
    expect(page.get_by_role("link", name="Settle", exact=True, include_hidden=True)).to_have_attribute(
        "aria-description", re.compile(r"^\d+ labels left to settle$")
    )
    search(page, "em")
    for width in (1366, 1024, 390):
        resize(page, width, 768)
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            wait_for_redraw(page)
            assert serious(page) == [], (scheme, width)
        box = page.locator(".search .panel").bounding_box()
        assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= width
        assert box["y"] + box["height"] <= 768
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), width
    page.close()
