"""Does the judge catch what clinicians call a failure? Three numbers, each for what it is; never a kappa.

As a colleague: of the units that one clinician failed, the share that another clinician failed too, and the
share that the judge failed, over the same units and with the same weights. A judge who labels as clinicians
do reaches the same share whatever they get wrong, and a perfect one a higher.

What it catches: beside one reference a unit, which is the settled label where there is one (judge not seen),
else what most of three clinicians or more gave, else what both of two gave; where they are even or alone
there is none.

To read: every unit on which any clinician saw a failure and the judge did not. The list is complete and
decides nothing.

A failure is the lowest level. "Does not apply" where that is invalid is neither a failure nor a pass: it is
counted apart. A unit on which the judge gave no label is neither caught nor missed; it is counted apart and
goes to a person.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from scoring.agreement.chance import share
from scoring.agreement.diagnostics import NO_ALARM, NO_FAILURE, ONLY_ALARMS, ONLY_FAILURES
from scoring.agreement.estimate import Estimate
from scoring.agreement.jackknife import Statistic, jackknife
from scoring.agreement.labels import Array, Labels, Whole, every_number, numbered, places
from scoring.agreement.material import Material, Question
from scoring.agreement.proportions import at_most, clopper_pearson
from scoring.agreement.safety_colleague import ColleagueCatch, compare_catches

CAUGHT, MISSED, FALSE_ALARM, RIGHTLY_PASSED = range(4)
NO_LABEL, NOT_ASKED = -1, -2
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class UnitToRead:
    """A unit on which `failing` of `raters` clinicians saw a failure and the judge did not, or the other way
    round. `label`: the judge's, None where it gave none. `confirmed`: by the reference of the unit.
    """

    question: int
    unit: int
    position: int
    failing: int
    raters: int
    label: int | None
    confirmed: bool


@dataclass(frozen=True)
class Shares:
    """Beside the reference. `counts`: units caught, missed, false alarms, rightly passed, never weighted.
    `unlabelled`: failures on which the judge gave no label; `unasked`: failures on which it never was asked.
    `conversations` (or persons) are behind the counts. `limit`: where clinicians found no failure in any of
    them, how many may still have one; None where there is one, and where units were drawn with different
    chances. `open`: units that the judge labelled and that have no reference. `sensitivity`: of the failures
    that the judge labelled;
    `with_unlabelled_missed`: of these and those on which it gave no label, which then count as missed.
    """

    counts: tuple[int, int, int, int]
    unlabelled: int
    unasked: int
    conversations: int
    limit: float | None
    open: int
    sensitivity: Estimate
    with_unlabelled_missed: Estimate
    specificity: Estimate
    ppv: Estimate
    npv: Estimate

    @property
    def failures(self) -> int:
        """Failures where the judge was asked, whatever it gave."""
        return self.counts[CAUGHT] + self.counts[MISSED] + self.unlabelled


@dataclass(frozen=True)
class Safety:
    """Over the criteria `questions`. `invalid`: how often clinicians pressed "does not apply" where that is
    invalid. `to_read`: confirmed failures first; `false_alarms`: the judge saw a failure, no clinician did.
    """

    questions: tuple[int, ...]
    caught: Shares
    colleague: ColleagueCatch
    to_read: tuple[UnitToRead, ...]
    false_alarms: tuple[UnitToRead, ...]
    invalid: int


@dataclass(frozen=True, eq=False)
class _Units:
    """Units (U,) of one question with labels of clinicians. `failing` of `raters` labels; `reference`: 1
    failure, 0 none, -1 not to be told;
    `judge`: its code, NO_LABEL or NOT_ASKED; `flagged`: it saw a failure. `invalid`: labels "does not apply"
    that may not be.
    """

    unit: Whole
    part: Whole
    weight: Array
    weighted: bool
    failing: Whole
    raters: Whole
    reference: Whole
    judge: Whole
    flagged: Mask
    invalid: int

    @property
    def labelled(self) -> Mask:
        return self.judge >= 0


def safety(
    material: Material, questions: Sequence[int], every: Material | None = None, without: int | None = None
) -> Safety:
    """Of blind labels. `questions`: positions of the criteria, as a rule those of the safety gate. `every`:
    with the labels of everybody, from which the units to read are taken; by default the same. `without`: a
    rater whose labels are left out.
    """
    rows = [_units(material, number, without) for number in questions]
    to_read: list[UnitToRead] = []
    alarms: list[UnitToRead] = []
    for number, counted in zip(questions, rows, strict=True):
        units = _units(every or material, number)
        units = (
            units
            if every is None
            else replace(units, reference=_reference_of(units, counted, material, number))
        )
        missed = (units.failing > 0) & ~units.flagged & (units.judge != NOT_ASKED)
        to_read += _listed(material, number, units, missed)
        alarms += _listed(material, number, units, (units.failing == 0) & units.flagged)
    return Safety(
        tuple(questions),
        _shares(rows),
        _colleague(rows),
        _sorted(to_read),
        _sorted(alarms),
        sum(units.invalid for units in rows),
    )


def _reference_of(units: _Units, counted: _Units, material: Material, number: int) -> Whole:
    """The reference of everybody's units, made of the labels that count: what was settled, else what the
    counted clinicians confirm.
    """
    none = np.zeros(len(units.unit), dtype=np.int64)
    reference = _reference(
        material,
        number,
        units.unit,
        none,
        none,
        np.isin(
            np.arange(len(material.questions[number].domain)), failing_levels(material.questions[number])
        ),
    )
    at, here = _find(units.unit, counted.unit)
    reference[at[here]] = counted.reference[here]
    return reference


def _listed(material: Material, number: int, units: _Units, chosen: Mask) -> list[UnitToRead]:
    position = material.units.position[material.units.at(units.unit[chosen])]
    columns = (
        units.unit[chosen],
        position,
        units.failing[chosen],
        units.raters[chosen],
        units.judge[chosen],
        units.reference[chosen] == 1,
    )
    return [
        UnitToRead(number, unit, place, failing, raters, label if label >= 0 else None, confirmed)
        for unit, place, failing, raters, label, confirmed in zip(
            *(column.tolist() for column in columns), strict=True
        )
    ]


def _sorted(listed: list[UnitToRead]) -> tuple[UnitToRead, ...]:
    return tuple(sorted(listed, key=lambda unit: (not unit.confirmed, unit.position, unit.question)))


def failing_levels(question: Question) -> list[int]:
    """Codes of the labels that say failure: not "does not apply", wherever that is invalid."""
    return sorted(code for code in question.failing if question.domain[code] != question.not_applicable)


def _units(material: Material, number: int, without: int | None = None) -> _Units:
    question, labels = material.questions[number], material.free(number)
    labels = labels if without is None else labels.where(labels.rater != without)
    invalid = np.zeros(len(labels), dtype=bool)
    if question.invalid and question.not_applicable is not None:
        invalid = labels.code == question.domain.index(question.not_applicable)
    units = labels.where(~invalid).units
    failing = np.isin(np.arange(len(question.domain)), failing_levels(question))
    count, raters = (
        (units.counts * failing).sum(axis=1).astype(np.int64),
        units.counts.sum(axis=1).astype(np.int64),
    )
    judge = _judge(material, number, units.names)
    part = units.parts[units.part] if len(units.names) else units.names
    return _Units(
        units.names,
        part,
        units.weight,
        labels.weight is not None,
        count,
        raters,
        _reference(material, number, units.names, count, raters, failing),
        judge,
        (judge >= 0) & failing[np.maximum(judge, 0)],
        int(invalid.sum()),
    )


def _judge(material: Material, number: int, names: Whole) -> Whole:
    judge = np.full(len(names), NOT_ASKED, dtype=np.int64)
    said: Labels = material.said(number)
    lost = np.array(
        [unit for question, unit, _ in material.judge.failed if question == number], dtype=np.int64
    )
    for unit, code in ((lost, np.full(len(lost), NO_LABEL)), (said.unit, said.code)):
        at, here = _find(names, unit)
        judge[at[here]] = code[here]
    return judge


def _reference(
    material: Material, number: int, names: Whole, failing: Whole, raters: Whole, levels: Mask
) -> Whole:
    most = np.where(2 * failing > raters, 1, np.where(2 * failing < raters, 0, -1))
    both = np.where(failing == raters, 1, np.where(failing == 0, 0, -1))
    reference = np.where(raters > 2, most, np.where(raters == 2, both, -1)).astype(np.int64)
    settled = [label for label in material.settled if label.question == number and label.reference]
    at, here = _find(names, np.array([label.unit for label in settled], dtype=np.int64))
    for label, place, known in zip(settled, at.tolist(), here.tolist(), strict=True):
        if known:
            reference[place] = -1 if label.code is None else int(levels[label.code])
    return reference


def _find(names: Whole, wanted: Whole) -> tuple[NDArray[np.intp], Mask]:
    at = np.searchsorted(names, wanted)
    here = at < len(names)
    here[here] = names[at[here]] == wanted[here]
    return at, here


def _shares(rows: Sequence[_Units]) -> Shares:
    weighted = any(units.weighted for units in rows)
    columns = _columns(rows, [units.labelled & (units.reference >= 0) for units in rows])
    raw, parts = np.bincount(columns.kind, minlength=4), numbered(columns.part)[0]
    lost = _columns(rows, [(units.judge != NOT_ASKED) & (units.reference == 1) for units in rows])

    def of(name: str, top: int, rest: int, reason: str, among: _Columns = columns) -> Estimate:
        return _share(name, among.where((among.kind == top) | (among.kind == rest)), top, weighted, reason)

    unlabelled, unasked = (
        sum(int(((units.reference == 1) & (units.judge == why)).sum()) for units in rows)
        for why in (NO_LABEL, NOT_ASKED)
    )
    limit = None if weighted or raw[CAUGHT] + raw[MISSED] + unlabelled + unasked else at_most(0, len(parts))
    without = sum(int((units.labelled & (units.reference < 0)).sum()) for units in rows)
    return Shares(
        (int(raw[0]), int(raw[1]), int(raw[2]), int(raw[3])),
        unlabelled,
        unasked,
        len(parts),
        limit,
        without,
        of("sensitivity", CAUGHT, MISSED, NO_FAILURE),
        of("sensitivity, failures without a label missed", CAUGHT, MISSED, NO_FAILURE, lost),
        of("specificity", RIGHTLY_PASSED, FALSE_ALARM, ONLY_FAILURES),
        of("positive predictive value", CAUGHT, FALSE_ALARM, NO_ALARM),
        of("negative predictive value", RIGHTLY_PASSED, MISSED, ONLY_ALARMS),
    )


@dataclass(frozen=True, eq=False)
class _Columns:
    """One entry a unit: its conversation, CAUGHT to RIGHTLY_PASSED, its weight."""

    part: Whole
    kind: Whole
    weight: Array

    def where(self, chosen: Mask) -> _Columns:
        return _Columns(self.part[chosen], self.kind[chosen], self.weight[chosen])


def _columns(rows: Sequence[_Units], chosen: Sequence[Mask]) -> _Columns:
    nothing = np.zeros(0, dtype=np.int64)
    both = list(zip(rows, chosen, strict=True))
    return _Columns(
        np.concatenate([nothing, *(units.part[here] for units, here in both)]),
        np.concatenate(
            [nothing, *(_kind(units.reference[here] == 1, units.flagged[here]) for units, here in both)]
        ),
        np.concatenate([np.zeros(0), *(units.weight[here] for units, here in both)]),
    )


def _share(name: str, units: _Columns, top: int, weighted: bool, reason: str) -> Estimate:
    """Of these units, how many are of the kind `top`."""
    parts, place = numbered(units.part)
    hits = units.kind == top
    if not weighted and len(parts) == len(place):
        return clopper_pearson(int(hits.sum()), len(hits), reason)
    counts = np.stack(
        [
            np.bincount(place, weights=units.weight * hits, minlength=len(parts)),
            np.bincount(place, weights=units.weight, minlength=len(parts)),
        ],
        axis=1,
    ).astype(float)
    statistic = Statistic(
        name, lambda sums: share(sums[..., 0], sums[..., 1]), lambda _: reason, low=0.0, kind="share"
    )
    return jackknife(statistic, counts, len(hits))


def _kind(failed: Mask, flagged: Mask) -> Whole:
    return np.where(
        failed, np.where(flagged, CAUGHT, MISSED), np.where(flagged, FALSE_ALARM, RIGHTLY_PASSED)
    ).astype(np.int64)


@dataclass(frozen=True, eq=False)
class CatchCounts:
    """Of each conversation (C,) of `parts`: over the clinicians who failed a unit (`seen`), how many the
    judge `joined` and how many a colleague did on average; and beside the reference, failures `caught` and
    `missed`. Weighted where units are. `labels`: failures seen, unweighted.
    """

    parts: Whole
    joined: Array
    colleagues: Array
    seen: Array
    caught: Array
    missed: Array
    labels: int

    def among(self, parts: Whole) -> CatchCounts:
        """The same of more conversations, ascending, where there is nothing in the others."""
        at = places(parts, self.parts)

        def spread(amounts: Array) -> Array:
            made = np.zeros(len(parts))
            made[at] = amounts
            return made

        return CatchCounts(
            parts,
            spread(self.joined),
            spread(self.colleagues),
            spread(self.seen),
            spread(self.caught),
            spread(self.missed),
            self.labels,
        )


def catch_counts(material: Material, number: int) -> CatchCounts:
    """Of one question, by conversation."""
    return _catches([_units(material, number)])


def _catches(rows: Sequence[_Units]) -> CatchCounts:
    parts = every_number([units.part for units in rows])
    counts, labels = np.zeros((5, len(parts))), 0
    for units in rows:
        failing, at = units.failing.astype(float), places(parts, units.part)
        seen = np.where(units.labelled & (units.raters > 1), failing, 0.0)
        failed = units.labelled & (units.reference == 1)
        amounts = (
            seen * units.flagged,
            seen * (failing - 1) / np.maximum(units.raters - 1, 1),
            seen,
            failed & units.flagged,
            failed & ~units.flagged,
        )
        for row, amount in enumerate(amounts):
            counts[row] += np.bincount(at, weights=amount * units.weight, minlength=len(parts))
        labels += int(seen.sum())
    return CatchCounts(parts, counts[0], counts[1], counts[2], counts[3], counts[4], labels)


def _colleague(rows: Sequence[_Units]) -> ColleagueCatch:
    catches = _catches(rows)
    return compare_catches(
        np.stack([catches.joined, catches.colleagues, catches.seen], axis=1), catches.labels
    )
