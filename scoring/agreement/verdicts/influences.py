"""On which raters a verdict rests."""

from __future__ import annotations

from dataclasses import dataclass

from scoring.agreement.verdicts.verdict_rule import (
    CriterionEvidence,
    CriterionVerdict,
    Margins,
    TrustVerdict,
    VerdictReason,
    decide,
    estimates_fall_short,
    rests_on,
)


@dataclass(frozen=True)
class RaterInfluence:
    """Without this rater the verdict would be another one."""

    rater: int
    without: CriterionVerdict


def find_influences(
    evidence: CriterionEvidence, verdict: CriterionVerdict, margins: Margins
) -> tuple[RaterInfluence, ...]:
    """Return the raters on whom the verdict rests, of three raters or more.

    A verdict rests on a rater without whom another answer is given, or without whom the estimates no longer
    bear it. Where leaving out any of several raters only loses it for want of labels, it rests on nobody;
    where only one rater's absence loses it, it does.
    """
    if verdict.verdict is TrustVerdict.CANNOT_TELL:
        return ()
    others = [RaterInfluence(rater, decide(rest, margins)) for rater, rest in evidence.left_out.items()]
    bearing = rests_on(evidence, margins)
    if verdict.reason is VerdictReason.RESTS_ON_ONE_RATER:
        return tuple(influence for influence in others if influence.rater in bearing)
    changed = [influence for influence in others if influence.without.verdict is not verdict.verdict]
    lost = [
        influence
        for influence in changed
        if influence.without.verdict in (TrustVerdict.CANNOT_TELL, TrustVerdict.NOT_SHOWN)
    ]
    return tuple(
        influence
        for influence in changed
        if influence not in lost
        or len(lost) == 1
        or (
            verdict.verdict is TrustVerdict.NO
            and not estimates_fall_short(evidence.left_out[influence.rater], margins)
        )
    )
