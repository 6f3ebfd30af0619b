"""Where labels stand on their scales."""

from __future__ import annotations

from data.record.studies import Study


def place_on_scale(study: Study, criterion: str, label: str) -> float | None:
    """Return the place of a label on its ordinal scale, 0 to 1.

    None for a nominal scale, and for a label outside the order, such as "does not apply".
    """
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
    """Return the highest value of an ordinal scale less the lowest; None for a nominal scale."""
    scale = study.instrument.scale_for(criterion)
    low, high = scale.bounds() if scale.kind == "ordinal" else (0, 0)
    return float(high - low) if scale.kind == "ordinal" else None


def safety_criteria(study: Study) -> frozenset[str]:
    """Return the ids of the criteria in categories that are a gate."""
    gates = {category.id for category in study.instrument.categories if category.gate}
    return frozenset(c.id for c in study.instrument.criteria if c.category in gates)
