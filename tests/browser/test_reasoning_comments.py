"""A comment on the judge's reasoning: after S P U T, with the keyboard, kept like everything else that is
written."""

from __future__ import annotations

import time
from collections.abc import Callable

from playwright.sync_api import Browser, Locator, Page, expect
from sqlalchemy import select

from data import schema
from data.store.store import Store
from tests.browser.actions import click, open_as_lead, open_window, visit
from tests.browser.conftest import rate_all, saved
from tests.browser.looks import check_look
from tests.browser.serving import Server
from tests.browser.test_never_break import Received

STUDY = "coaching_example"
EVIL = "<img src=x onerror=alert(1)> **it** is right, for a wrong reason"
Open = Callable[..., Page]


def rows(store: Store) -> list[tuple[int, int | None, str, str | None]]:
    """(id, replaces, criterion, words) of everything that was written."""
    table, text = schema.reasoning_comment, schema.content
    with store.reading() as connection:
        return [
            tuple(row)
            for row in connection.execute(
                select(table.c.id, table.c.replaces, table.c.criterion, text.c.text)
                .outerjoin(text, text.c.id == table.c.comment_content)
                .order_by(table.c.id)
            )
        ]


def written(store: Store, words: str | None) -> list[tuple[int, int | None, str, str | None]]:
    """Everything that was written, once these words are the last; how many saves it took is left to the speed
    of the machine."""
    for _ in range(600):
        comments = rows(store)
        if comments and comments[-1][3] == words:
            assert [row[1] for row in comments] == [
                None,
                *(row[0] for row in comments[:-1]),
            ]  # each names the one before it
            return comments
        time.sleep(0.1)
    raise AssertionError(f"{words!r} was not saved, but {rows(store)}")


def verdicts(store: Store) -> list[tuple[str, str | None]]:
    table = schema.response
    with store.reading() as connection:
        return [
            tuple(row)
            for row in connection.execute(
                select(table.c.criterion, table.c.value)
                .where(table.c.kind == "reasoning")
                .order_by(table.c.id)
            )
        ]


def compared(open_review: Open) -> Page:
    """The first unit rated and committed, the judge's answers beside it; the first difference, on CQ2, is
    open."""
    page = open_review(STUDY)
    rate_all(page, "yyyyyyyyyyy")
    expect(page.locator(".judgement blockquote")).to_have_text("No significant ambiguity to clarify")
    expect(page.locator(".row.focus")).to_have_attribute("data-criterion", "CQ2")
    return page


def box(page: Page) -> Locator:
    return page.locator(".row.focus .comment")


def test_it_is_written_with_the_keyboard_after_the_verdict(open_review: Open, store: Store) -> None:
    page = compared(open_review)
    page.keyboard.press("o")
    expect(page.locator(".message-line")).to_have_text(
        "First say whether the reasoning is supported: press S, P, U or T."
    )
    expect(box(page)).to_have_count(0)
    page.keyboard.press("u")
    expect(box(page)).to_be_visible()
    page.keyboard.press("o")
    expect(box(page)).to_be_focused()
    page.keyboard.type("yes, and no 1: sput")  # keys of labels and verdicts among them
    page.keyboard.press("Escape")
    page.keyboard.press("Enter")  # and the keys work as before: mine is kept, on to the next
    expect(page.locator(".row.focus")).to_have_attribute("data-criterion", "CQ9")
    saved(page)
    assert verdicts(store) == [("CQ2", "unsupported")]
    assert {row[2] for row in written(store, "yes, and no 1: sput")} == {"CQ2"}
    table = schema.rating
    with store.reading() as connection:
        given = connection.execute(select(table.c.label).where(table.c.source == "given")).scalars().all()
    assert given == ["YES"] * 11


def test_a_reload_keeps_it_a_change_names_what_it_replaces_and_it_can_be_taken_back(
    open_review: Open, store: Store
) -> None:
    page = compared(open_review)
    for key in ("p", "o"):
        page.keyboard.press(key)
    page.keyboard.type("half", delay=0)
    page.reload()  # within the pause before it is sent
    expect(box(page)).to_have_value("half")
    before = len(written(store, "half"))
    page.keyboard.press("o")
    expect(box(page)).to_be_focused()
    page.keyboard.type(" a thought", delay=0)
    page.keyboard.press("Escape")
    assert len(written(store, "half a thought")) > before
    page = open_review(STUDY, unit=1)
    expect(box(page)).to_have_value("half a thought")
    page.keyboard.press("o")
    expect(box(page)).to_be_focused()
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    page.keyboard.press("Escape")
    written(store, None)
    page.reload()
    expect(box(page)).to_have_value("")


def test_what_was_written_while_the_server_was_dead_is_saved_once(
    open_review: Open, server: Server, store: Store
) -> None:
    page = compared(open_review)
    saved(page)
    server.kill()
    for key in ("t", "o"):
        page.keyboard.press(key)
    page.keyboard.type("nobody listens", delay=0)
    page.keyboard.press("Escape")
    expect(page.locator(".saved")).to_contain_text("NOT SAVED YET")
    server.start()
    page.reload()
    expect(page.locator(".workbench .row").first).to_be_visible()
    written(store, "nobody listens")  # by the page before while it went, or by the one after
    expect(box(page)).to_have_value("nobody listens")
    assert (verdicts(store), [row[1:] for row in written(store, "nobody listens")]) == (
        [("CQ2", "contradicted")],
        [(None, "CQ2", "nobody listens")],
    )


def test_a_closed_tab_leaves_it_to_the_next_one(open_review: Open, server: Server, store: Store) -> None:
    page = compared(open_review)
    saved(page)
    page.keyboard.press("s")
    saved(page)
    server.kill()
    page.keyboard.press("o")
    page.keyboard.type("left behind", delay=0)
    page.keyboard.press("Escape")
    address, context = page.url, page.context
    page.close(run_before_unload=False)
    server.start()
    other = context.new_page()
    other.goto(address)
    expect(other.locator(".workbench .row").first).to_be_visible()
    saved(other)
    assert [row[2:] for row in written(store, "left behind")] == [("CQ2", "left behind")]


def test_words_from_outside_are_text_on_the_pages_that_list_them(
    open_review: Open, server: Server, store: Store
) -> None:
    page = compared(open_review)
    for key in ("s", "o"):
        page.keyboard.press(key)
    page.keyboard.type(EVIL, delay=0)
    page.keyboard.press("Escape")
    written(store, EVIL)
    page.reload()
    expect(box(page)).to_have_value(EVIL)
    open_as_lead(page, f"{server.url}/judges?study={STUDY}&reader=lead")
    for place in ("judges", "agreement"):
        visit(page, server, f"{place}?study={STUDY}&reader=lead")
        if place == "judges":
            click(page.locator(".opener").first)
        else:
            for line in ("All details", "Does the conversation support the judge's reasons?"):
                click(page.get_by_text(line, exact=True))
        expect(page.get_by_role("cell", name=EVIL)).to_be_visible()
        assert page.locator("img[src='x']").count() == 0
        check_look(page)


def test_nothing_of_a_colleagues_comment_reaches_somebody_who_still_rates(
    browser: Browser, page: Page, open_review: Open, server: Server, store: Store, reader: Callable[..., int]
) -> None:
    compared(open_review)
    for key in ("s", "o"):
        page.keyboard.press(key)
    page.keyboard.type("a colleague wrote this", delay=0)
    page.keyboard.press("Escape")
    written(store, "a colleague wrote this")
    other = open_window(browser)
    received = Received(other)
    for place in ("review", "judges", "agreement"):
        visit(other, server, f"{place}?study={STUDY}&reader={reader(STUDY, 'Reader 2')}")
        expect(
            other.locator(".workbench .row").or_(other.get_by_text("left to rate blind")).first
        ).to_be_visible()
    assert "colleague wrote this" not in received.text()
    # The control: there it is, so the check above can fail.
    open_as_lead(other, f"{server.url}/judges?study={STUDY}&reader=lead")
    click(other.locator(".opener").first)
    expect(other.get_by_role("cell", name="a colleague wrote this")).to_be_visible()
    assert "colleague wrote this" in received.text()
    other.close()


def test_it_fits_and_is_accessible(browser: Browser, server: Server, reader: Callable[..., int]) -> None:
    page = open_window(browser)
    visit(page, server, f"review?study={STUDY}&reader={reader(STUDY)}")
    expect(page.locator(".workbench .row").first).to_be_visible()
    page.keyboard.press("y")
    expect(page.locator(".row.focus .about")).to_be_visible()
    check_look(page)
    page.keyboard.press("o")
    expect(page.locator(".row.focus .note-on")).to_be_visible()
    check_look(page)
    page.keyboard.press("Escape")
    rate_all(page, "yyyyyyyyyy")
    expect(page.locator(".judgement").first).to_be_visible()
    for key in ("u", "o"):
        page.keyboard.press(key)
    expect(box(page)).to_be_focused()
    place = box(page).bounding_box()
    assert place is not None and place["y"] >= 0 and place["y"] + place["height"] <= 768
    check_look(page)
    page.close()
