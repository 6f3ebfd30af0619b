"""The raters, what had been shown to them, and what was settled."""

from __future__ import annotations

from collections import Counter

import numpy as np

from reports.agreement.findings import Findings
from reports.agreement.headline_raters import explain_left_out
from reports.document import Block, Heat, Paragraph, Section, Table
from reports.wording import CANNOT, limits, number, share
from scoring.agreement.intervals.estimate import Estimate
from scoring.agreement.intervals.mean_of_raters import average
from scoring.agreement.judges.arms import ArmAgreement, of_raters
from scoring.agreement.judges.reference import beside_reference
from scoring.agreement.labels.labels import numbered
from scoring.agreement.labels.pairs import pair_raters
from scoring.agreement.people.anchoring import Anchoring
from scoring.agreement.people.severity import RaterLevel
from scoring.agreement.verdicts.criterion_agreement import coefficients_of_two, headline, verdicts_of
from scoring.agreement.verdicts.raters import hasty_raters
from words.figures import decimal, duration, percent
from words.plurals import count, inflect

ARM_COLUMNS = ("Ratings", "Same label", "of pairs", "Percent", "Always the commonest label")
MAX_RATERS_IN_SQUARE = 20  # raters in the square of pairs; more cannot be read
PAIRS = 28  # pairs of raters; each pair has a line for every criterion
TIMED = 5  # units, below which a median time says little


def raters_section(findings: Findings) -> Section:
    """Return the section on how strict and how steady raters are, and who agrees with whom."""
    blocks: list[Block] = []
    spread, noun = findings.severity.spread, findings.asked.study.noun
    if spread.value is not None:
        ordinal = findings.levels
        points = decimal(100 * spread.value, 0)
        far = (
            f"{decimal(spread.value, 2)} levels"
            if ordinal
            else f"{points} percentage {inflect(float(points), 'point', 'points')} in their share of failing "
            "labels"
        )
        blocks.append(
            Paragraph(
                f"The strictest and the most lenient rater would differ by {far} if all raters had rated "
                f"the same {noun.plural}."
            )
        )
    rows = []
    counts: Counter[int] = Counter()
    for question in range(len(findings.everyone.questions)):
        names, place = numbered(findings.everyone.labels_without_rule(question).rater)
        counts.update(dict(zip(names.tolist(), np.bincount(place).tolist(), strict=True)))
    arms = of_raters([findings.everyone.pairs(number, findings.asked.arm) for number in findings.used])
    hasty = hasty_raters(
        {
            rater: minutes.median
            for rater, minutes in findings.minutes.items()
            if minutes.n >= TIMED and minutes.median is not None
        }
    )
    for rater, name in findings.names.items():
        if rater not in findings.everyone.raters:
            continue
        level, again = (
            findings.severity.raters.get(rater),
            findings.repeats.by_rater.get(rater) if findings.repeats else None,
        )
        rows.append(
            (
                name,
                f"{counts[rater]:,}",
                *_level(level),
                f"{again.same:,} of {again.pairs:,}" if again else "no repeats yet",
                share(again.percent) if again else "",
                _beside_judge(findings, arms.get(rater)),
                _minutes(findings, rater, hasty),
                f"no, {reason}" if (reason := explain_left_out(findings, rater)) else "yes",
            )
        )
    columns = (
        "Rater",
        "Blind labels",
        "Compared with others'",
        f"Mean minus the others' on the same {noun.plural}",
        "Same label again on hidden repeats",
        "Percent",
        "Same label as the judge",
        f"Median minutes per {noun.singular}",
        "In the headline",
    )
    blocks.append(
        Table("raters", "Raters", columns, rows, (1, 2))
        if rows
        else Paragraph("There is nothing to show about raters yet.")
    )
    square = _square(findings)
    if square:
        blocks.append(square)
    pairs = _pairs(findings)
    if pairs.rows:
        blocks.append(pairs)
    return Section("raters", "Raters", tuple(blocks))


def _minutes(findings: Findings, rater: int, hasty: frozenset[int]) -> str:
    """Median time, shown only: it excludes nobody, because a fast rater may be experienced."""
    minutes = findings.minutes.get(rater)
    if minutes is None or minutes.median is None:
        return "not known"
    return f"{duration(minutes.median)} of {findings.asked.study.noun.count(minutes.n)}" + (
        "; far faster than the others" if rater in hasty else ""
    )


def _pairs(findings: Findings) -> Table:
    """The coefficient that is shown first, of every two raters on every criterion."""
    names = list(findings.names.values())
    order = {rater: at for at, rater in enumerate(findings.names)}
    rows = []
    for place in findings.used:
        question, labels = findings.material.questions[place], findings.material.collapsed_labels(place)
        people, statistic = (
            verdicts_of(question, pair_raters(labels)),
            coefficients_of_two(question)[headline(question)],
        )
        most = int(labels.rater.max(initial=0)) + 1
        sides = numbered(people.side)[0].tolist()
        if len(sides) > PAIRS:
            continue
        for first, second, side in sorted(
            (*sorted((order[side // most], order[side % most])), side) for side in sides
        ):
            own = people.where(people.side == side)
            estimate = average(statistic, own.by_side()).estimate()
            rows.append(
                (
                    question.criterion.name,
                    f"{names[first]} and {names[second]}",
                    statistic.name,
                    number(estimate),
                    limits(estimate),
                    f"{own.n:,}",
                )
            )
    return Table(
        "rater_coefficients",
        "Each pair of raters on each criterion",
        ("Criterion", "Raters", "Coefficient", "Value", "95% interval", "Shared labels"),
        rows,
        (3, 5),
    )


def _level(level: RaterLevel | None) -> tuple[str, str]:
    if level is None:
        return "0", "no label to compare with others"
    return (
        f"{level.labels:,}",
        CANNOT
        if level.difference.value is None
        else f"{number(level.difference)} ({limits(level.difference)})",
    )


def _beside_judge(findings: Findings, arm: ArmAgreement | None) -> str:
    if findings.asked.judge is None:
        return "no judge"
    return (
        f"{arm.same:,} of {arm.pairs:,}: {share(arm.percent)}; always the commonest: {arm.always:,}"
        if arm
        else "no pairs"
    )


def _square(findings: Findings) -> Heat | None:
    """Share of the same label of every two raters, over all criteria."""
    names = [rater for rater in findings.names if rater in findings.material.raters]
    if not 2 <= len(names) <= MAX_RATERS_IN_SQUARE:
        return None
    same, both = np.zeros((len(names), len(names)), dtype=int), np.zeros((len(names), len(names)), dtype=int)
    place = {rater: at for at, rater in enumerate(names)}
    for question in findings.used:
        labels = findings.material.collapsed_labels(question)
        most = int(labels.rater.max(initial=0)) + 1
        pairs = pair_raters(labels)
        for side in np.unique(pairs.side).tolist():
            chosen = pairs.where(pairs.side == side)
            left, right = place[side // most], place[side % most]
            agreed, n = chosen.where(chosen.first == chosen.second).n, chosen.n
            for i, j in ((left, right), (right, left)):
                same[i, j] += agreed
                both[i, j] += n
    if not both.any():
        return None
    shown = tuple(findings.names[rater] for rater in names)
    texts = tuple(
        tuple(
            f"{percent(same[i, j] / both[i, j])} of {both[i, j]:,}" if both[i, j] else ""
            for j in range(len(names))
        )
        for i in range(len(names))
    )
    shades = tuple(
        tuple(float(same[i, j] / both[i, j]) if both[i, j] else None for j in range(len(names)))
        for i in range(len(names))
    )
    return Heat(
        "rater_pairs",
        "Who agrees with whom: how often two raters gave the same label",
        shown,
        shown,
        texts,
        shades,
    )


def shown_section(findings: Findings) -> Section | None:
    """Return the section on ratings by what had been shown, and on moves toward the judge; None without a
    judge.
    """
    if findings.asked.judge is None:
        return None
    arms = findings.arms
    rows = [
        _arm("Given blind: the headline", arms.blind),
        _arm("Given after seeing the judge's labels", arms.shown),
        _arm("Unknown what the rater had seen", arms.unknown),
    ]
    blocks: list[Block] = []
    if arms.shown.pairs and arms.blind.pairs:
        blocks.append(Paragraph(_less(arms.difference)))
    blocks.append(
        Table("arms", "Same label as the judge, by what the rater had seen", ARM_COLUMNS, rows, (1, 2, 4))
    )
    if any(arm.pairs for arm in findings.reveals[1:]):
        blocks.append(
            Table(
                "reveals_before",
                "Blind ratings, by how many reveals the rater had seen before",
                ("When", *ARM_COLUMNS[1:]),
                [_arm(arm.name.capitalize(), arm) for arm in findings.reveals],
                (1, 2, 4),
            )
        )
    moved = findings.anchoring
    if moved and moved.together.reveals:
        blocks.append(Paragraph(_moved(moved.together)))
        lines = [
            ("Everyone", *_moves(moved.together)),
            *(
                (name, *_moves(moved.by_rater[rater]))
                for rater, name in findings.names.items()
                if rater in moved.by_rater
            ),
            *(
                (findings.criterion(name), *_moves(anchoring))
                for name, anchoring in moved.by_criterion.items()
            ),
        ]
        blocks.append(
            Table(
                "anchoring",
                "After seeing the judge's label: changes towards it minus changes away from it, per reveal",
                ("Group", "Reveals", "Differed", "Toward", "Away", "Otherwise changed", "Index"),
                lines,
                (1, 2, 3, 4, 5),
            )
        )
    return Section("shown", "What raters had seen", tuple(blocks))


def _arm(name: str, arm: ArmAgreement) -> tuple[str, ...]:
    return (
        name,
        f"{arm.same:,}",
        f"{arm.pairs:,}",
        share(arm.percent) if arm.pairs else "no pairs",
        f"{arm.always:,}",
    )


def _less(difference: Estimate) -> str:
    if difference.value is None:
        return (
            "The difference between ratings given after seeing the judge's labels and blind ratings can't be "
            f"estimated: {difference.undefined}."
        )
    points = (
        f"Same label as the judge, after seeing its labels minus blind: {decimal(100 * difference.value, 0)} "
        "percentage points"
    )
    if difference.low is None or difference.high is None:
        return f"{points}; no interval: {difference.no_interval}."
    low, high = decimal(100 * difference.low, 0), decimal(100 * difference.high, 0)
    return f"{points} (plausible range {low} to {high})."


def _moved(anchoring: Anchoring) -> str:
    return (
        f"Raters were shown the judge's label {count(anchoring.reveals, 'time', 'times')}; in "
        f"{anchoring.differed:,} of these, the two labels differed. Raters then changed their label towards "
        f"the judge's {count(anchoring.toward, 'time', 'times')} and away from it "
        f"{count(anchoring.away, 'time', 'times')}."
    )


def _moves(anchoring: Anchoring) -> tuple[str, ...]:
    index = (
        CANNOT if anchoring.index.value is None else f"{number(anchoring.index)} ({limits(anchoring.index)})"
    )
    return (
        f"{anchoring.reveals:,}",
        f"{anchoring.differed:,}",
        f"{anchoring.toward:,}",
        f"{anchoring.away:,}",
        f"{anchoring.aside:,}",
        index,
    )


def settled_section(findings: Findings) -> Section | None:
    """Return the section that compares the judge with settled labels; None without a judge or settled
    labels.

    Labels that may stand as the truth are separate from those settled with the judge in view.
    """
    settled = findings.material.settled
    if not settled or findings.asked.judge is None:
        return None
    rows = []
    for reference, caption in (
        (
            True,
            "Settled between clinicians, without seeing the judge's labels: reference labels",
        ),
        (
            False,
            "Settled with the judge's labels in view, because of the judge, or labelled again since: "
            "not reference labels",
        ),
    ):
        ones = [settled_label for settled_label in settled if settled_label.reference == reference]
        pairs, same, none = 0, 0, 0
        judge_label_at = {
            (question, unit): code
            for question, unit, code in zip(
                findings.material.judge.question.tolist(),
                findings.material.judge.unit.tolist(),
                findings.material.judge.code.tolist(),
                strict=True,
            )
        }
        for settled_label in ones:
            label = judge_label_at.get((settled_label.question, settled_label.unit))
            if settled_label.code is None:
                none += 1
            elif label is not None:
                pairs, same = pairs + 1, same + (label == settled_label.code)
        rows.append(
            (
                caption,
                f"{len(ones):,}",
                f"{none:,}",
                f"{same:,}",
                f"{pairs:,}",
                percent(same / pairs) if pairs else "no pairs",
            )
        )
    blocks: list[Block] = [
        Paragraph(
            "Clinicians first disagreed on the labels that were settled, so these are the hard ones. "
            "Agreement on them alone is lower than on all labels, and is not a rate.",
            "small",
        ),
        Table(
            "settled",
            "The judge and settled labels",
            ("Settled", "Labels", "Both readings are valid", "Same label", "of pairs", "Percent"),
            rows,
            (1, 2, 3, 4),
        ),
    ]
    against = beside_reference(findings.material)
    if against.pairs:
        blocks.insert(
            0,
            Paragraph(
                "Reference labels are labels that were settled without seeing the judge's labels, or that "
                "two or more clinicians all gave alike and blind. Compared with these, the judge is right "
                f"on {against.same:,} of {against.pairs:,}, {share(against.percent)}. Always giving the "
                f"commonest label would be right on {against.always:,}."
            ),
        )
    return Section("settled", "Settled labels", tuple(blocks))
