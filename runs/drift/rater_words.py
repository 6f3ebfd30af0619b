"""What is said of raters over time: who to calibrate again and why, who moved, how steady and how quick."""

from __future__ import annotations

from collections.abc import Iterator

from runs.agreement.document import Block, Words
from runs.agreement.words import count, listed
from runs.drift.raters import RaterDrift
from scoring.drift.recalibrate import NEAR, way
from scoring.figures import decimal, percent

LEVEL = 0.05


def summary(found: RaterDrift) -> Iterator[Block]:
    """The sentence that leads, then what is left out."""
    if found.reasons:
        for rater, why in found.reasons.items():
            who = (
                "Another calibration is suggested: you "
                if found.own
                else f"Recalibrate {found.names[rater]}: "
            )
            yield Words(f"{who}{'; '.join(why)}.", "strong")
    else:
        yield Words(_nobody(found), "strong")
    source = found.source
    whence = (
        " (set in the plan of the work)"
        if source.planned
        else ", because there is no plan of the work that says otherwise"
    )
    yield Words(
        "Suggested by rule: levels that moved beside the others' (p below 0.05 after Holm over the raters), "
        "hidden repeats whose whole plausible range "
        "lies below the threshold, or agreement below it in the last calibration round. The threshold is "
        f"{percent(source.threshold)}{whence}. "
        "A suggestion is no finding of fault: difficult conversations, or a rubric that reads two ways, do "
        "the same.",
        "small",
    )
    if source.undated and not found.own:
        have = (
            "has no known moment, because it was"
            if source.undated == 1
            else "have no known moment, because they were"
        )
        yield Words(
            f"{count(source.undated, 'rating', 'ratings')} (a rater and a unit) {have} imported: left out "
            "over time, though others are compared "
            "with them.",
            "small",
        )


def _nobody(found: RaterDrift) -> str:
    tested = sum(one.p is not None for one in found.movements.values())
    if found.own:
        return "Nothing suggests another calibration for you." + (
            "" if tested else " Whether your levels move cannot be told yet."
        )
    if not tested:
        return "No rater can be tested for movement yet; nothing suggests another calibration."
    return (
        f"No rater moved clearly, and nothing suggests another calibration. {tested} of "
        f"{len(found.names)} raters could be tested for movement."
    )


def moved(found: RaterDrift) -> str:
    """What the chart of levels shows."""
    clear = {rater: one for rater, one in found.movements.items() if one.verdict == "moved"}
    apart = [found.names[rater] for rater, one in found.movements.items() if one.verdict == "apart"]
    said = [
        f"{listed(names)} {way(rises, found.source.ordered)}"
        for rises, names in (
            (rises, [found.names[rater] for rater, one in clear.items() if one.up == rises])
            for rises in (False, True)
        )
        if names
    ]
    if apart:
        said.append(
            "You and the one other rater moved apart"
            if found.own
            else f"{listed(apart)} moved apart from each other; which of them cannot be told"
        )
    if said:
        return "; ".join(said)
    if not any(one.p is not None for one in found.movements.values()):
        return (
            f"{measure_name(found).capitalize()} beside the others': too little to tell "
            f"{'a movement' if found.own else 'who moves'}"
        )
    return (
        f"Your {measure_name(found)} moved in no clear way beside the others'"
        if found.own
        else f"No rater's {measure_name(found)} moved clearly beside the others'"
    )


def measure_name(found: RaterDrift) -> str:
    """What of a rater is compared with the others' over time."""
    return "levels" if found.source.ordered else "share of failing labels"


def steady(found: RaterDrift) -> str:
    below = [
        found.names[rater]
        for rater, one in found.same.items()
        if one.share.high is not None and one.share.high < found.source.threshold - NEAR
    ]
    if below:
        return (
            f"{listed(below)} gave the same label again clearly less often than "
            f"{percent(found.source.threshold)}"
        )
    same, pairs = sum(one.same for one in found.same.values()), sum(one.pairs for one in found.same.values())
    return (
        f"{'You' if found.own else 'Raters'} gave the same label again on {same:,} of {pairs:,} hidden "
        "repeats"
    )


def pace(found: RaterDrift) -> str:
    moving = found.trends(
        {rater: [one.median for one in some] for rater, some in found.minutes_by_period.items()}
    )
    said = [
        f"{listed(names)} {how}"
        for how, names in (
            (
                how,
                [
                    found.names[rater]
                    for rater, (p, way, _) in moving.items()
                    if p is not None and p < LEVEL and way == sign
                ],
            )
            for how, sign in (
                ("took less and less time for a unit", -1),
                ("took more and more time for a unit", 1),
            )
        )
        if names
    ]
    if said:
        return "; ".join(said)
    known = [one for one in found.minutes.values() if one.median is not None]
    if found.own and known and known[0].median is not None:
        return f"Half of your units took less than {decimal(known[0].median, 1)} minutes"
    told = any(p is not None for p, _, _ in moving.values())
    return f"Minutes for a unit: {'no clear change' if told else 'too few periods to tell a change'}"
