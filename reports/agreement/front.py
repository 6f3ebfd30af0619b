"""The first things on a report: what it is of, what to be warned of, and the answer in one line for each kind
of label.
"""

from __future__ import annotations

from dataclasses import dataclass

from reports.agreement.findings import Findings
from reports.agreement.verdict_cautions import name_left_out, verdict_cautions
from reports.document import Block, Paragraph, Section
from reports.wording import listed, share
from scoring.agreement.labels.labels import every_number
from scoring.agreement.people.severity import MAX_SPREAD
from scoring.agreement.verdicts import cautions
from scoring.agreement.verdicts.cautions import Caution
from scoring.agreement.verdicts.criterion_agreement import compare_with_judge
from scoring.agreement.verdicts.minimum_data import MINIMUM_CONVERSATIONS, MINIMUM_PAIRS
from scoring.judges.statuses import FAILURES
from words.figures import percent
from words.plurals import count

ARMS = {
    "shown": "The criteria below use ratings given after seeing the judge's labels. They are not the "
    "headline, because seeing them draws raters towards the judge.",
    "unknown": "The criteria below use ratings where it is unknown what the rater had seen. They are not "
    "the headline.",
}


def header(findings: Findings) -> tuple[str, ...]:
    """Return the sentences on who was compared, on how much, and how it was chosen, in this order.

    Title and version of the instrument; the judge, if there is one; the number of labels, clinicians and
    conversations; persons, if they differ from the conversations; how units were drawn; `narrowing`; and
    how often a rater answered that a unit cannot be rated.
    """
    asked, material = findings.asked, findings.material
    amount = compared_amount(findings)
    instrument = asked.study.instrument
    sentences = [f"{instrument.title}, version {instrument.version}. {asked.study.provenance}".strip()]
    if asked.judge:
        identity = asked.judge.identity
        sentences.append(
            f"Judge: {asked.judge.name}. Model: {identity.get('model', 'unknown')}. Prompt: "
            f"{str(identity.get('prompt', 'unknown'))[:24]}."
        )
    amount_words = (
        _nothing_rated(findings, amount)
        or f"{count(amount.labels, 'blind label', 'blind labels')} from "
        f"{count(amount.raters, 'clinician', 'clinicians')} on "
        f"{count(amount.conversations, 'conversation', 'conversations')}"
        + (f", {asked.study.noun.count(amount.units)}" if amount.units != amount.conversations else "")
    )
    sentences.append(f"{amount_words}.")
    if amount.persons != amount.conversations:
        duplicates = findings.material.units.duplicates
        same_text = (
            f" {count(duplicates, 'conversation has', 'conversations have')} the same text as another one. "
            "Conversations with the same text are treated as one."
            if duplicates
            else ""
        )
        sentences.append(
            f"These conversations come from {count(amount.persons, 'person', 'people')}, so intervals leave "
            f"out one person at a time.{same_text}"
        )
    sentences.append(_sampling(findings))
    sentences += narrowing(findings)
    if material.unrated:
        sentences.append(
            f"Raters answered {count(material.unrated, 'time', 'times')} that something can't be rated. No "
            "number below includes these answers."
        )
    return tuple(sentence for sentence in sentences if sentence)


def narrowing(findings: Findings) -> list[str]:
    """Return the sentences on what was chosen other than all blind ratings; [] if nothing was.

    At most two: "Narrowed to: ...", with condition, rater and dates as far as chosen, and the one for an arm
    other than "blind".
    """
    asked = findings.asked
    sentences = []
    if asked.narrowed:
        parts = [
            *([f"condition {asked.condition}"] if asked.condition else []),
            *([findings.names.get(asked.rater, "one rater")] if asked.rater is not None else []),
            *([f"rated from {asked.since[:10]}"] if asked.since else []),
            *([f"rated before {asked.until[:10]}"] if asked.until else []),
        ]
        whole = (
            [" Settled labels and judged reasons include all raters."] if asked.rater is not None else []
        ) + (
            [" Settled labels, repeats, changes after a reveal and judged reasons include all dates."]
            if asked.since or asked.until
            else []
        )
        sentences.append(f"Narrowed to: {', '.join(parts)}.{''.join(whole)}")
    if asked.arm != "blind":
        sentences.append(ARMS[asked.arm])
    return sentences


@dataclass(frozen=True)
class ComparedAmount:
    """How many there are of what was labelled blind; `raters` are people."""

    labels: int
    raters: int
    conversations: int
    units: int
    persons: int


def compared_amount(findings: Findings) -> ComparedAmount:
    """Return how many blind labels, raters, conversations and units were compared."""
    material = findings.material
    blind = [material.labels_without_rule(number) for number in range(len(material.questions))]
    units = every_number([question_labels.unit for question_labels in blind])
    at = material.units.at(units)
    return ComparedAmount(
        sum(map(len, blind)),
        len(every_number([question_labels.rater for question_labels in blind])),
        len(every_number([material.units.conversation[at]])),
        len(units),
        len(every_number([material.units.part[at]])),
    )


# For the line below the headline.
GUESSING = "Guessing means giving labels at random, using each label as often as it was actually given."


def brief(findings: Findings) -> str:
    """Return the line under a page's title: judge and model, the amount, the same labels, separated by " ·
    ".

    For example "gpt4o, gpt-4o · 120 blind labels, 3 clinicians, 20 conversations · the same label on 90 of
    120, 75% (plausible range 64% to 86%); guessing 50%". Same labels are left out with several families of
    criteria.
    """
    asked, amount = findings.asked, compared_amount(findings)
    parts = [
        _nothing_rated(findings, amount)
        or f"{count(amount.labels, 'blind label', 'blind labels')}, "
        f"{count(amount.raters, 'clinician', 'clinicians')}, "
        f"{count(amount.conversations, 'conversation', 'conversations')}"
    ]
    if asked.judge:
        of_several = f", one of {1 + len(asked.others)} judges" if asked.others else ""
        parts.insert(0, f"{asked.judge.title}{of_several}")
        for family in findings.families:
            if len(findings.families) > 1 or not family.percent.pairs:
                continue
            guessing = "" if family.by_chance is None else f"; guessing {percent(family.by_chance)}"
            parts.append(
                f"the same label on {family.percent.same:,} of {family.percent.pairs:,}, "
                f"{share(family.percent.percent)}{guessing}"
            )
    return " \u00b7 ".join(parts)


def _nothing_rated(findings: Findings, amount: ComparedAmount) -> str:
    """That nobody has rated, and of how many conversations; "" where somebody has, blind or not, or where
    only a part of the study was asked for.
    """
    answered = amount.labels or len(findings.everyone.given.unit) or findings.material.unrated
    if answered or findings.asked.narrowed:
        return ""
    conversations = len(every_number([findings.material.units.conversation]))
    if not conversations:
        return "There is nothing to rate yet"
    return f"Nothing has been rated yet ({count(conversations, 'conversation', 'conversations')})"


def _sampling(findings: Findings) -> str:
    units = findings.material.units
    if not units.drawn:
        return "Nothing was chosen at random, so the numbers describe only what was rated."
    left_out = " Anything chosen by hand or not chosen is left out." if units.weight is not None else ""
    noun = findings.asked.study.noun
    if not units.weighted:
        return f"The {noun.plural} were chosen at random with equal chances.{left_out}"
    return (
        f"The {noun.plural} were chosen at random with different chances. Percentages, coefficients and "
        f"rates are weighted by one over the chance; counts are not.{left_out}"
    )


def warnings(findings: Findings) -> tuple[str, ...]:
    """Return the warnings whose threshold is met, in a fixed order."""
    asked, arms, judge_agreements = findings.asked, findings.arms, findings.beside
    sentences = [*verdict_cautions(findings), *name_left_out(findings)]
    if not arms.blind.pairs and asked.judge:
        sentences.append(
            "With the choice above, no blind label is left to compare with this judge."
            if asked.narrowed
            else "There are no blind labels to compare with this judge. The numbers below use ratings given "
            "with the judge's labels in view, or can't be estimated."
        )
    if arms.shown.pairs or arms.unknown.pairs:
        sentences.append(
            f"{count(arms.shown.pairs + arms.unknown.pairs, 'label was', 'labels were')} given after the "
            "rater had seen the judge's labels, or it is unknown what the rater had seen. They have numbers "
            "of their own; no other number includes them."
        )
    if asked.others:
        others = count(len(asked.others), "other judge has", "other judges have")
        sentences.append(
            f"This report covers one judge. {others} labels in this study "
            f"({listed([judge.name for judge in asked.others], 3)})."
        )
    if asked.rater is None and cautions.single_rater(
        [compare_with_judge(findings.material, number) for number in findings.used]
        if asked.arm != "blind"
        else judge_agreements
    ):
        sentences.append(
            "All the blind labels that can be compared with this judge come from one rater. How far another "
            "rater would agree is unknown."
        )
    if findings.material.units.weighted:
        sentences.append(
            f"The {asked.study.noun.plural} were chosen at random with different chances, so rare labels "
            "are commoner here than in the study. Raw counts are not rates."
        )
    for caution in cautions.cautions_of_criteria(judge_agreements):
        sentences.append(_of_criteria(findings, caution))
    safety = findings.safety
    if safety and sum(safety.caught.counts) and safety.caught.failures < cautions.FAILURES:
        sentences.append(
            f"Among the {asked.study.noun.plural} that the judge was asked to label, clinicians confirmed "
            f"{count(safety.caught.failures, 'safety failure', 'safety failures')}; fewer than "
            f"{cautions.FAILURES} say little about how many the judge would catch."
        )
    if findings.severity.far_apart:
        far = (
            "half a level apart"
            if findings.levels
            else f"{100 * MAX_SPREAD:.0f} percentage points apart in their share of failing labels"
        )
        sentences.append(
            f"The strictest and the most lenient rater are more than {far}. Calibrate before you trust a "
            "mean."
        )
    labelled = len(findings.material.judge.code)
    if cautions.too_many_errors(findings.failed, labelled):
        sentences.append(
            f"The judge gave no label in {findings.failed:,} of {findings.failed + labelled:,} calls "
            f"({percent(findings.failed / (findings.failed + labelled))})."
        )
    return tuple(sentences)


def _of_criteria(findings: Findings, caution: Caution) -> str:
    of, several = len(findings.beside), len(caution.criteria) > 1
    names = (
        "each criterion"
        if len(caution.criteria) == of and of > 1
        else listed([findings.criterion(name) for name in caution.criteria], 4)
    )
    return {
        "few_pairs": f"There are fewer than {MINIMUM_PAIRS} pairs of labels on {names}.",
        "few_conversations": f"There are fewer than {MINIMUM_CONVERSATIONS} conversations (or people) for "
        f"{names}. Intervals from so few are rough.",
        "one_label": f"On {names}, one label makes up more than {percent(cautions.ONE_LABEL)} of the labels "
        "that clinicians gave. Agreement beyond chance is unreliable there.",
        "few_verdicts": f"On {names}, the clinician and the judge both say that the criterion applies in "
        f"fewer than {cautions.VERDICTS} pairs of labels.",
        "one_conversation": f"On {names}, one conversation{' each' if several else ''} accounts for more "
        f"than half of the uncertainty. Check {'these' if several else 'it'} before you trust the "
        f"{'numbers' if several else 'number'}.",
    }[caution.kind]


def answer_section(findings: Findings) -> Section:
    """Return the section with one plain sentence per family of criteria."""
    blocks: list[Block] = []
    asked = findings.asked
    for family in findings.families:
        of = (
            ""
            if len(findings.families) == 1
            else f" ({listed([findings.criterion(name) for name in family.criteria], 4)})"
        )
        if not family.percent.pairs or asked.judge is None:
            given = {
                "blind": "clinician's blind label",
                "shown": "label given after seeing the judge's labels",
                "unknown": "label given with no record of what had been seen",
            }[asked.arm]
            blocks.append(
                Paragraph(
                    f"Agreement can't be estimated yet{of}: no {given} can be compared with the judge's."
                    if asked.judge
                    else f"There is no judge to compare with{of}."
                )
            )
            continue
        blocks.append(
            Paragraph(
                f"The judge agreed with the clinician on {family.percent.same:,} of "
                f"{count(family.percent.pairs, 'label', 'labels')}: {share(family.percent.percent)}{of}.",
                "strong",
            )
        )
        if family.by_chance is not None:
            blocks.append(
                Paragraph(
                    "A judge that always gave the commonest label would agree on "
                    f"{family.percent.always:,} of {family.percent.pairs:,} labels "
                    f"({percent(family.percent.always / family.percent.pairs)}). "
                    "Guessing at random, using each label as often as it was given, would agree on "
                    f"{percent(family.by_chance)}.",
                    "small",
                )
            )
    if findings.aside and asked.judge and findings.with_aside_agreement.pairs:
        whole = findings.with_aside_agreement
        blocks.append(
            Paragraph(
                f"With the raters who were set aside: {whole.same:,} of {whole.pairs:,}, "
                f"{share(whole.percent)}.",
                "small",
            )
        )
    kinds: dict[str, int] = {}
    for _, _, kind in findings.material.judge.failed:
        kinds[kind] = kinds.get(kind, 0) + 1
    if kinds:
        failure_words = ", ".join(
            f"{n:,} where {FAILURES.get(kind, kind)}" for kind, n in sorted(kinds.items())
        )
        blocks.append(
            Paragraph(
                f"This judge gave no label in {count(sum(kinds.values()), 'case', 'cases')}, which no number "
                f"includes: {failure_words}."
            )
        )
    return Section("answer", "The answer in one line", tuple(blocks))
