"""How raters move: read once, computed once, and then shown for all of them or for one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from data.labels import agreement_material
from data.labels.rating_durations import RatingMoments, rating_moments
from data.labels.repeated_answers import answered_twice
from data.record.rater_codes import read_rater_codes
from data.record.studies import Study, raters
from data.store.store import Connection
from data.work import calibration
from data.work import plan as plans
from data.work.plan import WorkPlan
from reports.agreement.ordinal_levels import has_ordered_scale, ordinal_levels
from scoring.agreement.intervals.estimate import Estimate
from scoring.agreement.people.repeats import RepeatedAnswer
from scoring.agreement.people.rounds import AgreementShare, RoundLabel, pairwise, with_others
from scoring.agreement.significance_tests.multiplicity import holm
from scoring.arrays import IntArray, Mask
from scoring.drift.periods import Length, Periods, fitting, periods
from scoring.drift.rater_habits import (
    RatingMinutes,
    RepeatShare,
    minutes,
    minutes_by_period,
    over_periods,
    same_again,
    same_by_period,
)
from scoring.drift.rater_levels import LevelDifferences, dated_levels, level_by_period, level_differences
from scoring.drift.rater_movement import Movement, Movements, measure_movement, movements
from scoring.drift.recalibrate import RecalibrationReasons, RoundAgreement, recalibration_reasons
from words.unit_nouns import UnitNoun

YOU = "You"


@dataclass(frozen=True)
class CalibrationResult:
    """A calibration round whose labels were laid beside each other. `after` empty: nobody rated again yet, or
    it may not be shown yet.
    """

    title: str
    at: str
    raters: tuple[int, ...]
    before: tuple[RoundLabel, ...]
    after: tuple[RoundLabel, ...]

    def of(self, rater: int) -> RoundAgreement:
        """Return a rater's agreement with the others after the discussion; before it if they have not rated
        again.
        """
        again = with_others(self.after, rater)
        return (
            RoundAgreement(self.title, True, again)
            if again.pairs
            else RoundAgreement(self.title, False, with_others(self.before, rater))
        )

    @property
    def shares(self) -> tuple[AgreementShare, AgreementShare]:
        return pairwise(self.before), pairwise(self.after)


@dataclass(frozen=True, eq=False)
class RaterDriftData:
    """What was read of a study, and the tests that take everybody. `undated`: units whose labels by a rater
    were not committed here but imported, whether or not the file told the day.

    `threshold`: from the plan, or as a plan has it by default where there is none (`planned`). `rounds`: the
    newest first.
    """

    names: Mapping[int, str]
    codes: Mapping[int, str]
    ordered: bool
    moments: RatingMoments
    everyone: LevelDifferences
    moved: Movements
    twice: Sequence[RepeatedAnswer]
    rounds: Sequence[CalibrationResult]
    undated: int
    threshold: float
    planned: bool
    noun: UnitNoun

    @cached_property
    def days(self) -> IntArray:
        """Return the days of all units and repeats, so that the periods are the same in every chart."""
        return np.concatenate(
            [
                self.moments.day,
                np.array([repeated_answer.day for repeated_answer in self.twice], dtype=np.int64),
            ]
        )

    @property
    def length(self) -> Length:
        """Return the period length that fits the days."""
        return fitting(self.days)

    @property
    def raters(self) -> list[int]:
        """Return who has committed anything or taken part in a round, in the order of their codes."""
        there = {
            *self.moments.rater.tolist(),
            *(repeated_answer.rater for repeated_answer in self.twice),
            *(label.rater for round_ in self.rounds for label in round_.before),
        }
        return sorted((one for one in there if one in self.codes), key=lambda one: self.codes[one])


def gather_raters(connection: Connection, study: Study, rater: int | None) -> RaterDriftData:
    """Read what is known of a study's raters over time.

    `rater`: who will see it, None for a lead. Second answers of a round are left out for a rater who has
    yet to give theirs.
    """
    material = agreement_material.read(connection, study, None)
    moments, plan = rating_moments(connection, study), plans.current(connection, study.id)
    undated = _undated(moments, material.given.rater, material.given.unit)
    levels = dated_levels(
        ordinal_levels(material, study.instrument), moments.rater, moments.unit, moments.day
    )
    people = {
        study_rater.id: study_rater.name
        for study_rater in raters(connection, study.id)
        if study_rater.kind == "person"
    }
    return RaterDriftData(
        people,
        {rater: code for rater, code in read_rater_codes(connection, study).items() if rater in people},
        has_ordered_scale(material),
        moments,
        level_differences(levels),
        movements(levels),
        answered_twice(connection, study).pairs,
        [*_rounds(connection, study, rater)],
        undated,
        (plan or WorkPlan()).recalibrate_below,
        plan is not None,
        study.noun,
    )


def _undated(moments: RatingMoments, rater: IntArray, unit: IntArray) -> int:
    most = int(max(unit.max(initial=0), moments.unit.max(initial=0))) + 1
    return int((~np.isin(np.unique(rater * most + unit), moments.rater * most + moments.unit)).sum())


def _rounds(connection: Connection, study: Study, rater: int | None) -> Iterable[CalibrationResult]:
    for calibration_round in calibration.rounds(connection, study.id):
        if calibration_round.step:  # before that it is still rated blind
            before, after = (
                [RoundLabel(*row) for row in calibration.labels(connection, calibration_round, again)]
                for again in (False, True)
            )
            shown = calibration.repeats_shown(connection, calibration_round, rater)
            yield CalibrationResult(
                calibration_round.title,
                calibration_round.at,
                calibration_round.raters,
                tuple(before),
                tuple(after) if shown else (),
            )


@dataclass(frozen=True, eq=False)
class RaterDrift:
    """Of those in `names`, how each is called here. `own`: only of the rater who reads it, who sees no other
    one by themselves.

    Raises BadInput where there would be too many periods.
    """

    source: RaterDriftData
    periods: Periods
    names: Mapping[int, str]
    own: bool = False

    @cached_property
    def _of_moments(self) -> IntArray:
        return self.periods.of[: len(self.source.moments.day)]

    @cached_property
    def levels(self) -> dict[int, list[Estimate]]:
        """Return each rater's level by period, compared with all others.

        In a study of two, the others are one single person.
        """
        estimates = {}
        for rater in self.names:
            if rater in self.source.moved.differences and not self.withheld(rater):
                differences = (
                    self.source.everyone.of(rater) if self.own else self.source.moved.differences[rater]
                )
                estimates[rater] = level_by_period(differences, self._like(differences.day))
        return estimates

    def _like(self, days: IntArray) -> Periods:
        """Return the same periods for `days`, which must all lie in them."""
        every, where = np.unique(self.source.days, return_index=True)
        return replace(self.periods, of=self.periods.of[where][np.searchsorted(every, days)])

    def withheld(self, rater: int) -> bool:
        """Return whether this rater's numbers would reveal those of one single other rater."""
        movement = self.source.moved.raters.get(rater)
        return self.own and (
            len(self.source.everyone.partners.get(rater, ())) == 1
            or (movement is not None and movement.verdict == "difference changed")
        )

    @cached_property
    def movements(self) -> dict[int, Movement]:
        """Return each rater's movement, with its slope against the same others as in `levels`."""
        movements = {}
        for rater in self.names:
            movement = self.source.moved.raters.get(rater)
            if movement is not None and not self.withheld(rater):
                if self.own:
                    seen = measure_movement(self.source.everyone.of(rater))
                    movement = (
                        movement
                        if seen.p is None
                        else replace(seen, adjusted=movement.adjusted, verdict=movement.verdict)
                    )
                movements[rater] = movement
        return movements

    @cached_property
    def same(self) -> dict[int, RepeatShare]:
        """Return rater -> how often they gave the same label again, over all periods."""
        return {rater: same_again(some) for rater, some in self._twice.items() if some}

    @cached_property
    def same_by_period(self) -> dict[int, list[RepeatShare]]:
        return {
            rater: same_by_period(
                some, self._like(np.array([repeated_answer.day for repeated_answer in some], dtype=np.int64))
            )
            for rater, some in self._twice.items()
            if some
        }

    @cached_property
    def _twice(self) -> dict[int, list[RepeatedAnswer]]:
        repeated_answers: dict[int, list[RepeatedAnswer]] = {rater: [] for rater in self.names}
        for repeated_answer in self.source.twice:
            if repeated_answer.rater in repeated_answers:
                repeated_answers[repeated_answer.rater].append(repeated_answer)
        return repeated_answers

    @cached_property
    def minutes(self) -> dict[int, RatingMinutes]:
        return {rater: minutes(self.source.moments.minutes[chosen]) for rater, chosen in self._units.items()}

    @cached_property
    def minutes_by_period(self) -> dict[int, list[RatingMinutes]]:
        return {
            rater: minutes_by_period(
                self.source.moments.minutes[chosen], replace(self.periods, of=self._of_moments[chosen])
            )
            for rater, chosen in self._units.items()
        }

    @cached_property
    def _units(self) -> dict[int, Mask]:
        found = {rater: np.asarray(self.source.moments.rater == rater) for rater in self.names}
        return {rater: chosen for rater, chosen in found.items() if chosen.any()}

    @cached_property
    def rounds(self) -> list[CalibrationResult]:
        """Return the calibration rounds; for a rater only their own."""
        return [result for result in self.source.rounds if not self.own or {*self.names} & {*result.raters}]

    def last_round(self, rater: int) -> RoundAgreement | None:
        """Return the newest round in which this rater has agreement with others; None if there is none."""
        return next(
            (
                round_agreement
                for round_agreement in (result.of(rater) for result in self.rounds)
                if round_agreement.share.pairs
            ),
            None,
        )

    @cached_property
    def reasons(self) -> dict[int, RecalibrationReasons]:
        """Return rater -> reasons for calibrating again, only for raters with any."""
        reasons_by_rater = {
            rater: recalibration_reasons(
                self.movements.get(rater),
                self.same.get(rater),
                self.last_round(rater),
                self.source.threshold,
            )
            for rater in self.names
        }
        return {rater: reasons for rater, reasons in reasons_by_rater.items() if reasons}

    def trends(
        self, series: Mapping[int, Sequence[float | None]]
    ) -> dict[int, tuple[float | None, int, int]]:
        """Return rater -> (p of Mann and Kendall's test after Holm, direction, periods with a value)."""
        found = {rater: over_periods(one) for rater, one in series.items()}
        adjusted = holm([p for p, _, _ in found.values()])
        return {
            rater: (p, way, known)
            for p, (rater, (_, way, known)) in zip(adjusted, found.items(), strict=True)
        }


def of_everyone(source: RaterDriftData, length: Length, named: bool) -> RaterDrift:
    """Return everybody's drift for a lead, under names if `named`, else under codes.

    Raise BadInput if there would be too many periods.
    """
    return RaterDrift(
        source,
        periods(source.days, length),
        {one: (source.names if named else source.codes)[one] for one in source.raters},
    )


def of_reader(source: RaterDriftData, length: Length, rater: int) -> RaterDrift:
    """Return a rater's own drift. Raise BadInput if there would be too many periods."""
    return RaterDrift(source, periods(source.days, length), {rater: YOU}, own=True)
