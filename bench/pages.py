"""Every page of results in a browser: until its answer is painted, and until the whole page is. From an
address that is opened in a new browser, first after the server started and again; and from the press of a
link in an open page, again and after a clinician committed one more conversation.

BENCH_BEFORE names the folder of another checkout to measure beside this one, BENCH_PAGES the numbers of
conversations (10000,100000).
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from playwright.sync_api import Browser, Page

from bench import labelled_stores, serving, stores
from bench.scale import sized, some
from bench.table import Line, ms, show
from data.importers.imported_ratings import RatingProvenance, add_ratings
from data.importers.report import ImportReport
from data.record import studies
from pages.widgets.reader_session import LEAD
from pages.widgets.remembered_person import COOKIE
from tests.studies.known_browsers import cookie_of_reader

COUNTS = tuple(int(count) for count in os.environ.get("BENCH_PAGES", sized("10000,100000", "20")).split(","))
MOST_SECONDS = {10_000: 1.0, 100_000: 2.0}
MOST_MEMORY, MOST_PAINT = 800.0, 2.5  # MB; seconds from the start of the server to the first page
PAGES = {
    "Overview": "overview",
    "Agreement": "agreement",
    "Settle": "adjudication",
    "Metrics": "metrics",
    "Drift over the turns": "drift?part=conversations",
    "Drift over time": "drift?part=time",
    "Drift, the judge": "drift?part=judge",
    "Drift, the raters": "drift?part=raters",
    "Judges": "judges",
    "Work and raters": "lead",
    "Plans of care": "plans",
}
PRESSED = "pressed"
BETWEEN = "help"
ANSWER = "() => document.querySelector('[data-testid=stMain] h1')?.textContent.trim()"
# What a link from one page to another does (pages/widgets/bar/soft_links.js).
PRESS = """(address) => {
  history.pushState(null, "", address);
  window.dispatchEvent(new PopStateEvent("popstate"));
}"""
NEXT_ANSWER = f"(before) => ![before, '', undefined].includes(({ANSWER})())"
WHOLE = "() => document.querySelector('[data-testid=stApp]')?.dataset.testScriptState === 'notRunning'"
LONGEST = 180_000  # ms


@dataclass(frozen=True)
class Opening:
    """Seconds from the address to the answer and to the whole page."""

    answer: float
    whole: float


def run() -> None:
    checkouts = {"": serving.ROOT}
    if os.environ.get("BENCH_BEFORE"):
        checkouts[", before"] = Path(os.environ["BENCH_BEFORE"])
    for count in COUNTS:
        with tempfile.TemporaryDirectory(prefix="bench-pages-") as name, serving.browser() as browser:
            fill = partial(labelled_stores.fill_with_curves, count=count)
            lines: list[Line] = []
            for number, (label, checkout) in enumerate(checkouts.items()):
                folder = Path(name) / str(number)  # a store of its own: each side commits the same labels
                folder.mkdir()
                path = stores.copied(folder, "pages", count, fill)
                lines += _lines(browser, path, checkout, label, count)
        show(f"pages: {count:,} conversations, {count * labelled_stores.RATINGS:,} ratings", lines)


def _lines(browser: Browser, path: Path, checkout: Path, label: str, count: int) -> Iterator[Line]:
    most, pages = MOST_SECONDS.get(count), dict(some(PAGES.items()))
    with _server(browser, path, checkout) as (url, process, start):
        cookie = _lead_cookie(path)
        first = {title: _open(browser, url, address, cookie) for title, address in pages.items()}
        again = {title: _open(browser, url, address, cookie) for title, address in pages.items()}
        pressed, after = {}, {}
        with _open_page(browser, url, cookie) as page:
            for title, address in pages.items():
                pressed[title] = _press(page, url, address)
            for number, (title, address) in enumerate(pages.items()):
                _commit(path, count - 1 - number)
                after[title] = _press(page, url, address)
        memory = _memory(process)
    yield Line(
        f"first page painted after the start{label}",
        ms(start),
        target=ms(MOST_PAINT),
        met=start <= MOST_PAINT,
    )
    for occasion, openings in (
        ("first", first),
        ("again", again),
        (PRESSED, pressed),
        (f"{PRESSED} after a commit", after),
    ):
        for title, opening in openings.items():
            yield Line(
                f"{title}, {occasion}{label}",
                ms(opening.answer),
                ms(opening.whole),
                target=ms(most) if most and occasion.startswith(PRESSED) else "",
                met=opening.answer <= most if most and occasion.startswith(PRESSED) and not label else None,
            )
    yield Line(
        f"highest memory of the server{label}",
        f"{memory:,.0f} MB",
        target=f"{MOST_MEMORY:.0f} MB",
        met=memory <= MOST_MEMORY if not label else None,
    )


@contextmanager
def _server(browser: Browser, path: Path, checkout: Path) -> Iterator[tuple[str, int, float]]:
    """Its address, its process, and seconds from its start to the first page in a browser."""
    began = time.perf_counter()
    with serving.app(path, path.with_suffix(".log"), checkout) as (url, process):
        _open(browser, url, "./")
        yield url, process, time.perf_counter() - began


def _lead_cookie(path: Path) -> str:
    """Of a browser that opened the study as its lead."""
    with closing(stores.open_at(path)) as store:
        return cookie_of_reader(store, stores.STUDY, LEAD)


def _open(browser: Browser, url: str, address: str, cookie: str = "") -> Opening:
    context = browser.new_context(viewport={"width": 1366, "height": 768})
    context.add_cookies([{"name": COOKIE, "value": cookie, "url": url}])
    page = context.new_page()
    began = time.perf_counter()
    page.goto(_address(url, address))
    page.wait_for_function(ANSWER, timeout=LONGEST, polling="raf")
    answer = time.perf_counter() - began
    page.wait_for_function(WHOLE, timeout=LONGEST, polling="raf")
    whole = time.perf_counter() - began
    context.close()
    return Opening(answer, whole)


@contextmanager
def _open_page(browser: Browser, url: str, cookie: str) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1366, "height": 768})
    context.add_cookies([{"name": COOKIE, "value": cookie, "url": url}])
    page = context.new_page()
    page.goto(_address(url, BETWEEN))
    page.wait_for_function(ANSWER, timeout=LONGEST, polling="raf")
    page.wait_for_function(WHOLE, timeout=LONGEST, polling="raf")
    yield page
    context.close()


def _press(page: Page, url: str, address: str) -> Opening:
    """From the page between, whose title is no other page's, and back to it."""
    opening = _follow(page, _address(url, address))
    _follow(page, _address(url, BETWEEN))
    return opening


def _follow(page: Page, address: str) -> Opening:
    before = page.evaluate(ANSWER)
    began = time.perf_counter()
    page.evaluate(PRESS, address)
    page.wait_for_function(NEXT_ANSWER, arg=before, timeout=LONGEST, polling="raf")
    answer = time.perf_counter() - began
    page.wait_for_function(WHOLE, timeout=LONGEST, polling="raf")
    return Opening(answer, time.perf_counter() - began)


def _address(url: str, page: str) -> str:
    return f"{url}/{page}{'&' if '?' in page else '?'}study={stores.STUDY}&reader={LEAD}"


def _commit(path: Path, number: int) -> None:
    """One more clinician labels a conversation; written by another process's connection than the server's."""
    store = stores.open_at(path)
    with store.writing("bench", "import labels") as (connection, entry):
        study = studies.find(connection, stores.STUDY)
        assert study is not None
        report = ImportReport("bench")
        rows: Sequence[dict[str, object]] = [
            {
                "conversation_id": f"conversation-{number:06}",
                "criterion": criterion,
                "rater": "Rater 3",
                "label": "YES",
            }
            for criterion in labelled_stores.list_criteria()
        ]
        add_ratings(
            connection, entry, study, enumerate(rows, start=1), report, RatingProvenance("blind", "b")
        )
        report.raise_if_wrong()
    store.close()


def _memory(process: int) -> float:
    """MB at the highest."""
    status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    return next(int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmHWM:"))
