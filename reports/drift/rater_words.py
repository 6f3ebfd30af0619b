"""What is said of raters over time: who to calibrate again and why, who moved, how steady and how quick."""

from __future__ import annotations

from collections.abc import Iterator

from reports.document import Block, Paragraph
from reports.drift.raters import RaterDrift
from reports.drift.recalibration_words import direction, recalibration_sentences
from reports.wording import listed
from scoring.confidence import ALPHA
from scoring.drift.recalibrate import repeats_below
from words.figures import decimal, percent
from words.plurals import count, inflect

HOW_TESTED = (
    Paragraph(
        "Own level less the others' mean on what they rated too, question by question; 0 is as the others. "
        "Every conversation gives one difference, and these, and the days, are tested (Mann-Kendall). "
        "Halves are the earlier and the later of them; the change in 4 weeks is their Theil-Sen slope.",
        "small",
    ),
    Paragraph(
        "Where one rater moves, the others seem to move the other way: so the clearest is named, taken out "
        "of the others, and everything is tested again.",
        "small",
    ),
)


def summary(drift: RaterDrift) -> Iterator[Block]:
    """The sentence that leads, then what is left out."""
    if drift.reasons:
        for rater, reasons in drift.reasons.items():
            why = recalibration_sentences(reasons, drift.source.threshold, drift.source.ordered)
            who = (
                "Another calibration is suggested: you "
                if drift.own
                else f"Recalibrate {drift.names[rater]}: "
            )
            yield Paragraph(f"{who}{'; '.join(why)}.", "strong")
    else:
        yield Paragraph(_nobody(drift), "strong")
    source = drift.source
    whence = (
        " (set in the plan of the work)"
        if source.planned
        else ", because there is no plan of the work that says otherwise"
    )
    yield Paragraph(
        "Suggested by rule: levels that moved beside the others' (p below 0.05 after Holm over the raters), "
        "hidden repeats whose whole plausible range "
        "lies below the threshold, or agreement below it in the last calibration round. The threshold is "
        f"{percent(source.threshold)}{whence}. "
        "A suggestion is no finding of fault: difficult conversations, or a rubric that reads two ways, do "
        "the same.",
        "small",
    )
    if source.undated and not drift.own:
        were = inflect(source.undated, "was", "were")
        yield Paragraph(
            f"{count(source.undated, 'rating', 'ratings')} (a rater and a {source.noun.singular}) {were} "
            "imported, not committed here: left out over time, though others are compared with them.",
            "small",
        )


def _nobody(drift: RaterDrift) -> str:
    tested = sum(movement.p is not None for movement in drift.movements.values())
    if drift.own:
        return "Nothing suggests another calibration for you." + (
            "" if tested else " Whether your levels move cannot be told yet."
        )
    if not tested:
        return "No rater can be tested for movement yet; nothing suggests another calibration."
    return (
        f"No rater moved clearly, and nothing suggests another calibration. {tested} of "
        f"{len(drift.names)} raters could be tested for movement."
    )


def moved(drift: RaterDrift) -> str:
    """What the chart of levels shows."""
    clear = {rater: movement for rater, movement in drift.movements.items() if movement.verdict == "moved"}
    apart = [
        drift.names[rater] for rater, movement in drift.movements.items() if movement.verdict == "moved apart"
    ]
    movements = [
        f"{listed(names)} {direction(rises, drift.source.ordered)}"
        for rises, names in (
            (rises, [drift.names[rater] for rater, movement in clear.items() if movement.up == rises])
            for rises in (False, True)
        )
        if names
    ]
    if apart:
        movements.append(
            "You and the one other rater moved apart"
            if drift.own
            else f"{listed(apart)} moved apart from each other; which of them cannot be told"
        )
    if movements:
        return "; ".join(movements)
    if not any(movement.p is not None for movement in drift.movements.values()):
        return (
            f"{measure_name(drift).capitalize()} beside the others': too little to tell "
            f"{'a movement' if drift.own else 'who moves'}"
        )
    return (
        f"Your {measure_name(drift)} moved in no clear way beside the others'"
        if drift.own
        else f"No rater's {measure_name(drift)} moved clearly beside the others'"
    )


def why_withheld(drift: RaterDrift) -> str:
    return (
        f"only one other rater labelled the same {drift.source.noun.plural}, whom the comparison would show"
    )


def measure_name(drift: RaterDrift) -> str:
    """What of a rater is compared with the others' over time."""
    return "levels" if drift.source.ordered else "share of failing labels"


def steady(drift: RaterDrift) -> str:
    below = [
        drift.names[rater]
        for rater, repeat_share in drift.same.items()
        if repeats_below(repeat_share, drift.source.threshold)
    ]
    if below:
        return (
            f"{listed(below)} gave the same label again clearly less often than "
            f"{percent(drift.source.threshold)}"
        )
    same, pairs = (
        sum(repeat_share.same for repeat_share in drift.same.values()),
        sum(repeat_share.pairs for repeat_share in drift.same.values()),
    )
    return (
        f"{'You' if drift.own else 'Raters'} gave the same label again on {same:,} of {pairs:,} hidden "
        "repeats"
    )


def pace(drift: RaterDrift) -> str:
    moving = drift.trends(
        {rater: [minutes.median for minutes in some] for rater, some in drift.minutes_by_period.items()}
    )
    trends = [
        f"{listed(names)} {how}"
        for how, names in (
            (
                how,
                [
                    drift.names[rater]
                    for rater, (p, rater_direction, _) in moving.items()
                    if p is not None and p < ALPHA and rater_direction == sign
                ],
            )
            for how, sign in (
                (f"took less and less time for a {drift.source.noun.singular}", -1),
                (f"took more and more time for a {drift.source.noun.singular}", 1),
            )
        )
        if names
    ]
    if trends:
        return "; ".join(trends)
    minutes = [minutes for minutes in drift.minutes.values() if minutes.median is not None]
    if drift.own and minutes and minutes[0].median is not None:
        return (
            f"Half of your {drift.source.noun.plural} took less than {decimal(minutes[0].median, 1)} minutes"
        )
    any_tested = any(p is not None for p, _, _ in moving.values())
    change = "no clear change" if any_tested else "too few periods to tell a change"
    return f"Minutes for a {drift.source.noun.singular}: {change}"
