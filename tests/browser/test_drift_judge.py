"""The judge's drift in a real browser: anchors are frozen, a judge that changed is told, and a judge is
decided on, with the keyboard.
"""

from __future__ import annotations

from playwright.sync_api import Browser, Page, expect

from data import schema
from data.importers.imported_judgements import add_judgements
from data.importers.report import ImportReport
from data.record import anchors, studies
from data.record.judgements import JudgeIdentity
from data.store.store import Store
from tests.browser.actions import focus, open_line, open_window, visit
from tests.browser.looks import check_look
from tests.browser.serving import Server
from tests.studies.anchored import freeze

STUDY = "lend_an_ear"


def answered(store: Store) -> None:
    """All that is settled is frozen; a judge answers it three times in March as settled, and in May calls
    every label a 5.
    """
    with store.reading() as connection:
        study = studies.find(connection, STUDY)
    assert study is not None
    anchor_set = freeze(store, study)
    with store.writing("tests", "import", study.id) as (connection, entry):
        keys: dict[int, str] = dict(
            connection.exec_driver_sql(
                "SELECT u.id, c.key FROM unit u JOIN conversation c ON c.id = u.conversation_id"
            ).fetchall()
        )
        rows = [
            {
                "conversation_id": keys[unit],
                "criterion": criterion,
                "round": str(replicate // 3 + 1),
                "replicate": str(replicate % 3),
                "label": label if replicate < 3 else "5",
                "at": "2026-03-02" if replicate < 3 else "2026-05-04",
            }
            for (unit, criterion), label in anchor_set.labels.items()
            for replicate in range(6)
        ]
        report = ImportReport("rounds.csv")
        add_judgements(
            connection, entry, study, enumerate(rows, start=1), report, JudgeIdentity("Watched"), "tests"
        )
        report.raise_if_wrong()


def test_a_judge_that_changed_is_told_accessibly(browser: Browser, server: Server, store: Store) -> None:
    answered(store)
    page = open_window(browser)
    visit(page, server, f"drift?study={STUDY}&reader=lead&part=judge")
    expect(page.get_by_role("heading", level=1)).to_contain_text(
        "changed: in the last round (round 2), it gives the settled label less often than when first asked"
    )
    for line in ("Everything behind it", "The judge to use"):
        open_line(page, line)
    expect(page.get_by_role("table", name="Rounds of the locked set")).to_be_visible()
    check_look(page, "drift-judge")
    page.close()


def test_a_lead_freezes_and_decides_with_the_keyboard(page: Page, server: Server, store: Store) -> None:
    visit(page, server, f"drift?study={STUDY}&reader=lead&part=judge")
    size = page.get_by_role("spinbutton", name="Conversations")
    expect(size).to_be_visible()
    focus(size)
    page.keyboard.press("Control+a")
    page.keyboard.type("20")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Set 1 is locked")).to_be_visible()
    focus(page.locator("summary").filter(has=page.get_by_text("The judge to use")))
    page.keyboard.press("Enter")
    name = page.get_by_role("textbox", name="Your name")
    focus(name)
    page.keyboard.type("Dr Lee")
    page.keyboard.press("Enter")
    expect(page.get_by_text("is in use from now on")).to_be_visible()
    open_line(page, "Everything behind it")
    expect(page.get_by_role("cell", name="Dr Lee")).to_be_visible()
    with store.reading() as connection:
        study = studies.find(connection, STUDY)
        assert study is not None
        anchor_set = anchors.newest(connection, study.id)
        assert anchor_set is not None and len({unit for unit, _ in anchor_set.labels}) == 20
        assert [row.decided_by for row in connection.execute(schema.adoption.select())] == ["Dr Lee"]
    page.close()
