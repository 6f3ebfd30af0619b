"""Recall of the critical entities of a case at each turn, and its slope ("truth decay")."""

from __future__ import annotations

from collections.abc import Sequence

from data.record.metrics import MetricValue, inputs_hash
from data.record.references import Reference
from runs.scoring.metric_spec import ConversationMetric, MetricCase, MetricResult, ShownColumn, ShownRow
from runs.scoring.metrics._curves import average_slopes
from runs.scoring.metrics._texts import Replies, reference_parts
from scoring.drift.curves import drift_slope
from scoring.entity_recall import recall_curve

NAME = "entity_recall"
SEARCHED = "searched"


def entity_inputs(replies: Replies, entities: Reference) -> str:
    """Return the hash of replies and reference entities."""
    return inputs_hash(NAME, "1", replies, *reference_parts(entities))


def _recall(case: MetricCase) -> list[MetricResult]:
    """The value is that of the last reply, the slope that of the curve."""
    entities = case.critical_entities
    curve = recall_curve(case.replies, entities)
    last = next((turn.recall for turn in reversed(curve.turns) if turn.recall.value is not None), None)
    slope = drift_slope(curve.recall)
    return [
        MetricResult(
            last.value if last else None,
            last.undefined if last else "The assistant says nothing.",
            curve.variant,
            {"curve": curve.recall, "entities": len(entities)},
        ),
        MetricResult(slope.value, slope.undefined, curve.variant, {"n": slope.n}, f"{NAME}_slope"),
    ]


def _average(values: Sequence[MetricValue]) -> list[MetricResult]:
    return list(average_slopes(values, NAME, [SEARCHED]))


METRIC = ConversationMetric(
    name=NAME,
    title="recall of the critical entities",
    order=40,
    needs=("critical_entities",),
    compute=_recall,
    inputs=lambda case: entity_inputs(case.replies, case.references["critical_entities"]),
    together=_average,
    columns=(
        ShownColumn("Entities at the last reply", SEARCHED),
        ShownColumn("Entities: slope per turn", SEARCHED, f"{NAME}_slope"),
    ),
    rows=(
        ShownRow(
            "Entity recall: slope of the average curve (truth decay)",
            f"{NAME}_average_slope",
            {SEARCHED: ""},
            curves={SEARCHED: "Entity recall, average over conversations"},
            lead_only=False,
        ),
    ),
)
