"""What moves over the turns, in one sentence for the top of a page."""

from __future__ import annotations

from reports.drift.conversation_curves import ConversationDrift
from reports.drift.curve_kinds import CurveWords
from reports.wording import listed

NAMED = 3  # conditions


def turns_headline(drift: ConversationDrift, words: CurveWords) -> str:
    """Under which condition it rises or falls from turn to turn, tested together; else that no change is
    clear, or why it is too early to say.
    """
    by_condition = [
        (condition.name, change) for condition, change in zip(drift.conditions, drift.changes, strict=True)
    ]
    rising = [name for name, change in by_condition if change.direction > 0]
    falling = [name for name, change in by_condition if change.direction < 0]
    still = [name for name, change in by_condition if change.untold is None and not change.direction]
    untold = [name for name, change in by_condition if change.untold is not None]
    if len(untold) == len(by_condition):
        return f"It is too early to say whether anything changes turn by turn, {_reason(drift)}."
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
    return f"With {listed(names, NAMED)}, {words}."


def _reason(drift: ConversationDrift) -> str:
    """The one that holds for all of them, else the commonest need."""
    reasons = list(dict.fromkeys(change.untold for change in drift.changes if change.untold is not None))
    if not reasons:
        return "because no conversation has numbers"
    return f"because {reasons[0]}" if len(reasons) == 1 else "because too few conversations are known"
