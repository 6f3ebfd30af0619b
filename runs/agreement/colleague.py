"""The judge beside a colleague, and how far clinicians agree with each other."""

from __future__ import annotations

from runs.agreement.document import Block, Section, Table, Words
from runs.agreement.findings import Findings
from runs.agreement.verdict_phrases import points
from runs.agreement.verdict_words import ANSWERS
from runs.agreement.words import number_with_limits, share
from scoring.agreement.cautions import APART
from scoring.agreement.one_criterion import VERDICT_ALPHA, AmongPeople, headline
from scoring.figures import percent


def colleague_section(found: Findings) -> Section:
    """Judge against colleague: people with each other, people with the judge, and the difference."""
    if found.asked.judge is None:
        return people_section(found)
    rows = [
        (
            question.criterion.name,
            number_with_limits(one.people),
            number_with_limits(one.judge),
            number_with_limits(one.difference),
            points(percents.difference),
            f"{one.people.n:,}, {one.judge.n:,}",
            ANSWERS[judged.verdict.verdict],
        )
        for question, (percents, one), judged in zip(
            (one.question for one in found.beside), found.ceilings, found.verdicts, strict=True
        )
    ]
    blocks: list[Block] = [
        Words(
            "Only units that two clinicians or more and the judge labelled; each rater counts as often as "
            "they share units. Trust it? is the answer "
            "of the one rule above, which reads both differences.",
            "small",
        ),
        Table(
            "colleague",
            f"{_named(found)} of clinicians with each other, of clinicians with the judge, and the "
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


def _named(found: Findings) -> str:
    return " or ".join(dict.fromkeys(headline(one.question).capitalize() for one in found.beside))


def people_section(found: Findings) -> Section:
    """How far people agree with each other, where there is no judge to compare with."""
    rows = []
    unreliable = []
    for one in found.people:
        alpha = one.coefficients["alpha, nominal"]
        agreed, ac1 = one.coefficients["percent agreement"], one.coefficients["AC1"]
        ordinal = one.coefficients.get("alpha, ordinal")
        rows.append(
            (
                one.question.criterion.name,
                f"{one.counted.same:,}",
                f"{one.counted.pairs:,}",
                share(agreed),
                number_with_limits(alpha),
                number_with_limits(ordinal) if ordinal else "",
                number_with_limits(ac1),
            )
        )
        if alpha.value is not None and ac1.value is not None and ac1.value - alpha.value > APART:
            rows_of = one.counted.table.sum(axis=0) + one.counted.table.sum(axis=1)
            unreliable.append(
                f"{one.question.criterion.name}: {percent(float(rows_of.max() / rows_of.sum()))} of the "
                "labels are "
                f"\u201c{one.question.names[int(rows_of.argmax())]}\u201d. People agree on "
                f"{one.counted.same:,} of {one.counted.pairs:,} pairs "
                "and yet alpha is low, because with one label so common chance alone would nearly do as "
                "well. Look at the counts." + _verdicts(one)
            )
    columns = (
        "Criterion",
        "Same label",
        "of pairs",
        "Percent, the mean over units",
        "Alpha, nominal",
        "Alpha, ordinal",
        "AC1",
    )
    blocks: list[Block] = [Table("people", "Clinicians with each other", columns, rows, (1, 2))]
    blocks += [Words(text) for text in unreliable]
    return Section("colleague", "How far clinicians agree with each other", tuple(blocks))


def _verdicts(one: AmongPeople) -> str:
    """How much of it is agreement on what does not apply."""
    alpha = one.coefficients.get(VERDICT_ALPHA)
    if alpha is None or alpha.value is None:
        return ""
    return f" Of the labels that say that it applies, alpha is {number_with_limits(alpha)}."
