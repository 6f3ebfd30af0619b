"""Everything that was said in a study by people and by one judge, as arrays: what an agreement report is
computed from.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from scoring.agreement.labels.identical_clusters import collapse_identical
from scoring.agreement.labels.labels import Labels, numbered, places
from scoring.agreement.labels.material_memo import MaterialMemo
from scoring.agreement.labels.pairs import LabelPairs, answers, pair_with_judge
from scoring.arrays import Array, IntArray, Mask, choose_rows, small_column, take_rows
from scoring.instruments import Criterion, Instrument

Arm = Literal["blind", "shown", "unknown"]
Places = NDArray[np.int32 | np.intp]
ARMS: tuple[Arm, ...] = ("blind", "shown", "unknown")


@dataclass(frozen=True)
class Question:
    """One criterion: its scale in order with "does not apply" last, what its labels count, and which of them
    fail it.

    `failing`: the lowest level, and "does not apply" where that is invalid. `gate`: of a safety gate.
    `scored`: its values make a score, so that a higher one is better.
    """

    criterion: Criterion
    category: str
    gate: bool
    domain: tuple[str, ...]
    names: tuple[str, ...]
    values: tuple[int | None, ...]
    ordinal: bool
    not_applicable: str | None
    invalid: bool
    failing: frozenset[int]
    scored: bool

    @property
    def id(self) -> str:
        return self.criterion.id

    @property
    def levels(self) -> tuple[str, ...]:
        """Return the ids of the scale's labels in order, without "does not apply"."""
        return self.domain[:-1] if self.not_applicable is not None else self.domain

    @property
    def family(self) -> tuple[str, ...]:
        """Return the ids and names of the scale's labels; criteria with the same scale have the same
        family.
        """
        return (*self.domain, *self.names)

    @property
    def scale(self) -> tuple[float, ...]:
        """Return the value of each level, in the scale's order, without "does not apply"."""
        return tuple(float(value) for value in self.values[: len(self.levels)] if value is not None)


def question_of(instrument: Instrument, criterion: Criterion) -> Question:
    """Return a criterion of an instrument with its scale as a `Question`.

    Codes follow the scale's order, "does not apply" last. The lowest value fails, and "does not apply"
    where the criterion calls it invalid. `category` is the category's name, "" without one.
    """
    scale = instrument.scale_of(criterion)
    category = next(
        (candidate for candidate in instrument.categories if candidate.id == criterion.category), None
    )
    labels, na, invalid = scale.labels(), scale.not_applicable, criterion.not_applicable == "invalid"
    lowest = scale.bounds()[0]
    failing = frozenset(
        code
        for code, level in enumerate(labels)
        if (level.value == lowest and level is not na) or (level is na and invalid)
    )
    return Question(
        criterion,
        category.name if category else "",
        bool(category and category.gate),
        tuple(level.id for level in labels),
        tuple(level.name for level in labels),
        tuple(level.value if level is not na else None for level in labels),
        scale.kind == "ordinal",
        na.id if na else None,
        invalid,
        failing,
        instrument.score.rule != "none",
    )


@dataclass(frozen=True, eq=False)
class UnitTable:
    """The units of the study, by `id` ascending. `position`: in the study, from 1. `part`: conversation, or
    person where one has several.
    `weight`: one over the chance to be drawn, with a mean of 1; NaN where it had none, which leaves the unit
    out; None where all units count.
    `drawn`: by chance at all. `duplicates`: conversations with the text of an earlier one.
    """

    id: IntArray
    position: IntArray
    conversation: IntArray
    part: IntArray
    turns: IntArray
    condition: IntArray
    conditions: tuple[str, ...] = ()
    weight: Array | None = None
    drawn: bool = False
    duplicates: int = 0

    @cached_property
    def weighted(self) -> bool:
        """Tell whether units were drawn with different chances; False for a simple random sample."""
        return self.weight is not None and len({*self.weight[~np.isnan(self.weight)].tolist()}) > 1

    @cached_property
    def persons(self) -> bool:
        """Whether any person has several conversations."""
        return len(numbered(self.part)[0]) < len(numbered(self.conversation)[0])

    def counts(self, unit: IntArray) -> Mask:
        """Tell of each unit id whether the unit had a chance to be drawn; all do where nothing was drawn."""
        return (
            np.ones(len(unit), dtype=bool) if self.weight is None else ~np.isnan(self.weight[self.at(unit)])
        )

    def at(self, unit: IntArray) -> NDArray[np.intp]:
        """Return the position of each unit id in these arrays."""
        return places(self.id, unit)


@dataclass(frozen=True, eq=False)
class HumanLabels:
    """What people said, one entry a label: the last one that a rater gave to a unit in an arm. `question`:
    position in the study's questions.
    `reveals_before`: how many reveals the rater had seen.
    """

    question: IntArray = small_column()
    unit: IntArray = small_column()
    rater: IntArray = small_column()
    code: IntArray = small_column()
    arm: IntArray = small_column()
    reveals_before: IntArray = small_column()

    def where(self, chosen: Mask) -> HumanLabels:
        """Return the labels that `chosen` selects; `self` if it selects all, because a copy costs memory."""
        if chosen.all():
            return self
        return choose_rows(self, chosen)


@dataclass(frozen=True, eq=False)
class JudgeLabels:
    """The first verdicts of one judge; a failure has no code: `failed` lists (question, unit, kind) apart."""

    question: IntArray = small_column()
    unit: IntArray = small_column()
    code: IntArray = small_column()
    failed: tuple[tuple[int, int, str], ...] = ()

    def where(self, chosen: Mask) -> JudgeLabels:
        """Return the labels that the mask `chosen` selects; `failed` stays as it is."""
        return JudgeLabels(self.question[chosen], self.unit[chosen], self.code[chosen], self.failed)


@dataclass(frozen=True)
class SettledLabel:
    """A settled label that holds; `code` None: both readings stand. `reference`: settled between people,
    judge not seen, so that it may be compared with blind labels (DESIGN's definition).
    """

    question: int
    unit: int
    code: int | None
    reference: bool


@dataclass(frozen=True, eq=False)
class LabelData:
    """`gate_draws`: question -> units drawn at random to be settled; without an entry, all of a gate's."""

    questions: tuple[Question, ...]
    units: UnitTable
    people: dict[int, str]
    given: HumanLabels
    judge: JudgeLabels
    settled: tuple[SettledLabel, ...] = ()
    refused: HumanLabels | None = None  # last answers that are "cannot be rated", of code -1
    gate_draws: Mapping[int, frozenset[int]] = field(default_factory=dict)

    @property
    def unrated(self) -> int:
        """The number of last answers that are "cannot be rated"."""
        return 0 if self.refused is None else len(self.refused.code)

    def forget_steps(self) -> None:
        """Free the cached steps, which take more memory than the labels; later calls compute them again."""
        for name, member in vars(LabelData).items():
            if isinstance(member, cached_property) and name != "raters":
                vars(self).pop(name, None)

    @cached_property
    def raters(self) -> frozenset[int]:
        """The numbers of all raters who gave a label, in any arm."""
        return frozenset(np.flatnonzero(np.bincount(self.given.rater)).tolist())

    def human_labels(self, number: int, arm: Arm = "blind") -> Labels:
        """Return the labels of one question in an arm, without units that had no chance of being drawn."""
        return self._human_labels[number, arm]

    def labels_without_rule(self, number: int, arm: Arm = "blind") -> Labels:
        """Return `human_labels` without units on which a rule says that the question does not apply."""
        return self._labels_without_rule[number, arm]

    def by_rule(self, number: int, unit: IntArray) -> Mask:
        """Tell on which of these units the question does not apply, because the conversation is too short."""
        least = self.questions[number].criterion.minimum_turns
        return (
            np.asarray(self.units.turns[self.units.at(unit)] < least)
            if least
            else np.zeros(len(unit), dtype=bool)
        )

    @cached_property
    def blind(self) -> HumanLabels:
        """The blind labels of all questions, without units that had no chance of being drawn."""
        return self.given.where((self.given.arm == 0) & self.units.counts(self.given.unit))

    def judge_labels(self, number: int) -> Labels:
        """Return the judge's labels on one question, all with the rater number 0."""
        return self._judge_labels[number, "blind"]

    def pairs(self, number: int, arm: Arm = "blind") -> LabelPairs:
        """Return `labels_without_rule`, each paired with the judge's label on the same unit."""
        return self._pairs[number, arm]

    def pairs_with_rule(self, number: int, arm: Arm = "blind") -> LabelPairs:
        """Return `human_labels`, each paired with the judge's label; `pairs` if a rule decides no unit."""
        labels = self.human_labels(number, arm)
        if labels is self.labels_without_rule(number, arm):
            return self.pairs(number, arm)
        return pair_with_judge(labels, self.judge_labels(number))

    def collapsed_labels(self, number: int, arm: Arm = "blind") -> Labels:
        """Return `labels_without_rule` with one conversation for all that have the same labels.

        The same people and the judge gave the same labels in them; `times` says how many each stands for.
        """
        return self._collapsed_labels[number, arm]

    def labels_with_reveals(self, number: int) -> tuple[Labels, IntArray]:
        """Return the blind `labels_without_rule` of one question, and the reveals seen before each.

        The second array holds, per label, how many reveals its rater had seen before giving it.
        """
        chosen = self._counting[number, "blind"]
        return self.labels_without_rule(number), take_rows(
            self.given,
            "reveals_before",
            chosen[~self.by_rule(number, take_rows(self.given, "unit", chosen))],
        )

    def narrow_to(self, rater: int | None = None, condition: int | None = None) -> LabelData:
        """Return only the labels of one rater, or only the conversations of one condition; None keeps all.

        `rater` narrows the people's labels, not those of the judge or the settled ones.
        """
        judge, units = self.judge, self.units
        inside = frozenset[int]()

        def some(of: HumanLabels) -> HumanLabels:
            of = of if rater is None else of.where(of.rater == rater)
            return of if condition is None else of.where(units.condition[units.at(of.unit)] == condition)

        if condition is not None:
            judge = judge.where(units.condition[units.at(judge.unit)] == condition)
            inside = frozenset(units.id[units.condition == condition].tolist())
            judge = replace(judge, failed=tuple(failure for failure in judge.failed if failure[1] in inside))
        return replace(
            self,
            given=some(self.given),
            judge=judge,
            settled=tuple(label for label in self.settled if condition is None or label.unit in inside),
            refused=None if self.refused is None else some(self.refused),
        )

    def leave_out(self, raters: frozenset[int]) -> LabelData:
        """Return the data without the labels of `raters`; `self` where `raters` is empty."""

        def others(given: HumanLabels) -> HumanLabels:
            return given.where(~np.isin(given.rater, sorted(raters)))

        if not raters:
            return self
        return replace(
            self, given=others(self.given), refused=None if self.refused is None else others(self.refused)
        )

    @cached_property
    def _counting(self) -> MaterialMemo[Places]:
        """Where in `given` the labels are."""

        def make(number: int, arm: Arm) -> Places:
            chosen = self._by_question[number, ARMS.index(arm)]
            counts = self.units.counts(take_rows(self.given, "unit", chosen))
            return chosen if counts.all() else chosen[counts]

        return MaterialMemo(make)

    @cached_property
    def _human_labels(self) -> MaterialMemo[Labels]:
        def make(number: int, arm: Arm) -> Labels:
            given, units, chosen = self.given, self.units, self._counting[number, arm]
            unit = take_rows(given, "unit", chosen)
            at = units.at(unit)
            weight = units.weight[at] if units.weighted and units.weight is not None else None
            return Labels(
                self.questions[number].domain,
                unit,
                take_rows(given, "rater", chosen),
                units.part[at],
                take_rows(given, "code", chosen),
                weight,
            )

        return MaterialMemo(make)

    @cached_property
    def _labels_without_rule(self) -> MaterialMemo[Labels]:
        return MaterialMemo(
            lambda number, arm: self.human_labels(number, arm).where(
                ~self.by_rule(number, self.human_labels(number, arm).unit)
            )
        )

    @cached_property
    def _judge_labels(self) -> MaterialMemo[Labels]:
        def make(number: int, _: Arm) -> Labels:
            unit, code = (take_rows(self.judge, name, self._judged[number]) for name in ("unit", "code"))
            return Labels(
                self.questions[number].domain,
                unit,
                np.zeros(len(unit), dtype=np.int64),
                self.units.part[self.units.at(unit)],
                code,
            )

        return MaterialMemo(make)

    @cached_property
    def _pairs(self) -> MaterialMemo[LabelPairs]:
        return MaterialMemo(
            lambda number, arm: pair_with_judge(
                self.labels_without_rule(number, arm), self.judge_labels(number)
            )
        )

    @cached_property
    def _collapsed_labels(self) -> MaterialMemo[Labels]:
        return MaterialMemo(
            lambda number, arm: collapse_identical(
                self.labels_without_rule(number, arm),
                answers(self.labels_without_rule(number, arm), self.judge_labels(number)),
            )
        )

    @cached_property
    def _by_question(self) -> dict[tuple[int, int], Places]:
        key = self.given.question * len(ARMS) + self.given.arm
        split = _split(key, len(self.questions) * len(ARMS))
        return {
            (number, arm): split[number * len(ARMS) + arm]
            for number in range(len(self.questions))
            for arm in range(len(ARMS))
        }

    @cached_property
    def _judged(self) -> list[Places]:
        return _split(self.judge.question, len(self.questions))


def _split(key: IntArray, count: int) -> list[Places]:
    """Where each of 0 .. count - 1 stands, in order."""
    order = np.argsort(key.astype(np.int16) if count < 2**15 else key, kind="stable").astype(
        np.int32 if len(key) < 2**31 else np.intp
    )  # small numbers are sorted in one pass
    return np.split(order, np.cumsum(np.bincount(key, minlength=count))[:-1])
