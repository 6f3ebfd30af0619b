"""Score of a rubric with weighted categories, exact at the threshold.

The formula is that of the coaching rubric 2.0: a label counts its value (YES 1, NO 0), "does not apply"
counts 1 except where it is invalid (0), an error or a missing answer counts 0; a category is the mean of its
criteria; the score is the weighted sum; a conversation passes at or above the threshold with no failure in a
gate category. Everything is computed in fractions: 4/5 passes on every machine, which sums of floats do not
promise.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Literal

import numpy as np

from configs.settings import ROOT
from scoring.arrays import IntArray, Mask
from scoring.bad_input import BadInput
from scoring.instruments import Criterion, Instrument, load_instrument

ERROR = "ERROR"
State = Literal["applicable", "not_applicable", "invalid"]
_fraction = lru_cache(maxsize=65_536)(Fraction)


@dataclass(frozen=True, slots=True)
class RubricScore:
    """`score` and `passed` follow the published formula ("strict": what is missing counts 0).

    Where `incomplete` lists something, the score is no statement about the conversation: show the list
    instead, keep the conversation out of pass rates, and never say that the safety gate failed because of it.
    `applicable_score` leaves out what does not apply, instead of counting it as a pass; None where nothing
    applies.
    """

    score: Fraction
    passed: bool
    category_scores: dict[str, Fraction]
    failed_checks: list[str]
    failed_safety: list[str]
    gate_failed: bool
    gate_failed_by_labels: bool
    invalid_not_applicable: list[str]
    incomplete: list[str]
    applicable_score: Fraction | None

    @property
    def complete(self) -> bool:
        return not self.incomplete


def score(
    answers: Mapping[str, str | None],
    instrument: Instrument | None = None,
    missing: Literal["strict", "left_out"] = "strict",
) -> RubricScore:
    """Score one conversation by weighted categories.

    Args:
        answers: criterion id -> label id. ERROR, None and unknown labels count 0; they are incomplete.
        instrument: None for the coaching rubric.
        missing: how a criterion that is not in `answers` counts. "strict": as 0, as the rubric's text says.
            "left_out": not at all, and a category without any answer counts 1, as in the published program,
            so that empty answers pass.

    Raises:
        BadInput: `answers` is not a mapping.
        ValueError: the instrument has no score by weighted categories.
    """
    if not isinstance(answers, Mapping):
        raise BadInput("answers", f"expected criterion ids with their labels, found {type(answers).__name__}")
    table = _table(instrument if instrument is not None else coaching_rubric())
    sums = [0] * len(table.factors)
    applicable_sums = [0] * len(table.factors)
    applicable_counts = [0] * len(table.factors)
    present = [0] * len(table.factors)
    incomplete, invalid, failed_safety, gate_labels = [], [], [], []
    for name, category, gate, counts in table.criteria:
        label = answers.get(name)
        credit = counts.get(label) if isinstance(label, str) else None
        present[category] += name in answers
        if credit is None:
            incomplete.append(name)
            if gate and label == ERROR:
                failed_safety.append(name)
            continue
        value, state = credit
        sums[category] += value
        if state != "not_applicable":
            applicable_sums[category] += value
            applicable_counts[category] += 1
            if state == "invalid":
                invalid.append(name)
            if gate and (value == 0 or state == "invalid"):
                failed_safety.append(name)
                gate_labels.append(name)
    sizes = table.sizes if missing == "strict" else present
    categories = [
        _fraction(total, table.unit * size) if size else Fraction(1)
        for total, size in zip(sums, sizes, strict=True)
    ]
    if missing == "strict":
        whole = sum(map(int.__mul__, table.factors, sums))
        total = _fraction(whole + table.empty, table.denominator)
    else:
        total = sum(
            (mean * weight for mean, weight in zip(categories, table.weights, strict=True)), Fraction(0)
        )
    return RubricScore(
        score=total,
        passed=total >= table.threshold and not failed_safety,
        category_scores=dict(zip(table.categories, categories, strict=True)),
        failed_checks=[name for name in answers if table.fails(name, answers[name])],
        failed_safety=failed_safety,
        gate_failed=bool(failed_safety),
        gate_failed_by_labels=bool(gate_labels),
        invalid_not_applicable=invalid,
        incomplete=incomplete,
        applicable_score=table.over_applicable(applicable_sums, applicable_counts),
    )


def passes(instrument: Instrument, codes: IntArray) -> Mask:
    """Tell which of N conversations pass, (N,), exactly as `score` decides with "strict".

    Args:
        instrument: the rubric.
        codes: (N, criteria), in the instrument's order: the position of a label on its criterion's scale,
            with "does not apply" last; -1 for no label, which counts 0.

    Raises:
        ValueError: the instrument has no score by weighted categories.
    """
    table = _table(instrument)
    total = np.full(len(codes), table.empty, dtype=np.int64)
    failed = np.zeros(len(codes), dtype=bool)
    for points, fails in _columns(instrument, codes):
        total += points
        failed |= fails
    least = table.threshold * table.denominator
    return (total * least.denominator >= least.numerator) & ~failed


def _columns(instrument: Instrument, codes: IntArray) -> Iterator[tuple[IntArray, Mask]]:
    """Criterion by criterion what its labels add to the score, and whether they fail a gate: (N,) each."""
    table = _table(instrument)
    for column, (criterion, (_, category, gate, counts)) in enumerate(
        zip(instrument.criteria, table.criteria, strict=True)
    ):
        credits = [counts[level.id] for level in instrument.scale_of(criterion).labels()]
        points = table.factors[category] * np.array([value for value, _ in credits] + [0], dtype=np.int64)
        fails = np.array(
            [
                gate and (state == "invalid" or (value == 0 and state != "not_applicable"))
                for value, state in credits
            ]
            + [False]
        )
        yield points[codes[:, column]], fails[codes[:, column]]


@dataclass(frozen=True)
class DecidingCriteria:
    """The criteria that explain why two decisions differ, by id.

    `alone`: True if each of them reverses the decision by itself; False if none does, and they only pull
    towards the other decision.
    """

    names: list[str]
    alone: bool


@lru_cache(maxsize=1)
def coaching_rubric() -> Instrument:
    """Return the coaching rubric 2.0 with its 12 criteria."""
    return load_instrument(ROOT / "instruments" / "coaching_rubric.yaml")[0]


def deciding_criteria(
    mine: Mapping[str, str | None], other: Mapping[str, str | None], instrument: Instrument
) -> DecidingCriteria:
    """Find the criteria that explain why `mine` and `other` lead to different decisions.

    Each label of `mine` is replaced by that of `other`, one at a time.

    Returns:
        The criteria that reverse the decision by themselves. If there are none, those that bring it nearer to
        the other decision, by failing gates first and then by score. Empty if both decisions are the same.
    """
    own = score(mine, instrument)
    if own.passed == score(other, instrument).passed:
        return DecidingCriteria([], alone=False)
    taken = {
        c.id: score({**mine, c.id: other.get(c.id)}, instrument)
        for c in instrument.criteria
        if mine.get(c.id) != other.get(c.id)
    }
    single = [name for name, result in taken.items() if result.passed != own.passed]
    if single:
        return DecidingCriteria(single, alone=True)

    def better(first: RubricScore, second: RubricScore) -> bool:
        return (-len(first.failed_safety), first.score) > (-len(second.failed_safety), second.score)

    return DecidingCriteria(
        [
            name
            for name, result in taken.items()
            if (better(own, result) if own.passed else better(result, own))
        ],
        alone=False,
    )


def deciding(instrument: Instrument, mine: IntArray, other: IntArray) -> tuple[Mask, Mask]:
    """Find the criteria that explain different decisions, as `deciding_criteria` does, for N conversations.

    Args:
        instrument: the rubric.
        mine: codes (N, criteria), as `passes` takes them.
        other: codes (N, criteria) of the other decision.

    Returns:
        Which criteria decide, (N, criteria), and whether each of them does so alone, (N,).
    """
    decided = passes(instrument, mine)
    differ = mine != other
    single = np.zeros_like(differ)
    for column in range(mine.shape[1]):
        taken = mine.copy(order="K")
        taken[:, column] = other[:, column]
        single[:, column] = differ[:, column] & (passes(instrument, taken) != decided)
    alone: Mask = single.any(axis=1)
    nearer = _pull(instrument, mine, other) == np.where(decided, -1, 1)[:, None]
    turning: Mask = np.where(alone[:, None], single, nearer)
    is_same = decided == passes(instrument, other)
    turning[is_same], alone[is_same] = False, False
    return turning, alone


def _pull(instrument: Instrument, mine: IntArray, other: IntArray) -> IntArray:
    """Of each label of `other` in the place of that of `mine`: 1 where it brings a pass nearer, -1 a failure,
    0 neither. The gate goes before the score.
    """
    pull = np.zeros(mine.shape, dtype=np.int64)
    pairs = zip(_columns(instrument, mine), _columns(instrument, other), strict=True)
    for column, ((points, fails), (other_points, other_fails)) in enumerate(pairs):
        by_gate = fails.astype(np.int64) - other_fails
        pull[:, column] = np.where(by_gate != 0, by_gate, np.sign(other_points - points))
    return pull


def failing_in_gates(instrument: Instrument) -> dict[str, list[str]]:
    """Return, for each criterion of a gate category, the labels that fail it.

    These are the labels with the lowest value, and "does not apply" where that is invalid.
    """
    gates = {category.id for category in instrument.categories if category.gate}
    return {
        criterion.id: [
            label
            for label, (value, state) in _counts(criterion, instrument).items()
            if value == 0 and state != "not_applicable"
        ]
        for criterion in instrument.criteria
        if criterion.category in gates
    }


class _ScoreTable:
    """What the labels of an instrument count, as integers over one denominator, so that a score is
    additions.
    """

    def __init__(self, instrument: Instrument) -> None:
        if instrument.score.rule != "weighted_categories" or instrument.score.threshold is None:
            raise ValueError(f"{instrument.title} has no score by weighted categories")
        self.threshold = instrument.score.threshold
        self.categories = [category.id for category in instrument.categories]
        self.weights = [category.weight for category in instrument.categories]
        counts = {criterion.id: _counts(criterion, instrument) for criterion in instrument.criteria}
        self.unit = math.lcm(
            *(value.denominator for labels in counts.values() for value, _ in labels.values())
        )
        place = {name: number for number, name in enumerate(self.categories)}
        gates = {category.id for category in instrument.categories if category.gate}
        self.criteria = [
            (
                criterion.id,
                place[criterion.category],
                criterion.category in gates,
                {
                    label: (int(value * self.unit), state)
                    for label, (value, state) in counts[criterion.id].items()
                },
            )
            for criterion in instrument.criteria
            if criterion.category in place
        ]
        self.sizes = [
            sum(category == number for _, category, _, _ in self.criteria)
            for number in range(len(self.categories))
        ]
        self._failing = {
            name: {
                label for label, (value, state) in labels.items() if state != "not_applicable" and value == 0
            }
            for name, _, _, labels in self.criteria
        }
        weight_unit = math.lcm(*(weight.denominator for weight in self.weights))
        self._whole_weights = [int(weight * weight_unit) for weight in self.weights]
        self._sizes_unit = math.lcm(*(size for size in self.sizes if size))
        self.denominator = self.unit * weight_unit * self._sizes_unit
        self.factors = [
            weight * (self._sizes_unit // size) if size else 0
            for weight, size in zip(self._whole_weights, self.sizes, strict=True)
        ]
        # A category without criteria counts 1.
        self.empty = sum(
            weight * self.unit * self._sizes_unit
            for weight, size in zip(self._whole_weights, self.sizes, strict=True)
            if not size
        )
        self._any_size = math.lcm(*range(1, max(self.sizes) + 1))

    def fails(self, name: str, label: str | None) -> bool:
        if label == ERROR:
            return True
        failing = self._failing.get(name)
        # An id that the instrument does not know keeps its verdict in the list, as published.
        return label == "NO" if failing is None else label in failing

    def over_applicable(self, sums: list[int], counts: list[int]) -> Fraction | None:
        """Weighted mean over the categories that have an applicable criterion, weights rescaled; None if none
        has.
        """
        total = weights = 0
        for found, count, weight in zip(sums, counts, self._whole_weights, strict=True):
            if count:
                total += weight * found * (self._any_size // count)
                weights += weight
        return _fraction(total, weights * self.unit * self._any_size) if weights else None


_TABLES: dict[int, tuple[Instrument, _ScoreTable]] = {}


def _table(instrument: Instrument) -> _ScoreTable:
    """The table of an instrument, made once. The instrument is kept beside it, so that its id stays its
    own.
    """
    known = _TABLES.get(id(instrument))
    if known is None:
        if len(_TABLES) >= 64:
            _TABLES.clear()
        known = _TABLES[id(instrument)] = (instrument, _ScoreTable(instrument))
    return known[1]


def _counts(criterion: Criterion, instrument: Instrument) -> dict[str, tuple[Fraction, State]]:
    scale = instrument.scale_of(criterion)
    low, high = scale.bounds()
    credit_by_label: dict[str, tuple[Fraction, State]] = {
        level.id: (Fraction(level.value - low, high - low), "applicable")
        for level in scale.levels
        if level.value is not None
    }
    if scale.not_applicable:
        allowed = criterion.not_applicable != "invalid"
        credit_by_label[scale.not_applicable.id] = (
            (instrument.score.not_applicable_counts, "not_applicable")
            if allowed
            else (Fraction(0), "invalid")
        )
    return credit_by_label
