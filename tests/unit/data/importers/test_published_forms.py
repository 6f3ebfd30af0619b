"""Files as the published programs write them: what they count as 0 is a failure here, or nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from configs.settings import ROOT
from data import schema
from data.importers.new_study import NewStudy
from data.importers.published_forms import guess
from data.importers.report import ImportRefused, ImportReport
from data.record import studies
from data.record.judgements import JudgeIdentity
from data.record.studies import StudySpec
from data.store import content
from data.store.store import Store
from tests.studies import importing
from tests.unit.data.importers.conftest import lines, talk

PLAN = "<plan>safety / confrontation</plan>\n\nA wall rises before you."


def new(
    store: Store,
    write: Callable[..., Path],
    key: str,
    instrument: str,
    taxonomy: str | None,
    conversations: str,
) -> None:
    spec = NewStudy(
        StudySpec(key, key, 0), instrument, taxonomy, (), ROOT / "instruments", ROOT / "taxonomies"
    )
    importing.import_conversations(store, key, write(conversations, "talks.jsonl"), "tests", new=spec)


def judged(store: Store, key: str) -> dict[tuple[str, str], tuple[str, str | None, str | None]]:
    """(conversation, criterion) -> status, label, reasoning or detail."""
    j, u, c = schema.judgement, schema.unit, schema.conversation
    with store.reading() as connection:
        study = studies.find(connection, key)
        assert study is not None
        statement = (
            sa.select(c.c.key, j)
            .join(u, u.c.id == j.c.unit_id)
            .join(c, c.c.id == u.c.conversation_id)
            .where(j.c.study_id == study.id)
        )
        return {
            (row.key, row.criterion): (row.status, row.label, content.get(connection, row.reasoning_content))
            for row in connection.execute(statement)
        }


@pytest.fixture
def bring(store: Store, write: Callable[..., Path]) -> Callable[[Any], ImportReport]:
    """Import judgments.json into a study of three trials that each declare safety and confrontation."""
    new(
        store,
        write,
        "dreams",
        "plan_alignment",
        "dream_code_7",
        lines(
            *({"id": f"trial_0{n}", "turns": [{"user": "A monster.", "assistant": PLAN}]} for n in (1, 2, 3))
        ),
    )
    return lambda entries: importing.import_judgements(
        store, "dreams", write(json.dumps(entries), "judgments.json"), "tests", JudgeIdentity("Judge")
    )


@pytest.fixture
def assess(store: Store, write: Callable[..., Path]) -> Callable[..., ImportReport]:
    """Import an assessment into a study of two coaching conversations, "a" of one turn and "b" of twelve."""
    new(store, write, "coaching", "coaching_rubric", None, lines(talk("a"), talk("b", *"abcdefghijkl")))
    return lambda text, name="b.json": importing.import_judgements(
        store, "coaching", write(text, name), "tests", JudgeIdentity("Judge")
    )


def trial(n: int, **scores: Any) -> dict[str, Any]:
    return {
        "trial": n,
        "parsed": {name: {"score": score, "reasoning": f"why {score}"} for name, score in scores.items()},
        "trial_alignment": 0.5,
    }


def test_scores_of_a_trial_are_labels_with_their_reasons(
    store: Store, bring: Callable[[Any], ImportReport]
) -> None:
    bring([trial(1, safety=2, confrontation=0)])
    assert judged(store, "dreams") == {
        ("trial_01", "safety"): ("ok", "2", "why 2"),
        ("trial_01", "confrontation"): ("ok", "0", "why 0"),
    }


def test_a_failed_trial_is_a_failure_of_every_strategy_and_no_zero(
    store: Store, bring: Callable[[Any], ImportReport]
) -> None:
    report = bring([{"trial": 1, "error": "429"}])
    assert judged(store, "dreams") == {
        ("trial_01", "safety"): ("failed", None, "429"),
        ("trial_01", "confrontation"): ("failed", None, "429"),
    }
    assert (report.added["judgements"], report.added["failed judge calls"]) == (0, 2)


def test_a_skipped_trial_says_nothing_and_is_noticed(
    store: Store, bring: Callable[[Any], ImportReport]
) -> None:
    report = bring([{"trial": 1, "skipped": True, "reason": "empty strategies or response"}])
    assert judged(store, "dreams") == {}
    assert "trial 1 was skipped by the judge (empty strategies or response)" in report.lines()[0]


def test_an_unscored_strategy_is_missing_and_no_zero(
    store: Store, bring: Callable[[Any], ImportReport]
) -> None:
    entry = trial(1, safety=2)
    entry["parsed"]["confrontation"] = {"score": 0, "reasoning": "not scored by judge"}
    bring([entry])
    assert judged(store, "dreams")["trial_01", "confrontation"] == ("missing", None, None)


def test_a_declared_strategy_without_a_line_is_missing(
    store: Store, bring: Callable[[Any], ImportReport]
) -> None:
    bring([trial(1, safety=2)])
    assert judged(store, "dreams")["trial_01", "confrontation"] == ("missing", None, None)


def test_a_score_off_the_scale_is_unreadable(store: Store, bring: Callable[[Any], ImportReport]) -> None:
    bring([trial(1, safety=3, confrontation=1)])
    assert sorted(status for status, _, _ in judged(store, "dreams").values()) == ["invalid", "ok"]


def test_a_whole_number_written_as_a_fraction_is_that_number(
    store: Store, bring: Callable[[Any], ImportReport]
) -> None:
    bring([trial(1, safety=2.0, confrontation="1")])
    assert {label for _, label, _ in judged(store, "dreams").values()} == {"2", "1"}


def test_a_strategy_that_was_not_declared_is_left_out_and_noticed(
    store: Store, bring: Callable[[Any], ImportReport]
) -> None:
    report = bring([trial(1, safety=2, confrontation=2, hope=1)])
    assert len(judged(store, "dreams")) == 2
    assert [("hope" in line, "left out" in line) for line in report.lines()] == [(True, True)]


def test_a_strategy_in_capitals_is_that_strategy_and_not_missing_besides(
    store: Store, bring: Callable[[Any], ImportReport]
) -> None:
    report = bring([trial(1, Safety=2, confrontation=2)])
    assert judged(store, "dreams")["trial_01", "safety"][1] == "2"
    assert (report.already["judgements"], report.lines()) == (0, [])


@pytest.mark.parametrize(
    ("entries", "says"),
    [
        ([trial(1, safety=2), {"parsed": {}}], "line 2: expected an object with the number of its trial"),
        ([{"trial": 1}], "line 1: trial 1 has neither parsed scores nor an error"),
        ([{"trial": 1, "parsed": "safety: 2"}], "line 1: trial 1 has neither parsed scores nor an error"),
        ([trial(4, safety=2)], "line 1: the study has no conversation 'trial_04'"),
    ],
)
def test_an_entry_of_another_form_is_refused(
    bring: Callable[[Any], ImportReport], entries: list[Any], says: str
) -> None:
    with pytest.raises(ImportRefused) as caught:
        bring(entries)
    assert says in caught.value.report.lines()[0]


def test_an_assessment_is_read_with_its_reasons(store: Store, assess: Callable[..., ImportReport]) -> None:
    assess(
        json.dumps(
            {
                "conversation_id": "b",
                "score": 1.0,
                "answers": {"CQ1": "YES", "CQ9": "NA"},
                "reasonings": {"CQ1": "follows"},
            }
        )
    )
    assert judged(store, "coaching") == {
        ("b", "CQ1"): ("ok", "YES", "follows"),
        ("b", "CQ9"): ("ok", "NA", None),
    }


def test_an_error_in_an_assessment_is_a_failed_call_with_its_detail(
    store: Store, assess: Callable[..., ImportReport]
) -> None:
    assess(
        json.dumps(
            {"conversation_id": "b", "answers": {"CQ8": "ERROR"}, "reasonings": {"CQ8": "quota exceeded"}}
        )
    )
    assert judged(store, "coaching") == {("b", "CQ8"): ("failed", None, "quota exceeded")}


def test_an_assessment_without_an_id_is_that_of_the_conversation_in_its_name(
    store: Store, assess: Callable[..., ImportReport]
) -> None:
    assess(json.dumps({"answers": {"CQ1": "NO"}}), "b.json")
    assert judged(store, "coaching") == {("b", "CQ1"): ("ok", "NO", None)}


def test_assessments_one_a_line_are_read_as_well(store: Store, assess: Callable[..., ImportReport]) -> None:
    assess(
        lines({"id": "a", "answers": {"CQ1": "NO"}}, {"id": "b", "answers": {"CQ1": "YES"}}),
        "checkpoint.jsonl",
    )
    assert {key: label for (key, _), (_, label, _) in judged(store, "coaching").items()} == {
        "a": "NO",
        "b": "YES",
    }


def test_does_not_apply_where_it_is_invalid_is_kept_as_the_judge_said_it(
    store: Store, assess: Callable[..., ImportReport]
) -> None:
    assess(json.dumps({"id": "b", "answers": {"CQ8": "NA"}}))
    assert judged(store, "coaching") == {("b", "CQ8"): ("ok", "NA", None)}


def test_reasons_of_a_wrong_form_are_no_crash(store: Store, assess: Callable[..., ImportReport]) -> None:
    assess(json.dumps({"id": "b", "answers": {"CQ1": "YES"}, "reasonings": ["follows"]}))
    assert judged(store, "coaching") == {("b", "CQ1"): ("ok", "YES", None)}


@pytest.mark.parametrize(
    ("name", "content", "form"),
    [
        ("x.csv", "trial,answers\n", "rows"),
        ("x.json", '[{"trial": 1}]', "judgments_json"),
        ("x.json", '{"answers": {}}', "assessments"),
        ("x.jsonl", '{"criterion": "warm"}', "rows"),
        ("x.json", "broken", "rows"),
        ("x.json", "", "rows"),
    ],
)
def test_the_form_of_a_file_is_recognised_by_its_first_entry(
    write: Callable[..., Path], name: str, content: str, form: str
) -> None:
    assert guess(write(content, name)) == form
