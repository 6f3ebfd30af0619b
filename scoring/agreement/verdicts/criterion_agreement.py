"""One criterion: what clinicians said blind beside what the judge said, and beside what they said among
themselves.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from scoring.agreement.coefficients.conger import conger, habits
from scoring.agreement.coefficients.fleiss import fleiss
from scoring.agreement.coefficients.gwet import gwet
from scoring.agreement.coefficients.kappa import cohen
from scoring.agreement.coefficients.krippendorff import coincidences, krippendorff
from scoring.agreement.coefficients.level_bias import directions, estimate_level_bias
from scoring.agreement.coefficients.multirater_percent import AGREEING
from scoring.agreement.coefficients.percent import PERCENT
from scoring.agreement.coefficients.prevalence import BIAS, PREVALENCE
from scoring.agreement.coefficients.scott import SCOTT
from scoring.agreement.coefficients.spread import by_unit
from scoring.agreement.coefficients.table_coefficients import (
    brennan_prediger_of_two,
    gwet_of_two,
    krippendorff_of_two,
)
from scoring.agreement.intervals.estimate import Estimate, undefined_estimate
from scoring.agreement.intervals.jackknife import Statistic, jackknife
from scoring.agreement.intervals.mean_of_raters import average
from scoring.agreement.labels.applicability import Applicability, separate
from scoring.agreement.labels.label_data import Arm, LabelData, Question
from scoring.agreement.labels.labels import Labels, numbered_with
from scoring.agreement.labels.pairs import Counts, LabelPairs, pair_raters, pair_with_judge
from scoring.agreement.people.colleague import (
    ColleagueComparison,
    SharedPairs,
    compare_with_colleagues,
    shared_pairs,
)
from scoring.arrays import Array, IntArray, Mask

VERDICT_ALPHA = "alpha, nominal, of the labels that say it applies"
ONE_UNIT = "only one conversation or reply has two labels, so agreement can't be separated from chance"


@dataclass(frozen=True, eq=False)
class CountedPairs:
    """How much a number rests on. `units`: conversations or turns; `table` (k, k): clinicians in rows, the
    other side in columns.
    """

    pairs: int
    same: int
    units: int
    conversations: int
    raters: int
    table: Counts


@dataclass(frozen=True, eq=False)
class JudgeAgreement:
    """`pairs`: those that no rule decides, on the whole scale; `counted` of them, `verdicts` where both say
    that the criterion applies.

    `percent` over all of `pairs`; `by_chance`: the share that both sides' habits alone would give (None
    without pairs).
    `coefficients` by name, of the verdicts, each the mean over raters. `headline`: the one of them that is
    shown first.
    `bias`: judge less clinician in what the levels count; `lenient`, `strict`: verdicts above and below the
    clinician's.
    `tables` (C, k, k): weighted counts of `pairs`, one conversation for all in which the same was said;
    `times` (C,): for how many.
    `applies`: percent, kappa and AC1 of whether the criterion applies; None on a scale without "does not
    apply".
    """

    question: Question
    pairs: LabelPairs
    counted: CountedPairs
    verdicts: CountedPairs
    percent: Estimate
    by_chance: float | None
    coefficients: Mapping[str, Estimate]
    bias: Estimate
    lenient: int
    strict: int
    separated: Applicability | None
    applies: Mapping[str, Estimate] | None
    whole_scale: Mapping[str, Estimate]
    tables: Array
    times: IntArray

    @property
    def headline(self) -> Estimate:
        return self.coefficients[headline(self.question)]

    @property
    def beside_headline(self) -> Estimate:
        return self.coefficients[second_headline(self.question)]


@dataclass(frozen=True)
class HumanAgreement:
    """How far people agree with each other: `coefficients` by name; `counted` over pairs of people."""

    question: Question
    counted: CountedPairs
    raters: int
    coefficients: Mapping[str, Estimate]


def headline(question: Question) -> str:
    """Return the name of the coefficient shown first: "quadratic kappa" for ordered labels, else "kappa"."""
    return "quadratic kappa" if question.ordinal else "kappa"


def second_headline(question: Question) -> str:
    """Return the name of the coefficient that does not collapse where one label dominates.

    "AC2, quadratic" for ordered labels, else "AC1".
    """
    return "AC2, quadratic" if question.ordinal else "AC1"


def compare_with_judge(material: LabelData, number: int, arm: Arm = "blind") -> JudgeAgreement:
    """Return how far clinicians and judge agree on the criterion at `number`, in one arm.

    Estimates are computed on one conversation of each group with identical labels, counted as often as the
    group is large; `pairs` and `separated` hold all pairs.
    """
    asked, judge = material.questions[number], material.judge_labels(number)
    pairs_without_rule = pair_with_judge(material.collapsed_labels(number, arm), judge)
    applicability = _apart(pairs_without_rule, np.zeros(len(pairs_without_rule), dtype=bool), asked)
    verdict = applicability.verdict if applicability else pairs_without_rule
    applies = applicability.applies.by_side() if applicability else None
    all_pairs = material.pairs_with_rule(number, arm)
    sides, tables, times = verdict.by_side(), pairs_without_rule.by_part(), pairs_without_rule.parts[1]
    lenient, strict = directions(_by_value(verdict.table(), asked))
    return JudgeAgreement(
        asked,
        material.pairs(number, arm),
        _count(pairs_without_rule),
        _count(verdict),
        jackknife(PERCENT, tables, pairs_without_rule.n, times, units=_units(pairs_without_rule)),
        _by_chance(np.tensordot(times, tables, axes=1) if len(tables) else None),
        {
            name: average(statistic, sides).estimate()
            for name, statistic in coefficients_of_two(asked).items()
        },
        estimate_level_bias(asked.scale, verdict),
        lenient,
        strict,
        _apart(all_pairs, material.by_rule(number, all_pairs.unit), asked),
        {
            name: average(statistic, applies).estimate()
            for name, statistic in _of_labels(("none",), (0.0, 1.0)).items()
        }
        if applies is not None
        else None,
        {
            name: average(statistic, pairs_without_rule.by_side()).estimate()
            for name, statistic in _of_labels(("none",), tuple(map(float, range(len(asked.domain))))).items()
        }
        if applicability
        else {},
        tables,
        times,
    )


def compare_people(material: LabelData, number: int, arm: Arm = "blind") -> HumanAgreement:
    """Return how far clinicians agree with each other on the criterion at `number`, in one arm.

    Nominal alpha takes the whole scale, as published studies do; coefficients for ordered labels leave out
    "does not apply", which has no place in the order, and exist only for ordered scales. Conger's kappa
    exists for at most 50 raters.
    """
    asked, labels = material.questions[number], material.collapsed_labels(number, arm)
    whole, scale, n = labels.units, tuple(map(float, range(len(asked.domain)))), labels.n
    levels = replace(labels.where(labels.code < len(asked.levels)), domain=asked.levels, values=asked.scale)
    spread = whole.by_part(by_unit(whole))
    estimates = {AGREEING.name: jackknife(AGREEING, spread, n, whole.times, units=whole.shared)}
    estimates["alpha, nominal"] = jackknife(
        krippendorff("nominal", scale), whole.by_part(coincidences(whole)), n, whole.times
    )
    estimates["AC1"] = jackknife(gwet("none", scale), spread, n, whole.times)
    estimates["Fleiss' kappa"] = jackknife(fleiss("none", scale), spread, n, whole.times)
    raters = sorted(set(labels.rater.tolist()))
    if (
        len(raters) <= 50
    ):  # a table for each rater and conversation; with more, its mean of pairs says the same
        estimates["Conger's kappa"] = jackknife(conger("none", scale), habits(labels, raters), n, whole.times)
    units = levels.units
    coincident = units.by_part(coincidences(units))
    if asked.not_applicable is not None:
        estimates[VERDICT_ALPHA] = jackknife(
            krippendorff("nominal", asked.scale), coincident, levels.n, units.times
        )
    if asked.ordinal:
        estimates["alpha, ordinal"] = jackknife(
            krippendorff("ordinal", asked.scale), coincident, levels.n, units.times
        )
        estimates["alpha, interval"] = jackknife(
            krippendorff("interval", asked.scale), coincident, levels.n, units.times
        )
        estimates["AC2, quadratic"] = jackknife(
            gwet("quadratic", asked.scale), units.by_part(by_unit(units)), levels.n, units.times
        )
    of_levels = {name for name in estimates if "ordinal" in name or "interval" in name or "AC2" in name}
    of_levels.add(VERDICT_ALPHA)
    for name, estimate in estimates.items():
        shared = levels.units.shared if name in of_levels else whole.shared
        if name != AGREEING.name and shared == 1 and estimate.value is not None:
            estimates[name] = undefined_estimate(ONE_UNIT, estimate.n, estimate.method, 1)
    return HumanAgreement(asked, _count(pair_raters(labels)), len(raters), estimates)


def compare_judge_with_colleagues(
    material: LabelData, number: int, arm: Arm = "blind"
) -> tuple[ColleagueComparison, ColleagueComparison]:
    """Return `compare_criterion` for the criterion at `number`, in one arm."""
    return compare_criterion(
        material.questions[number], material.collapsed_labels(number, arm), material.judge_labels(number)
    )


def compare_criterion(
    question: Question, labels: Labels, judge: Labels
) -> tuple[ColleagueComparison, ColleagueComparison]:
    """Compare the judge with colleagues by percent agreement, and by the coefficient shown first.

    Both comparisons are means over pairs of people, and over people with the judge. The second leaves out
    pairs with "does not apply".
    """
    pairs = shared_pairs(labels, judge)
    verdicts = SharedPairs(
        verdicts_of(question, pairs.people), verdicts_of(question, pairs.judge), pairs.raters
    )
    return compare_with_colleagues(PERCENT, pairs), compare_with_colleagues(
        coefficients_of_two(question)[headline(question)], verdicts
    )


def coefficients_of_two(asked: Question) -> dict[str, Statistic]:
    """Return name -> statistic of every coefficient between two sides that fits the question's scale.

    Weighted kappas and ordinal and interval alpha exist for ordered scales only, prevalence and bias index
    for two levels only.
    """
    k, scale = len(asked.levels), asked.scale
    statistics = _of_labels(("none", "linear", "quadratic") if asked.ordinal else ("none",), scale)
    statistics["Scott's pi"] = SCOTT
    statistics["PABAK"] = brennan_prediger_of_two("none", scale)
    statistics["alpha, nominal"] = krippendorff_of_two("nominal", scale)
    if asked.ordinal:
        statistics["alpha, ordinal"] = krippendorff_of_two("ordinal", scale)
        statistics["alpha, interval"] = krippendorff_of_two("interval", scale)
    if k == 2:
        statistics["prevalence index"], statistics["bias index"] = PREVALENCE, BIAS
    return statistics


def _of_labels(kinds: tuple[str, ...], scale: tuple[float, ...]) -> dict[str, Statistic]:
    statistics: dict[str, Statistic] = {}
    for kind in kinds:
        statistic = cohen(kind, len(scale))
        statistics[statistic.name] = statistic
        statistics["AC1" if kind == "none" else f"AC2, {kind}"] = gwet_of_two(kind, scale)
    return statistics


def _apart(pairs: LabelPairs, by_rule: Mask, asked: Question) -> Applicability | None:
    return None if asked.not_applicable is None else separate(pairs, by_rule, asked.not_applicable)


def verdicts_of(asked: Question, pairs: LabelPairs) -> LabelPairs:
    """Return the pairs in which both labels apply, on the scale without "does not apply".

    Where the scale has no such label, all pairs are returned as they are.
    """
    applicability = _apart(pairs, np.zeros(len(pairs), dtype=bool), asked)
    return applicability.verdict if applicability else pairs


def _units(pairs: LabelPairs) -> int:
    return int(numbered_with(pairs.unit, pairs.times)[2].sum())


def _count(pairs: LabelPairs) -> CountedPairs:
    table, (_, parts) = pairs.table(), pairs.parts
    return CountedPairs(
        pairs.n,
        int(table.trace()),
        _units(pairs),
        int(parts.sum()),
        len(numbered_with(pairs.side, None)[0]),
        table,
    )


def _by_value(table: Counts, asked: Question) -> Counts:
    """Levels from the lowest value to the highest: a nominal scale may be listed the other way round."""
    order = np.argsort(asked.scale, kind="stable")
    return table[np.ix_(order, order)]


def _by_chance(table: Array | None) -> float | None:
    if table is None or not table.sum():
        return None
    n = table.sum()
    return float((table.sum(axis=0) * table.sum(axis=1)).sum() / (n * n))
