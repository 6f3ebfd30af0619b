"""A lead who has only spreadsheets brings in conversations and labels, in a real browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from sqlalchemy import func, select

from data import schema
from data.record import studies
from data.store.store import Store
from tests.browser.actions import click, focus, open_window, press, wait_for_redraw
from tests.browser.looks import check_look
from tests.browser.serving import Server

pytestmark = pytest.mark.slow

FILES = Path(__file__).resolve().parents[1] / "spreadsheets" / "files"
TALKS, RATINGS = FILES / "06_transcript_in_a_cell.xlsx", FILES / "15_ratings_by_criterion.csv"


def drop(page: Page, path: Path) -> None:
    wait_for_redraw(page)
    page.locator("input[type=file]").set_input_files(path)
    expect(page.get_by_text(f"{path.name} · ")).to_be_visible()


def choose(page: Page, box: Locator, answer: str) -> None:
    """Type an answer into a select box and take it, by keys alone."""
    wait_for_redraw(page)
    focus(box)
    page.keyboard.type(answer)
    press(page, "Enter")
    wait_for_redraw(page)


def label_count(store: Store, key: str) -> int:
    with store.reading() as connection:
        study = studies.get_by_key(connection, key)
        statement = (
            select(func.count()).select_from(schema.rating).where(schema.rating.c.study_id == study.id)
        )
        return connection.execute(statement).scalar_one()


@pytest.mark.parametrize("width", [1366, 390])
def test_transcripts_and_then_two_clinicians_labels_come_in(
    browser: Browser, server: Server, store: Store, width: int
) -> None:
    page = open_window(browser, width, 768)
    page.goto(f"{server.url}/importing")
    drop(page, TALKS)
    expect(page.get_by_role("heading", name="Recognised: 6 conversations.")).to_be_visible()
    check_look(page)
    focus(page.get_by_role("textbox", name="Title of the new study"))
    page.keyboard.type(f"Sleep {width}")
    press(page, "Enter")
    click(page.get_by_role("button", name="Import", exact=True))
    expect(page.get_by_role("heading", name="Imported: 6 conversations.")).to_be_visible()
    click(page.get_by_role("button", name="Import labels"))
    drop(page, RATINGS)
    click(page.get_by_role("button", name="Open as lead"))
    expect(page.get_by_text("Say who gave the labels")).to_be_visible()
    check_look(page)
    for name in ("Amir Rahimi (4 columns)", "Beth Cole (4 columns)"):
        choose(page, page.get_by_role("combobox", name=name), "a person")
    choose(page, page.get_by_role("combobox", name="(empty)"), "no label")
    expect(page.get_by_text("The first labels")).to_be_visible()
    choose(page, page.get_by_role("combobox", name="What had these people seen of the judge?"), "blind")
    focus(page.get_by_role("textbox", name="How do you know?"))
    page.keyboard.type("the protocol")
    press(page, "Enter")
    expect(page.get_by_text("Would add 38 ratings")).to_be_visible()
    check_look(page)
    click(page.get_by_role("button", name="Import", exact=True))
    expect(page.get_by_role("heading", name="Imported: 38 ratings.")).to_be_visible()
    assert label_count(store, f"sleep_{width}") == 38
    page.close()
