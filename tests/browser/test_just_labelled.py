"""A note or evidence right after a label belongs to the criterion just labelled, and the page says to
which."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, expect
from sqlalchemy import select

from data import schema
from data.store.store import Store
from scoring.rubric import coaching_rubric
from tests.browser.actions import wait_until
from tests.browser.conftest import saved
from tests.browser.serving import Server

NAMES = {criterion.id: criterion.name for criterion in coaching_rubric().criteria}
HERE = "to this one once you click here or use \u2191 \u2193."


def latest(store: Store) -> dict[str, dict[str, Any]]:
    """The last draft of each criterion: label, note, evidence."""
    with store.reading() as connection:
        rows = connection.execute(
            select(schema.draft, schema.content.c.text)
            .outerjoin(schema.content, schema.content.c.id == schema.draft.c.note_content)
            .order_by(schema.draft.c.id)
        ).all()
    return {
        row.criterion: {"label": row.label, "note": row.text, "evidence": json.loads(row.evidence)}
        for row in rows
    }


def at(page: Page, criterion: str) -> Locator:
    """The open row, once it is this one's."""
    expect(page.locator(".row.focus")).to_have_attribute("data-criterion", criterion)
    return page.locator(".row.focus")


def label(page: Page, key: str, then: str) -> Locator:
    """A label's key, and wait until the page has moved on by itself."""
    page.keyboard.press(key)
    return at(page, then)


def write_note(page: Page, criterion: str, words: str) -> None:
    page.keyboard.press("o")
    expect(at(page, criterion).get_by_text(f"Note on: {NAMES[criterion]}")).to_be_visible()
    expect(page.locator(".note")).to_be_focused()
    page.keyboard.type(words)


def test_a_note_goes_to_the_criterion_just_labelled_and_the_cursor_comes_back(
    open_review: Callable[..., Page], store: Store
) -> None:
    page = open_review("coaching_example")
    row = label(page, "y", "CQ2")
    expect(row.locator(".about")).to_have_text(
        f"E, O and F still apply to \u201c{NAMES['CQ1']}\u201d; {HERE}"
    )
    write_note(page, "CQ1", "asks a good question")
    page.keyboard.press("Escape")
    at(page, "CQ2")
    page.keyboard.press("n")
    at(page, "CQ3")
    saved(page)
    assert {name: (draft["label"], draft["note"]) for name, draft in latest(store).items()} == {
        "CQ1": ("YES", "asks a good question"),
        "CQ2": ("NO", None),
    }
    page = open_review("coaching_example", unit=1, criterion="CQ1")
    expect(at(page, "CQ1").locator(".note")).to_have_value("asks a good question")


def test_within_the_pause_it_is_the_same(open_review: Callable[..., Page], store: Store) -> None:
    page = open_review("coaching_example")
    page.evaluate(
        """() => { for (const key of "yo")
            document.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true })); }"""
    )
    expect(at(page, "CQ1").locator(".note")).to_be_focused()
    page.keyboard.type("at once")
    page.keyboard.press("Escape")
    label(page, "n", "CQ3")
    saved(page)
    assert {name: (draft["label"], draft["note"]) for name, draft in latest(store).items()} == {
        "CQ1": ("YES", "at once"),
        "CQ2": ("NO", None),
    }


def test_a_second_note_is_still_for_it_and_a_label_takes_it_along(
    open_review: Callable[..., Page], store: Store
) -> None:
    page = open_review("coaching_example")
    label(page, "y", "CQ2")
    write_note(page, "CQ1", "one")
    page.keyboard.press("Escape")
    at(page, "CQ2")
    write_note(page, "CQ1", " and two")
    page.keyboard.press("Escape")
    at(page, "CQ2")
    label(page, "n", "CQ3")
    write_note(page, "CQ2", "of the second")
    page.keyboard.press("Escape")
    at(page, "CQ3")
    saved(page)
    assert {name: draft["note"] for name, draft in latest(store).items()} == {
        "CQ1": "one and two",
        "CQ2": "of the second",
    }


def test_after_an_arrow_it_is_for_the_criterion_that_the_person_went_to(
    open_review: Callable[..., Page], store: Store
) -> None:
    page = open_review("coaching_example")
    label(page, "y", "CQ2")
    page.keyboard.press("ArrowDown")
    expect(at(page, "CQ3").locator(".about")).to_have_count(0)
    write_note(page, "CQ3", "on the third")
    page.keyboard.press("Escape")
    at(page, "CQ3")  # went there themselves, so it stays
    for key in ("]", "e"):
        page.keyboard.press(key)
    expect(at(page, "CQ3").get_by_text(f"Evidence for: {NAMES['CQ3']}")).to_be_visible()
    saved(page)
    drafts = latest(store)
    assert (
        drafts["CQ3"]["note"],
        len(drafts["CQ3"]["evidence"]),
        drafts["CQ1"]["note"],
        drafts["CQ1"]["evidence"],
    ) == ("on the third", 1, None, [])
    assert "CQ2" not in drafts


def test_evidence_goes_there_too_and_says_so(open_review: Callable[..., Page], store: Store) -> None:
    page = open_review("coaching_example")
    label(page, "y", "CQ2")
    for key in ("]", "]", "e"):
        page.keyboard.press(key)
    expect(at(page, "CQ2").locator(".about")).to_have_text(
        f"Evidence for: {NAMES['CQ1']} (1 place). E, O and F still apply there; {HERE}"
    )
    expect(page.locator("mark")).to_have_attribute("title", f"your evidence: {NAMES['CQ1']}")
    at(page, "CQ2")
    label(page, "n", "CQ3")
    saved(page)
    drafts = latest(store)
    assert (len(drafts["CQ1"]["evidence"]), drafts["CQ2"]["evidence"]) == (1, [])
    page.keyboard.press("Backspace")  # first the label of the second goes, then the evidence of the first
    page.keyboard.press("Backspace")
    expect(page.locator("mark")).to_have_count(0)
    at(page, "CQ1")


def test_selected_words_are_evidence_for_it(open_review: Callable[..., Page], store: Store) -> None:
    """Selecting words in the conversation is no way to another criterion."""
    page = open_review("coaching_example")
    label(page, "y", "CQ2")
    page.locator('[data-text="1"]').dblclick(position={"x": 12, "y": 12})
    page.keyboard.press("e")
    expect(at(page, "CQ2").locator(".about")).to_contain_text(f"Evidence for: {NAMES['CQ1']} (1 place)")
    saved(page)
    assert len(latest(store)["CQ1"]["evidence"]) == 1


def test_a_click_into_another_row_goes_there(open_review: Callable[..., Page], store: Store) -> None:
    page = open_review("coaching_example")
    row = label(page, "y", "CQ2")
    saved(page)  # the pad is drawn anew with the server's answer, and a click between two drawings is lost
    row.locator(".note").click()
    expect(row.get_by_text(f"Note on: {NAMES['CQ2']}")).to_be_visible()
    page.keyboard.type("written where I clicked")
    page.keyboard.press("Escape")
    at(page, "CQ2")
    write_note(page, "CQ2", ", and more")
    saved(page)
    assert {name: draft["note"] for name, draft in latest(store).items()} == {
        "CQ1": None,
        "CQ2": "written where I clicked, and more",
    }


def test_a_click_on_another_criterion_from_within_a_note_is_not_lost(
    open_review: Callable[..., Page], store: Store
) -> None:
    page = open_review("coaching_example")
    label(page, "y", "CQ2")
    write_note(page, "CQ1", "half a thought")
    saved(page)
    page.locator('[data-criterion="CQ4"] .name').click()
    at(page, "CQ4")
    label(page, "n", "CQ5")
    saved(page)
    assert {name: (draft["label"], draft["note"]) for name, draft in latest(store).items()} == {
        "CQ1": ("YES", "half a thought"),
        "CQ4": ("NO", None),
    }


def test_a_click_into_the_conversation_closes_the_note_and_the_next_label_is_the_next_criterions(
    open_review: Callable[..., Page], store: Store
) -> None:
    page = open_review("coaching_example")
    label(page, "y", "CQ2")
    write_note(page, "CQ1", "look at turn 1")
    page.locator(".message").first.click()
    at(page, "CQ2")
    label(page, "n", "CQ3")
    saved(page)
    assert {name: draft["label"] for name, draft in latest(store).items()} == {"CQ1": "YES", "CQ2": "NO"}


def test_cannot_rate_because_of_something_else_asks_for_the_note_of_that_criterion(
    open_review: Callable[..., Page], store: Store
) -> None:
    page = open_review("coaching_example")
    label(page, "y", "CQ2")
    saved(page)
    page.keyboard.press("x")
    page.locator(".cannot button").last.click()
    expect(at(page, "CQ2").get_by_text(f"Note on: {NAMES['CQ2']}")).to_be_visible()
    page.keyboard.type("the tape is broken")
    page.keyboard.press("Escape")
    at(page, "CQ3")
    saved(page)
    assert latest(store)["CQ2"]["note"] == "the tape is broken"


def test_a_note_right_after_a_label_survives_a_killed_server_and_a_reload(
    open_review: Callable[..., Page], server: Server, store: Store
) -> None:
    page = open_review("coaching_example")
    label(page, "y", "CQ2")
    saved(page)
    server.kill()
    write_note(page, "CQ1", "written while nobody listened")
    page.keyboard.press("Escape")
    label(page, "n", "CQ3")
    server.start()
    page.reload()
    expect(page.locator(".workbench .row").first).to_be_visible()

    def kept() -> dict[str, tuple[Any, Any]]:
        """Saved by the page before while it went, or by the one after."""
        return {name: (draft["label"], draft["note"]) for name, draft in latest(store).items()}

    wanted = {"CQ1": ("YES", "written while nobody listened"), "CQ2": ("NO", None)}
    wait_until(page, lambda: kept() == wanted, lambda: str(kept()))


def test_in_the_next_unit_nothing_is_left_of_it(open_review: Callable[..., Page]) -> None:
    page = open_review("lend_an_ear")
    page.keyboard.press("1")
    expect(page.locator(".row.focus .about")).to_have_count(1)
    page.keyboard.press("q")
    expect(page.locator(".units .here")).to_contain_text("2")
    expect(page.locator(".row.focus .about")).to_have_count(0)
    first = page.locator(".row").first.get_attribute("data-criterion") or ""
    page.keyboard.press("o")
    at(page, first)
