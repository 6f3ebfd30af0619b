"""A lead sets up a study as docs/leads.md says; eight browsers finish it, disagreements are settled, and the
store can tell why each unit was drawn.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, Page, expect
from sqlalchemy import select

from data import schema
from data.keeping.verify import verify
from data.labels import disagreements, settlements
from data.record import studies, units
from data.record.studies import Study
from data.store.store import Store
from data.work import draws, setup
from data.work.plan import WorkPlan
from tests.browser.actions import (
    click,
    expect_reason,
    fill,
    open_context,
    open_window,
    press,
    press_labels,
    visit,
    wait_for_redraw,
    wait_until,
)
from tests.browser.looks import check_look
from tests.browser.serving import Server
from tests.browser.test_never_break import Received, sample
from tests.studies.settling import Colleague

KEY = "coaching_demo"
NAMES = [f"Clinician {letter}" for letter in "PQRSTUVW"]
SETTLER = "Dr Settle"
IN_THE_BROWSER = 8


@contextmanager
def tab(browser: Browser) -> Iterator[Page]:
    context = open_context(browser)
    page = context.new_page()
    page.on("pageerror", lambda error: pytest.fail(f"an error in the page: {error}"))
    yield page
    context.close()


def set_up(page: Page, server: Server) -> None:
    """The steps of docs/leads.md."""
    visit(page, server, f"lead?study={KEY}&reader=lead")
    fill(page.get_by_role("textbox", name="Add raters"), "\n".join([*NAMES, SETTLER]))
    click(page.get_by_role("button", name="Add them"))
    expect(page.get_by_text("9 raters were added.")).to_be_visible()
    raters = page.get_by_role("combobox", name="Who rates")
    expect(raters).to_have_count(1)  # while the page is drawn anew the former one still stands there
    for name in NAMES:
        fill(raters, name)
        click(page.get_by_role("option", name=name))
        expect(page.locator("[data-testid=stMultiSelect] span", has_text=name).first).to_be_visible()
    press(page, "Escape")
    fill(page.get_by_role("spinbutton", name="Percent of each rater's"), "10")
    expect(page.get_by_role("heading", level=1, name="14 conversations, 2 raters each")).to_be_visible()
    click(page.get_by_text("Give out everything now"))
    click(page.get_by_role("button", name="Save the plan"))
    expect(page.get_by_text("Saved as version 1.")).to_be_visible()
    visit(page, server, f"lead?study={KEY}&reader=lead&part=What is rated")
    click(page.get_by_role("button", name="Preview the selection"))
    expect(page.get_by_text("This would select 14")).to_be_visible()
    click(page.get_by_role("button", name="Select", exact=True))
    expect(page.get_by_text("14 conversations were selected.")).to_be_visible()


def state(page: Page) -> str:
    """rating, committed, done or moving."""
    foot = page.locator(".workbench footer").inner_text() if page.locator(".workbench footer").count() else ""
    if "Ctrl+Enter" in foot:
        return "rating"
    if "Nothing more is waiting for you" in foot:
        return "done"
    return "committed" if "Next" in foot or "Compare with the judge" in foot else "moving"


def settled_state(page: Page, *wanted: str) -> str:
    states: list[str] = []

    def reached() -> bool:
        states.append(state(page))
        return states[-1] in wanted

    wait_until(page, reached, lambda: end_of_workbench(page))
    return states[-1]


def end_of_workbench(page: Page) -> str:
    return (
        f"{state(page)}: {page.locator('.workbench').inner_text()[:300]} ... "
        f"{page.locator('.workbench').inner_text()[-300:]}"
    )


def number(page: Page) -> str:
    """Of the unit on the screen; the address may be a moment ahead of it."""
    return re.search(r"\d+", page.locator(".workbench .units .here").inner_text()).group()  # type: ignore[union-attr]


def onward(page: Page) -> tuple[str, str]:
    """The unit on the screen and what its foot offers."""
    return number(page), page.locator(".workbench footer").inner_text()


def rate_one(page: Page, label: str) -> bool:
    """Rate the unit on the screen and go on; whether there was one."""
    while (
        now := settled_state(page, "rating", "committed", "done")
    ) == "committed":  # the next one, or one more to compare
        before = onward(page)
        press(
            page, "j"
        )  # others may have taken what was next: then the page stays and says what there is instead
        wait_until(page, lambda before=before: onward(page) != before, lambda: end_of_workbench(page))  # type: ignore[misc]
    if now == "done":
        return False
    here = number(page)
    page.keyboard.press(label)
    for _ in range(40):
        if "all answered" in page.locator(".workbench footer").inner_text():
            break
        press_labels(page, "y")
    page.keyboard.press("Control+Enter")
    wait_until(page, lambda: number(page) != here or state(page) != "rating", lambda: end_of_workbench(page))
    return True


def test_eight_browsers_finish_a_study_with_overlap_two_and_its_disagreements_are_settled(
    browser: Browser, server: Server, store: Store
) -> None:
    with tab(browser) as lead:
        set_up(lead, server)
        visit(lead, server, f"lead?study={KEY}&reader=lead&part=Raters")
        links = {
            name: str(lead.get_by_role("row", name=name).get_by_role("link").get_attribute("href"))
            for name in (*NAMES, SETTLER)
        }
        check_look(lead)
    with store.reading() as connection:
        study = studies.find(connection, KEY)
    assert study is not None
    contexts = [open_context(browser) for _ in NAMES]
    pages = [context.new_page() for context in contexts]
    received = Received(pages[0])
    for page, name in zip(pages, NAMES, strict=True):
        page.goto(f"{server.url}/{links[name]}")
        click(page.get_by_role("button", name=name, exact=True))  # a link by itself opens nobody's list
        click(page.get_by_role("button", name="Start rating"))
        click(page.get_by_role("button", name="Open the conversations"))
        expect(page.locator(".workbench .row").first).to_be_visible()
    before = received.text()
    assert not [
        row for row in sample(KEY, "judgements.jsonl") if row.get("reasoning") and row["reasoning"] in before
    ]
    working = list(enumerate(pages))
    while working:
        working = [(turn, page) for turn, page in working if rate_one(page, "yn"[turn % 2])]
    for context in contexts:
        context.close()
    with store.reading() as connection:
        assert [(row.taken, row.wanted) for row in connection.execute(select(schema.slot))] == [(2, 2)] * 14
        given = connection.execute(select(schema.commit.c.rater_id, schema.commit.c.unit_id)).all()
        twins = set(connection.execute(select(schema.repeat.c.unit_id)).scalars())
        assert len([row for row in given if row.unit_id not in twins]) == 28
        waiting = disagreements.between_people(connection, study).total
    assert waiting > 0
    settle(browser, server, links[SETTLER], waiting, IN_THE_BROWSER)
    settle_the_rest(store, study)
    with store.reading() as connection:
        assert disagreements.between_people(connection, study).total == 0
        settled = settlements.settled(connection, study.id)
        assert len(settled) == waiting and all(
            settlement.is_reference and settlement.by == SETTLER for settlement in settled
        )
        why = draws.chances(connection, study.id)
        assert set(why) == set(units.ids(connection, study.id))
        assert {(inclusion.why, inclusion.chance, inclusion.draw) for inclusion in why.values()} == {
            ("all", 1.0, 1)
        }
        assert verify(connection).problems == []
    with tab(browser) as lead:
        visit(lead, server, f"lead?study={KEY}&reader=lead&part=How it stands")
        expect(lead.get_by_text("14 of 14 conversations have all their raters")).to_be_visible()
        expect(lead.get_by_role("button", name="Clinician P", exact=True)).to_be_visible()
        check_look(lead)


def settle(browser: Browser, server: Server, link: str, waiting: int, count: int) -> None:
    with tab(browser) as page:
        visit(page, server, f"{link.replace('my_work', 'adjudication')}&note=seen")
        expect(page.get_by_role("heading", name=f"{waiting} labels ")).to_be_visible()
        click(page.get_by_role("button", name="Open the first one"))
        for left in range(waiting - 1, waiting - 1 - count, -1):
            wait_for_redraw(page)
            expect_reason(page)
            for choice in (
                "No",
                "the rubric can be read in two ways",
            ):  # with the keyboard: tests/browser/test_settling.py
                click(page.get_by_role("button", name=re.compile(rf"^{choice}\b")))
                expect(page.get_by_role("button", name=f"✓ {choice}")).to_be_visible()
            fill(page.get_by_label("Reason"), "It is not held up to the end.")
            press(page, "Control+Enter")
            expect(page.get_by_role("heading", name=f"{left} label")).to_be_visible()


def settle_the_rest(store: Store, study: Study) -> None:
    """As the page does it, without the page: the imported clinicians of the sample differ in many places."""
    with store.reading() as connection:
        who = next(rater.id for rater in studies.raters(connection, study.id) if rater.name == SETTLER)
        left = disagreements.between_people(connection, study).items
    colleague = Colleague(store, study, who)
    for one in left:
        colleague.open(one.position)
        colleague.settle(one.position, one.criterion, "NO")


def test_two_browsers_on_one_unit_of_overlap_one_do_not_both_get_it(
    browser: Browser, server: Server, store: Store
) -> None:
    """The last unit of a study: whoever asks second is told that nothing is left."""
    with store.writing("lead", "plan") as (connection, entry):
        study = studies.find(connection, KEY)
        assert study is not None
        setup.new_plan(connection, entry, study, WorkPlan(overlap=1, repeats=0.0))
        draws.draw(connection, entry, study, draws.read_spec({"method": "chosen", "positions": "3"}), 0)
        setup.open_drawn_units(connection, study)
        people = [rater.id for rater in studies.raters(connection, study.id) if rater.kind == "person"][:2]
    with tab(browser) as first, tab(browser) as second:
        visit(first, server, f"review?study={KEY}&reader={people[0]}&note=seen")
        expect(first.locator(".workbench .row").first).to_be_visible()
        visit(second, server, f"review?study={KEY}&reader={people[1]}&note=seen")
        expect(second.get_by_text("Nothing more is waiting for you")).to_be_visible()
        # The same rater in a second tab has the same unit.
        visit(second, server, f"review?study={KEY}&reader={people[0]}&note=seen")
        expect(second.locator(".workbench .row").first).to_be_visible()
        second.keyboard.press("y")
        expect(second.locator(".saved")).to_have_text(re.compile(r"^saved \d\d:\d\d:\d\d$"))
    with store.reading() as connection:
        assert len(connection.execute(select(schema.assignment)).all()) == 1


def test_the_pages_of_the_work_are_accessible_and_fit(browser: Browser, server: Server, store: Store) -> None:
    page = open_window(browser)
    for part in ("Plan", "What is rated", "How it stands", "Practice", "Whose labels count"):
        visit(page, server, f"lead?study={KEY}&reader=lead&part={part}")
        expect(
            page.get_by_role("radio", name=part).or_(page.get_by_role("button", name=part, exact=True)).first
        ).to_be_visible()
        wait_for_redraw(page)
        check_look(page)
    with store.reading() as connection:
        study = studies.find(connection, KEY)
        assert study is not None
        rater = next(rater.id for rater in studies.raters(connection, study.id) if rater.kind == "person")
    page.close()
    page = open_window(browser)  # a browser that led the study would be asked first
    visit(page, server, f"my_work?study={KEY}&reader={rater}")
    expect(page.get_by_role("button", name="Start rating")).to_be_visible()
    check_look(page)
    page.close()


def test_a_new_name_that_is_pressed_twice_sits_down_once(page: Page, server: Server, store: Store) -> None:
    page.goto(f"{server.url}/review?study={KEY}")
    fill(page.get_by_role("textbox", name="Another name"), "Yan")
    click(page.get_by_role("button", name="I rate here"), click_count=2)
    expect(page.get_by_role("button", name="Open the conversations")).to_be_visible()
    with store.reading() as connection:
        study = studies.get_by_key(connection, KEY)
        assert [rater.name for rater in studies.raters(connection, study.id)].count("Yan") == 1
