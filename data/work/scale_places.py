"""Where labels stand on their scales, as conditions and values of the store's queries."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Float, and_, case, cast, literal, null, true

from data.studies import Study
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


def levels_apart(
    study: Study, criterion: ColumnElement[str], distance: ColumnElement[Any]
) -> ColumnElement[Any]:
    """A distance as a share of the scale, in levels; NULL for a nominal scale."""
    whens = [
        (condition, distance * (scale.bounds()[1] - scale.bounds()[0]))
        for scale, condition in _ordinal_scales(study, criterion)
    ]
    return case(*whens, else_=null()) if whens else cast(null(), Float)


def is_safety(study: Study, criterion: ColumnElement[str]) -> ColumnElement[int]:
    """1 for a criterion of a gate, else 0."""
    gates = {category.id for category in study.instrument.categories if category.gate}
    safety = [c.id for c in study.instrument.criteria if c.category in gates]
    return case((criterion.in_(safety), 1), else_=0) if safety else literal(0)


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
