"""How often a judge changes its mind: the same question asked again, everything else the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.agreement.intervals.additive_counts import add_up, divide_counts
from scoring.agreement.intervals.bootstrap import Interval, jackknife
from scoring.agreement.intervals.proportions import at_most

NOTHING = "no label was asked again"
SPREADLESS = "every conversation shows the same share, so how much it varies by chance can't be estimated"


@dataclass(frozen=True)
class RepeatedVerdicts:
    """One label asked again: the conversation it belongs to, the first verdict, and every later one. Failures
    are in neither.
    """

    conversation: int
    first: str
    later: tuple[str, ...]


@dataclass(frozen=True)
class FlipRate:
    """`rate`: of the later verdicts, how many differ from the first. `changed` of `labels` differ at least
    once.

    `none_at_most`: where nothing changed, the upper 95 % limit of the share of conversations in which
    something does (Clopper-Pearson), because no change in few conversations promises little.
    """

    rate: Interval
    labels: int
    changed: int
    asked_again: int
    conversations: int
    none_at_most: float | None


def flips(asked: Sequence[RepeatedVerdicts]) -> FlipRate:
    """Return how often later answers differ from the first one, with an interval over conversations.

    Labels without a later answer are ignored. Where nothing changed, the interval has no ends and
    `none_at_most` is the upper limit instead; where nothing was asked again, the rate is None.
    """
    answered = [repeated_verdicts for repeated_verdicts in asked if repeated_verdicts.later]
    if not answered:
        return FlipRate(Interval(None, None, None, 0, "flip rate", NOTHING), 0, 0, 0, 0, None)
    different = [
        sum(label != repeated_verdicts.first for label in repeated_verdicts.later)
        for repeated_verdicts in answered
    ]
    conversations, sums = add_up(
        (
            (repeated_verdicts.conversation, (flipped, len(repeated_verdicts.later)))
            for repeated_verdicts, flipped in zip(answered, different, strict=True)
        ),
        (2,),
    )
    changed, count, again = sum(map(bool, different)), len(conversations), int(sums[:, 1].sum())
    interval = jackknife(sums, divide_counts)
    if changed == 0:  # the jackknife would call a zero certain
        interval = Interval(
            0.0, None, None, count, interval.method, "nothing changed, so its spread can't be estimated"
        )
    elif (
        interval.low is not None and interval.high is not None and interval.high - interval.low < 1e-9
    ):  # and any other rate that all share
        interval = Interval(interval.value, None, None, count, interval.method, SPREADLESS)
    none_at_most = at_most(0, count) if changed == 0 else None
    return FlipRate(interval, len(answered), changed, again, count, none_at_most)
