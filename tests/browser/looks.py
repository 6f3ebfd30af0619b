"""How a page looks: accessible, within its window, in both colour schemes; and the pictures in docs/."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Literal

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.browser.actions import wait_for_redraw

SCREENSHOTS = os.environ.get("SCREENSHOTS_TO")
IMAGES = Path(__file__).resolve().parents[2] / "docs" / "images"
CHANGING = re.compile(r"\d\d:\d\d:\d\d|^ *- /url: .*\n", re.MULTILINE)
Scheme = Literal["light", "dark"]
SCHEMES: tuple[Scheme, ...] = ("dark", "light")  # a page is light before and after


# Buttons whose words don't fit, and those of the card on Settle that are in the window but not in view.
CUT_BUTTONS = """() => [...document.querySelectorAll("button")].filter((button) => {
  if (!button.checkVisibility() || !button.innerText.trim() || button.querySelector("[data-testid=stIconMaterial]"))
    return false;  // the name of an icon is longer than its picture
  const { left, right, top, bottom } = button.getBoundingClientRect();
  const seen = document.elementFromPoint((left + right) / 2, bottom - 3);
  return [button, ...button.querySelectorAll("div, span, p")].some((part) => part.clientWidth > 0
      && part.scrollWidth > part.clientWidth + 1 && getComputedStyle(part).overflowX !== "visible")
    || (button.closest("[class*=st-key-settle-card]") && top > 0 && bottom < innerHeight
        && !button.contains(seen));
}).map((button) => button.innerText)"""


def check_look(page: Page, name: str = "") -> None:
    """In both schemes; a page follows at once when the scheme changes. `name`: of its picture, in the light one."""
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        wait_for_redraw(page)
        violations = serious(page)
        assert not violations, f"{scheme}: {violations}"
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), scheme
    assert not (cut := page.evaluate(CUT_BUTTONS)), f"buttons are cut off: {cut}"
    if name:
        take_picture(page, name)


def serious(page: Page) -> list[str]:
    """What axe calls serious or critical, with the place. A document keeps the script that it was given once."""
    axe = Axe()
    if not page.evaluate("'axe' in window"):
        page.evaluate(axe.axe_script)
    response = page.evaluate("(options) => window.axe.run(options)", {"resultTypes": ["violations"]})
    return [
        f"{violation['id']}: {violation['nodes'][0]['target']} {violation['nodes'][0]['failureSummary'][:200]}"
        for violation in response["violations"]
        if violation["impact"] in {"serious", "critical"}
    ]


def resize(page: Page, width: int, height: int) -> None:
    """The same page in a window of another size, drawn and still."""
    page.set_viewport_size({"width": width, "height": height})
    wait_for_redraw(page)


def take_picture(page: Page, name: str) -> None:
    """Keep a picture for docs/ when asked to, and beside it what the page says; otherwise a picture in docs/ must
    be one of a page that says the same. Fonts differ between machines, so pictures themselves are not compared.
    """
    wait_for_redraw(page)
    words = f"{CHANGING.sub('', page.locator('body').aria_snapshot())}\n"
    if SCREENSHOTS:
        folder = Path(SCREENSHOTS)
        folder.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=folder / f"{name}.png")
        (folder / f"{name}.txt").write_text(words, encoding="utf-8")
    elif (IMAGES / f"{name}.png").exists():
        words_of_picture = (IMAGES / f"{name}.txt").read_text(encoding="utf-8")
        assert words == words_of_picture, "the page changed since its picture was taken: make screenshots"
