"""Session goal alignment: how similar the assistant's actions are to the plan of care, turn by turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from data.record.metrics import MetricValue, inputs_hash
from data.record.references import Reference
from runs.scoring.metric_spec import ConversationMetric, MetricCase, MetricResult, ShownColumn, ShownRow
from runs.scoring.metrics._curves import average_slopes
from runs.scoring.metrics._texts import reference_parts
from scoring.clinical_actions import Lexicon, lexicon
from scoring.drift.curves import drift_slope
from scoring.goal_alignment import GoalAlignment, align_all

NAME = "goal_alignment"
VARIANTS = ("actions/windowed", "actions/truncated", "full/windowed", "full/truncated")
CURVES = ("actions/windowed", "actions/truncated")


def lexicon_variant(variant: str, words: Lexicon) -> str:
    """Return `variant` for the default lexicon, else "VARIANT/LABEL" with the lexicon's label, so that
    numbers of another lexicon never replace the default's.
    """
    return variant if words.label == lexicon().label else f"{variant}/{words.label}"


def embedder_variant(variant: str, case: MetricCase) -> str:
    """Return `lexicon_variant` for the default embedder, else that with "/EMBEDDER", the identifier in
    `case.other_embedder`.
    """
    own = lexicon_variant(variant, case.lexicon)
    return f"{own}/{case.other_embedder}" if case.other_embedder else own


def _version(words: Lexicon, model: str) -> str:
    return f"2; {words.label}; {model}"


def _inputs(case: MetricCase) -> str:
    return inputs_hash(
        NAME,
        _version(case.lexicon, case.model),
        case.lexicon.groups,
        case.replies,
        *reference_parts(case.references["target_plan"]),
    )


def _align(cases: Sequence[MetricCase]) -> list[list[MetricResult]]:
    """Compute several conversations at once, which is faster with the model."""
    embedder = cases[0].embedder
    assert embedder is not None
    aligned = align_all([(case.replies, case.target_plan) for case in cases], cases[0].lexicon, embedder)
    return [_results(case, alignment) for case, alignment in zip(cases, aligned, strict=True)]


def _results(case: MetricCase, alignment: GoalAlignment) -> list[MetricResult]:
    plan: Reference = case.references["target_plan"]
    shared = {
        "embedder": case.embedder_name,
        "model": alignment.model,
        "lexicon": alignment.lexicon,
        "plan_version": plan.version,
        "plan_level": plan.level,
    }
    details: dict[str, dict[str, Any]] = {
        "actions/windowed": {
            **shared,
            "curve": alignment.curve("windowed"),
            "local": [turn.local for turn in alignment.turns],
        },
        "actions/truncated": {
            **shared,
            "curve": alignment.curve("truncated"),
            "tokens": [turn.tokens for turn in alignment.turns],
            "truncated_from": alignment.truncated_from,
        },
        "full/windowed": {
            **shared,
            "curve": alignment.curve("windowed", "full"),
            "tokens": alignment.tokens_full,
        },
        "full/truncated": {
            **shared,
            "curve": alignment.curve("truncated", "full"),
            "tokens": alignment.tokens_full,
        },
    }
    estimates = (
        alignment.actions_windowed,
        alignment.actions_truncated,
        alignment.full_windowed,
        alignment.full_truncated,
    )
    version = _version(case.lexicon, case.model)
    slope = drift_slope(alignment.curve("windowed"))
    return [
        *(
            MetricResult(
                estimate.value,
                estimate.undefined,
                embedder_variant(variant, case),
                {**details[variant], **_counterpart(variant, case)},
                version=version,
            )
            for variant, estimate in zip(VARIANTS, estimates, strict=True)
        ),
        MetricResult(
            slope.value,
            slope.undefined,
            embedder_variant("windowed", case),
            {"n": slope.n, **_counterpart("windowed", case)},
            f"{NAME}_slope",
            version,
        ),
    ]


def _counterpart(variant: str, case: MetricCase) -> dict[str, str]:
    """Return the embedder of a number and the default's variant next to which it is shown; {} for the default
    embedder.
    """
    if not case.other_embedder:
        return {}
    return {"embedder": case.other_embedder, "counterpart": lexicon_variant(variant, case.lexicon)}


def _average(values: Sequence[MetricValue]) -> list[MetricResult]:
    """Average the numbers of the default embedder, and separately those of each other embedder."""
    others = {
        value.variant: {name: value.detail[name] for name in ("embedder", "counterpart")}
        for value in values
        if value.metric == NAME and value.detail.get("counterpart") in CURVES
    }
    return [
        replace(result, detail={**result.detail, **others.get(result.variant, {})})
        for result in average_slopes(values, NAME, (*CURVES, *sorted(others)))
    ]


METRIC = ConversationMetric(
    name=NAME,
    title="session goal alignment",
    order=20,
    needs=("target_plan", "embedder"),
    compute_all=_align,
    inputs=_inputs,
    together=_average,
    columns=(
        ShownColumn("Goal alignment", "actions/windowed"),
        ShownColumn("Goal alignment, beginning only", "actions/truncated"),
        ShownColumn("Goal alignment: slope per turn", "windowed", f"{NAME}_slope"),
    ),
    rows=(
        ShownRow(
            "Goal alignment: slope of the average curve",
            f"{NAME}_average_slope",
            {"actions/windowed": "", "actions/truncated": "beginning only"},
            curves={"actions/windowed": "Goal alignment, average over conversations"},
            lead_only=False,
        ),
    ),
)
