"""What moves over the turns, in one sentence for the top of a page."""

from __future__ import annotations

from reports.drift.conversation_curves import ConversationDrift
from reports.drift.curve_kinds import CurveWords
from reports.wording import listed

NAMED = 3  # conditions


def turns_headline(drift: ConversationDrift, words: CurveWords) -> str:
    """Under which condition it rises or falls, tested together; else that no change is clear, or why that
    cannot be told.
    """
    by_condition = [
        (condition.name, change) for condition, change in zip(drift.conditions, drift.changes, strict=True)
    ]
    rising = [name for name, change in by_condition if change.direction > 0]
    falling = [name for name, change in by_condition if change.direction < 0]
    still = [name for name, change in by_condition if change.untold is None and not change.direction]
    untold = [name for name, change in by_condition if change.untold is not None]
    if len(untold) == len(by_condition):
        return f"Whether anything moves over the turns cannot be told, {_reason(drift)}."
    moved = [
        f"{sentence} over the turns{_with(drift, names)}"
        for sentence, names in ((words.falls, falling), (words.rises, rising))
        if names
    ]
    if not moved:
        moved = [f"{words.follows}: no clear change over the turns{_with(drift, still)}"]
        still = []
    rest = [
        f"with {listed(names, NAMED)} {state}"
        for names, state in ((still, "no change is clear"), (untold, "it cannot be told"))
        if names
    ]
    first, *others = [*moved, *rest]
    return f"{'; '.join([first, *(part[:1].lower() + part[1:] for part in others)])}."


def _with(drift: ConversationDrift, names: list[str]) -> str:
    """Under which condition; nothing where it is said of all."""
    if drift.by is None:
        return ""
    return f" with {listed(names, NAMED)}"


def _reason(drift: ConversationDrift) -> str:
    """The one that holds for all of them, else the commonest need."""
    reasons = list(dict.fromkeys(change.untold for change in drift.changes if change.untold is not None))
    if not reasons:
        return "because no conversation has numbers"
    return f"because {reasons[0]}" if len(reasons) == 1 else "because too few conversations are known"
