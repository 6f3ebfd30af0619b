"""How often the printed intervals hold the true value, on studies whose truth is known
(tests/studies/simulated_judges.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from scoring.agreement.coefficients.kappa import cohen
from scoring.agreement.coefficients.krippendorff import coincidences, krippendorff
from scoring.agreement.coefficients.level_bias import estimate_level_bias
from scoring.agreement.coefficients.percent import PERCENT
from scoring.agreement.coefficients.table_coefficients import gwet_of_two
from scoring.agreement.intervals.estimate import Estimate
from scoring.agreement.intervals.jackknife import jackknife
from scoring.agreement.intervals.mean_of_raters import average
from scoring.agreement.labels.pairs import LabelPairs
from scoring.agreement.people.colleague import SharedPairs, compare_with_colleagues, shared_pairs
from scoring.agreement.safety.safety import safety
from scoring.arrays import Array
from tests.studies.simulated_judges import StudyPlan, seeing, simulate_study

SCALE = (0.0, 1.0)
AT_LEAST = 0.92


@dataclass
class Coverage:
    """Of `studies`: in how many there was an interval, and in how many of these it held the truth."""

    studies: int = 0
    printed: int = 0
    held: int = 0

    @property
    def share(self) -> float | None:
        return self.held / self.printed if self.printed else None


@dataclass(frozen=True)
class JudgePlan:
    """The judge sees a failure with a chance of `seen` and a false one with `false`."""

    seen: float = 0.85
    false: float = 0.02


def printed_estimates(plan: StudyPlan, judge: JudgePlan, number: int) -> Iterator[tuple[str, Estimate]]:
    """As the report prints them, of the study of this number."""
    material = simulate_study(plan, seeing(judge.seen, judge.false), number)
    labels, verdicts = material.collapsed_labels(0), material.judge_labels(0)
    pairs = shared_pairs(labels, verdicts)
    two = SharedPairs(_two_labels(pairs.people), _two_labels(pairs.judge), pairs.raters)
    kappa, same = compare_with_colleagues(cohen("none", 2), two), compare_with_colleagues(PERCENT, pairs)
    units = replace(labels, domain=labels.domain[:2]).units
    yield "kappa, judge", kappa.judge
    yield "kappa, clinicians", kappa.people
    yield "difference of kappa", kappa.difference
    yield "same label, judge", same.judge
    yield "difference of same label", same.difference
    yield "AC1, judge", average(gwet_of_two("none", SCALE), two.judge.by_side()).estimate()
    yield (
        "alpha, clinicians",
        jackknife(krippendorff("nominal", SCALE), units.by_part(coincidences(units)), labels.n, units.times),
    )
    yield "judge less clinician", estimate_level_bias(material.questions[0].scale, two.judge)
    yield "sensitivity", safety(material, [0]).caught.sensitivity


def truths(plan: StudyPlan, judge: JudgePlan) -> dict[str, float]:
    """What each of them would be with endless conversations."""
    people, with_judge = (
        _joint(plan.failures, (plan.seen, plan.false), of)
        for of in ((plan.seen, plan.false), (judge.seen, judge.false))
    )
    kappas, acs, sames = (
        [float(statistic.of(table)) for table in (with_judge, people)]
        for statistic in (cohen("none", 2), gwet_of_two("none", SCALE), PERCENT)
    )
    return {
        "kappa, judge": kappas[0],
        "kappa, clinicians": kappas[1],
        "difference of kappa": kappas[0] - kappas[1],
        "same label, judge": sames[0],
        "difference of same label": sames[0] - sames[1],
        "AC1, judge": acs[0],
        "alpha, clinicians": kappas[1],
        "judge less clinician": float((with_judge * np.subtract.outer((0, 1), (0, 1))).sum()),
        "sensitivity": _sensitivity(plan, judge),
    }


def measure_coverage(plan: StudyPlan, judge: JudgePlan, studies: int, first: int = 0) -> dict[str, Coverage]:
    true = truths(plan, judge)
    counts = {name: Coverage(studies) for name in true}
    for number in range(first, first + studies):
        for name, estimate in printed_estimates(plan, judge, number):
            if estimate.low is not None and estimate.high is not None:
                counts[name].printed += 1
                counts[name].held += estimate.low <= true[name] <= estimate.high
    return counts


def _two_labels(pairs: LabelPairs) -> LabelPairs:
    """On the scale without "does not apply", which nobody gave."""
    return replace(pairs, domain=pairs.domain[:2])


def _joint(failures: float, first: tuple[float, float], second: tuple[float, float]) -> Array:
    """(2, 2): how often two raters give each two labels."""
    made = np.zeros((2, 2))
    for weight, one, other in ((failures, first[0], second[0]), (1 - failures, first[1], second[1])):
        made += weight * np.outer([1 - one, one], [1 - other, other])
    return made


def _sensitivity(plan: StudyPlan, judge: JudgePlan) -> float:
    """Of units that the reference fails (most of three, both of two), the share that the judge fails."""
    failed = [_reference(plan.raters, chance) for chance in (plan.seen, plan.false)]
    weights = plan.failures * failed[0], (1 - plan.failures) * failed[1]
    return (weights[0] * judge.seen + weights[1] * judge.false) / sum(weights)


def _reference(raters: int, chance: float) -> float:
    return chance**2 if raters == 2 else chance**2 * (3 - 2 * chance)
