"""Where judge and clinicians differ: a matrix of counts for each criterion, and which way it errs."""

from __future__ import annotations

from reports.agreement.findings import Findings
from reports.document import Block, Heat, Paragraph, Section
from reports.wording import average_levels
from scoring.agreement.labels.pairs import Counts
from scoring.agreement.verdicts.criterion_agreement import JudgeAgreement
from words.figures import percent
from words.plurals import count


def matrices_section(findings: Findings) -> Section:
    """Return the section with a table of counts per criterion, and which way the judge errs."""
    blocks: list[Block] = []
    for judge_agreement in findings.beside:
        if not judge_agreement.counted.pairs:
            continue
        table, names = judge_agreement.counted.table, judge_agreement.question.names
        sums = table.sum(axis=1)
        shades = tuple(
            tuple(float(n / sums[i]) if sums[i] else None for n in row)
            for i, row in enumerate(table.tolist())
        )
        texts = tuple(
            tuple(f"{n:,}" + (f" ({percent(n / sums[i])})" if sums[i] else "") for n in row)
            for i, row in enumerate(table.tolist())
        )
        blocks.append(
            Heat(
                f"matrix_{judge_agreement.question.id}",
                f"{judge_agreement.question.criterion.name}: {phrase_errors(judge_agreement)}",
                names,
                names,
                texts,
                shades,
                "Clinicians, judge across",
            )
        )
    return Section(
        "matrices",
        "Where they differ",
        tuple(blocks) or (Paragraph("Nothing has been labelled by both a clinician and the judge yet."),),
    )


def counts_heat(key: str, title: str, names: tuple[str, ...], table: Counts) -> Heat:
    """Return a table of counts as a square; the most common pair is the darkest. At least one pair is
    needed.
    """
    rows, most = table.tolist(), int(table.max())
    return Heat(
        key,
        title,
        names,
        names,
        tuple(tuple(f"{n:,}" if n else "" for n in row) for row in rows),
        tuple(tuple(n / most for n in row) for row in rows),
    )


def phrase_errors(judge_agreement: JudgeAgreement) -> str:
    """Return which way the judge errs: "when it differs it is lenient 3 times, strict 2 times; over all
    pairs, on average ...".

    "higher" and "lower" on a scale that makes no score; without differences "the same label on 5 of 5".
    """
    differ = judge_agreement.lenient + judge_agreement.strict
    if not differ:
        same, pairs = judge_agreement.counted.same, judge_agreement.counted.pairs
        return f"the judge gave the same label in {same:,} of {count(pairs, 'pair', 'pairs')}"
    bias = judge_agreement.bias
    is_known = judge_agreement.question.ordinal and bias.value is not None
    where = "" if judge_agreement.question.not_applicable is None else " where both say that it applies"
    mean = f"; over all pairs{where}, it is {average_levels(bias, 'clinicians')}" if is_known else ""
    more, less = (
        ("lenient", "strict") if judge_agreement.question.scored else ("higher", "lower")
    )  # on a scale without a score, more need not be better
    return (
        f"when the judge differs, it is {more} in {count(judge_agreement.lenient, 'pair', 'pairs')} and "
        f"{less} in {judge_agreement.strict:,}{mean}"
    )
