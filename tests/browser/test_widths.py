"""Nothing from outside widens a page or a report, however long its words are, and in a narrow window nothing is
cut off.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from data.record.judgements import JudgeIdentity
from data.store.store import open_store
from reports.agreement.export_files import export_files, request_for
from tests.browser.actions import visit, wait_for_redraw
from tests.browser.serving import Server
from tests.studies import importing
from tests.studies.small_study import Small, make
from tests.unit.data.importers.conftest import lines

LONG = "W" * 400
TEXT_HEIGHT = """cell => {
  const words = document.createRange();
  words.selectNodeContents(cell);
  return words.getBoundingClientRect().height;
}"""
IN_SIGHT = """button => {
  const { left, top, width, height } = button.getBoundingClientRect();
  const [x, y] = [left + width / 2, top + height / 2];
  return button.contains(button.getRootNode().elementFromPoint(x, y));
}"""
NARROW = "() => document.documentElement.scrollWidth <= document.documentElement.clientWidth"


@pytest.fixture
def wide(tmp_path: Path) -> Iterator[Small]:
    """A study with a title, a judge, a rater and a conversation named by 100 or 400 letters without a
    blank.
    """
    store = open_store(f"sqlite:///{tmp_path / 'wide.sqlite'}")
    small = make(
        store,
        tmp_path,
        title=LONG,
        description=LONG,
        provenance=LONG,
        content_note=LONG,
        review="open",
        with_judges=False,
    )
    path = tmp_path / "labels.jsonl"
    rows = [
        {"conversation_id": f"c{number}", "criterion": criterion}
        for number in (2, 3, 4)
        for criterion in ("warm", "safe")
    ]
    path.write_text(lines(*[{**row, "label": "YES", "reasoning": LONG} for row in rows]))
    importing.import_judgements(
        store, "small", path, "tests", JudgeIdentity(LONG[:100], LONG, LONG, LONG), source=LONG
    )
    for name in ("A" + LONG[:70], "B" + LONG[:70]):
        path.write_text(lines(*[{**row, "label": "NO", "note": LONG, "rater": name} for row in rows]))
        importing.import_ratings(store, "small", path, "tests", "blind", LONG)
    yield small
    store.close()


def test_long_words_widen_no_page(wide: Small, tmp_path: Path, page: Page) -> None:
    server = Server(wide.store.path, tmp_path / "server.log")
    server.start()
    try:
        for address in (
            "",
            "?page=agreement&study=small",
            "?page=judges&study=small",
            "?page=lead&study=small",
        ):
            page.goto(f"{server.url}/{address}")
            expect(page.locator(".stMain").get_by_text("WWWWWWWWWWWW").first).to_be_attached()
            main = page.locator(".stMain")
            assert main.evaluate("main => main.scrollWidth <= main.clientWidth"), address
            assert page.evaluate(NARROW), address
    finally:
        server.kill()


def test_long_words_widen_no_report(wide: Small, page: Page) -> None:
    with wide.store.reading() as connection:
        study = wide.study
        made = export_files(connection, request_for(connection, study, None), pseudonyms=False)
    page.set_content(made["report.html"].decode())
    expect(page.locator("p").first).to_contain_text("WWWW")
    assert page.evaluate(NARROW)
    for table in page.locator("table").all():  # a table may scroll on its own, but not because of one word
        assert table.evaluate("table => table.scrollWidth") < 2500


@pytest.mark.parametrize(
    "width", [390, 683, 880]
)  # a phone; twice and one and a half times as large as usual
@pytest.mark.parametrize("address", ["overview", "adjudication", "agreement"])
def test_in_a_narrow_window_what_stands_beside_each_other_stands_below_each_other(
    page: Page, server: Server, address: str, width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 768})
    visit(page, server, f"{address}?study=lend_an_ear&reader=lead")
    main = page.locator(".rows a.row" if address == "adjudication" else "table.rows .line").first
    expect(main).to_be_visible()
    wait_for_redraw(page)
    box = main.bounding_box()
    assert box is not None and box["width"] > 0.85 * width, box
    if address != "adjudication":
        evidence = page.locator(".evidence").first
        assert evidence.evaluate("table => table.scrollWidth <= table.clientWidth")
        assert page.locator(".line .number").first.evaluate(TEXT_HEIGHT) < 45, "a word a line"
        table = page.get_by_role("table").first  # whatever its rows are drawn as
        assert table.get_by_role("rowheader").count() == table.get_by_role("row").count() - 1 == 6
        sorter = page.locator("thead button").first
        sorter.focus()
        assert (sorter.bounding_box() or {"height": 0})["height"] > 10, "where the keyboard is, is seen"
        assert sorter.evaluate(IN_SIGHT)
    assert page.evaluate(NARROW)
