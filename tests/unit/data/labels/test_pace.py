"""How long a unit takes a rater: the median between their own commits, no breaks, nothing from a few."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select

from data import schema
from data.labels.pace import LAST_COMMITS, own_minutes
from tests.studies.small_study import Small

BEGIN = datetime(2026, 11, 1, 9, tzinfo=UTC)


def pace_of(study: Small, minutes: list[float]) -> float | None:
    """Of a rater whose commits lie so many minutes apart; Ben commits every one of them a second later."""
    with study.store.writing("tests", "commit") as (connection, entry):
        units = connection.execute(select(schema.unit.c.id).order_by(schema.unit.c.position)).scalars()
        at = BEGIN
        for ordinal, (unit, gap) in enumerate(zip(units, [0.0, *minutes], strict=True), 1):
            at += timedelta(minutes=gap)
            for rater, later in zip(study.raters, (0, 1), strict=True):
                moment = (at + timedelta(seconds=later)).isoformat(timespec="milliseconds")
                values = {"rater_id": rater, "unit_id": unit, "ordinal": ordinal, "at": moment}
                entry.write(schema.commit, {**values, "event": f"{rater} {ordinal}"})
        return own_minutes(connection, study.raters[0])


@pytest.mark.parametrize(
    ("minutes", "expected"),
    [
        ([], None),
        ([4, 4, 4, 4], None),
        ([4, 4, 4, 4, 4], 4),
        ([2, 3, 4, 5, 600, 6], 4),  # a night is no time with a conversation
        ([2, 600, 600, 600, 600, 600], None),
        ([5, 5, 5, -30, 5, 5], 5),  # a clock that was set back
        ([30.0] * 10 + [2.0] * LAST_COMMITS, 2),  # the last ones count
    ],
)
def test_the_pace_of_a_rater(
    make_study: Callable[..., Small], minutes: list[float], expected: float | None
) -> None:
    study = make_study(conversation_count=len(minutes) + 1)
    assert pace_of(study, minutes) == (None if expected is None else pytest.approx(expected))
