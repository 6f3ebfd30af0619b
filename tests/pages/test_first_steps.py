"""What the list of studies says to whoever is new to this browser, whatever others have done."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from data.record import studies
from data.store.store import Store
from pages.widgets import remembered_person
from pages.widgets.remembered_person import RememberedPerson
from tests.pages.conftest import text_of
from tests.studies.small_study import Small

App = Callable[..., AppTest]
FIRST_STEPS = "New here?"


def test_whoever_is_new_here_is_told_what_to_try_also_after_others_have_committed(
    app: App, store: Store, make_study: Callable[..., Small]
) -> None:
    at = app("studies")
    assert not at.exception and text_of(at).count(FIRST_STEPS) == 1
    for address in ("review?study=coaching_example", "agreement?study=lend_an_ear", "importing"):
        assert f'href="{address}"' in text_of(at)
    with store.reading() as connection:
        study = studies.get_by_key(connection, "coaching_example")
        raters = tuple(rater.id for rater in studies.raters(connection, study.id))
    Small(store, study, (), raters).desk().rate(1)
    make_study()
    assert FIRST_STEPS in text_of(app("studies"))


@pytest.mark.parametrize("known", [RememberedPerson("Ann"), RememberedPerson(leads={"lend_an_ear": "1.x"})])
def test_a_browser_that_knows_who_sits_there_says_nothing(
    app: App, monkeypatch: pytest.MonkeyPatch, known: RememberedPerson
) -> None:
    monkeypatch.setattr(remembered_person, "of_this_browser", lambda: known)
    assert FIRST_STEPS not in text_of(app("studies"))
