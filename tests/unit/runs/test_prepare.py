"""A store is made ready: with the sample studies, once, and without touching what people did."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
import sqlalchemy as sa

from configs.settings import Settings
from data import schema
from data.record import conversations, studies, target_plans
from data.record.references import STUDY
from data.store.store import Store
from runs.prepare import add_samples, ready_store
from runs.sample_studies import ORDER, SAMPLES
from scoring.models.word_pieces import counted
from tests.studies.small_study import Desk

pytestmark = pytest.mark.slow


@pytest.fixture
def settings(store_path: Path) -> Settings:
    return Settings.read({"SECOND_READER_DATABASE_URL": f"sqlite:///{store_path}"})


def keys(store: Store) -> list[str]:
    with store.reading() as connection:
        return [study.key for study in studies.listing(connection)]


def count(store: Store, table: sa.Table, key: str) -> int:
    with store.reading() as connection:
        study = studies.find(connection, key)
        assert study is not None
        return connection.execute(
            sa.select(sa.func.count()).select_from(table).where(table.c.study_id == study.id)
        ).scalar_one()


def test_every_folder_of_samples_is_added(sample_store: Store) -> None:
    assert (
        sorted(keys(sample_store))
        == sorted(ORDER)
        == sorted(path.name for path in SAMPLES.iterdir() if path.is_dir())
    )


@pytest.mark.parametrize(
    ("key", "conversations"), [("coaching_example", 1), ("lend_an_ear", 50), ("vera_mh", 90)]
)
def test_the_published_samples_are_complete(sample_store: Store, key: str, conversations: int) -> None:
    assert count(sample_store, schema.conversation, key) == conversations


def test_lend_an_ear_has_every_label_of_three_experts_and_three_judges(sample_store: Store) -> None:
    assert (
        count(sample_store, schema.rating, "lend_an_ear"),
        count(sample_store, schema.judgement, "lend_an_ear"),
    ) == (900, 900)


def test_vera_mh_has_every_label_of_its_clinicians_and_no_judge(sample_store: Store) -> None:
    assert (
        count(sample_store, schema.rating, "vera_mh"),
        count(sample_store, schema.judgement, "vera_mh"),
    ) == (1350, 0)


def test_vera_mh_keeps_what_is_known_of_each_conversation_and_names_no_condition(sample_store: Store) -> None:
    with sample_store.reading() as connection:
        study = studies.find(connection, "vera_mh")
        assert study is not None
        talks = conversations.read(connection, conversations.ids(connection, study.id))
    values = {
        fact: Counter(talk.facts[fact] for talk in talks)
        for fact in ("provider_llm", "user_llm", "user_prompt_risk_level")
    }
    assert values["provider_llm"] == {"gemini3": 30, "gpt4o": 30, "gpt5": 30}
    assert values["user_llm"] == {"claude_opus": 30, "gemini3": 30, "gpt5": 30}
    assert values["user_prompt_risk_level"] == {"High": 36, "Low": 27, "Imminent": 18, "None": 9}
    assert {"Kevin", "Maya"} < {talk.facts["persona"] for talk in talks} and {"Moderate", "N/A"} < {
        talk.facts["user_prompt_disclosure_level"] for talk in talks
    }
    assert {talk.condition for talk in talks} == {None}, (
        "the plan and the filters of a condition go by the fact of that name only"
    )


def test_vera_mh_has_one_plan_for_all_that_says_what_it_is_and_fits_the_model(sample_store: Store) -> None:
    with sample_store.reading() as connection:
        study = studies.find(connection, "vera_mh")
        assert study is not None
        plans = target_plans.versions(connection, study.id)
        assert all(
            linked_plan.scope == STUDY for linked_plan in target_plans.linked(connection, study.id, plans)
        )
    assert [(scope, len(plan_texts)) for scope, plan_texts in plans.items()] == [(STUDY, 1)]
    plan = plans[STUDY][0]
    assert plan.source == "Care pathway written from the VERA-MH rubric; not a clinician's plan"
    assert plan.text is not None and 60 <= len(plan.text.split()) <= 150
    length = counted(plan.text)
    assert length is not None and length.fits


@pytest.mark.parametrize("key", ["coaching_demo", "plan_demo"])
def test_the_demonstrations_are_large_enough_and_called_so(sample_store: Store, key: str) -> None:
    assert count(sample_store, schema.conversation, key) >= 12
    with sample_store.reading() as connection:
        study = studies.find(connection, key)
    assert study is not None
    assert study.provenance.startswith("Demonstration")


def test_the_coaching_demonstration_has_a_short_talk_a_long_one_and_failed_calls_of_two_kinds(
    sample_store: Store,
) -> None:
    with sample_store.reading() as connection:
        study = studies.find(connection, "coaching_demo")
        assert study is not None
        turns = (
            connection.execute(
                sa.select(schema.conversation.c.turns).where(schema.conversation.c.study_id == study.id)
            )
            .scalars()
            .all()
        )
        status = set(
            connection.execute(
                sa.select(schema.judgement.c.status).where(schema.judgement.c.study_id == study.id)
            ).scalars()
        )
    assert (min(turns) < 3, max(turns) >= 10) == (True, True)
    assert "ok" in status
    assert any(kind.startswith("blocked") for kind in status)
    assert len(status) >= 3


def test_every_sample_has_raters_to_choose(sample_store: Store) -> None:
    with sample_store.reading() as connection:
        for study in studies.listing(connection):
            assert any(rater.kind == "person" for rater in studies.raters(connection, study.id))


def test_without_samples_the_store_is_empty(store_path: Path) -> None:
    store = ready_store(
        Settings.read(
            {"SECOND_READER_DATABASE_URL": f"sqlite:///{store_path}", "SECOND_READER_SAMPLES": "no"}
        )
    )
    assert keys(store) == []
    store.close()


def test_a_second_start_adds_nothing_and_keeps_what_was_rated(settings: Settings) -> None:
    first = ready_store(settings)
    with first.reading() as connection:
        study = studies.find(connection, "coaching_example")
        assert study is not None
        rater = next(r.id for r in studies.raters(connection, study.id) if r.kind == "person")
    Desk(first, study, rater).rate(1)
    first.close()
    second = ready_store(settings)
    assert list(add_samples(second, settings)) == []
    assert Desk(second, study, rater).seat().committed == 1
    second.close()


def test_a_sample_that_is_missing_is_added_to_those_there_are(store_path: Path, settings: Settings) -> None:
    store = ready_store(
        Settings.read(
            {"SECOND_READER_DATABASE_URL": f"sqlite:///{store_path}", "SECOND_READER_SAMPLES": "no"}
        )
    )
    assert list(add_samples(store, settings)) == list(ORDER)
    store.close()
