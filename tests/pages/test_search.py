"""What the page sends to the bar after it was made: an answer to a search, and how many labels are left to
settle.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from data.record import studies
from data.record.rater_codes import read_rater_codes
from data.store.errors import StoreError
from data.store.store import Store
from data.work import exposures
from pages.widgets.bar import answers
from pages.widgets.bar.answers import SearchQuestion, read_question
from tests.pages.conftest import BarOfTest
from tests.studies import small_study

App = Callable[..., AppTest]


def bar_data(at: AppTest) -> dict[str, Any]:
    """What the bar is told by the component beside it."""
    (element,) = [
        element for element in at.get("bidi_component") if "answers" in element.proto.component_name
    ]
    data: dict[str, Any] = json.loads(element.proto.json)
    return data


@pytest.fixture
def ask(app: App, monkeypatch: pytest.MonkeyPatch) -> Callable[..., dict[str, Any]]:
    """The answer to words that somebody types on a page."""

    def find(words: str, page: str = "metrics", **query: str) -> dict[str, Any]:
        monkeypatch.setattr(answers, "read_question", lambda _: SearchQuestion(7, words))
        at = app(page, **query)
        assert not at.exception
        answer: dict[str, Any] = bar_data(at)["answer"]
        assert answer["number"] == 7
        return answer

    return find


def lines(answer: dict[str, Any]) -> dict[str, str]:
    return {hit["text"]: hit["address"] for group in answer["groups"] for hit in group["hits"]}


def test_nobody_finds_nothing_in_a_study_nor_outside_of_one(ask: Callable[..., dict[str, Any]]) -> None:
    assert ask("feel", study="lend_an_ear")["groups"] == []
    assert ask("feel", page="studies")["groups"] == []


def test_a_store_that_cannot_be_read_is_told_in_the_search_and_the_page_stays(
    ask: Callable[..., dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise StoreError("The store is in use by another program.")

    monkeypatch.setattr(answers, "search_study", fail)
    answer = ask("feel", study="lend_an_ear", reader="lead")
    assert (answer["groups"], answer["trouble"]) == ([], "The store is in use by another program.")


def test_what_a_lead_finds_leads_to_its_page(
    ask: Callable[..., dict[str, Any]], rater_id: Callable[..., int]
) -> None:
    query = {"study": "lend_an_ear", "reader": "lead"}
    answer = ask("emotions", **query)
    assert lines(answer)["Dismisses emotions"].startswith("agreement?study=lend_an_ear&reader=lead&row=")
    name = next(text for text, target in lines(answer).items() if target.endswith("&reader=lead&unit=3"))
    assert name.startswith("lend_an_ear_2024")
    assert [group["title"] for group in answer["groups"]] == ["Criteria", "Conversations"]
    reader = rater_id("lend_an_ear", "Reader 1")
    assert lines(ask("reader 1", **query)) == {
        "Reader 1": f"lead?study=lend_an_ear&reader=lead&part=How+it+stands&rater={reader}"
    }


def test_a_lead_finds_who_rated_in_a_file_by_the_code_alone(
    ask: Callable[..., dict[str, Any]], store: Store, rater_id: Callable[..., int]
) -> None:
    with store.reading() as connection:
        study = studies.find(connection, "lend_an_ear")
        assert study is not None
        codes = read_rater_codes(connection, study)
        imported = [each for each in studies.raters(connection, study.id) if each.kind == "imported"]
    expert = imported[0]
    code = codes[expert.id].removeprefix("Rater ")
    query = {"study": "lend_an_ear", "reader": "lead"}
    address = f"agreement?study=lend_an_ear&reader=lead&rater={code}"
    assert lines(ask(f"rater {code}", **query)) == lines(ask(code, **query)) == {f"Rater {code}": address}
    assert address not in lines(ask(expert.name, **query)).values()
    reader = str(rater_id("lend_an_ear", "Reader 1"))
    assert lines(ask(f"rater {code}", study="lend_an_ear", reader=reader)) == {}


def test_what_a_blind_rater_finds_leads_to_their_rating(
    ask: Callable[..., dict[str, Any]], rater_id: Callable[..., int]
) -> None:
    reader = str(rater_id("lend_an_ear", "Reader 1"))
    addresses = lines(ask("emotions", study="lend_an_ear", reader=reader))
    assert addresses["Dismisses emotions"].startswith(
        f"review?study=lend_an_ear&reader={reader}&unit=1&criterion="
    )
    assert addresses["Conversation 3"] == f"review?study=lend_an_ear&reader={reader}&unit=3"
    for words in ("reader", "gpt", "lend_an_ear_2024", "expert", "gemini"):
        assert lines(ask(words, study="lend_an_ear", reader=reader)) == {}, words


def test_words_around_a_result_wait_for_the_note_on_the_content(
    ask: Callable[..., dict[str, Any]], rater_id: Callable[..., int]
) -> None:
    reader = str(rater_id("vera_mh", "Reader 1"))

    def abouts(**query: str) -> set[str]:
        answer = ask("feel", study="vera_mh", reader=reader, **query)
        return {hit["about"] for group in answer["groups"] for hit in group["hits"]}

    assert abouts() == {""}
    assert len(abouts(page="review", note="seen")) == 10


@pytest.mark.parametrize(
    "sent", [None, "words", {}, {"number": "1", "words": "x"}, {"number": True, "words": "x"}, {"number": 1}]
)
def test_what_the_bar_does_not_send_is_no_question(sent: object) -> None:
    assert read_question(sent) is None


def test_what_the_bar_sends_is_a_question() -> None:
    assert read_question({"number": 3, "words": "warm", "more": 1}) == SearchQuestion(3, "warm")


def test_labels_left_to_settle_stand_in_the_bar_of_whoever_may_settle(
    app: App, bar: BarOfTest, store: Store, tmp_path: Path
) -> None:
    small = small_study.make(store, tmp_path, raters=("Ann", "Ben", "Cleo"))
    ann, ben, cleo = (str(rater) for rater in small.raters)
    for number, label in ((0, "YES"), (1, "NO")):
        for position in (1, 2, 3, 4):
            small.desk(number).rate(position, label)

    def left(page: str, reader: str) -> dict[str, Any] | None:
        bar.pressed = None
        at = app(page, study="small", reader=reader)
        assert not at.exception
        value: dict[str, Any] | None = bar_data(at)["left"]
        return value

    assert left("metrics", "lead") == {"address": "adjudication?study=small&reader=lead", "count": 11}
    assert left("review", "lead") is None, "where a commit is to be quick"
    assert left("metrics", cleo) is None and "Settle" not in bar.texts()
    with store.writing("Cleo", "open", small.study.id) as (connection, entry):
        exposures.record_page(connection, entry, int(cleo))
    assert left("metrics", ann) == {"address": f"adjudication?study=small&reader={ann}", "count": 0}
    assert "Settle" in bar.texts(), "both rated all of it themselves, so nothing is theirs to settle"
    cleos = left("metrics", cleo)
    assert cleos is not None and cleos["count"] == 11, "of the same moment, and another person's"
    assert cleos["address"] == f"adjudication?study=small&reader={cleo}"
    at = app("adjudication", study="small", reader=cleo)
    assert bar_data(at)["left"] == cleos and ben != cleo
