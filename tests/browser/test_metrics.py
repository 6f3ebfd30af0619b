"""The metrics beside the rating, in a real browser: what is shown, when, and that no label is ever made of
it.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from sqlalchemy import select

from data import schema
from data.record import metrics, references, studies
from data.record.metrics import MetricValue
from data.record.references import STUDY, Kind, condition_scope, conversation_scope
from data.store.store import Store
from runs.scoring import score_study
from tests.browser.actions import (
    click,
    expect_value,
    open_as_lead,
    open_window,
    press,
    press_labels,
    visit,
    wait_for_redraw,
)
from tests.browser.conftest import begin_reading, rate_all, saved
from tests.browser.looks import check_look, take_picture
from tests.browser.serving import FreshServer, Server
from tests.browser.test_never_break import EVIL, Received
from tests.studies import importing

Open = Callable[..., Page]


@pytest.fixture
def database(scored_file: Path, tmp_path: Path) -> Path:
    """A copy of the sample studies with everything computed."""
    return Path(shutil.copy(scored_file, tmp_path / "store.sqlite"))


def put(store: Store, key: str, kind: Kind, scope: str, body: Any, score: bool = True) -> None:
    with store.reading() as connection:
        study = studies.find(connection, key)
    assert study is not None
    with store.writing("tests", "import a reference", study.id) as (connection, entry):
        assert references.put(connection, entry, study, kind, scope, body, "tests")
    if score:
        assert score_study(store, key, "tests").problems == []


def stored(store: Store, conversation: str) -> dict[tuple[str, str], MetricValue]:
    """The numbers of one conversation of the demonstration that come from no judge."""
    with store.reading() as connection:
        row = connection.execute(
            select(schema.conversation.c.id, schema.conversation.c.study_id).where(
                schema.conversation.c.key == conversation
            )
        ).one()
        return {(m.metric, m.variant): m for m in metrics.present(connection, row.study_id, row.id)}


def tab(page: Page) -> Locator:
    return page.locator(".pad.showing-metrics")


def block(page: Page, title: str) -> Locator:
    return page.locator(".metric").filter(has=page.locator("h3", has_text=title))


def cells(table: Locator) -> list[list[str]]:
    rows: list[list[str]] = table.evaluate(
        "node => [...node.querySelectorAll('tbody tr')].map((row) => [...row.children].map((cell) => "
        "cell.textContent))"
    )
    return rows


def open_tab(page: Page) -> None:
    press(page, "w")
    expect(tab(page)).to_be_visible()
    wait_for_redraw(page)


def show_steps(page: Page) -> None:
    """Ask how the steps meet, without having said anything of a pair."""
    click(page.get_by_role("button", name="Show how the steps match"))
    expect(block(page, "Step-F1:")).to_be_visible()


def drafts(store: Store) -> list[tuple[str, str | None]]:
    with store.reading() as connection:
        return [
            tuple(row)
            for row in connection.execute(
                select(schema.draft.c.criterion, schema.draft.c.label).order_by(schema.draft.c.id)
            )
        ]


# ---- opening and closing ----


def test_w_opens_the_metrics_and_closes_them(open_review: Open) -> None:
    page = open_review("coaching_demo", unit=3)
    expect(page.locator(".row.focus")).to_be_visible()
    open_tab(page)
    expect(page.locator(".row")).to_have_count(0)
    for title in ("Session goal alignment", "Do these steps say the same?", "Recall of critical entities"):
        expect(block(page, title)).to_have_count(1)
    page.keyboard.press("w")
    expect(tab(page)).to_have_count(0)
    expect(page.locator(".row.focus")).to_have_attribute("data-criterion", "CQ1")


def test_escape_and_the_buttons_do_the_same(open_review: Open) -> None:
    page = open_review("coaching_demo", unit=3)
    open_tab(page)
    page.keyboard.press("Escape")
    expect(tab(page)).to_have_count(0)
    click(page.get_by_role("button", name="Metrics W"))
    expect(tab(page)).to_be_visible()
    expect(page.get_by_role("button", name="Metrics W")).to_have_attribute("aria-pressed", "true")
    click(page.get_by_role("button", name="Rating", exact=True))
    expect(tab(page)).to_have_count(0)


def test_the_next_unit_begins_with_the_rating(open_review: Open) -> None:
    page = open_review("coaching_demo", unit=3)
    open_tab(page)
    page.keyboard.press("j")
    expect(page.locator(".units .here")).to_contain_text("4")
    expect(page.locator(".row.focus")).to_be_visible()
    expect(tab(page)).to_have_count(0)


@pytest.mark.parametrize(("study", "unit"), [("coaching_demo", 1), ("plan_demo", 1), ("lend_an_ear", 1)])
def test_a_conversation_without_metrics_has_no_tab(open_review: Open, study: str, unit: int) -> None:
    page = open_review(study, unit=unit)
    expect(page.locator(".pad .tabs")).to_have_count(0)
    page.keyboard.press("w")
    expect(page.locator(".message-line")).to_have_text("This one has no metrics.")
    expect(page.locator(".row.focus")).to_be_visible()


# ---- what is shown ----


def test_the_numbers_of_the_curve_are_the_stored_ones(open_review: Open, store: Store) -> None:
    page = open_review("coaching_demo", unit=3)
    open_tab(page)
    numbers = stored(store, "demo-03")
    goal = block(page, "Session goal alignment")
    click(goal.get_by_text("Numbers by turn"))
    windowed, truncated = (
        numbers["goal_alignment", "actions/windowed"].detail,
        numbers["goal_alignment", "actions/truncated"].detail,
    )

    def said(value: float | None) -> str:
        return "none" if value is None else f"{value:.3f}"

    expected = [
        [f"turn {turn}", said(w), said(t), said(local), str(n)]
        for turn, (w, t, local, n) in enumerate(
            zip(windowed["curve"], truncated["curve"], windowed["local"], truncated["tokens"], strict=True),
            start=1,
        )
    ]
    assert cells(goal.locator("details table").first) == expected
    assert expected[0][1:4] == ["none", "none", "none"] and expected[-1][1] != "none"
    assert cells(goal.locator("table").first) == [
        [
            name,
            *(
                said(numbers["goal_alignment", f"{mode}/{variant}"].value)
                for variant in ("windowed", "truncated")
            ),
        ]
        for name, mode in (("clinical actions", "actions"), ("everything said", "full"))
    ]
    dots = goal.locator("svg circle title").evaluate_all("nodes => nodes.map((node) => node.textContent)")
    lines = [
        f"turn {turn}, {name}: {value:.3f}"
        for name, curve in (("windows", windowed["curve"]), ("beginning only", truncated["curve"]))
        for turn, value in enumerate(curve, start=1)
        if value is not None
    ]
    assert dots == lines


def test_a_gap_in_the_curve_is_no_line_to_zero(open_review: Open, store: Store) -> None:
    page = open_review("coaching_demo", unit=3)
    open_tab(page)
    curve = stored(store, "demo-03")["goal_alignment", "actions/windowed"].detail["curve"]
    drawn = page.locator(".metric svg path.line").first.get_attribute("d") or ""
    assert len(re.findall("[ML]", drawn)) == len([value for value in curve if value is not None]) < len(curve)


def test_the_entities_and_steps_are_the_stored_ones(open_review: Open, store: Store) -> None:
    page = open_review("coaching_demo", unit=3)
    open_tab(page)
    numbers = stored(store, "demo-03")
    entities = block(page, "Recall of critical entities")
    click(entities.get_by_text("Numbers by turn"))
    assert cells(entities.locator("details table")) == [
        [f"turn {turn}", f"{value:.3f}"]
        for turn, value in enumerate(numbers["entity_recall", "searched"].detail["curve"], start=1)
    ]
    expect(entities).to_contain_text("dementia, pills, fourteen months, brother, GP, red light")
    show_steps(page)
    steps = block(page, "Step-F1")
    expect(steps.locator(":scope > .pair")).to_have_count(2)
    expect(steps.locator(".pair").first).to_contain_text(
        f"Dice {numbers['step_f1', 'published'].detail['pairs'][0][2]:.2f}"
    )
    assert steps.locator(".pair").first.locator("u").count() > 4


def test_pairs_of_steps_are_rated_before_their_score_is_on_the_page(open_review: Open, store: Store) -> None:
    page = open_review("coaching_demo", unit=3)
    open_tab(page)
    pairs = block(page, "Do these steps say the same?")
    count = pairs.locator(".pair").count()
    assert count > 2 and "Dice" not in tab(page).inner_text()
    assert pairs.locator("u").count() == 0
    first = pairs.locator(".pair").first
    click(first.get_by_role("radio", name="not the same"))
    click(first.get_by_role("radio", name="in part"))
    expect(first.get_by_role("radio", name="in part")).to_have_attribute("aria-checked", "true")
    expect(pairs).to_contain_text(f"1 of {count} answered. You can't answer the others once this is shown.")
    saved(page)
    page.reload()
    begin_reading(page)
    open_tab(page)
    expect(first.get_by_role("radio", name="in part")).to_have_attribute("aria-checked", "true")
    with store.reading() as connection:
        rows = connection.execute(select(schema.step_pair_rating)).all()
    assert [(row.verdict, row.replaces) for row in rows] == [("wrong", None), ("partly", rows[0].id)]
    show_steps(page)
    expect(pairs).to_have_count(0)
    expect(block(page, "Step-F1: 0.091")).to_contain_text("Dice")


def test_the_published_bands_are_off_until_asked_for_and_called_uncalibrated(open_review: Open) -> None:
    page = open_review("coaching_demo", unit=3)
    open_tab(page)
    goal = block(page, "Session goal alignment")
    expect(goal.locator(".guide")).to_have_count(0)
    click(goal.get_by_role("button", name="show the published bands"))
    expect(goal.locator(".guide")).to_have_count(2)
    expect(goal).to_contain_text("Uncalibrated")
    expect(tab(page)).to_be_visible()


def test_a_stale_reference_is_said(open_review: Open, store: Store) -> None:
    put(
        store,
        "coaching_demo",
        "target_plan",
        conversation_scope("demo-03"),
        "Another plan altogether.",
        score=False,
    )
    page = open_review("coaching_demo", unit=3)
    open_tab(page)
    expect(block(page, "Session goal alignment").locator(".failure")).to_contain_text(
        "out of date. A study lead can compute them again"
    )
    show_steps(page)
    expect(block(page, "Step-F1").locator(".failure")).to_have_count(0)


def test_a_plan_full_of_markup_is_text(open_review: Open, store: Store) -> None:
    put(store, "coaching_demo", "target_plan", conversation_scope("demo-03"), " ".join(EVIL))
    put(store, "coaching_demo", "critical_entities", conversation_scope("demo-03"), EVIL)
    page = open_review("coaching_demo", unit=3)
    open_tab(page)
    click(page.get_by_text("Plan of care"))
    assert block(page, "Session goal alignment").locator("p.text").evaluate(
        "node => node.textContent"
    ) == " ".join(EVIL)
    for text in EVIL:
        assert text in (block(page, "Critical entities").text_content() or "")
    assert page.evaluate("window.hurt") is None
    expect(page.locator(".metric img, .metric iframe, .metric script, .metric style")).to_have_count(0)


# ---- no label is made of it ----


def test_no_key_rates_anything_while_the_metrics_are_open(open_review: Open, store: Store) -> None:
    page = open_review("coaching_demo", unit=3)
    open_tab(page)
    for key in (
        "y",
        "n",
        "a",
        "1",
        "2",
        "x",
        "1",
        "d",
        "n",
        "f",
        "e",
        "o",
        "Backspace",
        "Enter",
        "ArrowLeft",
        "g",
        "i",
    ):
        page.keyboard.press(key)
    expect(page.locator(".message-line")).to_have_text("These are the metrics. Press W to go back to rating.")
    expect(tab(page)).to_be_visible()
    page.keyboard.press("w")
    expect(page.locator(".row [aria-checked=true]")).to_have_count(0)
    expect(page.locator(".row.focus")).to_have_attribute("data-criterion", "CQ1")
    page.keyboard.press("n")  # the control: now the same key does rate
    saved(page)
    assert drafts(store) == [("CQ1", "NO")]


def test_a_window_that_was_open_on_the_pad_is_closed_with_it(open_review: Open, store: Store) -> None:
    page = open_review("coaching_demo", unit=3)
    page.keyboard.press("x")  # cannot rate, because ...: now a number is a reason
    expect(page.locator(".cannot")).to_be_visible()
    open_tab(page)
    page.keyboard.press("1")
    page.keyboard.press("w")
    page.keyboard.press("1")
    page.keyboard.press("y")
    saved(page)
    assert drafts(store) == [("CQ1", "YES")]


def test_ctrl_enter_leaves_the_metrics_and_says_what_is_open(open_review: Open, store: Store) -> None:
    page = open_review("coaching_demo", unit=3)
    page.keyboard.press("y")
    open_tab(page)
    page.keyboard.press("Control+Enter")
    expect(tab(page)).to_have_count(0)
    expect(page.locator(".message-line")).to_have_text("11 criteria are still to rate.")
    expect(page.locator(".row.focus")).to_have_attribute("data-criterion", "CQ2")
    saved(page)
    with store.reading() as connection:
        assert connection.execute(select(schema.commit)).first() is None


def test_ctrl_enter_commits_what_is_complete_from_the_metrics_too(open_review: Open, store: Store) -> None:
    page = open_review("coaching_demo", unit=3)
    press_labels(page, "yyyyyyyyyyyy")
    expect(page.locator(".pad footer")).to_contain_text("all answered")
    open_tab(page)
    page.keyboard.press("Control+Enter")
    expect(page.locator(".score")).to_be_visible()
    expect(tab(page)).to_have_count(0)
    with store.reading() as connection:
        assert len(connection.execute(select(schema.commit)).all()) == 1


def test_the_metrics_scroll_with_the_arrows(open_review: Open) -> None:
    page = open_review("coaching_demo", unit=3)
    open_tab(page)
    rows = page.locator(".pad .rows")
    expect_value(rows, "node => [node.scrollTop, node.scrollHeight > node.clientHeight]", [0, True])
    for _ in range(5):
        page.keyboard.press("ArrowDown")
    expect_value(rows, "node => node.scrollTop > 100", True)
    for _ in range(6):
        page.keyboard.press("ArrowUp")
    expect_value(rows, "node => node.scrollTop", 0)
    expect(page.locator(".message-line")).to_be_hidden()


def test_the_folded_parts_open_with_the_keyboard(open_review: Open) -> None:
    page = open_review("coaching_demo", unit=3)
    open_tab(page)
    summary = block(page, "Session goal alignment").locator("summary").first
    for key, state in (("Enter", True), ("Space", False)):
        summary.focus()
        page.keyboard.press(key)
        expect_value(summary, "node => node.parentElement.open", state)
    expect(page.locator(".message-line")).to_be_hidden()


# ---- nothing of the judge before its time ----

JUDGES_NUMBER = "0.8583333333333333"  # the rubric score of unit 2 by the demonstration's judge


def test_no_number_of_the_judge_reaches_the_browser_before_the_commit(
    page: Page, open_review: Open, store: Store
) -> None:
    put(
        store, "coaching_demo", "critical_entities", STUDY, ["report", "manager", "work"]
    )  # so that every unit has a tab
    received = Received(page)
    open_review("coaching_demo", unit=2)
    open_tab(page)
    expect(block(page, "Recall of critical entities")).to_be_visible()
    page.keyboard.press("w")
    press_labels(page, "yyyyyyyyyyyy")
    saved(page)
    before = received.text()
    assert '"entities":' in before
    for secret in (
        JUDGES_NUMBER,
        "rubric_score",
        '"gate_failed":',
        "Demonstration judge",
        "Clinician A",
        "demo-02",
    ):
        assert secret not in before
    page.keyboard.press(
        "Control+Enter"
    )  # the control: afterwards it does arrive, so the check above can fail
    expect(page.locator(".score")).to_be_visible()
    open_tab(page)
    expect(block(page, "Rubric score from Demonstration judge's labels: 0.858")).to_be_visible()
    after = received.text()
    assert (
        JUDGES_NUMBER in after
        and "rubric_score" in after
        and '"gate_failed":' in after
        and "Demonstration judge" in after
    )
    with store.reading() as connection:
        others = {
            str(m.value)
            for m in metrics.present(connection, _study_id(store, "coaching_demo"), judges=True)
            if m.metric == "rubric_score" and m.value not in (None, 1.0, 0.7, 0.9, 0.725, 0.8583333333333333)
        }
    assert len(others) >= 2 and not [number for number in others if number in after], (
        "only this unit's number was revealed"
    )


def _study_id(store: Store, key: str) -> int:
    with store.reading() as connection:
        study = studies.find(connection, key)
    assert study is not None
    return study.id


def test_no_number_of_the_judge_reaches_a_rater_on_the_metrics_page(
    page: Page, server: Server, reader: Callable[..., int], store: Store
) -> None:
    received = Received(page)
    visit(page, server, f"metrics?study=coaching_demo&reader={reader('coaching_demo')}")
    expect(page.get_by_text("left to rate blind")).to_be_visible()
    expect(page.get_by_text("that you have finished rating")).to_be_visible()
    before = received.text() + page.content()
    for secret in ("0.858", "0.725", "rubric score", "Demonstration judge", "demo-03"):
        assert secret not in before
    click(page.get_by_role("button", name="Show the whole study"))
    click(page.get_by_role("button", name="Show it and record this"))
    expect(page.get_by_text("0.858, pass").first).to_be_visible()
    assert "Demonstration judge" in received.text()
    with store.reading() as connection:
        kinds = (
            connection.execute(
                select(schema.exposure.c.kind).where(schema.exposure.c.rater_id == reader("coaching_demo"))
            )
            .scalars()
            .all()
        )
    assert kinds == ["page"]


def test_a_plan_kept_for_a_condition_comes_with_the_commit(
    page: Page, open_review: Open, store: Store, tmp_path: Path
) -> None:
    file = tmp_path / "talks.jsonl"
    file.write_text(
        json.dumps(
            {
                "id": "c2",
                "condition": "lukewarm",
                "turns": [
                    {
                        "user": "hello",
                        "assistant": "Let us assess the risk and plan a follow-up with your doctor.",
                    }
                ],
            }
        ),
        encoding="utf-8",
    )
    importing.import_conversations(store, "coaching_example", file, "tests")
    put(
        store,
        "coaching_example",
        "target_plan",
        condition_scope("lukewarm"),
        "Assess Quixotic risk and follow up.",
    )
    received = Received(page)
    open_review("coaching_example", unit=2)
    expect(page.locator(".pad .tabs")).to_have_count(0)
    before = received.text()
    assert "Quixotic" not in before and "lukewarm" not in before and '"windowed"' not in before
    rate_all(page, "y" * 10)
    expect(page.locator(".units .here")).to_contain_text("1")
    page.keyboard.press("j")
    expect(page.locator(".pad footer")).to_contain_text("Committed")
    open_tab(page)
    click(page.get_by_text("Plan of care"))
    expect(block(page, "Session goal alignment")).to_contain_text("Quixotic")
    assert "Quixotic" in received.text()


def test_after_the_reveal_each_strategy_stands_with_score_and_reasoning(open_review: Open) -> None:
    page = open_review("plan_demo")
    rate_all(page, "21")
    expect(page.locator(".judgement").first).to_be_visible()
    open_tab(page)
    alignment_block = block(page, "Plan-output alignment from Demonstration judge's labels: 1.000")
    expect(alignment_block.locator(".judgement")).to_have_count(2)
    for name, reason in (
        ("ormaliz", "what legs do when something matters"),
        ("laboration", "It asks for one particular moment"),
    ):
        judgement_block = alignment_block.locator(".judgement").filter(has_text=name)
        expect(judgement_block).to_contain_text("2 of 2")
        expect(judgement_block.locator("blockquote")).to_contain_text(reason)


def test_a_failed_call_is_no_score_of_0(open_review: Open) -> None:
    page = open_review("plan_demo", unit=9)
    rate_all(page, "11")
    expect(page.locator(".pad footer")).to_contain_text("Committed")
    open_tab(page)
    found = block(page, "Plan-output alignment from Demonstration judge's labels: none")
    expect(found.get_by_text("no score: the call failed or gave none")).to_have_count(2)
    expect(found).not_to_contain_text("0 of 2")


# ---- for everybody, at every hour ----


def test_the_tab_and_the_page_are_accessible(
    browser: Browser, server: Server, reader: Callable[..., int]
) -> None:
    page = open_window(browser)
    visit(page, server, f"review?study=coaching_demo&reader={reader('coaching_demo')}&unit=3")
    click(page.get_by_role("button", name="Open the conversations"))
    expect(page.locator(".row").first).to_be_visible()
    open_tab(page)
    check_look(page, "metrics-tab")
    click(page.get_by_role("button", name="show the published bands"))
    for summary in page.locator(".metric summary").all():
        click(summary)
    check_look(page)
    assert page.locator(".pad .rows").evaluate("node => node.scrollWidth <= node.clientWidth")
    take_picture(page, "metrics-tab-open")
    page.locator(".pad .rows").evaluate("node => { node.scrollTop = 900; }")
    take_picture(page, "metrics-tab-pairs")
    show_steps(page)
    page.locator(".pad .rows").evaluate("node => { node.scrollTop = 900; }")
    take_picture(page, "metrics-tab-steps")
    open_as_lead(page, f"{server.url}/metrics?study=coaching_demo&reader=lead")
    expect(page.get_by_role("button", name="Rubric score from Demonstration judge's labels")).to_be_visible()
    check_look(page, "metrics")
    click(page.get_by_role("button", name="Rubric score from Demonstration judge's labels"))
    expect(page.get_by_role("heading", name="Rubric score from Demonstration judge's labels")).to_be_visible()
    expect(page.locator(".js-plotly-plot").first).to_be_visible()
    check_look(page, "metrics-opened")
    click(page.get_by_text("All details"))
    expect(page.get_by_text("0.858, pass").first).to_be_visible()
    check_look(page, "metrics-everything")
    open_as_lead(page, f"{server.url}/metrics?study=plan_demo&reader=lead")
    click(page.get_by_text("All details"))
    expect(page.get_by_text("judged trials only")).to_be_visible()
    check_look(page, "metrics-plans")
    page.close()


def test_a_metric_opens_below_the_lines_one_at_a_time(page: Page, server: Server) -> None:
    visit(page, server, "metrics?study=coaching_demo&reader=lead")
    steps = page.get_by_role("button", name="Step-F1", exact=True)
    rubric = page.get_by_role("button", name="Rubric score from Demonstration judge's labels")
    click(steps)
    expect(page.get_by_role("heading", name="Step-F1", exact=True)).to_be_visible()
    expect(steps).to_have_attribute("aria-expanded", "true")
    expect(page.get_by_test_id("stDataFrame")).to_be_visible()
    rubric.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Rubric score from Demonstration judge's labels")).to_be_visible()
    expect(page.get_by_role("heading", name="Step-F1", exact=True)).to_have_count(0)
    expect(steps).to_have_attribute("aria-expanded", "false")
    expect(rubric).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Rubric score from Demonstration judge's labels")).to_have_count(
        0
    )
    expect(rubric).to_have_attribute("aria-expanded", "false")


def test_a_fresh_process_shows_the_metrics_page_inside_the_app(page: Page, fresh_server: FreshServer) -> None:
    """The first request of a new process is a deep link; only app.py draws the navigation."""
    page.goto(f"{fresh_server.url}/metrics?study=coaching_demo")
    expect(page.get_by_role("navigation", name="Second Reader")).to_be_visible()
    expect(page.get_by_text("Choose your name.")).to_be_visible()
    assert "Demonstration judge" not in page.content() and "0.091" not in page.content()


def test_from_the_metrics_page_a_rater_comes_to_a_unit_that_was_rated(
    page: Page, open_review: Open, server: Server, reader: Callable[..., int]
) -> None:
    open_review("coaching_demo", unit=14)
    rate_all(page, "y" * int(page.locator(".pad footer span").first.inner_text().split()[0]))
    expect(page.locator(".rail .count")).to_contain_text("1 of")
    visit(page, server, f"metrics?study=coaching_demo&reader={reader('coaching_demo')}")
    click(page.get_by_role("link", name="Conversation 14", exact=True))
    begin_reading(page)
    expect(page.locator(".units .here")).to_contain_text("14")
    open_tab(page)
    show_steps(page)
    expect(block(page, "Step-F1: 0.133")).to_be_visible()


def test_no_word_of_a_reference_stands_in_the_log_or_the_address(open_review: Open, server: Server) -> None:
    page = open_review("coaching_demo", unit=3)
    open_tab(page)
    click(page.get_by_text("Plan of care"))
    written = server.log.read_text(encoding="utf-8", errors="replace") + page.url
    assert not [word for word in ("carer", "dementia", "respite", "demo-03") if word in written]
