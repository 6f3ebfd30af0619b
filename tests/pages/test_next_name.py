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
