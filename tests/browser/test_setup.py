"""Set-up: a lead sets up four raters in one go, makes gold while reading, chooses a calibration set from a list, and
tries a new version of the rubric; every part fits its window and says little before something is opened.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from data.record import studies, units
from data.record.studies import Study
from data.store.store import Store
from data.work import calibration, certification, draws, setup
from data.work import plan as plans
from data.work.plan import WorkPlan
from tests.browser.actions import (
    click,
    click_in_succession,
    fill,
    open_window,
    press,
    visit,
    wait_for_redraw,
    wait_until,
)
from tests.browser.looks import check_look, resize
from tests.browser.serving import Server

KEY = "coaching_demo"
LEAD = f"study={KEY}&reader=lead"
PAGES = {
    "stands": f"lead?{LEAD}&part=How it stands",
    "plan": f"lead?{LEAD}&part=Plan",
    "drawn": f"lead?{LEAD}&part=What is rated",
    "practice": f"lead?{LEAD}&part=Practice",
    "count": f"lead?{LEAD}&part=Whose labels count",
    "plans": f"plans?{LEAD}",
    "instrument": f"instrument?{LEAD}",
    "gold": f"gold?{LEAD}&unit=4&note=seen",
}
WORDS = "() => document.querySelector('[data-testid=stMainBlockContainer]').innerText.split(/\\s+/).length"
HEIGHT = "() => document.querySelector('[data-testid=stMain]').scrollHeight"


@pytest.fixture
def study(store: Store) -> Study:
    with store.reading() as connection:
        return studies.get_by_key(connection, KEY)


def plan_work(store: Store, study: Study) -> None:
    with store.writing("lead", "plan", study.id) as (connection, entry):
        setup.new_plan(connection, entry, study, WorkPlan(repeats=0.0))
        draws.draw(connection, entry, study, draws.read_spec({"method": "all"}), 0)
        setup.open_drawn_units(connection, study)


def open_pad(page: Page, server: Server, unit: int) -> None:
    visit(page, server, f"gold?{LEAD}&unit={unit}&note=seen")
    expect(page.locator(".lead .row.focus")).to_be_visible()


def test_every_part_says_its_answer_first_and_fits(
    browser: Browser, server: Server, store: Store, study: Study
) -> None:
    plan_work(store, study)
    page = open_window(browser)
    for name, address in PAGES.items():
        visit(page, server, address)
        expect(page.get_by_role("heading", level=1).first).to_be_visible()
        wait_for_redraw(page)
        assert page.evaluate(WORDS) <= 120, name
        assert page.evaluate(HEIGHT) <= 768, name
        check_look(page)
        resize(page, 390, 800)
        assert page.evaluate(WORDS) <= 120, name
        check_look(page)
        resize(page, 1366, 768)
    page.close()


def test_four_raters_with_overlap_two_take_a_lead_one_field_and_one_press(
    page: Page, server: Server, store: Store, study: Study, context: BrowserContext
) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    visit(page, server, f"lead?{LEAD}")
    fill(page.get_by_role("textbox", name="Add raters"), "Ada, Bea, Cleo, Dora")
    click(page.get_by_role("button", name="Save the plan"))
    expect(page.get_by_text("Hand out the links.")).to_be_visible()
    expect(page.get_by_role("heading", level=1, name="0 of 28 ratings have been made.")).to_be_visible()
    click(page.get_by_role("button", name="Copy the link for Cleo"))
    expect(page.get_by_text("Copied the link for Cleo.")).to_be_visible()
    expect(page.get_by_text("These links work only on this computer")).to_be_visible()
    link = page.evaluate("navigator.clipboard.readText()")
    with store.reading() as connection:
        plan = plans.current(connection, study.id)
        cleo = next(rater for rater in studies.raters(connection, study.id) if rater.name == "Cleo")
    assert plan is not None and plan.overlap == 2
    assert link == f"{server.url}/my_work?study={KEY}&reader={cleo.id}"
    row = page.get_by_role("row", name=re.compile("Cleo"))
    assert row.get_by_role("link").get_attribute("href") == f"my_work?study={KEY}&reader={cleo.id}"


def test_the_details_of_a_rater_open_with_the_keyboard_and_have_an_address(
    page: Page, server: Server, store: Store, study: Study
) -> None:
    plan_work(store, study)
    visit(page, server, PAGES["stands"])
    name = page.get_by_role("button", name="Reader 2", exact=False)
    expect(name.first).to_be_visible()
    wait_for_redraw(page)
    name.first.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=3, name="If Reader 2 leaves")).to_be_visible()
    page.wait_for_url("**rater=*")
    page.reload()
    expect(page.get_by_role("heading", level=3, name="If Reader 2 leaves")).to_be_visible()
    check_look(page)


def test_a_part_is_left_with_one_press_of_back(page: Page, server: Server) -> None:
    visit(page, server, f"lead?{LEAD}&part=Plan")
    click(page.get_by_role("radio", name="Whose labels count"))
    expect(page.get_by_role("heading", level=1, name=re.compile("Nobody is set aside"))).to_be_visible()
    page.go_back()
    expect(page.get_by_role("heading", level=1, name=re.compile("14 conversations"))).to_be_visible()


def test_gold_is_made_with_the_keyboard_while_reading(
    page: Page, server: Server, store: Store, study: Study
) -> None:
    plan_work(store, study)
    open_pad(page, server, 4)
    expect(page.locator(".lead .transcript")).to_contain_text("I moved here for the job in February")
    wait_for_redraw(page)
    page.keyboard.press("y")
    expect(page.locator(".row.focus")).to_have_attribute("data-criterion", "CQ2")
    page.keyboard.press("n")
    expect(page.locator(".row.focus")).to_have_attribute("data-criterion", "CQ3")
    page.keyboard.press("y")
    expect(page.locator(".row.focus")).to_have_attribute("data-criterion", "CQ4")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Backspace")
    fill(page.get_by_label("Reason, for raters to learn from"), "The job is not what hurts.")
    fill(page.get_by_label("Whose labels?"), "Dr Gold")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".lead .saved")).to_have_text("saved 2 labels as the expert's")
    with store.reading() as connection:
        (labels,) = certification.gold_labels(connection, study).values()
        assert {criterion: label.label for criterion, label in labels.items()} == {"CQ1": "YES", "CQ2": "NO"}
        assert labels["CQ1"].said_by == "Dr Gold" and labels["CQ1"].reason == "The job is not what hurts."
    check_look(page)
    click(page.get_by_role("link", name="Practice"))
    expect(
        page.get_by_role(
            "heading", level=1, name="1 conversation with an expert's labels, and no calibration round."
        )
    ).to_be_visible()
    click(page.get_by_role("link", name="Conversation 4"))
    expect(
        page.get_by_role("heading", level=1, name="Conversation 4, with the expert's labels")
    ).to_be_visible()
    expect(page.locator("[data-criterion=CQ2] .label")).to_have_text("No")
    click(page.get_by_role("link", name="Practice"))
    expect(page.get_by_role("link", name="Conversation 4")).to_be_visible()
    with store.writing("Dr Silver", "gold labels", study.id) as (connection, entry):
        unit = units.at_position(connection, study.id, 4)
        assert unit is not None
        certification.put_gold(connection, entry, study, unit, {"CQ2": "YES"}, "Dr Silver", "")
    click(page.get_by_role("link", name="Conversation 4"))
    expect(page.locator("[data-criterion=CQ2] .label")).to_have_text("Yes")


def test_what_was_not_saved_is_told_and_kept_in_the_window(
    page: Page, server: Server, store: Store, study: Study
) -> None:
    plan_work(store, study)
    open_pad(page, server, 4)
    press(page, "y")
    expect(page.locator(".row.focus")).to_have_attribute("data-criterion", "CQ2")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("alert").filter(has_text="Say whose labels these are.")).to_be_visible()
    expect(page.locator("[data-criterion=CQ1] .label")).to_have_text("Yes")
    with store.reading() as connection:
        assert certification.gold_labels(connection, study) == {}


def test_a_double_click_gives_one_label_of_the_expert(
    page: Page, server: Server, store: Store, study: Study
) -> None:
    plan_work(store, study)
    open_pad(page, server, 4)
    for number in (1, 2):  # the next question may have come under the mouse in between
        click_in_succession(page.locator(".row.focus [role=radio]").first, number)
        expect(page.locator(".row.focus")).to_have_attribute("data-criterion", "CQ2")
    expect(page.locator(".saved")).to_have_text("A double click is taken as one click.")
    press(page, "ArrowDown")
    expect(page.locator("[data-criterion=CQ1] .label")).to_have_text("Yes")
    expect(page.locator("[data-criterion=CQ2] .label")).to_have_text("")


def test_a_conversation_is_chosen_from_the_list_and_opened_to_be_labelled(
    page: Page, server: Server, store: Store, study: Study
) -> None:
    plan_work(store, study)
    visit(page, server, PAGES["practice"])
    choose_rows(page, 1)
    expect(page.get_by_text("Chosen: 2")).to_be_visible()
    click(page.get_by_role("button", name="Set the expert's labels"))
    click(page.get_by_role("button", name="Open the conversations"))
    expect(
        page.get_by_role("heading", level=1, name="Conversation 2, without an expert's labels yet")
    ).to_be_visible()


def choose_rows(page: Page, *rows: int) -> None:
    """Press the boxes before these rows of the list, from 0."""
    grid = page.get_by_test_id("stDataFrame").locator("canvas").first
    expect(grid).to_be_visible()
    for row in rows:
        wait_for_redraw(page)
        box = grid.bounding_box()
        assert box is not None
        page.mouse.click(box["x"] + 16, box["y"] + 36 + 35 * row + 17)


def test_a_calibration_set_is_chosen_from_the_list(
    page: Page, server: Server, store: Store, study: Study
) -> None:
    plan_work(store, study)
    visit(page, server, PAGES["practice"])
    fill(page.get_by_label("Title of a new round"), "First round")
    raters = page.get_by_role("combobox", name="Raters")
    for name in ("Reader 1", "Reader 2"):
        fill(raters, name)
        click(page.get_by_role("option", name=name))
    press(page, "Escape")
    choose_rows(page, 2, 4)
    expect(page.get_by_text("Chosen: 3, 5")).to_be_visible()
    click(page.get_by_role("button", name="Start the round"))
    expect(page.get_by_text("The round “First round” has started.")).to_be_visible()
    with store.reading() as connection:
        (begun,) = calibration.rounds(connection, study.id)
        positions = [unit.position for unit in units.by_ids(connection, list(begun.units))]
    assert positions == [3, 5]
    expect(
        page.get_by_role(
            "heading", level=1, name="No conversation with an expert's labels yet, and 1 calibration round"
        )
    ).to_be_visible()


def test_a_new_version_is_checked_line_by_line_and_tried_before_it_is_used(
    page: Page, server: Server, store: Store, study: Study, tmp_path: Path
) -> None:
    text = Path("configs/instruments/coaching_rubric.yaml").read_text(encoding="utf-8")
    broken = tmp_path / "broken.yaml"
    broken.write_text(text.replace("key: y,", "key: yes,").replace("kind: nominal", "kind: nomina"))
    better = tmp_path / "better.yaml"
    better.write_text(
        text.replace('version: "2.0"', 'version: "2.1"').replace(
            "Variety in techniques", "Several techniques"
        )
    )
    visit(page, server, PAGES["instrument"])
    click(page.get_by_role("button", name="Variety in techniques"))
    expect(page.get_by_text("Meaning")).to_be_visible()
    click(page.get_by_text("Write a new version, or check a file"))
    page.get_by_test_id("stFileUploader").locator("input").set_input_files(broken)
    expect(page.get_by_text("2 things need fixing. Nothing was saved.")).to_be_visible()
    expect(page.get_by_text(re.compile(r"rubric, line 13, field scales\.yes_no\.kind"))).to_be_visible()
    page.get_by_test_id("stFileUploader").locator("input").set_input_files(better)
    expect(page.get_by_text("Several techniques (CP1): its name changed.")).to_be_visible()
    click(page.get_by_text("Try it on the rating pad"))
    expect(page.locator(".lead .row", has_text="Several techniques")).to_be_visible()
    expect(page.get_by_text("Trial: nothing is saved.")).to_be_visible()
    wait_for_redraw(page)
    page.locator(".lead .row.focus .choices button").first.click()
    wait_until(page, lambda: page.locator(".lead .row .label", has_text="Yes").count() == 1)
    with store.reading() as connection:
        assert certification.gold_labels(connection, study) == {}
        assert studies.get_by_key(connection, KEY).instrument.version == "2.0"
