"""Accessibility, sizes, both colour schemes, and the pictures in docs/."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.browser.actions import click, open_window, wait_for_redraw
from tests.browser.conftest import rate_all
from tests.browser.serving import Server

pytestmark = pytest.mark.slow

SHOTS = os.environ.get("SCREENSHOTS_TO")


def serious(page: Page) -> list[str]:
    """What axe calls serious or critical, with the place."""
    found = Axe().run(page).response["violations"]
    return [
        f"{v['id']}: {v['nodes'][0]['target']} {v['nodes'][0]['failureSummary'][:200]}"
        for v in found
        if v["impact"] in {"serious", "critical"}
    ]


def shot(page: Page, name: str) -> None:
    """Keep a picture for docs/ when asked to; the page must not overflow its window in any case."""
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    if SHOTS:
        Path(SHOTS).mkdir(parents=True, exist_ok=True)
        page.screenshot(path=f"{SHOTS}/{name}.png")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [(1366, 768), (1920, 1080)])
def test_screenshots_of_the_loop_are_accessible(
    browser: Browser, server: Server, reader: Callable[..., int], scheme: str, size: tuple[int, int]
) -> None:
    page = open_window(browser, scheme, *size)
    name = "" if (scheme, size) == ("light", (1366, 768)) else f"-{scheme}-{size[0]}"
    page.goto(f"{server.url}/")
    expect(page.get_by_text("Plan-output alignment, demonstration")).to_be_visible()
    assert serious(page) == []
    shot(page, f"studies{name}")
    page.goto(f"{server.url}/review?study=coaching_demo&reader={reader('coaching_demo')}&unit=7")
    click(page.get_by_role("button", name="Open the conversations"))
    expect(page.locator(".row").first).to_be_visible()
    page.keyboard.type("yyn", delay=0)
    expect(page.locator(".row.focus")).to_have_attribute(
        "data-criterion", "CQ4"
    )  # after a moment it goes on by itself
    page.keyboard.press("i")
    assert serious(page) == []
    shot(page, f"review-blind{name}")
    page.keyboard.press("i")
    page.keyboard.type("nyynnnyy", delay=0)
    page.keyboard.press("Control+Enter")
    expect(page.locator(".score")).to_be_visible()
    assert serious(page) == []
    shot(page, f"review-compared{name}")
    page.goto(f"{server.url}/agreement?study=lend_an_ear&reader=lead")
    expect(page.get_by_role("table").first).to_be_visible()
    assert serious(page) == []
    shot(page, f"agreement{name}")
    page.goto(f"{server.url}/importing")
    expect(page.get_by_role("button", name="Check only")).to_be_visible()
    assert serious(page) == []
    shot(page, f"import{name}")
    page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_keyboard_is_seen_in_the_top_bar(browser: Browser, server: Server, scheme: str) -> None:
    page = open_window(browser, scheme)
    page.goto(f"{server.url}/")
    expect(page.get_by_text("Plan-output alignment, demonstration")).to_be_visible()
    wait_for_redraw(page)
    seen = []
    for _ in range(20):
        page.keyboard.press("Tab")
        style = page.evaluate("""() => { const at = document.activeElement, style = getComputedStyle(at);
            return at.closest('[data-testid=stHeader]') && [at.innerText, style.outlineStyle, style.outlineWidth, style.outlineColor]; }""")
        if style:
            assert style[1:] == [
                "solid",
                "3px",
                {"light": "rgb(31, 95, 139)", "dark": "rgb(125, 183, 224)"}[scheme],
            ], style
            seen.append(style[0])
            if style[0] == "Agreement":
                shot(page, f"top-bar-{scheme}")
    assert {"Studies", "My work", "Agreement", "Import"} <= set(seen)
    page.close()


def test_the_header_and_the_commit_button_stay_in_view(open_review: Callable[..., Page]) -> None:
    page = open_review("plan_demo")
    for place in (".title", ".saved", "footer .main"):
        box = page.locator(f".workbench {place}").bounding_box()
        assert box is not None and box["y"] >= 0 and box["y"] + box["height"] <= 768
    rate_all(page, "21")
    expect(page.locator(".score")).to_be_visible()
    box = page.locator(".workbench .title").bounding_box()
    assert box is not None and box["y"] >= 0


def test_side_by_side_and_one_at_a_time(open_review: Callable[..., Page]) -> None:
    page = open_review("lend_an_ear")
    for position in range(2, 6):
        rate_all(page, "123451")
        expect(page.locator(".units .here")).to_contain_text(str(position))
    rate_all(page, "123451")
    expect(page.locator(".judgement")).to_have_count(1)
    expect(page.locator(".judgement")).to_contain_text("GPT-4o")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".judgement")).to_contain_text("Claude 3.7 Sonnet")
    page.keyboard.press("v")
    expect(page.locator(".judgement")).to_have_count(3)
    expect(page.locator(".judgement").first).to_contain_text("This judge gave no written reasons.")
