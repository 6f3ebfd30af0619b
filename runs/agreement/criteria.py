"""Criterion by criterion: the forest, the worst first, and the same as a table."""

from __future__ import annotations

from runs.agreement.document import Block, Forest, Mark, Row, Section, Table, Words
from runs.agreement.findings import Findings
from runs.agreement.verdicts import tally
from runs.agreement.words import CANNOT, limits, listed, number, share
from scoring.agreement.cautions import APART, COMMON, PAIRS, commonest, kappa_unreliable
from scoring.agreement.one_criterion import JudgeBeside, beside_headline, headline
from scoring.figures import percent


def criteria_section(found: Findings) -> Section:
    """The forest, the worst first, and the same as a table."""
    ones = sorted(found.beside, key=_worst)
    if not ones:
        return Section(
            "criteria",
            "Criterion by criterion",
            (Words("Nobody, and no judge, has labelled a criterion yet."),),
        )
    name, other = (
        " or ".join(dict.fromkeys(of(one.question) for one in found.beside))
        for of in (headline, beside_headline)
    )
    rows = tuple(
        Row(
            one.question.criterion.name,
            f"n {one.verdicts.pairs:,}, {percent(commonest(one))} one label"
            if one.counted.pairs
            else "no pairs",
            (
                Mark(name, one.headline, one.counted.pairs < PAIRS),
                Mark(other, one.beside_headline, one.counted.pairs < PAIRS),
            ),
            kappa_unreliable(one),
        )
        for one in ones
    )
    table = [
        (
            one.question.criterion.name,
            f"{one.counted.same:,}",
            f"{one.counted.pairs:,}",
            share(one.percent),
            number(one.headline),
            limits(one.headline),
            number(one.beside_headline),
            limits(one.beside_headline),
            f"{one.counted.units:,}",
            f"{one.counted.raters:,}",
            _always(one),
        )
        for one in ones
    ]
    blocks: list[Block] = []
    if any(one.counted.pairs for one in ones):
        lowest = min(
            (
                estimate.value
                for one in ones
                for estimate in (one.headline, one.beside_headline)
                if estimate.value is not None
            ),
            default=0.0,
        )
        axis = f"{name} and {other}: 0 is chance, 1 is always the same label"
        blocks.append(Forest("criteria", tally(found), axis, rows, min(-0.2, lowest - 0.1), 1.0))
    unreliable = [one.question.criterion.name for one in ones if kappa_unreliable(one)]
    if unreliable:
        blocks.append(
            Words(
                f"Shaded: kappa lies more than {APART} below {other} and more than {percent(COMMON)} of the "
                "labels are the same one, so common "
                f"that guessing would do nearly as well. Read the counts of {listed(unreliable)}."
            )
        )
    columns = (
        "Criterion",
        "Same label",
        "of pairs",
        "Percent",
        name.capitalize(),
        f"95 % interval of {name}",
        other,
        f"95 % interval of {other}",
        "Units",
        "Raters",
        "Always the commonest label",
    )
    blocks.append(Table("criteria", "Every criterion, the worst first", columns, table, (1, 2, 4, 6, 8, 9)))
    blocks.append(
        Words(
            "Kappa is agreement beyond chance where both say that the criterion applies, the mean over "
            "raters, each as often as they share "
            "units with the judge. Always the commonest label: the same label that a judge would reach that "
            "gave that one every time. "
            "Intervals are not adjusted for the number of criteria.",
            "small",
        )
    )
    return Section("criteria", "Criterion by criterion", tuple(blocks))


def _worst(one: JudgeBeside) -> tuple[bool, float]:
    value = one.percent.value
    return value is None, 0.0 if value is None else value


def _always(one: JudgeBeside) -> str:
    return percent(commonest(one)) if one.counted.pairs else CANNOT
