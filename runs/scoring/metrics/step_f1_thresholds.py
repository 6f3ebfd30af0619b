"""How much Step-F1 rests on its threshold: the same steps at thresholds from 0.3 to 0.9."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from data.record.metrics import MetricValue, inputs_hash
from runs.scoring.metric_spec import ConversationMetric, MetricCase, MetricResult, ShownRow
from runs.scoring.metrics._texts import reference_parts
from scoring.step_f1 import match_steps, steps_of_replies
from scoring.step_thresholds import THRESHOLDS, f1_by_threshold, mean_f1
from services.step_pairs import offered_pairs

NAME = "step_f1_thresholds"
PUBLISHED = "published"


def _fall(case: MetricCase) -> MetricResult:
    """The value is what is lost between the lowest threshold and the highest."""
    steps, gold = steps_of_replies(case.replies), case.gold_steps
    f1 = f1_by_threshold(steps, gold)
    if f1 is None:
        return MetricResult(None, match_steps(steps, gold).undefined, PUBLISHED)
    pairs = offered_pairs(list(case.replies), gold)
    detail = {
        "thresholds": list(THRESHOLDS),
        "f1": f1,
        "pairs": pairs.inputs,
        "offered": len(pairs.offered),
    }
    return MetricResult(f1[0] - f1[-1], None, PUBLISHED, detail)


def _mean(values: Sequence[MetricValue]) -> list[MetricResult]:
    """The mean over conversations at each threshold, and of what is lost; intervals over persons."""
    with_curve = [value for value in values if value.value is not None]
    if not with_curve:
        return []
    f1 = np.array([value.detail["f1"] for value in with_curve])
    persons = [value.detail.get("person", -(value.subject.conversation_id or 0)) for value in with_curve]
    _, part = np.unique(persons, return_inverse=True)
    by_threshold = mean_f1(f1, part)
    fall = mean_f1((f1[:, 0] - f1[:, -1])[:, None], part)[0]
    return [
        MetricResult(
            fall.value,
            fall.undefined,
            PUBLISHED,
            {
                "conversations": len(with_curve),
                **({"persons": len(set(persons))} if len(set(persons)) < len(persons) else {}),
                "low": fall.low,
                "high": fall.high,
                "no_interval": fall.no_interval,
                "thresholds": list(THRESHOLDS),
                "mean": [
                    [estimate.value, estimate.low, estimate.high, estimate.no_interval]
                    for estimate in by_threshold
                ],
            },
        )
    ]


METRIC = ConversationMetric(
    name=NAME,
    title="Step-F1 at other thresholds",
    order=35,
    needs=("gold_steps",),
    variants=(PUBLISHED,),
    compute=_fall,
    inputs=lambda case: inputs_hash(
        NAME, "1", THRESHOLDS, case.replies, *reference_parts(case.references["gold_steps"])
    ),
    together=_mean,
    rows=(
        ShownRow(
            "Step-F1: what it loses when the threshold rises from 0.3 to 0.9",
            variants={PUBLISHED: ""},
        ),
    ),
)
