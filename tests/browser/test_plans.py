"""A lead opens, edits and saves a target plan with the keyboard; the page is accessible and quiet."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, Page, expect

from data.record import studies, target_plans
from data.record.references import STUDY
from data.store.store import Store
from tests.browser.actions import click, fill, focus, open_window, press, visit, wait_until
from tests.browser.looks import check_look
from tests.browser.serving import Server

EVIL = "<img src=x onerror=\"document.title='owned'\"> ![x](http://127.0.0.1:9/b.png)"


def saved(store: Store, key: str) -> list[str | None]:
    with store.reading() as connection:
        study = studies.find(connection, key)
        assert study is not None
        return [one.text for one in target_plans.versions(connection, study.id).get(STUDY, [])]


def not_computed(store: Store, key: str) -> int:
    with store.reading() as connection:
        study = studies.find(connection, key)
        assert study is not None
        plans = target_plans.versions(connection, study.id)
        return sum(
            target_plans.waiting(
                connection, study.id, plans, target_plans.linked(connection, study.id, plans)
            ).values()
        )


def test_a_plan_is_edited_and_saved_with_the_keyboard(page: Page, server: Server, store: Store) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    visit(page, server, "plans?study=vera_mh&reader=lead")
    field = page.get_by_role("textbox", name="What the assistant should do")
    expect(field).to_have_value(saved(store, "vera_mh")[0] or "")
    focus(field)
    page.keyboard.press("Control+End")
    page.keyboard.type(f" Agree on a next step. {EVIL}")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("Saved as version 2, for the whole study.")).to_be_visible()
    assert len(saved(store, "vera_mh")) == 2 and (saved(store, "vera_mh")[0] or "").endswith(
        f"Agree on a next step. {EVIL}"
    )
    expect(
        page.get_by_text("Earlier versions (1)")
    ).to_be_visible()  # by now the page is drawn anew, the field with it
    focus(field)
    page.keyboard.press("Control+A")
    page.keyboard.type("Ask directly.")
    expect(field).to_have_value("Ask directly.")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("Saved as version 3, for the whole study.")).to_be_visible()
    click(page.get_by_text("Earlier versions (2)"))
    expect(page.get_by_text("Agree on a next step. <img src=x")).to_be_visible()
    assert page.title() != "owned" and not [url for url in asked if ":9/" in url]
    visit(page, server, "metrics?study=vera_mh&reader=lead")
    expect(page.get_by_text("Nothing has been computed for this study yet")).to_be_visible()


def test_what_was_typed_is_still_there_after_looking_at_another_page(
    page: Page, server: Server, store: Store
) -> None:
    visit(page, server, "plans?study=coaching_example&reader=lead")
    field = page.get_by_role("textbox", name="What the assistant should do")
    fill(field, "Plan the week.")
    field.blur()
    click(page.get_by_role("link", name="Metrics"))
    expect(page.get_by_role("heading", level=1, name=re.compile("computed|value"))).to_be_visible()
    click(page.get_by_role("button", name="Set-up"))
    click(page.get_by_role("link", name="Plans of care"))
    expect(field).to_have_value("Plan the week.")
    assert saved(store, "coaching_example") == []


def test_the_numbers_are_computed_from_the_page_while_it_may_be_left(
    page: Page, server: Server, store: Store
) -> None:
    visit(page, server, "plans?study=coaching_demo&reader=lead")
    click(page.get_by_role("button", name="Compute it"))
    expect(page.get_by_text("Goal alignment is being computed: 0 of 2 conversations")).to_be_visible()
    visit(page, server, "metrics?study=lend_an_ear&reader=lead")
    wait_until(page, lambda: not not_computed(store, "coaching_demo"), minutes=4)  # the model is loaded first
    visit(page, server, "plans?study=coaching_demo&reader=lead")
    expect(
        page.get_by_text("Goal alignment is up to date for all 2 conversations with a plan")
    ).to_be_visible()


def test_the_list_is_gone_through_with_the_keyboard_and_back_leads_back(page: Page, server: Server) -> None:
    visit(page, server, "plans?study=coaching_demo&reader=lead")
    expect(page.get_by_role("heading", level=2, name="Conversation demo-03")).to_be_visible()
    for key in ("j", "j", "Enter"):
        press(page, key)
    expect(page.get_by_role("heading", level=2, name="Conversation demo-05")).to_be_visible()
    expect(page.get_by_role("textbox", name="What the assistant should do")).to_have_value("")
    page.go_back()
    expect(page.get_by_role("heading", level=2, name="Conversation demo-03")).to_be_visible()


def test_the_page_is_accessible_and_fits(browser: Browser, server: Server) -> None:
    page = open_window(browser)
    for key, words in (
        ("vera_mh", "conversations have a plan"),
        ("coaching_demo", "12 of 14 conversations have no plan."),
        ("lend_an_ear", "This study has no care plans yet."),
    ):
        visit(page, server, f"plans?study={key}&reader=lead")
        expect(page.get_by_role("heading", level=1, name=words)).to_be_visible()
        check_look(page, f"plans-{key}")
    page.close()
