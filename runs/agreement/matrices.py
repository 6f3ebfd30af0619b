"""Where judge and clinicians differ: a matrix of counts for each criterion, and which way it errs."""

from __future__ import annotations

from runs.agreement.document import Block, Heat, Section, Words
from runs.agreement.findings import Findings
from runs.agreement.words import count, limits, number
from scoring.agreement.one_criterion import JudgeBeside
from scoring.figures import percent


def matrices_section(found: Findings) -> Section:
    """Counts and shares of rows; when it errs, which way."""
    blocks: list[Block] = []
    for one in found.beside:
        if not one.counted.pairs:
            continue
        table, names = one.counted.table, one.question.names
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
                f"matrix_{one.question.id}",
                f"{one.question.criterion.name}: {_way(one)}",
                names,
                names,
                texts,
                shades,
                "Clinicians, judge across",
            )
        )
    return Section(
        "matrices", "Where they differ", tuple(blocks) or (Words("Nothing was labelled by both yet."),)
    )


def _way(one: JudgeBeside) -> str:
    differ = one.lenient + one.strict
    if not differ:
        return f"the same label on {one.counted.same:,} of {one.counted.pairs:,}"
    bias = one.bias
    mean = (
        f"; on average {number(bias)} ({limits(bias)}) levels above"
        if one.question.ordinal and bias.value is not None
        else ""
    )
    more, less = (
        ("lenient", "strict") if one.question.scored else ("higher", "lower")
    )  # on a scale without a score, more need not be better
    return (
        f"when it differs it is {more} {count(one.lenient, 'time', 'times')}, {less} "
        f"{count(one.strict, 'time', 'times')}{mean}"
    )
