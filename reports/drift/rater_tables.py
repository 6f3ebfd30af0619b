"""Raters over time, rater by rater: movement, levels, the same label again, minutes."""

from __future__ import annotations

from reports.document import Table
from reports.drift.rater_words import measure_name, why_withheld
from reports.drift.raters import RaterDrift
from reports.drift.recalibration_words import direction
from reports.wording import CANNOT, interval_words, limits, number, percent_or_none
from scoring.agreement.intervals.estimate import Estimate
from scoring.confidence import ALPHA
from scoring.drift.periods import ENOUGH
from scoring.drift.rater_movement import Movement
from words.figures import chance, decimal, signed_decimal
from words.plurals import count

RISES, FALLS = "rises", "falls"


def rater_table(drift: RaterDrift) -> Table:
    """How each moved, and how the periods read by themselves."""
    moving = drift.trends(
        {rater: [estimate.value for estimate in some] for rater, some in drift.levels.items()}
    )
    rows: list[tuple[str, ...]] = []
    for rater, name in drift.names.items():
        movement = drift.movements.get(rater)
        units = f"{int((drift.source.moments.rater == rater).sum()):,}"
        if movement is None:
            why = why_withheld(drift) if drift.withheld(rater) else "no blind label with a place on a scale"
            rows.append((name, units, "0", "", "", "", "", "", f"cannot be told: {why}", ""))
            continue
        rows.append(
            (
                name,
                units,
                f"{movement.conversations:,}",
                *(
                    CANNOT if half is None else signed_decimal(half, 2)
                    for half in (movement.first, movement.second)
                ),
                "" if movement.slope.value is None else signed_decimal(movement.slope.value, 2),
                limits(movement.slope),
                "" if movement.adjusted is None else chance(movement.adjusted),
                _verdict(drift, movement),
                _over(drift, *moving[rater]) if rater in moving else "",
            )
        )
    header = (
        "Rater",
        f"{drift.source.noun.plural.capitalize()} rated",
        "Conversations compared",
        "First half",
        "Second half",
        "In 4 weeks",
        "95 % interval",
        "p after Holm",
        "The rater",
        f"{drift.periods.length.capitalize()} by {drift.periods.length}",
    )
    return Table(
        "raters_moved",
        f"{measure_name(drift).capitalize()}, own less the others', over time",
        header,
        rows,
        (1, 2, 3, 4, 5, 7),
    )


def _verdict(drift: RaterDrift, movement: Movement) -> str:
    if movement.p is None:
        return f"cannot be told: {movement.undefined}"
    if movement.verdict == "moved apart":
        return "moved apart from the one other rater; which of the two cannot be told"
    return (
        direction(movement.up, drift.source.ordered) if movement.verdict == "moved" else "no clear movement"
    )


def _over(drift: RaterDrift, p: float | None, sign: int, valued: int) -> str:
    if valued < ENOUGH:
        return (
            f"only {count(valued, drift.periods.length, f'{drift.periods.length}s')} with a value, and "
            f"{ENOUGH} are needed"
        )
    return (
        f"{RISES if sign > 0 else FALLS} (p {chance(p)} after Holm)"
        if p is not None and p < ALPHA
        else "no clear trend"
    )


def levels_table(drift: RaterDrift) -> Table:
    rows = [
        (
            drift.names[rater],
            name,
            "none"
            if not estimate.n
            else signed_decimal(estimate.value, 2)
            if estimate.value is not None
            else number(estimate),
            limits(estimate),
            f"{estimate.n:,}",
        )
        for rater, some in drift.levels.items()
        for name, estimate in zip(drift.periods.names, some, strict=True)
    ]
    return Table(
        "rater_levels",
        f"Own less the others' mean on the same {drift.source.noun.singular} and question",
        ("Rater", _beginning(drift), "Difference", "95 % interval", "Labels"),
        rows,
        (2, 4),
    )


def same_table(drift: RaterDrift) -> Table:
    moving = drift.trends(
        {
            rater: [repeat_share.share.value for repeat_share in some]
            for rater, some in drift.same_by_period.items()
        }
    )
    rows = []
    for rater, some in drift.same_by_period.items():
        whole = drift.same[rater]
        rows.append(
            (
                drift.names[rater],
                "all together",
                f"{whole.same:,} of {whole.pairs:,}",
                percent_or_none(whole.share),
                _range(whole.share),
                _over(drift, *moving[rater]),
            )
        )
        rows += [
            (
                drift.names[rater],
                name,
                f"{repeat_share.same:,} of {repeat_share.pairs:,}" if repeat_share.pairs else "none",
                percent_or_none(repeat_share.share),
                _range(repeat_share.share),
                "",
            )
            for name, repeat_share in zip(drift.periods.names, some, strict=True)
        ]
    return Table(
        "same_again",
        "The same label again on hidden repeats",
        ("Rater", _beginning(drift), "Same", "Percent", "95 % interval", "Over time"),
        rows,
        (2, 3),
    )


def minutes_table(drift: RaterDrift) -> Table:
    moving = drift.trends(
        {rater: [minutes.median for minutes in some] for rater, some in drift.minutes_by_period.items()}
    )
    rows = []
    for rater, some in drift.minutes_by_period.items():
        for name, minutes in (
            ("all together", drift.minutes[rater]),
            *zip(drift.periods.names, some, strict=True),
        ):
            quartiles = (
                ""
                if minutes.low is None or minutes.high is None
                else f"{decimal(minutes.low, 1)} to {decimal(minutes.high, 1)}"
            )
            rows.append(
                (
                    drift.names[rater],
                    name,
                    "none known" if minutes.median is None else decimal(minutes.median, 1),
                    quartiles,
                    f"{minutes.n:,}",
                    _over(drift, *moving[rater]) if name == "all together" else "",
                )
            )
    return Table(
        "minutes",
        f"Minutes for a {drift.source.noun.singular}",
        (
            "Rater",
            _beginning(drift),
            "Median",
            "Half of them lie within",
            drift.source.noun.plural.capitalize(),
            "Over time",
        ),
        rows,
        (2, 4),
    )


def _beginning(drift: RaterDrift) -> str:
    return {"day": "Day (UTC)", "week": "Week from (UTC)", "month": "Month (UTC)"}[drift.periods.length]


def _range(estimate: Estimate) -> str:
    return "" if estimate.value is None else interval_words(estimate).removeprefix("plausible ")
