"""Key press to painted choice, beside a press that only sets an attribute."""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.sync_api import Page

from bench import serving, stores
from bench.scale import sized
from bench.table import Line, median, percentile, show

ROUNDS = sized(80, 2)
SIZE = sized(1_000, 20)  # conversations
# A key pressed for a choice (1-5) or for the floor (z, which the app does not know). `choice` is measured
# where the row in focus shows the key's label as checked once the app's own handler has run, and the next
# frame begins.
WATCH = """root => {
  const floor = document.body.appendChild(document.createElement("i"));
  window.bench = { ready: null };
  window.addEventListener("keydown", event => {
    const ours = /^[1-5]$/.test(event.key);
    if (!ours && event.key !== "z") return;
    const label = event.key;
    const checked = floor.getAttribute("aria-checked") === "true";
    if (!ours) floor.setAttribute("aria-checked", checked ? "false" : "true");
    const handled = performance.now();
    requestAnimationFrame(() => {
      const painted = performance.now();
      const pressed = root.querySelector(`.row.focus [data-label="${label}"]`);
      const right = !ours || pressed?.getAttribute("aria-checked") === "true";
      window.bench.ready = { right, handled: handled - event.timeStamp, painted: painted - event.timeStamp };
    });
  });
}"""


def run() -> None:
    with tempfile.TemporaryDirectory(prefix="bench-paint-") as name, serving.browser() as browser:
        folder = Path(name)
        path = stores.half_done(folder, SIZE)
        reader = _reader(path)
        with serving.app(path, folder / "server.log") as (url, _):
            page = serving.open_review(browser, url, stores.STUDY, reader)
            page.locator(".workbench").evaluate(WATCH)
            ours, floor, handled = [], [], []
            for number in range(ROUNDS + 10):
                page.keyboard.press("ArrowUp" if number % 12 >= 6 else "ArrowDown")
                page.wait_for_timeout(90 + number * 37 % 50)
                milliseconds = _press(page, str(1 + number % 5))
                page.wait_for_timeout(90 + number * 23 % 50)
                bare = _press(page, "z")
                if number >= 10:
                    ours.append(milliseconds["painted"] / 1000)
                    handled.append(milliseconds["handled"] / 1000)
                    floor.append(bare["painted"] / 1000)
            page.locator(".saved", has_text="saved ").wait_for()
    ratio = median(ours) / median(floor)
    show(
        "paint",
        [
            Line(
                "key press to painted choice, median",
                _ms(median(ours)),
                _ms(median(floor)),
                ratio,
                "10 ms",
                median(ours) <= 0.010,
            ),
            Line(
                "key press to painted choice, p95",
                _ms(percentile(ours, 0.95)),
                _ms(percentile(floor, 0.95)),
                percentile(ours, 0.95) / percentile(floor, 0.95),
            ),
            Line("until the choice stands in the page, median", _ms(median(handled))),
        ],
    )


def _press(page: Page, key: str) -> dict[str, float]:
    page.evaluate("window.bench.ready = null")
    page.keyboard.press(key)
    found: dict[str, float] = page.wait_for_function("() => window.bench.ready").json_value()
    if not found["right"]:
        raise AssertionError(f"the choice {key} was not shown as chosen")
    return found


def _reader(path: Path) -> int:
    store = stores.open_at(path)
    try:
        return stores.rater_ids(store)["Reader 2"]
    finally:
        store.close()


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:.1f} ms"
