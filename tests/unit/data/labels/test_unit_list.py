"""The units to choose from: how each begins, who labelled it, what it is used for; found by words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from data.keeping.erase import erase_conversation
from data.labels.unit_list import WORDS, beginnings_at, list_units
from data.record import studies, units
from data.record.instrument_versions import list_versions
from data.store.store import Store
from data.work import calibration, certification, setup
from data.work.plan import WorkPlan
from tests.studies import importing
from tests.studies.small_study import Small


def test_a_unit_stands_there_with_how_it_begins_and_who_labelled_it(small: Small) -> None:
    desk = small.desk()
    desk.rate(1)
    with small.store.reading() as connection:
        listed = list_units(connection, small.study)
        beginning = units.transcript(connection, units.by_ids(connection, [listed.units[0].id])[0])
    assert beginning is not None and listed.units[0].beginning == beginning[0].text[:WORDS]
    assert [unit.position for unit in listed.units] == list(range(1, listed.total + 1))
    assert (listed.units[0].conversation, listed.units[0].raters) == ("c1", 1)
    assert listed.units[1].raters == 0 and {unit.use for unit in listed.units} == {""}


def test_what_is_for_practice_is_marked(small: Small) -> None:
    with small.store.writing("lead", "practice", small.study.id) as (connection, entry):
        setup.new_plan(connection, entry, small.study, WorkPlan())
        second = units.at_position(connection, small.study.id, 2)
        third = units.at_position(connection, small.study.id, 3)
        assert second is not None and third is not None
        certification.put_gold(connection, entry, small.study, second, {"warm": "YES"}, "Dr Gold", "")
        calibration.begin(connection, entry, small.study, "Round", list(small.raters[:2]), [third.id])
    with small.store.reading() as connection:
        uses = [unit.use for unit in list_units(connection, small.study).units]
    assert uses[:3] == ["", "gold", "calibration"]


def test_units_are_found_by_words_id_and_number_and_no_sign_is_a_wildcard(
    store: Store, small: Small, tmp_path: Path
) -> None:
    talks = tmp_path / "talks.jsonl"
    talks.write_text(
        json.dumps(
            {"id": "sleep%", "turns": [{"user": "I lie  awake\nat night " + "x" * 200, "assistant": "a"}]}
        )
    )
    importing.import_conversations(store, "small", talks, "tests")
    with store.reading() as connection:
        total = list_units(connection, small.study).total

        def found(words: str) -> list[str]:
            return [unit.conversation for unit in list_units(connection, small.study, words).units]

        assert found("AWAKE") == found("sleep") == found(str(total)) == found("%") == ["sleep%"]
        assert found("_leep") == [] and found("no such words") == []
        (unit,) = list_units(connection, small.study, "awake").units
        assert unit.beginning is not None and unit.beginning.startswith("I lie awake at night xxx")
        assert len(unit.beginning) == WORDS
        assert list_units(connection, small.study, most=1).total == total
        assert len(list_units(connection, small.study, most=1).units) == 1


@pytest.mark.parametrize(
    "words",
    [
        "ÄRGER",
        "ärger",
        "ÄrGeR",
        "A\u0308rger",
        "НОЧЬ",
        "ночь",
        "I [",
        "i [",
        "]^",
        "?",
        "Straße",
        "STRASSE",
        "İZ",
    ],
)
def test_letters_beyond_ascii_are_found_in_either_case(
    store: Store, small: Small, tmp_path: Path, words: str
) -> None:
    talks = tmp_path / "talks.jsonl"
    turns = [{"user": "Ärger, ночь i []^? Straße İz", "assistant": "a"}]
    talks.write_text(json.dumps({"id": "far", "turns": turns}), encoding="utf-8")
    importing.import_conversations(store, "small", talks, "tests")
    with store.reading() as connection:
        assert [unit.conversation for unit in list_units(connection, small.study, words).units] == ["far"]
        assert list_units(connection, small.study, words + "x").total == 0


def test_words_of_any_length_are_looked_for(small: Small) -> None:
    with small.store.reading() as connection:
        assert list_units(connection, small.study, "a%_*?" * 30_000).total == 0


def test_of_what_is_erased_nothing_is_shown(small: Small) -> None:
    with small.store.writing("lead", "erase", small.study.id) as (connection, entry):
        erase_conversation(connection, entry, small.study, "c1", "asked to")
    with small.store.reading() as connection:
        assert list_units(connection, small.study).units[0].beginning is None
        assert 1 not in beginnings_at(connection, small.study, [1, 2])
        assert 2 in beginnings_at(connection, small.study, [1, 2])


def test_the_versions_of_an_instrument_with_their_studies(small: Small) -> None:
    with small.store.writing("lead", "instrument", small.study.id) as (connection, entry):
        body = Path("configs/instruments/coaching_rubric.yaml").read_text(encoding="utf-8")
        studies.register_instrument(connection, entry, body)
        studies.register_instrument(connection, entry, body.replace('version: "2.0"', 'version: "2.1"'))
    with small.store.reading() as connection:
        versions = list_versions(connection, "coaching_rubric")
        (own,) = list_versions(connection, small.study.instrument.key)
        assert list_versions(connection, "nothing") == []
    assert [version.version for version in versions] == ["2.1", "2.0"]
    assert own.studies == (small.study.title,) and versions[0].studies == ()
