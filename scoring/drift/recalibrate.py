"""When a rater should be calibrated again: by rule, with its reasons. Nothing follows by itself; a study lead decides."""

from __future__ import annotations

from dataclasses import dataclass

from scoring.agreement.rounds import Share
from scoring.drift.rater_habits import Same
from scoring.drift.rater_movement import Movement
from scoring.figures import chance, decimal, percent

NEAR = 1e-9  # what rounding takes from a share that is exactly the threshold


@dataclass(frozen=True)
class InRound:
    """How one rater agreed with the others in a calibration round. `again`: after the discussion; False where nothing was rated again yet."""

    title: str
    again: bool
    share: Share


def reasons(movement: Movement | None, again: Same | None, last: InRound | None, threshold: float, down: str, up: str) -> tuple[str, ...]:
    """Why, each as what the rater did ("gave ..."); empty where nothing speaks for it. None of the first three: nothing is known of it.

    (a) The levels moved beside the others', p below .05 after Holm over the raters. (b) The whole 95 % interval of the same label again on hidden
    repeats lies below `threshold`. (c) Of the last calibration round, the agreement with the others lies below it, where there are pairs.
    `down`, `up`: what it is called when levels fall or rise beside the others'.
    """
    made = []
    if movement is not None and movement.verdict and movement.adjusted is not None:
        who = "" if movement.verdict == "moved" else ", though with only one other rater nobody can tell which of the two it was"
        made.append(f"{up if movement.up else down}{_halves(movement)} (p {chance(movement.adjusted)}){who}")
    if again is not None and again.share.high is not None and again.share.low is not None and again.share.high < threshold - NEAR:
        made.append(f"gave the same label again on only {again.same:,} of {again.pairs:,} hidden repeats (plausible {percent(again.share.low)} to "
                    f"{percent(again.share.high)}, asked for are {percent(threshold)})")
    if last is not None and last.share.value is not None and last.share.value < threshold - NEAR:
        when = "after" if last.again else "before"
        made.append(f"agreed with the others on {last.share.same:,} of {last.share.pairs:,} pairs of labels ({percent(last.share.value)}, asked for are "
                    f"{percent(threshold)}) {when} the discussion of \u201c{last.title}\u201d")
    return tuple(made)


def _halves(movement: Movement) -> str:
    """Left out where the halves do not show what the whole shows, as of what falls and rises again."""
    first, second = movement.first, movement.second
    if first is None or second is None or (second > first) != movement.up:
        return ""
    return f", {signed(first)} beside them in the first half of the conversations and {signed(second)} in the second"


def signed(value: float) -> str:
    said = decimal(value, 2)
    return said if value < 0 or not float(said) else f"+{said}"
