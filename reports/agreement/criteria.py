"""Criterion by criterion: the forest, the worst first, and the same as a table."""

from __future__ import annotations

from reports.agreement.findings import Findings
from reports.agreement.verdicts import count_verdicts
from reports.document import Block, Forest, ForestMark, ForestRow, Paragraph, Section, Table
from reports.wording import CANNOT, limits, listed, number, share
from scoring.agreement.verdicts.cautions import APART, COMMON, commonest, kappa_unreliable
from scoring.agreement.verdicts.criterion_agreement import JudgeAgreement, headline, second_headline
from scoring.agreement.verdicts.minimum_data import MINIMUM_PAIRS
from words.figures import percent
from words.plurals import inflect


def criteria_section(findings: Findings) -> Section:
    """Return the section with agreement criterion by criterion, worst first, as a forest and a table."""
    ones = sorted(findings.beside, key=_worst)
    if not ones:
        return Section(
            "criteria",
            "Criterion by criterion",
            (Paragraph("No criterion has a label yet."),),
        )
    name, other = (
        " or ".join(dict.fromkeys(of(judge_agreement.question) for judge_agreement in findings.beside))
        for of in (headline, second_headline)
    )
    rows = tuple(
        ForestRow(
            judge_agreement.question.criterion.name,
            _basis(judge_agreement),
            _marks(judge_agreement, name, other),
            kappa_unreliable(judge_agreement),
        )
        for judge_agreement in ones
    )
    table = [
        (
            judge_agreement.question.criterion.name,
            f"{judge_agreement.counted.same:,}",
            f"{judge_agreement.counted.pairs:,}",
            share(judge_agreement.percent),
            number(judge_agreement.headline),
            limits(judge_agreement.headline),
            number(judge_agreement.beside_headline),
            limits(judge_agreement.beside_headline),
            f"{judge_agreement.counted.units:,}",
            f"{judge_agreement.counted.raters:,}",
            _always(judge_agreement),
        )
        for judge_agreement in ones
    ]
    blocks: list[Block] = []
    if any(judge_agreement.counted.pairs for judge_agreement in ones):
        lowest = min(
            (
                estimate.value
                for judge_agreement in ones
                for estimate in (judge_agreement.headline, judge_agreement.beside_headline)
                if estimate.value is not None
            ),
            default=0.0,
        )
        axis = f"{name} and {other}: 0 is chance, 1 is always the same label"
        blocks.append(Forest("criteria", count_verdicts(findings), axis, rows, min(-0.2, lowest - 0.1), 1.0))
    unreliable = [
        judge_agreement.question.criterion.name
        for judge_agreement in ones
        if kappa_unreliable(judge_agreement)
    ]
    if unreliable:
        blocks.append(
            Paragraph(
                f"Shaded: one label makes up more than {percent(COMMON)} of the labels, so guessing would do "
                f"nearly as well, and kappa lies more than {APART} below {other}. Go by the counts on "
                f"{inflect(len(unreliable), 'this criterion', 'these criteria')}: {listed(unreliable)}."
            )
        )
    columns = (
        "Criterion",
        "Same label",
        "of pairs",
        "Percent",
        name.capitalize(),
        f"95% interval of {name}",
        other,
        f"95% interval of {other}",
        findings.asked.study.noun.plural.capitalize(),
        "Raters",
        "Always the commonest label",
    )
    blocks.append(Table("criteria", "Every criterion, worst first", columns, table, (1, 2, 4, 6, 8, 9)))
    blocks.append(
        Paragraph(
            "Kappa is agreement beyond chance where rater and judge both say that the criterion applies. It "
            "is the mean over raters, weighted by the number of "
            f"{findings.asked.study.noun.plural} they share with the judge. "
            "\u201cAlways the commonest label\u201d is how often a judge that gave only that label would "
            "agree. Intervals are not adjusted for the number of criteria.",
            "small",
        )
    )
    return Section("criteria", "Criterion by criterion", tuple(blocks))


def _marks(judge_agreement: JudgeAgreement, name: str, other: str) -> tuple[ForestMark, ForestMark]:
    few = judge_agreement.counted.pairs < MINIMUM_PAIRS
    return (
        ForestMark(name, judge_agreement.headline, few),
        ForestMark(other, judge_agreement.beside_headline, few),
    )


def _basis(judge_agreement: JudgeAgreement) -> str:
    """Kappa is of the pairs that both say the criterion applies to, the commonest label is of all."""
    pairs = judge_agreement.counted.pairs
    if not pairs:
        return "no pairs"
    applying = judge_agreement.verdicts.pairs
    one_label = f"{percent(commonest(judge_agreement))} one label"
    return f"n {pairs:,}, {one_label}" if applying == pairs else f"n {applying:,}; of {pairs:,} {one_label}"


def _worst(judge_agreement: JudgeAgreement) -> tuple[bool, float]:
    value = judge_agreement.percent.value
    return value is None, 0.0 if value is None else value


def _always(judge_agreement: JudgeAgreement) -> str:
    return percent(commonest(judge_agreement)) if judge_agreement.counted.pairs else CANNOT
