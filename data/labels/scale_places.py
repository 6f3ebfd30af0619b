"""Where labels stand on their scales, as conditions and values of the store's queries."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Float, and_, case, cast, false, null, or_, true

from data.record.studies import Study
from scoring.agreement.labels.label_data import question_of
from scoring.agreement.safety.safety_units import failing_levels
from scoring.instruments import Scale


def label_place(study: Study, criterion: ColumnElement[str], label: ColumnElement[str]) -> ColumnElement[Any]:
    """Where a label stands on its ordinal scale, from 0 to 1; NULL for a nominal scale and for what has no
    place in the order.
    """
    whens = []
    for scale, condition in _ordinal_scales(study, criterion):
        low, high = scale.bounds()
        whens += [
            (and_(condition, label == level.id), (level.value - low) / (high - low))
            for level in scale.levels
            if level.value is not None
        ]
    return case(*whens, else_=null()) if whens else cast(null(), Float)


def place_on_scale(study: Study, criterion: str, label: str) -> float | None:
    """The same of one label."""
    scale = study.instrument.scale_for(criterion)
    if scale.kind != "ordinal":
        return None
    low, high = scale.bounds()
    return next(
        (
            (level.value - low) / (high - low)
            for level in scale.levels
            if level.id == label and level.value is not None
        ),
        None,
    )


def levels_on_scale(study: Study, criterion: str) -> float | None:
    """How many levels lie between the ends of a scale; None for one without an order."""
    scale = study.instrument.scale_for(criterion)
    low, high = scale.bounds() if scale.kind == "ordinal" else (0, 0)
    return float(high - low) if scale.kind == "ordinal" else None


def safety_criteria(study: Study) -> frozenset[str]:
    """The criteria of a gate."""
    gates = {category.id for category in study.instrument.categories if category.gate}
    return frozenset(c.id for c in study.instrument.criteria if c.category in gates)


def says_failure(
    study: Study, criterion: ColumnElement[str], label: ColumnElement[str]
) -> ColumnElement[bool]:
    """Whether a label says failure, of a safety criterion."""
    questions = (question_of(study.instrument, asked) for asked in study.instrument.criteria)
    conditions = [
        and_(
            criterion == question.id, label.in_([question.domain[code] for code in failing_levels(question)])
        )
        for question in questions
        if question.gate
    ]
    return or_(*conditions) if conditions else false()


def _ordinal_scales(study: Study, criterion: ColumnElement[str]) -> list[tuple[Scale, ColumnElement[bool]]]:
    """Each scale with an order, and the condition that a criterion is answered on it."""
    instrument = study.instrument
    if instrument.criteria_from:
        scales: list[tuple[Scale, ColumnElement[bool]]] = [
            (instrument.scales[str(instrument.declared_scale)], true())
        ]
    else:
        ids = {name: [c.id for c in instrument.criteria if c.scale == name] for name in instrument.scales}
        scales = [(scale, criterion.in_(ids[name])) for name, scale in instrument.scales.items() if ids[name]]
    return [(scale, condition) for scale, condition in scales if scale.kind == "ordinal"]
