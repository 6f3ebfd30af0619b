"""A newcomer reads one line where something is new, and no more once they have done it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from streamlit.testing.v1 import AppTest

from data.store.store import Store
from pages.widgets.hints import OVERRIDE, RATE, RATE_BLIND
from services.rating_events import take
from tests.pages.test_workbench_events import rater_of
from tests.studies import small_study

App = Callable[..., AppTest]


def hint_of(at: AppTest) -> str:
    assert not at.exception
    (element,) = [each for each in at.get("bidi_component") if "workbench" in each.proto.component_name]
    return str(json.loads(element.proto.json)["hint"])


def test_a_rater_reads_how_to_rate_until_the_first_commit_and_how_to_override_until_the_first_answer(
    app: App, store: Store, tmp_path: Path
) -> None:
    small = small_study.make(store, tmp_path)
    reader, desk = str(small.raters[0]), small.desk()
    assert hint_of(app("review", study="small", reader=reader)) == RATE_BLIND
    desk.rate(1)
    desk.reveal(1)
    assert hint_of(app("review", study="small", reader=reader, unit="1")) == OVERRIDE
    assert hint_of(app("review", study="small", reader=reader, unit="2")) == ""
    unit = desk.unit(1).id
    keep = {"id": "00000001", "kind": "keep", "unit": unit, "criterion": "warm", "judges": [small.judges[0]]}
    assert take(store, small.study, rater_of(small), [keep], {}, 1, str).acked
    assert hint_of(app("review", study="small", reader=reader, unit="1")) == ""
    desk.rate(2)
    desk.reveal(2)
    assert hint_of(app("review", study="small", reader=reader, unit="2")) == ""


def test_an_open_review_promises_no_blindness(app: App, store: Store, tmp_path: Path) -> None:
    small = small_study.make(store, tmp_path, review="open")
    at = app("review", study="small", reader=str(small.raters[0]))
    assert hint_of(at) == RATE
