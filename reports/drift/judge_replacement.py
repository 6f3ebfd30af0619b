"""A new judge beside the one in use, on the anchors: what it would miss, what it would catch, where they
differ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from reports.document import Block, Paragraph, Table, UnitLink
from reports.drift.anchor_rounds import days_of_round, in_points
from reports.wording import share
from scoring.drift.anchor_answers import (
    AnchorAnswer,
    by_criterion,
    by_label,
    split_into_rounds,
)
from scoring.drift.judge_replacement import SafetyFailureChange
from services.anchors import AnchorDrift
from services.judge_replacement import JudgeReplacement
from words.figures import chance
from words.plurals import count


def verdict(replacement: JudgeReplacement) -> Iterator[Block]:
    """Yield what replacing the judge would lose and gain, then the lists of failures missed and caught."""
    anchors, in_use = replacement.anchors, replacement.judge_in_use
    if not replacement.has_answered:
        yield Paragraph(
            f"{anchors.name(replacement.new_judge)} has not answered the locked set yet. Start a run on the "
            "Runs page with \u201cOnly the locked set\u201d."
        )
        return
    if in_use is not None and not anchors.latest(in_use):
        yield Paragraph(
            f"{anchors.name(in_use)}, the judge in use, has not answered this locked set, so the two can't "
            "be compared. Ask it too.",
            "strong",
        )
    new_judge = _asked(anchors, replacement.new_judge)
    answers = (
        f"are for {new_judge}" if in_use is None else f"compare {new_judge}, with {_asked(anchors, in_use)}"
    )
    yield Paragraph(
        f"These numbers {answers}. The Agreement and Judges pages use the labels that judges gave in the "
        "study, not in these rounds.",
        "small",
    )
    if not anchors.failure:
        return
    yield from _gate(replacement)
    unclear = _unclear(replacement)
    yield from _doubts(unclear)
    yield Paragraph("A failure is caught if most of the three answers call it a failure.", "small")
    yield from _lists(replacement, [failed for failed in unclear if not failed.thin])


def _gate(replacement: JudgeReplacement) -> Iterator[Block]:
    """What would be lost, and what would be won."""
    anchors, comparison = replacement.anchors, replacement.comparison
    name = anchors.name(replacement.new_judge)
    failures = _failure_count(len(comparison.failures), anchors)
    caught_before = sum(failed.before == "caught" for failed in comparison.failures)
    if not comparison.failures:
        sentence = (
            "The locked set contains no failure, so it is unknown whether this judge misses any. To use it, "
            "give a reason."
        )
    elif replacement.judge_in_use is None:
        caught = sum(failed.now == "caught" for failed in comparison.failures)
        sentence = (
            f"No judge has been chosen by the locked set yet. Of {failures}, {name} catches {caught:,}."
        )
    elif comparison.missed:
        sentence = (
            f"{name} misses {len(comparison.missed):,} of the {_failure_count(caught_before, anchors)} that "
            "the judge in use catches. To use it, give a reason and your name."
        )
    elif not caught_before:
        sentence = (
            f"The judge in use is not known to catch any of {failures}, so there is none that {name} could "
            "newly miss."
        )
    else:
        loss = "is not known to miss any" if comparison.unclear else "misses none"
        sentence = (
            f"{name} {loss} of the {_failure_count(caught_before, anchors)} that the judge in use catches."
        )
    yield Paragraph(sentence, "strong")
    if replacement.judge_in_use is not None and comparison.failures:
        all_missed = sum(failed.now == "missed" for failed in comparison.failures)
        yield Paragraph(
            f"It catches {len(comparison.caught):,} that the judge in use misses. Of all {failures} it "
            f"misses {all_missed:,}."
        )


def _failure_count(number: int, anchors: AnchorDrift) -> str:
    return count(number, anchors.failure, f"{anchors.failure}s")


def _unclear(replacement: JudgeReplacement) -> Sequence[SafetyFailureChange]:
    """Failures that the new judge may or may not catch."""
    comparison = replacement.comparison
    if replacement.judge_in_use is not None:
        return comparison.unclear
    return [failed for failed in comparison.failures if failed.now == "unclear"]


def _doubts(unclear: Sequence[SafetyFailureChange]) -> Iterator[Block]:
    thin = sum(failed.thin for failed in unclear)
    if thin:
        yield Paragraph(
            f"It was asked about {thin:,} of them fewer than three times, so it is unclear whether it "
            "catches them. Ask it about the locked set on the Runs page.",
            "strong",
        )
    if len(unclear) > thin:
        yield Paragraph(
            f"For {len(unclear) - thin:,} it is unclear whether this judge misses what the judge in use "
            "catches: calls failed, the three answers have no majority, or the answer of the judge in use "
            "is unknown. A person has to look at them.",
            "strong",
        )


def _lists(replacement: JudgeReplacement, split: Sequence[SafetyFailureChange]) -> Iterator[Block]:
    """The failures themselves. `split`: those whose answers, though enough of them, tell nothing."""
    criterion_name, comparison = replacement.anchors.criterion, replacement.comparison
    if replacement.judge_in_use is None:
        missed = [failed for failed in comparison.failures if failed.now == "missed"]
        yield _failures(criterion_name, "missed", "Missed", missed)
    else:
        for key, caption, failures in (
            ("missed", "Missed by the new judge, caught by the one in use", comparison.missed),
            ("caught", "Caught by the new judge, missed by the one in use", comparison.caught),
            ("both_miss", "Missed by both", comparison.find_failures("missed", "missed")),
        ):
            yield _failures(criterion_name, key, caption, failures)
    if split:
        yield _failures(criterion_name, "unclear", "Unclear", split)


def _asked(drift: AnchorDrift, judge_id: int) -> str:
    """Which answers of a judge these are, and when it gave them."""
    anchor_rounds = split_into_rounds(drift.latest(judge_id))
    if not anchor_rounds:
        return f"{drift.name(judge_id)}, which was not asked"
    return (
        f"{drift.name(judge_id)}, "
        f"{f'round {anchor_rounds[0].number}' if anchor_rounds[0].number else 'its labels in the study'} "
        f"({days_of_round(anchor_rounds[0])})"
    )


def _failures(
    criterion_name: Callable[[str], str], key: str, caption: str, failures: Sequence[SafetyFailureChange]
) -> Block:
    if not failures:
        return Paragraph(f"{caption}: none.")
    return Table(
        key,
        f"{caption}: {len(failures):,}",
        ("Read it", "Criterion", "Settled", "The judge's answer"),
        [
            (
                UnitLink(failure.unit, failure.criterion),
                criterion_name(failure.criterion),
                failure.settled,
                ", ".join(label or "no answer" for label in failure.said) or "was not asked",
            )
            for failure in failures
        ],
    )


def shares_right(replacement: JudgeReplacement) -> Iterator[Block]:
    """Yield how often either judge is right, over all labels and by criterion.

    Nothing without a judge in use or common labels.
    """
    anchors, both, in_use = replacement.anchors, replacement.difference, replacement.judge_in_use
    if in_use is None or not both.labels:
        return
    new_judge = replacement.new_judge
    by_chance = "" if both.p is None else f" p {chance(both.p)} (exact sign test over conversations)."
    yield Paragraph(
        f"Of {count(both.labels, 'settled label', 'settled labels')} that both answered, the judge in use is "
        f"right on {share(both.first)} and {anchors.name(new_judge)} on {share(both.second)}: "
        f"{in_points(both)}. It is right more often in "
        f"{count(both.ahead, 'conversation', 'conversations')} and less often in "
        f"{both.behind:,}.{by_chance}"
    )
    criteria = [question.id for question in anchors.questions]
    differences = by_criterion(anchors.latest(in_use), anchors.latest(new_judge), criteria)
    yield Table(
        "by_criterion",
        "Right on the locked set, by criterion",
        ("Criterion", "Labels", "In use", "New", "Difference"),
        [
            (
                anchors.criterion(name),
                f"{each.labels:,}",
                share(each.first),
                share(each.second),
                in_points(each),
            )
            for name, each in differences.items()
        ],
        (1,),
    )


def labels_apart(replacement: JudgeReplacement) -> Block:
    """Return a table of every label on which the majority answers of the two judges differ."""
    if not replacement.comparison.apart:
        return Paragraph("The majority answers of the two are the same on every label.")
    return Table(
        "apart",
        f"Where their majority answers differ: {len(replacement.comparison.apart):,}",
        ("Read it", "Criterion", "Settled", "In use", "New"),
        [
            (
                UnitLink(each.unit, each.criterion),
                replacement.anchors.criterion(each.criterion),
                each.settled,
                each.before or "no majority",
                each.now or "no majority",
            )
            for each in replacement.comparison.apart
        ],
    )


def as_table(replacement: JudgeReplacement) -> Table:
    """Return the table "swap" of every anchor label that the new judge answered, sorted by unit and
    criterion.

    A row holds both, the settled label, "yes" or "no" for a safety failure, and the answers of the judge in
    use and of the new one.
    """
    anchors, in_use = replacement.anchors, replacement.judge_in_use
    old = by_label(anchors.latest(in_use) if in_use is not None else [])
    new = by_label(anchors.latest(replacement.new_judge))
    return Table(
        "swap",
        "Both judges on the locked set",
        ("unit", "criterion", "settled", "safety failure", "in use", "new"),
        [
            (
                f"{unit}",
                criterion,
                answers[0].settled,
                "yes" if anchors.is_failure(criterion, answers[0].settled) else "no",
                _all(old.get((unit, criterion), [])),
                _all(answers),
            )
            for (unit, criterion), answers in sorted(new.items())
        ],
    )


def _all(answers: Sequence[AnchorAnswer]) -> str:
    return ", ".join(answer.label or "no answer" for answer in answers)
