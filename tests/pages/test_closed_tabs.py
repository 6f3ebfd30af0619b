"""What takes long to make is made once for all tabs, only for those who may see it, and goes with the last tab that
asked for it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from data.store.study_heads import StudyHead
from pages.widgets.closed_tabs import TabRegister
from pages.widgets.memo import KEPT, SharedResults

ROOT = Path(__file__).resolve().parents[2]
BEFORE, HEAD, OTHER_STUDY = StudyHead(1, "before"), StudyHead(1, "head"), StudyHead(2, "head")


@pytest.fixture
def results() -> SharedResults:
    return SharedResults()


def test_a_value_is_made_once_for_two_tabs(results: SharedResults) -> None:
    first = results.get("tab 1", "read", 1, HEAD, object)
    assert results.get("tab 2", "read", 1, HEAD, object) is first


def test_another_key_or_name_has_a_value_of_its_own(results: SharedResults) -> None:
    values = [
        results.get("tab", name, key, HEAD, object)
        for name in ("read", "found")
        for key in ((1, None), (1, 7))
    ]
    assert len({id(value) for value in values}) == 4


def test_of_each_name_the_last_ones_are_kept(results: SharedResults) -> None:
    for key in range(KEPT + 2):
        results.get("tab", "read", key, HEAD, object)
    assert len(results) == KEPT
    results.get("tab", "read", KEPT + 1, HEAD, lambda: pytest.fail("the last one was not kept"))


def test_tabs_on_several_studies_do_not_push_out_each_other(results: SharedResults) -> None:
    kept = [(f"tab {tab}", f"study {tab}", part) for tab in range(4) for part in range(KEPT)]
    for tab, study, part in kept:
        results.get(tab, "read", (study, part), HEAD, object)
    for tab, study, part in kept:
        results.get(tab, "read", (study, part), HEAD, lambda: pytest.fail("it was made again"))


def test_what_another_tab_still_shows_stays_when_this_one_goes_on(results: SharedResults) -> None:
    results.get("tab 1", "read", 0, HEAD, object)
    results.get("tab 2", "read", 0, HEAD, object)
    for key in range(1, KEPT + 1):
        results.get("tab 1", "read", key, HEAD, object)
    results.get("tab 2", "read", 0, HEAD, lambda: pytest.fail("it was made again"))


def test_a_tab_keeps_what_its_last_pages_asked_for(results: SharedResults) -> None:
    for page in ("overview", "agreement", "overview", "drift"):
        results.get("tab", page, 1, HEAD, object, page)
    results.get("tab", "overview", 1, HEAD, lambda: pytest.fail("it was made again"), "drift")
    assert len(results) == 2  # agreement was two pages ago
    results.get("other tab", "agreement", 1, HEAD, object, "agreement")
    assert len(results) == 3


def test_what_was_made_of_an_earlier_state_of_the_store_goes(results: SharedResults) -> None:
    results.get("tab", "read", 1, BEFORE, lambda: "old")
    results.get("tab", "found", 1, BEFORE, lambda: "old")
    assert results.get("tab", "read", 1, HEAD, lambda: "new") == "new"
    assert len(results) == 1


def test_what_was_made_of_another_study_stays(results: SharedResults) -> None:
    other = results.get("tab 1", "read", 2, OTHER_STUDY, object)
    results.get("tab 2", "read", 1, BEFORE, object)
    results.get("tab 2", "read", 1, HEAD, object)
    assert results.get("tab 1", "read", 2, OTHER_STUDY, object) is other


def test_a_value_goes_with_the_last_tab_that_asked_for_it(results: SharedResults) -> None:
    results.get("tab 1", "read", 1, HEAD, object)
    results.get("tab 2", "read", 1, HEAD, object)
    results.forget_tab("tab 1")
    assert len(results) == 1
    results.forget_tab("tab 2")
    assert len(results) == 0


class Steps:
    """A value with something that it was made of."""

    def __init__(self) -> None:
        self.steps = ["a column"]

    def forget_steps(self) -> None:
        self.steps.clear()


def test_when_a_page_is_drawn_its_values_stay_without_what_they_were_made_of(results: SharedResults) -> None:
    drawn = results.get("tab 1", "found", 1, HEAD, Steps)
    beside = results.get("tab 2", "found", 2, HEAD, Steps)
    results.get("tab 1", "read", 1, HEAD, object)
    results.forget_steps("tab 1")
    assert (drawn.steps, beside.steps) == ([], ["a column"])
    assert results.get("tab 1", "found", 1, HEAD, Steps) is drawn


def test_what_failed_is_made_again(results: SharedResults) -> None:
    with pytest.raises(ZeroDivisionError):
        results.get("tab", "read", 1, HEAD, lambda: 1 // 0)
    assert results.get("tab", "read", 1, HEAD, lambda: "made") == "made"


def test_two_tabs_do_not_make_the_same_at_once(results: SharedResults) -> None:
    begun, may_end, calls = threading.Event(), threading.Event(), []

    def make() -> str:
        begun.set()
        assert may_end.wait(60)
        calls.append("once")
        return "value"

    answers: list[str] = []
    tabs = [
        threading.Thread(target=lambda name=name: answers.append(results.get(name, "read", 1, HEAD, make)))
        for name in ("tab 1", "tab 2")
    ]
    tabs[0].start()
    assert begun.wait(60)
    tabs[1].start()
    may_end.set()
    for tab in tabs:
        tab.join(60)
    assert (answers, calls) == (["value", "value"], ["once"])


def test_a_tab_is_left_only_after_the_time_in_which_the_browser_may_come_back() -> None:
    now, connected = [0.0], {"a", "b"}
    register = TabRegister(lambda: now[0])
    register.note("a")
    register.note("b")
    assert register.take_left(connected.__contains__, 120) == []
    connected.remove("a")
    assert register.take_left(connected.__contains__, 120) == []
    now[0] = 100
    connected.add("a")  # the line was broken for a moment
    assert register.take_left(connected.__contains__, 120) == []
    connected.remove("a")
    now[0] = 150
    assert register.take_left(connected.__contains__, 120) == []
    now[0] = 269
    assert register.take_left(connected.__contains__, 120) == []
    now[0] = 270
    assert register.take_left(connected.__contains__, 120) == ["a"]
    assert register.take_left(connected.__contains__, 120) == []


def visit(database: Path, occasion: str) -> dict[str, dict[str, int]]:
    child = subprocess.run(
        [sys.executable, "-m", "tests.servers.tabs_of_server", "lend_an_ear", occasion],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "SECOND_READER_DATABASE_URL": f"sqlite:///{database}"},
    )
    alive: dict[str, dict[str, int]] = json.loads(child.stdout.splitlines()[-1])
    return alive


def test_closed_tabs_of_a_server_leave_nothing_of_a_report(database: Path) -> None:
    alive = visit(database, "closed")
    assert alive["one tab"]["Findings"] > 0
    assert alive["two tabs"] == alive["one tab"]
    assert alive["one closed"]["Findings"] == alive["one tab"]["Findings"]
    assert alive["both closed"] == {"Findings": 0, "SharedResult": 0}


def test_a_tab_that_was_closed_a_moment_ago_holds_nothing_of_what_the_study_was_before(
    database: Path,
) -> None:
    alive = visit(database, "changed")
    assert alive["before"]["Findings"] > 0
    assert alive["after"] == alive["before"]
