"""Why a rater should be calibrated again, each reason as what the rater did ("gave ...")."""

from __future__ import annotations

from collections.abc import Iterator

from scoring.drift.rater_habits import RepeatShare
from scoring.drift.rater_movement import Movement
from scoring.drift.recalibrate import RecalibrationReasons, RoundAgreement
from words.figures import chance, decimal, percent
from words.plurals import inflect


def recalibration_sentences(
    reasons: RecalibrationReasons, threshold: float, ordinal: bool
) -> tuple[str, ...]:
    """Empty where nothing speaks for it. `threshold`: the one that the reasons were found with. `ordinal`:
    whether levels are those of ordered scales, or shares of failing labels.
    """
    return tuple(_sentences(reasons, threshold, ordinal))


def direction(up: bool, ordinal: bool) -> str:
    """What a rater did whose levels rose or fell beside the others'."""
    if ordinal:
        return f"moved to {'higher' if up else 'lower'} levels, compared with the others"
    return f"moved to {'more' if up else 'fewer'} failing labels, compared with the others"


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
        else ", though with only one other rater nobody can tell which of the two it was"
    )
    return f"{direction(movement.up, ordinal)}{_halves(movement, ordinal)} (p {chance(p)}){who}"


def _repeats_sentence(repeats: RepeatShare, threshold: float) -> str:
    low, high = repeats.share.low, repeats.share.high
    plausible = "" if low is None or high is None else f"plausible {percent(low)} to {percent(high)}, "
    return (
        f"gave the same label again on only {repeats.same:,} of {repeats.pairs:,} hidden repeats "
        f"({plausible}asked for are {percent(threshold)})"
    )


def _round_sentence(last_round: RoundAgreement, threshold: float) -> str:
    share = last_round.share
    reached = "" if share.value is None else f"{percent(share.value)}, "
    return (
        f"agreed with the others on {share.same:,} of {share.pairs:,} pairs of labels "
        f"({reached}asked for are {percent(threshold)}) "
        f"{'after' if last_round.again else 'before'} the discussion of \u201c{last_round.title}\u201d"
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
        return "as they"
    unit = inflect(
        float(size), *(("level", "levels") if ordinal else ("percentage point", "percentage points"))
    )
    return f"{size} {unit} {'above' if value > 0 else 'below'} them"
