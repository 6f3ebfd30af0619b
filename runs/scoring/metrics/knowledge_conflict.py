"""Knowledge conflict: the share of judged pairs of turns in which the later turn contradicts the earlier
one's advice.
"""

from __future__ import annotations

from collections.abc import Sequence

from data.record.metrics import MetricValue, inputs_hash
from runs.scoring.metric_spec import ConversationMetric, MetricCase, MetricResult, ShownColumn, ShownRow
from runs.scoring.metrics._texts import inputs_of_failures
from runs.scoring.metrics.goal_alignment import lexicon_variant
from scoring.clinical_actions import extract_clinical_actions
from scoring.entailment import one_by_one
from scoring.knowledge_conflict import STRIDE, knowledge_conflict

NAME = "knowledge_conflict"


def _conflict(case: MetricCase) -> MetricResult:
    model, words = case.entailment_model, case.lexicon
    conflict = knowledge_conflict(
        {"": case.replies}, lambda turn_text: extract_clinical_actions(turn_text, words), one_by_one(model)
    )
    detail = {
        "pairs": [
            [pair.turn, verdict] for pair, verdict in zip(conflict.pairs, conflict.verdicts, strict=True)
        ],
        "failed": conflict.failed,
        "contradictions": len(conflict.contradictions),
        "judged": conflict.rate.n,
        "stride": STRIDE,
        "model": model.label,
        "lexicon": words.label,
    }
    return MetricResult(
        conflict.rate.value,
        conflict.rate.undefined,
        lexicon_variant("product", words),
        detail,
        version=f"1; {words.label}; {model.label}",
        inputs=inputs_of_failures(_inputs(case), conflict.failed),
    )


def _inputs(case: MetricCase) -> str:
    return inputs_hash(NAME, "1", STRIDE, case.lexicon.groups, case.entailment_model.label, case.replies)


def _rate(values: Sequence[MetricValue]) -> Sequence[MetricResult]:
    """Over all judged pairs of a study."""
    values = [value for value in values if (value.metric, value.variant) == (NAME, "product")]
    if not values:
        return []
    contradictions, judged, failed = (
        sum(value.detail[name] for value in values) for name in ("contradictions", "judged", "failed")
    )
    reason = (
        None if judged else "No pair could be judged." if failed else "No two neighbouring turns give advice."
    )
    return [
        MetricResult(
            contradictions / judged if judged else None,
            reason,
            "product",
            {"contradictions": contradictions, "n": judged, "failed": failed, "conversations": len(values)},
            inputs=inputs_hash("knowledge_conflict_rate", "1", sorted(value.inputs for value in values)),
        )
    ]


METRIC = ConversationMetric(
    name=NAME,
    title="knowledge conflict",
    order=60,
    needs=("any_reference", "entailment"),
    compute=_conflict,
    inputs=_inputs,
    together=_rate,
    columns=(ShownColumn("Conflict of advice"),),
    rows=(
        ShownRow(
            "Conflict of advice: turns that contradict the turn before",
            variants={"product": ""},
            counted="pairs",
            lead_only=False,
        ),
    ),
)
