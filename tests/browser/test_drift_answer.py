"""Every part of Drift answers on its first screen: a sentence, one picture, and everything else one press away."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from data.store.store import Store
from tests.browser.actions import focus, open_line, open_window, press, visible_words, visit, wait_for_redraw
from tests.browser.looks import check_look, resize
from tests.browser.serving import Server
from tests.studies.made_curves import put_curves
from tests.studies.made_raters import twelve_weeks

pytestmark = pytest.mark.slow

SAMPLES = ("coaching_demo", "coaching_example", "judge_change", "lend_an_ear", "plan_demo", "vera_mh")
PARTS = ("conversations", "time", "judge", "raters", "runs")
HEIGHT, MOST_WORDS = 768, 120
TERMS = ("Holm", "Mann-Kendall", "Theil-Sen", "CUSUM", "jackknife", "p 0.", "least squares")
PICTURES = ".js-plotly-plot, .rows"


def open_part(page: Page, server: Server, study: str, part: str) -> None:
    visit(page, server, f"drift?study={study}&reader=lead&part={part}")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    wait_for_redraw(page)


def check_first_screen(page: Page) -> None:
    for place in (page.get_by_role("heading", level=1), page.locator(PICTURES).first):
        if place.count():
            box = place.bounding_box()
            assert box is not None and box["y"] >= 0 and box["y"] + box["height"] <= HEIGHT, box
    words = visible_words(page)
    assert len(words) <= MOST_WORDS, " ".join(words)
    assert not [term for term in TERMS if term in " ".join(words)]


@pytest.mark.parametrize("study", SAMPLES)
def test_each_part_opens_with_its_answer(browser: Browser, server: Server, store: Store, study: str) -> None:
    if study == "vera_mh":
        put_curves(store)
    page = open_window(browser)
    for part in PARTS:
        open_part(page, server, study, part)
        check_first_screen(page)
        assert page.get_by_role("heading", level=1).count() == 1
        assert page.locator(".js-plotly-plot").count() <= 1
    page.close()


def test_who_moved_is_a_line_each_and_why_opens_by_keyboard(
    browser: Browser, server: Server, store: Store, tmp_path: Path
) -> None:
    twelve_weeks(store, tmp_path)
    page = open_window(browser)
    open_part(page, server, "weeks", "raters")
    expect(page.get_by_role("heading", level=1)).to_contain_text("drifted to lower levels")
    check_first_screen(page)
    expect(
        page.get_by_role("table", name="Raters compared with the others").locator("tbody tr")
    ).to_have_count(4)
    first = page.locator(".rows .opener").first
    focus(first)
    press(page, "Enter")
    expect(page.get_by_text("in the earlier half of")).to_be_visible()
    check_look(page)
    page.close()


def test_everything_behind_it_opens_in_place(browser: Browser, server: Server, store: Store) -> None:
    put_curves(store)
    page = open_window(browser)
    open_part(page, server, "vera_mh", "conversations")
    assert page.get_by_text("How it was tested").count() == 0, "what is closed is not drawn"
    everything = page.locator("summary").filter(has=page.get_by_text("Everything behind it"))
    focus(everything)
    press(page, "Enter")
    for line in ("Conversations least similar to their plan", "How it was tested", "The chart as a table"):
        open_line(page, line)
    expect(page.get_by_role("table", name="Between conditions")).to_be_visible()
    expect(page.get_by_role("button", name="This table as CSV")).to_have_count(2)
    check_look(page)
    page.close()


def test_it_fits_a_narrow_screen(browser: Browser, server: Server, store: Store) -> None:
    put_curves(store)
    page = open_window(browser, 1024, 768)
    for study, part in (("vera_mh", "conversations"), ("judge_change", "judge"), ("judge_change", "time")):
        open_part(page, server, study, part)
        for width, height in ((390, 844), (1024, 768)):
            resize(page, width, height)
            assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), width
            expect(page.get_by_role("heading", level=1)).to_be_in_viewport()
    page.close()
