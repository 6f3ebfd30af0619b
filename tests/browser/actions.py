"""Clicks and keys as a person gives them: to a page that has been drawn and stands still."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from itertools import count
from typing import Any
from urllib.parse import parse_qs, urlsplit
from weakref import WeakKeyDictionary

from playwright.sync_api import Browser, BrowserContext, Download, Locator, Page, TimeoutError, expect

from data.store.store import open_store
from pages.widgets.remembered_person import COOKIE
from tests.browser.serving import Server
from tests.studies.known_browsers import cookie_of_reader

MINUTE = 60_000  # in milliseconds; how long anything may take on a busy machine
FRAMES = 5  # that the browser draws one after another without a change

# Whether the page stood still for so many frames: the app is connected and runs nothing, nothing that was
# asked of the server waits for its first word, nothing is left over from the run before, no element came, went
# or changed, and nothing slides: the platform opens a line for half a second, and a press then misses it.
STANDS_STILL = """([wait, frames]) => {
  const watch = window.redrawWatch ??= (() => {
    const state = { wait: null, still: 0, asked: false };
    const known = new WeakSet(), send = WebSocket.prototype.send;
    WebSocket.prototype.send = function (message) {
      state.asked = true;
      if (!known.has(this)) {
        known.add(this);
        this.addEventListener("message", () => { state.asked = false; });
      }
      return send.call(this, message);
    };
    const changes = { childList: true, characterData: true, subtree: true };
    new MutationObserver(() => { state.still = 0; }).observe(document, changes);
    return state;
  })();
  if (watch.wait !== wait) { watch.wait = wait; watch.still = 0; }
  const app = document.querySelector("[data-testid=stApp]");
  const drawn = app?.dataset.testScriptState === "notRunning" && app.dataset.testConnectionState === "CONNECTED"
    && !watch.asked && !document.querySelector("[data-stale=true], [data-testid=stSkeleton]")
    && !document.getAnimations().some(
      (animation) => animation.playState === "running" && animation.effect?.getComputedTiming().endTime < 10_000,
    );
  watch.still = drawn ? watch.still + 1 : 0;
  return watch.still > frames;
}"""
HAS_CONTENT = """(line) =>
  line.open && line.querySelector("[data-testid=stExpanderDetails]")?.innerText.trim() !== "" """
VISIBLE_WORDS = """() => {
  const main = document.querySelector("[data-testid=stMain]");
  const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT), words = [];
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!element.closest("svg, style, script") && element.checkVisibility())
      words.push(...walker.currentNode.data.trim().split(/\\s+/).filter(Boolean));
  }
  return words;
}"""
REASONS = """() => [...document.querySelectorAll("textarea[aria-label^=Reason]")].map((box) => box.value)"""
SAME_KEY = 160  # milliseconds; a label's key twice for one question counts once where it comes sooner
BOUNCE = 30  # milliseconds between the two of a key that bounces
_waits = count()
_last_presses: WeakKeyDictionary[Page, tuple[str, float]] = WeakKeyDictionary()


def open_context(browser: Browser, width: int = 1366, height: int = 768) -> BrowserContext:
    """A browser in which everything may take a minute."""
    context = browser.new_context(viewport={"width": width, "height": height})
    context.set_default_timeout(MINUTE)
    return context


def open_window(browser: Browser, width: int = 1366, height: int = 768) -> Page:
    """A page in a browser context of its own, in which everything may take a minute."""
    page = browser.new_page(viewport={"width": width, "height": height})
    page.set_default_timeout(MINUTE)
    return page


def wait_for_redraw(page: Page) -> None:
    """Wait until the page is drawn and stands still, so that nothing moves away from under the mouse."""
    page.wait_for_function(STANDS_STILL, arg=[next(_waits), FRAMES], timeout=MINUTE)


def wait_until(
    page: Page, reached: Callable[[], bool], state: Callable[[], str] = lambda: "", minutes: int = 1
) -> None:
    """Wait for something that no locator tells; `state` says what is there instead."""
    deadline = time.monotonic() + minutes * MINUTE / 1000
    while not reached():
        assert time.monotonic() < deadline, state()
        page.wait_for_timeout(50)


def expect_value(target: Page | Locator, script: str, value: object) -> None:
    """Wait until a script gives this value. A key's work may come after the answer to the key, on a busy machine."""
    wait_until(
        target if isinstance(target, Page) else target.page,
        lambda: target.evaluate(script) == value,
        lambda: f"{target.evaluate(script)!r}, not {value!r}: {script}",
    )


def expect_reason(page: Page, text: str = "") -> None:
    """Wait until there is one box for a reason, with this in it. On the way from one label to the next the page
    holds the boxes of both for a moment.
    """
    expect_value(page, REASONS, [text])


def click(locator: Locator, **options: Any) -> None:
    expect(locator).to_be_visible()
    wait_for_redraw(locator.page)
    locator.click(timeout=MINUTE, **options)


def double_click(target: Locator, gap: int) -> None:
    """As a mouse does it: the second click is at the place of the first. `gap`: between them, in milliseconds."""
    wait_for_redraw(target.page)
    place = _middle_of(target)
    for number in (1, 2):
        _click_at(target.page, place, number)
        target.page.wait_for_timeout(gap)


def click_in_succession(target: Locator, number: int) -> None:
    """The first, second ... of several clicks that a person makes without moving the mouse."""
    wait_for_redraw(target.page)
    _click_at(target.page, _middle_of(target), number)


def _middle_of(target: Locator) -> tuple[float, float]:
    box = target.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def _click_at(page: Page, place: tuple[float, float], number: int) -> None:
    page.mouse.move(*place)
    page.mouse.down(click_count=number)
    page.mouse.up(click_count=number)


def click_while_running(locator: Locator) -> None:
    """On a page that is drawn anew every second, and so never stands still."""
    locator.click(timeout=MINUTE)


def fill(field: Locator, text: str) -> None:
    expect(field).to_be_visible()
    wait_for_redraw(field.page)
    field.fill(text, timeout=MINUTE)


def focus(field: Locator) -> None:
    expect(field).to_be_visible()
    wait_for_redraw(field.page)
    field.focus(timeout=MINUTE)
    expect(field).to_be_focused()


def press(page: Page, key: str) -> None:
    """A key, no sooner after the same one than somebody means it to count twice."""
    wait_for_redraw(page)
    before, at = _last_presses.get(page, ("", 0.0))
    early = SAME_KEY - (time.monotonic() - at) * 1000
    if key == before and early > 0:
        page.wait_for_timeout(early)
    page.keyboard.press(key)
    _last_presses[page] = (key, time.monotonic())


def press_labels(page: Page, keys: str) -> None:
    """One key after the other as fast as a person can: the same key twice within a moment counts once, and the
    first may be the one that was pressed last.
    """
    for before, key in zip(keys[:1] + keys, keys, strict=False):
        if key == before:
            page.wait_for_timeout(SAME_KEY)
        page.keyboard.press(key)


def press_labels_at_once(page: Page, keys: Sequence[str], apart: int = SAME_KEY) -> None:
    """Keys that were pressed `apart`, in milliseconds, but reach the page together, as they do where the browser
    was busy.
    """
    page.evaluate(
        """([keys, apart]) => {
          const first = performance.now();  // asked once: to answer a key takes time, too
          [...keys].forEach((key, number) => {
            const event = new KeyboardEvent("keydown", { key, bubbles: true });
            Object.defineProperty(event, "timeStamp", { value: first + number * apart });
            document.dispatchEvent(event);
          });
        }""",
        [list(keys), apart],
    )


def bounce(page: Page, key: str) -> None:
    """A key that comes twice where it was pressed once. Not two real presses: on a busy machine they lie apart."""
    press_labels_at_once(page, key + key, BOUNCE)


def press_at_place(page: Page, writes: str, place: str, modifiers: int = 0) -> None:
    """A key of a keyboard with another layout: what it writes, and the place at which an English one has `place`."""
    wait_for_redraw(page)
    session = page.context.new_cdp_session(page)
    for kind in ("keyDown", "keyUp"):
        event = {"type": kind, "key": writes, "code": place, "modifiers": modifiers}
        session.send("Input.dispatchKeyEvent", event)
    session.detach()


def type_words(page: Page, words: str) -> None:
    wait_for_redraw(page)
    page.keyboard.type(words)


def sit_down_somebody_else(page: Page) -> None:
    """Who sits here gets up, through the bar."""
    click(page.locator(".bar .person > button"))
    click(page.get_by_role("button", name="Switch person"))


def visit(page: Page, server: Server, address: str) -> None:
    """Open an address of the app. Who sits there was asked before in this browser, and gave the answer that the
    address names.
    """
    query = {name: values[-1] for name, values in parse_qs(urlsplit(address).query).items()}
    before = next((each["value"] for each in page.context.cookies() if each["name"] == COOKIE), "")
    with closing(open_store(f"sqlite:///{server.database}")) as store:
        cookie = cookie_of_reader(store, query["study"], query["reader"], before)
    if cookie != before:
        page.context.add_cookies([{"name": COOKIE, "value": cookie, "domain": "127.0.0.1", "path": "/"}])
    page.goto(f"{server.url}/{address}")


def open_as_lead(page: Page, address: str) -> None:
    """In a browser that is asked first, also where a rater of the study sits. Until the page is drawn, the answer
    to the press is on its way: whoever goes elsewhere before is asked again.
    """
    page.goto(address)
    button = page.get_by_role("button", name=re.compile("^Open (it and record this|as lead)$"))
    click(button)
    expect(button).to_have_count(0)
    wait_for_redraw(page)


def open_tab(link: Locator, address: str | re.Pattern[str]) -> Page:
    """Press a link with Ctrl held; the new tab, which is at the address of the link. Chromium under automation now
    and then leaves a new tab blank for good, though the server answers: then the link is pressed once more.
    """
    for patience in (MINUTE / 2, MINUTE):
        with link.page.context.expect_page() as opened:
            click(link, modifiers=["ControlOrMeta"])
        tab = opened.value
        try:
            tab.wait_for_url(address, wait_until="commit", timeout=patience)
        except TimeoutError as error:
            last = error
            assert tab.url == "about:blank", f"the link leads to {tab.url}"
            tab.close()
        else:
            return tab
    raise last


def download(button: Locator) -> Download:
    with button.page.expect_download(timeout=2 * MINUTE) as file:
        click(button)
    return file.value


def open_line(page: Page, name: str) -> None:
    """Press it, and wait for what it holds, as somebody does who reads it."""
    summary = page.locator("summary").filter(has=page.get_by_text(name, exact=True))
    click(summary)
    line = page.locator("details").filter(has=summary).last
    wait_until(page, lambda: bool(line.evaluate(HAS_CONTENT)), lambda: line.inner_text())


def visible_words(page: Page) -> list[str]:
    """What the page says; not the numbers along the axes of a picture."""
    words: list[str] = page.evaluate(VISIBLE_WORDS)
    return words
