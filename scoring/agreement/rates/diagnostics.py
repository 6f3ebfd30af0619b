"""Does the judge catch what clinicians call a failure? Sensitivity, specificity and their kin (Altman and
Bland 1994).

Positive is a failure: the human label NO. A NO of the human that the judge answers otherwise, "does not
apply" included, is a miss.
"""

from __future__ import annotations

from dataclasses import dataclass

from scoring.agreement.intervals.estimate import Estimate, undefined_estimate
from scoring.agreement.intervals.proportions import Proportion, proportion
from scoring.bad_input import count

NO_FAILURE = "clinicians found no failure, so what the judge catches cannot be told"
ONLY_FAILURES = "clinicians called everything a failure, so what the judge lets pass rightly cannot be told"
NO_ALARM = "the judge called nothing a failure, so how often it is right in doing so cannot be told"
ONLY_ALARMS = "the judge called everything a failure, so how often it lets pass rightly cannot be told"
NOTHING = "nothing was labelled by clinicians and judge"


@dataclass(frozen=True)
class Diagnostics:
    """Shares from 0 to 1 with Clopper-Pearson and Wilson intervals.

    `sensitivity`: of the failures, how many the judge called failures; `specificity`: of the rest, how many
    it did not.
    `ppv`, `npv`: of what the judge called a failure, or did not, how often clinicians say the same.
    `accuracy`: of all.
    `balanced_accuracy`: mean of sensitivity and specificity. `youden_j`: their sum less 1, from -1 to 1
    (Youden 1950); 0 is a judge that tells nothing. These two carry no interval.
    """

    sensitivity: Proportion
    specificity: Proportion
    ppv: Proportion
    npv: Proportion
    accuracy: Proportion
    balanced_accuracy: Estimate
    youden_j: Estimate


def diagnostics(tp: int, fn: int, fp: int, tn: int) -> Diagnostics:
    """`tp`: failures that the judge caught, `fn`: missed, `fp`: false alarms, `tn`: the rest. Raises BadInput
    for counts below 0.
    """
    tp, fn, fp, tn = (count(name, value) for name, value in (("tp", tp), ("fn", fn), ("fp", fp), ("tn", tn)))
    sensitivity, specificity = proportion(tp, tp + fn, NO_FAILURE), proportion(tn, tn + fp, ONLY_FAILURES)
    n = tp + fn + fp + tn
    return Diagnostics(
        sensitivity,
        specificity,
        proportion(tp, tp + fp, NO_ALARM),
        proportion(tn, tn + fn, ONLY_ALARMS),
        proportion(tp + tn, n, NOTHING),
        balanced_accuracy=_both(sensitivity, specificity, n, "balanced accuracy", 0.5, 0.0),
        youden_j=_both(sensitivity, specificity, n, "Youden's J", 1.0, -1.0),
    )


def _both(
    sensitivity: Proportion, specificity: Proportion, n: int, method: str, times: float, plus: float
) -> Estimate:
    if sensitivity.value is None or specificity.value is None:
        return undefined_estimate(
            NOTHING if n == 0 else str(sensitivity.undefined or specificity.undefined), n, method
        )
    return Estimate(times * (sensitivity.value + specificity.value) + plus, n, method)
