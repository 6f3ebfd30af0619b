"""Raters over time, rater by rater: movement, levels, the same label again, minutes."""

from __future__ import annotations

from runs.agreement.document import Table
from runs.agreement.words import CANNOT, count, limits, number, plausible
from runs.drift.rater_words import LEVEL, measure_name
from runs.drift.raters import RaterDrift
from scoring.agreement.estimate import Estimate
from scoring.drift.periods import ENOUGH
from scoring.drift.rater_movement import Movement
from scoring.drift.recalibrate import signed, way
from scoring.figures import chance, decimal, percent

RISES, FALLS = "rises", "falls"


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
        f"{measure_name(found).capitalize()}, own less the others', over time",
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
