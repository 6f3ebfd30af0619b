"""Where care is furthest from its plan: over all conversations in a sentence, then conversation by
conversation.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from reports.document import Block, Paragraph, Table, UnitLink
from reports.drift.conversation_curves import ConversationDrift
from reports.wording import limits, number
from scoring.agreement.intervals.estimate import Estimate
from scoring.drift.average_curves import Curves, by_turn
from words.figures import decimal
from words.plurals import count

LISTED = 15
FEW = 5  # conversations at a turn, below which no page opens with it


def leaving_sentence(drift: ConversationDrift) -> str:
    """At which turn care is furthest from the plan over all conversations; "" where it rests on too few."""
    if not drift.has_local:
        return ""
    (_, near), (_, far) = ends = _nearest_and_furthest(drift)
    if near.n < FEW or far.n < FEW:
        return ""
    nearest, furthest = (f"turn {turn} ({number(value)}, {limits(value)})" for turn, value in ends)
    return f"What the assistant does is furthest from the plan at {furthest}, nearest at {nearest}."


def _nearest_and_furthest(drift: ConversationDrift) -> tuple[tuple[int, Estimate], tuple[int, Estimate]]:
    """The turns, each with the mean of its own actions. At least one has any."""
    local = by_turn(Curves(drift.table.local, drift.table.part), drift.bounds)
    turns = [(turn, estimate) for turn, estimate in enumerate(local, start=1) if estimate.value is not None]

    def mean_of(turn: tuple[int, Estimate]) -> float:
        return turn[1].value or 0.0

    return max(turns, key=mean_of), min(turns, key=mean_of)


def where_it_leaves(drift: ConversationDrift) -> Iterator[Block]:
    """Where care is furthest from the plan: over all conversations in a sentence, then conversation by
    conversation.
    """
    if not drift.has_local:
        return
    near, far = _nearest_and_furthest(drift)
    yield Paragraph(
        f"The actions of a turn are nearest to the plan at turn {near[0]} (mean {number(near[1])}, "
        f"{limits(near[1])}; n {near[1].n:,}) and furthest at "
        f"turn {far[0]} (mean {number(far[1])}, {limits(far[1])}; n {far[1].n:,}).",
        "strong",
    )
    yield Paragraph(
        "This is the local alignment, of each turn's own actions. The cumulative line carries everything "
        "said before, so it cannot tell where care "
        "leaves the plan. A turn without a clinical action has none.",
        "small",
    )
    yield leaving_table(drift, LISTED)


def order(drift: ConversationDrift) -> list[int]:
    """Rows of the conversations, the one that goes furthest from its plan first; without local alignment as
    they stand.
    """
    value = drift.furthest.value
    return [int(row) for row in np.argsort(np.where(np.isnan(value), np.inf, value), kind="stable")]


def named(drift: ConversationDrift, row: int) -> str:
    """A conversation in which nothing is rated has no number."""
    position = int(drift.table.position[row])
    return f"{drift.numbered.capitalize()} {position:,}" if position else "A conversation that is not rated"


def title_of_one(drift: ConversationDrift, row: int) -> str:
    """What the chart of one conversation shows."""
    at, name = drift.furthest, named(drift, row)
    if not at.turn[row]:
        return f"{name}: no turn has a clinical action" if drift.has_local else name
    step = f"; the largest step down begins with turn {at.step[row]}" if at.step[row] else ""
    return f"{name} is furthest from its plan at turn {at.turn[row]} ({decimal(at.value[row], 2)}){step}"


def leaving_table(drift: ConversationDrift, most: int | None = None) -> Table:
    """The conversations whose furthest turn lies furthest from the plan first."""
    at, table = drift.furthest, drift.table
    rows, with_value = [], [row for row in order(drift) if at.turn[row]]
    for row in with_value[:most]:
        step = (
            f"from turn {at.step[row]} on: {decimal(at.before[row], 2)} before, {decimal(at.after[row], 2)} "
            "after"
            if at.step[row]
            else "none"
        )
        target = (
            UnitLink(int(table.position[row]), turn=int(at.turn[row]))
            if table.position[row]
            else table.key[row]
        )
        rows.append((target, drift.names[row], f"{at.turn[row]}", decimal(at.value[row], 3), step))
    more = (
        f", {len(rows):,} of {count(len(with_value), 'conversation', 'conversations')} listed"
        if len(rows) < len(with_value)
        else ""
    )
    return Table(
        "leaving",
        f"Where each conversation is furthest from its plan{more}",
        ("Read it", "Condition", "Turn", "Local alignment there", "Largest step down"),
        rows,
        (2, 3),
    )
