"""Commit to the next unit painted, in a small and a large store, beside the least that a Streamlit page can
do.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from playwright.sync_api import Page

from bench import serving, stores
from bench.scale import sized
from bench.table import Line, ms, percentile, show

ROUNDS = sized(60, 2)
WARM = sized(5, 1)
SIZES = sized((1_000, 100_000), (20, 40))
BARE = "a bare page"
# From Ctrl+Enter until the number shown is another and two frames have passed. The nodes that hold the number
# are made anew by some pages, so the whole root is watched.
WATCH = """(inside, which) => {
  const root = inside.getRootNode();
  const shown = () => root.querySelector(which)?.textContent.match(/\\d+/)?.[0] ?? "";
  window.bench = { ready: null, from: null };
  window.addEventListener("keydown", event => {
    if (!event.ctrlKey || event.key !== "Enter") return;
    window.bench = { ready: null, from: event.timeStamp, before: shown() };
  }, true);
  new MutationObserver(() => {
    const bench = window.bench, now = shown();
    if (bench.from === null || now === "" || now === bench.before) return;
    const from = bench.from;
    bench.from = null;
    requestAnimationFrame(() => requestAnimationFrame(() => {
      bench.ready = { took: performance.now() - from, shown: Number(now) };
    }));
  }).observe(root, { subtree: true, childList: true, characterData: true });
}"""


def run() -> None:
    with tempfile.TemporaryDirectory(prefix="bench-commit-") as name, ExitStack() as stack:
        folder = Path(name)
        sides: dict[str, Callable[[int], float]] = {}
        servers = {}
        for size in SIZES:
            path = stores.half_done(folder, size)
            store = stores.open_at(path)
            reader = stores.rater_ids(store)["Reader 1"]
            store.close()
            servers[size] = (stack.enter_context(serving.app(path, folder / f"server-{size}.log")), reader)
        (bare_url, _) = stack.enter_context(serving.bare_page(folder / "bare.sqlite", folder / "bare.log"))
        browser = stack.enter_context(serving.browser())
        for size, ((url, _), reader) in servers.items():
            page = serving.open_review(browser, url, stores.STUDY, reader)
            page.locator(".workbench").evaluate(WATCH, ".rail .here")
            sides[f"{size:,} conversations"] = _committer(page, 1 + size // 2)
        page = serving.open_page(browser, bare_url)
        page.locator(".bare").evaluate(WATCH, ".count")
        sides[BARE] = _presser(page)
        times: dict[str, list[float]] = {side: [] for side in sides}
        for number in range(WARM + ROUNDS):
            for side, act in sides.items():
                took = act(number)
                if number >= WARM:
                    times[side].append(took)
    show("commit", _lines(times))


def _committer(page: Page, first: int) -> Callable[[int], float]:
    """Rate all criteria, wait until they are saved, commit: the time to the next unit painted."""

    def act(number: int) -> float:
        page.bring_to_front()
        for key in "123454":
            page.keyboard.press(key)
        page.locator("footer .main:enabled").wait_for()
        page.locator(".saved", has_text="saved ").wait_for()
        page.wait_for_timeout(150)
        return _timed(page, first + number + 1)

    return act


def _presser(page: Page) -> Callable[[int], float]:
    def act(number: int) -> float:
        page.bring_to_front()
        page.wait_for_timeout(150)
        return _timed(page, number + 1)

    return act


def _timed(page: Page, expected: int) -> float:
    page.keyboard.press("Control+Enter")
    found = page.wait_for_function("() => window.bench.ready").json_value()
    if found["shown"] != expected:
        raise AssertionError(f"{found['shown']} is shown and not {expected}")
    return float(found["took"]) / 1000


def _lines(times: dict[str, list[float]]) -> list[Line]:
    lines = []
    small, large = (f"{size:,} conversations" for size in SIZES)
    for side in (small, large):
        for word, share in (("p50", 0.5), ("p95", 0.95)):
            value, floor = percentile(times[side], share), percentile(times[BARE], share)
            lines.append(
                Line(
                    f"commit to next unit painted, {side}, {word}",
                    ms(value),
                    ms(floor),
                    value / floor,
                    "1.5 times a bare page",
                    value <= 1.5 * floor,
                )
            )
    for word, share in (("p50", 0.5), ("p95", 0.95)):
        value, floor = percentile(times[large], share), percentile(times[small], share)
        lines.append(
            Line(
                f"{large} beside {small}, {word}",
                ms(value),
                ms(floor),
                value / floor,
                "1.2 times",
                value <= 1.2 * floor,
            )
        )
    return lines
