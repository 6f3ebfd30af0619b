"""Does the judge catch what clinicians call a failure? Every miss by itself, then the shares. Never a kappa.

The reference of a unit is "any clinician called it a failure"; the majority stands beside it. Where each conversation (or person)
has one reference and all units counted alike, shares carry Clopper and Pearson's interval; otherwise units are weighted by one over
their chance to be drawn, and the interval leaves out one conversation at a time. A unit on which the judge gave no label is
neither caught nor missed: it is counted apart and goes to a person.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.agreement.chance import share
from scoring.agreement.diagnostics import NO_ALARM, NO_FAILURE, ONLY_ALARMS, ONLY_FAILURES
from scoring.agreement.estimate import Estimate
from scoring.agreement.jackknife import Array, Statistic, jackknife
from scoring.agreement.labels import numbered
from scoring.agreement.material import Material
from scoring.agreement.proportions import at_most, clopper_pearson

CAUGHT, MISSED, FALSE_ALARM, RIGHTLY_PASSED = range(4)
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Miss:
    """A unit that `said_no` of `raters` clinicians called a failure. `label`: the judge's, None where it gave none."""

    question: int
    unit: int
    position: int
    said_no: int
    raters: int
    label: int | None


@dataclass(frozen=True)
class Shares:
    """`counts`: units caught, missed, false alarms, rightly passed, never weighted. `unlabelled`: failures on which the judge gave no label;
    `unasked`: failures on which it never was asked. `conversations` (or persons) are behind the counts. `limit`: where clinicians found no
    failure in any of them, how many may still have one; None where there is one, and where units were drawn with different chances."""

    counts: tuple[int, int, int, int]
    unlabelled: int
    unasked: int
    conversations: int
    limit: float | None
    sensitivity: Estimate
    specificity: Estimate
    ppv: Estimate
    npv: Estimate

    @property
    def failures(self) -> int:
        """Failures that clinicians found where the judge was asked, whatever it gave."""
        return self.counts[CAUGHT] + self.counts[MISSED] + self.unlabelled


@dataclass(frozen=True)
class Safety:
    """Over the criteria `questions`. `any_no`, `majority`: by how the reference is made. `misses` and `false_alarms` by the first."""

    questions: tuple[int, ...]
    any_no: Shares
    majority: Shares
    misses: tuple[Miss, ...]
    unlabelled: tuple[Miss, ...]
    false_alarms: tuple[Miss, ...]


@dataclass(frozen=True, eq=False)
class _Unit:
    """Units of one question with human labels: how many said that it fails, of how many; the judge's code, -1 without a label, -2 never asked."""

    unit: NDArray[np.int64]
    part: NDArray[np.int64]
    weight: Array | None
    said_no: NDArray[np.int64]
    raters: NDArray[np.int64]
    judge: NDArray[np.int64]
    flagged: Mask


def safety(material: Material, questions: Sequence[int]) -> Safety:
    """Of blind labels. `questions`: positions of the criteria, as a rule those of the safety gate."""
    found = [(number, _units(material, number)) for number in questions]
    misses: list[Miss] = []
    unlabelled: list[Miss] = []
    alarms: list[Miss] = []
    for number, one in found:
        failed = one.said_no > 0
        for listed, chosen in ((misses, failed & (one.judge >= 0) & ~one.flagged), (unlabelled, failed & (one.judge == -1)), (alarms, ~failed & one.flagged)):
            position = material.units.position[material.units.at(one.unit[chosen])]
            listed += [Miss(number, unit, position, said_no, raters, label if label >= 0 else None) for unit, position, said_no, raters, label in zip(
                *(column.tolist() for column in (one.unit[chosen], position, one.said_no[chosen], one.raters[chosen], one.judge[chosen])), strict=True)]
    return Safety(tuple(questions), _shares([(one, one.said_no > 0) for _, one in found]),
                  _shares([(one, 2 * one.said_no > one.raters) for _, one in found]), _sorted(misses), _sorted(unlabelled), _sorted(alarms))


def _sorted(listed: list[Miss]) -> tuple[Miss, ...]:
    return tuple(sorted(listed, key=lambda one: (one.position, one.question)))


def _units(material: Material, number: int) -> _Unit:
    asked, labels = material.questions[number], material.free(number)
    units = labels.units
    failing = np.isin(np.arange(len(asked.domain)), list(asked.failing))
    judge = np.full(len(units.names), -2, dtype=np.int64)
    said = material.said(number)
    for codes, which in ((said.code, said.unit), (None, np.array([unit for question, unit, _ in material.judge.failed if question == number], dtype=np.int64))):
        at = np.searchsorted(units.names, which)
        inside = at < len(units.names)
        inside[inside] = units.names[at[inside]] == which[inside]
        judge[at[inside]] = codes[inside] if codes is not None else -1
    part = units.parts[units.part] if len(units.names) else units.names
    return _Unit(units.names, part, None if labels.weight is None else units.weight, (units.counts * failing).sum(axis=1).astype(np.int64),
                 units.counts.sum(axis=1).astype(np.int64), judge, (judge >= 0) & failing[np.maximum(judge, 0)])


def _shares(found: Sequence[tuple[_Unit, Mask]]) -> Shares:
    part = np.concatenate([one.part[one.judge >= 0] for one, _ in found]) if found else np.zeros(0, dtype=np.int64)
    kind = np.concatenate([_kind(failed, one.flagged)[one.judge >= 0] for one, failed in found]) if found else part
    weights = [one.weight[one.judge >= 0] for one, _ in found if one.weight is not None]
    weight = np.concatenate(weights) if weights else None
    raw = np.bincount(kind, minlength=4)
    parts, place = numbered(part)
    counts = np.bincount(place * 4 + kind, weights=weight, minlength=len(parts) * 4).astype(float).reshape(len(parts), 4)

    def of(name: str, top: int, beside: int, reason: str) -> Estimate:
        mine = part[(kind == top) | (kind == beside)]
        if weight is None and len(numbered(mine)[0]) == len(mine):
            return clopper_pearson(int(raw[top]), int(raw[top] + raw[beside]), reason)
        statistic = Statistic(name, lambda rows: share(rows[..., top], rows[..., top] + rows[..., beside]), lambda _: reason, low=0.0)
        here = counts[(counts[:, top] + counts[:, beside]) > 0]
        return jackknife(statistic, here, int(raw[top] + raw[beside]))

    unlabelled, unasked = (sum(int((failed & (one.judge == why)).sum()) for one, failed in found) for why in (-1, -2))
    limit = None if weight is not None or raw[CAUGHT] + raw[MISSED] + unlabelled + unasked else at_most(0, len(parts))
    return Shares((int(raw[0]), int(raw[1]), int(raw[2]), int(raw[3])), unlabelled, unasked, len(parts), limit, of("sensitivity", CAUGHT, MISSED, NO_FAILURE),
                  of("specificity", RIGHTLY_PASSED, FALSE_ALARM, ONLY_FAILURES), of("positive predictive value", CAUGHT, FALSE_ALARM, NO_ALARM),
                  of("negative predictive value", RIGHTLY_PASSED, MISSED, ONLY_ALARMS))


def _kind(failed: Mask, flagged: Mask) -> NDArray[np.int64]:
    return np.where(failed, np.where(flagged, CAUGHT, MISSED), np.where(flagged, FALSE_ALARM, RIGHTLY_PASSED)).astype(np.int64)
