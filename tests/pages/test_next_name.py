"""One tab, one person after another: what the first one was shown, the next one has seen."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from data import exposures
from data.store import Store
from tests import small_study
from tests.pages.conftest import text_of


@pytest.mark.parametrize("page", ["agreement", "judges"])
def test_who_takes_a_name_after_somebody_who_saw_the_whole_study_has_seen_it(app: Callable[..., AppTest], store: Store, tmp_path: Path, page: str) -> None:
    small = small_study.make(store, tmp_path)
    for position in range(1, 5):
        small.desk().rate(position)
    first, second = small.raters
    at = app(page, study="small", reader=str(first))
    assert not at.exception and "left to rate blind" not in text_of(at)
    at.button(key=f"{page}-leave").click().run()
    with store.reading() as connection:
        assert exposures.saw_page(connection, first) and not exposures.saw_page(connection, second)
    at.button(key=f"reader-{second}").click().run()
    assert not at.exception
    with store.reading() as connection:
        assert exposures.saw_page(connection, second), "their ratings from now on are not blind"


def test_a_rater_who_may_see_the_whole_study_sees_no_name(app: Callable[..., AppTest], store: Store, tmp_path: Path) -> None:
    small = small_study.make(store, tmp_path)
    for number in (0, 1):
        for position in range(1, 5):
            small.desk(number).rate(position)
    offered = {}
    for reader in (str(small.raters[0]), "lead"):
        at = app("agreement", study="small", reader=reader)
        assert not at.exception and "Rater A" in text_of(at) and "Rater B" in text_of(at)
        assert not any(name in text_of(at) + str([box.options for box in at.selectbox]) for name in ("Ann", "Ben"))
        offered[reader] = [one.key for one in at.toggle]
    assert offered == {str(small.raters[0]): [], "lead": ["agreement-names"]}


def test_since_after_until_is_an_empty_report_and_no_error(app: Callable[..., AppTest], store: Store, tmp_path: Path) -> None:
    small_study.make(store, tmp_path).desk().rate(1)
    at = app("agreement", study="small", reader="lead")
    at.date_input(key="agreement-since").set_value("2026-03-02").run()
    at.date_input(key="agreement-until").set_value("2026-03-01").run()
    assert not at.exception and "0 blind labels of 0 clinicians" in text_of(at)
