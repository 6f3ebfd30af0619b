"""Recall of the critical entities as published: among those that a model recognises in each reply."""

from __future__ import annotations

from collections.abc import Sequence

from data.record.metrics import MetricValue, inputs_hash
from runs.scoring.metric_spec import ConversationMetric, MetricCase, MetricResult, ShownColumn, ShownRow
from runs.scoring.metrics._curves import average_slopes
from runs.scoring.metrics._texts import reference_parts
from scoring.drift.curves import drift_slope
from scoring.entity_recall import recall_curve

NAME = "extracted_entity_recall"
EXTRACTED = "extracted"
SHARES = ("precision", "f1", "hallucinated_rate")


def _recall(case: MetricCase) -> list[MetricResult]:
    """The value is that of the last reply, the slope that of the curve."""
    model, entities = case.entity_recogniser, case.critical_entities
    curve = recall_curve(case.replies, entities, model.entities)
    last = next((turn for turn in reversed(curve.turns) if turn.recall.value is not None), None)
    slope = drift_slope(curve.recall)
    version = f"1; {model.label}"
    detail = {
        "curve": curve.recall,
        "entities": len(entities),
        "model": model.label,
        **({share: getattr(last, share).value for share in SHARES} if last else {}),
    }
    return [
        MetricResult(
            last.recall.value if last else None,
            None if last else "The assistant says nothing.",
            EXTRACTED,
            detail,
            version=version,
        ),
        MetricResult(slope.value, slope.undefined, EXTRACTED, {"n": slope.n}, f"{NAME}_slope", version),
    ]


def _inputs(case: MetricCase) -> str:
    entities = case.references["critical_entities"]
    return inputs_hash(NAME, "1", case.entity_recogniser.label, case.replies, *reference_parts(entities))


def _average(values: Sequence[MetricValue]) -> list[MetricResult]:
    return list(average_slopes(values, NAME, [EXTRACTED]))


METRIC = ConversationMetric(
    name=NAME,
    title="recall of recognised entities",
    order=45,
    needs=("critical_entities", "recogniser"),
    variants=(EXTRACTED,),
    compute=_recall,
    inputs=_inputs,
    together=_average,
    columns=(
        ShownColumn("Entities at the last reply, recognised", EXTRACTED),
        ShownColumn("Entities: slope per turn, recognised", EXTRACTED, f"{NAME}_slope"),
    ),
    rows=(
        ShownRow(
            "Recall of recognised entities: slope of the average curve (truth decay)",
            f"{NAME}_average_slope",
            {EXTRACTED: ""},
            curves={EXTRACTED: "Recall of recognised entities, average over conversations"},
            lead_only=False,
        ),
    ),
)
