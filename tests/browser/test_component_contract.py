"""The workbench's script as Streamlit calls it, call by call, in an empty page."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect
from sqlalchemy import select

from data import schema
from data.record import studies, units
from data.store.store import Store
from data.work.worklist import open_worklist
from pages.widgets.workbench.component import FOLDER, SCRIPT
from pages.widgets.workbench.view import view
from tests.browser.serving import Server

CALL = """async ({ script, html, data }) => {
  document.body.innerHTML = html;
  const { default: component } = await import(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
  const sent = [];
  const call = () => component({ data, parentElement: document.body, setStateValue: (name, value) => sent.push([name, value]) });
  const press = (key) => document.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  const pause = () => new Promise((done) => setTimeout(done, 20));
  const overtaken = call();
  const last = call();
  press("y");
  overtaken();
  await pause();
  press("n");
  await pause();
  const while_shown = [...new Set(sent.at(-1)[1].map((event) => `${event.criterion} ${event.answer.label}`))];
  document.querySelector(".workbench").remove();
  last();
  await pause();
  const before = sent.length;
  press("y");
  await new Promise((done) => setTimeout(done, 3000));  // longer than the browser waits before it asks again
  return { while_shown, after_the_end: sent.length - before };
}"""


ENTITIES = {"value": 0.5, "why": "", "slope": None, "curve": [0.5, None], "entities": ["report"], "stale": ""}
METRICS: dict[str, Any] = {"note": "", "judges": [], "goal": None, "steps": None, "entities": ENTITIES}

# The same, left standing: `answerServer()` is an answer in which nothing has changed but the states of the
# list.
STAND = """async ({ script, html, style, data }) => {
  document.body.innerHTML = `<style>${style}</style>${html}`;
  const { default: component } = await import(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
  window.sent = [];
  let answers = 0;
  window.answerServer = (now = data) => {
    answers += 1;
    const rail = now.rail.map(([position, state]) => [position, answers % 2 ? state : "begun"]);
    const setStateValue = (name, value) => window.sent.push([name, value]);
    component({ data: { ...now, rail }, parentElement: document.body, setStateValue });
  };
  window.answerServer();
}"""


def data_of_unit(store: Store, key: str, position: int) -> dict[str, Any]:
    """What the server sends of a unit that its first rater has not begun."""
    with store.reading() as connection:
        study = studies.find(connection, key)
        assert study is not None
        table = schema.rater
        raters = connection.execute(
            select(table.c.id).where(table.c.study_id == study.id, table.c.kind == "person")
        )
        unit = units.at_position(connection, study.id, position)
        assert unit is not None
        rater = studies.rater(connection, raters.scalars().all()[-1])
        shown = view(open_worklist(connection, study, rater.id), unit, rater, with_transcript=True)
    return {
        **shown,
        "hint": "",
        "session": "one",
        "acked": [],
        "refused": [],
        "trouble": None,
        "now": "2026-11-21T08:00:00Z",
        "focus": None,
        "turn": 0,
    }


def run_script(page: Page, server: Server, program: str, data: dict[str, Any]) -> Any:
    page.goto(f"{server.url}/_stcore/health")
    files = {
        name: (FOLDER / f"{file}").read_text(encoding="utf-8")
        for name, file in (("html", "workbench.html"), ("style", "style.css"))
    }
    return page.evaluate(program, {"script": SCRIPT, "data": data, **files})


def test_the_end_of_an_overtaken_call_does_not_end_the_workbench(
    page: Page, server: Server, store: Store
) -> None:
    found = run_script(page, server, CALL, data_of_unit(store, "coaching_example", 1))
    assert found == {"while_shown": ["CQ1 YES", "CQ2 NO"], "after_the_end": 0}


def click_across_an_answer(page: Page, place: str) -> None:
    """Press the mouse on a place, let the server answer, release the mouse."""
    page.locator(place).first.hover()
    page.mouse.down()
    page.evaluate("answerServer()")
    page.mouse.up()


def events(page: Page, kind: str) -> list[dict[str, Any]]:
    sent = page.evaluate("sent.filter(([name]) => name === 'events').flatMap(([, events]) => events)")
    return [event for event in sent if event["kind"] == kind]


@pytest.mark.parametrize(
    ("place", "kind"),
    [
        ('.row.focus [data-label="YES"]', "draft"),
        (".units li:nth-child(2) button", "go"),
        ("footer button:has-text('skip')", "skip"),
    ],
)
def test_a_click_on_the_workbench_survives_an_answer_of_the_server(
    page: Page, server: Server, store: Store, place: str, kind: str
) -> None:
    run_script(page, server, STAND, data_of_unit(store, "coaching_demo", 3))
    click_across_an_answer(page, place)
    assert len({event["id"] for event in events(page, kind)}) == 1


def test_another_criterion_opens_by_a_click_that_meets_an_answer(
    page: Page, server: Server, store: Store
) -> None:
    run_script(page, server, STAND, data_of_unit(store, "coaching_demo", 3))
    click_across_an_answer(page, '[data-criterion="CQ3"] .name')
    expect(page.locator(".row.focus")).to_have_attribute("data-criterion", "CQ3")


def test_an_answer_of_the_server_does_not_scroll_what_somebody_reads(
    page: Page, server: Server, store: Store
) -> None:
    run_script(page, server, STAND, data_of_unit(store, "coaching_demo", 3))
    rows = page.locator(".pad .rows")
    rows.evaluate("node => { node.scrollTop = node.scrollHeight; }")
    before = rows.evaluate("node => node.scrollTop")
    assert before > 0
    page.evaluate("answerServer()")
    assert rows.evaluate("node => node.scrollTop") == before


def test_an_answer_of_the_server_folds_no_metric_and_unfolds_none(
    page: Page, server: Server, store: Store
) -> None:
    data = data_of_unit(store, "coaching_demo", 3)
    run_script(page, server, STAND, {**data, "metrics": METRICS})
    page.keyboard.press("w")
    folded = page.locator(".metric details")
    expect(folded).to_have_count(1)
    folded.locator("summary").click()
    page.evaluate("answerServer()")
    expect(folded).to_have_attribute("open", "")
    click_across_an_answer(page, ".metric summary")
    expect(folded).not_to_have_attribute("open", "")
    page.evaluate("answerServer()")
    expect(folded).not_to_have_attribute("open", "")


def test_the_note_of_one_unit_is_not_in_the_field_of_the_next(
    page: Page, server: Server, store: Store
) -> None:
    """What stands for the same thing stays, and the same criterion of another unit is another thing."""
    first, second = (data_of_unit(store, "coaching_demo", position) for position in (3, 4))
    run_script(page, server, STAND, first)
    page.keyboard.press("o")
    page.keyboard.type("of the third")
    page.evaluate("data => answerServer(data)", second)
    expect(page.locator(".note")).to_have_value("")
