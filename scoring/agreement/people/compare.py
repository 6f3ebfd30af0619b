"""One person's labels beside a judge's of the same units: counts first, then kappa."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from scoring.agreement.coefficients.kappa import kappa
from scoring.agreement.coefficients.percent import percent
from scoring.agreement.coefficients.weights import Weights
from scoring.agreement.intervals.estimate import Estimate, undefined_estimate
from scoring.agreement.labels.pairs import Counts, confusion

ONE_PAIR = "with one pair, agreement can't be separated from chance"


@dataclass(frozen=True)
class LabelPair:
    """Two labels of one unit: `first` by the person, `second` by the judge."""

    unit: int
    first: str
    second: str


@dataclass(frozen=True)
class Comparison:
    """One criterion. `table` counts (first, second) over `domain`."""

    domain: tuple[str, ...]
    pairs: tuple[LabelPair, ...]
    table: Counts
    same: int
    percent: Estimate
    kappa: Estimate
    quadratic: Estimate | None

    @property
    def disagreements(self) -> list[LabelPair]:
        """Return the pairs with different labels, in the order of `pairs`."""
        return [pair for pair in self.pairs if pair.first != pair.second]


def pair_up(first: Iterable[tuple[int, str]], second: Iterable[tuple[int, str]]) -> list[LabelPair]:
    """Return every combination of a label of `first` with one of `second` on the same unit.

    Items are (unit, label). The pairs are in the order of `first`, then of `second`; units of one side only
    are left out.
    """
    by_unit: dict[int, list[str]] = defaultdict(list)
    for unit, label in second:
        by_unit[unit].append(label)
    return [LabelPair(unit, label, other) for unit, label in first for other in by_unit[unit]]


def compare(
    pairs: Sequence[LabelPair], domain: Sequence[str], ordinal: bool, not_applicable: str | None
) -> Comparison:
    """Return counts, percent agreement and kappa of pairs of labels over a declared domain.

    Quadratic kappa is for ordered labels, so pairs with "does not apply" on either side are left out of it;
    it is None if `ordinal` is False. Kappa of a single pair has value None.

    Args:
        pairs: labels of one criterion.
        domain: all labels of the scale, "does not apply" last where the scale has it.
        ordinal: whether the scale is ordered.
        not_applicable: the label for "does not apply", None if the scale has none.

    Raises:
        ValueError: a label is not in `domain`.
    """
    table = _count(pairs, domain)
    ordered = [label for label in domain if label != not_applicable]
    steps = [pair for pair in pairs if not_applicable not in (pair.first, pair.second)]
    return Comparison(
        domain=tuple(domain),
        pairs=tuple(pairs),
        table=table,
        same=int(table.trace()),
        percent=percent(table),
        kappa=_kappa(pairs, domain, "none"),
        quadratic=_kappa(steps, ordered, "quadratic") if ordinal else None,
    )


def _kappa(pairs: Sequence[LabelPair], domain: Sequence[str], weights: Weights) -> Estimate:
    if len(pairs) == 1:
        return undefined_estimate(ONE_PAIR, 1, f"{weights} kappa")
    return kappa(_count(pairs, domain), weights)


def _count(pairs: Sequence[LabelPair], domain: Sequence[str]) -> Counts:
    return confusion(((pair.first, pair.second) for pair in pairs), domain)
