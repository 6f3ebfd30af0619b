"""Target plans as a study lead sees them: every version, whom each counts for, which numbers are older, and
saving one.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
import sqlalchemy as sa

from data import schema
from data.exporters import target_plans as plans_file
from data.keeping.erase import erase_conversation
from data.keeping.verify import verify
from data.record import target_plans
from data.record.references import STUDY, condition_scope, conversation_scope
from data.record.target_plans import ConversationPlan, PlanVersion
from data.store.errors import Refused
from runs.scoring import score_study
from tests.studies import importing
from tests.studies.small_study import Small
from tests.unit.data.importers.conftest import lines, talk


def save(small: Small, scope: str, text: str, after: int = 0, who: str = "study lead") -> int | None:
    with small.store.writing(who, "write a target plan", small.study.id) as (connection, entry):
        return target_plans.save(connection, entry, small.study, scope, text, after)


def versions(small: Small) -> dict[str, list[PlanVersion]]:
    with small.store.reading() as connection:
        return target_plans.versions(connection, small.study.id)


def linked(small: Small) -> dict[str, ConversationPlan]:
    with small.store.reading() as connection:
        return {one.key: one for one in target_plans.linked(connection, small.study.id, versions(small))}


def waiting(small: Small) -> Counter[str]:
    with small.store.reading() as connection:
        plans = versions(small)
        return target_plans.waiting(
            connection, small.study.id, plans, target_plans.linked(connection, small.study.id, plans)
        )


def bring(small: Small, folder: Path, *talks: object) -> None:
    (folder / "more.jsonl").write_text(lines(*talks))
    importing.import_conversations(small.store, "small", folder / "more.jsonl", "tests")


def test_every_version_tells_who_when_and_where_from(small: Small) -> None:
    assert [save(small, STUDY, "Rest.", who="Ann"), save(small, STUDY, " Walk. ", 1, "Ben")] == [1, 2]
    found = versions(small)[STUDY]
    assert [(one.version, one.text, one.by, one.source) for one in found] == [
        (2, "Walk.", "Ben", "written on the page"),
        (1, "Rest.", "Ann", "written on the page"),
    ]
    assert all(one.at.endswith("+00:00") for one in found)


def test_the_study_comes_first_then_conditions_then_conversations(small: Small) -> None:
    for scope in (conversation_scope("c2"), condition_scope("warm"), STUDY, conversation_scope("c1")):
        save(small, scope, "Rest.")
    assert list(versions(small)) == ["study", "condition:warm", "conversation:c1", "conversation:c2"]


def test_the_nearest_plan_counts_and_a_conversation_without_one_is_named(
    small: Small, tmp_path: Path
) -> None:
    bring(
        small,
        tmp_path,
        {**talk("w1"), "condition": "warm"},
        {**talk("n7"), "condition": 7},
        {**talk("o1"), "condition": ["warm"]},
    )
    assert {
        key: (linked_plan.scope, linked_plan.condition) for key, linked_plan in linked(small).items()
    } == {
        **{f"c{number}": (None, None) for number in range(1, 5)},
        "w1": (None, "warm"),
        "n7": (None, "7"),
        "o1": (None, '["warm"]'),
    }
    save(small, condition_scope("warm"), "Be warm.")
    save(small, condition_scope("7"), "Be seven.")
    save(small, conversation_scope("c1"), "Rest.")
    assert {key: linked_plan.scope for key, linked_plan in linked(small).items() if linked_plan.scope} == {
        "c1": "conversation:c1",
        "w1": "condition:warm",
        "n7": "condition:7",
    }
    save(small, STUDY, "For all.")
    assert all(linked_plan.scope for linked_plan in linked(small).values())
    assert [(linked_plan.position, linked_plan.erased) for linked_plan in linked(small).values()] == [
        (number, False) for number in range(1, 8)
    ]


@pytest.mark.parametrize("text", ["", "   \n", "\t"])
def test_an_empty_text_is_refused(small: Small, text: str) -> None:
    with pytest.raises(Refused, match="plan_empty"):
        save(small, STUDY, text)
    assert versions(small) == {}


def test_a_text_without_end_is_refused(small: Small) -> None:
    with pytest.raises(Refused, match="plan_too_long"):
        save(small, STUDY, "x" * 20_001)


@pytest.mark.parametrize(
    "scope", ["conversation:nobody", "conversation:", "condition: ", "condition:", "elsewhere:c1", ""]
)
def test_an_unknown_scope_is_refused(small: Small, scope: str) -> None:
    with pytest.raises(Refused, match="no_conversation"):
        save(small, scope, "Rest.")


def test_the_same_text_saves_nothing(small: Small) -> None:
    save(small, STUDY, "Rest.")
    with small.store.reading() as connection:
        before = connection.execute(sa.select(sa.func.count()).select_from(schema.trail)).scalar()
    assert save(small, STUDY, "Rest.\n", 1) is None
    with small.store.reading() as connection:
        assert connection.execute(sa.select(sa.func.count()).select_from(schema.trail)).scalar() == before


def test_who_began_with_an_older_version_is_refused(small: Small) -> None:
    save(small, STUDY, "Rest.")
    save(small, STUDY, "Walk.", 1)
    for after in (0, 1, 3):
        with pytest.raises(Refused, match="plan_saved_meanwhile"):
            save(small, STUDY, "Sleep.", after)
    assert save(small, STUDY, "Sleep.", 2) == 3


def test_numbers_that_are_older_or_missing_are_counted_by_plan(small: Small) -> None:
    save(small, STUDY, "Ask about the week and plan a walk.")
    assert waiting(small) == Counter({STUDY: 4})
    score_study(small.store, "small", "tests")
    assert waiting(small) == Counter()
    save(small, conversation_scope("c2"), "Rest.")
    assert waiting(small) == Counter({"conversation:c2": 1})
    save(small, STUDY, "Sleep.", 1)
    assert waiting(small) == Counter({"conversation:c2": 1, STUDY: 3})
    score_study(small.store, "small", "tests")
    assert waiting(small) == Counter()


def test_an_erased_conversation_waits_for_nothing_and_its_plan_is_gone(small: Small) -> None:
    save(small, STUDY, "For all.")
    save(small, conversation_scope("c2"), "Xylophone lessons.")
    with small.store.writing("lead", "erase", small.study.id) as (connection, entry):
        erase_conversation(connection, entry, small.study, "c2", "consent withdrawn")
    assert versions(small)["conversation:c2"][0].text is None
    assert (linked(small)["c2"].scope, linked(small)["c2"].erased) == (STUDY, True)
    assert waiting(small) == Counter({STUDY: 3})
    with small.store.reading() as connection:
        assert verify(connection).problems == []


def test_what_is_taken_out_comes_in_again_as_what_is_there_already(small: Small, tmp_path: Path) -> None:
    save(small, STUDY, 'For all:\n"be" =kind <b>.')
    save(small, condition_scope("warm"), "Be warm.")
    save(small, conversation_scope("c1"), "Rest.")
    save(small, conversation_scope("c1"), "Rest more.", 1)
    with small.store.reading() as connection:
        text, count = plans_file.text(connection, small.study)
    assert (count, json.loads(text)["plans"]) == (
        3,
        {"c1": {"plan": "Rest more.", "version": 2, "source": "written on the page"}},
    )
    (tmp_path / "target_plans.json").write_text(text)
    report = importing.import_references(
        small.store, "small", "target_plan", tmp_path / "target_plans.json", "tests"
    )
    assert report.summary() == "Added nothing from target_plans.json. Already there: 3 target plans."


def test_without_a_plan_there_is_no_file(small: Small) -> None:
    with small.store.reading() as connection:
        with pytest.raises(Refused, match="no_target_plan_yet"):
            plans_file.text(connection, small.study)


def test_a_scope_of_words() -> None:
    assert [STUDY, condition_scope("warm"), conversation_scope("c1")] == [
        "study",
        "condition:warm",
        "conversation:c1",
    ]
