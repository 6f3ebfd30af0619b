"""Where the labels of a scale stand in its order."""

from __future__ import annotations

from collections.abc import Mapping

from scoring.instruments import Scale

Levels = Mapping[str, Mapping[str, int]]  # criterion -> label -> level; nothing for a nominal scale


def order(scale: Scale) -> dict[str, int]:
    """Return label -> level of an ordered scale; empty for a nominal one.

    Levels rise by 1 from the lowest value of the scale, whatever the labels count: 0, 10 and 50 become 0, 1
    and 2. "Does not apply" has no level.
    """
    return (
        {level.id: number for number, level in enumerate(scale.levels, start=scale.bounds()[0])}
        if scale.kind == "ordinal"
        else {}
    )


def failing(scale: Scale) -> dict[str, int]:
    """Return label -> 1 for the labels with the lowest value of the scale, 0 for the others.

    "Does not apply" is left out.
    """
    lowest = scale.bounds()[0]
    return {level.id: int(level.value == lowest) for level in scale.levels}
