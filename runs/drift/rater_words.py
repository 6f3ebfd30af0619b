"""What is said of raters over time: who to calibrate again and why, rater by rater, and the calibration
rounds.
"""

from __future__ import annotations

from collections.abc import Iterator

from runs.agreement.document import Block, Table, Words
from runs.agreement.words import CANNOT, count, limits, listed, number, plausible
from runs.drift.raters import Calibrated, RaterDrift
from scoring.agreement.estimate import Estimate
from scoring.agreement.rounds import Share
from scoring.drift.periods import ENOUGH
from scoring.drift.rater_movement import Movement
from scoring.drift.recalibrate import NEAR, signed, way
from scoring.figures import chance, decimal, percent

LEVEL = 0.05
RISES, FALLS = "rises", "falls"


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
            f"{_what(found).capitalize()} beside the others': too little to tell "
            f"{'a movement' if found.own else 'who moves'}"
        )
    return (
        f"Your {_what(found)} moved in no clear way beside the others'"
        if found.own
        else f"No rater's {_what(found)} moved clearly beside the others'"
    )


def _what(found: RaterDrift) -> str:
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


def rater_table(found: RaterDrift) -> Table:
    """How each moved, and how the periods read by themselves."""
    moving = found.trends({rater: [one.value for one in some] for rater, some in found.levels.items()})
    rows: list[tuple[str, ...]] = []
    for rater, name in found.names.items():
        one = found.movements.get(rater)
        units = f"{int((found.source.moments.rater == rater).sum()):,}"
        if one is None:
            why = (
                "only one other rater labelled the same units, whom the comparison would show"
                if found.withheld(rater)
                else "no blind label with a place on a scale"
            )
            rows.append((name, units, "0", "", "", "", "", "", f"cannot be told: {why}", ""))
            continue
        rows.append(
            (
                name,
                units,
                f"{one.conversations:,}",
                *(CANNOT if half is None else signed(half) for half in (one.first, one.second)),
                "" if one.slope.value is None else signed(one.slope.value),
                limits(one.slope),
                "" if one.adjusted is None else chance(one.adjusted),
                _verdict(found, one),
                _over(found, *moving[rater]) if rater in moving else "",
            )
        )
    header = (
        "Rater",
        "Units",
        "Conversations compared",
        "First half",
        "Second half",
        "In 4 weeks",
        "95 % interval",
        "p after Holm",
        "The rater",
        f"{found.periods.length.capitalize()} by {found.periods.length}",
    )
    return Table(
        "raters_moved",
        f"{_what(found).capitalize()}, own less the others', over time",
        header,
        rows,
        (1, 2, 3, 4, 5, 7),
    )


def _verdict(found: RaterDrift, one: Movement) -> str:
    if one.p is None:
        return f"cannot be told: {one.undefined}"
    if one.verdict == "apart":
        return "moved apart from the one other rater; which of the two cannot be told"
    return way(one.up, found.source.ordered) if one.verdict == "moved" else "no clear movement"


def _over(found: RaterDrift, p: float | None, way: int, known: int) -> str:
    if known < ENOUGH:
        return (
            f"only {count(known, found.periods.length, f'{found.periods.length}s')} with a value, and "
            f"{ENOUGH} are needed"
        )
    return (
        f"{RISES if way > 0 else FALLS} (p {chance(p)} after Holm)"
        if p is not None and p < LEVEL
        else "no clear trend"
    )


def levels_table(found: RaterDrift) -> Table:
    rows = [
        (
            found.names[rater],
            name,
            "none" if not one.n else signed(one.value) if one.value is not None else number(one),
            limits(one),
            f"{one.n:,}",
        )
        for rater, some in found.levels.items()
        for name, one in zip(found.periods.names, some, strict=True)
    ]
    return Table(
        "rater_levels",
        "Own less the others' mean on the same unit and question",
        ("Rater", _beginning(found), "Difference", "95 % interval", "Labels"),
        rows,
        (2, 4),
    )


def same_table(found: RaterDrift) -> Table:
    moving = found.trends(
        {rater: [one.share.value for one in some] for rater, some in found.same_by_period.items()}
    )
    rows = []
    for rater, some in found.same_by_period.items():
        whole = found.same[rater]
        rows.append(
            (
                found.names[rater],
                "all together",
                f"{whole.same:,} of {whole.pairs:,}",
                _percent(whole.share),
                _range(whole.share),
                _over(found, *moving[rater]),
            )
        )
        rows += [
            (
                found.names[rater],
                name,
                f"{one.same:,} of {one.pairs:,}" if one.pairs else "none",
                _percent(one.share),
                _range(one.share),
                "",
            )
            for name, one in zip(found.periods.names, some, strict=True)
        ]
    return Table(
        "same_again",
        "The same label again on hidden repeats",
        ("Rater", _beginning(found), "Same", "Percent", "95 % interval", "Over time"),
        rows,
        (2, 3),
    )


def minutes_table(found: RaterDrift) -> Table:
    moving = found.trends(
        {rater: [one.median for one in some] for rater, some in found.minutes_by_period.items()}
    )
    rows = []
    for rater, some in found.minutes_by_period.items():
        for name, one in (
            ("all together", found.minutes[rater]),
            *zip(found.periods.names, some, strict=True),
        ):
            quartiles = (
                ""
                if one.low is None or one.high is None
                else f"{decimal(one.low, 1)} to {decimal(one.high, 1)}"
            )
            rows.append(
                (
                    found.names[rater],
                    name,
                    "none known" if one.median is None else decimal(one.median, 1),
                    quartiles,
                    f"{one.n:,}",
                    _over(found, *moving[rater]) if name == "all together" else "",
                )
            )
    return Table(
        "minutes",
        "Minutes for a unit",
        ("Rater", _beginning(found), "Median", "Half of them lie within", "Units", "Over time"),
        rows,
        (2, 4),
    )


def _beginning(found: RaterDrift) -> str:
    return {"day": "Day (UTC)", "week": "Week from (UTC)", "month": "Month (UTC)"}[found.periods.length]


def _percent(one: Estimate) -> str:
    return "none" if one.value is None else percent(one.value)


def _range(one: Estimate) -> str:
    return "" if one.value is None else plausible(one).removeprefix("plausible ")


def rounds_table(found: RaterDrift) -> Table | None:
    """The newest first; None where there was none. For a rater how they agreed with the others, for a lead
    how all did, and who lies below.
    """
    if not found.rounds:
        return None
    threshold = found.source.threshold
    rows: list[tuple[str, ...]] = []
    for one in found.rounds:
        if found.own:
            mine = one.of(next(iter(found.names)))
            rows.append(
                (
                    one.title,
                    one.at[:10],
                    "after" if mine.again else "before",
                    _share(mine.share),
                    percent(threshold),
                    _below(mine.share, threshold),
                )
            )
        else:
            before, after = one.shares
            last = after if after.pairs else before
            rows.append(
                (
                    one.title,
                    one.at[:10],
                    _share(before),
                    _share(after) if after.pairs else "not rated again yet",
                    percent(threshold),
                    _below(last, threshold),
                    listed(_below_of(found, one), 20) or "nobody",
                )
            )
    header = (
        ("Round", "Begun (UTC)", "Discussion", "You and the others: same label", "Threshold now", "")
        if found.own
        else (
            "Round",
            "Begun (UTC)",
            "Before the discussion",
            "After it",
            "Threshold now",
            "All together",
            "Raters below it",
        )
    )
    return Table("calibration", "Calibration rounds: pairs of raters with the same label", header, rows, (4,))


def _below_of(found: RaterDrift, one: Calibrated) -> list[str]:
    shares = {rater: one.of(rater).share for rater in one.raters if rater in found.names}
    return [
        found.names[rater]
        for rater, share in shares.items()
        if share.value is not None and share.value < found.source.threshold - NEAR
    ]


def _share(one: Share) -> str:
    if one.value is None:
        return f"{CANNOT}: {one.undefined}"
    between = (
        f" ({percent(one.low)} to {percent(one.high)})"
        if one.low is not None and one.high is not None
        else f" (no interval: {one.undefined})"
    )
    return f"{one.same:,} of {one.pairs:,}, {percent(one.value)}{between}"


def _below(one: Share, threshold: float) -> str:
    return "" if one.value is None else "below" if one.value < threshold - NEAR else "not below"
