"""What was said in a study, laid out in time: the arrays that drift is computed from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property, partial
from typing import Literal

import numpy as np

from data.labels.event_dates import EventDates
from scoring.agreement.intervals.estimate import Estimate
from scoring.agreement.labels.label_data import LabelData, Question, UnitTable
from scoring.agreement.labels.labels import Labels, numbered
from scoring.agreement.labels.pairs import LabelPairs
from scoring.arrays import Array, IntArray, Mask, join_tables, shrink, small_column, widen
from scoring.bad_input import BadInput
from scoring.drift.findings import SOURCES, Finding, family
from scoring.drift.judge_level import LevelPairs, LevelStep, level_by_period, level_step, without_strictness
from scoring.drift.judge_movement import AnchorAnswers
from scoring.drift.level_on_anchors import Mover, who_moved
from scoring.drift.period_agreement import AgreementPairs, AgreementTrend, line
from scoring.drift.periods import EPOCH, UNKNOWN, Length, Periods, fitting, periods
from scoring.drift.rater_movement import DriftLevels
from scoring.drift.sources import ConversationDates, DriftEvidence, sources
from words.figures import date_in_words

Axis = Literal["rated", "judged", "held"]
AXES: dict[Axis, str] = {
    "rated": "When clinicians rated",
    "judged": "When the judge answered",
    "held": "When the conversation was held",
}
PeriodChoice = tuple[Axis, str | None, Length]  # time, the fact that divides the cases, one point for each


@dataclass(frozen=True, eq=False)
class DatedPairs:
    """Blind labels beside the judge's, one entry a pair. `talk`: position among the conversations of
    `EventDates`. `commonest`: whether the clinician gave the label that clinicians gave most often to this
    question. `difference`: judge less clinician as a share of the range of the scale, NaN without an order.
    """

    same: Mask
    commonest: Mask
    question: IntArray = small_column()
    difference: Array = small_column()
    rater: IntArray = small_column()
    unit: IntArray = small_column()
    talk: IntArray = small_column()
    part: IntArray = small_column()
    weight: Array = small_column()


@dataclass(frozen=True, eq=False)
class AgreementByDate:
    """A study beside one judge. `changes`: (day, what) of the judge, to be drawn where they begin. Days are
    known for each axis.
    """

    questions: tuple[Question, ...]
    units: UnitTable
    moments: EventDates
    pairs: DatedPairs
    people: DriftLevels
    judge: DriftLevels
    changes: tuple[tuple[int, str], ...] = ()
    anchors: AnchorAnswers | None = None

    @classmethod
    def of(
        cls,
        material: LabelData,
        moments: EventDates,
        changes: tuple[tuple[int, str], ...] = (),
        anchors: AnchorAnswers | None = None,
    ) -> AgreementByDate:
        """Return the dated pairs of a study; `material`, as large again, is not kept."""
        questions, units = material.questions, material.units
        case_of = partial(find_cases, moments, units)
        return cls(
            questions,
            units,
            moments,
            _pair_with_days(questions, material.pairs, case_of),
            _levels(questions, material.labels_without_rule, case_of),
            _levels(questions, material.judge_labels, case_of),
            changes,
            anchors,
        )

    @cached_property
    def differences(self) -> Array:
        """Return judge less clinician for each pair, less each clinician's usual strictness; NaN without an
        order.
        """
        pairs = self.pairs
        known = ~np.isnan(pairs.difference)
        made = np.full(len(known), np.nan)
        made[known] = without_strictness(self.people, pairs.rater[known], pairs.difference[known])
        return made

    @cached_property
    def rating_days(self) -> IntArray:
        """Return the day on which each label of `people` was given, UNKNOWN (-1) if not known."""
        return self._rating_days(self.people.who, self.people.unit)

    @cached_property
    def _pair_days(self) -> dict[Axis, IntArray]:
        pairs, moments = self.pairs, self.moments
        return {
            "rated": shrink(self._rating_days(pairs.rater, pairs.unit)),
            "judged": shrink(find_days(*moments.judged, pairs.unit)),
            "held": shrink(moments.held[pairs.talk]),
        }

    def pair_days(self, axis: Axis) -> IntArray:
        """Return the day of each pair on this axis, UNKNOWN (-1) if not known."""
        return np.asarray(widen(self._pair_days[axis]))

    def _rating_days(self, rater: IntArray, unit: IntArray) -> IntArray:
        who, what, day = self.moments.rated
        most = int(max(what.max(initial=0), unit.max(initial=0))) + 1
        return find_days(who * most + what, day, rater * most + unit)

    def fitting(self, axis: Axis) -> Length:
        """Return "month" if there would be very many weeks, else "week"; a day has too few conversations."""
        return "month" if fitting(self.pair_days(axis)) == "month" else "week"

    @cached_property
    def axes(self) -> list[Axis]:
        """Return the axes on which any pair has a day."""
        return [axis for axis in AXES if (self._pair_days[axis] > UNKNOWN).any()]

    @property
    def usual_choice(self) -> PeriodChoice:
        """Return the first axis (there has to be one), the likeliest fact to divide by or None, and the
        period.
        """
        divides = self.moments.divides()
        return self.axes[0], divides[0] if divides else None, self.fitting(self.axes[0])


@dataclass(frozen=True, eq=False)
class PeriodView:
    """`by`: the fact that divides the conversations, None for none; `names` of its values. `length`: of a
    period.
    """

    source: AgreementByDate
    axis: Axis
    by: str | None
    length: Length

    @property
    def days(self) -> IntArray:
        """Return the day of each pair, UNKNOWN (-1) if not known."""
        return self.source.pair_days(self.axis)

    @cached_property
    def periods(self) -> Periods:
        """Return the periods. Raise BadInput if there would be too many."""
        return periods(self.days, self.length)

    @property
    def too_many(self) -> str | None:
        """Return why the periods can't be shown; None if they can."""
        try:
            return None if self.periods.first else "the day is unknown"
        except BadInput as wrong:
            return wrong.problem[0].upper() + wrong.problem[1:]

    @cached_property
    def names(self) -> tuple[str, ...]:
        return (
            tuple(sorted({one for one in self.source.moments.facts[self.by] if one is not None}))
            if self.by
            else ()
        )

    @cached_property
    def condition(self) -> IntArray:
        """Return the position of each conversation's condition in `names`, -1 if not known."""
        place = {name: number for number, name in enumerate(self.names)}
        if self.by is None:
            return np.full(len(self.source.moments.conversation), -1, dtype=np.int64)
        return np.array(
            [place.get(one or "", -1) for one in self.source.moments.facts[self.by]], dtype=np.int64
        )

    @cached_property
    def line(self) -> AgreementTrend:
        pairs = self.source.pairs
        return line(
            AgreementPairs(pairs.same, self.periods.of, self.condition[pairs.talk], pairs.part, pairs.weight),
            len(self.periods.first),
            self.names,
            self.length,
        )

    @cached_property
    def always(self) -> list[tuple[int, float | None]]:
        """Return, for each period, the equal pairs and their weighted share (None without a pair) of a
        judge that always gave a question's commonest label.
        """
        pairs, count = self.source.pairs, len(self.periods.first)
        dated = self.periods.of >= 0
        period, common, weight = self.periods.of[dated], pairs.commonest[dated], pairs.weight[dated]
        same = np.bincount(period, common, count).astype(int).tolist()
        weights = np.maximum(np.bincount(period, weight, count), 1e-300)
        shares = (np.bincount(period, weight * common, count) / weights).tolist()
        pairs_in_period = np.bincount(period, minlength=count).tolist()
        known_shares = [share if n else None for share, n in zip(shares, pairs_in_period, strict=True)]
        return list(zip(same, known_shares, strict=True))

    @cached_property
    def level_pairs(self) -> LevelPairs:
        """Return the pairs whose labels have a place in an order."""
        pairs, difference = self.source.pairs, self.source.differences
        valued = ~np.isnan(difference)
        # One after the other, not all of them at once in 64 bits.
        unit, question, case, part = (
            shrink(getattr(pairs, name)[valued]) for name in ("unit", "question", "talk", "part")
        )
        period, weight = shrink(self.periods.of[valued]), shrink(pairs.weight[valued])
        return LevelPairs(unit, question, case, part, period, difference[valued], weight)

    @cached_property
    def levels(self) -> list[Estimate]:
        """Return judge less clinicians for each period."""
        return level_by_period(self.level_pairs, len(self.periods.first))

    @cached_property
    def step(self) -> LevelStep:
        return level_step(self.level_pairs, self.cases)

    @cached_property
    def mover(self) -> tuple[Mover, Estimate | None]:
        """Return who moved where the level stepped, and how far the judge moved on the anchors."""
        return who_moved(self.step, self.findings[0], self.source.anchors)

    @cached_property
    def cases(self) -> ConversationDates:
        """Return when each conversation falls: the mean day of its pairs."""
        days = self.days
        dated = days > UNKNOWN
        talk, count = self.source.pairs.talk[dated], len(self.source.moments.conversation)
        n = np.bincount(talk, minlength=count)
        day = np.bincount(talk, days[dated], count) / np.maximum(n, 1)
        units = self.source.units
        person = (
            np.arange(count) + int(units.part.max(initial=0)) + 1
        )  # a rater without a unit that counts is not compared
        person[find_cases(self.source.moments, units, units.id)] = units.part
        return ConversationDates(
            np.where(n > 0, day, np.nan), self.condition, np.unique(person, return_inverse=True)[1]
        )

    @cached_property
    def findings(self) -> list[Finding]:
        """Return the findings on the four sources, the line and the level, corrected together."""
        source = self.source
        return family(
            [
                *sources(
                    DriftEvidence(self.cases, source.people, source.rating_days, source.judge, source.anchors)
                ),
                self.line.finding(),
                self.step.finding(),
            ]
        )

    @property
    def movers(self) -> list[Finding]:
        """Return the finding on the level, then those on the four sources."""
        return [self.level, *self.findings[: len(SOURCES)]]

    @property
    def trend(self) -> Finding:
        return self.findings[len(SOURCES)]

    @property
    def level(self) -> Finding:
        return self.findings[-1]

    @property
    def column(self) -> str:
        """Return the heading of the periods in a table."""
        return {"day": "Day", "week": "Week from", "month": "Month"}[self.length]

    @property
    def begin_names(self) -> tuple[str, ...]:
        """Return the name of each period in a sentence: "the week of 23 March 2026", "March 2026"."""
        names = tuple(map(date_in_words, self.periods.names))
        return tuple(f"the week of {name}" for name in names) if self.length == "week" else names

    @property
    def undated(self) -> int:
        """Return the number of pairs whose day is not known."""
        return int((self.days <= UNKNOWN).sum())

    @property
    def changes(self) -> list[tuple[str, str]]:
        """Return (ISO day, name) of what began along the line."""
        return [((EPOCH + timedelta(days=day)).isoformat(), name) for day, name in self.source.changes]


def find_cases(moments: EventDates, units: UnitTable, unit: IntArray) -> IntArray:
    """Return (N,) the position in `moments.conversation` of each unit's conversation."""
    order = np.argsort(moments.conversation)
    conversation = units.conversation[units.at(unit)]
    return np.asarray(order[np.searchsorted(moments.conversation, conversation, sorter=order)])


def _pair_with_days(
    questions: Sequence[Question],
    find_pairs: Callable[[int], LabelPairs],
    case_of: Callable[[IntArray], IntArray],
) -> DatedPairs:
    """`find_pairs`: of a question by its number. One question after the other; only small columns
    are kept.
    """
    nothing, nobody = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=bool)
    empty = DatedPairs(nobody, nobody, nothing, np.zeros(0), nothing, nothing, nothing, nothing, np.zeros(0))
    tables = [empty]
    for number, question in enumerate(questions):
        pairs, level = find_pairs(number), scaled(question)
        tables.append(
            DatedPairs(
                pairs.first == pairs.second,
                pairs.first == np.bincount(pairs.first, minlength=1).argmax(),
                np.full(len(pairs), number),
                level[pairs.second] - level[pairs.first],
                pairs.side,
                pairs.unit,
                case_of(pairs.unit),
                pairs.part,
                np.ones(len(pairs)) if pairs.weight is None else pairs.weight,
            )
        )
    return join_tables(tables)


def _levels(
    questions: Sequence[Question],
    find_labels: Callable[[int], Labels],
    case_of: Callable[[IntArray], IntArray],
) -> DriftLevels:
    """Those that have a place in the order of their scale, from 0 to 1."""
    nothing = np.zeros(0, dtype=np.int64)
    tables = [DriftLevels(nothing, nothing, nothing, nothing, np.zeros(0))]
    for number, question in enumerate(questions):
        labels = find_labels(number)
        level = scaled(question)[labels.code]
        valued = ~np.isnan(level)
        unit = labels.unit[valued]
        tables.append(
            DriftLevels(labels.rater[valued], unit, np.full(len(unit), number), case_of(unit), level[valued])
        )
    return join_tables(tables)


def scaled(asked: Question) -> Array:
    """Return the value of each label from 0, the lowest, to 1; NaN for "does not apply", and for all labels
    of a scale without an order, unless it has two levels.
    """
    values = np.array([np.nan if value is None else value for value in asked.values], dtype=float)
    if (
        not (asked.ordinal or len(asked.levels) == 2)
        or np.isnan(values).all()
        or np.nanmin(values) == np.nanmax(values)
    ):
        return np.full(len(values), np.nan)
    return np.asarray((values - np.nanmin(values)) / (np.nanmax(values) - np.nanmin(values)))


def find_days(keys: IntArray, day: IntArray, wanted: IntArray) -> IntArray:
    """Return the first day of each of the `wanted` keys; UNKNOWN (-1) for one that is not in `keys`.
    `day[i]` is a day of `keys[i]`; keys may repeat, in any order.
    """
    first_days, place = np.full(len(keys) + 1, UNKNOWN, dtype=np.int64), np.full(len(wanted), len(keys))
    names, at = numbered(keys)
    latest_first = np.argsort(-day, kind="stable")
    first_days[at[latest_first]] = day[latest_first]
    low = int(names[0]) if len(names) else 0
    span = int(names[-1]) - low + 1 if len(names) else 0
    if span <= 8 * len(names):
        table = np.full(span, len(keys))
        table[names - low] = np.arange(len(names))
        inside = (wanted >= low) & (wanted < low + span)
        place[inside] = table[wanted[inside] - low]
    else:
        near = np.minimum(np.searchsorted(names, wanted), len(names) - 1)
        place = np.where(names[near] == wanted, near, len(keys))
    return np.asarray(first_days[place])
