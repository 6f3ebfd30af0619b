"""May a corrected pass rate be shown, or why not? In a clinician's words.

With rare failures the clinicians' random sample alone tells more than any correction, so it comes first; a
correction is shown only where its interval was measured to hold: with fewer than ten failures the errors of
the judge are themselves a guess.
"""

from __future__ import annotations

from scoring.agreement.rates.corrected_rate import JudgePasses, PassCalibration, lee_interval
from words.plurals import inflect

FAILURES = 10
PASSES = 10
NOT_RANDOM = (
    "What clinicians labelled is not a random sample: either it was not selected at random with equal "
    "chances, or some of what was selected is not labelled yet. So it can't be used to correct the judge's "
    "pass rate."
)
CHANCE = "The judge tells failures from passes no better than chance, so its pass rate cannot be corrected."
NOTHING_JUDGED = "The judge has labelled nothing yet, so there is no pass rate to correct."
BEYOND = (
    "The judge's pass rate is more extreme than its errors on what clinicians labelled can explain, so it "
    "can't be corrected."
)


def why_not_corrected(calibration: PassCalibration, judged: JudgePasses, random: bool) -> str | None:
    """Return why the corrected pass rate must not be shown, as one or two sentences; None if it may be.

    It may be with a random sample, at least FAILURES (10) failures and PASSES (10) passes found by
    clinicians, a judge better than chance, and an interval that is not wholly at or beyond 0 or 1.

    Args:
        calibration: decisions of clinicians and judge on the same units.
        judged: all units that the judge decided.
        random: whether the calibration units are a random sample of those judged.
    """
    if not random:
        return NOT_RANDOM
    if judged.n == 0:
        return NOTHING_JUDGED
    for label_count, needed, singular, many in (
        (calibration.failed, FAILURES, "failure", "failures"),
        (calibration.passed, PASSES, "pass", "passes"),
    ):
        if label_count < needed:
            return (
                f"Clinicians found {label_count or 'no'} {inflect(label_count, singular, many)}; "
                "correcting the judge's "
                f"pass rate takes at least {needed}."
            )
    if not calibration.better_than_chance:
        return CHANCE
    interval = lee_interval(calibration, judged)
    # Cut at 0 and 1 it would read as a certain 0 or 100 %.
    return BEYOND if interval is None or interval[1] <= 0 or interval[0] >= 1 else None
