"""A verdict in a clinician's words: the answer, why, and what to do next."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from reports.agreement.findings import Findings, JudgedCriterion
from reports.agreement.verdict_phrases import VerdictContext
from reports.agreement.verdict_sentences import SENTENCES
from reports.agreement.verdict_steps import name_step
from scoring.agreement.more_conversations import CHANCE, MoreConversations
from scoring.agreement.verdict_rule import TrustVerdict
from scoring.figures import percent
from scoring.plurals import count
from scoring.unit_nouns import CONVERSATION, UnitNoun

ANSWERS = {
    TrustVerdict.YES: "like a colleague",
    TrustVerdict.LEANS: "leans one way",
    TrustVerdict.NO: "not like a colleague",
    TrustVerdict.NOT_SHOWN: "not shown yet",
    TrustVerdict.COLLEAGUES_DIFFER: "clinicians differ",
    TrustVerdict.CANNOT_TELL: "cannot tell yet",
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
        name_of,
    )
    why, what_next = SENTENCES[verdict.reason](context)
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
    return VerdictWords(question.criterion.name, ANSWERS[verdict.verdict], why, step, what_next, rests_on)


def plan_in_few_words(plan: MoreConversations, of: str) -> str:
    """The same as `plan_in_words`, for a line of a table."""
    if plan.needed is not None:
        return f"about {count(plan.needed, f'more {of}', f'more {of}s')}"
    return "read where they differ" if plan.most else "two clinicians on the same"


def plan_in_words(plan: MoreConversations, of: str = "conversation", noun: UnitNoun = CONVERSATION) -> str:
    """How many more conversations, or that no number that anybody would rate tells. `of`: "person" where a
    person has several conversations.
    """
    if plan.needed is None:
        return (
            f"more ratings would hardly tell: not even {count(plan.most, f'more {of}', f'more {of}s')} "
            "would with a chance of "
            f"{percent(CHANCE)}. Read where they differ"
            if plan.most
            else f"have {noun.plural} rated by two clinicians"
        )
    return (
        f"about {count(plan.needed, f'more {of}', f'more {of}s')} like these, rated as these were, would "
        "tell with a chance of "
        f"{percent(CHANCE)}"
    )
