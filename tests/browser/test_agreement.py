"""The agreement report in a real browser: read, folded out, narrowed down, taken away."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from data import studies
from data.store import Store
from runs.agreement.taken_away import asked_of, taken_away
from tests.browser.serving import Server
from tests.browser.test_look import serious

FOLDED = ("Where they differ", "Raters", "When the judge says x, what do clinicians say?", "What had been shown", "Do its reasons hold?",
          "May it stand in for a clinician?", "All coefficients")


def open_report(page: Page, server: Server, study: str) -> None:
    page.goto(f"{server.url}/agreement?study={study}&reader=lead")
    expect(page.get_by_role("heading", name="Take it away")).to_be_visible(timeout=30_000)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_of_it_is_accessible_and_fits(browser: Browser, server: Server, scheme: str) -> None:
    page = browser.new_page(viewport={"width": 1366, "height": 768}, color_scheme=scheme)  # type: ignore[arg-type]
    open_report(page, server, "coaching_demo")
    expect(page.get_by_text("Clinicians found 3 safety failures that the judge labelled; the judge caught 2 (67%; plausible")).to_be_visible()
    expect(page.locator(".js-plotly-plot").first).to_be_visible()
    for name in FOLDED:
        page.locator("summary", has_text=name).click()
    expect(page.get_by_text("Every coefficient", exact=True)).to_be_visible()
    page.wait_for_timeout(500)
    assert serious(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    page.get_by_role("table", name="Failures that the judge missed: 1").get_by_role("link").click()
    page.wait_for_url(lambda url: "unit=7" in url and "criterion=CQ8" in url)
    page.close()


def test_it_is_narrowed_to_one_rater_and_back(page: Page, server: Server) -> None:
    open_report(page, server, "lend_an_ear")
    expect(page.get_by_text("On 440 of 900 labels the judge chose what the clinician chose")).to_be_visible()
    page.get_by_role("button", name="Only some of it").click()
    page.get_by_role("combobox", name="Rater").click()
    page.get_by_role("option", name="Rater B").click()
    expect(page.get_by_text("of 300 labels the judge chose what the clinician chose")).to_be_visible()
    expect(page.get_by_text("All blind labels beside this judge come from one person.")).to_have_count(0)  # it was asked for
    assert "Expert" not in page.locator("[data-testid=stMain]").inner_text()


def test_choices_outlast_back_and_reload_and_the_way_back_from_a_unit(page: Page, server: Server) -> None:
    def of(rater: str, same: int) -> None:
        expect(page.get_by_text(f"On {same} of 300 labels the judge chose what the clinician chose")).to_be_visible()
        assert page.url.endswith(f"&rater={rater}")

    open_report(page, server, "lend_an_ear")
    plain = page.url
    page.get_by_role("button", name="Only some of it").click()
    for letter in ("A", "B"):
        page.get_by_role("combobox", name="Rater").click()
        page.get_by_role("option", name=f"Rater {letter}").click()
        page.wait_for_url(lambda url, wanted=letter: url.endswith(f"&rater={wanted}"))  # type: ignore[misc]
        assert page.evaluate("document.activeElement.getAttribute('aria-label') ?? ''").endswith("Rater"), "the keyboard stays where it was"
    page.keyboard.press("Escape")
    same = int(re.findall(r"On (\d+) of 300 labels", page.locator("[data-testid=stMain]").inner_text())[0])
    of("B", same)
    page.reload()
    of("B", same)
    page.get_by_role("table", name="Disagreements").get_by_role("link").first.click()
    page.wait_for_url("**/review?**")
    page.get_by_role("link", name="Back to the agreement").click()
    of("B", same)
    page.go_back()
    expect(page.get_by_text("You came for this criterion")).to_be_visible()
    page.go_back()
    of("B", same)
    page.go_back()
    page.wait_for_url(lambda url: url.endswith("&rater=A"))
    expect(page.get_by_text("Only: Rater A.")).to_be_visible()
    page.go_back()
    page.wait_for_url(plain)
    expect(page.get_by_text("On 440 of 900 labels")).to_be_visible()
    page.go_forward()
    expect(page.get_by_text("Only: Rater A.")).to_be_visible()


def test_what_is_taken_away_is_what_the_command_line_writes(page: Page, server: Server, store: Store, tmp_path: Path) -> None:
    open_report(page, server, "coaching_demo")
    with page.expect_download(timeout=30_000) as one:
        page.get_by_role("button", name="One page (HTML)").click()
    with page.expect_download(timeout=30_000) as everything:
        page.get_by_role("button", name="Everything (ZIP)").click()
    with store.reading() as connection:
        study = studies.find(connection, "coaching_demo")
        assert study is not None
        made = taken_away(connection, asked_of(connection, study, None))
    assert Path(one.value.path()).read_bytes() == made["report.html"]
    archive = zipfile.ZipFile(io.BytesIO(Path(everything.value.path()).read_bytes()))
    assert {name: archive.read(name) for name in archive.namelist()} == made
    local = tmp_path / "report.html"
    local.write_bytes(made["report.html"])
    file = page.context.new_page()
    asked: list[str] = []
    file.on("request", lambda request: asked.append(request.url))
    file.goto(local.as_uri())
    expect(file.get_by_role("heading", name="Safety first")).to_be_visible()
    expect(file.locator(".js-plotly-plot")).to_be_visible()
    assert asked == [local.as_uri()], "the file asks for nothing else"
