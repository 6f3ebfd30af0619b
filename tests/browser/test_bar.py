"""The bar in a real browser: keyboard, Back, widths, both colour schemes, and a name that is said once."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect
from sqlalchemy import select

from data import schema
from data.store.store import Store
from pages.widgets.remembered_person import COOKIE, read_cookie
from tests.browser.actions import (
    MINUTE,
    click,
    click_while_running,
    open_as_lead,
    open_tab,
    open_window,
    press,
    sit_down_somebody_else,
    type_words,
    visit,
    wait_for_redraw,
    wait_until,
)
from tests.browser.conftest import begin_reading
from tests.browser.looks import SCHEMES, Scheme, check_look, resize, serious
from tests.browser.serving import Server

pytestmark = pytest.mark.slow

OUTLINES: dict[Scheme, str] = {"light": "rgb(31, 95, 139)", "dark": "rgb(125, 183, 224)"}
FOCUSED = """() => {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  const style = getComputedStyle(at);
  return [at.innerText.trim(), style.outlineStyle, style.outlineWidth, style.outlineColor]; }"""
INSIDE = """nav => [...nav.querySelectorAll("a, button")].filter(element => element.offsetParent).every(element => {
  const box = element.getBoundingClientRect();
  return box.left >= 0 && box.right <= innerWidth && box.top >= 0 && box.bottom <= nav.getBoundingClientRect().bottom;
})"""


def entry(page: Page, name: str) -> None:
    """The page of this name is the one that the bar marks."""
    expect(page.locator(".bar .pages [aria-current]").first).to_have_text(name)
    wait_for_redraw(page)


def remembered(page: Page) -> list[str]:
    """The name that the browser keeps, and the studies that it leads; nothing where it keeps nothing."""
    cookies = [cookie["value"] for cookie in page.context.cookies() if cookie["name"] == COOKIE]
    people = [read_cookie(value) for value in cookies]
    return [word for person in people for word in (person.name, *person.leads)]


def focused(page: Page) -> str:
    return str(page.evaluate(FOCUSED)[0])


def expect_focused(page: Page, name: str) -> None:
    wait_until(page, lambda: focused(page) == name, lambda: focused(page))


def expect_remembered(page: Page, *words: str) -> None:
    wait_until(page, lambda: remembered(page) == [*words], lambda: str(remembered(page)))


def lead(page: Page, server: Server, where: str = "agreement") -> None:
    visit(page, server, f"{where}?study=coaching_demo&reader=lead")
    expect(page.get_by_role("navigation", name="Second Reader")).to_be_visible()
    wait_for_redraw(page)


def test_one_click_is_one_step_back(page: Page, server: Server) -> None:
    lead(page, server)
    addresses = [page.url]
    for name, path in (("Metrics", "metrics"), ("Drift", "drift"), ("Settle", "adjudication")):
        click(page.get_by_role("link", name=name, exact=True))
        entry(page, name)
        page.wait_for_url(f"**/{path}?study=coaching_demo&reader=lead*")
        addresses.append(page.url)
    for address in reversed(addresses[:-1]):
        page.go_back()
        page.wait_for_url(address, timeout=MINUTE)
        wait_for_redraw(page)
    entry(page, "Agreement")
    page.go_forward()
    entry(page, "Metrics")


def test_from_the_studies_to_the_rating_and_back_is_one_step(
    page: Page, server: Server, reader: Callable[..., int]
) -> None:
    visit(page, server, f"my_work?study=plan_demo&reader={reader('plan_demo')}")
    entry(page, "My work")
    click(page.get_by_role("link", name="Second Reader"))
    entry(page, "Studies")
    studies = page.url
    click(page.locator(".st-key-rate-plan_demo button"))
    expect(page.locator(".workbench .row").first).to_be_visible()
    wait_for_redraw(page)
    assert "unit=1" in page.url, "the page wrote more into its address, and made no entry of it"
    page.go_back()
    page.wait_for_url(studies, timeout=MINUTE)
    entry(page, "Studies")


def test_links_open_by_themselves_in_another_tab(page: Page, server: Server) -> None:
    lead(page, server)
    address = f"{server.url}/drift?study=coaching_demo&reader=lead"
    other = open_tab(page.get_by_role("link", name="Drift", exact=True), address)
    entry(other, "Drift")
    assert other.url == address
    entry(page, "Agreement")


def test_the_bar_is_used_with_the_keyboard_alone(page: Page, server: Server) -> None:
    lead(page, server)
    names: list[str] = []
    while not names or not names[-1].endswith("Study lead"):
        page.keyboard.press("Tab")
        names.append(focused(page))
        assert len(names) < 20, names
    order = ["Overview", "Settle", "Agreement", "Metrics", "Drift", "Judges", "Set-up"]
    assert names[-10:-1] == [*order, "Search\n/", "Help"] and names[-12] == "Second Reader"
    assert names[-11].endswith("Coaching rubric, demonstration")
    for name in ("Help", "Search\n/", "Set-up"):
        press(page, "ArrowLeft")
        expect_focused(page, name)
    page.keyboard.press("ArrowDown")
    expect_focused(page, "Work and raters")
    page.keyboard.press("ArrowUp")
    expect_focused(page, "Import")
    page.keyboard.press("Escape")
    expect_focused(page, "Set-up")
    expect(page.locator(".bar .panel:visible")).to_have_count(0)
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator(".bar .pages [aria-current=page]")).to_have_text("Plans of care")
    wait_for_redraw(page)
    expect_focused(page, "Set-up")  # the keyboard stays where it was
    page.keyboard.press("Enter")
    for _ in range(page.locator(".bar .panel:visible a").count() + 1):
        page.keyboard.press("Tab")
    expect(page.locator(".bar .panel:visible")).to_have_count(0)  # who goes on leaves nothing open


def test_the_focus_is_seen_in_both_schemes(page: Page, server: Server) -> None:
    lead(page, server)
    for scheme, color in OUTLINES.items():
        page.emulate_media(color_scheme=scheme)
        wait_for_redraw(page)
        page.locator(".bar .logo").focus()
        for _ in range(6):
            page.keyboard.press("Tab")
            name, *style = page.evaluate(FOCUSED)
            assert style == ["solid", "3px", color], (scheme, name)


def test_a_study_is_found_and_the_page_stays(page: Page, server: Server) -> None:
    lead(page, server, "metrics")
    button = page.locator(".bar .study")
    click(button)
    expect(page.get_by_role("searchbox", name="Find a study")).to_be_focused()
    page.keyboard.type("nothing of the kind")
    expect(page.get_by_text("No study title has these words.")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".bar .panel:visible")).to_have_count(0)
    expect(button).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.type("vera")
    expect(page.locator(".switcher li")).to_have_count(1)
    page.keyboard.press("Enter")
    page.wait_for_url("**/metrics?study=vera_mh", timeout=MINUTE)
    expect(page.get_by_text("Choose your name.")).to_be_visible()
    expect(button).to_have_text(re.compile("VERA-MH$"))
    expect(page.locator(".bar .pages li")).to_have_count(0)
    click(page.get_by_role("button", name="I lead this study or read its results"))
    entry(page, "Metrics")
    page.go_back()
    entry(page, "Metrics")
    expect(button).to_have_text(re.compile("demonstration$|VERA-MH$"))


def test_g_and_a_letter_go_to_a_page_but_not_while_typing_or_rating(
    page: Page, server: Server, reader: Callable[..., int]
) -> None:
    visit(page, server, f"review?study=coaching_demo&reader={reader('coaching_demo')}&unit=7")
    begin_reading(page)
    page.keyboard.type("gn")
    expect(page.locator(".row[data-criterion=CQ1]")).to_have_attribute("class", re.compile("row"))
    wait_for_redraw(page)
    assert "/review?" in page.url
    expect(page.locator(".row .label").first).to_have_text("No")
    open_as_lead(page, f"{server.url}/agreement?study=coaching_demo&reader=lead")
    wait_for_redraw(page)
    type_words(page, "gd")
    entry(page, "Drift")
    type_words(page, "gp")
    field = page.get_by_role("textbox", name="What the assistant should do")
    expect(field).to_be_visible()
    wait_for_redraw(page)
    field.fill("")
    field.focus()
    page.keyboard.type("gd gm")
    expect(field).to_have_value("gd gm")


@pytest.mark.parametrize("who", ["lead", "rater"])
def test_the_bar_fits_every_width_in_both_schemes(
    browser: Browser, server: Server, store: Store, reader: Callable[..., int], who: str
) -> None:
    rater = reader("coaching_demo")
    with store.writing("Reader 1", "open", 2) as (_connection, write):
        write.write(schema.exposure, {"rater_id": rater, "kind": "page"})
    page = open_window(browser, 1920, 768)
    visit(page, server, f"metrics?study=coaching_demo&reader={rater if who == 'rater' else who}")
    bar = page.get_by_role("navigation", name="Second Reader")
    expect(bar).to_be_visible()
    for width in (1920, 1366, 1024, 390):
        resize(page, width, 768)
        box = bar.bounding_box()
        assert box is not None and box["height"] == 50 and box["x"] == 0 and box["width"] == width
        assert bar.evaluate(INSIDE), width
        if width == 390:
            click(page.get_by_role("button", name="Pages"))
        click(page.get_by_role("button", name="Judges"))
        expect(page.get_by_role("link", name="Runs")).to_be_visible()
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            wait_for_redraw(page)
            assert serious(page) == [], (scheme, width)
            assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), width
        page.keyboard.press("Escape")
        click(page.locator(".bar .study"))
        assert serious(page) == []
        page.keyboard.press("Escape")
        page.mouse.move(width / 2, 500)
        page.mouse.wheel(0, 600)
        wait_for_redraw(page)
        moved = bar.bounding_box()
        assert moved is not None and moved["y"] == 0, "the bar stays"
        page.mouse.wheel(0, -600)
    page.close()


def test_a_name_is_said_once_a_browser_and_forgotten_for_good(
    page: Page, server: Server, reader: Callable[..., int]
) -> None:
    page.goto(f"{server.url}/my_work?study=lend_an_ear")
    click(page.get_by_role("button", name="Reader 2", exact=True))
    entry(page, "My work")
    expect_remembered(page, "Reader 2")
    cookie = next(cookie for cookie in page.context.cookies() if cookie["name"] == "second_reader")
    assert (cookie["path"], cookie["sameSite"]) == ("/", "Strict")
    other = page.context.new_page()
    other.goto(f"{server.url}/my_work?study=vera_mh")
    entry(other, "My work")
    expect(other.locator(".bar .who")).to_have_text(re.compile("Reader 2$"))
    assert other.url.endswith(f"reader={reader('vera_mh', 'Reader 2')}")
    sit_down_somebody_else(other)
    expect(other.get_by_text("Choose your name.")).to_be_visible()
    check_look(other)
    assert remembered(other) == [] and "reader=" not in other.url
    anew = page.context.new_page()
    anew.goto(f"{server.url}/my_work?study=lend_an_ear")
    expect(anew.get_by_text("Choose your name.")).to_be_visible()


def test_what_waits_to_be_saved_is_saved_before_somebody_else_sits_down(
    page: Page, open_review: Callable[..., Page], server: Server, store: Store
) -> None:
    open_review("lend_an_ear", note="seen")
    server.kill()
    page.keyboard.press("2")
    expect(page.locator(".saved")).to_contain_text("NOT SAVED YET")
    click_while_running(page.locator(".bar .person > button"))
    click_while_running(page.get_by_role("button", name="Switch person"))
    expect(
        page.get_by_text("Your entries are being saved first; then you can switch person.")
    ).to_be_visible()
    click_while_running(page.get_by_role("link", name="My work"))
    expect(page.get_by_text("The app is not responding. Saved work is safe")).to_be_visible()
    server.start()  # what waited is saved, and then the wish is followed
    expect(page.get_by_text("Choose your name.")).to_be_visible()
    with store.reading() as connection:
        assert connection.execute(select(schema.draft.c.label)).scalars().all() == ["2"]
    expect_remembered(page)


def test_the_labels_that_a_browser_showed_are_asked_about_through_the_bar_as_well(
    page: Page, server: Server, store: Store, reader: Callable[..., int]
) -> None:
    first, second = reader("coaching_demo"), reader("coaching_demo", "Reader 2")

    def exposed() -> list[int]:
        with store.reading() as connection:
            return list(connection.execute(select(schema.exposure.c.rater_id)).scalars())

    lead(page, server)
    expect_remembered(page, "", "coaching_demo")
    link = page.context.new_page()  # a link that was handed out, in the browser of somebody who leads
    link.goto(f"{server.url}/my_work?study=coaching_demo&reader={first}")
    expect(link.get_by_text("This browser has shown the labels of the whole study.")).to_be_visible()
    expect(link.get_by_text("Use the name Reader 1?")).to_be_visible()
    check_look(link)
    click(link.get_by_role("button", name="Don't use it"))
    expect(link.get_by_text("Use the name Reader 1?")).to_have_count(0)
    assert exposed() == []
    sit_down_somebody_else(page)
    expect(page.get_by_text("This tab has shown the labels of the whole study.")).to_be_visible()
    click(page.get_by_role("button", name="Reader 2", exact=True))
    click(page.get_by_role("button", name="Use the name Reader 2 and record this"))
    entry(page, "Agreement")
    assert exposed() == [second]
    expect_remembered(page, "Reader 2")


def test_a_copied_address_asks_in_another_browser_and_a_reload_does_not(
    browser: Browser, page: Page, server: Server, store: Store
) -> None:
    address = f"{server.url}/agreement?study=coaching_demo&reader=lead"
    page.goto(address)
    asked = page.get_by_text("You are opening this study as its lead. You will see every label.")
    expect(asked).to_be_visible()
    check_look(page)
    assert page.get_by_role("table").count() == 0 and "Demonstration judge" not in page.content()
    click(page.get_by_role("button", name="Open as lead"))
    expect(page.get_by_role("table").first).to_be_visible()
    expect_remembered(page, "", "coaching_demo")
    page.reload()
    expect(page.get_by_role("table").first).to_be_visible()
    other = open_tab(page.get_by_role("link", name="Drift", exact=True), re.compile("drift"))
    entry(other, "Drift")
    click(page.get_by_role("link", name="Metrics", exact=True))
    entry(page, "Metrics")
    page.go_back()
    entry(page, "Agreement")
    assert asked.count() == 0
    with store.reading() as connection:
        action = select(schema.trail.c.actor).where(schema.trail.c.action == "open as lead")
        assert connection.execute(action).scalars().all() == ["study lead"]
    private = open_window(browser)
    private.goto(address)
    expect(
        private.get_by_text("You are opening this study as its lead. You will see every label.")
    ).to_be_visible()
    private.close()
