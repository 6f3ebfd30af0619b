"""Sentences and charts of a metric over the turns: the page's headline, the curves by condition and their
tables.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations

import numpy as np

from reports.document import Block, Panel, PanelPoint, Panels, Paragraph, Table, UnitLink
from reports.drift.conversation_curves import ConversationDrift
from reports.drift.curve_kinds import CurveWords
from reports.wording import CANNOT, limits, listed, number
from scoring.agreement.intervals.estimate import Estimate
from scoring.drift.average_curves import by_turn, difference
from scoring.drift.slope_changes import SlopeChange
from words.figures import chance, decimal
from words.plurals import count

CONDITIONS_NAMED = 3  # in a sentence about the turns
PAIRS = 4  # conditions up to which every two are compared; with more, each with all others
MAX_CONVERSATIONS_LISTED = 15
MIN_CONVERSATIONS_AT_TURN = 5  # conversations at a turn, below which no page opens with it


def turns_headline(drift: ConversationDrift, words: CurveWords) -> str:
    """Return under which condition the curve rises or falls, tested together, or that it is too early to
    say.
    """
    by_condition = [
        (condition.name, change) for condition, change in zip(drift.conditions, drift.changes, strict=True)
    ]
    rising = [name for name, change in by_condition if change.direction > 0]
    falling = [name for name, change in by_condition if change.direction < 0]
    still = [name for name, change in by_condition if change.untold is None and not change.direction]
    untold = [name for name, change in by_condition if change.untold is not None]
    if len(untold) == len(by_condition):
        return f"It is too early to say whether anything changes turn by turn, {_reason_of_turns(drift)}."
    moved = [
        _sentence(drift, names, sentence)
        for sentence, names in ((words.falls, falling), (words.rises, rising))
        if names
    ]
    if not moved:
        moved, still = [_sentence(drift, still, f"no change is clear in {words.follows}")], []
    rest = [
        _sentence(drift, names, state)
        for state, names in (("no change is clear", still), ("it is too early to say", untold))
        if names
    ]
    return " ".join([*moved, *rest])


def _sentence(drift: ConversationDrift, names: list[str], words: str) -> str:
    """Under which condition; without one where it is of all."""
    if drift.by is None:
        return f"{words[:1].upper()}{words[1:]}."
    return f"With {listed(names, CONDITIONS_NAMED)}, {words}."


def _reason_of_turns(drift: ConversationDrift) -> str:
    """The one that holds for all of them, else the commonest need."""
    reasons = list(dict.fromkeys(change.untold for change in drift.changes if change.untold is not None))
    if not reasons:
        return "because no conversation has numbers"
    return f"because {reasons[0]}" if len(reasons) == 1 else "because too few conversations are known"


def change_words(change: SlopeChange) -> str:
    """Return "falls", "rises", "shows no clear change" or "cannot be tested yet"."""
    if change.untold is not None:
        return "cannot be tested yet"
    return {1: "rises", -1: "falls", 0: "shows no clear change"}[change.direction]


def title(drift: ConversationDrift) -> str:
    """Return the title of the chart, without a full stop: "WHAT falls over the turns", or "WHAT falls with
    A and B; shows no clear change with C".

    The words for each condition are those of `change_words`. Without conditions only WHAT.
    """
    names_by_slope: dict[str, list[str]] = {}
    for condition, change in zip(drift.conditions, drift.changes, strict=True):
        names_by_slope.setdefault(change_words(change), []).append(condition.name)
    if drift.by is None:
        return (
            f"{drift.what} {change_words(drift.changes[0])} over the turns"
            if drift.conditions
            else drift.what
        )
    return f"{drift.what} " + "; ".join(
        f"{how} with {listed(names, 4)}" for how, names in names_by_slope.items()
    )


def blocks(drift: ConversationDrift) -> Iterator[Block]:
    """Yield tables of slopes and differences, each number with n and interval."""
    rows = [
        (
            condition.name,
            f"{condition.conversations:,}",
            f"{int((~np.isnan(drift.slopes[condition.chosen])).sum()):,}",
            number(condition.slope, 4),
            limits(condition.slope, 4),
            *(
                (number(condition.cumulative_slope, 4), limits(condition.cumulative_slope, 4))
                if drift.has_local
                else ()
            ),
            _at(condition.cumulative, 0),
            _at(condition.cumulative, -1),
            "" if change.corrected is None else chance(change.corrected),
            change_words(change),
        )
        for condition, change in zip(drift.conditions, drift.changes, strict=True)
    ]
    yield Table(
        "slopes",
        f"{drift.what}: change per turn",
        (
            "Condition",
            "Conversations",
            "With a slope",
            "Slope per turn",
            "95% interval, uncorrected",
            *(("Slope of everything said so far", "Its 95% interval") if drift.has_local else ()),
            "First turn with a value",
            "Last turn with a value",
            "p, corrected for all of these",
            "Change",
        ),
        rows,
        (1, 2, 3, 5, 9) if drift.has_local else (1, 2, 3, 7),
    )
    or_person = ", or one person with several," if drift.shared else ""
    alone = " over its turns alone" if drift.has_local else ""
    yield Paragraph(
        f"Every conversation gives one slope (least squares on turn number){alone}; the mean is over "
        f"{'persons' if drift.shared else 'conversations'}, and the interval leaves out one "
        f"conversation{or_person} at a time. A change is named if it is still clear after correction for "
        "all conditions (t and Hall's t, Holm). Few conversations reach late turns, so check their number "
        "first.",
        "small",
    )
    if len(drift.conditions) > 1:
        yield Table(
            "differences",
            "Between conditions",
            ("Difference", "Level", "95% interval", "Slope per turn", "95% interval of the slope"),
            [*_differences(drift)],
            (1, 3),
        )
        yield Paragraph(
            "Level: the mean over a conversation's turns. Intervals are not adjusted for the number of "
            "comparisons.",
            "small",
        )


def _at(turns: list[Estimate], place: int) -> str:
    known = [(turn, estimate) for turn, estimate in enumerate(turns, start=1) if estimate.value is not None]
    if not known:
        return CANNOT
    turn, estimate = known[place]
    return f"{number(estimate, 3)} (turn {turn}, n {estimate.n:,})"


def _differences(drift: ConversationDrift) -> Iterator[tuple[str, ...]]:
    sides = (
        [
            (condition.name, other.name, condition.chosen, other.chosen)
            for condition, other in combinations(drift.conditions, 2)
        ]
        if len(drift.conditions) <= PAIRS
        else [
            (condition.name, "all others", condition.chosen, ~condition.chosen)
            for condition in drift.conditions
        ]
    )
    part = drift.table.part
    for name, other, first, second in sides:
        level, slope = (
            difference(values[first], part[first], values[second], part[second])
            for values in (drift.levels, drift.slopes)
        )
        yield f"{name} minus {other}", number(level, 3), limits(level, 3), number(slope, 4), limits(slope, 4)


def by_turn_table(drift: ConversationDrift) -> Table:
    """Return the numbers of the chart as the table "by_turn", one row per condition and turn.

    A row holds both, the mean up to the turn, its interval and n; if the curves have local values, the same
    three for this turn alone.
    """
    rows = []
    for condition in drift.conditions:
        for turn, cumulative in enumerate(condition.cumulative, start=1):
            local = condition.local[turn - 1] if turn <= len(condition.local) else None
            rows.append(
                (
                    condition.name,
                    f"{turn}",
                    number(cumulative, 3) if cumulative.n else "none",
                    limits(cumulative, 3),
                    f"{cumulative.n:,}",
                    *(
                        ("none" if not local.n else number(local, 3), limits(local, 3), f"{local.n:,}")
                        if local
                        else ()
                    ),
                )
            )
    more = ("This turn alone", "Its 95% interval", "its n") if drift.has_local else ()
    return Table(
        "by_turn",
        f"{drift.what}, turn by turn",
        ("Condition", "Turn", "Mean", "95% interval", "n", *more),
        rows,
        (1, 2, 4, 5, 7) if more else (1, 2, 4),
    )


def curves_chart(drift: ConversationDrift, key: str) -> Panels:
    """Return `curve_panels` of the mean up to each turn, one panel per condition, named "CONDITION, n 12"."""
    return curve_panels(
        key,
        title(drift),
        drift.what,
        {
            f"{condition.name}, n {condition.conversations:,}": condition.cumulative
            for condition in drift.conditions
        },
    )


def curve_panels(key: str, title: str, y_name: str, curves: Mapping[str, list[Estimate]]) -> Panels:
    """Return a chart of curves (panel name -> estimates) over turns 1, 2, ..., with gaps where a curve ends
    earlier than the longest.
    """
    turns = max(map(len, curves.values()), default=0)
    nothing = PanelPoint(None, None, None, 0)
    return Panels(
        key,
        title,
        "turn",
        y_name,
        tuple(str(turn) for turn in range(1, turns + 1)),
        tuple(
            Panel(name, (*map(PanelPoint.of, curve), *[nothing] * (turns - len(curve))))
            for name, curve in curves.items()
        ),
        "conversations",
        3,
    )


def leaving_sentence(drift: ConversationDrift) -> str:
    """Return "The assistant's actions are least similar to the plan at turn 5 (0.41, 0.30 to 0.52) and most
    similar at turn 1 (...)."

    "" without numbers of a turn alone, or if either turn has too few conversations.
    """
    if not drift.has_local:
        return ""
    (_, near), (_, far) = ends = _nearest_and_furthest(drift)
    if near.n < MIN_CONVERSATIONS_AT_TURN or far.n < MIN_CONVERSATIONS_AT_TURN:
        return ""
    nearest, furthest = (f"turn {turn} ({number(value)}, {limits(value)})" for turn, value in ends)
    return (
        f"The assistant's actions are least similar to the plan at {furthest} and most similar at {nearest}."
    )


def _nearest_and_furthest(drift: ConversationDrift) -> tuple[tuple[int, Estimate], tuple[int, Estimate]]:
    """The turns, each with the mean of its own actions. At least one has any."""
    local = by_turn(drift.table.local, drift.table.part, drift.bounds)
    turns = [(turn, estimate) for turn, estimate in enumerate(local, start=1) if estimate.value is not None]

    def mean_of(turn: tuple[int, Estimate]) -> float:
        return turn[1].value or 0.0

    return max(turns, key=mean_of), min(turns, key=mean_of)


def where_it_leaves(drift: ConversationDrift) -> Iterator[Block]:
    """Yield where care is furthest from the plan, overall and conversation by conversation.

    Nothing if the metric has no number of a turn alone.
    """
    if not drift.has_local:
        return
    near, far = _nearest_and_furthest(drift)
    yield Paragraph(
        f"A turn's actions are most similar to the plan at turn {near[0]} (mean {number(near[1])}, "
        f"{limits(near[1])}; n {near[1].n:,}) and least similar at turn {far[0]} (mean {number(far[1])}, "
        f"{limits(far[1])}; n {far[1].n:,}).",
        "strong",
    )
    yield Paragraph(
        "This is the alignment of each turn's actions alone (local alignment). The cumulative line includes "
        "everything said before, so it cannot show where care departs from the plan. A turn without a "
        "clinical action has no value.",
        "small",
    )
    yield leaving_table(drift, MAX_CONVERSATIONS_LISTED)


def furthest_first(drift: ConversationDrift) -> list[int]:
    """Return the rows of the conversations, the one furthest from its plan first; NaN last."""
    value = drift.furthest.value
    return [int(row) for row in np.argsort(np.where(np.isnan(value), np.inf, value), kind="stable")]


def name_conversation(drift: ConversationDrift, row: int) -> str:
    """Return "Conversation 3", or "A conversation that is not rated"; with replies "Conversation of reply
    3".
    """
    position = int(drift.table.position[row])
    return f"{drift.numbered.capitalize()} {position:,}" if position else "A conversation that is not rated"


def title_of_one(drift: ConversationDrift, row: int) -> str:
    """Return "Conversation 3 is least similar to its plan at turn 5 (0.41)", and where the largest drop
    begins.

    "Conversation 3: no turn has a clinical action" if that is so; only the name without numbers of a turn
    alone.
    """
    at, name = drift.furthest, name_conversation(drift, row)
    if not at.turn[row]:
        return f"{name}: no turn has a clinical action" if drift.has_local else name
    step = f"; the largest drop begins at turn {at.step[row]}" if at.step[row] else ""
    return f"{name} is least similar to its plan at turn {at.turn[row]} ({decimal(at.value[row], 2)}){step}"


def leaving_table(drift: ConversationDrift, most: int | None = None) -> Table:
    """Return the table "leaving" of conversations, the one furthest from its plan first, at most `most`
    (None: all).

    A row holds a link to the conversation (its key without a place), the condition, the turn where it is
    least similar, the value there, and the largest drop ("none" without one).
    """
    at, table = drift.furthest, drift.table
    rows, with_value = [], [row for row in furthest_first(drift) if at.turn[row]]
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
        f"Where each conversation is least similar to its plan{more}",
        ("Read it", "Condition", "Turn", "Local alignment there", "Largest drop"),
        rows,
        (2, 3),
    )
