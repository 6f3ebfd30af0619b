"""Level 3.1: how alike the declared plans of repeated trials are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from scoring.agreement.intervals.estimate import Estimate, undefined_estimate
from scoring.bad_input import name_sets
from scoring.plan_alignment.plans import MOST_STRATEGIES

Sets = list[frozenset[str]]


@dataclass(frozen=True)
class PlanConsistency:
    """How alike declared plans are; each estimate from 0 to 1, without an interval.

    `reference`: what the published program prints under the same names; it has a number even where there is
    nothing to compare.
    """

    validity_rate: Estimate
    jaccard_all: Estimate
    jaccard_valid_only: Estimate
    modal_set_agreement: Estimate
    reference: dict[str, float]


def plan_consistency(strategy_sets: Sequence[Collection[str]]) -> PlanConsistency:
    """Measure how alike the declared plans of repeated trials are.

    Args:
        strategy_sets: the strategies that each trial declared.

    Returns:
        The share of valid plans (one or two strategies), the mean Jaccard similarity over all pairs of plans
        and of valid plans, and the share of the most frequent plan. Two empty plans have similarity 1; an
        empty and another plan 0. Similarity and most frequent plan have no value with fewer than two plans.

    Raises:
        BadInput: an argument of the wrong type.
    """
    sets = name_sets("strategy_sets", strategy_sets)
    valid = [names for names in sets if 1 <= len(names) <= MOST_STRATEGIES]
    validity = (
        Estimate(len(valid) / len(sets), len(sets), "share of plans")
        if sets
        else undefined_estimate("There are no plans.", 0, "share of plans")
    )
    modal = _modal(sets)
    every, only_valid = _jaccard(sets), _jaccard(valid)
    return PlanConsistency(
        validity,
        every,
        only_valid,
        modal,
        {
            "validity_rate": _or(validity, 0.0),
            "jaccard_all": _or(every, 1.0),
            "jaccard_valid_only": _or(only_valid, 1.0),
            "modal_set_agreement": max(Counter(sets).values()) / len(sets) if sets else 0.0,
        },
    )


def _jaccard(sets: Sets) -> Estimate:
    """Mean over all pairs, counted by distinct plan, so that thousands of trials cost as little as a few."""
    method = f"mean over pairs of {len(sets)} plans"
    if len(sets) < 2:
        return undefined_estimate("Fewer than two plans to compare.", len(sets), method)
    counts = list(Counter(sets).items())
    total = 0.0
    for position, (declared_set, times) in enumerate(counts):
        total += times * (times - 1) / 2  # alike with itself
        for other, other_times in counts[position + 1 :]:
            total += times * other_times * len(declared_set & other) / len(declared_set | other)
    return Estimate(total / (len(sets) * (len(sets) - 1) / 2), len(sets), method)


def _modal(sets: Sets) -> Estimate:
    method = f"share of the most frequent of {len(sets)} plans"
    if len(sets) < 2:
        return undefined_estimate("Fewer than two plans to compare.", len(sets), method)
    return Estimate(max(Counter(sets).values()) / len(sets), len(sets), method)


def _or(estimate: Estimate, otherwise: float) -> float:
    return estimate.value if estimate.value is not None else otherwise
