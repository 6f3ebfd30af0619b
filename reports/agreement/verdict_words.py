"""A verdict in a clinician's words: the answer, why, and what to do next."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from reports.agreement.findings import Findings, JudgedCriterion
from reports.agreement.verdict_cautions import phrase_coverage
from reports.agreement.verdict_phrases import VerdictContext
from reports.agreement.verdict_sentences import SENTENCES, name_step
from reports.wording import listed, odds
from scoring.agreement.verdicts.more_conversations import MoreConversations
from scoring.agreement.verdicts.verdict_rule import TrustVerdict
from words.plurals import count
from words.unit_nouns import CONVERSATION, UnitNoun

ANSWERS = {
    TrustVerdict.YES: "like a colleague",
    TrustVerdict.LEANS: "leans one way",
    TrustVerdict.NO: "not like a colleague",
    TrustVerdict.NOT_SHOWN: "not shown yet",
    TrustVerdict.COLLEAGUES_DIFFER: "clinicians differ",
    TrustVerdict.CANNOT_TELL: "too early to say",
}


@dataclass(frozen=True)
class VerdictWords:
    """`step`: what to do next in a few words, `next` in a sentence. `rests_on`: raters without whom the
    answer would be another one, or "".
    """

    criterion: str
    answer: str
    why: str
    step: str
    next: str
    rests_on: str


def word_verdicts(findings: Findings, name_of: Callable[[str], str] = str) -> tuple[VerdictWords, ...]:
    """`name_of` a coefficient: as statistics calls it, which files do, or as a page does."""
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
    why, what_next = SENTENCES[verdict.reason](context)
    why = f"{why}; {phrase_coverage(evidence.lost.labelled, evidence.lost.rated, context.noun)}"
    step = name_step(context)
    if findings.gates.get(judged.number) is not None and verdict.verdict in (
        TrustVerdict.YES,
        TrustVerdict.LEANS,
    ):
        step = what_next = "keep checking what it passes"
    if judged.plan is not None:
        step, what_next = (
            plan_in_few_words(judged.plan, context.of),
            plan_in_words(judged.plan, context.of, context.noun),
        )
    rests_on = "; ".join(
        f"{findings.names.get(influence.rater, '?')}; without them: {ANSWERS[influence.without.verdict]}"
        for influence in judged.influences
    )
    if judged.with_uninformative is not None:
        left_out = listed([findings.names.get(rater, "?") for rater in evidence.uninformative])
        with_them = (
            f"without {left_out}, who is not shown to agree with the others beyond chance; with them: "
            f"{ANSWERS[judged.with_uninformative.verdict]}"
        )
        rests_on = f"{rests_on}; {with_them}" if rests_on else with_them
    return VerdictWords(question.criterion.name, ANSWERS[verdict.verdict], why, step, what_next, rests_on)


def plan_in_few_words(plan: MoreConversations, of: str) -> str:
    """The same as `plan_in_words`, for a line of a table."""
    if plan.needed is not None:
        return f"about {count(plan.needed, f'more {of}', f'more {of}s')}"
    return "read where they differ" if plan.most else "two clinicians on the same"


def plan_in_words(plan: MoreConversations, of: str = "conversation", noun: UnitNoun = CONVERSATION) -> str:
    """How many more conversations would answer, and in how many of ten studies. `of`: "person" where a person
    has several conversations.
    """
    if not plan.most:
        return f"have {noun.plural} rated by two clinicians"
    more = count(plan.needed or plan.most, f"more {of}", f"more {of}s")
    answered = f"{more} like these, rated as these were, would give an answer in {odds(plan.chance)} studies"
    return f"about {answered}" if plan.needed is not None else f"{answered}; read where they differ"
