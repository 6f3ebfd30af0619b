"""The bar at every width: nothing lies over anything else, and what does not fit folds into one menu."""

from __future__ import annotations

from typing import TypedDict

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.actions import click, open_window, visit, wait_for_redraw
from tests.browser.looks import resize
from tests.browser.serving import Server

pytestmark = pytest.mark.slow

STUDIES = ("coaching_demo", "plan_demo", "judge_change", "lend_an_ear", "vera_mh")
WIDTHS = (*range(320, 1920, 49), 420, 421, 860, 861, 900, 1024, 1100, 1120, 1121, 1200, 1366, 1920)
TITLES = ("Grief", "Conversations of the second winter with everybody who asked for a coach, all sites")
MOST_GAP = 24  # pixels beside a title that is cut

# What a hand can press in the bar, with what overlaps, what leaves the bar, and the gap beside a cut title.
LAYOUT = """async (nav) => {
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const controls = [...nav.querySelectorAll("a, button")].filter(
    (element) => element.checkVisibility() && !element.closest(".panel"));
  const box = (element) => element.getBoundingClientRect();
  const name = (element) => element.innerText.trim() || element.className;
  const pairs = controls.flatMap((one, at) => controls.slice(at + 1).map((other) => [one, other]));
  const overlaps = pairs.filter(([one, other]) =>
    box(one).left < box(other).right - .5 && box(other).left < box(one).right - .5 &&
    box(one).top < box(other).bottom && box(other).top < box(one).bottom);
  const outside = controls.filter((element) => box(element).left < 0 || box(element).right > innerWidth);
  const study = nav.querySelector(".study"), title = study.querySelector(".cut");
  const next = Math.min(...controls.map((element) => box(element).left).filter((x) => x >= box(study).right));
  return {
    overlaps: overlaps.map((pair) => pair.map(name)),
    outside: outside.map(name),
    gap: title.scrollWidth > title.clientWidth ? next - box(study).right : 0,
    shown: title.clientWidth,
    folded: controls.some((element) => element.matches(".fold")),
  };
}"""
LABELS_LEFT = """(nav, count) => {
  const address = nav.querySelector("a[href^=adjudication]").getAttribute("href");
  const detail = { answer: null, left: { address, count } };
  window.dispatchEvent(new CustomEvent("second-reader-answers", { detail }));
}"""


class Layout(TypedDict):
    overlaps: list[list[str]]
    outside: list[str]
    gap: float
    shown: float
    folded: bool


def bar_of(page: Page) -> Locator:
    return page.get_by_role("navigation", name="Second Reader")


def layout(page: Page, width: int) -> Layout:
    page.set_viewport_size({"width": width, "height": 768})
    measured: Layout = bar_of(page).evaluate(LAYOUT)
    return measured


def expect_room(page: Page, width: int, *case: object) -> Layout:
    measured = layout(page, width)
    assert measured["overlaps"] == [] and measured["outside"] == [], (width, *case)
    assert measured["gap"] <= MOST_GAP, (width, *case)
    assert measured["shown"] >= 20, ("something of the title is always read", width, *case)
    return measured


@pytest.mark.parametrize("study", STUDIES)
def test_nothing_in_the_bar_lies_over_anything_else_at_any_width(
    browser: Browser, server: Server, study: str
) -> None:
    page = open_window(browser, 1024, 768)
    visit(page, server, f"lead?study={study}&reader=lead")
    expect(bar_of(page)).to_be_visible()
    wait_for_redraw(page)
    folded = {width: expect_room(page, width)["folded"] for width in (1024, *sorted(WIDTHS))}
    assert folded[320] and not folded[1366], "pages fold where they must, and only there"
    assert {width: expect_room(page, width)["folded"] for width in reversed(sorted(WIDTHS))} == folded, (
        "both ways"
    )
    page.close()


def test_any_title_and_any_number_left_to_settle_fit(browser: Browser, server: Server) -> None:
    page = open_window(browser, 1366, 768)
    visit(page, server, "lead?study=coaching_demo&reader=lead")
    expect(bar_of(page)).to_be_visible()
    wait_for_redraw(page)
    for title in TITLES:
        page.locator(".bar .study .cut").evaluate(
            "(element, title) => { element.textContent = title; }", title
        )
        for count in (0, 7, 5000):
            bar_of(page).evaluate(LABELS_LEFT, count)
            for width in WIDTHS[::3]:
                expect_room(page, width, title, count)
    page.close()


def test_pages_that_do_not_fit_are_in_one_menu_and_come_back(browser: Browser, server: Server) -> None:
    page = open_window(browser, 800, 768)
    visit(page, server, "lead?study=coaching_demo&reader=lead")
    click(page.get_by_role("button", name="Pages"))
    expect(page.get_by_role("link", name="Metrics")).to_be_visible()
    resize(page, 1366, 768)
    expect(page.get_by_role("button", name="Pages")).to_be_hidden()
    expect(page.get_by_role("link", name="Metrics")).to_be_visible()
    resize(page, 800, 768)
    expect(page.get_by_role("link", name="Metrics")).to_be_hidden()
    click(page.get_by_role("button", name="Pages"))
    click(page.get_by_role("link", name="Metrics"))
    expect(page.locator(".bar .pages [aria-current=page]")).to_have_text("Metrics")
    page.close()
