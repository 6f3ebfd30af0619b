"""Every page keeps what waits in a place of its own, and what one leaves behind another takes over:
duplicated tabs, reloads, closed tabs, browsers without locks.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from sqlalchemy import select

from data import schema
from data.store.store import Store
from pages.widgets.scripts.modules import assemble
from pages.widgets.workbench.component import FOLDER
from tests.browser.actions import wait_until
from tests.browser.conftest import saved
from tests.browser.serving import Server
from tests.browser.test_component_contract import STAND, data_of_unit, events, run_script

NO_LOCKS = "Object.defineProperty(Navigator.prototype, 'locks', { value: undefined })"
OUTBOX = """async (script) => {
  const { Outbox } = await import(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
  window.sent = [];
  window.outbox = new Outbox("store-1", (events) => window.sent.push(...structuredClone(events)), () => {});
}"""
DRAFT = "{ kind: 'draft', unit: 1, criterion: '%s', answer: { label: null, note: '%s' } }"
COMMIT = "{ kind: 'commit', unit: 1, shown: {} }"


HOLDS_ITS_PLACE = """async () => {
  const { held } = (await navigator.locks?.query()) ?? { held: [] };
  return !navigator.locks || held.some(({ name }) => name === outbox.storage.name);
}"""


def begin(page: Page) -> None:
    """An outbox alone, in a page that is there already. On a busy machine another page may begin before this one
    holds its lock, and takes what it has then.
    """
    begin_without_lock(page)
    wait_until(page, lambda: page.evaluate(HOLDS_ITS_PLACE), lambda: "the page holds no lock on its place")


def begin_without_lock(page: Page) -> None:
    page.evaluate(OUTBOX, assemble(FOLDER / "outbox.js"))


def open_outbox(page: Page, server: Server) -> Page:
    page.goto(f"{server.url}/_stcore/health")
    begin(page)
    return page


def duplicate(page: Page) -> Page:
    """As the browser's own command does it: with a copy of sessionStorage."""
    with page.context.expect_page() as opened:
        page.evaluate("window.open(location.href)")
    opened.value.wait_for_load_state()
    return opened.value


def put(page: Page, event: str, later: bool = False) -> None:
    page.evaluate(f"outbox.put({event}, {str(later).lower()})")


def waiting_events(page: Page) -> list[dict[str, Any]]:
    events_waiting: list[dict[str, Any]] = page.evaluate("outbox.waiting")
    return events_waiting


def sent_events(page: Page) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = page.evaluate("sent")
    return messages


def stored_events(page: Page) -> list[dict[str, Any]]:
    """Whatever any page keeps in the browser's storage."""
    in_storage: list[dict[str, Any]] = page.evaluate("""Object.entries(localStorage).flatMap(([name, text]) =>
        name.startsWith("second-reader-outbox") ? JSON.parse(text) : [])""")
    return in_storage


def page_names(page: Page) -> list[str]:
    """The names of this tab's pages."""
    names: list[str] = page.evaluate("""Object.entries(sessionStorage).flatMap(([name, text]) =>
        name.startsWith("second-reader-outbox") ? JSON.parse(text) : [])""")
    return names


def wait_for(page: Page, *kinds: str) -> None:
    wait_until(
        page,
        lambda: [event["kind"] for event in waiting_events(page)] == list(kinds),
        lambda: str(waiting_events(page)),
    )


# ---- with the whole app ----


@pytest.mark.parametrize("closed", ["the first", "the duplicate"])
def test_a_duplicated_tab_loses_no_answer_of_either(
    open_review: Callable[..., Page], server: Server, store: Store, closed: str
) -> None:
    first = open_review("coaching_example")
    second = duplicate(first)
    expect(second.locator(".row").first).to_be_visible()
    assert len(set(page_names(first)) & set(page_names(second))) == 1, "what the tab remembers was copied"
    server.kill()
    first.keyboard.press("y")
    second.keyboard.press("ArrowDown")
    second.keyboard.press("n")
    for page in (first, second):
        expect(page.locator(".saved")).to_have_text(re.compile(r"^(saving \.\.\.|NOT SAVED YET: .*)$"))
    open_page, closing_page = (second, first) if closed == "the first" else (first, second)
    closing_page.close()
    server.start()
    wait_until(
        open_page,
        lambda: drafts(store) == {("CQ1", "YES"), ("CQ2", "NO")},
        lambda: str(drafts(store)),
        minutes=2,
    )
    saved(open_page)
    assert stored_events(open_page) == []
    expect(open_page.locator('[data-criterion="CQ1"] .label')).to_have_text("Yes")
    expect(open_page.locator('[data-criterion="CQ2"] .label')).to_have_text("No")


def drafts(store: Store) -> set[tuple[str, str | None]]:
    with store.reading() as connection:
        return {
            (row.criterion, row.label)
            for row in connection.execute(select(schema.draft.c.criterion, schema.draft.c.label))
        }


# ---- the outbox alone ----


def test_what_waits_goes_on_unchanged_after_a_reload_although_another_tab_lives(
    page: Page, server: Server, context: BrowserContext
) -> None:
    open_outbox(page, server)
    other = open_outbox(context.new_page(), server)
    put(page, DRAFT % ("warm", "words"))
    put(page, COMMIT)
    before = waiting_events(page)
    page.reload()
    begin(page)
    wait_for(page, "draft", "commit")
    assert [(event["id"], event["kind"], event.get("late")) for event in waiting_events(page)] == [
        (event["id"], event["kind"], None) for event in before
    ]
    assert waiting_events(other) == [] and len(stored_events(page)) == 2


def test_two_pages_never_write_to_the_same_place(page: Page, server: Server) -> None:
    open_outbox(page, server)
    put(page, DRAFT % ("warm", "of the first"))
    second = duplicate(page)
    begin(second)
    put(second, DRAFT % ("safe", "of the second"))
    put(page, DRAFT % ("deep", "of the first"))
    assert sorted(event["criterion"] for event in stored_events(page)) == ["deep", "safe", "warm"]
    assert [event["criterion"] for event in waiting_events(second)] == ["safe"]


def test_of_a_closed_tab_the_words_go_to_one_that_lives_and_the_rest_stays_for_it(
    page: Page, server: Server
) -> None:
    open_outbox(page, server)
    second = duplicate(page)
    begin(second)
    for event in (DRAFT % ("warm", "first"), DRAFT % ("warm", "last"), COMMIT):
        put(second, event)
    answers = [event["id"] for event in waiting_events(second)[:2]]
    second.close()
    wait_for(page, "draft", "draft")
    taken = waiting_events(page)
    assert [event["id"] for event in taken] == answers
    assert [(event["answer"]["note"], event["late"]) for event in taken] == [("first", True), ("last", True)]
    assert sorted(event["kind"] for event in stored_events(page)) == ["commit", "draft", "draft"]
    assert set(answers) <= {event["id"] for event in sent_events(page)}


def test_a_page_whose_lock_comes_after_its_words_is_not_taken_for_closed(page: Page, server: Server) -> None:
    """As on a busy machine."""
    open_outbox(page, server)
    second = duplicate(page)
    second.evaluate("""() => {
        const request = navigator.locks.request.bind(navigator.locks);
        Object.defineProperty(Navigator.prototype, "locks", { value: { request: async (...given) => {
            await new Promise((done) => setTimeout(done, 500));
            return request(...given);
        } } });
    }""")
    begin_without_lock(second)
    put(second, DRAFT % ("warm", "of a living page"))
    before = stored_events(page)
    page.evaluate("new Promise((done) => setTimeout(done, 4000))")  # longer than a lock is waited for
    assert waiting_events(page) == [] and sent_events(page) == []
    assert stored_events(page) == before and len(before) == 1


@pytest.mark.own_context
def test_without_locks_a_reload_loses_nothing_and_a_duplicate_sends_the_same_ids(
    page: Page, server: Server, context: BrowserContext
) -> None:
    context.add_init_script(NO_LOCKS)
    open_outbox(page, server)
    assert page.evaluate("navigator.locks") is None
    put(page, DRAFT % ("warm", "words"))
    put(page, COMMIT)
    page.reload()
    begin(page)
    wait_for(page, "draft", "commit")
    second = duplicate(page)
    begin(second)
    wait_for(second, "draft", "commit")
    assert [event["id"] for event in waiting_events(second)] == [
        event["id"] for event in waiting_events(page)
    ]
    put(page, DRAFT % ("safe", "of the first"))
    put(second, DRAFT % ("deep", "of the second"))
    assert {event.get("criterion") for event in stored_events(page)} == {"warm", "safe", "deep", None}


@pytest.mark.own_context
def test_in_private_mode_it_works_from_memory(page: Page, server: Server, context: BrowserContext) -> None:
    context.add_init_script("""for (const name of ["localStorage", "sessionStorage"]) {
      Object.defineProperty(window, name, { get() { throw new DOMException("denied", "SecurityError"); } });
    }""")
    open_outbox(page, server)
    put(page, DRAFT % ("warm", "words"))
    assert [event["answer"]["note"] for event in sent_events(page)] == ["words"]


@pytest.mark.own_context
def test_one_id_never_stands_for_two_contents(page: Page, server: Server, context: BrowserContext) -> None:
    """Somebody types, with every pause there can be, and the page is loaded anew and duplicated in the midst
    of it.
    """
    context.add_init_script(NO_LOCKS)  # then a duplicate reads what a page that lives still writes
    messages: list[tuple[str, str]] = []

    def type_and_send(tab: Page, *steps: str) -> None:
        for step in steps:
            tab.evaluate("outbox.flush()") if step == "send" else put(tab, DRAFT % ("warm", step), later=True)
        messages.extend((event["id"], event["answer"]["note"]) for event in sent_events(tab))

    open_outbox(page, server)
    type_and_send(page, "a", "ab", "send", "abc", "send", "send", "abcd")
    second = duplicate(page)
    begin(second)
    wait_until(second, lambda: bool(sent_events(second)))
    type_and_send(page, "abcde", "send", "abcdef")
    type_and_send(second, "abcdx", "send")
    page.reload()
    begin(page)
    wait_until(page, lambda: bool(sent_events(page)))
    type_and_send(page, "abcdefg", "send")
    assert len({words for _, words in messages}) > 5
    contents: dict[str, set[str]] = {}
    for name, words in messages:
        contents.setdefault(name, set()).add(words)
    assert {name: words for name, words in contents.items() if len(words) > 1} == {}


def test_a_page_that_comes_back_out_of_the_cache_keeps_what_waits(page: Page, server: Server) -> None:
    open_outbox(page, server)
    put(page, DRAFT % ("warm", "words"))
    page.evaluate(
        "localStorage.clear(); dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))"
    )
    assert [event["id"] for event in stored_events(page)] == [event["id"] for event in waiting_events(page)]
    locks = page.evaluate("navigator.locks.query()")
    assert (
        len({lock["name"] for lock in [*locks["held"], *locks["pending"]]}) == 1
        and len(locks["pending"]) == 1
    )


def test_what_is_broken_in_the_storage_is_passed_over(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/_stcore/health")
    page.evaluate("""() => {
      localStorage.setItem("second-reader-outbox-store-1-a", JSON.stringify([null, 5, "draft", {}, { id: 7 },
        { id: "00000000-1", kind: "draft", unit: 1, criterion: "warm", answer: { label: "YES" } }]));
      localStorage.setItem("second-reader-outbox-store-1-b", "{{{");
      localStorage.setItem("second-reader-outbox-store-1-c", "null");
      sessionStorage.setItem("second-reader-outbox-store-1-", "[[");
    }""")
    begin(page)
    wait_for(page, "draft")
    assert [event["id"] for event in sent_events(page)][:1] == ["00000000-1"]


# ---- the workbench in an empty page ----


def test_a_workbench_that_is_mounted_anew_takes_over_what_waits(
    page: Page, server: Server, store: Store
) -> None:
    run_script(
        page,
        server,
        STAND.replace("component({", "window.end = component({"),
        data_of_unit(store, "coaching_example", 1),
    )
    page.keyboard.press("y")
    (before,) = {event["id"] for event in events(page, "draft")}
    html = (FOLDER / "workbench.html").read_text(encoding="utf-8")
    page.evaluate("html => { document.body.innerHTML = html; end(); sent.length = 0; answerServer(); }", html)
    wait_until(page, lambda: {event["id"] for event in events(page, "draft")} == {before})
    expect(page.locator('[data-criterion="CQ1"] .label')).to_have_text("Yes")
    expect(page.locator(".row.focus")).to_have_attribute("data-criterion", "CQ2")


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("a\x00b", "a\ufffdb"),
        ("\ud83d half", "\ufffd half"),
        ("a\x1b[2J", "a\ufffd[2J"),
        ("👩‍👩‍👧 ok\n\tمرحبا", "👩‍👩‍👧 ok\n\tمرحبا"),
    ],
)
def test_what_cannot_be_kept_is_replaced_before_the_persons_eyes(
    page: Page, server: Server, store: Store, written: str, shown: str
) -> None:
    run_script(page, server, STAND, data_of_unit(store, "coaching_demo", 3))
    page.keyboard.press("o")
    codes = [ord(character) for character in written]
    page.locator(".note").evaluate(
        """(box, codes) => {
      box.value = codes.map((code) => String.fromCodePoint(code)).join("");
      box.dispatchEvent(new Event("input", { bubbles: true }));
      box.blur();
    }""",
        codes,
    )
    expect(page.locator(".note")).to_have_value(shown)
    wait_until(page, lambda: bool(events(page, "draft")))
    assert {event["answer"]["note"] for event in events(page, "draft")} == {shown}
