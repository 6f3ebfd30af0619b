"""What an agreement report rests on, read from the store once, and the findings of any part of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from data.labels import rationales
from data.labels.agreement_material import read
from data.labels.labels_after_reveal import Reveals, read_reveals
from data.labels.margins import MarginChange, margin_changes, margins_of
from data.labels.rating_durations import RatingMoments, rating_moments
from data.labels.rating_nuances import rating_nuances
from data.labels.repeated_answers import answered_twice
from data.record.known_words import count_seen_elsewhere
from data.record.rater_codes import read_rater_codes
from data.record.set_aside import raters_set_aside
from data.store.store import Connection
from reports.agreement.findings import DEFAULT_MARGINS, Findings, ReportRequest
from scoring.agreement.labels.label_data import LabelData
from scoring.agreement.people.anchoring import AnchoringSummary, anchoring
from scoring.agreement.people.defensible import Nuance
from scoring.agreement.people.repeats import RepeatedAnswer, RepeatSummary, repeats
from scoring.agreement.verdicts.raters import find_raters_left_out
from scoring.agreement.verdicts.verdict_rule import Margins
from scoring.drift.rater_habits import RatingMinutes, minutes
from scoring.judge_reasons import JudgeReasons
from scoring.rationale import audit

NO_CONDITION = -2  # no unit has it; -1 are those whose facts name none


@dataclass(frozen=True, eq=False)
class AgreementData:
    """What was read of a study beside one judge or none: any rater, condition or arm is narrowed down from it
    without reading again.

    `codes`: what each rater of the study is called, in the order of the codes. `aside`: raters set aside,
    with the reason. `seen_elsewhere`: ratings that are left out because their rater had seen the judge of the
    same words in another study.
    """

    material: LabelData
    codes: Mapping[int, str]
    revealed: Reveals | None
    twice: Sequence[RepeatedAnswer]
    aside: Mapping[int, str] = field(default_factory=dict)
    margins: Margins = DEFAULT_MARGINS
    margin_changes: tuple[MarginChange, ...] = ()
    nuances: Sequence[Nuance] = ()
    minutes: Mapping[int, RatingMinutes] = field(default_factory=dict)
    seen_elsewhere: int = 0

    def forget_steps(self) -> None:
        """Free the cached steps of the labels."""
        self.material.forget_steps()


def gather_findings(
    connection: Connection, asked: ReportRequest, *, pseudonyms: bool = True, reasons: bool = False
) -> Findings:
    """Read a study and return the findings that a report on it needs.

    `pseudonyms`: raters under codes, not names. `reasons`: also read the words of conversations and
    reasons, to check what the judge quotes.
    """
    given = (
        rationales.read_reasons(connection, asked.study, asked.judge.id) if asked.judge and reasons else None
    )
    return narrow_findings(
        read_agreement_data(connection, asked), asked, pseudonyms=pseudonyms, reasons=given
    )


def read_agreement_data(connection: Connection, asked: ReportRequest) -> AgreementData:
    """Read a study with the judge and times asked for; rater, condition and arm are not applied yet."""
    study, judge = asked.study, asked.judge.id if asked.judge else None
    material = read(connection, study, judge, asked.since, asked.until)
    return AgreementData(
        material,
        read_rater_codes(connection, study),
        None if judge is None else read_reveals(connection, study, judge),
        answered_twice(connection, study).pairs,
        raters_set_aside(connection, study.id),
        margins_of(connection, study.id),
        margin_changes(connection, study.id),
        rating_nuances(connection, study, material.questions),
        minutes_of_raters(rating_moments(connection, study)),
        count_seen_elsewhere(connection, study.id),
    )


def narrow_findings(
    source: AgreementData,
    asked: ReportRequest,
    *,
    pseudonyms: bool = True,
    reasons: JudgeReasons | None = None,
) -> Findings:
    """Return the findings for the rater, condition and arm asked for.

    Args:
        source: of the same study, judge and times.
        asked: what the report is about.
        pseudonyms: raters under codes, not names.
        reasons: the judge's reasons in all conversations, None to leave them unchecked.
    """
    condition = _find_condition(source.material, asked.condition)
    everyone = source.material.narrow_to(asked.rater, condition)
    scope = _Scope(_select_conversations(source.material, condition), asked.rater)
    aside, thin = find_raters_left_out(everyone, source.aside) if asked.rater is None else (frozenset(), {})
    return Findings(
        asked=asked,
        material=everyone.leave_out(aside.union(thin)),
        names=source.codes
        if pseudonyms
        else {rater: source.material.people[rater] for rater in source.codes},
        everyone=everyone,
        thin=thin,
        aside={rater: source.aside[rater] for rater in source.codes if rater in aside},
        margins=source.margins,
        margin_changes=source.margin_changes,
        nuances=source.nuances,
        minutes=source.minutes,
        seen_elsewhere=source.seen_elsewhere if asked.rater is None else 0,
        anchoring=_summarise_anchoring(scope, source.revealed),
        repeats=_summarise_repeats(scope, source),
        audit=None if reasons is None else audit(reasons.of_conversations(scope.has)),
    )


@dataclass(frozen=True)
class _Scope:
    """What a report is narrowed down to: ids of conversations and the id of a rater; None: all of them."""

    conversations: frozenset[int] | None
    rater: int | None

    def has(self, conversation: int, rater: int | None = None) -> bool:
        """`rater` None: of what no rater gave."""
        return (self.conversations is None or conversation in self.conversations) and (
            self.rater is None or rater is None or rater == self.rater
        )


def _find_condition(material: LabelData, name: str | None) -> int | None:
    """A condition that no conversation has leaves nothing; None leaves everything."""
    if name is None:
        return None
    conditions = material.units.conditions
    return conditions.index(name) if name in conditions else NO_CONDITION


def _select_conversations(material: LabelData, condition: int | None) -> frozenset[int] | None:
    if condition is None:
        return None
    return frozenset(material.units.conversation[material.units.condition == condition].tolist())


def _summarise_anchoring(scope: _Scope, revealed: Reveals | None) -> AnchoringSummary | None:
    """None where there is no judge whose labels could have been shown."""
    if not revealed:
        return None
    reveals_within = [reveal for reveal in revealed.reveals if scope.has(reveal.conversation, reveal.rater)]
    return anchoring(reveals_within, revealed.levels)


def _summarise_repeats(scope: _Scope, source: AgreementData) -> RepeatSummary:
    answers = [answer for answer in source.twice if scope.has(answer.conversation, answer.rater)]
    return repeats(answers, {question.id: question.domain for question in source.material.questions})


def minutes_of_raters(moments: RatingMoments) -> dict[int, RatingMinutes]:
    """Return the minutes of raters who rated here; the time of imported ratings is unknown."""
    return {
        rater: minutes(moments.minutes[moments.rater == rater]) for rater in np.unique(moments.rater).tolist()
    }
