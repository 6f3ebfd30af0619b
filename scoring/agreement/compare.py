"""Two sides on the same units, criterion by criterion: counts first, then kappa."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

from scoring.agreement.estimate import Estimate, undefined_estimate
from scoring.agreement.kappa import kappa
from scoring.agreement.pairs import Counts, confusion
from scoring.agreement.percent import percent
from scoring.agreement.weights import Weights

ONE_PAIR = "one pair cannot tell agreement from chance"


@dataclass(frozen=True)
class LabelPair:
    """Two labels of one unit: `first` by the person `who`, `second` by the other side."""

    unit: int
    who: int
    first: str
    second: str


@dataclass(frozen=True)
class Comparison:
    """One criterion. `table` counts (first, second) over `domain`; coefficients are means over the pairs of
    raters.
    """

    domain: tuple[str, ...]
    pairs: tuple[LabelPair, ...]
    table: Counts
    same: int
    units: int
    raters: int
    percent: Estimate
    kappa: Estimate
    quadratic: Estimate | None

    @property
    def disagreements(self) -> list[LabelPair]:
        return [pair for pair in self.pairs if pair.first != pair.second]


def pair_up(first: Iterable[tuple[int, int, str]], second: Iterable[tuple[int, int, str]]) -> list[LabelPair]:
    """Every combination of a label of one side with one of the other on the same unit. Items are (unit, who,
    label).

    The same person on both sides is not paired with themselves; two people on both sides are paired once.
    """
    by_unit: dict[int, list[tuple[int, str]]] = defaultdict(list)
    for unit, who, label in second:
        by_unit[unit].append((who, label))
    pairs, paired = [], set()
    for unit, who, label in first:
        for other_who, other in by_unit[unit]:
            if who != other_who and (unit, other_who, who) not in paired:
                pairs.append(LabelPair(unit, who, label, other))
                paired.add((unit, who, other_who))
    return pairs


def compare(
    pairs: Sequence[LabelPair], domain: Sequence[str], ordinal: bool, not_applicable: str | None
) -> Comparison:
    """Compare on a declared domain, "does not apply" last where the scale has it.

    Quadratic kappa is for ordered labels, so pairs with "does not apply" on either side are left out of it.
    """
    table = confusion(((p.first, p.second) for p in pairs), domain)
    ordered = [label for label in domain if label != not_applicable]
    steps = [p for p in pairs if not_applicable not in (p.first, p.second)]
    return Comparison(
        domain=tuple(domain),
        pairs=tuple(pairs),
        table=table,
        same=int(table.trace()),
        units=len({p.unit for p in pairs}),
        raters=len({p.who for p in pairs}),
        percent=percent(table),
        kappa=_mean_kappa(pairs, domain, "none"),
        quadratic=_mean_kappa(steps, ordered, "quadratic") if ordinal else None,
    )


def _mean_kappa(pairs: Sequence[LabelPair], domain: Sequence[str], weights: Weights) -> Estimate:
    """Kappa of each rater against the other side; with several raters the mean of those that can be
    estimated.
    """
    by_rater: dict[int, list[LabelPair]] = defaultdict(list)
    for pair in pairs:
        by_rater[pair.who].append(pair)
    each = [
        kappa(confusion(((p.first, p.second) for p in own), domain), weights)
        if len(own) > 1
        else undefined_estimate(ONE_PAIR, 1, f"{weights} kappa")
        for own in by_rater.values()
    ]
    valued = [e.value for e in each if e.value is not None]
    if not each:
        return undefined_estimate("no unit was labelled by both", 0, weights)
    if not valued:
        return undefined_estimate(str(each[0].undefined), len(pairs), each[0].method)
    return Estimate(
        fmean(valued),
        len(pairs),
        each[0].method + (f", mean of {len(valued)} of {len(each)} raters" if len(each) > 1 else ""),
    )
