"""The points that must never break, each in a real browser against a real server."""

from __future__ import annotations

import json
import re
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, WebSocket, expect
from playwright.sync_api import Error as PlaywrightError
from sqlalchemy import select

from data import schema
from data.importers import study_folder
from data.importers.new_study import NewStudy
from data.record import studies
from data.record.studies import StudySpec
from data.store.store import Store
from data.work import ratings
from tests.browser.actions import (
    click,
    click_while_running,
    fill,
    open_as_lead,
    open_window,
    press_labels,
    sit_down_somebody_else,
    visit,
    wait_for_redraw,
    wait_until,
)
from tests.browser.conftest import rate_all, saved
from tests.browser.looks import check_look
from tests.browser.serving import ROOT, FreshServer, Server
from tests.studies import importing


class Received:
    """Every byte that the browser got: websocket frames and HTTP bodies."""

    def __init__(self, page: Page) -> None:
        self.parts: list[bytes] = []
        page.on("websocket", self._socket)
        page.on("response", self._response)

    def _socket(self, socket: WebSocket) -> None:
        socket.on(
            "framereceived",
            lambda frame: self.parts.append(frame if isinstance(frame, bytes) else frame.encode()),
        )

    def _response(self, response) -> None:  # type: ignore[no-untyped-def]
        if "/static/" not in response.url and response.request.resource_type in {"document", "xhr", "fetch"}:
            try:
                self.parts.append(response.body())
            except Exception as error:  # noqa: BLE001  a body that is gone was not received either
                assert (
                    "body" in str(error).lower()
                    or "closed" in str(error).lower()
                    or "no resource" in str(error).lower()
                )

    def text(self) -> str:
        return b"".join(self.parts).decode("utf-8", "ignore")


def sample(name: str, file: str) -> list[dict]:  # type: ignore[type-arg]
    return [
        json.loads(line)
        for line in (ROOT / "data" / "samples" / name / file).read_text(encoding="utf-8").splitlines()
    ]


def test_nothing_of_the_judge_reaches_the_browser_before_the_commit(
    page: Page, open_review: Callable[..., Page]
) -> None:
    received = Received(page)
    open_review("coaching_demo")
    expect(page.locator(".message").first).to_be_visible()
    press_labels(page, "nnnnnnnnnnn")
    page.keyboard.press("j")
    expect(page.locator(".units .here")).to_contain_text("2")
    page.keyboard.press("k")
    expect(page.locator(".units .here")).to_contain_text("1")
    saved(page)
    before = received.text()
    secrets = {
        json.dumps(row["reasoning"], ensure_ascii=True)[1:-1]
        for row in sample("coaching_demo", "judgements.jsonl")
        if row.get("reasoning")
    }
    secrets |= {
        row["reasoning"] for row in sample("coaching_demo", "judgements.jsonl") if row.get("reasoning")
    }
    assert len(secrets) > 100 and not [s for s in secrets if s in before]
    assert "Demonstration judge" not in before and "Clinician A" not in before
    page.keyboard.press(
        "Control+Enter"
    )  # the control: afterwards it does arrive, so the check above can fail
    expect(page.locator(".judgement").first).to_be_visible()
    after = received.text()
    assert "Demonstration judge" in after and any(s in after for s in secrets)
    assert sum(s in after for s in secrets) <= 24, "only this unit's reasons were revealed"


def test_after_a_batch_study_shows_nothing_until_the_batch_is_full(
    page: Page, open_review: Callable[..., Page]
) -> None:
    received = Received(page)
    open_review("lend_an_ear")
    for position in range(2, 6):
        rate_all(page, "123451")
        expect(page.locator(".units .here")).to_contain_text(str(position))
    assert "GPT-4o" not in received.text()
    rate_all(page, "123451")
    expect(page.locator(".judgement").first).to_be_visible()
    assert "GPT-4o" in received.text()


def test_the_generating_model_and_colleagues_never_arrive(
    page: Page, open_review: Callable[..., Page]
) -> None:
    received = Received(page)
    open_review("vera_mh")
    rate_all(page, "22222")
    expect(page.locator(".units .here")).to_contain_text("2")
    models = {row["provider_llm"] for row in sample("vera_mh", "conversations.jsonl")}
    files = {row["source_file"] for row in sample("vera_mh", "conversations.jsonl")}
    got = received.text()
    assert len(models) > 1 and not [m for m in models | files if str(m) in got]
    assert "Clinician" not in got and "Expert" not in got


@pytest.mark.parametrize("path", ["review", "agreement", "importing", "my_work", "studies", "", "nothing"])
def test_a_fresh_process_runs_no_page_without_app_py(
    page: Page, fresh_server: FreshServer, path: str
) -> None:
    """The first request of a new process is a deep link to a page, the page's own address or an earlier one."""
    page.goto(f"{fresh_server.url}/{path}?study=coaching_demo")
    expect(page.get_by_role("navigation", name="Second Reader")).to_be_attached()
    expect(page.get_by_text("There is no page “nothing”.")).to_have_count(int(path == "nothing"))
    expect(page.get_by_role("heading").or_(page.get_by_text("Choose your name.")).first).to_be_visible()
    assert "Demonstration judge" not in page.content()


@pytest.mark.parametrize("module", ["widgets", "guard", "navigation", "workbench"])
def test_modules_beside_the_pages_are_not_pages(page: Page, server: Server, module: str) -> None:
    page.goto(f"{server.url}/{module}")
    expect(page.get_by_text("Studies").first).to_be_visible()


def test_three_keys_pressed_while_the_server_is_dead_are_saved_once(
    open_review: Callable[..., Page], server: Server, store: Store
) -> None:
    page = open_review("coaching_example")
    page.keyboard.press("y")
    saved(page)
    server.kill()
    for key in "nyn":
        page.keyboard.press(key)
    expect(page.locator(".saved")).to_have_text(re.compile(r"^(saving \.\.\.|NOT SAVED YET: .*)$"))
    server.start()
    saved(page)
    with store.reading() as connection:
        rows = connection.execute(
            select(schema.draft.c.criterion, schema.draft.c.label).order_by(schema.draft.c.id)
        ).all()
    assert [tuple(row) for row in rows] == [("CQ1", "YES"), ("CQ2", "NO"), ("CQ3", "YES"), ("CQ4", "NO")]


def test_a_server_that_restarts_before_the_first_key_saves_it_too(
    open_review: Callable[..., Page], server: Server, store: Store
) -> None:
    page = open_review("coaching_example")
    wait_for_redraw(page)
    server.kill()
    expect(page.locator("[data-testid=stApp]")).not_to_have_attribute(
        "data-test-connection-state", "CONNECTED"
    )
    server.start()
    expect(page.locator("[data-testid=stApp]")).to_have_attribute("data-test-connection-state", "CONNECTED")
    page.keyboard.press("y")
    saved(page)
    with store.reading() as connection:
        assert connection.execute(select(schema.draft.c.label)).scalars().all() == ["YES"]


def test_a_server_that_restarts_leaves_the_workbench_on_the_screen(
    open_review: Callable[..., Page], server: Server
) -> None:
    """Where it was removed and drawn again, a key in between met nothing."""
    page = open_review("coaching_example")
    app = page.locator("[data-testid=stApp]")
    wait_for_redraw(page)
    page.locator(".workbench").evaluate("""(workbench) => {
        window.removed = 0;
        const look = () => { window.removed += workbench.isConnected ? 0 : 1; requestAnimationFrame(look); };
        look();
    }""")
    server.kill()
    expect(app).not_to_have_attribute("data-test-connection-state", "CONNECTED")
    server.start()
    page.keyboard.press("y")
    saved(page)
    wait_for_redraw(page)
    assert page.evaluate("removed") == 0


COUNT_WINDOWS = """() => {
  window.windows = 0;
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const node of addedNodes)
        if (node instanceof Element && node.querySelector("[role=dialog]")) window.windows += 1;
  }).observe(document.body, { subtree: true, childList: true });
}"""


def test_while_the_server_is_away_our_words_stand_and_the_mouse_goes_on_rating(
    open_review: Callable[..., Page], server: Server, store: Store
) -> None:
    page = open_review("coaching_example")
    wait_for_redraw(page)
    page.evaluate(COUNT_WINDOWS)
    server.kill()
    expect(page.get_by_text("The app is not responding. Saved work is safe")).to_be_visible()
    click_while_running(page.locator('[data-criterion="CQ1"] [data-label="NO"]'))
    expect(page.locator(".saved")).to_contain_text("NOT SAVED YET")
    server.start()
    saved(page)
    expect(page.get_by_text("The app is not responding")).to_be_hidden()
    with store.reading() as connection:
        assert connection.execute(select(schema.draft.c.label)).scalars().all() == ["NO"]
    assert page.evaluate("windows") == 0  # the platform's own, over everything


def test_a_note_that_is_typed_while_the_server_goes_stays_a_note(
    open_review: Callable[..., Page], server: Server, store: Store
) -> None:
    """The platform's window took the focus, and each y and n of the rest labelled a criterion."""
    page = open_review("coaching_example")
    wait_for_redraw(page)
    page.evaluate(COUNT_WINDOWS)
    for key in ("n", "o"):
        page.keyboard.press(key)
    expect(page.locator("textarea.note")).to_be_focused()
    server.kill()
    note = ""
    for word in ("my ", "only ", "any ", "no ") * 10:
        page.keyboard.type(word, delay=20)
        note += word
    expect(page.get_by_text("The app is not responding. Saved work is safe")).to_be_visible()
    expect(page.locator("textarea.note")).to_have_value(note)
    assert page.evaluate("windows") == 0
    server.start()
    saved(page)
    page.keyboard.type("end", delay=20)
    page.keyboard.press("Escape")
    saved(page)
    columns = select(schema.draft.c.criterion, schema.draft.c.label, schema.content.c.text)
    with store.reading() as connection:
        drafts = connection.execute(
            columns.outerjoin(schema.content, schema.content.c.id == schema.draft.c.note_content).order_by(
                schema.draft.c.id
            )
        ).all()
    assert {draft[:2] for draft in drafts} == {(drafts[0].criterion, "NO")}
    assert drafts[-1].text == f"{note}end"


# The first message of a page asks for the page; what comes after it is lost on the way.
LOSE_LATER_MESSAGES = """(() => {
  const send = WebSocket.prototype.send, counts = new WeakMap();
  window.lost = 0;
  WebSocket.prototype.send = function (message) {
    counts.set(this, (counts.get(this) ?? 0) + 1);
    if (window.lost !== null && counts.get(this) > 1) window.lost += 1;
    else send.call(this, message);
  };
})()"""


def test_a_server_that_restarts_before_its_first_answer_saves_what_comes_later(
    page: Page, open_review: Callable[..., Page], server: Server, store: Store
) -> None:
    """The page was drawn, and what the workbench asked at once was never answered."""
    app = page.locator("[data-testid=stApp]")
    page.add_init_script(LOSE_LATER_MESSAGES)
    open_review("coaching_example")
    wait_until(page, lambda: page.evaluate("lost") > 0)
    expect(app).to_have_attribute("data-test-script-state", "notRunning")
    server.kill()
    expect(app).not_to_have_attribute("data-test-connection-state", "CONNECTED")
    page.evaluate("() => { window.lost = null; }")
    server.start()
    page.keyboard.press("y")
    saved(page)
    with store.reading() as connection:
        assert connection.execute(select(schema.draft.c.label)).scalars().all() == ["YES"]


def test_a_reload_in_mid_draft_loses_nothing(open_review: Callable[..., Page], store: Store) -> None:
    page = open_review("coaching_example")
    page.keyboard.press("y")
    page.keyboard.press("n")
    page.keyboard.press("o")
    page.keyboard.type("half a thou", delay=0)
    page.reload()  # within the pause before a note is sent
    expect(page.locator(".row").first).to_be_visible()
    expect(page.locator('[data-criterion="CQ1"] .label')).to_have_text("Yes")

    def last_note() -> str:
        """Saved by the page before while it went, or by the one after."""
        note = (
            select(schema.content.c.text)
            .join(schema.draft, schema.draft.c.note_content == schema.content.c.id)
            .order_by(schema.draft.c.id.desc())
        )
        with store.reading() as connection:
            return connection.execute(note).scalars().first() or ""

    wait_until(page, lambda: last_note() == "half a thou", last_note)


def test_two_raters_at_once_on_one_unit(
    browser: Browser, server: Server, reader: Callable[..., int], store: Store
) -> None:
    pages = []
    for name in ("Reader 1", "Reader 2"):
        page = open_window(browser)
        visit(page, server, f"review?study=coaching_example&reader={reader('coaching_example', name)}")
        expect(page.locator(".row").first).to_be_visible()
        pages.append(page)
    for _ in range(11):
        press_labels(pages[0], "y")
        press_labels(pages[1], "n")
    for page in pages:
        page.keyboard.press("Control+Enter")
        expect(page.locator(".judgement").first).to_be_visible()
    with store.reading() as connection:
        rows = connection.execute(
            select(schema.rating.c.rater_id, schema.rating.c.label).where(schema.rating.c.source == "given")
        ).all()
    labels = {
        who: {row.label for row in rows if row.rater_id == who} for who in {row.rater_id for row in rows}
    }
    assert sorted(map(str, labels.values())) == ["{'NO'}", "{'YES'}"] and len(rows) == 22
    for page in pages:
        page.close()


def test_one_rater_in_two_tabs_commits_once(
    browser: Browser, server: Server, reader: Callable[..., int], store: Store
) -> None:
    tabs = []
    for _ in range(2):
        page = open_window(browser)
        visit(page, server, f"review?study=coaching_example&reader={reader('coaching_example')}")
        expect(page.locator(".row").first).to_be_visible()
        press_labels(page, "yyyyyyyyyyy")
        saved(page)
        tabs.append(page)
    for page in tabs:
        page.keyboard.press("Control+Enter")
        expect(page.locator(".judgement").first).to_be_visible()
        page.close()
    with store.reading() as connection:
        assert len(connection.execute(select(schema.commit)).all()) == 1
        assert (
            len(
                connection.execute(
                    select(schema.rating).where(
                        schema.rating.c.source == "given",
                        schema.rating.c.rater_id == reader("coaching_example"),
                    )
                ).all()
            )
            == 11
        )


EVIL = [
    "<script>window.hurt = 1</script><img src=x onerror='window.hurt = 2'><svg onload='window.hurt = 3'>",
    '<style>* { display: none !important }</style><iframe srcdoc="<script>parent.hurt = 4</script>"></iframe>',
    "![beacon](http://127.0.0.1:9/beacon.png) [click](javascript:window.hurt=5) **bold** $\\int_0^1 x$ "
    ":red[red] # heading",
    "\u202eright to left override\u202c \u2066isolate\u2069 \u200bzero width",
    "مرحبا، أشعر بالتعب اليوم. שלום 👩‍👩‍👧‍👦 🏳️‍🌈 ñ é ﷽",
    "=HYPERLINK(\"http://127.0.0.1:9\") @SUM(1) -1+1 +cmd|' /C calc'!A0",
]


def _study_of(store: Store, tmp_path: Path, messages: list[str], key: str) -> None:
    conversation = {"id": key, "turns": [{"user": text, "assistant": text} for text in messages]}
    file = tmp_path / f"{key}.jsonl"
    file.write_text(json.dumps(conversation), encoding="utf-8")
    configs = ROOT / "configs"
    new = NewStudy(
        StudySpec(key, f"<b>{key}</b> ![x](http://127.0.0.1:9/t.png)", 0, reveal="never"),
        "coaching_rubric",
        None,
        ("Reader 1",),
        configs / "instruments",
        configs / "taxonomies",
    )
    importing.import_conversations(store, key, file, "test", False, new)


def test_a_transcript_full_of_markup_is_text(
    page: Page, open_review: Callable[..., Page], server: Server, store: Store, tmp_path: Path
) -> None:
    _study_of(store, tmp_path, EVIL, "evil")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    open_review("evil")
    for index, text in enumerate(EVIL):
        assert page.locator(f'[data-text="{2 * index}"]').evaluate("node => node.textContent") == text
    assert page.evaluate("window.hurt") is None
    expect(page.locator(".pad .row").first).to_be_visible()
    page.goto(f"{server.url}/")
    expect(page.get_by_text("<b>evil</b>").first).to_be_visible()
    open_as_lead(page, f"{server.url}/agreement?study=evil&reader=lead")
    expect(page.get_by_text("<b>evil</b>").first).to_be_visible()
    assert not [url for url in asked if not url.startswith((server.url, "blob:", "data:"))]


def test_four_hundred_turns_and_one_of_a_megabyte(
    open_review: Callable[..., Page], store: Store, tmp_path: Path
) -> None:
    _study_of(store, tmp_path, ["word " * 210_000, *[f"turn {n}" for n in range(399)]], "long")
    page = open_review("long")
    expect(page.locator(".message")).to_have_count(800)
    page.keyboard.press("m")
    fill(page.get_by_role("dialog").get_by_label("Turn"), "400")
    page.keyboard.press("Enter")
    expect(page.locator(".message.cursor")).to_have_attribute("data-turn", "400")
    page.keyboard.press("y")
    saved(page)


def test_seeing_the_whole_study_is_recorded_and_marks_later_ratings(
    page: Page, open_review: Callable[..., Page], server: Server, store: Store, reader: Callable[..., int]
) -> None:
    who = reader("coaching_demo")
    visit(page, server, f"agreement?study=coaching_demo&reader={who}")
    expect(page.get_by_text("left to rate blind")).to_be_visible()
    assert "Clinician A" not in page.content()
    click(page.get_by_role("button", name="Show the whole study"))
    click(page.get_by_role("button", name="Show it and record this"))
    expect(page.get_by_text("You opened the labels of the whole study")).to_be_visible()
    open_review("coaching_demo")
    expect(page.locator(".facts")).to_contain_text("not blind")
    rate_all(page, "yyyyyyyyyyy")
    expect(page.locator(".judgement").first).to_be_visible()
    with store.reading() as connection:
        exposure_kinds = set(
            connection.execute(
                select(schema.rating.c.exposure).where(schema.rating.c.rater_id == who)
            ).scalars()
        )
    assert exposure_kinds == {"page"}


def test_a_tab_that_showed_everything_to_a_lead_marks_the_rater_it_becomes(
    page: Page, server: Server, store: Store, reader: Callable[..., int]
) -> None:
    page.goto(f"{server.url}/agreement?study=coaching_demo")
    click(page.get_by_role("button", name="I lead this study or read its results"))
    expect(page.get_by_role("table").first).to_be_visible()
    click(page.locator("a.sr-missed").first)  # a new page load, and so a new session
    click(page.get_by_role("button", name="Open the conversations"))
    click(page.get_by_role("button", name="Choose a name and rate"))
    expect(page.get_by_text("This tab has shown the labels of the whole study.")).to_be_visible()
    check_look(page)
    click(page.get_by_role("button", name="Reader 2", exact=True))
    click(page.get_by_role("button", name="Don't use it"))
    click(page.get_by_role("button", name="Reader 1", exact=True))
    click(page.get_by_role("button", name="Use the name Reader 1 and record this"))
    click(page.get_by_role("button", name="Open the conversations"))
    expect(page.locator(".facts")).to_contain_text("not blind")
    sit_down_somebody_else(page)
    expect(page.get_by_text("Choose your name.")).to_be_visible()
    wait_for_redraw(page)
    anew = page.context.new_page()  # what the page advises: a tab of one's own saw nothing
    anew.goto(f"{server.url}/review?study=coaching_demo")
    expect(anew.get_by_text("Choose your name.")).to_be_visible()
    expect(anew.get_by_text("This tab has shown the labels")).to_have_count(0)
    click(anew.get_by_role("button", name="Reader 2", exact=True))
    click(anew.get_by_role("button", name="Open the conversations"))
    expect(anew.locator(".facts")).to_contain_text("blind")
    with store.reading() as connection:
        assert connection.execute(select(schema.exposure.c.rater_id, schema.exposure.c.kind)).all() == [
            (reader("coaching_demo"), "page")
        ]


def test_the_log_and_the_address_hold_no_word_of_a_transcript(
    open_review: Callable[..., Page], server: Server
) -> None:
    page = open_review("coaching_example")
    page.keyboard.press("o")
    page.keyboard.type("a private remark")
    page.keyboard.press("Escape")
    rate_all(page, "yyyyyyyyyyy")
    expect(page.locator(".judgement").first).to_be_visible()
    written = server.log.read_text(encoding="utf-8", errors="replace") + page.url
    assert "overwhelmed" not in written and "private remark" not in written


def test_a_failure_of_the_judge_is_shown_as_what_it_is(
    open_review: Callable[..., Page], context: BrowserContext
) -> None:
    page = open_review("coaching_demo", unit=5)
    rate_all(page, "yyyyyyyyyyy")
    row = page.locator('[data-criterion="CQ9"]')
    expect(row).to_contain_text("judge: no answer · not compared")
    expect(row.locator(".shape")).to_have_text("·")
    row.locator(".name").click()
    expect(row.locator(".failure")).to_contain_text("the service withheld the reply")
    expect(page.locator(".score")).to_contain_text("no score: 1 without a label (CQ9)")
    expect(page.locator(".score")).not_to_contain_text("rejected")


def test_open_review_shows_the_judge_from_the_start_and_says_so(
    page: Page, open_review: Callable[..., Page], store: Store, tmp_path: Path
) -> None:
    folder = tmp_path / "open"
    folder.mkdir()
    source = ROOT / "data" / "samples" / "coaching_example"
    for file in source.iterdir():
        text = file.read_text(encoding="utf-8").replace("key: coaching_example", "key: opened\nreview: open")
        (folder / file.name).write_text(text, encoding="utf-8")
    study_folder.add_study(store, folder, ROOT / "configs/instruments", ROOT / "configs/taxonomies", "test")
    open_review("opened")
    expect(page.locator(".facts")).to_contain_text("open review")
    expect(page.locator(".row.focus .judgement")).to_contain_text("Understands overwhelm")
    rate_all(page, "yyyyyyyyyyy")
    expect(page.locator(".score")).to_be_visible()
    with store.reading() as connection:
        study = studies.find(connection, "opened")
        assert study is not None
        exposure_kinds = set(
            connection.execute(
                select(schema.rating.c.exposure).where(schema.rating.c.study_id == study.id)
            ).scalars()
        )
    assert exposure_kinds == {"open"}


def test_another_person_can_take_the_seat_and_nothing_waiting_is_misattributed(
    open_review: Callable[..., Page], store: Store, reader: Callable[..., int]
) -> None:
    page = open_review("coaching_example")
    page.keyboard.press("y")
    sit_down_somebody_else(page)
    click(page.get_by_role("button", name="Reader 2"))
    expect(page.locator(".bar .who .cut")).to_have_text("Reader 2")
    expect(page.locator(".workbench .row").first).to_be_visible()
    page.keyboard.press("n")
    saved(page)
    with store.reading() as connection:
        rows = connection.execute(
            select(schema.draft.c.rater_id, schema.draft.c.label).order_by(schema.draft.c.id)
        ).all()
    assert [tuple(row) for row in rows] == [
        (reader("coaching_example", "Reader 1"), "YES"),
        (reader("coaching_example", "Reader 2"), "NO"),
    ]


def test_keys_pressed_while_the_server_is_dead_are_saved_in_a_study_with_a_content_note(
    open_review: Callable[..., Page], server: Server, store: Store
) -> None:
    page = open_review("coaching_demo")
    page.keyboard.press("y")
    saved(page)
    server.kill()
    page.keyboard.press("n")
    server.start()
    saved(page)
    with store.reading() as connection:
        assert connection.execute(
            select(schema.draft.c.label).order_by(schema.draft.c.id)
        ).scalars().all() == ["YES", "NO"]


def test_a_commit_of_what_another_tab_changed_is_refused_and_shown(
    browser: Browser, server: Server, reader: Callable[..., int], store: Store
) -> None:
    tabs = []
    for _ in range(2):
        page = open_window(browser)
        visit(page, server, f"review?study=coaching_example&reader={reader('coaching_example')}")
        expect(page.locator(".row").first).to_be_visible()
        tabs.append(page)
    press_labels(tabs[0], "yyyyyyyyyyy")
    saved(tabs[0])
    tabs[1].keyboard.press("n")  # this tab did not see the other's answers
    saved(tabs[1])
    tabs[0].keyboard.press("Control+Enter")
    expect(tabs[0].locator(".message-line")).to_contain_text("is not the one on your screen")
    expect(tabs[0].locator('[data-criterion="CQ1"] .label')).to_have_text("No")
    with store.reading() as connection:
        assert connection.execute(select(schema.commit)).first() is None
    for page in tabs:
        page.close()


def test_a_skip_followed_by_a_key_rates_nothing(open_review: Callable[..., Page], store: Store) -> None:
    page = open_review("lend_an_ear")
    page.evaluate(
        """() => { for (const key of "q1") document.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true })); }"""
    )
    expect(page.locator(".units .here")).to_contain_text("2")
    saved(page)
    with store.reading() as connection:
        assert connection.execute(select(schema.draft)).first() is None


def test_undo_keeps_the_words_of_a_note(open_review: Callable[..., Page]) -> None:
    page = open_review("coaching_example")
    page.keyboard.press("o")
    page.keyboard.type("remember this")
    page.keyboard.press("Escape")
    page.keyboard.press("y")
    page.keyboard.press("Backspace")
    expect(page.locator(".row.focus .note")).to_have_value("remember this")
    expect(page.locator(".row.focus [aria-checked=true]")).to_have_count(0)


def test_a_system_prompt_is_not_sent_to_a_rater(
    page: Page, open_review: Callable[..., Page], store: Store, tmp_path: Path
) -> None:
    file = tmp_path / "prompted.jsonl"
    file.write_text(
        json.dumps(
            {
                "id": "p",
                "system_prompt": "You are condition B, the warm one",
                "turns": [{"user": "hello", "assistant": "hi"}],
            }
        ),
        encoding="utf-8",
    )
    configs = ROOT / "configs"
    new = NewStudy(
        StudySpec("prompted", "Prompted", 0),
        "coaching_rubric",
        None,
        ("Reader 1",),
        configs / "instruments",
        configs / "taxonomies",
    )
    importing.import_conversations(store, "prompted", file, "test", False, new)
    received = Received(page)
    open_review("prompted")
    expect(page.locator(".message")).to_have_count(2)
    assert "hello" in received.text() and "condition B" not in received.text()


def test_a_message_sent_before_the_unit_changed_does_not_bring_the_old_unit_back(
    page: Page, open_review: Callable[..., Page], database: Path
) -> None:
    """A slow store lets the browser ask again, with the address of the unit it still shows."""
    sent: list[object] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(frame)))
    open_review("lend_an_ear", note="seen")
    press_labels(page, "232111")
    expect(page.locator(".pad footer")).to_contain_text("all answered")
    saved(page)
    wait_for_redraw(page)
    with closing(sqlite3.connect(database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        before = len(sent)
        page.keyboard.press("Control+Enter")
        wait_until(page, lambda: len(sent) >= before + 3)  # the commit and two repetitions
        other.execute("ROLLBACK")
    expect(page.locator(".rail .count")).to_have_text(re.compile("^1 of "))
    saved(page)
    wait_for_redraw(page)  # the repetitions have been answered too
    expect(page.locator(".pad footer")).to_contain_text("6 left")
    page.keyboard.press("2")
    saved(page)
    page.go_back()
    expect(page.locator(".pad footer")).to_contain_text("Committed")
    page.wait_for_url("**unit=1*")


def test_what_waits_when_the_tab_is_closed_is_saved_by_the_next_one(
    open_review: Callable[..., Page], context: BrowserContext, server: Server, store: Store
) -> None:
    page = open_review("lend_an_ear", note="seen")
    address = page.url
    server.kill()
    for key in "232":
        page.keyboard.press(key)
    expect(page.locator(".saved")).to_contain_text("NOT SAVED YET")
    assert page.evaluate(
        "() => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))"
    )  # the browser asks before it leaves
    page.close()
    server.start()
    again = context.new_page()
    again.goto(address)
    expect(again.locator(".pad footer")).to_contain_text("3 left")
    saved(again)
    with store.reading() as connection:
        assert [row.label for row in connection.execute(select(schema.draft.c.label))] == ["2", "3", "2"]
    assert (
        again.evaluate(
            "() => Object.keys(localStorage).filter((name) => name.startsWith('second-reader-outbox')).length"
        )
        == 0
    )


def test_a_note_that_was_begun_when_the_tab_died_is_taken_by_the_next_one(
    open_review: Callable[..., Page], context: BrowserContext, store: Store
) -> None:
    """The label was saved before, and nobody has answered anything since."""
    page = open_review("lend_an_ear", note="seen")
    address = page.url
    page.keyboard.press("2")
    saved(page)
    page.keyboard.press("o")
    page.keyboard.type("she waits", delay=0)
    with suppress(PlaywrightError):
        page.goto("chrome://crash")
    again = context.new_page()
    again.goto(address)
    expect(again.locator(".row").first).to_be_visible()

    def last_draft() -> tuple[str, str]:
        with store.reading() as connection:
            unit = connection.execute(select(schema.draft.c.unit_id, schema.draft.c.rater_id)).first()
            assert unit is not None
            (answer,) = ratings.drafts(connection, unit.rater_id, unit.unit_id).values()
        return str(answer.label), answer.note

    wait_until(again, lambda: last_draft() == ("2", "she waits"))
    expect(again.locator(".message-line")).to_be_hidden()


@pytest.mark.parametrize("away", [0.0, 1.5])
def test_a_note_on_a_label_that_is_only_being_saved_is_taken_by_the_next_tab(
    open_review: Callable[..., Page], context: BrowserContext, server: Server, store: Store, away: float
) -> None:
    """The server is busy when the label comes, saves it after the tab is gone, and then sees the next tab."""
    page = open_review("lend_an_ear", note="seen")
    address = page.url
    with server.paused():
        page.keyboard.press("2")
        page.keyboard.press("o")
        page.keyboard.type("she waits", delay=0)
        time.sleep(away)
        page.close()
    again = context.new_page()
    again.goto(address)
    expect(again.locator(".row").first).to_be_visible()
    saved(again)
    expect(again.locator(".message-line")).to_be_hidden()
    with store.reading() as connection:
        unit = connection.execute(select(schema.draft.c.unit_id, schema.draft.c.rater_id)).first()
        assert unit is not None
        (answer,) = ratings.drafts(connection, unit.rater_id, unit.unit_id).values()
    assert (answer.label, answer.note) == ("2", "she waits")


def test_whoever_writes_when_commit_comes_too_early_goes_on_writing(
    open_review: Callable[..., Page], store: Store
) -> None:
    page = open_review("coaching_example")
    page.keyboard.press("o")
    page.keyboard.type("she says")
    page.keyboard.press("Control+Enter")
    page.keyboard.type(" no, anyway")
    expect(page.locator(".message-line")).to_contain_text("still to rate")
    page.keyboard.press("Escape")
    saved(page)
    with store.reading() as connection:
        drafts = connection.execute(
            select(schema.draft.c.label, schema.content.c.text).join(
                schema.content, schema.draft.c.note_content == schema.content.c.id
            )
        ).all()
    assert [row.label for row in drafts] == [None] * len(drafts)
    assert drafts[-1].text == "she says no, anyway"


def test_typing_without_a_pause_is_saved_on_the_way(open_review: Callable[..., Page], store: Store) -> None:
    page = open_review("coaching_example")
    page.keyboard.press("o")
    words = "a word and another one, and so on without end"
    page.keyboard.type(words, delay=130)
    saved(page)
    with store.reading() as connection:
        notes = (
            connection.execute(
                select(schema.content.c.text)
                .join(schema.draft, schema.draft.c.note_content == schema.content.c.id)
                .order_by(schema.draft.c.id)
            )
            .scalars()
            .all()
        )
    assert notes[-1] == words and notes[0].startswith("a word and") and notes[0] != words


def test_a_notice_goes_with_the_next_action(open_review: Callable[..., Page]) -> None:
    page = open_review("coaching_example")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".message-line")).to_contain_text("still to rate")
    page.keyboard.press("y")
    expect(page.locator(".message-line")).to_be_hidden()


def test_the_next_person_is_warned_of_the_content_and_begins_at_their_own_place(
    page: Page, open_review: Callable[..., Page]
) -> None:
    open_review("coaching_demo", note="seen", unit=3)
    sit_down_somebody_else(page)
    expect(page.get_by_text("Choose your name.")).to_be_visible()
    click(page.get_by_role("button", name="Reader 2"))
    expect(page.get_by_role("button", name="Open the conversations")).to_be_visible()
    assert "unit=3" not in page.url and "note=seen" not in page.url


def test_a_committed_label_and_the_reason_of_its_change_are_shown(open_review: Callable[..., Page]) -> None:
    page = open_review("lend_an_ear", note="seen")
    rate_all(page, "232111")
    expect(page.locator(".rail .count")).to_have_text(re.compile("^1 of "))
    page.keyboard.press("k")
    expect(page.locator(".row.focus .label")).to_contain_text("you")
    page.keyboard.press("g")
    page.keyboard.press("4")
    page.keyboard.type("read it again")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".row.focus")).to_contain_text("Your reason: read it again")
