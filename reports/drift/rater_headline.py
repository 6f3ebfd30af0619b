"""Who moved among the raters, in one sentence for the top of a page."""

from __future__ import annotations

from reports.drift.rater_words import moved, why_withheld
from reports.drift.raters import RaterDrift
from words.plurals import count


def rater_headline(drift: RaterDrift) -> str:
    """Who moved beside the others; else that nobody is seen to, or why nobody can tell."""
    untold = [movement for movement in drift.movements.values() if movement.p is None]
    if len(untold) == len(drift.movements):
        return f"Whether {'you' if drift.own else 'a rater'} moved cannot be told, because {_reason(drift)}."
    never = len(untold) + len(drift.names) - len(drift.movements)
    limitation = f"; of {count(never, 'rater', 'raters')} it cannot be told" if never else ""
    return f"{moved(drift)}{limitation}."


def _reason(drift: RaterDrift) -> str:
    if any(drift.withheld(rater) for rater in drift.names):
        return why_withheld(drift)
    reasons = list(
        dict.fromkeys(
            movement.undefined for movement in drift.movements.values() if movement.undefined is not None
        )
    )
    if not reasons:
        return f"nobody rated the same {drift.source.noun.plural} as a colleague"
    return reasons[0] if len(reasons) == 1 else "too little was rated beside colleagues"
