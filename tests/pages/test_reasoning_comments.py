"""Comments on a judge's reasoning: on the Judges page for a lead, and never on the way of somebody who still
rates blind."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from data.record import studies
from data.store.store import Store
from data.work.worklist import open_worklist
from pages.widgets.workbench.view import view
from reports.refusals import word_error
from services import rating_events as events
from tests.pages.conftest import text_of
from tests.studies import small_study
from tests.studies.small_study import Small

App = Callable[..., AppTest]
EVIL = "<img src=x onerror=alert(1)> **it** misses the tone"


@pytest.fixture
def small(store: Store, tmp_path: Path) -> Small:
    study = small_study.make(store, tmp_path)
    desk = study.desk()
    desk.rate(2)
    desk.reveal(2)
    return study


def comment(
    small: Small,
    text: str,
    event: str,
    number: int = 0,
    criterion: str = "warm",
    judge: int = 1,
    **more: object,
) -> events.Outcome:
    """As the browser sends it; of the latest judge unless told otherwise, who is the one that the page begins
    with."""
    with small.store.reading() as connection:
        rater = studies.rater(connection, small.raters[number])
        unit = small.desk().unit(2)
    sent = [
        {
            "id": f"{event}-0",
            "kind": "reasoning",
            "unit": unit.id,
            "criterion": criterion,
            "judge": small.judges[judge],
            "value": "partly",
        },
        {
            "id": event,
            "kind": "comment",
            "unit": unit.id,
            "criterion": criterion,
            "judge": small.judges[judge],
            "text": text,
            **more,
        },
    ]
    return events.take(small.store, small.study, rater, sent, {}, 2, word_error)


def responses(small: Small, number: int = 0) -> dict[str, dict[str, object]]:
    with small.store.reading() as connection:
        rater = studies.rater(connection, small.raters[number])
        answers: dict[str, dict[str, object]] = view(
            open_worklist(connection, small.study, rater.id), small.desk().unit(2), rater, True
        )["responses"]
        return answers


def test_it_is_acknowledged_and_comes_back_with_the_unit(small: Small) -> None:
    assert comment(small, "it misses the tone", "00001000").acked == ["00001000-0", "00001000"]
    assert comment(small, "it misses the tone", "00001000").acked == ["00001000-0", "00001000"]
    assert responses(small) == {
        f"{small.judges[1]}/warm": {
            "reasoning": "partly",
            "comment": "it misses the tone",
            "comment_erased": False,
        }
    }


def test_what_the_store_refuses_is_said(small: Small) -> None:
    too_long = comment(small, "x" * 20_001, "00001000")
    assert [event["id"] for event in too_long.refused] == ["00001000"] and too_long.acked == ["00001000-0"]
    comment(small, "saved", "00002000")
    late = comment(small, "older", "00003000", late=True)
    assert "another one is saved" in late.refused[0]["message"]


def test_before_the_reveal_it_is_refused_and_nothing_of_a_colleague_is_there(small: Small) -> None:
    comment(small, "it misses the tone", "00001000")
    refused = comment(small, "blind words", "00002000", number=1)
    assert [event["message"] for event in refused.refused] == [
        "This rater hasn't seen the judge's labels here."
    ] * 2
    small.desk(1).rate(2)
    small.desk(1).reveal(2)
    assert responses(small, 1) == {}
    with small.store.reading() as connection:
        whole = view(
            open_worklist(connection, small.study, small.raters[1]),
            small.desk().unit(2),
            studies.rater(connection, small.raters[1]),
            True,
        )
    assert "misses the tone" not in str(whole)


def test_the_judges_page_lists_them_by_criterion_for_a_lead_as_text(app: App, small: Small) -> None:
    comment(small, EVIL, "00001000")
    comment(small, "no help is named", "00002000", criterion="deep")
    at = app("judges", study="small", reader="lead")
    words = text_of(at)
    assert not at.exception and "What clinicians wrote about its reasons" in words
    assert words.index("Warm: 1") < words.index("Deep: 1")
    assert "&lt;img src=x onerror=alert(1)&gt; **it** misses the tone" in words and "<img" not in words
    assert (
        "no help is named" in words and "partly" in words and small.codes[0] in words and "Ann" not in words
    )


def test_a_judge_of_whom_nobody_wrote_has_no_such_part(app: App, small: Small) -> None:
    assert "What clinicians wrote" not in text_of(app("judges", study="small", reader="lead"))


def test_a_rater_with_units_left_sees_none_of_it_on_any_page(app: App, small: Small) -> None:
    comment(small, "it misses the tone", "00001000")
    for page in ("judges", "agreement", "my_work"):
        at = app(page, study="small", reader=str(small.raters[1]))
        assert not at.exception and "misses the tone" not in text_of(at), page
    # The control: once everything is rated, it is there.
    for position in (1, 2, 3, 4):
        small.desk(1).rate(position)
    assert "misses the tone" in text_of(app("judges", study="small", reader=str(small.raters[1])))


def test_what_is_written_of_another_judge_stands_apart(small: Small) -> None:
    comment(small, "of A", "00001000", judge=0)
    comment(small, "of B", "00002000", judge=1)
    assert {key: told["comment"] for key, told in responses(small).items()} == {
        f"{small.judges[0]}/warm": "of A",
        f"{small.judges[1]}/warm": "of B",
    }
