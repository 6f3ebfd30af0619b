"""The whole path of a disagreement in a real browser, and a note to the study lead from the workbench."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from sqlalchemy import select

from data import schema
from data.labels import settlements
from data.schema.vocabulary import StudyRole
from data.settling import escalations
from data.store.store import Store
from data.work import roles
from data.work.worklist import open_worklist
from tests.browser.actions import (
    click,
    expect_reason,
    open_as_lead,
    open_window,
    press,
    press_labels,
    type_words,
    visit,
    wait_for_redraw,
)
from tests.browser.conftest import saved
from tests.browser.looks import check_look
from tests.browser.serving import Server
from tests.browser.test_never_break import Received, sample
from tests.studies import disputed_demo
from tests.studies.settling import Colleague
from tests.studies.small_study import Desk, Small

PRIVATE = "She says that nobody would notice."


def open_page(page: Page, server: Server, rater: int | str) -> None:
    visit(page, server, f"adjudication?study={disputed_demo.KEY}&reader={rater}&note=seen")
    expect(page.get_by_role("radiogroup", name="What to settle")).to_be_visible()


def choose(page: Page, key: str, name: str) -> None:
    """A choice by its key; wait until it stands."""
    press(page, key)
    expect(page.get_by_role("button", name="✓ " + name)).to_be_visible()


def write_reason(page: Page, words: str) -> None:
    press(page, "o")
    expect(page.get_by_label("Reason")).to_be_focused()
    type_words(page, words)


def open_first(page: Page) -> None:
    expect(page.get_by_role("button", name="Open the first one")).to_be_visible()
    press(page, "j")
    expect(page.locator(".row").first).to_be_focused()
    press(page, "Enter")
    expect(page.get_by_label("Reason")).to_be_visible()


def card(page: Page) -> None:
    """Wait until the whole card is there; on the way from one to the next, the page holds both for a moment."""
    wait_for_redraw(page)
    expect(page.get_by_label("Reason")).to_have_count(1)


def settle(page: Page, label: str, name: str, why: str) -> None:
    card(page)
    choose(page, label, name)
    choose(page, "u", "the rubric can be read in two ways")
    write_reason(page, why)
    address = page.url
    press(page, "Control+Enter")
    expect(page.get_by_text("Settled: Conversation")).to_be_visible()
    expect(page).not_to_have_url(address)  # the next one opened by itself
    expect_reason(page)


def look_back(page: Page, why: str) -> None:
    click(page.get_by_role("button", name="View"))
    expect(page.locator(".sr-answer", has_text="Settled")).to_contain_text(why)


def test_a_third_person_settles_with_the_keyboard_and_sees_nothing_of_the_judge_before(
    page: Page, server: Server, store: Store
) -> None:
    study, ids = disputed_demo.dispute(store)
    received = Received(page)
    open_page(page, server, ids[disputed_demo.SETTLER])
    expect(page.get_by_role("heading", name="24 labels are left for you to settle.")).to_be_visible()
    expect(page.locator(".row")).to_have_count(24)
    with store.reading() as connection:
        assert connection.execute(select(schema.conflict)).first() is None
    assert not re.search(r"Raters? [A-Z]", received.text())
    open_first(page)
    expect(page.locator(".sr-answer").first).to_contain_text(re.compile(r"Raters? [A-Z]"))
    with store.reading() as connection:
        assert len(connection.execute(select(schema.conflict)).all()) == 1
        assert connection.execute(select(schema.exposure)).first() is None
    unit = page.url.partition("unit=")[2].partition("&")[0]
    settle(page, "n", "No", "Nothing is named that helps tonight.")
    look_back(page, "Nothing is named that helps tonight.")
    expect(page.get_by_text("once all disagreements between clinicians")).to_be_visible()
    secrets = {
        row["reasoning"] for row in sample(disputed_demo.KEY, "judgements.jsonl") if row.get("reasoning")
    }
    secrets |= {json.dumps(secret, ensure_ascii=True)[1:-1] for secret in secrets}
    before = received.text()
    assert len(secrets) > 100 and not [secret for secret in secrets if secret in before]
    assert "Demonstration judge" not in before and "Clinician A" not in before and "Reader 1" not in before
    others = page.locator(".row", has_text=f"Conversation {unit} ·")  # then its judge may be shown
    left = others.count()
    assert left > 0
    for number in range(left, 0, -1):
        click(others.first)
        expect(page.locator(".sr-answer", has_text="Settled")).to_have_count(0)
        settle(page, "y", "Yes", f"It asks once and then waits, {number}.")
        assert "Demonstration judge" not in received.text()
    look_back(page, "It asks once and then waits, 1.")
    expect(page.locator(".sr-answer", has_text="Demonstration judge")).to_have_count(left + 1)
    after = received.text()
    assert "Demonstration judge" in after and 0 < sum(secret in after for secret in secrets) <= 2 * (left + 1)
    with store.reading() as connection:
        settled = settlements.settled(connection, study.id)
        shown = connection.execute(select(schema.exposure.c.rater_id, schema.exposure.c.kind)).all()
    assert [
        (settlement.by, settlement.label, settlement.judge_seen, settlement.is_reference)
        for settlement in settled
    ] == [(disputed_demo.SETTLER, "YES", False, True)] * left + [(disputed_demo.SETTLER, "NO", False, True)]
    assert [tuple(row) for row in shown] == [(ids[disputed_demo.SETTLER], "reveal")]
    page.reload()
    expect(page.locator(".sr-answer", has_text="Settled")).to_be_visible()


@pytest.mark.parametrize("queue", ["human_human", "human_judge"])
def test_settle_is_whole_in_sight_or_below(page: Page, server: Server, store: Store, queue: str) -> None:
    """At 1366 by 768, also where many raters differ: a button that is cut off reads as an edge."""
    _, ids = disputed_demo.dispute(store)
    address = f"adjudication?study={disputed_demo.KEY}&reader={ids[disputed_demo.SETTLER]}"
    visit(page, server, f"{address}&note=seen&queue={queue}")
    open_first(page)
    wait_for_redraw(page)
    button, card_box = (
        page.get_by_role("button", name="Settle").bounding_box(),
        page.locator(".st-key-settle-card").bounding_box(),
    )
    assert button is not None and card_box is not None
    lower_edge = min(768.0, card_box["y"] + card_box["height"])
    assert button["y"] + button["height"] <= lower_edge


def test_words_survive_a_refusal_and_somebody_else_is_named(page: Page, server: Server, store: Store) -> None:
    study, ids = disputed_demo.dispute(store)
    open_page(page, server, ids[disputed_demo.SETTLER])
    open_first(page)
    choose(page, "n", "No")
    write_reason(page, "Half a thought")
    press(page, "Control+Enter")
    expect(page.get_by_text("Say why: ")).to_be_visible()
    expect(page.get_by_label("Reason")).to_have_value("Half a thought")
    press(page, "Escape")
    choose(page, "s", "a rater slipped")
    expect(page.get_by_label("Reason")).to_have_value("Half a thought")
    unit, criterion = (
        int(page.url.partition("unit=")[2].partition("&")[0]),
        page.url.partition("criterion=")[2].partition("&")[0],
    )
    other = Colleague(store, study, ids["Reader 2"])
    other.open(unit)
    other.settle(unit, criterion, "YES")
    write_reason(page, "")
    press(page, "Control+Enter")
    expect(page.get_by_text("Reader 2 settled this in the meantime")).to_be_visible()
    with store.reading() as connection:
        assert [settlement.by for settlement in settlements.settled(connection, study.id)] == ["Reader 2"]


def test_the_pages_of_disagreements_are_accessible_and_fit(
    browser: Browser, server: Server, store: Store
) -> None:
    study, ids = disputed_demo.dispute(store)
    Colleague(store, study, ids["Reader 2"]).tell(4, note=PRIVATE)
    page = open_window(browser)
    open_page(page, server, ids[disputed_demo.SETTLER])
    open_first(page)
    choose(page, "n", "No")
    wait_for_redraw(page)
    check_look(page)
    box = page.locator(".st-key-settle button").bounding_box()
    assert box is not None and box["y"] + box["height"] <= 768
    for width, height in ((1024, 768), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        check_look(page)
    above, below = (
        page.locator(".settle-list").bounding_box(),
        page.locator(".st-key-settle-card").bounding_box(),
    )
    assert above is not None and below is not None and above["y"] + above["height"] <= below["y"]
    page.set_viewport_size({"width": 1366, "height": 768})
    click(page.get_by_text("Notes to you"))
    click(page.get_by_role("button", name="Open it"))
    expect(page.locator(".sr-answer", has_text=PRIVATE)).to_be_visible()
    check_look(page)
    open_as_lead(page, f"{server.url}/adjudication?study={disputed_demo.KEY}&reader=lead&note=seen")
    expect(page.get_by_role("heading", name="Change the rubric")).to_be_visible()
    check_look(page)
    page.close()


def test_keys_go_through_the_list_and_back_undoes_one_step(page: Page, server: Server, store: Store) -> None:
    _, ids = disputed_demo.dispute(store)
    open_page(page, server, ids[disputed_demo.SETTLER])
    rows = page.locator(".row")
    expect(rows).to_have_count(24)
    for key, number in (("j", 0), ("j", 1), ("ArrowDown", 2), ("k", 1)):
        press(page, key)
        expect(rows.nth(number)).to_be_focused()
    with store.reading() as connection:
        assert connection.execute(select(schema.conflict)).first() is None, "to look through is not to open"
    start = page.url
    press(page, "Enter")
    card(page)
    expect(rows.nth(1)).to_have_attribute("aria-current", "true")
    expect(rows.nth(1)).to_be_focused()
    press(page, "Control+Enter")  # settles, and opens no tab for the row
    expect(page.get_by_text("Say why: ")).to_be_visible()
    assert len(page.context.pages) == 1
    expect(rows.nth(1).locator(".labels")).to_have_text(re.compile(r"\S · \S"))
    press(page, "q")
    expect(rows.nth(1)).to_contain_text("later")
    expect(rows.nth(1)).not_to_have_attribute("aria-current", "true")
    card(page)
    page.go_back()
    expect(rows.nth(1)).to_have_attribute("aria-current", "true")
    page.go_back()
    expect(page).to_have_url(start)
    expect(page.get_by_role("button", name=re.compile("^Open (it|the first one)"))).to_be_visible()


def test_the_list_is_narrowed_to_a_criterion_and_another_list_begins_anew(
    page: Page, server: Server, store: Store
) -> None:
    disputed_demo.dispute(store)
    open_page(page, server, "lead")
    rows = page.locator(".row")
    expect(rows).to_have_count(24)
    about = rows.first.locator(".about").inner_text().removeprefix(" · ").strip()
    click(page.get_by_role("combobox", name="Criterion"))
    click(page.get_by_role("option", name=about, exact=True))
    expect(rows).not_to_have_count(24)
    assert {text.removeprefix(" · ").strip() for text in rows.locator(".about").all_inner_texts()} == {about}
    page.reload()
    expect(page.locator(".row")).not_to_have_count(24)
    click(page.get_by_text("The judge differs"))
    expect(page.get_by_role("heading", name="labels on which the judge differs")).to_be_visible()
    assert "about=" not in page.url and "queue=human_judge" in page.url
    page.go_back()
    expect(page.get_by_role("heading", name="24 labels need settling.")).to_be_visible()
    page.wait_for_url("**about=*")


def tell(page: Page, words: str) -> None:
    page.keyboard.press("h")
    expect(page.get_by_role("heading", name="Tell the study lead")).to_be_visible()
    page.keyboard.press("Space")  # the first: somebody may be in danger
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.type(words)
    page.keyboard.press("Control+Enter")


def told(store: Store, study_id: int) -> list[tuple[int, str, str | None]]:
    with store.reading() as connection:
        return [(one.position, one.kind, one.note) for one in escalations.open_ones(connection, study_id)]


def test_a_note_to_the_study_lead_before_and_after_the_commit(
    open_review: Callable[..., Page], store: Store, reader: Callable[..., int]
) -> None:
    page = open_review("coaching_example")
    received = Received(page)
    press_labels(page, "yyyyyyyyyyy")
    tell(page, PRIVATE)
    expect(page.locator(".told")).to_contain_text("somebody may be in danger: sent to the study lead")
    with store.reading() as connection:
        assert connection.execute(select(schema.commit)).first() is None, (
            "Ctrl+Enter in the note commits nothing"
        )
    assert page.locator(".judgement").count() == 0 and 'reasoning":' not in received.text()
    page.keyboard.press("Control+Enter")
    expect(page.locator(".judgement").first).to_be_visible()
    tell(page, "and once more")
    expect(page.locator(".told p")).to_have_count(2)
    page.reload()
    expect(page.locator(".told p")).to_have_count(2)
    with store.reading() as connection:
        study_id = connection.execute(
            select(schema.study.c.id).where(schema.study.c.key == "coaching_example")
        ).scalar_one()
    assert told(store, study_id) == [(1, "risk", PRIVATE), (1, "risk", "and once more")]


def test_an_unfinished_note_says_what_is_missing_and_keeps_its_words(
    open_review: Callable[..., Page], store: Store
) -> None:
    page = open_review("coaching_example")
    page.keyboard.press("h")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".tell-problem")).to_have_text("Choose what it is about first.")
    page.locator(".tell-note").fill("half a thought")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".tell-problem")).to_have_text("Choose what it is about first.")
    page.keyboard.press("Escape")
    page.keyboard.press("h")  # at once: no key is lost in the closing window
    expect(page.locator(".tell-note")).to_have_value("half a thought")
    page.locator(".tell-note").press("Escape")
    page.keyboard.press("y")
    saved(page)
    with store.reading() as connection:
        assert connection.execute(select(schema.escalation)).first() is None
        assert connection.execute(select(schema.draft.c.label)).scalars().all() == ["YES"]


@pytest.mark.parametrize("how", ["reload", "another tab"])
def test_a_note_written_while_the_server_is_dead_arrives_once(
    open_review: Callable[..., Page], server: Server, store: Store, context: BrowserContext, how: str
) -> None:
    page = open_review("coaching_example")
    address = page.url
    server.kill()
    tell(page, PRIVATE)
    expect(page.locator(".told")).to_contain_text("not sent yet")
    if how == "reload":
        server.start()
        page.reload()
    else:
        page.close()
        server.start()
        page = context.new_page()
        page.goto(address)
    expect(page.locator(".told")).to_contain_text("sent to the study lead")
    saved(page)
    with store.reading() as connection:
        assert len(connection.execute(select(schema.escalation)).all()) == 1


def test_the_answer_waits_until_the_unit_was_compared(
    open_review: Callable[..., Page], store: Store, page: Page
) -> None:
    study, ids = disputed_demo.dispute(store)
    ann, settler = Colleague(store, study, ids["Reader 1"]), disputed_demo.colleague(store, study, ids)
    Desk(store, study, ids["Reader 1"]).draft(4, "CQ1")  # so that it stands in the rater's own list
    number = ann.tell(4, note=PRIVATE)
    settler.answer(number or 0, "The judge overlooked it as well.")
    received = Received(page)
    with store.reading() as connection:
        place = open_worklist(connection, study, ids["Reader 1"]).length
    open_review(disputed_demo.KEY, "Reader 1", unit=place, note="seen")
    expect(page.locator(".told")).to_contain_text(
        "answered; you can read the answer once you have committed your labels here and compared them"
    )
    assert "overlooked it as well" not in received.text() and "overlooked it" not in received.text()
    press_labels(page, "yyyyyyyyyyyy")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".judgement").first).to_be_visible()
    expect(page.locator(".told")).to_contain_text("The judge overlooked it as well.")


def test_the_labels_of_eight_raters_stay_next_to_the_decision(
    browser: Browser, server: Server, make_study: Callable[..., Small]
) -> None:
    names = ("Ann", "Ben", "Cid", "Dan", "Eve", "Fay", "Gus", "Hal")
    small = make_study(key="eight", raters=(*names, "Sue"), conversation_count=3)
    for number in range(len(names)):
        for position in (1, 2):
            small.desk(number).rate(position, "NO" if number in (1, 5) else "YES")
    with small.store.writing("Sue", "settle", small.study.id) as (connection, entry):
        roles.choose_role(connection, entry, small.desk(len(names)).rater, StudyRole.SETTLER)
    page = open_window(browser, 1366, 768)
    visit(page, server, f"adjudication?study=eight&reader={small.raters[-1]}&note=seen")
    open_first(page)
    for _ in range(2):
        card(page)
        labels = page.locator(".sr-answer")
        expect(labels).to_have_count(2)
        raters = [each.inner_text() for each in page.locator(".sr-answer strong").all()]
        letters = sorted(re.findall(r"\b[A-H]\b", " ".join(raters)))
        assert "".join(letters) == "ABCDEFGH" and all(each.startswith("Raters ") for each in raters)
        for each in (*labels.all(), page.get_by_role("button", name="Settle and next")):
            box = each.bounding_box()
            assert box is not None and box["y"] >= 0 and box["y"] + box["height"] <= 768
        top = page.get_by_text("Which label is right?").bounding_box()
        last = labels.last.bounding_box()
        assert top is not None and last is not None and last["y"] + last["height"] <= top["y"] + 1
        settle(page, "y", "Yes", "As most saw it.")
