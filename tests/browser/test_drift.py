"""Drift in a real browser: curves of conversations, and one click from a point to the turn that it is of."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from data.store.store import Store
from tests.browser.actions import MINUTE, click, download, focus, open_line, open_window, press, visit
from tests.browser.looks import check_look, take_picture
from tests.browser.serving import Server
from tests.studies.dated_study import put
from tests.studies.made_curves import FURTHEST, put_curves
from tests.studies.made_raters import NAMES, twelve_weeks
from tests.studies.simulated_studies import simulate

LABELS, LEVEL = (
    "Does it correlate with clinicians' labels?",
    "Does the judge rate higher or lower than clinicians?",
)


def test_it_is_accessible_and_fits(browser: Browser, server: Server, store: Store) -> None:
    put_curves(store)
    page = open_window(browser)
    visit(page, server, "drift?study=vera_mh&reader=lead")
    expect(page.locator(".js-plotly-plot")).to_be_visible()
    for line in ("Everything behind it", "One conversation, turn by turn", LABELS):
        open_line(page, line)
    expect(page.get_by_role("table", name="of a whole conversation and the mean")).to_be_visible()
    expect(page.locator(".js-plotly-plot").nth(1)).to_be_visible()
    check_look(page, "drift")
    page.close()


def test_a_click_on_a_point_opens_the_conversation_at_that_turn(
    page: Page, server: Server, store: Store
) -> None:
    put_curves(store)
    visit(page, server, "drift?study=vera_mh&reader=lead")
    expect(page.get_by_text("Click a grey point to open that turn.")).to_be_visible()
    points = (
        page.locator(".js-plotly-plot").first.locator(".scatterlayer .trace").first.locator(".points path")
    )
    expect(points.first).to_be_visible()
    click(points.nth(3), force=True)  # turn 1 has no value, so this is turn 5
    page.wait_for_url(re.compile(r"/review\?.*unit=\d+.*turn=5"))
    click(page.get_by_role("button", name="Open the conversations"))
    expect(page.get_by_text("Turn 5, which you opened.")).to_be_in_viewport()
    click(page.get_by_role("link", name="Drift", exact=True))  # within the app, where nothing is loaded anew
    expect(points.first).to_be_visible()
    click(points.nth(3), force=True)
    page.wait_for_url(re.compile(r"/review\?.*turn=5"))
    expect(page.get_by_text("Turn 5, which you opened.")).to_be_in_viewport()
    page.close()


def test_the_turn_where_care_is_furthest_from_the_plan_is_one_press_away(
    page: Page, server: Server, store: Store
) -> None:
    put_curves(store)
    visit(page, server, "drift?study=vera_mh&reader=lead")
    for line in ("Everything behind it", "One conversation, turn by turn"):  # begins with the furthest
        open_line(page, line)
    chart = page.locator(".js-plotly-plot").nth(1)
    expect(page.get_by_text(f"is least similar to its plan at turn {FURTHEST}").first).to_be_visible()
    bar = chart.locator(".barlayer .point path").nth(FURTHEST - 1)
    click(bar, force=True)
    page.wait_for_url(re.compile(rf"/review\?.*turn={FURTHEST}"))
    click(page.get_by_role("button", name="Open the conversations"))
    expect(page.get_by_text(f"Turn {FURTHEST}, which you opened.")).to_be_in_viewport()
    page.close()


def test_agreement_over_time_is_accessible_and_fits(browser: Browser, server: Server, store: Store) -> None:
    put(store, simulate("mix", 3))
    page = open_window(browser)
    visit(page, server, "drift?study=dated&reader=lead&part=time")
    judge = page.get_by_role("combobox").first
    focus(judge)
    press(page, "ArrowDown")
    click(page.get_by_role("option", name="Judge <one>"))
    expect(page.get_by_text("The mix of cases changed:")).to_be_visible()
    for line in ("Everything behind it", LEVEL):
        open_line(page, line)
    expect(page.locator(".js-plotly-plot").nth(1)).to_be_visible()
    chart = page.locator(".js-plotly-plot").first
    expect(chart.get_by_text("Judge <one>")).to_be_visible()
    expect(chart.get_by_text("with the mix of cases kept the same")).to_be_visible()
    open_line(page, "Agreement with the judge over time")
    expect(page.get_by_role("table", name="Agreement with the judge by week")).to_be_visible()
    check_look(page, "drift-time")
    page.close()


def test_the_raters_are_accessible_and_fit(
    browser: Browser, server: Server, store: Store, tmp_path: Path
) -> None:
    twelve_weeks(store, tmp_path, calibrated=4)
    page = open_window(browser)
    visit(page, server, "drift?study=weeks&reader=lead&part=raters")
    for line in ("Everything behind it", "Calibration rounds", "Steady?", "Faster or slower?"):
        open_line(page, line)
    open_line(page, "Stricter or more lenient?")
    expect(page.get_by_role("table", name="Calibration rounds")).to_be_visible()
    expect(page.locator(".picture > .sr-picture")).to_have_count(3)
    check_look(page)
    file = download(page.get_by_role("button", name="This table as CSV").first)
    rows = file.path().read_text(encoding="utf-8").splitlines()
    assert rows[0] == "Rater,Week from (UTC),Difference,95% interval,Labels" and not any(
        name in "\n".join(rows) for name in NAMES
    )
    take_picture(page, "drift-raters")
    page.close()


def test_a_judge_that_changed_is_told_on_the_first_screen(browser: Browser, server: Server) -> None:
    page = open_window(browser)
    visit(page, server, "drift?study=judge_change&reader=lead")
    answer = page.get_by_text(
        "Since the week of 23 March 2026, the judge rates 0.6 levels lower than before."
    )
    expect(answer).to_be_in_viewport(timeout=MINUTE)
    expect(page.get_by_text("The judge changed: over all its answers, its levels fall")).to_be_in_viewport()
    for line in ("Everything behind it", LEVEL):
        open_line(page, line)
    title = "The judge compared with the clinicians: 0.6 levels lower since the week of 23 March 2026"
    expect(page.locator(".sr-chart-title", has_text=title)).to_be_visible()
    chart = page.locator(".st-key-time-level .js-plotly-plot")
    expect(chart).to_be_visible(timeout=MINUTE)
    expect(chart.locator(".scatterlayer .point")).to_have_count(18)
    expect(page.locator(".js-plotly-plot")).to_have_count(2)
    check_look(page, "drift-judge-change")
    chart.scroll_into_view_if_needed()
    take_picture(page, "drift-level")
    page.close()
