"""Why the headline of a study does not compare an answer."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from enum import StrEnum, auto
from typing import Protocol

from data.labels.counted import find_arm
from data.labels.headline_labels import HeadlineLabels, choose_members
from data.record.studies import Study
from data.schema.vocabulary import RatingSource, UnitKind
from scoring.instruments import Criterion
from scoring.judges.statuses import OK


class WhyNot(StrEnum):
    """Why an answer is not compared. Where several reasons apply, the first that is found is given."""

    REPEAT = auto()
    PRACTICE = auto()
    NOT_IN_RUBRIC = auto()
    RULE = auto()
    SEEN_ELSEWHERE = auto()
    NOT_BLIND = auto()
    EXPOSURE_UNKNOWN = auto()
    CANNOT_RATE = auto()
    OTHER_ANSWER = auto()
    SET_ASIDE = auto()
    FEW_UNITS = auto()
    NOT_SELECTED = auto()
    NO_JUDGE_LABEL = auto()
    ANCHOR = auto()
    OTHER_JUDGE = auto()
    REPLICATE = auto()
    REPLACED_FAILURE = auto()
    FAILURE = auto()
    NO_RATING = auto()


class RatedUnit(Protocol):
    """`counts`: whether labels of the unit may count (`counted_units`)."""

    @property
    def id(self) -> int: ...
    @property
    def kind(self) -> str: ...
    @property
    def turns(self) -> int: ...
    @property
    def counts(self) -> bool: ...


class Answer(Protocol):
    """A rating. `unseen`: whether its rater had not seen the judge of the same words elsewhere."""

    @property
    def id(self) -> int: ...
    @property
    def rater_id(self) -> int: ...
    @property
    def criterion(self) -> str: ...
    @property
    def source(self) -> str: ...
    @property
    def exposure(self) -> str: ...
    @property
    def unseen(self) -> bool: ...


class HeadlineReasons:
    """Finds the reasons for a few units and their ratings."""

    def __init__(
        self, study: Study, headline: HeadlineLabels, unit_ids: Collection[int], rating_ids: Collection[int]
    ) -> None:
        self._instrument, self._headline = study.instrument, headline
        strategies = study.taxonomy.strategies if study.taxonomy is not None else ()
        self._criteria: dict[str, Criterion] = {
            criterion.id: criterion for criterion in study.instrument.criteria_for(strategies)
        }
        self._answers = choose_members(rating_ids, headline.answers)
        self._refused = choose_members(rating_ids, headline.refused)
        self.compared = choose_members(rating_ids, headline.ratings)
        self._judged = {name: choose_members(unit_ids, units) for name, units in headline.judged.items()}
        self._selected = None if headline.selected is None else choose_members(unit_ids, headline.selected)

    def of_rating(self, unit: RatedUnit, person: int, answers: Sequence[Answer]) -> WhyNot | None:
        """Return why none of the answers of a rater to one question is compared; None where one is.

        `person`: whom the rater counts as. `answers`: the first one and its changes.
        """
        if any(answer.id in self.compared for answer in answers):
            return None
        if not unit.counts:
            return WhyNot.PRACTICE if unit.kind == UnitKind.LISTED else WhyNot.REPEAT
        criterion = answers[0].criterion
        if criterion not in self._criteria:
            return WhyNot.NOT_IN_RUBRIC
        counted = next((answer.id for answer in answers if answer.id in self._answers), None)
        if counted is None:
            return _why_no_answer_counts(answers)
        if counted in self._refused:
            return WhyNot.CANNOT_RATE
        if person in self._headline.set_aside:
            return WhyNot.SET_ASIDE
        if person in self._headline.thin:
            return WhyNot.FEW_UNITS
        return self._of_unit(unit, criterion) or WhyNot.NO_JUDGE_LABEL

    def of_verdict(
        self,
        unit: RatedUnit,
        judge_id: int,
        criterion: str,
        status: str,
        anchor_round: int,
        replicate: int,
        is_first: bool,
    ) -> WhyNot | None:
        """Return why an answer of a judge is not compared; None where it is.

        `is_first`: whether it is the first verdict (`first_labels_only`).
        """
        if anchor_round:
            return WhyNot.ANCHOR
        if judge_id != self._headline.judge_id:
            return WhyNot.OTHER_JUDGE
        if not unit.counts:
            return WhyNot.PRACTICE
        if not is_first:
            return WhyNot.REPLICATE if replicate or status == OK else WhyNot.REPLACED_FAILURE
        if status != OK:
            return WhyNot.FAILURE
        if criterion not in self._criteria:
            return WhyNot.NOT_IN_RUBRIC
        if unit.id in self._judged[criterion]:
            return None
        return self._of_unit(unit, criterion) or WhyNot.NO_RATING

    def _of_unit(self, unit: RatedUnit, criterion: str) -> WhyNot | None:
        if self._selected is not None and unit.id not in self._selected:
            return WhyNot.NOT_SELECTED
        forced = self._instrument.forced_not_applicable(self._criteria[criterion], unit.turns)
        return WhyNot.RULE if forced else None


def _why_no_answer_counts(answers: Sequence[Answer]) -> WhyNot:
    given = [answer for answer in answers if answer.source != RatingSource.RULE]
    blind = [answer for answer in given if find_arm(answer.exposure) == "blind"]
    if not given:
        return WhyNot.RULE
    if any(answer.unseen for answer in blind):
        return WhyNot.OTHER_ANSWER
    if blind:
        return WhyNot.SEEN_ELSEWHERE
    return WhyNot.EXPOSURE_UNKNOWN if find_arm(given[0].exposure) == "unknown" else WhyNot.NOT_BLIND
