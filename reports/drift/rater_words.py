"""Sentences about raters over time: who should calibrate again and why, who drifted, how steady and how fast
they are.
"""

from __future__ import annotations

from collections.abc import Iterator

from reports.document import Block, Paragraph, Shape
from reports.drift.raters import RaterDrift
from reports.wording import listed
from scoring.confidence import ALPHA
from scoring.drift.rater_habits import RepeatShare
from scoring.drift.rater_movement import Movement
from scoring.drift.recalibrate import RecalibrationReasons, RoundAgreement, repeats_below
from words.figures import chance, decimal, percent
from words.plurals import count, inflect

ALONE = "no blind label that can be placed on a scale"
HOW_TESTED = (
    Paragraph(
        "Each difference is the rater's own level minus the mean of the others who rated the same, question "
        "by question; 0 is the same as the others. Every conversation gives one difference. The test looks "
        "for a trend in these differences, and in the means of days (Mann-Kendall). The halves are the "
        "earlier and the later conversations; the change in 4 weeks is the Theil-Sen slope.",
        "small",
    ),
    Paragraph(
        "When one rater drifts, the others seem to drift the opposite way. So the rater with the clearest "
        "drift is named and left out of the comparison, and all the others are tested again.",
        "small",
    ),
)


def summary(drift: RaterDrift) -> Iterator[Block]:
    """Yield the leading sentences, the rule by which calibration is suggested, and what is left out.

    The leading ones: one per rater who should be calibrated again, with the reasons, else that nobody needs
    it. What is left out, imported ratings, is not in a rater's own view.
    """
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
        " (set in the plan of work)"
        if source.planned
        else ", the default, because the study has no plan of work"
    )
    yield Paragraph(
        "Another calibration is suggested if a rater's levels drifted compared with the others' (p below "
        "0.05 after Holm over the raters), if the whole plausible range of the hidden repeats is below the "
        "threshold, or if agreement in the last calibration round was below it. The threshold is "
        f"{percent(source.threshold)}{whence}. A suggestion does not mean a fault: difficult conversations "
        "or an ambiguous rubric have the same effect.",
        "small",
    )
    if source.undated and not drift.own:
        were = inflect(source.undated, "was", "were")
        yield Paragraph(
            f"{count(source.undated, 'rating', 'ratings')} (one rater and one {source.noun.singular} each) "
            f"{were} imported, not committed here. Their change over time is not tested, but the other "
            "raters are compared with them.",
            "small",
        )


def _nobody(drift: RaterDrift) -> str:
    tested = sum(movement.p is not None for movement in drift.movements.values())
    if drift.own:
        return "Nothing suggests another calibration for you." + (
            "" if tested else " It is too early to say whether your levels drift."
        )
    if not tested:
        return "No rater can be tested for drift yet; nothing suggests another calibration."
    return (
        f"No rater clearly drifted, and nothing suggests another calibration. {tested} of "
        f"{len(drift.names)} raters could be tested for drift."
    )


def moved(drift: RaterDrift) -> str:
    """Return the title of the chart of levels: who moved which way, that nobody clearly did, or that it is
    too early.

    For example "Rater A moved to lower levels, compared with the others".
    """
    movements = [
        f"{listed(names)} {direction(rises, drift.source.ordered)}"
        for rises in (False, True)
        if (
            names := [
                drift.names[rater]
                for rater, movement in drift.movements.items()
                if movement.verdict == "moved" and movement.up == rises
            ]
        )
    ]
    apart = [
        drift.names[rater]
        for rater, movement in drift.movements.items()
        if movement.verdict == "difference changed"
    ]
    if apart:
        movements.append(
            "The difference between you and the one other rater changed"
            if drift.own
            else f"The difference between {listed(apart)} changed; which of them drifted can't be estimated"
        )
    if movements:
        return "; ".join(movements)
    if not any(movement.p is not None for movement in drift.movements.values()):
        return (
            f"{measure_name(drift).capitalize()} compared with the others': too early to say "
            f"{'whether yours drifted' if drift.own else 'who drifted'}"
        )
    return (
        f"Your {measure_name(drift)} did not clearly drift compared with the others'"
        if drift.own
        else f"No rater's {measure_name(drift)} clearly drifted compared with the others'"
    )


def why_withheld(drift: RaterDrift) -> str:
    """Return why a rater's drift is withheld, for a drift where it is (that is not checked): "only one other
    rater labelled the same conversations, and a comparison would reveal their labels".
    """
    return (
        f"only one other rater labelled the same {drift.source.noun.plural}, and a comparison would reveal "
        "their labels"
    )


def describe_movement(drift: RaterDrift, rater: int) -> tuple[Shape, str]:
    """Return the shape ("no" if the rater moved, "yes" if not, "unknown") and what was seen, or why it is
    unknown.
    """
    movement = drift.movements.get(rater)
    if movement is None:
        return "unknown", why_withheld(drift) if drift.withheld(rater) else ALONE
    if movement.p is None:
        return "unknown", movement.undefined or ALONE
    if movement.verdict == "difference changed":
        return (
            "no",
            "the difference from the one other rater changed; which of the two drifted can't be estimated",
        )
    if movement.verdict == "moved":
        return "no", direction(movement.up, drift.source.ordered)
    return "yes", "no clear drift"


def measure_name(drift: RaterDrift) -> str:
    """Return "levels" if scales are ordered, else "share of failing labels"."""
    return "levels" if drift.source.ordered else "share of failing labels"


def steady(drift: RaterDrift) -> str:
    """Return the title of the chart of same labels again.

    Who is below the threshold, as "Rater A gave the same label again clearly less often than 80%", else
    "Raters gave the same label again on 5 of 8 hidden repeats".
    """
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
    """Return the title of the chart of minutes, such as "Rater A took less and less time for a
    conversation".

    Without a clear trend "Minutes for a conversation: no clear change", or "too few periods to test" if none
    could be tested; for a rater's own drift without one, their median.
    """
    moving = drift.trends(
        {rater: [minutes.median for minutes in some] for rater, some in drift.minutes_by_period.items()}
    )
    trends = [
        f"{listed(names)} took {how} time for a {drift.source.noun.singular}"
        for how, sign in (("less and less", -1), ("more and more", 1))
        if (
            names := [
                drift.names[rater]
                for rater, (p, rises, _) in moving.items()
                if p is not None and p < ALPHA and rises == sign
            ]
        )
    ]
    if trends:
        return "; ".join(trends)
    minutes = [minutes for minutes in drift.minutes.values() if minutes.median is not None]
    if drift.own and minutes and minutes[0].median is not None:
        return (
            f"Half of your {drift.source.noun.plural} took less than {decimal(minutes[0].median, 1)} minutes"
        )
    any_tested = any(p is not None for p, _, _ in moving.values())
    change = "no clear change" if any_tested else "too few periods to test"
    return f"Minutes for a {drift.source.noun.singular}: {change}"


def rater_headline(drift: RaterDrift) -> str:
    """Return `moved` as a sentence, with "; 2 raters could not be tested" if that is so.

    "Whether a rater moved cannot be tested, because REASON." if nobody could be.
    """
    untold = [movement for movement in drift.movements.values() if movement.p is None]
    if len(untold) == len(drift.movements):
        who = "you" if drift.own else "a rater"
        return f"Whether {who} drifted can't be tested, because {_reason_of_raters(drift)}."
    never = len(untold) + len(drift.names) - len(drift.movements)
    limitation = f"; {count(never, 'rater', 'raters')} could not be tested" if never else ""
    return f"{moved(drift)}{limitation}."


def _reason_of_raters(drift: RaterDrift) -> str:
    if any(drift.withheld(rater) for rater in drift.names):
        return why_withheld(drift)
    reasons = list(
        dict.fromkeys(
            movement.undefined for movement in drift.movements.values() if movement.undefined is not None
        )
    )
    if not reasons:
        return f"nobody rated the same {drift.source.noun.plural} as a colleague"
    return reasons[0] if len(reasons) == 1 else "colleagues rated too little of the same"


def recalibration_sentences(
    reasons: RecalibrationReasons, threshold: float, ordinal: bool
) -> tuple[str, ...]:
    """Return the reasons for calibrating a rater again as parts of a sentence, without a capital and a full
    stop; empty if there are none.

    Args:
        reasons: the reasons.
        threshold: the one that the reasons were found with.
        ordinal: whether levels are those of ordered scales, or shares of failing labels.
    """
    return tuple(_sentences(reasons, threshold, ordinal))


def direction(up: bool, ordinal: bool) -> str:
    """Return "moved to higher levels, compared with the others", "lower levels", or "more" or "fewer
    failing labels".
    """
    if ordinal:
        return f"drifted to {'higher' if up else 'lower'} levels, compared with the others"
    return f"drifted to {'more' if up else 'fewer'} failing labels, compared with the others"


def _sentences(reasons: RecalibrationReasons, threshold: float, ordinal: bool) -> Iterator[str]:
    if reasons.movement is not None and reasons.movement.adjusted is not None:
        yield _movement_sentence(reasons.movement, reasons.movement.adjusted, ordinal)
    if reasons.repeats is not None:
        yield _repeats_sentence(reasons.repeats, threshold)
    if reasons.last_round is not None:
        yield _round_sentence(reasons.last_round, threshold)


def _movement_sentence(movement: Movement, p: float, ordinal: bool) -> str:
    who = (
        ""
        if movement.verdict == "moved"
        else ", but with only one other rater, which of the two drifted can't be estimated"
    )
    return f"{direction(movement.up, ordinal)}{_halves(movement, ordinal)} (p {chance(p)}){who}"


def _repeats_sentence(repeats: RepeatShare, threshold: float) -> str:
    low, high = repeats.share.low, repeats.share.high
    plausible = "" if low is None or high is None else f"plausible range {percent(low)} to {percent(high)}, "
    return (
        f"gave the same label again on only {repeats.same:,} of {repeats.pairs:,} hidden repeats "
        f"({plausible}required: {percent(threshold)})"
    )


def _round_sentence(last_round: RoundAgreement, threshold: float) -> str:
    share = last_round.share
    reached = "" if share.value is None else f"{percent(share.value)}, "
    return (
        f"agreed with the others on {share.same:,} of {share.pairs:,} pairs of labels ({reached}required: "
        f"{percent(threshold)}) {'after' if last_round.again else 'before'} the discussion of "
        f"\u201c{last_round.title}\u201d"
    )


def _halves(movement: Movement, ordinal: bool) -> str:
    """Left out where the halves do not show what the whole shows, as of what falls and rises again."""
    first, second = movement.first, movement.second
    if first is None or second is None or (second > first) != movement.up:
        return ""
    return (
        f": {_from_others(first, ordinal)} in the first half of the conversations, "
        f"{_from_others(second, ordinal)} in the second"
    )


def _from_others(value: float, ordinal: bool) -> str:
    """0.62 levels below them; 4 percentage points above them."""
    size = decimal(abs(value), 2) if ordinal else decimal(100 * abs(value), 0)
    if not float(size):
        return "the same as theirs"
    unit = inflect(
        float(size), *(("level", "levels") if ordinal else ("percentage point", "percentage points"))
    )
    return f"{size} {unit} {'above' if value > 0 else 'below'} them"
