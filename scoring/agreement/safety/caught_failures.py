"""What a judge catches at a safety criterion, with what it gave no label on."""

from __future__ import annotations

from scoring.agreement.intervals.estimate import Estimate
from scoring.agreement.judges.lost_answers import LostAnswers
from scoring.agreement.safety.safety_shares import SafetyShares


def caught_at_most(caught: SafetyShares, lost: LostAnswers) -> Estimate:
    """Return the share of failures that the judge catches, 0 to 1.

    Where it gave no label, or was not asked, more often on clinicians' failures, those count as missed.
    """
    if lost.absences.together and caught.unasked:
        return caught.with_unasked_missed
    if lost.failures.together and caught.unlabelled:
        return caught.with_unlabelled_missed
    return caught.sensitivity


def caught_at_worst(caught: SafetyShares, lost: LostAnswers) -> Estimate:
    """Return `caught_at_most` if failures without a label, and passed units that may be failures, count as
    missed.

    A "yes" has to hold for this share too.
    """
    if lost.absences.together or not (caught.unlabelled or caught.open_missed):
        return caught_at_most(caught, lost)
    return caught.at_worst
