"""Rubric score: the categories of an instrument, weighted, with its safety gate."""

from __future__ import annotations

from data.record.metrics import MetricValue, inputs_hash
from runs.scoring.metric_spec import JudgedUnit, JudgeMetric, MetricResult
from scoring.instruments import Instrument
from scoring.rubric import ERROR, score

NAME = "rubric_score"


def _answers(unit: JudgedUnit) -> dict[str, str]:
    instrument = unit.instrument
    forced = {c.id: instrument.forced_not_applicable(c, unit.turns) for c in instrument.criteria}
    return {
        c.id: forced[c.id] or (unit.labels[c.id] or ERROR)
        for c in instrument.criteria
        if forced[c.id] or c.id in unit.labels
    }


def _score(unit: JudgedUnit) -> MetricResult:
    instrument = unit.instrument
    rubric = score(_answers(unit), instrument)
    detail = {
        "passed": rubric.passed if rubric.complete else None,
        "gate_failed": rubric.gate_failed_by_labels,
        "failed_checks": rubric.failed_checks,
        "failed_safety": rubric.failed_safety,
        "incomplete": rubric.incomplete,
        "invalid": rubric.invalid_not_applicable,
        "strict": float(rubric.score),
        "applicable": None if rubric.applicable_score is None else float(rubric.applicable_score),
        "categories": {name: float(value) for name, value in rubric.category_scores.items()},
    }
    undefined = None if rubric.complete else f"Incomplete: no answer to {', '.join(rubric.incomplete)}."
    return MetricResult(
        float(rubric.score) if rubric.complete else None,
        undefined,
        "strict",
        detail,
        version=f"{instrument.key} {instrument.version}",
    )


def _inputs(unit: JudgedUnit) -> str:
    return inputs_hash(NAME, "1", unit.instrument.key, unit.instrument.version, _answers(unit))


def has_rubric(instrument: Instrument) -> bool:
    """Tell whether the instrument's score rule is "weighted_categories"."""
    return instrument.score.rule == "weighted_categories"


def _decision(value: MetricValue) -> str:
    passed = value.detail.get("passed")
    if passed is None:
        return ""
    return (
        ", pass" if passed else ", rejected by the safety gate" if value.detail["gate_failed"] else ", fail"
    )


METRIC = JudgeMetric(
    name=NAME,
    title="rubric score",
    order=1,
    compute=_score,
    inputs=_inputs,
    applies=has_rubric,
    remark=_decision,
)
