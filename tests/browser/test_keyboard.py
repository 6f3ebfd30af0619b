"""The keyboard alone: fast, exact, in order."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from sqlalchemy import select

from data import schema
from data.store.store import Store
from tests.browser.actions import bounce, press_at_place, press_labels, press_labels_at_once
from tests.browser.conftest import rate_all, saved

CRITERIA = ("CQ1", "CQ2", "CQ3", "CQ4", "CQ5", "CQ6", "CQ7", "CQ8", "CQ9", "CP1", "CP2")
FAST_TAPS = 125  # milliseconds: eight a second
CTRL, SHIFT = 2, 8  # as the browser counts them


def drafts(store: Store) -> list[tuple[str, str | None]]:
    with store.reading() as connection:
        return [
            tuple(row)
            for row in connection.execute(
                select(schema.draft.c.criterion, schema.draft.c.label).order_by(schema.draft.c.id)
            )
        ]


def test_eleven_presses_without_a_gap_are_all_saved_in_order(
    open_review: Callable[..., Page], store: Store
) -> None:
    page = open_review("coaching_example")
    press_labels_at_once(page, "yynynyyynny")
    saved(page)
    assert drafts(store) == [
        (c, "YES" if key == "y" else "NO") for c, key in zip(CRITERIA, "yynynyyynny", strict=True)
    ]


def test_real_key_presses_at_zero_delay(open_review: Callable[..., Page], store: Store) -> None:
    page = open_review("coaching_example")
    press_labels(page, "yyyyyyyyyyy")
    saved(page)
    assert [label for _, label in drafts(store)] == ["YES"] * 11


def test_one_key_tapped_as_fast_as_a_hand_can_labels_a_criterion_each_time(
    open_review: Callable[..., Page], store: Store
) -> None:
    page = open_review("coaching_example")
    press_labels_at_once(page, "y" * 11, FAST_TAPS)
    saved(page)
    assert drafts(store) == [(criterion, "YES") for criterion in CRITERIA]


def test_labels_and_the_help_of_keys_on_a_russian_keyboard(
    open_review: Callable[..., Page], store: Store
) -> None:
    page = open_review("coaching_example")
    press_at_place(page, "н", "KeyY", modifiers=CTRL)
    press_at_place(page, "н", "KeyY")
    press_at_place(page, "Т", "KeyN", modifiers=SHIFT)
    saved(page)
    assert drafts(store) == [("CQ1", "YES"), ("CQ2", "NO")]
    press_at_place(page, "?", "Digit7", modifiers=SHIFT)
    expect(page.get_by_role("dialog")).to_contain_text("label's own key")


def test_a_key_that_bounces_labels_one_criterion_and_says_so(
    open_review: Callable[..., Page], store: Store
) -> None:
    page = open_review("coaching_example")
    bounce(page, "y")
    expect(page.get_by_role("alert").filter(has_text="twice")).to_have_text(
        "Y was pressed twice and is taken once."
    )
    page.keyboard.press("n")  # another key is taken at once
    saved(page)
    assert drafts(store) == [("CQ1", "YES"), ("CQ2", "NO")]
    expect(page.locator(".message-line")).to_be_hidden()


def test_na_is_not_offered_where_it_is_invalid_and_filled_in_where_forced(
    open_review: Callable[..., Page], store: Store
) -> None:
    page = open_review("coaching_example")
    press_labels(page, "yyyyyyy")
    expect(page.locator(".row.focus")).to_have_attribute("data-criterion", "CQ8")
    page.keyboard.press("a")
    expect(page.locator(".row.focus [role=radio]")).to_have_count(2)
    saved(page)
    assert "CQ8" not in dict(drafts(store))
    expect(page.locator('[data-criterion="CP3"] .label')).to_have_text("by rule: Does not apply")


def test_undo_goes_back_one_answer(open_review: Callable[..., Page], store: Store) -> None:
    page = open_review("coaching_example")
    page.keyboard.press("y")
    page.keyboard.press("n")
    page.keyboard.press("Backspace")
    saved(page)
    assert drafts(store) == [("CQ1", "YES"), ("CQ2", "NO"), ("CQ2", None)]
    expect(page.locator(".row.focus")).to_have_attribute("data-criterion", "CQ2")


def test_no_key_works_while_typing_and_the_note_is_kept(
    open_review: Callable[..., Page], store: Store
) -> None:
    page = open_review("coaching_example")
    page.keyboard.press("o")
    page.keyboard.type("yes and no? any 1")
    page.keyboard.press("Escape")
    saved(page)
    assert {label for _, label in drafts(store)} == {None}
    page.reload()
    expect(page.locator(".row.focus .note")).to_have_value("yes and no? any 1")


def test_confidence_also_defensible_cannot_rate_and_evidence(
    open_review: Callable[..., Page], store: Store
) -> None:
    page = open_review("coaching_example")
    for key in ("]", "]", "e", "f", "f", "d", "n", "y"):
        page.keyboard.press(key)
    expect(page.locator("mark")).to_have_count(1)
    page.keyboard.press("x")
    page.keyboard.press("1")
    saved(page)
    with store.reading() as connection:
        rows = connection.execute(select(schema.draft).order_by(schema.draft.c.id)).all()
    first = [row for row in rows if row.criterion == "CQ1"][-1]
    assert (first.label, json.loads(first.also), first.confidence) == ("YES", ["NO"], 2)
    assert json.loads(first.evidence)[0]["message"] == 1
    assert rows[-1].cannot_rate == "context_missing"


def test_selected_words_become_evidence(open_review: Callable[..., Page], store: Store) -> None:
    page = open_review("coaching_example")
    page.evaluate("""() => {
      const host = [...document.querySelectorAll("*")].find((node) => node.shadowRoot && node.shadowRoot.querySelector(".workbench"));
      const text = host.shadowRoot.querySelector('[data-text="1"]').firstChild;
      const range = document.createRange();
      range.setStart(text, 12); range.setEnd(text, 22);
      const selection = host.shadowRoot.getSelection(); selection.removeAllRanges(); selection.addRange(range);
    }""")
    page.keyboard.press("e")
    expect(page.locator("mark")).to_have_text("exhausting")
    saved(page)
    with store.reading() as connection:
        span = json.loads(connection.execute(select(schema.draft.c.evidence)).scalar_one())[0]
    assert span == {"message": 1, "start": 12, "end": 22}


def test_the_whole_loop_with_the_keyboard(open_review: Callable[..., Page], store: Store) -> None:
    """Rate, commit, read the judge's reason, mark it, override with a reason, keep another."""
    page = open_review("coaching_example")
    rate_all(page, "yyyyyyyyyyy")
    expect(page.locator(".judgement blockquote")).to_have_text("No significant ambiguity to clarify")
    expect(page.locator(".score")).to_contain_text("1.000, pass")
    page.keyboard.press("s")
    page.keyboard.press("g")
    page.keyboard.press("a")
    page.keyboard.type("there was nothing ambiguous")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".row.focus")).to_contain_text("Your first label: Yes. Both are kept.")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    saved(page)
    with store.reading() as connection:
        chain = connection.execute(
            select(schema.rating)
            .where(schema.rating.c.criterion == "CQ2", schema.rating.c.source == "given")
            .order_by(schema.rating.c.id)
        ).all()
        answers = connection.execute(select(schema.response.c.kind, schema.response.c.criterion)).all()
    assert [(row.label, row.exposure) for row in chain] == [("YES", "blind"), ("NA", "revealed")]
    assert chain[1].replaces == chain[0].id and chain[1].reason_content is not None
    assert {tuple(a) for a in answers} == {("reasoning", "CQ2"), ("change", "CQ2"), ("keep", "CQ3")}


def test_the_sheet_lists_the_keys_and_escape_closes_it(open_review: Callable[..., Page]) -> None:
    page = open_review("lend_an_ear")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("commit your labels")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()


def test_skip_next_and_back(open_review: Callable[..., Page]) -> None:
    page = open_review("lend_an_ear")
    page.keyboard.press("q")
    expect(page.locator(".units .here")).to_contain_text("2")
    page.keyboard.press("k")
    expect(page.locator(".units .here")).to_contain_text("1, skipped")
    page.keyboard.press("j")
    expect(page.locator(".units .here")).to_contain_text("2")


def test_resume_at_the_first_unfinished_unit(open_review: Callable[..., Page]) -> None:
    page = open_review("lend_an_ear")
    rate_all(page, "123451")
    expect(page.locator(".units .here")).to_contain_text("2")
    saved(page)
    open_review("lend_an_ear")
    expect(page.locator(".units .here")).to_contain_text("2")
    expect(page.locator(".rail .count")).to_have_text("1 of 50")


def test_keys_pressed_before_the_next_unit_is_seen_rate_nothing(
    open_review: Callable[..., Page], store: Store
) -> None:
    page = open_review("lend_an_ear")
    page.evaluate("""() => {
      const press = (key, ctrlKey = false) => document.dispatchEvent(new KeyboardEvent("keydown", { key, ctrlKey, bubbles: true }));
      for (const key of "123451") press(key);
      press("Enter", true);
      for (const key of "555") press(key);
    }""")
    expect(page.locator(".units .here")).to_contain_text("2")
    saved(page)
    assert [label for _, label in drafts(store)] == list("123451")


def test_a_label_that_only_the_next_criterion_has_counts_within_the_pause(
    open_review: Callable[..., Page], store: Store
) -> None:
    page = open_review("coaching_example")
    press_labels_at_once(page, "yyyyyyyya")
    saved(page)
    assert drafts(store)[-2:] == [("CQ8", "YES"), ("CQ9", "NA")]


@pytest.mark.parametrize("is_fast", [True, False])
def test_an_arrow_counts_from_where_the_label_moves_on_to_at_any_speed(
    open_review: Callable[..., Page], store: Store, is_fast: bool
) -> None:
    page = open_review("coaching_example")
    if is_fast:
        press_labels_at_once(page, [*"yyyyy", "ArrowUp", "n"])
    else:
        press_labels(page, "yyyyy")
        expect(page.locator(".row.focus")).to_have_attribute("data-criterion", "CQ6")
        press_labels_at_once(page, ["ArrowUp", "n"])
    saved(page)
    assert drafts(store)[-3:] == [("CQ4", "YES"), ("CQ5", "YES"), ("CQ5", "NO")]
