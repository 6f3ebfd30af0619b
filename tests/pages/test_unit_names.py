"""Who sees a conversation's own id: leads. Raters see its number, because an id may name the model."""

from __future__ import annotations

from collections.abc import Callable

from streamlit.testing.v1 import AppTest

from data.record.unit_names import name_by_key, read_unit_names
from data.store.store import Store
from tests.pages.conftest import evidence_tables, settle_list, text_of
from tests.studies.small_study import INSTRUMENT, Small

App = Callable[..., AppTest]


def test_a_lead_sees_ids_and_a_rater_numbers(small: Small, app: App) -> None:
    for number, label in ((0, "YES"), (1, "NO")):
        for position in range(1, 5):
            small.desk(number).rate(position, label)
            small.desk(number).reveal(position)
    ann = str(small.raters[0])
    assert {
        row["name"] for row in settle_list(app("adjudication", study="small", reader="lead"))["rows"]
    } == {
        "c1",
        "c2",
        "c3",
        "c4",
    }
    report = text_of(app("review", study="small", reader="lead", unit="3"))
    assert "c3, 3 of 4. You do not rate here" in report
    page_text = text_of(app("agreement", study="small", reader="lead"))
    assert ">c3</a>" in page_text and ">Conversation 3</a>" not in page_text
    page_text = text_of(app("agreement", study="small", reader=ann, whole="yes"))
    assert ">c3</a>" not in page_text and evidence_tables(app("agreement", study="small", reader="lead"))


def test_a_reply_is_called_by_its_number_and_its_conversation(
    make_study: Callable[..., Small], store: Store
) -> None:
    small = make_study(
        key="replies",
        instrument=INSTRUMENT.replace("unit: conversation", "unit: assistant_turn"),
        with_judges=False,
    )
    with store.reading() as connection:
        names = read_unit_names(connection, small.study, [1, 3, 99])
    assert names == {1: "Reply 1 (c1)", 3: "Reply 3 (c2)"}
    assert name_by_key(small.study, 12, "Sleep-007") == "Reply 12 (Sleep-007)"
