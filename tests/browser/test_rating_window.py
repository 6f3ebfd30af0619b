"""The rating page in its window: what scrolls, what is marked, and what it says while something waits."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime

import pytest
from playwright.sync_api import Browser, Page, expect

from data.store.free_text import NOTE_LIMIT
from data.store.store import Store
from tests.browser.actions import open_window, press, press_labels, visit
from tests.browser.conftest import begin_reading, rate_all, saved
from tests.browser.looks import check_look, resize
from tests.browser.serving import Server
from tests.browser.test_component_contract import STAND, data_of_unit, run_script

WAITS = re.compile("NOT SAVED YET: the server does not answer")
OVERFLOWS = """() => ["html", "body", "[data-testid=stMain]"].map((place) => {
  const node = document.querySelector(place);
  return [place, node.scrollHeight - node.clientHeight];
}).filter(([, excess]) => excess > 0)"""


def test_only_the_panes_scroll(browser: Browser, server: Server, reader: Callable[..., int]) -> None:
    page = open_window(browser)

    def check() -> None:
        for width, height in ((1920, 1080), (1366, 768)):
            resize(page, width, height)
            assert page.evaluate(OVERFLOWS) == [], width

    visit(page, server, f"review?study=lend_an_ear&reader={reader('lend_an_ear')}&note=seen")
    begin_reading(page)
    check()
    rate_all(page, "234232")
    saved(page)
    visit(page, server, f"review?study=lend_an_ear&reader={reader('lend_an_ear')}&note=seen&unit=1")
    expect(page.locator(".pad footer")).to_contain_text("Committed")
    check()
    page.close()


def test_the_key_sheet_opens_at_its_top(page: Page, server: Server, store: Store) -> None:
    page.set_viewport_size({"width": 1366, "height": 400})
    run_script(page, server, STAND, data_of_unit(store, "coaching_demo", 3))
    page.keyboard.press("?")
    sheet = page.locator("dialog")
    expect(sheet).to_be_visible()
    assert sheet.evaluate("node => [node.scrollTop, node.scrollHeight > node.clientHeight]") == [0, True]


@pytest.mark.own_context
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


def test_a_note_that_is_too_long_is_cut_between_characters_and_the_page_says_so(
    open_review: Callable[..., Page],
) -> None:
    page = open_review("coaching_example")
    note, line = page.locator(".row.focus .note"), page.locator(".row.focus .cut")
    fitting = "x" + "\U0001f600" * (NOTE_LIMIT - 1)
    page.keyboard.press("o")
    page.keyboard.insert_text(fitting)
    expect(note).to_have_value(fitting)
    expect(line).to_have_text("")
    page.keyboard.insert_text("\U0001f600 and more")
    expect(line).to_have_text("Cut at 20,000 characters: the end of your pasted text is missing.")
    expect(note).to_have_value(fitting)
    for key in ("Escape", "ArrowDown", "ArrowUp"):
        page.keyboard.press(key)
    expect(line).to_contain_text("Cut at 20,000 characters")
    saved(page)
    check_look(page)
    page.keyboard.press("o")
    page.keyboard.press("Backspace")
    expect(line).to_have_text("")
    expect(note).to_have_value(fitting[:-1])


def test_a_commit_that_waits_is_told_from_a_unit_still_to_commit(
    open_review: Callable[..., Page], server: Server
) -> None:
    page = open_review("lend_an_ear", note="seen")
    press_labels(page, "234232")
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
    expect(line).to_have_text("1 is committed; this is 2.")


def test_what_was_kept_and_what_is_left_to_look_at(open_review: Callable[..., Page], server: Server) -> None:
    page = open_review("coaching_demo", unit=7)
    rate_all(page, "yynnyynnnyy")
    foot, line = page.locator(".pad footer"), page.locator(".message-line")
    expect(foot).to_contain_text("The judge's answers are above. 5 differences left to look at.")
    saved(page)
    server.kill()  # what was kept is said at once, and again after the answer
    page.keyboard.press("Enter")
    first_label = page.locator('[data-criterion="CQ3"] .label')
    expect(first_label).to_have_text("you No · judge Yes · differs · kept")
    expect(foot).to_contain_text("4 differences left to look at")
    server.start()
    saved(page)
    page.locator('[data-criterion="CP2"] .name').click()
    expect(first_label).to_have_text("you No · judge Yes · differs · kept")
    for criterion in ("CQ4", "CQ7", "CQ8", "CQ9"):  # from the end of the list it begins at the top
        press(page, "Enter")
        expect(page.locator(".row.focus")).to_have_attribute("data-criterion", criterion)
    press(page, "Enter")
    expect(foot).not_to_contain_text("left to look at")
    expect(line).to_contain_text("All compared. Enter: ")
    check_look(page)
    saved(page)
    press(page, "Enter")
    expect(page.locator(".units .here")).not_to_have_text("7")
    saved(page)
    page.goto(re.sub(r"unit=\d+", "unit=7", page.url))
    expect(page.locator('[data-criterion="CQ4"] .label')).to_have_text("you No · judge Yes · differs · kept")
    expect(foot).to_contain_text("Committed")
    expect(foot).not_to_contain_text("left to look at")


def test_the_whole_form_of_a_change_is_in_view(open_review: Callable[..., Page]) -> None:
    page = open_review("coaching_demo", unit=7)
    rate_all(page, "yynnyynnnyy")
    expect(page.locator(".row.focus .judgement")).to_be_visible()
    page.keyboard.press(
        "i"
    )  # with the anchors, and a comment on the reasoning, the row is higher than its place
    for criterion in ("CQ3", "CQ9"):
        page.locator(f'[data-criterion="{criterion}"] .name').click()
        page.keyboard.press("s")
        for key in ("g", "y"):
            page.keyboard.press(key)
            form, foot = page.locator(".row.focus .change"), page.locator(".pad footer")
            expect(form.locator(".save-change")).to_be_in_viewport(ratio=1)
            box, below = form.bounding_box(), foot.bounding_box()
            decision = page.locator(".decision").bounding_box()
            assert box is not None and below is not None and decision is not None
            assert box["y"] >= decision["y"] + decision["height"], criterion
            assert box["y"] + box["height"] <= below["y"], criterion
            if key == "y":
                expect(page.locator(".row.focus .reason")).to_be_focused()
        page.keyboard.press("Escape")


def test_the_foot_of_a_committed_unit_points_to_where_the_answers_are(
    open_review: Callable[..., Page],
) -> None:
    page = open_review("coaching_example")
    press_labels(page, "yyyyyyyyyyy")
    page.keyboard.press("Control+Enter")
    foot = page.locator(".pad footer")
    expect(foot).to_contain_text("Committed. The judge's answers are above.")
    answers = page.locator(".pad .rows .judgement").first
    expect(answers).to_be_visible()
    higher, lower = answers.bounding_box(), foot.bounding_box()
    assert higher is not None and lower is not None and higher["y"] < lower["y"]
