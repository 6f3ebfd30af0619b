"""Import, in a real browser: a file is dropped, recognised, checked, imported, and slow work is stopped."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, FilePayload, Page, expect
from sqlalchemy import func, select

from data import schema
from data.keeping.verify import verify
from data.record import studies
from data.store.store import Store
from tests.browser.actions import (
    MINUTE,
    click,
    click_while_running,
    focus,
    open_window,
    press,
    visit,
    wait_for_redraw,
)
from tests.browser.looks import check_look, serious
from tests.browser.serving import Server

pytestmark = pytest.mark.slow

UTTERANCES = "session,speaker,text\nn1,user,Hello there\nn1,assistant,What brings you?\n"
MOST_WORDS = 120
SEES_ALL = "() => document.querySelector('[data-testid=stMain]').scrollHeight <= window.innerHeight"


def a_file(content: str, name: str = "talks.csv") -> FilePayload:
    return {"name": name, "mimeType": "text/csv", "buffer": content.encode()}


def drop(page: Page, content: str, name: str = "talks.csv") -> None:
    wait_for_redraw(page)
    page.locator("input[type=file]").set_input_files(a_file(content, name))


def words_of(page: Page) -> list[str]:
    return page.locator("[data-testid=stMainBlockContainer]").inner_text().split()


def title_of(page: Page) -> str:
    return page.get_by_role("heading", level=1).inner_text()


@pytest.mark.parametrize("width", [1366, 390])
def test_a_table_is_dropped_and_brought_in(
    browser: Browser, server: Server, store: Store, width: int
) -> None:
    page = open_window(browser, width, 768)
    page.goto(f"{server.url}/importing")
    expect(page.get_by_role("heading", name="Import conversations or labels")).to_be_visible()
    check_look(page)
    drop(page, UTTERANCES)
    expect(page.get_by_role("heading", name="Recognised: 1 conversation.")).to_be_visible()
    expect(
        page.get_by_role("group", name="The first conversation").get_by_text("What brings")
    ).to_be_visible()
    wait_for_redraw(page)
    if width == 1366:
        assert page.evaluate(SEES_ALL), "the whole way is on one screen"
    assert len(words_of(page)) <= MOST_WORDS, " ".join(words_of(page))
    check_look(page)
    click(page.get_by_role("button", name="Import"))
    expect(page.get_by_role("heading", name="Imported: 1 conversation.")).to_be_visible()
    check_look(page)
    click(page.get_by_role("link", name="Set up who rates"))
    page.wait_for_url("**/lead?study=talks*", timeout=MINUTE)
    with store.reading() as connection:
        assert studies.find(connection, "talks") is not None
    page.close()


def test_behind_a_file_that_nobody_reads_the_choices_are_shown(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/importing")
    into = page.get_by_test_id("stSelectbox").filter(has_text="Into")
    for content, name in (("", "empty.csv"), (UTTERANCES, "talks.csv"), ("a,b\n1,2\n", "other.csv")):
        drop(page, content, name)
        expect(page.get_by_text(f"{name} · ")).to_be_visible()
    drop(page, UTTERANCES)
    expect(page.get_by_role("button", name="Import")).to_be_enabled()
    wait_for_redraw(page)
    expect(into.get_by_role("combobox")).to_have_value("a new study")
    expect(page.get_by_role("combobox", name="Contents")).to_have_value("A table")


def test_it_is_brought_in_by_keys_alone(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/importing")
    drop(page, UTTERANCES)
    expect(page.get_by_role("button", name="Import")).to_be_enabled()
    focus(page.get_by_role("textbox", name="Title of the new study"))
    page.keyboard.type("By keys")
    press(page, "Enter")
    for _ in range(60):
        press(page, "Tab")
        if page.evaluate("document.activeElement?.innerText") == "Import":
            break
    press(page, "Enter")
    expect(page.get_by_role("heading", name=re.compile("^Imported"))).to_be_visible()


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        (
            "export.json",
            '{"resourceSpans": []}',
            "This seems to be traces of OpenTelemetry in its protocol's form",
        ),
        (
            "labels.csv",
            "conversation_id,rater,criterion,label\nx,Dr A,CP1,YES\n",
            "Say what these raters had seen",
        ),
    ],
)
def test_what_needs_somebody_is_said_and_looks_well(
    browser: Browser, server: Server, name: str, content: str, words: str
) -> None:
    page = open_window(browser)
    visit(page, server, "importing?study=coaching_demo&reader=lead")
    drop(page, content, name)
    expect(page.get_by_text(words)).to_be_visible()
    wait_for_redraw(page)
    assert page.evaluate(SEES_ALL) and len(words_of(page)) <= MOST_WORDS + 10
    check_look(page)
    page.close()


def test_lines_that_need_somebody_stand_in_a_window_of_their_own(browser: Browser, server: Server) -> None:
    page = open_window(browser)
    visit(page, server, "importing?study=coaching_demo&reader=lead")
    rows = "".join(f"nobody-{number},CP1,YES,kind\n" for number in range(40))
    drop(page, f"conversation_id,criterion,label,reasoning\n{rows}", "judge.csv")
    focus(page.get_by_role("textbox", name="Name of the judge"))
    page.keyboard.type("gpt")
    press(page, "Enter")
    expect(page.get_by_role("heading", name="40 lines need fixing")).to_be_visible()
    expect(page.get_by_role("button", name="Import")).to_be_disabled()
    assert serious(page) == []
    box = page.get_by_role("region", name="What to fix").bounding_box()
    assert box is not None and box["height"] <= 260
    page.close()


def test_a_long_check_shows_how_far_it_is_and_is_stopped_without_a_trace(
    page: Page, server: Server, store: Store, tmp_path: Path
) -> None:
    def conversations() -> int:
        with store.reading() as connection:
            return connection.execute(select(func.count()).select_from(schema.conversation)).scalar_one()

    before = conversations()
    rows = "".join(
        f"n{number},user,Hello {number}\nn{number},assistant,{'What brings you? ' * 4}\n"
        for number in range(240_000)
    )
    (tmp_path / "many.csv").write_text(f"session,speaker,text\n{rows}", encoding="utf-8")
    page.goto(f"{server.url}/importing")
    wait_for_redraw(page)
    page.locator("input[type=file]").set_input_files(tmp_path / "many.csv")
    expect(page.get_by_role("progressbar").last).to_be_visible(timeout=MINUTE)
    click_while_running(page.get_by_role("button", name="Stop", exact=True))
    expect(page.get_by_text("The import was stopped. Nothing was imported.")).to_be_visible(timeout=MINUTE)
    assert conversations() == before
    with store.reading() as connection:
        assert verify(connection).problems == []
    expect(page.get_by_role("button", name="Check again")).to_be_visible()
