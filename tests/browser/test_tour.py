"""The tours in a new browser: they point, cover no label, take no key but Esc, and come again when wanted."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from sqlalchemy import select

from data import schema
from data.record import studies
from data.store.store import Store
from tests.browser.actions import click, open_window, press, visit, wait_for_redraw
from tests.browser.conftest import begin_reading, saved
from tests.browser.looks import check_look
from tests.browser.serving import Server
from tests.studies.small_study import Small

STUDY = "coaching_demo"
LEAVE = "Leave the tour (Esc)"


def card(page: Page) -> Locator:
    return page.get_by_role("region", name="Tour")


def box(locator: Locator) -> dict[str, float]:
    found = locator.bounding_box()
    assert found is not None
    return {name: found[name] for name in ("x", "y", "width", "height")}


def overlap(one: dict[str, float], other: dict[str, float]) -> bool:
    return all(
        one[at] < other[at] + other[size] and other[at] < one[at] + one[size]
        for at, size in (("x", "width"), ("y", "height"))
    )


def open_rating(page: Page, server: Server, rater: int) -> None:
    visit(page, server, f"review?study={STUDY}&reader={rater}")
    begin_reading(page)


def labels(store: Store) -> list[str | None]:
    with store.reading() as connection:
        return list(connection.execute(select(schema.draft.c.label).order_by(schema.draft.c.id)).scalars())


@pytest.mark.parametrize(("width", "height"), [(1366, 768), (1024, 768), (390, 844)])
def test_a_rater_rates_on_while_the_tour_is_shown(
    browser: Browser, server: Server, store: Store, reader: Callable[..., int], width: int, height: int
) -> None:
    page = open_window(browser, width, height, is_new=True)
    open_rating(page, server, reader(STUDY))
    for step in ("Rate with a key", "Say why", "Commit, then compare", "Nothing is lost"):
        expect(card(page)).to_contain_text(step)
        wait_for_redraw(page)
        for pane in (".pad", ".transcript", ".rail"):
            assert not overlap(box(card(page)), box(page.locator(f".workbench {pane}"))), (step, pane)
        expect(card(page)).to_be_in_viewport(ratio=1)
        expect(page.locator(".pad footer .main")).to_be_in_viewport(ratio=1)
        page.keyboard.press("y")
        way_on = card(page).get_by_role("button").first
        way_on.focus()
        page.keyboard.press("n")  # the focus on a button of the tour takes no label's key
        page.keyboard.press("Enter")
    expect(card(page)).to_be_hidden()
    pad = box(page.locator(".workbench .pad"))
    assert pad["y"] + pad["height"] > height - 30, "the room of the card is the page's again"
    saved(page)
    assert labels(store) == ["YES", "NO"] * 4
    page.reload()
    begin_reading(page)
    wait_for_redraw(page)
    expect(card(page)).to_be_hidden()
    page.close()


def test_escape_leaves_the_tour_and_the_keys_bring_it_again(
    browser: Browser, server: Server, reader: Callable[..., int]
) -> None:
    page = open_window(browser, is_new=True)
    open_rating(page, server, reader(STUDY))
    expect(card(page)).to_contain_text("1 of 4")
    check_look(page)
    page.keyboard.press("?")
    expect(page.get_by_role("button", name="Take the tour")).to_be_visible()
    page.keyboard.press("Escape")  # closes the keys, and not the tour below them
    expect(page.get_by_role("button", name="Take the tour")).to_be_hidden()
    expect(card(page)).to_be_visible()
    page.emulate_media(media="print")
    expect(card(page)).to_be_hidden()
    page.emulate_media(media="screen")
    page.keyboard.press("Escape")
    expect(card(page)).to_be_hidden()
    page.keyboard.press("?")
    click(page.get_by_role("button", name="Take the tour"))
    for step in ("1 of 4", "2 of 4", "3 of 4", "4 of 4"):  # also where nothing was saved yet
        expect(card(page)).to_contain_text(step)
        click(card(page).get_by_role("button").first)
    expect(card(page)).to_be_hidden()
    page.close()


def test_who_has_rated_before_is_told_nothing_in_a_new_browser(
    browser: Browser, server: Server, store: Store, reader: Callable[..., int]
) -> None:
    with store.reading() as connection:
        study = studies.get_by_key(connection, STUDY)
    Small(store, study, (), (reader(STUDY),)).desk().rate(1)
    page = open_window(browser, is_new=True)
    open_rating(page, server, reader(STUDY))
    wait_for_redraw(page)
    expect(card(page)).to_be_hidden()
    visit(page, server, f"help?study={STUDY}&reader={reader(STUDY)}")
    click(page.get_by_role("link", name="Take the tour of the rating page"))
    begin_reading(page)
    expect(card(page)).to_contain_text("1 of 4")
    assert "tour=" not in page.url
    page.close()


@pytest.mark.parametrize(
    ("study", "width"),
    [("lend_an_ear", 1366), ("coaching_demo", 1366), ("judge_change", 1024), (STUDY, 1024)],
)
def test_a_lead_is_led_from_the_answer_to_the_help_by_keyboard(
    browser: Browser, server: Server, study: str, width: int
) -> None:
    page = open_window(browser, width, 768, is_new=True)
    visit(page, server, f"overview?study={study}&reader=lead")
    targets = ("The answer first", "What needs you", "Set-up", "Help")
    for step in targets:
        expect(card(page)).to_contain_text(step)
        wait_for_redraw(page)
        if step == targets[0]:
            check_look(page)
            card(page).get_by_role("button").first.focus()
        if step in targets[:2]:
            needs = page.get_by_role("heading", name="What needs you")
            for read in (page.locator(".evidence").first, page.locator(".sr-needs"), needs):
                assert not overlap(box(card(page)), box(read)), step
        ring = box(page.locator(".tour .ring"))
        assert ring["width"] > 20 and not overlap(box(card(page)), ring), step
        page.keyboard.press("Enter")
    expect(card(page)).to_be_hidden()
    page.reload()
    expect(page.get_by_role("table").first).to_be_visible()
    wait_for_redraw(page)
    expect(card(page)).to_be_hidden()
    press(page, "?")
    click(page.get_by_role("link", name="Take the tour of a study lead"))
    expect(card(page)).to_contain_text("1 of 4")
    page.close()
