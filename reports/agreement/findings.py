"""Everything an agreement report says, computed: once for the page and once more for a file, with the same
result.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from data.labels.margins import MarginChange
from data.record.judgements import Judge
from data.record.studies import Study
from reports.agreement.ordinal_levels import has_ordered_scale, ordinal_levels
from scoring.agreement.judges.arms import (
    ArmAgreement,
    ArmComparison,
    arm_agreement,
    by_reveals,
    shown_beside_blind,
)
from scoring.agreement.labels.label_data import Arm, LabelData
from scoring.agreement.people.anchoring import AnchoringSummary
from scoring.agreement.people.colleague import ColleagueComparison
from scoring.agreement.people.defensible import Defensible, Nuance, compare_defensible
from scoring.agreement.people.repeats import RepeatSummary
from scoring.agreement.people.severity import Severity, severity_of
from scoring.agreement.rates.decisions import Decisions, decisions
from scoring.agreement.safety.safety import Safety, safety
from scoring.agreement.verdicts.criterion_agreement import (
    HumanAgreement,
    JudgeAgreement,
    compare_judge_with_colleagues,
    compare_people,
    compare_with_judge,
)
from scoring.agreement.verdicts.influences import RaterInfluence, find_influences
from scoring.agreement.verdicts.more_conversations import MORE_MAY_ANSWER, MoreConversations, plan_more
from scoring.agreement.verdicts.raters import CopiedRater, find_copies
from scoring.agreement.verdicts.verdict_evidence import gather_evidence
from scoring.agreement.verdicts.verdict_rule import CriterionEvidence, CriterionVerdict, Margins, decide
from scoring.drift.rater_habits import RatingMinutes
from scoring.rationale import ReasoningAudit

DEFAULT_MARGINS = Margins()


@dataclass(frozen=True)
class CriterionFamily:
    """Criteria on one scale. `by_chance`: the share of pairs that the habits of both sides alone would make
    the same; None without pairs.
    """

    labels: tuple[str, ...]
    criteria: tuple[str, ...]
    percent: ArmAgreement
    by_chance: float | None


@dataclass(frozen=True)
class ReportRequest:
    """What a report is of. `judge` None: of people alone; `others`: whose labels are left out. `rater`,
    `condition`, `since` and `until` (moments) narrow it down. `arm`: which ratings the criteria are computed
    from; only "blind" is the headline.
    """

    study: Study
    judge: Judge | None
    others: tuple[Judge, ...] = ()
    rater: int | None = None
    condition: str | None = None
    since: str = ""
    until: str = ""
    arm: Arm = "blind"

    @property
    def narrowed(self) -> bool:
        return bool(self.condition or self.rater is not None or self.since or self.until)


@dataclass(frozen=True, eq=False)
class JudgedCriterion:
    """The question `number`: the verdict, the raters on whom it rests, how many more conversations would
    answer where more can, the verdict with the raters whose labels say nothing (None where there are none),
    and the verdict were nobody set aside (None where nobody is).
    """

    number: int
    evidence: CriterionEvidence
    verdict: CriterionVerdict
    influences: tuple[RaterInfluence, ...]
    plan: MoreConversations | None
    with_uninformative: CriterionVerdict | None
    with_aside: CriterionVerdict | None


@dataclass(frozen=True, eq=False)
class Findings:
    """`material`: labels that count; `everyone`: with those of raters who do not, because they labelled too
    few units (`thin`: rater -> units) or were set aside (`aside`: rater -> why). `names`: how each rater is
    called here. `seen_elsewhere`: labels that are in neither. `margins`: those that the study goes by, and
    `margin_changes` how they were moved after the first blind label. What needs the words of conversations
    (`audit`) is there only where it was asked for.
    """

    asked: ReportRequest
    material: LabelData
    names: Mapping[int, str]
    everyone: LabelData
    thin: Mapping[int, int] = field(default_factory=dict)
    aside: Mapping[int, str] = field(default_factory=dict)
    margins: Margins = DEFAULT_MARGINS
    margin_changes: tuple[MarginChange, ...] = ()
    nuances: Sequence[Nuance] = ()
    minutes: Mapping[int, RatingMinutes] = field(default_factory=dict)
    seen_elsewhere: int = 0
    anchoring: AnchoringSummary | None = None
    repeats: RepeatSummary | None = None
    audit: tuple[ReasoningAudit, Mapping[str, ReasoningAudit]] | None = None

    @cached_property
    def used(self) -> tuple[int, ...]:
        """Return the positions of questions that were asked of a rater who counts.

        A declared plan uses only some strategies of its taxonomy.
        """
        return self._asked_questions(self.material)

    @cached_property
    def labelled(self) -> tuple[int, ...]:
        """Return the positions of questions that were asked of any rater, also of those who do not count."""
        return self._asked_questions(self.everyone)

    def _asked_questions(self, material: LabelData) -> tuple[int, ...]:
        said = np.bincount(material.given.question, minlength=len(material.questions))
        said += np.bincount(material.judge.question, minlength=len(said))
        fixed = not self.asked.study.instrument.criteria_from
        return tuple(number for number in range(len(material.questions)) if fixed or said[number])

    @cached_property
    def blind_raters(self) -> frozenset[int]:
        """Return the raters who gave a blind label, also those who are not in the headline."""
        return frozenset(np.unique(self.everyone.blind.rater).tolist())

    @cached_property
    def beside(self) -> tuple[JudgeAgreement, ...]:
        return tuple(compare_with_judge(self.material, number, self.asked.arm) for number in self.used)

    @cached_property
    def people(self) -> tuple[HumanAgreement, ...]:
        return tuple(compare_people(self.material, number, self.asked.arm) for number in self.used)

    @cached_property
    def colleague_comparisons(self) -> tuple[tuple[ColleagueComparison, ...], ...]:
        return tuple(
            compare_judge_with_colleagues(self.material, number, self.asked.arm) for number in self.used
        )

    @cached_property
    def families(self) -> tuple[CriterionFamily, ...]:
        """Return the families of criteria on one scale, in the order in which criteria first use them."""
        scales: dict[tuple[str, ...], list[JudgeAgreement]] = {}
        for judge_agreement in self.beside:
            scales.setdefault(judge_agreement.question.family, []).append(judge_agreement)
        families = []
        for ones in scales.values():
            pairs = sum(judge_agreement.counted.pairs for judge_agreement in ones)
            chance = (
                sum(
                    (judge_agreement.by_chance or 0.0) * judge_agreement.counted.pairs
                    for judge_agreement in ones
                )
                / pairs
                if pairs
                else None
            )
            families.append(
                CriterionFamily(
                    ones[0].question.names,
                    tuple(judge_agreement.question.id for judge_agreement in ones),
                    arm_agreement(self.asked.arm, [judge_agreement.pairs for judge_agreement in ones]),
                    chance,
                )
            )
        return tuple(families)

    @cached_property
    def verdicts(self) -> tuple[JudgedCriterion, ...]:
        """Return the verdict on each criterion in `used`, with what it rests on."""
        return tuple(self._judged(number) for number in self.used)

    def _judged(self, number: int) -> JudgedCriterion:
        evidence = self._evidence(self.material, number)
        verdict = decide(evidence, self.margins)
        return JudgedCriterion(
            number,
            evidence,
            verdict,
            find_influences(evidence, verdict, self.margins),
            plan_more(self.material, number, evidence, self.margins, self.everyone)
            if verdict.reason in MORE_MAY_ANSWER
            else None,
            decide(evidence.with_everyone, self.margins) if evidence.with_everyone else None,
            decide(self._evidence(self._with_aside, number), self.margins) if self.aside else None,
        )

    def _evidence(self, material: LabelData, number: int) -> CriterionEvidence:
        return gather_evidence(
            material,
            number,
            self.asked.arm,
            one_rater_chosen=self.asked.rater is not None,
            everyone=self.everyone,
            copies=self._suspects,
        )

    @cached_property
    def _suspects(self) -> Mapping[int, CopiedRater]:
        """Copies among the raters who count."""
        return find_copies(self.material, self.used) if self.asked.judge else {}

    @cached_property
    def _with_aside(self) -> LabelData:
        return self.everyone.leave_out(frozenset(self.thin))

    def forget_steps(self) -> None:
        """Free what was computed on the way to the findings; the findings stay."""
        vars(self).pop("_with_aside", None)
        for labels in (self.material, self.everyone):
            labels.forget_steps()

    @cached_property
    def with_aside_agreement(self) -> ArmAgreement:
        """Return the percent agreement over all criteria with the raters who are set aside."""
        return arm_agreement(
            self.asked.arm, [self._with_aside.pairs(number, self.asked.arm) for number in self.used]
        )

    @cached_property
    def defensible(self) -> tuple[Defensible, ...]:
        return compare_defensible(self.material, self.nuances)

    @cached_property
    def copies(self) -> tuple[CopiedRater, ...]:
        return tuple(find_copies(self.everyone, self.used).values()) if self.asked.judge else ()

    @cached_property
    def safety(self) -> Safety | None:
        return (
            safety(self.material, [*self.gates], self.everyone) if self.gates and self.asked.judge else None
        )

    @cached_property
    def gates(self) -> dict[int, Safety]:
        """Return position of each safety criterion in `used` -> its safety findings."""
        return {
            number: safety(self.material, [number], self.everyone)
            for number in self.used
            if self.material.questions[number].gate
        }

    @cached_property
    def arms(self) -> ArmComparison:
        return shown_beside_blind(self.material)

    @cached_property
    def reveals(self) -> tuple[ArmAgreement, ...]:
        return by_reveals(self.material)

    @cached_property
    def decisions(self) -> Decisions | None:
        return decisions(self.material, self.asked.study.instrument)

    @property
    def levels(self) -> bool:
        """Tell whether any criterion has an ordered scale."""
        return has_ordered_scale(self.material)

    @cached_property
    def severity(self) -> Severity:
        """Return how strict raters are, in levels over the criteria with an ordered scale.

        If no criterion has one, in shares of failing labels. Never both at once: a strict rater gives lower
        levels and more failures.
        """
        return severity_of(ordinal_levels(self.material, self.asked.study.instrument))

    def criterion(self, id_: str) -> str:
        """Return the name of the criterion with this id, or the id itself if it is unknown."""
        return next(
            (question.criterion.name for question in self.material.questions if question.id == id_), id_
        )

    @property
    def of(self) -> str:
        """Return what intervals leave out at a time: "conversation", or "person" where one has several."""
        return "person" if self.material.units.persons else "conversation"

    @property
    def failed(self) -> int:
        return len(self.material.judge.failed)
