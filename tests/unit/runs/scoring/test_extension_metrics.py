"""What a metric of another package may return, and what becomes of it: a true number, or a reason."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from configs.registry import OWN, RegistryEntry
from data.record import metrics
from data.record.metrics import MetricSubject, MetricValue
from runs.scoring import judge_metrics, run, score_study
from runs.scoring.checked_results import checked_results, own_results
from runs.scoring.metric_spec import ConversationMetric, JudgeMetric, MetricResult, MetricSpec
from runs.scoring.registry import METRICS, metric_entries
from tests.servers.extension_package import Packages
from tests.studies.small_study import SAID, Small

pytestmark = pytest.mark.usefixtures("usual_metrics")

MODULE = """
import math
from data.record.metrics import MetricSubject, MetricValue
from runs.scoring.metric_spec import ConversationMetric, JudgeMetric, MetricResult
def compute(case):
    {body}
METRIC = {kind}(name="odd", title="odd", compute=compute{more})
"""


def add(packages: Packages, body: str, kind: str = "ConversationMetric", more: str = "") -> None:
    module = MODULE.format(body=body, kind=kind, more=more)
    packages.add("odd-metrics", METRICS.group, {"odd": "odd_metrics:METRIC"}, {"odd_metrics.py": module})


def values(small: Small) -> list[MetricValue]:
    with small.store.reading() as connection:
        present = metrics.present(connection, small.study.id, judges=True)
    return [value for value in present if value.metric == "odd"]


@pytest.mark.parametrize(
    ("returned", "value"),
    [
        (0.25, 0.25),
        (1, 1.0),
        (0, 0.0),
        (Fraction(1, 4), 0.25),
        (np.float64(0.5), 0.5),
        (MetricResult(0.5, detail={"n": 3, "low": 0.1, "high": 0.9}), 0.5),
        ([MetricResult(0.5)], 0.5),
    ],
)
def test_a_number_is_kept_as_it_is(returned: Any, value: float) -> None:
    (result,) = checked_results(returned, ["product"])
    assert (result.value, result.undefined, result.variant) == (value, None, "product")


@pytest.mark.parametrize(
    ("returned", "reason"),
    [
        (math.nan, "not finite (nan)"),
        (math.inf, "not finite (inf)"),
        (-math.inf, "not finite (-inf)"),
        (np.float64("nan"), "not finite (nan)"),
        (10**400, "too large"),
        (True, "no number (bool)"),
        ("0.5", "no number (str)"),
        (Decimal("0.5"), "no number (Decimal)"),
        (1j, "no number (complex)"),
        (np.array([0.5, 0.7]), "no number (ndarray)"),
        ({"value": 0.5}, "no number (dict)"),
        (None, "no number and no reason"),
        ([], "gave no number"),
        (MetricResult(None), "no number and no reason"),
        (MetricResult(None, "   "), "no number and no reason"),
        (MetricResult(math.nan), "not finite (nan)"),
        (MetricResult("0.5"), "no number (str)"),  # type: ignore[arg-type]
        (MetricResult(0.5, variant="other"), "gave no number"),
        (
            MetricValue(MetricSubject(conversation_id=2), "odd", "product", "1", 0.5, None, "0"),
            "no number (MetricValue)",
        ),
    ],
    ids=lambda value: repr(value)[:60],
)
def test_what_is_no_number_is_undefined_with_the_reason(returned: Any, reason: str) -> None:
    (result,) = checked_results(returned, ["product"])
    assert result.value is None and result.variant == "product"
    assert result.undefined is not None and reason in result.undefined


@pytest.mark.parametrize(
    "result",
    [
        MetricResult(0.5, detail={"n": "many"}),
        MetricResult(0.5, detail={"low": math.nan, "high": 1.0}),
        MetricResult(0.5, detail={"x": object()}),
        MetricResult(0.5, detail={"curve": [0.1]}),
        MetricResult(0.5, detail={"x": "y" * 30_000}),
        MetricResult(0.5, detail=["n"]),  # type: ignore[arg-type]
        MetricResult(0.5, variant=["a"]),  # type: ignore[arg-type]
        MetricResult(None, 7),  # type: ignore[arg-type]
    ],
    ids=lambda value: repr(value)[:60],
)
def test_what_cannot_be_kept_or_shown_makes_the_metric_a_failed_one(result: MetricResult) -> None:
    with pytest.raises((TypeError, ValueError, AttributeError)):
        checked_results(result, ["product"])


def test_nothing_is_written_under_a_name_of_ours() -> None:
    (result,) = checked_results(MetricResult(0.5, metric="step_f1", version="9", inputs="0"), ["product"])
    assert result == MetricResult(0.5, variant="product")


def test_each_declared_variant_has_a_result_in_order() -> None:
    first, second = checked_results([MetricResult(2.0, variant="b")], ["a", "b"])
    assert (first.value, first.variant, first.undefined) == (None, "a", "The metric gave no number.")
    assert (second.value, second.variant) == (2.0, "b")


def test_a_reason_is_a_text_of_one_line_that_can_be_kept() -> None:
    (result,) = checked_results(MetricResult(None, "two\nlines \ud800" + "x" * 500), ["product"])
    assert result.undefined is not None
    assert result.undefined.startswith("two lines ?x") and len(result.undefined) == 300


def test_a_metric_that_raises_is_undefined_and_named_without_the_words_of_its_error(
    small: Small, packages: Packages
) -> None:
    add(packages, "raise RuntimeError(case.messages[0].text)")
    scored = score_study(small.store, "small", "tests")
    assert [problem for _, problem in scored.problems] == [
        "the metric 'odd' of the package odd-metrics 0.1 failed (RuntimeError)"
    ] * 4
    assert [(value.value, value.undefined) for value in values(small)] == [
        (None, "The metric failed (RuntimeError).")
    ] * 4
    assert SAID not in "\n".join(scored.lines())
    assert score_study(small.store, "small", "tests").computed == 0


def test_one_that_was_repaired_is_computed_anew(small: Small, packages: Packages) -> None:
    add(packages, "raise RuntimeError")
    score_study(small.store, "small", "tests")
    (packages.folder / "odd_metrics.py").write_text(
        MODULE.format(body="return len(case.replies)", kind="ConversationMetric", more=""), encoding="utf-8"
    )
    packages.look()
    scored = score_study(small.store, "small", "tests")
    assert (scored.computed, scored.problems) == (4, [])
    assert [value.value for value in values(small)] == [1.0, 2.0, 2.0, 2.0]


def test_it_is_given_nothing_that_it_does_not_need(small: Small, packages: Packages) -> None:
    add(
        packages,
        "return float(bool(case.references or case.entailment or case.recogniser or case.embedder or case.model)"
        " or set(vars(case)) != {'messages', 'replies', 'references', 'lexicon', 'entailment', 'recogniser', 'embedder', 'model', 'embedder_name', 'other_embedder'})",
    )
    score_study(small.store, "small", "tests")
    assert [value.value for value in values(small)] == [0.0] * 4


def test_where_what_it_needs_is_missing_it_does_not_apply(small: Small, packages: Packages) -> None:
    add(packages, "return 1.0", more=", needs=('gold_steps',)")
    assert score_study(small.store, "small", "tests").problems == []
    assert values(small) == []


def test_a_metric_of_a_judges_labels_is_of_that_judge_and_that_unit(small: Small, packages: Packages) -> None:
    add(
        packages,
        "return sum(label == 'YES' for label in case.labels.values()) / len(case.labels)",
        "JudgeMetric",
    )
    score_study(small.store, "small", "tests")
    computed = values(small)
    assert {value.subject.judge_id for value in computed} == set(small.judges)
    assert len(computed) == 8 and {value.value for value in computed} == {2 / 3, 1.0}
    with small.store.reading() as connection:
        assert [value.metric for value in metrics.present(connection, small.study.id)] == []


@pytest.mark.parametrize("body", ["raise KeyError(str(case.labels))", "return math.nan", "return None"])
def test_one_that_fails_is_undefined_also_on_a_page(small: Small, packages: Packages, body: str) -> None:
    add(packages, body, "JudgeMetric")
    with small.store.reading() as connection:
        (*live,) = judge_metrics.unit_metrics(connection, small.study, [1, 2, 3, 4])
    assert len(live) == 8 and all(value.value is None and value.undefined for value in live)


def test_one_that_cannot_tell_where_it_applies_applies_nowhere(small: Small, packages: Packages) -> None:
    add(packages, "return 1.0", "JudgeMetric", ", applies=lambda instrument: 1 / 0")
    with small.store.reading() as connection:
        assert list(judge_metrics.unit_metrics(connection, small.study, [1, 2])) == []


@pytest.mark.parametrize(
    ("together", "value", "undefined"),
    [
        ("lambda values: sum(value.value for value in values)", 7.0, None),
        ("lambda values: 1 / 0", None, "The metric failed (ZeroDivisionError)."),
        ("lambda values: math.nan", None, "The metric gave a number that is not finite (nan)."),
    ],
)
def test_the_number_of_the_study_is_looked_at_as_well(
    small: Small, packages: Packages, together: str, value: float | None, undefined: str | None
) -> None:
    add(packages, "return len(case.replies)", more=f", together={together}")
    score_study(small.store, "small", "tests")
    (of_study,) = [each for each in values(small) if each.subject == MetricSubject()]
    assert (of_study.value, of_study.undefined) == (value, undefined)


def test_ours_are_not_of_a_package() -> None:
    entries: list[RegistryEntry[Any]] = METRICS.all()
    assert {entry.package for entry in entries} == {"Second Reader"}
    assert all(Path("runs/scoring/metrics", f"{entry.name}.py").is_file() for entry in entries)


@pytest.mark.parametrize(
    ("returned", "reason"),
    [
        (None, "no number and no reason"),
        (math.nan, "not finite (nan)"),
        ("0.5", "no number (str)"),
        (MetricResult(math.inf, detail={"curve": [0.1]}, version="2"), "not finite (inf)"),
        ([MetricResult(None)], "no number and no reason"),
    ],
)
def test_what_is_no_number_is_undefined_of_ours_too(returned: Any, reason: str) -> None:
    (result,) = own_results(returned)
    assert result.value is None and reason in (result.undefined or "")


def test_ours_may_set_everything_of_a_result_and_give_none() -> None:
    result = MetricResult(0.5, None, "b", {"curve": [0.1]}, metric="a", version="2", inputs="0")
    assert own_results(result) == own_results([result]) == [result]
    assert own_results(0.25) == [MetricResult(0.25)] and own_results([]) == []


def add_ours(monkeypatch: pytest.MonkeyPatch, module: ModuleType, spec: MetricSpec) -> None:
    entries = [*metric_entries(), RegistryEntry(spec.name, OWN, spec)]
    monkeypatch.setattr(module, "metric_entries", lambda: entries)


def fail(case: object) -> float:
    raise ZeroDivisionError(SAID)


def test_one_of_ours_that_fails_is_undefined_and_named(small: Small, monkeypatch: pytest.MonkeyPatch) -> None:
    add_ours(monkeypatch, run, ConversationMetric(name="odd", title="odd", compute=fail))
    scored = score_study(small.store, "small", "tests")
    assert [problem for _, problem in scored.problems] == ["the metric 'odd' failed (ZeroDivisionError)"] * 4
    assert [value.undefined for value in values(small)] == ["The metric failed (ZeroDivisionError)."] * 4


def test_one_of_ours_of_a_judges_labels_that_fails_is_undefined_on_a_page(
    small: Small, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_ours(monkeypatch, judge_metrics, JudgeMetric(name="odd", title="odd", compute=fail))
    with small.store.reading() as connection:
        (*live,) = judge_metrics.unit_metrics(connection, small.study, [1, 2, 3, 4])
    assert len(live) == 8
    assert {value.undefined for value in live} == {"The metric failed (ZeroDivisionError)."}
