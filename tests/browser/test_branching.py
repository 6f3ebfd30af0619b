"""A form in which the next question depends on the answer, in a real browser."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from sqlalchemy import select

from data import schema
from data.record import studies
from data.store.store import Store
from tests.browser.actions import wait_until
from tests.browser.conftest import saved
from tests.studies.branching import BRANCHING
from tests.studies.small_study import make

KEY = "branching"


@pytest.fixture
def branching(store: Store, tmp_path: Path) -> None:
    make(store, tmp_path, key=KEY, instrument=BRANCHING, with_judges=False, raters=("Reader 1",))


def rows(page: Page) -> list[str | None]:
    return [row.get_attribute("data-criterion") for row in page.locator(".row").all()]


def committed(store: Store) -> dict[str, str | None]:
    with store.reading() as connection:
        study = studies.get_by_key(connection, KEY)
        table = schema.rating
        found = connection.execute(
            select(table.c.criterion, table.c.label).where(table.c.study_id == study.id)
        )
        return {row.criterion: row.label for row in found}


@pytest.mark.usefixtures("branching")
def test_questions_come_and_go_with_the_answers_and_what_is_not_asked_is_no_label(
    open_review: Callable[..., Page], store: Store
) -> None:
    page = open_review(KEY)
    assert rows(page) == ["risk"]
    page.keyboard.press("y")
    expect(page.locator(".row")).to_have_count(2)
    page.keyboard.type("nnn", delay=400)
    expect(page.locator(".row")).to_have_count(4)
    assert rows(page) == ["risk", "missed", "confirms", "tone"]
    expect(page.locator(".pad footer")).to_contain_text("all answered")
    page.locator('[data-criterion="risk"] .name').click()
    page.keyboard.press("n")
    expect(page.locator(".message-line")).to_have_text(
        "3 answers removed, because the question is no longer asked. Backspace undoes it."
    )
    assert rows(page) == ["risk", "false_alarm"]
    expect(page.locator(".place")).to_contain_text("of 2 asked so far")
    saved(page)
    page.reload()
    expect(page.locator(".row")).to_have_count(2)
    page.keyboard.press("n")
    saved(page)
    page.keyboard.press("Control+Enter")
    wait_until(page, lambda: committed(store) == {"risk": "NO", "false_alarm": "NO"})


@pytest.mark.usefixtures("branching")
def test_undo_brings_back_what_an_answer_had_closed(open_review: Callable[..., Page], store: Store) -> None:
    page = open_review(KEY)
    page.keyboard.type("ynyy", delay=400)
    saved(page)
    page.locator('[data-criterion="missed"] .name').click()
    page.keyboard.press("y")
    expect(page.locator(".row")).to_have_count(3)  # confirms is closed, tone is still asked
    page.keyboard.press("Backspace")
    expect(page.locator(".row")).to_have_count(4)
    saved(page)
    page.keyboard.press("Control+Enter")
    answers = {"risk": "YES", "missed": "NO", "confirms": "YES", "tone": "YES"}
    wait_until(page, lambda: committed(store) == answers, lambda: str(committed(store)))
