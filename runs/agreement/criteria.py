"""Criterion by criterion: beside colleagues, the forest, the matrices, "does not apply", and what clinicians
say when the judge says x.
"""

from __future__ import annotations

import numpy as np

from runs.agreement.document import Block, Forest, Heat, Mark, Row, Section, Table, Words
from runs.agreement.findings import Findings
from runs.agreement.verdict_words import ANSWERS, points
from runs.agreement.verdicts import tally
from runs.agreement.words import CANNOT, count, limits, listed, number, share
from scoring.agreement.additive import ratio
from scoring.agreement.cautions import APART, COMMON, PAIRS, commonest, kappa_unreliable
from scoring.agreement.estimate import Estimate
from scoring.agreement.jackknife import jackknife
from scoring.agreement.one_criterion import VERDICT_ALPHA, AmongPeople, JudgeBeside, beside_headline, headline
from scoring.figures import percent

SHARE = ratio("share of the clinicians' labels", CANNOT, all_agree=1.0)


def colleague_section(found: Findings) -> Section:
    """Judge against colleague: people with each other, people with the judge, and the difference."""
    if found.asked.judge is None:
        return people_section(found)
    rows = [
        (
            question.criterion.name,
            _with(one.people),
            _with(one.judge),
            _with(one.difference),
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


def _with(estimate: Estimate) -> str:
    """0.54 (0.42 to 0.65), or why not."""
    return CANNOT if estimate.value is None else f"{number(estimate)} ({limits(estimate)})"


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
                _with(alpha),
                _with(ordinal) if ordinal else "",
                _with(ac1),
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
    return f" Of the labels that say that it applies, alpha is {_with(alpha)}."


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


def not_applicable_section(found: Findings) -> Section | None:
    """Whether a criterion applies is one question, the verdict another."""
    ones = [one for one in found.beside if one.separated is not None]
    if not ones or found.asked.judge is None:
        return None
    rows = []
    for one in ones:
        apart, applies = one.separated, one.applies or {}
        invalid = int(one.counted.table[-1].sum()), int(one.counted.table[:, -1].sum())
        assert apart is not None
        rows.append(
            (
                one.question.criterion.name,
                f"{len(apart.applies):,}",
                f"{int(apart.applies.table().trace()):,}",
                _with(applies["kappa"]),
                _with(applies["AC1"]),
                f"{one.verdicts.pairs:,}",
                _with(one.coefficients["kappa"]),
                f"{apart.forced:,}",
                f"{apart.first_against}, {apart.second_against}",
                f"{invalid[0]}, {invalid[1]}" if one.question.invalid else "may be said",
            )
        )
    columns = (
        "Criterion",
        "Pairs",
        "Same on whether it applies",
        "Kappa of that",
        "AC1 of that",
        "Both say it applies",
        "Kappa of the verdict",
        "By rule, left out",
        "Said otherwise there: clinicians, judge",
        "Said though invalid: clinicians, judge",
    )
    return Section(
        "not_applicable",
        "\u201cDoes not apply\u201d",
        (
            Words(
                "First whether a criterion applies, then the verdict where both say that it does: one "
                "number over all three labels would hide the second "
                "behind the first."
            ),
            Table("not_applicable", "Applies or not, then the verdict", columns, rows, (1, 2, 5, 7)),
        ),
    )


def when_judge_says_section(found: Findings) -> Section | None:
    """What clinicians said when the judge said x. Pairs of one conversation lean on each other, so intervals
    leave out conversations.
    """
    rows = []
    for one in found.beside:
        for column, name in enumerate(one.question.names):
            n = int(one.counted.table[:, column].sum())
            if n:
                rows.append(
                    (
                        one.question.criterion.name,
                        name,
                        f"{n:,}",
                        *(
                            _of(one, column, i, n) if i < len(one.question.names) else ""
                            for i in range(_widest(found))
                        ),
                    )
                )
    if not rows:
        return None
    widest = max((one.question.names for one in found.beside), key=len)
    same = all(one.question.names == widest[: len(one.question.names)] for one in found.beside)
    columns = [
        f"Clinicians: {name}" if same else f"Clinicians: label {i + 1}" for i, name in enumerate(widest)
    ]
    return Section(
        "when_judge_says",
        "When the judge says x, what do clinicians say?",
        (
            Table(
                "when_judge_says",
                "Shares of the clinicians' labels for each label of the judge",
                ("Criterion", "Judge says", "Pairs", *columns),
                rows,
                (2,),
            ),
        ),
    )


def _of(one: JudgeBeside, judge: int, label: int, n: int) -> str:
    """68% (50% to 81%): how many of the clinicians' labels are this one where the judge says `judge`. Of a
    label that nobody gave it is what is left of all the others.
    """
    this, every = one.tables[:, label, judge], one.tables[:, :, judge].sum(axis=1)
    never = not this.any()
    found = jackknife(SHARE, np.stack([every - this if never else this, every], axis=1), n, one.times)
    if found.value is None:
        return CANNOT
    if found.low is None or found.high is None:
        return f"{percent(1 - found.value if never else found.value)} (no interval)"
    value, low, high = (
        (1 - found.value, 1 - found.high, 1 - found.low) if never else (found.value, found.low, found.high)
    )
    return f"{percent(value)} ({percent(low)} to {percent(high)})"


def _widest(found: Findings) -> int:
    return max(len(one.question.names) for one in found.beside)


def appendix_section(found: Findings) -> Section:
    """Every coefficient with method, n, conversations and interval."""
    rows: list[tuple[str, ...]] = []
    for one in found.beside if found.asked.judge else ():
        for name, estimate in [
            ("percent agreement", one.percent),
            *one.coefficients.items(),
            ("judge less clinician, mean", one.bias),
            *((f"{name}, of whether it applies", e) for name, e in (one.applies or {}).items()),
            *((f"{name}, all labels as categories", e) for name, e in one.whole_scale.items()),
        ]:
            rows.append(_line(one.question.criterion.name, "clinicians and judge", name, estimate))
    for question, pair in zip(
        (one.question.criterion.name for one in found.beside), found.ceilings, strict=True
    ):
        for one_ in pair if found.asked.judge else ():
            rows += [
                _line(question, f"{who}, shared units", one_.name, e)
                for who, e in (
                    ("clinicians with each other", one_.people),
                    ("clinicians and judge", one_.judge),
                    ("judge less colleague", one_.difference),
                )
            ]
    for people in found.people:
        rows += [
            _line(people.question.criterion.name, "clinicians with each other", name, estimate)
            for name, estimate in people.coefficients.items()
        ]
    return Section(
        "appendix",
        "All coefficients",
        (
            Words(
                "Every interval leaves out one conversation, or one person with several, at a time "
                "(jackknife, t). Formulas and sources: "
                "docs/statistics.md.",
                "small",
            ),
            Table(
                "coefficients",
                "Every coefficient",
                (
                    "Criterion",
                    "Between",
                    "Coefficient",
                    "Value",
                    "95 % interval",
                    "n",
                    "Conversations, or persons",
                    "Method",
                ),
                rows,
                (3, 5, 6),
            ),
        ),
    )


def _line(criterion: str, between: str, name: str, estimate: Estimate) -> tuple[str, ...]:
    return (
        criterion,
        between,
        name,
        number(estimate, 3),
        limits(estimate, 3),
        f"{estimate.n:,}",
        "" if estimate.conversations is None else f"{estimate.conversations:,}",
        estimate.method,
    )
