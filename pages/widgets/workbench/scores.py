"""The scores of one unit by the rater's and each judge's labels, and which criteria change the decision."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from data.record.judgements import Judge, Judgement
from data.record.studies import Study
from data.record.units import Unit
from data.work.ratings import Rating
from scoring import rubric
from scoring.plan_alignment import trial_alignment
from scoring.rubric import RubricScore
from words.figures import decimal


def score_box(
    study: Study, unit: Unit, current: Mapping[str, Rating], judges: list[Judge], shown: list[Judgement]
) -> dict[str, Any] | None:
    """Return lines, categories and differences in words; None if the instrument has no score."""
    sides: list[tuple[str, dict[str, str | None]]] = [
        ("You", {c: g.answer.label for c, g in current.items()})
    ]
    for judge in judges:
        labels: dict[str, str | None] = {j.criterion: j.label for j in shown if j.judge_id == judge.id}
        for criterion in unit.criteria(study):
            forced = study.instrument.forced_not_applicable(criterion, unit.turns)
            if forced:
                labels[criterion.id] = forced
        sides.append((judge.name, labels))
    if study.instrument.score.rule == "weighted_categories":
        return _rubric_box(study, sides)
    if study.instrument.score.rule == "mean_of_levels":
        return _plan_box(study, unit, sides)
    return None


def _rubric_box(study: Study, sides: list[tuple[str, dict[str, str | None]]]) -> dict[str, Any]:
    instrument = study.instrument
    scores = [(who, labels, rubric.score(labels, instrument)) for who, labels in sides]
    differs = []
    _, mine, my_score = scores[0]
    for who, labels, theirs in scores[1:]:
        if my_score.complete and theirs.complete and my_score.passed != theirs.passed:
            deciding = rubric.deciding_criteria(mine, labels, instrument)
            listed = ", ".join(deciding.names)
            differs.append(
                f"Your decision differs from {who}'s. "
                + (
                    f"{who}'s label on any one of these would change your decision: {listed}."
                    if deciding.alone
                    else "No single criterion would change your decision. These favour "
                    f"{who}'s decision: {listed}."
                )
            )
    return {
        "lines": [
            {"who": who, "says": _decision(score), "detail": _detail(score)} for who, _, score in scores
        ],
        "categories": [
            {
                "name": c.name,
                "values": [
                    _decimal(score.category_scores[c.id]) if score.complete else "–" for _, _, score in scores
                ],
            }
            for c in instrument.categories
        ],
        "differs": differs,
    }


def _decision(score: RubricScore) -> str:
    if score.incomplete:
        return f"no score: {len(score.incomplete)} without a label ({', '.join(score.incomplete)})"
    if score.gate_failed_by_labels:
        return f"{_decimal(score.score)}, rejected by the safety gate ({', '.join(score.failed_safety)})"
    return f"{_decimal(score.score)}, {'pass' if score.passed else 'fail'}"


def _detail(score: RubricScore) -> str:
    if score.incomplete or score.applicable_score is None:
        return ""
    return f"over applicable criteria only: {_decimal(score.applicable_score)}"


def _plan_box(study: Study, unit: Unit, sides: list[tuple[str, dict[str, str | None]]]) -> dict[str, Any]:
    scale = study.instrument.scales[str(study.instrument.declared_scale)]
    highest = scale.bounds()[1]
    lines = []
    for who, labels in sides:
        value = trial_alignment(
            unit.declared, {c: scale.value(x) if x is not None else None for c, x in labels.items()}, highest
        )
        missing = [c.name for c in unit.criteria(study) if labels.get(c.id) is None]
        says = (
            f"alignment {_decimal(value)}"
            if value is not None
            else f"can't be computed: no label for {', '.join(missing)}"
        )
        lines.append(
            {
                "who": who,
                "says": says,
                "detail": f"mean over {len(unit.declared)} declared, divided by {highest}"
                if value is not None
                else "",
            }
        )
    return {"lines": lines, "categories": [], "differs": []}


def _decimal(value: Fraction) -> str:
    return decimal(float(value), 3)
