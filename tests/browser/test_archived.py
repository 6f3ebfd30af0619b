"""Answers that a browser still holds for a study that was archived meanwhile."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from sqlalchemy import func, select

from data import schema
from data.access.permissions import Person
from data.record import studies
from data.store.store import Store
from services.study_changes import set_archived
from tests.browser.actions import press_labels, visit, wait_until
from tests.browser.conftest import begin_reading
from tests.browser.serving import Server
from tests.browser.test_tabs import stored_events

TOLD = "This study is archived, so nothing more is given to you to rate"


def archive(store: Store, key: str) -> None:
    with store.reading() as connection:
        study = studies.find(connection, key)
    assert study is not None
    set_archived(store, "Lea", Person(None, "Lea"), study, True)


@pytest.mark.parametrize("page_name", ["review", "my_work"])
def test_answers_left_in_the_browser_are_saved_after_a_reload(
    page: Page, server: Server, store: Store, reader: Callable[..., int], page_name: str
) -> None:
    rater = reader("coaching_example")
    visit(page, server, f"review?study=coaching_example&reader={rater}")
    begin_reading(page)
    server.kill()
    press_labels(page, "yn")
    wait_until(page, lambda: len(stored_events(page)) == 2, lambda: str(stored_events(page)))
    archive(store, "coaching_example")
    server.start()
    page.goto(f"{server.url}/{page_name}?study=coaching_example&reader={rater}")
    if page_name == "review":
        expect(page.locator(".row").first).to_be_visible()
    else:
        expect(page.get_by_role("button", name="Start rating")).to_be_visible()

    def saved_labels() -> list[str]:
        drafts = schema.draft
        with store.reading() as connection:
            return list(
                connection.execute(select(drafts.c.label).where(drafts.c.rater_id == rater)).scalars()
            )

    assert sorted(saved_labels()) == ["NO", "YES"]
    if page_name == "review":
        wait_until(page, lambda: stored_events(page) == [], lambda: str(stored_events(page)))


def test_an_archived_study_without_anything_left_says_so(
    page: Page, server: Server, store: Store, reader: Callable[..., int]
) -> None:
    archive(store, "coaching_example")
    visit(page, server, f"review?study=coaching_example&reader={reader('coaching_example')}")
    expect(page.get_by_text(TOLD)).to_be_visible()
    expect(page.locator(".row")).to_have_count(0)
    with store.reading() as connection:
        assert connection.execute(select(func.count()).select_from(schema.draft)).scalar_one() == 0
