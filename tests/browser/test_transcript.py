"""How a conversation is shown: emphasis without its asterisks, speakers told apart, and on a phone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Browser, FloatRect, Page, expect

from data.store.store import Store
from tests.browser.actions import open_window, visit
from tests.browser.conftest import begin_reading, rate_all
from tests.browser.looks import check_look
from tests.browser.serving import Server
from tests.browser.test_component_contract import STAND, data_of_unit, run_script

REPLY = "Try **one slow breath**, *now*. <b>Not</b> ![x](http://127.0.0.1:9/b.png) 2 * 3 * 4"

SELECT = """(words) => {
  const pane = document.querySelector(".transcript");
  const walker = document.createTreeWalker(pane, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const [from, to] = words.map((word) => node.nodeValue.indexOf(word));
    if (from >= 0) range.setStart(node, from);
    if (to >= 0) range.setEnd(node, to + words[1].length);
  }
  const selection = document.getSelection();
  selection.removeAllRanges();
  selection.addRange(range);
}"""


def box(page: Page, place: str) -> FloatRect:
    bounds = page.locator(place).first.bounding_box()
    assert bounds is not None
    return bounds


def with_reply(store: Store) -> dict[str, Any]:
    data = data_of_unit(store, "coaching_example", 1)
    data["transcript"][1]["text"] = REPLY
    return data


def test_emphasis_is_seen_and_nothing_else_is_markup(page: Page, server: Server, store: Store) -> None:
    run_script(page, server, STAND, with_reply(store))
    reply = page.locator('[data-text="1"]')
    assert reply.inner_text() == REPLY.replace("**", "").replace("*now*", "now")
    assert reply.text_content() == REPLY
    assert reply.locator("strong").all_inner_texts() == ["one slow breath"]
    assert reply.locator("em").all_inner_texts() == ["now"]
    assert reply.locator("img, a, b, i").count() == 0


def test_words_selected_over_emphasis_are_evidence_at_their_places(
    page: Page, server: Server, store: Store
) -> None:
    run_script(page, server, STAND, with_reply(store))
    page.evaluate(SELECT, ["slow", "now"])
    page.keyboard.press("e")
    marked = page.locator('[data-text="1"] mark')
    expect(marked.first).to_be_visible()
    assert "".join(marked.all_text_contents()) == "slow breath**, *now"
    event = page.evaluate("sent.findLast(([name]) => name === 'events')[1].at(-1)")
    span = event["answer"]["evidence"][0]
    assert REPLY[span["start"] : span["end"]] == "slow breath**, *now"


def test_three_judges_stand_beside_each_other(open_review: Callable[..., Page]) -> None:
    page = open_review("lend_an_ear")
    for position in range(2, 6):
        rate_all(page, "123451")
        expect(page.locator(".units .here")).to_contain_text(str(position))
    rate_all(page, "123451")
    folded = page.locator('.row:not(.focus) .label:has-text("judges")').first
    expect(folded).to_contain_text("judges ")
    page.keyboard.press("v")
    expect(page.locator(".judgement")).to_have_count(3)
    tops = {bounds["y"] for item in page.locator(".judgement").all() if (bounds := item.bounding_box())}
    assert len(tops) == 1
    check_look(page)
    page.keyboard.press("v")
    expect(page.locator(".judgement")).to_have_count(1)


def test_on_a_phone_the_conversation_stands_over_the_rating_and_both_are_in_view(
    browser: Browser, server: Server, reader: Callable[..., int]
) -> None:
    page = open_window(browser, width=390, height=844)
    visit(page, server, f"review?study=lend_an_ear&reader={reader('lend_an_ear')}")
    begin_reading(page)
    expect(page.locator("footer .main")).to_be_in_viewport(ratio=1)
    expect(page.locator(".choices button").last).to_be_in_viewport(ratio=1)
    units, conversation, rating = (box(page, place) for place in (".rail", ".transcript", ".pad"))
    assert units["y"] + units["height"] <= conversation["y"]
    assert conversation["y"] + conversation["height"] <= rating["y"]
    assert conversation["height"] >= 250 and units["height"] <= 60
    check_look(page)
    page.close()


def test_the_whole_key_sheet_is_seen_at_once(page: Page, server: Server, store: Store) -> None:
    page.set_viewport_size({"width": 1366, "height": 768})
    run_script(page, server, STAND, data_of_unit(store, "coaching_demo", 3))
    page.keyboard.press("?")
    sheet = page.locator("dialog")
    expect(sheet).to_be_visible()
    assert sheet.evaluate("node => node.scrollHeight <= node.clientHeight")
    assert sheet.locator(".label-keys kbd").all_inner_texts() == ["Y", "N", "A"]
