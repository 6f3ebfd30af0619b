"""When a rater should be calibrated again: by rule, with its reasons. Nothing follows by itself; a study lead
decides.
"""

from __future__ import annotations

from dataclasses import dataclass

from scoring.agreement.rounds import AgreementShare
from scoring.drift.rater_habits import RepeatShare
from scoring.drift.rater_movement import Movement
from scoring.figures import chance, decimal, percent

NEAR = 1e-9  # what rounding takes from a share that is exactly the threshold


@dataclass(frozen=True)
class RoundAgreement:
    """How one rater agreed with the others in a calibration round. `again`: after the discussion; False where
    nothing was rated again yet.
    """

    title: str
    again: bool
    share: AgreementShare


def reasons(
    movement: Movement | None,
    again: RepeatShare | None,
    last: RoundAgreement | None,
    threshold: float,
    ordinal: bool,
) -> tuple[str, ...]:
    """Why, each as what the rater did ("gave ..."); empty where nothing speaks for it. None of the first
    three: nothing is known of it.

    (a) The levels moved beside the others', p below .05 after Holm over the raters. (b) The whole 95 %
    interval of the same label again on hidden repeats lies below `threshold`. (c) Of the last calibration
    round, the agreement with the others lies below it, where there are pairs.
    `ordinal`: whether levels are those of ordered scales, or shares of failing labels.
    """
    sentences = []
    if movement is not None and movement.verdict and movement.adjusted is not None:
        who = (
            ""
            if movement.verdict == "moved"
            else ", though with only one other rater nobody can tell which of the two it was"
        )
        sentences.append(
            f"{direction(movement.up, ordinal)}{_halves(movement, ordinal)} (p "
            f"{chance(movement.adjusted)}){who}"
        )
    if (
        again is not None
        and again.share.high is not None
        and again.share.low is not None
        and again.share.high < threshold - NEAR
    ):
        sentences.append(
            f"gave the same label again on only {again.same:,} of {again.pairs:,} hidden repeats (plausible "
            f"{percent(again.share.low)} to "
            f"{percent(again.share.high)}, asked for are {percent(threshold)})"
        )
    if last is not None and last.share.value is not None and last.share.value < threshold - NEAR:
        when = "after" if last.again else "before"
        sentences.append(
            f"agreed with the others on {last.share.same:,} of {last.share.pairs:,} pairs of labels "
            f"({percent(last.share.value)}, asked for are "
            f"{percent(threshold)}) {when} the discussion of \u201c{last.title}\u201d"
        )
    return tuple(sentences)


def direction(up: bool, ordinal: bool) -> str:
    """What a rater did whose levels rose or fell beside the others'."""
    if ordinal:
        return f"moved to {'higher' if up else 'lower'} levels, compared with the others"
    return f"moved to {'more' if up else 'fewer'} failing labels, compared with the others"


def _halves(movement: Movement, ordinal: bool) -> str:
    """Left out where the halves do not show what the whole shows, as of what falls and rises again."""
    first, second = movement.first, movement.second
    if first is None or second is None or (second > first) != movement.up:
        return ""
    return (
        f": {_beside(first, ordinal)} in the first half of the conversations, {_beside(second, ordinal)} "
        "in the second"
    )


def _beside(value: float, ordinal: bool) -> str:
    """0.62 levels below them; 4 percentage points above them."""
    size = decimal(abs(value), 2) if ordinal else decimal(100 * abs(value), 0)
    if not float(size):
        return "as they"
    unit = (
        ("level" if size == "1.00" else "levels")
        if ordinal
        else ("percentage point" if size == "1" else "percentage points")
    )
    return f"{size} {unit} {'above' if value > 0 else 'below'} them"


def signed(value: float) -> str:
    said = decimal(value, 2)
    return said if value < 0 or not float(said) else f"+{said}"
