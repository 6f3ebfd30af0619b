"""The rating page in its window: what scrolls, what is marked, and what it says while something waits."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime

import pytest
from playwright.sync_api import Browser, Page, expect

from data.store import Store
from tests.browser.actions import open_window, wait_for_redraw
from tests.browser.conftest import begin_reading, rate_all, saved
from tests.browser.serving import Server
from tests.browser.test_component_contract import STAND, data_of_unit, run_script

WAITS = re.compile("NOT SAVED YET: the server does not answer")
OVERFLOWS = """() => ["html", "body", "[data-testid=stMain]"].map((place) => {
  const node = document.querySelector(place);
  return [place, node.scrollHeight - node.clientHeight];
}).filter(([, excess]) => excess > 0)"""


@pytest.mark.parametrize(("width", "height"), [(1366, 768), (1920, 1080)])
def test_only_the_panes_scroll(
    browser: Browser, server: Server, reader: Callable[..., int], width: int, height: int
) -> None:
    page = open_window(browser, width=width, height=height)
    page.goto(f"{server.url}/review?study=lend_an_ear&reader={reader('lend_an_ear')}&note=seen")
    begin_reading(page)
    wait_for_redraw(page)
    assert page.evaluate(OVERFLOWS) == []
    rate_all(page, "234232")
    saved(page)
    page.goto(f"{server.url}/review?study=lend_an_ear&reader={reader('lend_an_ear')}&note=seen&unit=1")
    expect(page.locator(".pad footer")).to_contain_text("Committed")
    wait_for_redraw(page)
    assert page.evaluate(OVERFLOWS) == []
    page.close()


def test_the_key_sheet_opens_at_its_top(page: Page, server: Server, store: Store) -> None:
    page.set_viewport_size({"width": 1366, "height": 400})
    run_script(page, server, STAND, data_of_unit(store, "coaching_demo", 3))
    page.keyboard.press("?")
    sheet = page.locator("dialog")
    expect(sheet).to_be_visible()
    assert sheet.evaluate("node => [node.scrollTop, node.scrollHeight > node.clientHeight]") == [0, True]


def test_two_seconds_without_an_answer_are_not_saved_yet(page: Page, server: Server, store: Store) -> None:
    page.clock.install(time=datetime(2026, 11, 21, 8))
    run_script(page, server, STAND, data_of_unit(store, "coaching_demo", 3))
    page.clock.pause_at(datetime(2026, 11, 21, 9))
    page.keyboard.press("y")
    page.clock.run_for(1900)
    expect(page.locator(".saved")).to_have_text("saving ...")
    page.keyboard.press("n")
    page.clock.run_for(200)
    expect(page.locator(".saved")).to_have_text(WAITS)


def test_a_folded_criterion_with_a_note_is_marked(page: Page, server: Server, store: Store) -> None:
    run_script(page, server, STAND, data_of_unit(store, "coaching_demo", 3))
    page.keyboard.press("o")
    page.keyboard.type("she says so")
    expect(page.locator(".note-mark")).to_have_count(0)
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowDown")
    expect(page.locator(".note-mark")).to_have_count(1)
    expect(page.get_by_role("button", name=", with a note")).to_have_count(1)


def test_a_commit_that_waits_is_told_from_a_unit_still_to_commit(
    open_review: Callable[..., Page], server: Server
) -> None:
    page = open_review("lend_an_ear", note="seen")
    page.keyboard.type("234232")
    saved(page)
    server.kill()
    page.keyboard.press("Control+Enter")
    foot, line = page.locator(".pad footer"), page.locator(".message-line")
    expect(foot).to_have_text("The commit is not saved yet.")
    expect(page.locator(".saved")).to_have_text(WAITS)
    expect(line).to_be_hidden()
    for key in ("j", "k", "2", "Control+Enter"):
        line.evaluate("node => { node.textContent = ''; }")
        page.keyboard.press(key)
        expect(line).to_have_text(WAITS)
    server.start()
    expect(page.locator(".rail .count")).to_have_text(re.compile("^1 of "))
    expect(line).to_be_hidden()


def test_the_foot_of_a_committed_unit_points_to_where_the_answers_are(
    open_review: Callable[..., Page],
) -> None:
    page = open_review("coaching_example")
    page.keyboard.type("yyyyyyyyyyy", delay=0)
    page.keyboard.press("Control+Enter")
    foot = page.locator(".pad footer")
    expect(foot).to_contain_text("Committed. The judge's answers stand above.")
    answers = page.locator(".pad .rows .judgement").first
    expect(answers).to_be_visible()
    higher, lower = answers.bounding_box(), foot.bounding_box()
    assert higher is not None and lower is not None and higher["y"] < lower["y"]
