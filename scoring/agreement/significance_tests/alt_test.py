"""May the judge stand in for one of the clinicians? The alternative annotator test (Calderon, Reichart and
Dror, ACL 2025).

Each clinician in turn is left out. On each unit that they labelled, who comes nearer to the remaining
clinicians, they or the judge? Nearer by `accuracy`: the share of the remaining labels that are the same; by
`neg_rmse`: less the root mean square distance from them. A tie counts for both. d = 1 where only the
clinician came nearer, -1 where only the judge did, else 0. The judge wins against that clinician if mean(d) <
epsilon by a one-sided t test, with the false discovery rate over clinicians held at q by Benjamini and
Yekutieli. epsilon: what a clinician's effort may be worth (0.2 for experts, there in section 3).

Units are taken for independent. A pass says nothing of quality where the clinicians themselves disagree.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

import numpy as np
import scipy

from scoring.agreement.intervals.estimate import Estimate, undefined_estimate
from scoring.agreement.significance_tests.multiplicity import benjamini_yekutieli
from scoring.arrays import Array
from scoring.bad_input import BadInput, count, inside, number

Scoring = Literal["accuracy", "neg_rmse"]
Label = str | float | None
Unit = TypeVar("Unit", bound=Hashable)
ROUNDING_ERROR = 1e-12  # distances that differ by rounding are ties
MIN_WINNING_RATE = 0.5


@dataclass(frozen=True)
class AltTestComparison:
    """The judge against one clinician over `units`. `advantage`: on how many of them, 0 to 1, the judge came
    as near or nearer.

    `p`: that the clinician is better by epsilon or more; None where `undefined` says why. `wins`: the judge
    does, q held over all.
    """

    clinician: str
    units: int
    advantage: float
    p: float | None
    wins: bool
    undefined: str | None = None


@dataclass(frozen=True)
class AltTest:
    """`winning_rate`: against how many of the clinicians the judge wins, 0 to 1; `advantage_probability`: the
    mean of theirs.

    `passes`: the judge wins against half of them or more; None where nothing was tested. `skipped`:
    clinicians with too few units. `left_out`: units that the judge or all but one or none of the clinicians
    did not label.
    """

    against: tuple[AltTestComparison, ...]
    winning_rate: Estimate
    advantage_probability: Estimate
    passes: bool | None
    skipped: tuple[str, ...]
    left_out: int


def alt_test(
    humans: Mapping[str, Mapping[Unit, Label]],
    judge: Mapping[Unit, Label],
    scoring: Scoring = "accuracy",
    *,
    epsilon: float = 0.2,
    q: float = 0.05,
    min_humans: int = 2,
    min_units: int = 30,
) -> AltTest:
    """Test whether the judge may stand in for one of the clinicians (Calderon, Reichart and Dror 2025).

    The winning rate has no value, and `passes` is None, if no clinician has enough units.

    Args:
        humans: clinician -> unit -> label; None or no entry is a label not given.
        judge: unit -> label.
        scoring: how near a label is to the remaining clinicians', "accuracy" or "neg_rmse".
        epsilon: how much better a clinician may be, -1 to 1.
        q: the false discovery rate over clinicians, between 0 and 1.
        min_humans: clinicians that a unit needs, at least 2; it also needs the judge's label.
        min_units: such units that a clinician needs.

    Raises:
        BadInput: a label that is no number under "neg_rmse", or an option out of range.
    """
    epsilon, q = number("epsilon", epsilon), inside("q", q, 0, 1)
    if scoring not in ("accuracy", "neg_rmse"):
        raise BadInput("scoring", f"expected accuracy or neg_rmse, found {scoring}")
    if not -1 <= epsilon <= 1:
        raise BadInput("epsilon", f"expected -1 to 1, found {epsilon}")
    if count("min_humans", min_humans) < 2:
        raise BadInput("min_humans", f"expected at least 2, found {min_humans}")
    count("min_units", min_units)
    names, units = list(humans), list(dict.fromkeys(unit for labels in humans.values() for unit in labels))
    rows = [[humans[name].get(unit) for unit in units] for name in names] + [
        [judge.get(unit) for unit in units]
    ]
    numbers = (
        _numbers(rows, [f"humans[{name}]" for name in names] + ["judge"], units)
        if scoring == "neg_rmse"
        else _codes(rows)
    )
    labels, judged = numbers[:-1], numbers[-1]
    counts = (~np.isnan(labels)).sum(axis=0) >= min_humans
    counts &= ~np.isnan(judged)
    tried, skipped = [], []
    for index, name in enumerate(names):
        here = counts & ~np.isnan(labels[index])
        if here.sum() < max(min_units, 1):
            skipped.append(name)
            continue
        others = np.delete(labels, index, axis=0)[:, here]
        theirs, judges = _far(labels[index, here], others, scoring), _far(judged[here], others, scoring)
        tried.append(
            (
                name,
                (theirs < judges - ROUNDING_ERROR).astype(float) - (judges < theirs - ROUNDING_ERROR),
                float((judges <= theirs + ROUNDING_ERROR).mean()),
            )
        )
    return _judged(tried, tuple(skipped), int((~counts).sum()), epsilon, q, min_units)


def _judged(
    tried: list[tuple[str, Array, float]],
    skipped: tuple[str, ...],
    left_out: int,
    epsilon: float,
    q: float,
    min_units: int,
) -> AltTest:
    results = [_less(difference, epsilon) for _, difference, _ in tried]
    # Who cannot be tested is no win, and counts among those who were tried, so that this never makes a pass
    # easier.
    adjusted = benjamini_yekutieli([1.0 if isinstance(result, str) else result for result in results])
    against = tuple(
        AltTestComparison(
            name,
            len(difference),
            advantage,
            None if isinstance(result, str) else result,
            corrected is not None and corrected <= q,
            result if isinstance(result, str) else None,
        )
        for (name, difference, advantage), result, corrected in zip(tried, results, adjusted, strict=True)
    )
    if not against:
        reason = (
            f"no clinician gave {min_units} labels where another clinician and the judge gave one too"
            if min_units > 1
            else "no clinician gave a label where another clinician and the judge gave one too"
        )
        return AltTest(
            (),
            undefined_estimate(reason, 0, "winning rate"),
            undefined_estimate(reason, 0, "advantage probability"),
            None,
            skipped,
            left_out,
        )
    n = len(against)
    rate = sum(comparison.wins for comparison in against) / n
    return AltTest(
        against,
        Estimate(rate, n, "winning rate"),
        Estimate(sum(comparison.advantage for comparison in against) / n, n, "advantage probability"),
        rate >= MIN_WINNING_RATE,
        skipped,
        left_out,
    )


def _less(difference: Array, epsilon: float) -> float | str:
    """p of the one-sided t test that the mean lies below epsilon, or why there is none."""
    n, mean = len(difference), float(difference.mean())
    if n < 2:
        return "one label can't show how much this varies"
    error = float(difference.std(ddof=1)) / n**0.5
    if (
        error == 0
    ):  # the limit of the test: all units say the same, and only epsilon itself would leave it open
        return "all lie exactly at epsilon" if mean == epsilon else float(mean > epsilon)
    return float(scipy.special.stdtr(n - 1, (mean - epsilon) / error))


def _far(label: Array, others: Array, scoring: Scoring) -> Array:
    """How far a label lies from those of the others on the same unit: as many for both sides, so no mean or
    root is needed.
    """
    apart = (
        (others != label) & ~np.isnan(others)
        if scoring == "accuracy"
        else np.nan_to_num((others - label) ** 2)
    )
    return np.asarray(apart.sum(axis=0), dtype=np.float64)


def _codes(rows: list[list[Label]]) -> Array:
    codes: dict[Label, int] = {}
    return np.array(
        [[np.nan if one is None else codes.setdefault(one, len(codes)) for one in row] for row in rows],
        dtype=np.float64,
    )


def _numbers(rows: list[list[Label]], names: list[str], units: Sequence[Hashable]) -> Array:
    return np.array(
        [
            [
                np.nan if cell is None else number(f"{name}[{unit}]", cell)
                for unit, cell in zip(units, row, strict=True)
            ]
            for name, row in zip(names, rows, strict=True)
        ],
        dtype=np.float64,
    )
