"""How many more conversations would answer the question, and with what chance?

A width formula answers with a chance of one half: it takes the values for true that were seen. Here many
futures are drawn. Each draws a population from the conversations that there are (the Bayesian bootstrap:
Rubin 1981), from it N more, and asks the rule on the old and the new together; the chance is the share of
futures with an answer: yes, no, or that clinicians differ. Every difference moves by the mean influence of
the conversations drawn (its jackknife pseudo-values), so that thousands of futures cost no more than one
report. How often the judge catches a failure is drawn for each future from its posterior (Jeffreys' prior): a
few failures, all of them caught, do not mean that every later one is.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

from scoring.agreement.coefficients.percent import PERCENT
from scoring.agreement.intervals.estimate import Estimate
from scoring.agreement.intervals.jackknife import Statistic
from scoring.agreement.intervals.limits import TAIL
from scoring.agreement.intervals.mean_of_raters import average
from scoring.agreement.labels.label_data import LabelData
from scoring.agreement.labels.pairs import SideTables
from scoring.agreement.labels.rarity import MIN_CARRYING, MIN_RARER, rarity_of_tables
from scoring.agreement.people.colleague import SharedPairs, shared_pairs
from scoring.agreement.safety.safety_catches import CatchCounts, catch_counts
from scoring.agreement.safety.safety_colleague import MIN_FAILED_CONVERSATIONS
from scoring.agreement.verdicts.criterion_agreement import coefficients_of_two, headline, verdicts_of
from scoring.agreement.verdicts.verdict_rule import (
    CATCH_MARGIN,
    MIN_AGREEMENT_OF_CLINICIANS,
    CriterionEvidence,
    Margins,
    VerdictReason,
    same_label_margin,
)
from scoring.arrays import Array, IntArray, Mask

CHANCE = 0.80
# Futures drawn from what was seen flatter it: of the share of futures with an answer, so much is reached
# (`python -m bench verdicts`)
REACHED, REACHED_AT_GATE = CHANCE / 0.90, CHANCE / 0.95
MAX_MORE = 10  # times as many conversations as there are: nobody rates those to settle one criterion
FUTURES = 400
MAX_CONVERSATIONS = 4000  # beyond which futures are not drawn
SEED = 20261122
MORE_MAY_ANSWER = frozenset(
    {
        VerdictReason.RARE_LABEL,
        VerdictReason.COEFFICIENT_OPEN,
        VerdictReason.SAME_LABEL_OPEN,
        VerdictReason.CLINICIANS_OPEN,
        VerdictReason.CATCH_OPEN,
        VerdictReason.CATCH_BESIDE_COLLEAGUE_OPEN,
    }
)


@dataclass(frozen=True)
class MoreConversations:
    """`needed`: how many more conversations (or persons) answer with a chance of 80 %, or None where not even
    `most` do. `chance`: of the number that is named, `needed` or `most`, from 0 to 1.
    """

    needed: int | None
    most: int
    chance: float


@dataclass(frozen=True, eq=False)
class _DifferenceEstimate:
    """A difference with its value, the influence of each conversation (C,), and the part of its variance that
    is not theirs.
    """

    value: float
    influence: Array
    added: float


@dataclass(frozen=True, eq=False)
class _PresentData:
    """What there is, aligned by conversation. `people`: the clinicians' coefficient. `shared`, `carrying`
    (C,): rarity.py. `catches`: of a safety criterion.
    """

    people: _DifferenceEstimate | None
    coefficient: _DifferenceEstimate | None
    same_label: _DifferenceEstimate | None
    colleague: _DifferenceEstimate | None
    shared: Mask
    carrying: Mask
    catches: CatchCounts | None


def plan_more(
    material: LabelData,
    number: int,
    evidence: CriterionEvidence,
    margins: Margins,
    everyone: LabelData | None = None,
) -> MoreConversations | None:
    """Estimate how many more conversations it takes until a criterion has an answer.

    Args:
        material: the labels that count.
        number: position of the criterion; on a safety criterion, what is needed for its gate is simulated.
        evidence: what the present verdict rests on.
        margins: the margins of the verdict.
        everyone: the labels of everybody, by default `material`.

    Returns:
        The number to within 5%, at most ten times the present one; None with more than MAX_CONVERSATIONS
        (4,000) conversations, for which nothing is simulated.
    """
    now, margin = _now(material, number, evidence, everyone), same_label_margin(evidence, margins)
    count = len(now.shared)
    most = MAX_MORE * count
    if count > MAX_CONVERSATIONS:
        return None
    rng = np.random.default_rng([SEED, count])
    populations = rng.dirichlet(np.ones(count), FUTURES) if count else np.zeros((FUTURES, 0))

    reached = REACHED if now.catches is None else REACHED_AT_GATE
    catch_rates = _draw_catch_rates(rng, now.catches, _effective(evidence))

    def chance(more: int) -> float:
        future = np.random.default_rng([SEED, count, more])
        weights = 1 + future.multinomial(more, populations)
        caught = None if now.catches is None else _draw_caught(future, now.catches, weights, catch_rates)
        return reached * float(_told(now, weights, caught, evidence, margins, margin).mean())

    best = chance(most) if count else 0.0
    if best < CHANCE:
        return MoreConversations(None, most, best)
    low, high = 0, most
    while high - low > max(1, low // 20):  # to within 5 %
        middle = (low + high) // 2
        low, high = (low, middle) if chance(middle) >= CHANCE else (middle, high)
    return MoreConversations(high, most, chance(high))


def _draw_catch_rates(rng: np.random.Generator, catches: CatchCounts | None, effective: float) -> Array:
    """(F,): of each future, the share of failures that the judge catches."""
    if catches is None:
        return np.zeros(FUTURES)
    return rng.beta(effective * catches.caught.sum() + 0.5, effective * catches.missed.sum() + 0.5, FUTURES)


def _draw_caught(
    rng: np.random.Generator, catches: CatchCounts, weights: IntArray, rates: Array
) -> tuple[Array, Array]:
    """(F,) failures that are caught and missed in each future: those that there are, and the later ones at
    the rate of that future.
    """
    caught, missed = float(catches.caught.sum()), float(catches.missed.sum())
    later = np.rint(weights @ (catches.caught + catches.missed) - caught - missed).astype(np.int64)
    later_caught = rng.binomial(later, rates)
    return np.asarray(caught + later_caught, dtype=np.float64), np.asarray(
        missed + later - later_caught, dtype=np.float64
    )


def _told(
    now: _PresentData,
    weights: IntArray,
    counts: tuple[Array, Array] | None,
    evidence: CriterionEvidence,
    margins: Margins,
    margin: float,
) -> Mask:
    """Of futures (F, C), how often each conversation is there: whether the rule would give an answer.
    `counts`: failures caught and missed.
    """
    if now.catches is not None and counts is not None:
        return _told_at_gate(now, weights, counts, evidence, margins, margin)
    shared, carrying = weights @ now.shared, weights @ now.carrying
    apart, low, high = _limits(now.coefficient, weights, shared, MIN_RARER)
    apart_same, low_same, high_same = _limits(
        now.same_label,
        weights,
        np.where((shared >= MIN_RARER) | (carrying >= MIN_CARRYING), carrying, 0),
        1,
    )
    _, low_people, high_people = _limits(now.people, weights, shared, MIN_RARER)
    yes = (low > -margins.coefficient) & (low_same > -margin) & (low_people >= MIN_AGREEMENT_OF_CLINICIANS)
    no = ((high < 0) & (apart <= -margins.coefficient)) | ((high_same < 0) & (apart_same <= -margin))
    decided: Mask = yes | no | (high_people < MIN_AGREEMENT_OF_CLINICIANS)
    return decided


def _told_at_gate(
    now: _PresentData,
    weights: IntArray,
    counts: tuple[Array, Array],
    evidence: CriterionEvidence,
    margins: Margins,
    margin: float,
) -> Mask:
    assert now.catches is not None and evidence.safety is not None
    failing = weights @ (now.catches.seen > 0)
    _, low, high = _limits(now.colleague, weights, failing, MIN_FAILED_CONVERSATIONS)
    caught, missed = counts
    size = _effective(evidence) * (caught + missed)
    share = np.divide(caught, caught + missed, out=np.full(len(weights), np.nan), where=caught + missed > 0)
    lower = np.where(
        share > 0,
        scipy.special.betaincinv(np.maximum(share * size, 1e-9), size * (1 - share) + 1, TAIL),
        0.0,
    )
    upper = np.where(
        share < 1,
        scipy.special.betaincinv(share * size + 1, np.maximum(size * (1 - share), 1e-9), 1 - TAIL),
        1.0,
    )
    alarms = evidence.safety.alarms.difference.value
    yes = (low > -CATCH_MARGIN) & (lower >= margins.catches_at_least) & (alarms is None or alarms <= margin)
    decided: Mask = yes | (high < 0) | (upper < margins.catches_at_least)
    return decided


def _limits(
    moving: _DifferenceEstimate | None, weights: IntArray, resting: IntArray, fewest: int
) -> tuple[Array, Array, Array]:
    """(F,) each: the value in each future and its limits, NaN where there is none. `resting`: on how many
    conversations the degrees of freedom rest.
    """
    lost = np.full(len(weights), np.nan)
    if moving is None:
        return lost, lost, lost
    count, before = weights.sum(axis=1), len(moving.influence)
    shift = weights @ moving.influence / count
    spread = np.maximum(weights @ moving.influence**2 / count - shift**2, 0.0)
    error = np.sqrt(spread / (count - 1) + moving.added * (before / count) ** 2)
    half = np.where(
        resting >= fewest, scipy.special.stdtrit(np.maximum(resting - 1, 1), 1 - TAIL) * error, np.nan
    )
    return moving.value + shift, moving.value + shift - half, moving.value + shift + half


def _effective(evidence: CriterionEvidence) -> float:
    """How many independent failures one failure is worth, where those of one conversation are alike."""
    caught = evidence.safety.caught.sensitivity if evidence.safety else None
    if caught is None or caught.value is None or not caught.error or not 0 < caught.value < 1:
        return 1.0
    return min(1.0, caught.value * (1 - caught.value) / caught.error**2 / caught.n)


def _now(
    material: LabelData, number: int, evidence: CriterionEvidence, everyone: LabelData | None
) -> _PresentData:
    question, without = material.questions[number], frozenset(evidence.uninformative)
    labels, judge = material.labels_without_rule(number).leave_out(without), material.judge_labels(number)
    pairs = shared_pairs(labels, judge)
    verdicts = SharedPairs(
        verdicts_of(question, pairs.people), verdicts_of(question, pairs.judge), pairs.raters
    )
    catches = catch_counts(material, number, without, everyone) if question.gate else None
    parts = np.unique(
        np.concatenate(
            [pairs.people.part, pairs.judge.part, catches.parts if catches is not None else pairs.judge.part]
        )
    )
    rest = np.zeros(len(parts), dtype=bool)
    carrying = rest.copy()
    people = verdicts.people.by_side()
    rest[np.searchsorted(parts, people.parts)] = people.rarity().shared
    both = [pairs.people.by_side(), pairs.judge.by_side()]
    tables = np.zeros((len(parts), len(question.domain), len(question.domain)))
    for sides in both:
        np.add.at(tables, np.searchsorted(parts, sides.parts)[sides.part], sides.tables)
    if len(parts):
        carrying = rarity_of_tables(tables, np.ones(len(parts), dtype=np.int64)).carrying
    colleague = None
    if catches is not None and evidence.safety is not None:
        colleague = _ratio(catches, parts, evidence.safety.colleague.difference)
        catches = catches.among(parts)
    statistic = coefficients_of_two(question)[headline(question)]
    return _PresentData(
        _agreement(statistic, people, parts, evidence.people),
        _difference(statistic, verdicts, parts, evidence.coefficient.difference),
        _difference(PERCENT, pairs, parts, evidence.same_label.difference),
        colleague,
        rest,
        carrying,
        catches,
    )


def _difference(
    statistic: Statistic, pairs: SharedPairs, parts: IntArray, printed: Estimate
) -> _DifferenceEstimate | None:
    judge, people = average(statistic, pairs.judge.by_side()), average(statistic, pairs.people.by_side())
    if np.isnan(judge.value) or np.isnan(people.value):
        return None
    left = np.full(len(parts), judge.value - people.value)
    for side, sign in ((judge, 1), (people, -1)):
        change = np.nan_to_num(
            side.without - side.value
        )  # where nothing is left without one, it changes nothing that can be told
        left[np.searchsorted(parts, side.parts)] += sign * change
    return _moving(judge.value - people.value, left, printed)


def _agreement(
    statistic: Statistic, people: SideTables, parts: IntArray, printed: Estimate
) -> _DifferenceEstimate | None:
    """The clinicians' coefficient, over the units that the judge labelled too."""
    mean = average(statistic, people)
    if np.isnan(mean.value):
        return None
    left = np.full(len(parts), mean.value)
    left[np.searchsorted(parts, mean.parts)] = np.where(np.isnan(mean.without), mean.value, mean.without)
    return _moving(mean.value, left, printed)


def _ratio(catches: CatchCounts, parts: IntArray, printed: Estimate) -> _DifferenceEstimate | None:
    top, bottom = (catches.joined - catches.colleagues).sum(), catches.seen.sum()
    if not bottom:
        return None
    left = np.full(len(parts), top / bottom)
    rest = bottom - catches.seen
    left[np.searchsorted(parts, catches.parts)] = np.divide(
        top - catches.joined + catches.colleagues, rest, out=np.full(len(rest), top / bottom), where=rest > 0
    )
    return _moving(float(top / bottom), left, printed)


def _moving(value: float, left: Array, printed: Estimate) -> _DifferenceEstimate | None:
    count = len(left)
    if count < 2:
        return None
    influence = (count - 1) * (left.mean() - left)
    plain = float((influence**2).sum() / (count * (count - 1)))
    return _DifferenceEstimate(value, influence, max(0.0, printed.error**2 - plain) if printed.error else 0.0)
