"""The three small pictures of Overview and the verdicts in the list of studies."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from data.store.store import Store
from tests.browser.actions import click, open_window, visible_words, visit, wait_for_redraw
from tests.browser.looks import check_look
from tests.browser.serving import Server
from tests.studies.made_curves import put_curves

pytestmark = pytest.mark.slow

SAMPLES = ("coaching_demo", "coaching_example", "judge_change", "lend_an_ear", "plan_demo", "vera_mh")


def open_overview(page: Page, server: Server, study: str) -> None:
    visit(page, server, f"overview?study={study}&reader=lead")
    expect(page.get_by_role("link", name="Over the turns")).to_be_visible()
    wait_for_redraw(page)


@pytest.mark.parametrize("study", SAMPLES)
def test_each_small_picture_says_what_it_shows_and_leads_to_its_page(
    browser: Browser, server: Server, store: Store, study: str
) -> None:
    if study == "vera_mh":
        put_curves(store)
    page = open_window(browser)
    open_overview(page, server, study)
    heading = page.get_by_role("heading", level=1).bounding_box()
    assert heading is not None and heading["y"] + heading["height"] <= 768
    pictures = page.locator(".st-key-small-pictures")
    expect(pictures.get_by_role("img")).to_have_count({"judge_change": 1, "vera_mh": 1}.get(study, 0))
    assert all(
        picture.get_attribute("alt") and picture.evaluate("image => image.complete && image.naturalWidth > 0")
        for picture in pictures.get_by_role("img").all()
    )
    assert len(visible_words(page)) <= 135, " ".join(visible_words(page))
    check_look(page)
    for name, address in (
        ("The work", "/lead"),
        ("Over time", "/drift?"),
        ("Over the turns", "/drift?"),
    ):
        target = pictures.get_by_role("link", name=name).get_attribute("href")
        assert target is not None and target.startswith(address.strip("/")), target
    click(pictures.get_by_role("link", name="Over time"))
    page.wait_for_url(re.compile("part=time"))
    expect(page.get_by_role("heading", level=1)).to_contain_text(
        re.compile("levels lower than before|Change over time")
    )
    page.close()


def test_a_lead_sees_the_verdicts_of_each_study_that_they_lead_and_of_no_other(
    browser: Browser, server: Server
) -> None:
    page = open_window(browser)
    for study in ("lend_an_ear", "judge_change"):
        open_overview(page, server, study)
    click(page.get_by_role("link", name="Second Reader", exact=True))
    expect(page.get_by_role("heading", name="Studies", level=1)).to_be_visible()
    dots = page.locator(".st-key-study-lend_an_ear .sr-verdicts [role=img]")
    expect(dots).to_have_count(6)
    assert [dots.nth(number).get_attribute("aria-label") for number in (1, 3)] == [
        "Encourages elaboration: matches clinicians",
        "Gives advice: falls short",
    ]
    expect(page.locator(".st-key-study-judge_change .sr-verdicts [role=img]")).to_have_count(3)
    expect(page.locator(".sr-verdicts")).to_have_count(2)
    check_look(page)
    page.close()
