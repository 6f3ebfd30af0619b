"""What the list of studies says on the first start, and that it goes with the first commit."""

from __future__ import annotations

from collections.abc import Callable

from streamlit.testing.v1 import AppTest

from data import studies
from data.store import Store
from tests.pages.conftest import text_of
from tests.small_study import Small

App = Callable[..., AppTest]
FIRST_STEPS = "New here?"


def test_the_first_start_says_what_to_try_until_somebody_has_committed(app: App, store: Store) -> None:
    at = app("studies")
    assert not at.exception and text_of(at).count(FIRST_STEPS) == 1
    for address in ("review?study=coaching_example", "agreement?study=lend_an_ear", "importing"):
        assert f'href="{address}"' in text_of(at)
    with store.reading() as connection:
        study = studies.get_by_key(connection, "coaching_example")
        raters = tuple(rater.id for rater in studies.raters(connection, study.id))
    Small(store, study, (), raters).desk().rate(1)
    assert FIRST_STEPS not in text_of(app("studies"))


def test_a_study_of_somebodys_own_is_no_first_start(
    app: App, store: Store, make_study: Callable[..., Small]
) -> None:
    make_study()
    assert FIRST_STEPS not in text_of(app("studies"))
