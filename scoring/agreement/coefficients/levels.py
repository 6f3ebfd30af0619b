"""Where the labels of a scale stand in its order."""

from __future__ import annotations

from collections.abc import Mapping

from scoring.instruments import Scale

Levels = Mapping[str, Mapping[str, int]]  # criterion -> label -> level; nothing for a nominal scale


def order(scale: Scale) -> dict[str, int]:
    """The labels of an ordered scale in steps of one level, counted from its lowest value; "does not apply"
    has no place. Empty for a nominal scale. Steps, because values such as 0, 10 and 50 would make one level
    more than another.
    """
    return (
        {level.id: number for number, level in enumerate(scale.levels, start=scale.bounds()[0])}
        if scale.kind == "ordinal"
        else {}
    )


def failing(scale: Scale) -> dict[str, int]:
    """1 for the labels with the lowest value of the scale, 0 for the others; "does not apply" has no
    place.
    """
    lowest = scale.bounds()[0]
    return {level.id: int(level.value == lowest) for level in scale.levels}
