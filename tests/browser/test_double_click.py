"""A double click does what a click does, whatever lies under the mouse by then; nothing moves away from under it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from data.store.store import Store
from tests.browser.actions import bounce, double_click, press, press_labels, wait_for_redraw
from tests.browser.conftest import rate_all, saved
from tests.browser.test_keyboard import drafts


@pytest.mark.parametrize("gap", [60, 400])
def test_a_double_click_on_a_label_answers_one_question(
    open_review: Callable[..., Page], store: Store, gap: int
) -> None:
    page = open_review("lend_an_ear")
    press(page, "3")
    bounce(page, "4")  # a message comes
    expect(page.locator(".message-line")).to_contain_text("was pressed twice")
    third = page.locator(".rows .row").nth(2)
    expect(third.locator('[data-label="2"]')).to_be_visible()
    name = third.get_attribute("data-criterion")
    before = drafts(store)
    double_click(third.locator('[data-label="2"]'), gap)
    expect(page.locator(".row.focus")).not_to_have_attribute("data-criterion", name or "")
    saved(page)
    assert drafts(store)[2:] == [(name, "2")]
    assert before == drafts(store)[:2]


def test_after_a_double_click_keys_and_notes_are_of_the_question_that_was_answered(
    open_review: Callable[..., Page], store: Store
) -> None:
    page = open_review("lend_an_ear")
    press(page, "3")
    press(page, "4")
    third = page.locator(".rows .row").nth(2)
    name = third.get_attribute("data-criterion") or ""
    double_click(third.locator('[data-label="2"]'), 400)  # its second press lies on the next question
    expect(page.locator(".message-line")).to_have_text("A double click is taken as one click.")
    for key in ("Space", "Enter"):
        press(page, key)
    saved(page)
    assert drafts(store)[2:] == [(name, "2")]
    press(page, "f")
    expect(page.locator(f'[data-criterion="{name}"] .label')).to_contain_text("unsure")


def test_a_message_moves_no_label(open_review: Callable[..., Page]) -> None:
    page = open_review("coaching_demo", unit=2)
    wait_for_redraw(page)
    where = page.locator(".row.focus [role=radio]").first.bounding_box()
    page.keyboard.press("Control+Enter")
    expect(page.locator(".message-line")).to_have_text("10 criteria are still to rate.")
    assert page.locator(".row.focus [role=radio]").first.bounding_box() == where


def test_a_double_click_on_commit_stays_with_the_judge_who_is_shown(open_review: Callable[..., Page]) -> None:
    page = open_review("coaching_demo", unit=7)
    press_labels(page, "yynnyynnnyy")
    commit = page.locator(".pad footer .main")
    expect(commit).to_be_enabled()
    double_click(commit, 300)
    expect(page.locator(".pad footer")).to_contain_text("The judge's answers are above.")
    expect(page.locator(".rail .here")).to_contain_text("7")


def test_what_was_committed_is_said_where_the_page_goes_on(open_review: Callable[..., Page]) -> None:
    page = open_review("lend_an_ear")
    rate_all(page, "234232")
    expect(page.locator(".rail .count")).to_have_text("1 of 50")
    expect(page.locator(".message-line")).to_have_text("1 is committed; this is 2.")


def test_how_sure_goes_to_the_question_just_answered(open_review: Callable[..., Page]) -> None:
    page = open_review("coaching_example")
    press(page, "y")
    expect(page.locator(".row.focus")).to_have_attribute("data-criterion", "CQ2")
    press(page, "f")
    expect(page.locator(".message-line")).to_contain_text(": unsure.")
    expect(page.locator(".row.focus")).to_contain_text("F how sure")
    expect(page.locator('[data-criterion="CQ1"] .label')).to_have_text("Yes · unsure")
    page.locator('[data-criterion="CQ1"] .name').click()
    expect(page.locator(".row.focus")).to_contain_text("how sure: unsure")
    for words in ("how sure: fairly sure", "how sure: sure"):
        press(page, "f")
        expect(page.locator(".row.focus")).to_contain_text(words)
    press(page, "f")
    expect(page.locator(".row.focus")).not_to_contain_text("how sure:")


def test_who_begins_to_write_to_the_lead_writes_the_note(open_review: Callable[..., Page]) -> None:
    page = open_review("coaching_example")
    press(page, "h")
    expect(page.locator("dialog input").first).to_be_focused()
    page.keyboard.type("A name stands in turn 2")
    expect(page.locator(".tell-note")).to_have_value("A name stands in turn 2")


def test_while_a_reason_is_chosen_the_labels_wait(open_review: Callable[..., Page]) -> None:
    page = open_review("lend_an_ear")
    press(page, "x")
    expect(page.locator(".row.focus .cannot")).to_be_visible()
    expect(page.locator(".row.focus [role=radio]").first).to_be_disabled()
    press(page, "Escape")
    expect(page.locator(".row.focus [role=radio]").first).to_be_enabled()
