"""The judge in use: one button for a lead, a command, and headlines that no trial run changes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from click.testing import CliRunner
from sqlalchemy import select
from streamlit.testing.v1 import AppTest

from cli import main
from data import schema
from data.importers.imported_judgements import add_judgements
from data.importers.report import ImportReport
from data.record import adoptions, studies
from data.record.judgements import JudgeIdentity
from data.store.store import Store
from tests.pages.conftest import text_of

KEY = "lend_an_ear"
App = Callable[..., AppTest]


def in_use(store: Store) -> int | None:
    with store.reading() as connection:
        return adoptions.judge_in_use(connection, studies.get_by_key(connection, KEY).id)


def judges(store: Store) -> dict[str, int]:
    with store.reading() as connection:
        table = schema.judge
        study = studies.get_by_key(connection, KEY)
        rows = connection.execute(select(table.c.name, table.c.id).where(table.c.study_id == study.id))
        return {name: number for name, number in rows}


def press(at: AppTest, judge: int, by: str = "Dr Lee") -> AppTest:
    at.text_input(key=f"use-judge-by-{judge}").set_value(by)
    next(button for button in at.button if button.label == "Use this judge").click().run()
    assert not at.exception
    return at


def test_a_lead_presses_use_this_judge_and_every_headline_is_of_it(app: App, store: Store) -> None:
    named = judges(store)
    assert in_use(store) == named["Gemini 2.5 Pro"]
    at = app("judges", study=KEY, reader="lead", judge=str(named["GPT-4o"]))
    page_text = text_of(press(at, named["GPT-4o"])).replace("\\", "")
    assert "GPT-4o is now the judge in use" in page_text
    assert in_use(store) == named["GPT-4o"]
    for page in ("overview", "agreement"):
        assert "GPT-4o, gpt-4o, one of 3 judges" in text_of(app(page, study=KEY, reader="lead"))
    with store.reading() as connection:
        [row] = connection.execute(select(schema.judge_choice)).all()
    assert (row.judge_id, row.chosen_by) == (named["GPT-4o"], "Dr Lee")


def test_nobody_is_blamed_for_ones_own_choice(app: App, store: Store) -> None:
    named = judges(store)
    at = app("judges", study=KEY, reader="lead", judge=str(named["Claude 3.7 Sonnet"]))
    with store.writing("lead", "choose", None) as (connection, entry):
        study = studies.get_by_key(connection, KEY)
        adoptions.choose_judge(connection, entry, study, named["GPT-4o"], "Dr Ode", in_use(store))
    page_text = text_of(press(at, named["Claude 3.7 Sonnet"])).replace("\\", "")
    assert (
        "Somebody else chose a judge while you were reading" in page_text and in_use(store) == named["GPT-4o"]
    )
    press(at, named["Claude 3.7 Sonnet"])
    assert in_use(store) == named["Claude 3.7 Sonnet"], "the page was read again in between"


def test_it_takes_a_name_and_a_lead(app: App, store: Store, rater_id: Callable[[str, str], int]) -> None:
    named = judges(store)
    at = app("judges", study=KEY, reader="lead", judge=str(named["GPT-4o"]))
    assert "Write your name" in text_of(press(at, named["GPT-4o"], by=" "))
    rater = app("judges", study=KEY, reader=str(rater_id(KEY, "Reader 1")), judge=str(named["GPT-4o"]))
    assert not [button for button in rater.button if button.label == "Use this judge"]
    assert in_use(store) == named["Gemini 2.5 Pro"]


def test_a_trial_of_another_judge_changes_no_headline(app: App, store: Store) -> None:
    before = text_of(app("overview", study=KEY, reader="lead"))
    with store.writing("tests", "trial", None) as (connection, entry):
        study = studies.get_by_key(connection, KEY)
        keys = connection.execute(
            select(schema.conversation.c.key).where(schema.conversation.c.study_id == study.id)
        ).scalars()
        criterion = study.instrument.criteria[0].id
        rows = [{"conversation_id": key, "criterion": criterion, "label": "1"} for key in keys]
        report = ImportReport("trial")
        add_judgements(
            connection, entry, study, enumerate(rows, start=1), report, JudgeIdentity("Trial"), "tests"
        )
        report.raise_if_wrong()
    assert in_use(store) == judges(store)["Gemini 2.5 Pro"]
    after = text_of(app("overview", study=KEY, reader="lead"))
    assert after == before.replace("one of 3 judges", "one of 4 judges")


def test_the_command_does_the_same(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECOND_READER_DATABASE_URL", f"sqlite:///{store.path}")
    result = CliRunner().invoke(main, ["use-judge", KEY, "Claude 3.7 Sonnet", "--by", "Dr Lee"])
    assert (result.exit_code, result.output) == (0, "Judge in use: Claude 3.7 Sonnet.\n")
    assert in_use(store) == judges(store)["Claude 3.7 Sonnet"]
    again = CliRunner().invoke(main, ["use-judge", KEY])
    assert again.output == "Judge in use: Claude 3.7 Sonnet.\n"
    nameless = CliRunner().invoke(main, ["use-judge", KEY, "GPT-4o", "--by", " "])
    assert nameless.exit_code != 0 and in_use(store) == judges(store)["Claude 3.7 Sonnet"]
