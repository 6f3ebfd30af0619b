"""Labels drawn at random, and the statistics as the product calls them, for the tests of this folder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from hypothesis import strategies as st

from scoring.agreement.coefficients.brennan_prediger import brennan_prediger
from scoring.agreement.coefficients.conger import conger, habits
from scoring.agreement.coefficients.fleiss import fleiss
from scoring.agreement.coefficients.gwet import gwet
from scoring.agreement.coefficients.kappa import cohen
from scoring.agreement.coefficients.krippendorff import Level, coincidences, krippendorff
from scoring.agreement.coefficients.multirater_percent import AGREEING
from scoring.agreement.coefficients.percent import PERCENT
from scoring.agreement.coefficients.prevalence import BIAS, PREVALENCE
from scoring.agreement.coefficients.scott import SCOTT
from scoring.agreement.coefficients.spread import by_unit
from scoring.agreement.coefficients.weights import Weights
from scoring.agreement.intervals.estimate import Estimate
from scoring.agreement.intervals.jackknife import Statistic, jackknife
from scoring.agreement.labels.labels import Labels
from scoring.agreement.labels.pairs import pair_raters
from scoring.arrays import Array
from tests.studies.label_rows import from_rows

KINDS: tuple[Weights, ...] = ("none", "linear", "quadratic", "ordinal")
LEVELS: tuple[Level, ...] = ("nominal", "ordinal", "interval")
ROUNDING = 1e-9
Rows = list[list[int | None]]


@dataclass(frozen=True)
class Drawn:
    """Rows of units, columns of raters, labels 0 to k - 1; the part of each unit."""

    k: int
    rows: Rows
    parts: list[int]

    @property
    def raters(self) -> int:
        return len(self.rows[0]) if self.rows else 0

    @property
    def labels(self) -> Labels:
        return labels_of(self.rows, self.k, self.parts)


def labels_of(
    rows: Sequence[Sequence[int | None]],
    k: int,
    parts: Sequence[int] | None = None,
    values: Sequence[float] | None = None,
) -> Labels:
    return from_rows(rows, range(k), parts, values)


def shuffle(labels: Labels, seed: int) -> Labels:
    """The same labels in another order."""
    order = np.random.default_rng(seed).permutation(len(labels))
    return replace(
        labels,
        unit=labels.unit[order],
        rater=labels.rater[order],
        part=labels.part[order],
        code=labels.code[order],
        weight=None if labels.weight is None else labels.weight[order],
        times=None if labels.times is None else labels.times[order],
    )


def weighing(labels: Labels, weight_of_unit: Sequence[float]) -> Labels:
    return Labels(
        labels.domain,
        labels.unit,
        labels.rater,
        labels.part,
        labels.code,
        np.array(weight_of_unit, dtype=float)[labels.unit],
        labels.values,
    )


@st.composite
def drawn(draw: st.DrawFn, raters: tuple[int, int] = (2, 4), missing: bool = True, units: int = 16) -> Drawn:
    k, count = draw(st.integers(2, 4)), draw(st.integers(*raters))
    label = st.one_of(st.none(), st.integers(0, k - 1)) if missing else st.integers(0, k - 1)
    rows = draw(st.lists(st.lists(label, min_size=count, max_size=count), min_size=1, max_size=units))
    parts = draw(st.lists(st.integers(0, 4), min_size=len(rows), max_size=len(rows)))
    return Drawn(k, rows, parts)


# The statistics by name: labels and the number of raters in, the statistic and its counts by part out


def _spread(
    make: Callable[[Weights, tuple[float, ...]], Statistic], kind: Weights
) -> Callable[[Labels, int], tuple[Statistic, Array]]:
    return lambda labels, raters: (
        make(kind, tuple(labels.scale)),
        labels.units.by_part(by_unit(labels.units)),
    )


def _alpha(level: Level) -> Callable[[Labels, int], tuple[Statistic, Array]]:
    return lambda labels, raters: (
        krippendorff(level, tuple(labels.scale)),
        labels.units.by_part(coincidences(labels.units)),
    )


def _paired(make: Callable[[int], Statistic]) -> Callable[[Labels, int], tuple[Statistic, Array]]:
    return lambda labels, raters: (make(len(labels.domain)), pair_raters(labels).by_part())


def _conger(kind: Weights) -> Callable[[Labels, int], tuple[Statistic, Array]]:
    return lambda labels, raters: (conger(kind, tuple(labels.scale)), habits(labels, range(raters)))


def _cohen(kind: Weights) -> Callable[[Labels, int], tuple[Statistic, Array]]:
    return _paired(lambda k: cohen(kind, k))


ALPHAS = {f"alpha {level}": _alpha(level) for level in LEVELS}
PAIRED = {
    "percent": _paired(lambda k: PERCENT),
    "Scott": _paired(lambda k: SCOTT),
    "prevalence": _paired(lambda k: PREVALENCE),
    "bias": _paired(lambda k: BIAS),
} | {f"Cohen {kind}": _cohen(kind) for kind in KINDS}
SPREADS = {"agreeing": lambda labels, raters: (AGREEING, labels.units.by_part(by_unit(labels.units)))} | {
    f"{name} {kind}": _spread(make, kind)
    for kind in KINDS
    for name, make in (("Gwet", gwet), ("Fleiss", fleiss), ("Brennan-Prediger", brennan_prediger))
}
CONGERS = {f"Conger {kind}": _conger(kind) for kind in KINDS}
NOT_ALPHA = PAIRED | SPREADS | CONGERS
ALL = NOT_ALPHA | ALPHAS


def estimate(name: str, labels: Labels, raters: int, units: int | None = None) -> Estimate:
    """`units`: how many were labelled by two, if not those of `labels`."""
    statistic, counts = ALL[name](labels, raters)
    return jackknife(statistic, counts, len(labels), units=units_of_two(labels) if units is None else units)


def units_of_two(labels: Labels) -> int:
    """How many units have two labels or more."""
    return int((np.unique(labels.unit, return_counts=True)[1] > 1).sum())
