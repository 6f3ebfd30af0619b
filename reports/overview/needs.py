"""What of a study needs its lead: each with why, and the page on which it is done. The most urgent first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from data.labels.work_overview import RaterRow
from data.record.judge_runs import JudgeRun
from data.settling.escalations import Escalation
from reports.agreement.findings import Findings
from reports.drift.anchor_rounds import JudgeChange, in_round
from reports.verdict_table import FALLS_SHORT
from scoring.agreement.verdicts.criterion_agreement import JudgeAgreement
from scoring.agreement.verdicts.verdict_rule import TrustVerdict, VerdictReason
from words.plurals import count, inflect

Page = Literal["settle", "notes", "agreement", "drift", "work", "runs", "import"]
OF_BEFORE = "the verdicts may be from before the change"
QUIET_DAYS = 7  # after which a rater with units kept for them is named


@dataclass(frozen=True)
class Need:
    """`title` says what, `why` the reason, or ""; `step` stands on the way to the `page`. `criterion`: the
    one that the page opens with, or "".
    """

    title: str
    why: str
    step: str
    page: Page
    criterion: str = ""


def list_needs(
    findings: Findings,
    units: int,
    to_settle: int,
    notes: Sequence[Escalation],
    raters: Sequence[RaterRow],
    runs: Sequence[JudgeRun],
    change: JudgeChange | None,
    now: str,
) -> list[Need]:
    """Return what needs the study lead's attention, most urgent first.

    The order: notes to the lead, a change of the judge, the newest run if it broke off, failures to
    settle before a verdict at a safety gate, labels to settle, criteria, quiet raters, and that nobody
    has rated yet. Without units the only need is to import conversations.

    Args:
        findings: of the judge in use.
        units: number of units of the study.
        to_settle: number of labels on which clinicians differ.
        notes: to the lead, unanswered.
        raters: the raters' work.
        runs: newest first.
        change: of the judge, None if it has not changed.
        now: a moment as the store writes it.
    """
    if not units:
        return [Need("There is nothing to rate yet", "", "import conversations", "import")]
    return [
        *_notes(notes),
        *_change(findings, change),
        *_failed_run(runs),
        *_settle_first(findings),
        *_to_settle(to_settle),
        *_criteria(findings),
        *_quiet_raters(findings, raters, now),
        *_nobody_rates(findings, raters),
    ]


def _notes(notes: Sequence[Escalation]) -> list[Need]:
    if not notes:
        return []
    danger = sum(note.kind == "risk" for note in notes)
    why = f"{danger:,} {inflect(danger, 'says', 'say')} that somebody may be in danger" if danger else ""
    return [Need(f"{count(len(notes), 'note', 'notes')} to you", why, "read", "notes")]


def _change(findings: Findings, change: JudgeChange | None) -> list[Need]:
    if change is None:
        return []
    is_told = any(judged.verdict.verdict is not TrustVerdict.CANNOT_TELL for judged in findings.verdicts)
    why = OF_BEFORE if is_told else ""
    if change.is_last:
        return [Need("The judge now answers differently", why, "see how", "drift")]
    place = in_round(change.round, change.is_last)
    title = f"{place[:1].upper()}{place[1:]} the judge answered differently"
    return [Need(title, why, "see how", "drift")]


def _failed_run(runs: Sequence[JudgeRun]) -> list[Need]:
    ended = runs[0].state == "ended" and runs[0].outcome not in ("finished", "cancelled") if runs else False
    if not runs or not (ended or runs[0].state == "interrupted"):
        return []
    return [Need("The last run of a judge ended early", runs[0].said or "", "see why", "runs")]


def _settle_first(findings: Findings) -> list[Need]:
    """Failures at a safety gate, before any verdict on the judge there: one need for each criterion."""
    needs = []
    for judged in findings.verdicts:
        if judged.verdict.reason is VerdictReason.SETTLE_FIRST:
            settling = findings.gates[judged.number].settling
            question = findings.material.questions[judged.number]
            if settling.settled >= settling.drawn:  # none was drawn: the caution says what to do
                continue
            failures = findings.asked.study.noun.count(settling.drawn - settling.settled)
            progress = f"; {settling.settled:,} of {settling.drawn:,} are settled" if settling.settled else ""
            needs.append(
                Need(
                    f"Settle {failures} in which a clinician saw a failure",
                    f"{question.criterion.name}{progress}",
                    "settle",
                    "settle",
                    question.id,
                )
            )
    return needs


def _to_settle(labels: int) -> list[Need]:
    if not labels:
        return []
    return [Need(f"{count(labels, 'label', 'labels')} to settle", "", "begin", "settle")]


def _criteria(findings: Findings) -> list[Need]:
    """Where the judge falls short: of such criteria the one on which it differs most often, and
    how many there are. Their numbers are next to it, in the table of verdicts.
    """
    if findings.asked.judge is None:
        return []
    worse = [
        judge_agreement
        for judged, judge_agreement in zip(findings.verdicts, findings.beside, strict=True)
        if judged.verdict.verdict is TrustVerdict.NO and judge_agreement.counted.pairs
    ]
    if not worse:
        return []
    question = max(worse, key=_share_that_differs).question
    title, others = f"{question.criterion.name}: {FALLS_SHORT}", len(worse) - 1
    why = f"and {count(others, 'more criterion', 'more criteria')}" if others else ""
    return [Need(title, why, "read", "agreement", question.id)]


def _share_that_differs(judge_agreement: JudgeAgreement) -> float:
    counted = judge_agreement.counted
    return 1 - counted.same / counted.pairs


def _quiet_raters(findings: Findings, raters: Sequence[RaterRow], now: str) -> list[Need]:
    needs = []
    for rater in raters:
        if not rater.held or rater.last is None:
            continue
        days = (datetime.fromisoformat(now) - datetime.fromisoformat(rater.last)).days
        if days >= QUIET_DAYS:
            needs.append(
                Need(
                    f"{rater.code} has not rated for {days} days",
                    f"{findings.asked.study.noun.count(rater.held)} reserved for this rater",
                    "see the work",
                    "work",
                )
            )
    return needs


def _nobody_rates(findings: Findings, raters: Sequence[RaterRow]) -> list[Need]:
    if len(findings.everyone.given.unit) or any(rater.committed or rater.practice for rater in raters):
        return []
    return [Need("Nobody has rated yet", "", "set up who rates", "work")]
