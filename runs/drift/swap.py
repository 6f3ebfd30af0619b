"""A new judge beside the one in use, on the anchors: what it would miss, what it would catch, where they
differ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from data.adoptions import Compared, adopt
from data.errors import Refused
from data.store import Store
from runs.agreement.document import Block, Table, Unit, Words
from runs.agreement.words import count, share
from runs.drift.anchors import OnAnchors, on_anchors, points, when
from scoring.drift.on_anchors import (
    Answer,
    Difference,
    by_criterion,
    by_label,
    difference,
    rounds,
    share_right,
)
from scoring.drift.swap import Failure, Swap, swap
from scoring.figures import chance


@dataclass(frozen=True)
class Compare:
    """Last rounds of both on the newest anchors. `before` None: no judge is in use yet."""

    found: OnAnchors
    before: int | None
    now: int
    swap: Swap
    together: Difference

    @property
    def asked(self) -> bool:
        return bool(self.found.latest(self.now))

    @property
    def compared(self) -> Compared:
        found, right = self.found, self.together
        untried = bool(found.failure) and not self.swap.failures
        if self.before is None:
            alone = share_right(found.latest(self.now))
            return Compared(
                unclear=sum(one.now == "unclear" for one in self.swap.failures),
                untried=untried,
                labels=alone.n,
                right=alone.value,
            )
        return Compared(
            len(self.swap.missed),
            len(self.swap.caught),
            len(self.swap.unclear),
            untried,
            right.labels,
            right.first.value,
            right.second.value,
        )


def compare(found: OnAnchors, now: int) -> Compare:
    old = found.latest(found.now) if found.now is not None else []
    new = found.latest(now)
    asked = {one.key for one in new}
    labels = found.newest.labels if found.newest else {}
    unasked = [
        (found.position[unit], criterion, label)
        for (unit, criterion), label in labels.items()
        if unit in found.readable and (found.position[unit], criterion) not in asked
    ]
    return Compare(found, found.now, now, swap(old, new, found.is_failure, unasked), difference(old, new))


def decide(store: Store, actor: str, seen: Compare, by: str, reason: str) -> None:
    """Use the new judge from now on. Raises Refused as `adopt` does, and where answers came in since `seen`
    that say something else.
    """
    study = seen.found.study
    with store.writing(actor, "decide on a judge", study.id) as (connection, entry):
        now = compare(on_anchors(connection, study), seen.now)
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


def verdict(one: Compare) -> Iterator[Block]:
    """The sentences of the gate, then the lists: what would be missed as plainly as what would be caught."""
    name, found = one.found.name(one.now), one.swap
    if not one.asked:
        yield Words(
            f"{name} has not answered the anchors yet. Start it on the Runs page with \u201cOnly the "
            "anchors\u201d, or in a terminal: "
            f"second-reader judge {one.found.study.key} --judge NAME --anchors"
        )
        return
    if one.before is not None and not one.found.latest(one.before):
        yield Words(
            f"{one.found.name(one.before)}, the judge in use, has not answered these anchors, so the two "
            "cannot be compared. Ask it as well.",
            "strong",
        )
    yield Words(
        f"Compared: {_asked(one.found, one.now)}"
        + (f" with {_asked(one.found, one.before)}" if one.before is not None else "")
        + ". The pages Agreement and Judges rest on what judges said in the study.",
        "small",
    )
    if not one.found.failure:
        return
    failures = count(len(found.failures), one.found.failure, f"{one.found.failure}s")
    known = [failed for failed in found.failures if failed.before == "caught"]
    if not found.failures:
        yield Words(
            "The anchors hold no failure, so nobody can tell whether this judge misses any: to use it needs "
            "a reason.",
            "strong",
        )
    elif one.before is None:
        yield Words(
            f"No judge is in use yet. Of {failures} {name} catches "
            f"{sum(failed.now == 'caught' for failed in found.failures):,}.",
            "strong",
        )
    elif found.missed:
        yield Words(
            f"{name} misses {len(found.missed):,} of the "
            f"{count(len(known), one.found.failure, f'{one.found.failure}s')} that the judge in use "
            "catches: to use it needs a reason and a name.",
            "strong",
        )
    elif not known:
        yield Words(
            f"The judge in use catches none of {failures} for certain, so there is none for {name} to lose.",
            "strong",
        )
    else:
        lost = "is not known to miss any" if found.unclear else "misses none"
        yield Words(
            f"{name} {lost} of the {count(len(known), one.found.failure, f'{one.found.failure}s')} that the "
            "judge in use catches.",
            "strong",
        )
    if one.before is not None and found.failures:
        all_missed = sum(failed.now == "missed" for failed in found.failures)
        yield Words(
            f"It catches {len(found.caught):,} that the judge in use misses. Of all {failures} it misses "
            f"{all_missed:,}."
        )
    unclear = (
        found.unclear
        if one.before is not None
        else [failed for failed in found.failures if failed.now == "unclear"]
    )
    thin, split = (
        [failed for failed in unclear if failed.thin],
        [failed for failed in unclear if not failed.thin],
    )
    if thin:
        yield Words(
            f"It was asked about {len(thin):,} of them fewer than three times, so it cannot be told whether "
            "it catches them. Ask it about the anchors, "
            "on the Runs page.",
            "strong",
        )
    if split:
        yield Words(
            f"For {len(split):,} it cannot be told whether anything is lost: calls failed, the three "
            "answers have no majority, or what "
            "the judge in use says of them is not known. A person has to look at them.",
            "strong",
        )
    yield Words("A failure counts as caught where most of three answers call it one.", "small")
    called = one.found.criterion
    if one.before is None:
        yield _failures(
            called, "missed", "Missed", [failed for failed in found.failures if failed.now == "missed"]
        )
        if split:
            yield _failures(called, "unclear", "Cannot be told", split)
        return
    yield _failures(called, "missed", "Missed by the new judge, caught by the one in use", found.missed)
    yield _failures(called, "caught", "Caught by the new judge, missed by the one in use", found.caught)
    yield _failures(
        called,
        "both_miss",
        "Missed by both",
        [failed for failed in found.failures if failed.before == failed.now == "missed"],
    )
    if split:
        yield _failures(called, "unclear", "Cannot be told", split)


def _asked(found: OnAnchors, judge_id: int) -> str:
    """Which answers of a judge these are, and when it gave them."""
    said = rounds(found.latest(judge_id))
    if not said:
        return f"{found.name(judge_id)}, which was not asked"
    return (
        f"{found.name(judge_id)}, "
        f"{f'round {said[0].number}' if said[0].number else 'its labels in the study'} ({when(said[0])})"
    )


def _failures(called: Callable[[str], str], key: str, caption: str, failures: Sequence[Failure]) -> Block:
    if not failures:
        return Words(f"{caption}: none.")
    return Table(
        key,
        f"{caption}: {len(failures):,}",
        ("Read it", "Criterion", "Settled", "It said"),
        [
            (
                Unit(one.unit, one.criterion),
                called(one.criterion),
                one.settled,
                ", ".join(label or "no answer" for label in one.said) or "was not asked",
            )
            for one in failures
        ],
    )


def right(one: Compare) -> Iterator[Block]:
    """How often either is right, over all labels and by criterion."""
    found = one.found
    if one.before is None or not one.together.labels:
        return
    both = one.together
    by_chance = "" if both.p is None else f" p {chance(both.p)} (exact sign test over conversations)."
    yield Words(
        f"Of {count(both.labels, 'settled label', 'settled labels')} that both answered, the judge in use "
        f"is right on {share(both.first)} and "
        f"{found.name(one.now)} on {share(both.second)}: {points(both)}. It is right more often in "
        f"{both.ahead:,} conversations and less often in "
        f"{both.behind:,}.{by_chance}"
    )
    criteria = [asked.id for asked in found.material.questions]
    parted = by_criterion(found.latest(one.before), found.latest(one.now), criteria)
    yield Table(
        "by_criterion",
        "Right on the anchors, by criterion",
        ("Criterion", "Labels", "In use", "New", "Difference"),
        [
            (found.criterion(name), f"{each.labels:,}", share(each.first), share(each.second), points(each))
            for name, each in parted.items()
        ],
        (1,),
    )


def apart(one: Compare) -> Block:
    """Every label of which most answers of the two differ."""
    if not one.swap.apart:
        return Words("Most answers of the two are the same on every label.")
    return Table(
        "apart",
        f"Where most answers of the two differ: {len(one.swap.apart):,}",
        ("Read it", "Criterion", "Settled", "In use", "New"),
        [
            (
                Unit(each.unit, each.criterion),
                one.found.criterion(each.criterion),
                each.settled,
                each.before or "no majority",
                each.now or "no majority",
            )
            for each in one.swap.apart
        ],
    )


def as_table(one: Compare) -> Table:
    """Every anchor label that the new judge answered, for a file."""
    old, new = (
        by_label(one.found.latest(one.before) if one.before is not None else []),
        by_label(one.found.latest(one.now)),
    )
    return Table(
        "swap",
        "Both judges on the anchors",
        ("unit", "criterion", "settled", "safety failure", "in use", "new"),
        [
            (
                f"{unit}",
                criterion,
                said[0].settled,
                "yes" if one.found.is_failure(criterion, said[0].settled) else "no",
                _all(old.get((unit, criterion), [])),
                _all(said),
            )
            for (unit, criterion), said in sorted(new.items())
        ],
    )


def _all(said: Sequence[Answer]) -> str:
    return ", ".join(one.label or "no answer" for one in said)
