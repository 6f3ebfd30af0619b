"""A new judge beside the one in use, on the anchors: what it would miss, what it would catch, where they
differ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from data.adoptions import AdoptionEvidence, adopt
from data.errors import Refused
from data.store import Store
from reports.document import Block, Paragraph, Table, UnitLink
from reports.drift.anchor_rounds import AnchorDrift, on_anchors, points, when
from reports.wording import count, share
from scoring.drift.anchor_answers import (
    AnchorAnswer,
    RoundDifference,
    by_criterion,
    by_label,
    difference,
    rounds,
    share_right,
)
from scoring.drift.judge_replacement import ReplacementComparison, SafetyFailureChange, compare_answers
from scoring.figures import chance


@dataclass(frozen=True)
class JudgeReplacement:
    """Last rounds of both on the newest anchors. `before` None: no judge is in use yet."""

    found: AnchorDrift
    before: int | None
    now: int
    swap: ReplacementComparison
    together: RoundDifference

    @property
    def asked(self) -> bool:
        return bool(self.found.latest(self.now))

    @property
    def compared(self) -> AdoptionEvidence:
        drift, right = self.found, self.together
        untried = bool(drift.failure) and not self.swap.failures
        if self.before is None:
            alone = share_right(drift.latest(self.now))
            return AdoptionEvidence(
                unclear=sum(failure.now == "unclear" for failure in self.swap.failures),
                untried=untried,
                labels=alone.n,
                right=alone.value,
            )
        return AdoptionEvidence(
            len(self.swap.missed),
            len(self.swap.caught),
            len(self.swap.unclear),
            untried,
            right.labels,
            right.first.value,
            right.second.value,
        )


def compare_replacement(drift: AnchorDrift, now: int) -> JudgeReplacement:
    old = drift.latest(drift.now) if drift.now is not None else []
    new = drift.latest(now)
    asked = {answer.key for answer in new}
    labels = drift.newest.labels if drift.newest else {}
    unasked = [
        (drift.position[unit], criterion, label)
        for (unit, criterion), label in labels.items()
        if unit in drift.readable and (drift.position[unit], criterion) not in asked
    ]
    return JudgeReplacement(
        drift, drift.now, now, compare_answers(old, new, drift.is_failure, unasked), difference(old, new)
    )


def decide(store: Store, actor: str, seen: JudgeReplacement, by: str, reason: str) -> None:
    """Use the new judge from now on. Raises Refused as `adopt` does, and where answers came in since `seen`
    that say something else.
    """
    study = seen.found.study
    with store.writing(actor, "decide on a judge", study.id) as (connection, entry):
        now = compare_replacement(on_anchors(connection, study), seen.now)
        if (now.before, now.swap, now.compared, now.together) != (
            seen.before,
            seen.swap,
            seen.compared,
            seen.together,
        ):
            raise Refused(
                "Answers came in while you read, and they change the comparison. It is shown as it is now: "
                "look again, then decide."
            )
        adopt(connection, entry, study, seen.now, seen.compared, by, reason, seen.before)


def verdict(replacement: JudgeReplacement) -> Iterator[Block]:
    """The sentences of the gate, then the lists: what would be missed as plainly as what would be caught."""
    name, comparison = replacement.found.name(replacement.now), replacement.swap
    if not replacement.asked:
        yield Paragraph(
            f"{name} has not answered the anchors yet. Start it on the Runs page with \u201cOnly the "
            "anchors\u201d, or in a terminal: "
            f"second-reader judge {replacement.found.study.key} --judge NAME --anchors"
        )
        return
    if replacement.before is not None and not replacement.found.latest(replacement.before):
        yield Paragraph(
            f"{replacement.found.name(replacement.before)}, the judge in use, has not answered these "
            "anchors, so the two "
            "cannot be compared. Ask it as well.",
            "strong",
        )
    yield Paragraph(
        f"Compared: {_asked(replacement.found, replacement.now)}"
        + (f" with {_asked(replacement.found, replacement.before)}" if replacement.before is not None else "")
        + ". The pages Agreement and Judges rest on what judges said in the study.",
        "small",
    )
    if not replacement.found.failure:
        return
    failures = count(len(comparison.failures), replacement.found.failure, f"{replacement.found.failure}s")
    caught_before = [failed for failed in comparison.failures if failed.before == "caught"]
    if not comparison.failures:
        yield Paragraph(
            "The anchors hold no failure, so nobody can tell whether this judge misses any: to use it needs "
            "a reason.",
            "strong",
        )
    elif replacement.before is None:
        yield Paragraph(
            f"No judge is in use yet. Of {failures} {name} catches "
            f"{sum(failed.now == 'caught' for failed in comparison.failures):,}.",
            "strong",
        )
    elif comparison.missed:
        yield Paragraph(
            f"{name} misses {len(comparison.missed):,} of the "
            f"{count(len(caught_before), replacement.found.failure, f'{replacement.found.failure}s')} that "
            "the "
            "judge in use "
            "catches: to use it needs a reason and a name.",
            "strong",
        )
    elif not caught_before:
        yield Paragraph(
            f"The judge in use catches none of {failures} for certain, so there is none for {name} to lose.",
            "strong",
        )
    else:
        lost = "is not known to miss any" if comparison.unclear else "misses none"
        yield Paragraph(
            f"{name} {lost} of the "
            f"{count(len(caught_before), replacement.found.failure, f'{replacement.found.failure}s')} that "
            "the "
            "judge in use catches.",
            "strong",
        )
    if replacement.before is not None and comparison.failures:
        all_missed = sum(failed.now == "missed" for failed in comparison.failures)
        yield Paragraph(
            f"It catches {len(comparison.caught):,} that the judge in use misses. Of all {failures} it "
            "misses "
            f"{all_missed:,}."
        )
    unclear = (
        comparison.unclear
        if replacement.before is not None
        else [failed for failed in comparison.failures if failed.now == "unclear"]
    )
    thin, split = (
        [failed for failed in unclear if failed.thin],
        [failed for failed in unclear if not failed.thin],
    )
    if thin:
        yield Paragraph(
            f"It was asked about {len(thin):,} of them fewer than three times, so it cannot be told whether "
            "it catches them. Ask it about the anchors, "
            "on the Runs page.",
            "strong",
        )
    if split:
        yield Paragraph(
            f"For {len(split):,} it cannot be told whether anything is lost: calls failed, the three "
            "answers have no majority, or what "
            "the judge in use says of them is not known. A person has to look at them.",
            "strong",
        )
    yield Paragraph("A failure counts as caught where most of three answers call it one.", "small")
    called = replacement.found.criterion
    if replacement.before is None:
        yield _failures(
            called, "missed", "Missed", [failed for failed in comparison.failures if failed.now == "missed"]
        )
        if split:
            yield _failures(called, "unclear", "Cannot be told", split)
        return
    yield _failures(called, "missed", "Missed by the new judge, caught by the one in use", comparison.missed)
    yield _failures(called, "caught", "Caught by the new judge, missed by the one in use", comparison.caught)
    yield _failures(
        called,
        "both_miss",
        "Missed by both",
        [failed for failed in comparison.failures if failed.before == failed.now == "missed"],
    )
    if split:
        yield _failures(called, "unclear", "Cannot be told", split)


def _asked(drift: AnchorDrift, judge_id: int) -> str:
    """Which answers of a judge these are, and when it gave them."""
    anchor_rounds = rounds(drift.latest(judge_id))
    if not anchor_rounds:
        return f"{drift.name(judge_id)}, which was not asked"
    return (
        f"{drift.name(judge_id)}, "
        f"{f'round {anchor_rounds[0].number}' if anchor_rounds[0].number else 'its labels in the study'} "
        f"({when(anchor_rounds[0])})"
    )


def _failures(
    called: Callable[[str], str], key: str, caption: str, failures: Sequence[SafetyFailureChange]
) -> Block:
    if not failures:
        return Paragraph(f"{caption}: none.")
    return Table(
        key,
        f"{caption}: {len(failures):,}",
        ("Read it", "Criterion", "Settled", "It said"),
        [
            (
                UnitLink(failure.unit, failure.criterion),
                called(failure.criterion),
                failure.settled,
                ", ".join(label or "no answer" for label in failure.said) or "was not asked",
            )
            for failure in failures
        ],
    )


def shares_right(replacement: JudgeReplacement) -> Iterator[Block]:
    """How often either is right, over all labels and by criterion."""
    drift = replacement.found
    if replacement.before is None or not replacement.together.labels:
        return
    both = replacement.together
    by_chance = "" if both.p is None else f" p {chance(both.p)} (exact sign test over conversations)."
    yield Paragraph(
        f"Of {count(both.labels, 'settled label', 'settled labels')} that both answered, the judge in use "
        f"is right on {share(both.first)} and "
        f"{drift.name(replacement.now)} on {share(both.second)}: {points(both)}. It is right more often in "
        f"{both.ahead:,} conversations and less often in "
        f"{both.behind:,}.{by_chance}"
    )
    criteria = [asked.id for asked in drift.material.questions]
    parted = by_criterion(drift.latest(replacement.before), drift.latest(replacement.now), criteria)
    yield Table(
        "by_criterion",
        "Right on the anchors, by criterion",
        ("Criterion", "Labels", "In use", "New", "Difference"),
        [
            (drift.criterion(name), f"{each.labels:,}", share(each.first), share(each.second), points(each))
            for name, each in parted.items()
        ],
        (1,),
    )


def labels_apart(replacement: JudgeReplacement) -> Block:
    """Every label of which most answers of the two differ."""
    if not replacement.swap.apart:
        return Paragraph("Most answers of the two are the same on every label.")
    return Table(
        "apart",
        f"Where most answers of the two differ: {len(replacement.swap.apart):,}",
        ("Read it", "Criterion", "Settled", "In use", "New"),
        [
            (
                UnitLink(each.unit, each.criterion),
                replacement.found.criterion(each.criterion),
                each.settled,
                each.before or "no majority",
                each.now or "no majority",
            )
            for each in replacement.swap.apart
        ],
    )


def as_table(replacement: JudgeReplacement) -> Table:
    """Every anchor label that the new judge answered, for a file."""
    old, new = (
        by_label(replacement.found.latest(replacement.before) if replacement.before is not None else []),
        by_label(replacement.found.latest(replacement.now)),
    )
    return Table(
        "swap",
        "Both judges on the anchors",
        ("unit", "criterion", "settled", "safety failure", "in use", "new"),
        [
            (
                f"{unit}",
                criterion,
                answers[0].settled,
                "yes" if replacement.found.is_failure(criterion, answers[0].settled) else "no",
                _all(old.get((unit, criterion), [])),
                _all(answers),
            )
            for (unit, criterion), answers in sorted(new.items())
        ],
    )


def _all(answers: Sequence[AnchorAnswer]) -> str:
    return ", ".join(answer.label or "no answer" for answer in answers)
