"""How steady raters are: the first and the second answer of the same rater to the same unit, which came again
unannounced.

Kappa takes chance from each criterion's own margins and adds up: 1 - sum(observed disagreements) /
sum(expected ones). For one criterion that is Cohen's kappa (1960); over several it does not count as
agreement that criteria differ from each other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from scoring.agreement.intervals.additive_counts import over_conversations, ratio
from scoring.agreement.intervals.estimate import Estimate, undefined_estimate
from scoring.agreement.intervals.jackknife import Statistic
from scoring.agreement.labels.pairs import confusion
from scoring.agreement.people.compare import ONE_PAIR
from scoring.arrays import Array

NO_REPEATS = "nothing has been answered twice yet"
ALL_ONE = "every label of a criterion is the same, so agreement can't be separated from chance"
_PERCENT = ratio("percent agreement with oneself", NO_REPEATS, all_agree=1.0)


@dataclass(frozen=True, slots=True)
class RepeatedAnswer:
    """Two answers to one criterion of one unit, the first one first. `day`: of the second one, since
    1970-01-01 in UTC; -1 where not known.
    """

    conversation: int
    rater: int
    criterion: str
    first: str
    second: str
    day: int = -1


@dataclass(frozen=True)
class RepeatAgreement:
    """`same` of `pairs` answers were the same again."""

    same: int
    pairs: int
    percent: Estimate
    kappa: Estimate


@dataclass(frozen=True)
class RepeatSummary:
    together: RepeatAgreement
    by_rater: Mapping[int, RepeatAgreement]
    by_criterion: Mapping[str, RepeatAgreement]


def repeats(pairs: Iterable[RepeatedAnswer], domains: Mapping[str, Sequence[str]]) -> RepeatSummary:
    """Return how often raters gave the same label again: in all, by rater and by criterion.

    The value is None without pairs, and kappa also with one pair. Intervals leave out one conversation at a
    time.

    Args:
        pairs: the repeated answers.
        domains: criterion -> its declared labels.

    Raises:
        ValueError: a label is not in its criterion's domain.
    """
    every = list(pairs)
    by_rater: dict[int, list[RepeatedAnswer]] = defaultdict(list)
    by_criterion: dict[str, list[RepeatedAnswer]] = defaultdict(list)
    for repeated_answer in every:
        by_rater[repeated_answer.rater].append(repeated_answer)
        by_criterion[repeated_answer.criterion].append(repeated_answer)
    return RepeatSummary(
        _steadiness(every, domains),
        {who: _steadiness(own, domains) for who, own in by_rater.items()},
        {name: _steadiness(own, domains) for name, own in by_criterion.items()},
    )


def _steadiness(pairs: Sequence[RepeatedAnswer], domains: Mapping[str, Sequence[str]]) -> RepeatAgreement:
    number, same = (
        len(pairs),
        sum(repeated_answer.first == repeated_answer.second for repeated_answer in pairs),
    )
    percent = over_conversations(
        _PERCENT,
        (
            (repeated_answer.conversation, (repeated_answer.first == repeated_answer.second, 1))
            for repeated_answer in pairs
        ),
        (2,),
        number,
    )
    if number < 2:
        return RepeatAgreement(
            same, number, percent, undefined_estimate(ONE_PAIR if number else NO_REPEATS, number, _KAPPA.name)
        )
    criteria = {
        name: place
        for place, name in enumerate(sorted({repeated_answer.criterion for repeated_answer in pairs}))
    }
    size = max(len(domains[name]) for name in criteria)
    shape = (len(criteria), size, size)

    def table(repeated_answer: RepeatedAnswer) -> Array:
        counts, domain = np.zeros(shape), domains[repeated_answer.criterion]
        counts[criteria[repeated_answer.criterion], : len(domain), : len(domain)] = confusion(
            [(repeated_answer.first, repeated_answer.second)], domain
        )
        return counts

    return RepeatAgreement(
        same,
        number,
        percent,
        over_conversations(
            _KAPPA,
            ((repeated_answer.conversation, table(repeated_answer)) for repeated_answer in pairs),
            shape,
            number,
        ),
    )


def _kappa(counts: Array) -> Array:
    """Of tables (..., criteria, k, k)."""
    number = counts.sum(axis=(-2, -1))
    alike = (counts.sum(axis=-1) * counts.sum(axis=-2)).sum(axis=-1)
    expected = (number - np.divide(alike, number, out=np.zeros(number.shape), where=number > 0)).sum(axis=-1)
    observed = (number - np.trace(counts, axis1=-2, axis2=-1)).sum(axis=-1)
    found: Array = 1 - np.divide(
        observed, expected, out=np.full(expected.shape, np.nan), where=expected > 1e-9
    )
    return found


_KAPPA = Statistic("kappa within criteria", _kappa, lambda _: ALL_ONE, low=-1.0)
