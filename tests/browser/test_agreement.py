"""The agreement report in a real browser: read, folded out, narrowed down, taken away."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from data.record import studies
from data.store.store import Store
from reports.agreement.export_files import export_files, request_for
from tests.browser.actions import (
    click,
    download,
    expect_value,
    open_line,
    open_window,
    press,
    visit,
    wait_for_redraw,
)
from tests.browser.looks import check_look
from tests.browser.serving import Server
from tests.studies.rater_codes import codes_of

LINES = (
    "Safety",
    "How often the same label",
    "What trust means here",
    "As good as a colleague?",
    "Criterion by criterion",
    "Where they differ",
    "Raters",
    "When the judge gives a label, which label do clinicians give?",
    "What raters had seen",
    "Does the conversation support the judge's reasons?",
    "Can it replace a clinician?",
    "All coefficients",
    "Every conversation on which they differ",
)


def open_report(page: Page, server: Server, study: str) -> None:
    visit(page, server, f"agreement?study={study}&reader=lead")
    expect(page.get_by_role("table", name="Verdict and reason")).to_be_visible()


def test_all_of_it_is_accessible_and_fits(browser: Browser, server: Server) -> None:
    page = open_window(browser)
    open_report(page, server, "coaching_demo")
    expect(
        page.get_by_text("The judge caught 1 of 2 unsettled safety failures (50%; plausible range")
    ).to_be_visible()
    check_look(page)
    for name in ("All details", *LINES):
        open_line(page, name)
    expect(page.get_by_text("Every coefficient", exact=True)).to_be_visible()
    expect(page.locator(".picture > .sr-picture").first).to_be_visible()
    wait_for_redraw(page)
    check_look(page)
    click(page.get_by_role("table", name="To read: 1 failure").get_by_role("link"))
    page.wait_for_url(lambda url: "unit=7" in url and "criterion=CQ8" in url)
    page.close()


def test_it_is_narrowed_to_one_rater_and_back(page: Page, server: Server, store: Store) -> None:
    open_report(page, server, "lend_an_ear")
    expect(page.get_by_text("the same label on 440 of 900")).to_be_visible()
    click(page.get_by_role("button", name="Narrow"))
    click(page.get_by_role("combobox", name="Rater"))
    click(page.get_by_role("option", name=codes_of(store, "lend_an_ear")["Expert 2"]))
    expect(page.get_by_text(re.compile("the same label on .* of 300"))).to_be_visible()
    expect(
        page.get_by_text("All the blind labels that can be compared with this judge come from one rater.")
    ).to_have_count(0)  # it was asked for
    assert "Expert" not in page.locator("[data-testid=stMain]").inner_text()


def test_choices_outlast_back_and_reload_and_the_way_back_from_a_unit(
    page: Page, server: Server, store: Store
) -> None:
    first, second = (codes_of(store, "lend_an_ear")[name] for name in ("Expert 1", "Expert 2"))

    def of(rater: str, same: int) -> None:
        expect(page.get_by_text(f"the same label on {same} of 300")).to_be_visible()
        page.wait_for_url(re.compile(f"&rater={rater.removeprefix('Rater ')}$"))

    open_report(page, server, "lend_an_ear")
    plain = page.url
    click(page.get_by_role("button", name="Narrow"))
    for code in (first, second):
        click(page.get_by_role("combobox", name="Rater"))
        click(page.get_by_role("option", name=code))
        page.wait_for_url(f"**&rater={code.removeprefix('Rater ')}")
        expect_value(  # the keyboard stays where it was
            page, "(document.activeElement.getAttribute('aria-label') ?? '').endsWith('Rater')", True
        )
    press(page, "Escape")
    wait_for_redraw(page)
    same = int(
        re.findall(r"the same label on (\d+) of 300", page.locator("[data-testid=stMain]").inner_text())[0]
    )
    of(second, same)
    page.reload()
    of(second, same)
    open_line(page, "All details")
    open_line(page, "Every conversation on which they differ")
    click(page.get_by_role("table", name="Disagreements").get_by_role("link").first)
    page.wait_for_url("**/review?**")
    click(page.get_by_role("link", name="Back to the agreement"))
    of(second, same)
    page.go_back()
    expect(page.locator(".rows .line.open").first).to_be_visible()
    page.go_back()
    of(second, same)
    page.go_back()
    page.wait_for_url(lambda url: url.endswith(f"&rater={first.removeprefix('Rater ')}"))
    expect(page.get_by_text(f"Narrowed to: {first}.")).to_be_visible()
    page.go_back()
    page.wait_for_url(plain)
    expect(page.get_by_text("the same label on 440 of 900")).to_be_visible()
    page.go_forward()
    expect(page.get_by_text(f"Narrowed to: {first}.")).to_be_visible()


def test_what_is_taken_away_is_what_the_command_line_writes(
    page: Page, server: Server, store: Store, tmp_path: Path
) -> None:
    open_report(page, server, "coaching_demo")
    click(page.get_by_role("button", name="Export"))
    page_file = download(page.get_by_role("button", name="One page (HTML)"))
    everything = download(page.get_by_role("button", name="Everything (ZIP)"))
    with store.reading() as connection:
        study = studies.find(connection, "coaching_demo")
        assert study is not None
        files = export_files(connection, request_for(connection, study, None))
    assert Path(page_file.path()).read_bytes() == files["report.html"]
    archive = zipfile.ZipFile(io.BytesIO(Path(everything.path()).read_bytes()))
    assert {name: archive.read(name) for name in archive.namelist()} == files
    local = tmp_path / "report.html"
    local.write_bytes(files["report.html"])
    file = page.context.new_page()
    asked: list[str] = []
    file.on("request", lambda request: asked.append(request.url))
    file.goto(local.as_uri())
    expect(file.get_by_role("heading", name="On which criteria can you trust it?")).to_be_visible()
    expect(file.locator(".sr-picture svg").first).to_be_visible()
    assert file.locator("script").count() == 0 and len(files["report.html"]) < 1_000_000
    assert asked == [local.as_uri()], "the file asks for nothing else"


SAMPLES = ("coaching_demo", "coaching_example", "judge_change", "lend_an_ear", "plan_demo")


@pytest.mark.parametrize("study", SAMPLES)
def test_the_answer_and_its_table_stand_on_the_first_screen(
    browser: Browser, server: Server, study: str
) -> None:
    page = open_window(browser, width=1366, height=768)
    open_report(page, server, study)
    for place in (page.get_by_role("heading", level=1), page.locator(".rows tbody tr").nth(7)):
        if place.count():
            box = place.bounding_box()
            assert box is not None and box["y"] >= 0 and box["y"] + box["height"] <= 768
    words = page.locator("[data-testid=stMain]").inner_text().split()
    criteria = page.locator(".rows tbody tr").count()
    assert len(words) <= 120 + 14 * criteria, " ".join(words)
    page.close()


def test_a_row_opens_by_keyboard_and_its_conversation_is_one_press_away(page: Page, server: Server) -> None:
    open_report(page, server, "lend_an_ear")
    first = page.get_by_role("button", name="Validates feelings")
    first.focus()
    for key in ("j", "ArrowDown", "j", "k", "j"):
        page.keyboard.press(key)
    row = page.get_by_role("button", name="Gives advice")
    expect(row).to_be_focused()
    page.keyboard.press("Enter")
    expect(row).to_have_attribute("aria-expanded", "true")
    expect(
        page.get_by_text("When the judge differs, it is higher in 93 pairs and lower in 4")
    ).to_be_visible()
    expect(page.get_by_role("table", name="Furthest apart").get_by_role("row")).to_have_count(5)
    page.keyboard.press("Escape")
    expect(row).to_have_attribute("aria-expanded", "false")
    expect(row).to_be_focused()
    page.keyboard.press("Enter")
    click(page.get_by_role("table", name="Furthest apart").get_by_role("link").first)
    page.wait_for_url("**/review?**criterion=**")
    expect(page.get_by_role("link", name="Back to the agreement")).to_be_visible()


def test_rows_are_sorted_by_their_heads(page: Page, server: Server) -> None:
    open_report(page, server, "lend_an_ear")
    names = page.locator(".rows .opener span:last-child")
    as_given = names.all_inner_texts()
    click(page.get_by_role("button", name="Differs from clinicians"))
    cells = page.locator(".rows tbody td:nth-child(4)").all_inner_texts()
    leaning = [float(cell.split()[0]) * (-1 if cell.endswith("below") else 1) for cell in cells]
    assert leaning == sorted(leaning, reverse=True) and len(leaning) == 6
    expect(page.get_by_role("columnheader", name="Differs from clinicians")).to_have_attribute(
        "aria-sort", "descending"
    )
    click(page.get_by_role("button", name="Trust it?"))
    verdicts = page.locator(".rows .verdict").all_inner_texts()
    assert verdicts[0].endswith("falls short") and verdicts[-1].endswith("matches clinicians")
    for _ in range(2):
        click(page.get_by_role("button", name="Trust it?"))
    assert names.all_inner_texts() == as_given


@pytest.mark.parametrize("place", ["agreement", "overview"])
def test_on_a_phone_no_number_of_the_table_is_cut_off(browser: Browser, server: Server, place: str) -> None:
    page = open_window(browser, 390, 844)
    visit(page, server, f"{place}?study=lend_an_ear&reader=lead")
    expect(page.locator(".rows .line")).to_have_count(6)
    wait_for_redraw(page)
    assert page.locator(".evidence").evaluate("table => table.scrollWidth <= table.clientWidth")
    assert page.locator(".rows .number, .rows .words").evaluate_all(
        "cells => cells.every((cell) => cell.scrollWidth <= cell.clientWidth + 1)"
    )
    page.close()
