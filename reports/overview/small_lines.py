"""The lines of the overview: agreement with the judge period by period, and care turn by turn."""

from __future__ import annotations

from reports.drift.agreement_by_date import PeriodView
from reports.drift.conversation_curves import ConversationDrift
from reports.pictures.small_line import SmallLine, draw_small_line
from words.figures import decimal, percent


def agreement_line(shown: PeriodView) -> SmallLine | None:
    """Return the line of agreement over time, from 0 to 1, so that a small change looks small; None with
    one value.
    """
    return draw_small_line(
        [period.agreement.value for period in shown.line.periods],
        shown.periods.names,
        0.0,
        1.0,
        percent,
        f"Labels equal to the judge's, {shown.length} by {shown.length}",
    )


def turns_line(drift: ConversationDrift) -> SmallLine | None:
    """Return the line of the mean per turn over all conversations, from 0 to 1 or wider; None with one
    value.
    """
    values = [estimate.value for estimate in drift.of_turns]
    means = [value for value in values if value is not None]
    return draw_small_line(
        values,
        [f"turn {turn}" for turn in range(1, len(values) + 1)],
        min([0.0, *means]),
        max([1.0, *means]),
        lambda value: decimal(value, 2),
        f"{drift.what}, mean of all conversations",
    )
