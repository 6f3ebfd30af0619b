"""A verdict in a clinician's words: the answer, why, and what to do next."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from reports.agreement.findings import Findings, JudgedCriterion
from reports.agreement.verdict_cautions import phrase_coverage
from reports.agreement.verdict_phrases import VerdictContext
from reports.agreement.verdict_sentences import REASONS
from reports.verdict_table import VERDICTS
from reports.wording import listed, odds
from scoring.agreement.verdicts.more_conversations import MoreConversations
from scoring.agreement.verdicts.verdict_rule import CriterionVerdict, TrustVerdict
from words.plurals import count
from words.unit_nouns import CONVERSATION, UnitNoun

FIRST_CLAUSE = re.compile("[:;]")  # ends the few words of a next step


@dataclass(frozen=True)
class VerdictWords:
    """`next`: what to do next; `step`: its first words. `rests_on`: raters without whom the
    answer would be another one, or "".
    """

    criterion: str
    answer: str
    why: str
    step: str
    next: str
    rests_on: str


def word_verdicts(findings: Findings, name_of: Callable[[str], str] = str) -> tuple[VerdictWords, ...]:
    """Return the words on each verdict, in the order of `findings.verdicts`.

    `name_of`: returns how a coefficient is called; by default as in statistics.
    """
    return tuple(_words(findings, judged, name_of) for judged in findings.verdicts)


def _words(findings: Findings, judged: JudgedCriterion, name_of: Callable[[str], str]) -> VerdictWords:
    question, evidence, verdict = findings.material.questions[judged.number], judged.evidence, judged.verdict
    context = VerdictContext(
        evidence,
        findings.margins,
        verdict,
        judged.plan,
        question.names,
        question.not_applicable is not None,
        findings.of,
        findings.asked.study.noun,
        findings.names,
        name_of,
    )
    why, what_next = REASONS[verdict.reason](context)
    coverage = phrase_coverage(evidence.lost.labelled, evidence.lost.rated, context.noun)
    why = f"{why}; {coverage}" if coverage else why
    if findings.gates.get(judged.number) is not None and verdict.verdict in (
        TrustVerdict.YES,
        TrustVerdict.LEANS,
    ):
        what_next = "keep checking what it passes"
    if judged.plan is not None:
        what_next = plan_in_words(judged.plan, context.of, context.noun)
    rests_on = [
        f"{findings.names.get(influence.rater, '?')} (without this rater, it would be \u201c"
        f"{_word(influence.without)}\u201d)"
        for influence in judged.influences
    ]
    if judged.with_uninformative is not None:
        left_out = listed([findings.names.get(rater, "?") for rater in evidence.uninformative])
        rests_on.append(
            f"leaving out {left_out}, not shown to agree with the others beyond chance (with their labels, "
            f"it would be \u201c{_word(judged.with_uninformative)}\u201d)"
        )
    step = FIRST_CLAUSE.split(what_next)[0]
    return VerdictWords(question.criterion.name, _word(verdict), why, step, what_next, "; ".join(rests_on))


def _word(verdict: CriterionVerdict) -> str:
    return VERDICTS[verdict.verdict].word


def plan_in_words(plan: MoreConversations, of: str = "conversation", noun: UnitNoun = CONVERSATION) -> str:
    """Return how many more conversations would give an answer, and in how many of ten studies.

    `of`: "person" where a person has several conversations.
    """
    if not plan.most:
        return f"have {noun.plural} rated by two clinicians"
    more = count(plan.needed or plan.most, f"more {of}", f"more {of}s")
    answer = f"rated in the same way, would give an answer in {odds(plan.chance)} such studies"
    if plan.needed is not None:
        return f"about {more}: as many like these, {answer}"
    return f"read where they differ: {more} like these, {answer}"
