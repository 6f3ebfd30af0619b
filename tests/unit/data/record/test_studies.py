"""Studies, instruments and raters: unstated means careful, and a wording never changes under its labels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from configs.settings import ROOT
from data.record import studies
from data.record.studies import StudySpec
from data.store.errors import NotFound, Refused
from data.store.store import Store
from tests.studies.small_study import INSTRUMENT, Small

TAXONOMY = (ROOT / "taxonomies" / "dream_code_7.yaml").read_text(encoding="utf-8")


def register(store: Store, body: str, kind: str = "instrument") -> int:
    with store.writing("tests", "register") as (connection, entry):
        return {"instrument": studies.register_instrument, "taxonomy": studies.register_taxonomy}[kind](
            connection, entry, body
        )


def create(store: Store, **spec: Any) -> int:
    with store.writing("tests", "create") as (connection, entry):
        return studies.create(connection, entry, replace(StudySpec("new", "New", 1), **spec))


def add_rater(small: Small, name: str) -> int:
    with small.store.writing("tests", "add rater") as (connection, entry):
        return studies.add_rater(connection, entry, small.study.id, name)


@pytest.mark.parametrize(("kind", "body"), [("instrument", INSTRUMENT), ("taxonomy", TAXONOMY)])
def test_the_same_text_again_is_the_same_one(store: Store, kind: str, body: str) -> None:
    assert (
        register(store, body, kind)
        == register(store, body, kind)
        == register(store, body.replace("\n", "\r\n"), kind)
    )


@pytest.mark.parametrize(
    ("kind", "body", "title"),
    [("instrument", INSTRUMENT, "Small rubric"), ("taxonomy", TAXONOMY, "Dream rescripting")],
)
@pytest.mark.parametrize("edit", ["{title} edited", "{title} "])
def test_an_edited_text_under_an_unchanged_version_is_refused(
    store: Store, kind: str, body: str, title: str, edit: str
) -> None:
    register(store, body, kind)
    with pytest.raises(Refused, match="version_unchanged"):
        register(store, body.replace(title, edit.format(title=title)), kind)


def test_a_comment_is_an_edit_too(store: Store) -> None:
    register(store, INSTRUMENT)
    with pytest.raises(Refused, match="version_unchanged"):
        register(store, INSTRUMENT + "# more\n")


def test_a_new_version_is_a_new_instrument(store: Store) -> None:
    first = register(store, INSTRUMENT)
    assert (
        register(
            store,
            INSTRUMENT.replace('version: "1"', 'version: "2"').replace("Small rubric", "Smaller rubric"),
        )
        != first
    )


def test_unstated_means_careful(store: Store) -> None:
    register(store, INSTRUMENT)
    number = create(store)
    with store.reading() as connection:
        study = studies.get(connection, number)
    assert (study.data_class, study.review, study.reveal) == ("phi", "blind", "after_batch")


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"data_class": "public"}, "setting_not_offered"),
        ({"review": "secret"}, "setting_not_offered"),
        ({"reveal": "soon"}, "setting_not_offered"),
        ({"batch_size": 0}, "batch_size_too_small"),
    ],
)
def test_a_setting_that_is_not_offered_is_refused(store: Store, given: dict[str, Any], says: str) -> None:
    register(store, INSTRUMENT)
    with pytest.raises(Refused, match=says):
        create(store, **given)


def test_a_key_is_taken_once(small: Small) -> None:
    with pytest.raises(Refused, match="study_exists"):
        create(small.store, key="small")


def test_what_is_not_there_is_a_sentence(small: Small) -> None:
    with small.store.reading() as connection:
        assert studies.find(connection, "other") is None
        for ask in (studies.get, studies.rater):
            with pytest.raises(NotFound, match="no_such_"):
                ask(connection, 999)


def test_the_same_name_is_the_same_rater(small: Small) -> None:
    assert add_rater(small, " Ann ") == add_rater(small, "Ann") == small.raters[0]


@pytest.mark.parametrize("name", ["", "   ", "x" * 81, "a\nb\u200b", "\u202eevil", "\ud83d"])
def test_a_name_that_cannot_be_shown_is_refused(small: Small, name: str) -> None:
    with pytest.raises(Refused, match="name_unusable"):
        add_rater(small, name)


def test_raters_of_two_studies_are_two(make_study: Callable[..., Small]) -> None:
    assert make_study(key="one").raters[0] != make_study(key="two").raters[0]


def test_units_are_counted_by_study(make_study: Callable[..., Small]) -> None:
    small, other = make_study(key="one", conversation_count=3), make_study(key="two", conversation_count=5)
    with small.store.reading() as connection:
        assert [studies.unit_count(connection, s.study.id) for s in (small, other)] == [3, 5]
        assert [study.key for study in studies.listing(connection)] == ["one", "two"]
