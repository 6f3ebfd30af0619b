"""One code a rater in all results: on every page and in every report of one study; a settlement has letters."""

from __future__ import annotations

import html
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from data.labels import reasoning_comments
from data.record import judgements
from data.store.store import Store
from reports.kinds import KINDS, ReportChoices
from tests.pages.conftest import text_of
from tests.studies import small_study
from tests.studies.rater_codes import CODE, LETTER
from tests.studies.small_study import Small

App = Callable[..., AppTest]
NAMES = ("Ada Winter", "Boaz Lindqvist", "Cleo Marsh")
PAGES = {
    "agreement": {},
    "review": {"unit": "2"},
    "drift": {"part": "raters"},
    "judges": {},
}


@pytest.fixture
def small(store: Store, tmp_path: Path) -> Small:
    """The second rater came first; both wrote of the judge's reasons, and differ on c2 and c3. The third has
    rated nothing.
    """
    study = small_study.make(store, tmp_path, raters=NAMES)
    for number in (1, 0):
        desk = study.desk(number)
        for position in range(1, 5):
            desk.rate(position, "NO" if number and position in (2, 3) else "YES")
            desk.reveal(position)
        unit = desk.unit(2)
        with store.writing("tests", "comment on reasoning", study.study.id) as (connection, entry):
            for judge in judgements.judges(connection, study.study.id):
                event = f"comment-{desk.rater}-{judge.id}"
                reasoning_comments.write(
                    connection, entry, unit, desk.rater, event, judge.id, "warm", "it misses the tone"
                )
    return study


def everything(at: AppTest) -> str:
    """What is said, offered and drawn."""
    assert not at.exception
    return html.unescape(
        text_of(at)
        + "\n".join(str(box.options) for box in at.selectbox)
        + "\n".join(str(chart.proto.spec) for chart in at.get("plotly_chart"))
    )


@pytest.mark.parametrize("page", PAGES)
def test_every_page_of_results_says_the_same_codes_and_no_name(app: App, small: Small, page: str) -> None:
    shown = everything(app(page, study="small", reader="lead", **PAGES[page]))
    assert not [name for name in NAMES if name in shown]
    assert set(CODE.findall(shown)) == set(small.codes[:2])
    assert set(LETTER.findall(shown)) == set()


def test_the_lead_who_typed_the_names_reads_them_beside_the_same_codes(app: App, small: Small) -> None:
    at = app("lead", study="small", reader="lead", part="How it stands")
    (table,) = [
        json.loads(element.proto.json)
        for element in at.get("bidi_component")
        if "raters" in element.proto.component_name
    ]
    # Who is in the study without having rated stands with their code here only.
    assert {row["name"]: row["code"] for row in table["rows"]} == dict(zip(NAMES, small.codes, strict=True))


@pytest.mark.parametrize("kind", KINDS)
def test_every_report_says_no_other_codes_and_no_name(store: Store, small: Small, kind: str) -> None:
    with store.reading() as connection:
        contents = KINDS[kind].write_files(connection, small.study, ReportChoices())
    words = "\n".join(content.decode() for content in contents.values())
    assert not [name for name in NAMES if name in words]
    assert set(CODE.findall(words)) <= set(small.codes) and set(LETTER.findall(words)) == set()


@pytest.mark.parametrize("kind", ["agreement", "drift"])
def test_a_report_of_raters_names_both_under_their_codes(store: Store, small: Small, kind: str) -> None:
    with store.reading() as connection:
        contents = KINDS[kind].write_files(connection, small.study, ReportChoices())
    page = contents["report.html"].decode()
    tables = "\n".join(content.decode() for name, content in contents.items() if name.endswith(".csv"))
    assert set(CODE.findall(page)) == set(CODE.findall(tables)) == set(small.codes[:2])


def test_a_settlement_has_letters_and_none_of_the_codes(app: App, small: Small) -> None:
    at = app("adjudication", study="small", reader=str(small.raters[2]))
    at.button(key="guard-open").click().run()
    at.button(key="open-next").click().run()
    shown = everything(at)
    assert set(LETTER.findall(shown)) == {"Rater A", "Rater B"}
    assert set(CODE.findall(shown)) == set() and not [name for name in NAMES[:2] if name in shown]
