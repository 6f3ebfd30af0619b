"""The judge beside a colleague, and how far clinicians agree with each other."""

from __future__ import annotations

from reports.agreement.findings import Findings
from reports.agreement.people_evidence import explain_low_alpha
from reports.agreement.verdict_phrases import points
from reports.document import Block, Paragraph, Section, Table
from reports.verdict_table import VERDICTS
from reports.wording import number_with_limits, share
from scoring.agreement.verdicts.criterion_agreement import headline


def colleague_section(findings: Findings) -> Section:
    """Return the section that compares the judge with colleagues; without a judge, `people_section`."""
    if findings.asked.judge is None:
        return people_section(findings)
    rows = [
        (
            question.criterion.name,
            number_with_limits(comparison.people),
            number_with_limits(comparison.judge),
            number_with_limits(comparison.difference),
            points(percents.difference),
            f"{comparison.people.n:,}, {comparison.judge.n:,}",
            VERDICTS[judged.verdict.verdict].word,
        )
        for question, (percents, comparison), judged in zip(
            (judge_agreement.question for judge_agreement in findings.beside),
            findings.colleague_comparisons,
            findings.verdicts,
            strict=True,
        )
    ]
    blocks: list[Block] = [
        Paragraph(
            f"This table covers only {findings.asked.study.noun.plural} that the judge and at least two "
            "clinicians labelled. Each rater is weighted by the number of labels that can be compared. "
            "\u201cTrust it?\u201d is the verdict above, which uses both differences.",
            "small",
        ),
        Table(
            "colleague",
            f"{_named(findings)} of clinicians with each other, of clinicians with the judge, and the "
            "difference",
            (
                "Criterion",
                "With each other",
                "With the judge",
                "Difference",
                "Difference of the same label",
                "Pairs with each other, with the judge",
                "Trust it?",
            ),
            rows,
        ),
    ]
    return Section("colleague", "As good as a colleague?", tuple(blocks))


def _named(findings: Findings) -> str:
    return " or ".join(
        dict.fromkeys(headline(judge_agreement.question).capitalize() for judge_agreement in findings.beside)
    )


def people_section(findings: Findings) -> Section:
    """Return the section on how far people agree with each other."""
    rows = []
    unreliable = []
    for human_agreement in findings.people:
        alpha = human_agreement.coefficients["alpha, nominal"]
        agreed, ac1 = human_agreement.coefficients["percent agreement"], human_agreement.coefficients["AC1"]
        ordinal = human_agreement.coefficients.get("alpha, ordinal")
        rows.append(
            (
                human_agreement.question.criterion.name,
                f"{human_agreement.counted.same:,}",
                f"{human_agreement.counted.pairs:,}",
                share(agreed),
                number_with_limits(alpha),
                number_with_limits(ordinal) if ordinal else "",
                number_with_limits(ac1),
            )
        )
        why_low = explain_low_alpha(human_agreement)
        if why_low:
            unreliable.append(f"{human_agreement.question.criterion.name}: {why_low}")
    columns = (
        "Criterion",
        "Same label",
        "of pairs",
        f"Percent, averaged over {findings.asked.study.noun.plural}",
        "Alpha, nominal",
        "Alpha, ordinal",
        "AC1",
    )
    blocks: list[Block] = [Table("people", "Clinicians with each other", columns, rows, (1, 2))]
    blocks += [Paragraph(text) for text in unreliable]
    return Section("colleague", "How well clinicians agree with each other", tuple(blocks))
