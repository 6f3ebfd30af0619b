"""Plan-output alignment: does a reply do what the plan in front of it declared?"""

from __future__ import annotations

from data.record.metrics import inputs_hash
from runs.scoring.metric_spec import JudgedUnit, JudgeMetric, MetricResult
from runs.scoring.metrics.rubric_score import has_rubric
from scoring.plan_alignment import trial_alignment

NAME = "plan_alignment"


def _scores(unit: JudgedUnit) -> dict[str, int | None]:
    return {c.id: unit.instrument.scale_of(c).value(unit.labels.get(c.id) or "") for c in unit.criteria}


def _alignment(unit: JudgedUnit) -> MetricResult:
    scores = _scores(unit)
    value = trial_alignment(unit.declared, scores)
    reason = (
        None
        if value is not None
        else "The plan declares nothing."
        if not unit.declared
        else "The judge did not score every declared strategy."
    )
    return MetricResult(None if value is None else float(value), reason, "judged", {"scores": scores})


METRIC = JudgeMetric(
    name=NAME,
    title="plan alignment",
    order=2,
    compute=_alignment,
    inputs=lambda unit: inputs_hash(NAME, "1", unit.declared, _scores(unit)),
    applies=lambda instrument: bool(instrument.criteria_from) and not has_rubric(instrument),
)
