"""What a judge answered to anchors, labels that were settled and frozen: only the judge can move there.

A label is asked several times in a round. How often a judge is right is the share of its answers that are as
settled, over labels; its interval, and that of a difference between two rounds or two judges over the labels
that both answered, leaves out one conversation at a time.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from scoring.agreement.intervals.additive_counts import over_conversations, ratio
from scoring.agreement.intervals.estimate import Estimate
from scoring.agreement.intervals.jackknife import Statistic
from scoring.agreement.significance_tests.mcnemar import sign_test
from scoring.drift.periods import UNKNOWN

ANSWERS = 3  # of each label in a round
Key = tuple[int, str]  # position of the unit, criterion
_RIGHT = ratio(
    "share of answers that are as settled",
    "the judge answered no conversation in the locked set",
    all_agree=1.0,
)
_MORE = ratio(
    "difference of shares of answers that are as settled",
    "no conversation in the locked set has both answers",
    low=-1.0,
)


@dataclass(frozen=True, slots=True)
class AnchorAnswer:
    """One answer to one anchor label. `round` 0: the judge's own label in the study, asked once. `label`
    None: a failure. `day` since 1970-01-01, UNKNOWN where it was imported without one.
    """

    conversation: int
    unit: int
    criterion: str
    settled: str
    round: int
    label: str | None
    day: int

    @property
    def key(self) -> Key:
        return self.unit, self.criterion


@dataclass(frozen=True)
class AnchorRound:
    """One round of one judge. `days`: of the first and the last answer, None where no day is known. `thin`:
    labels with fewer answers than ANSWERS; failures are none. Number 0: the study's own labels.
    `since_first`: the difference from the judge's first round in time, which has none.
    """

    number: int
    labels: int
    days: tuple[int, int] | None
    right: Estimate
    failures: int
    thin: int
    since_first: RoundDifference | None


@dataclass(frozen=True)
class RoundDifference:
    """The second less the first, over the labels that both answered. `ahead`, `behind`: conversations in
    which the second is right more often, or less; `p` of the exact sign test over them, None where there are
    none.
    """

    labels: int
    first: Estimate
    second: Estimate
    more: Estimate
    ahead: int
    behind: int
    p: float | None


def by_round(answers: Iterable[AnchorAnswer]) -> dict[int, list[AnchorAnswer]]:
    """Return round number -> its answers, in the order of each round's last day.

    A judge may have labelled the study (round 0) before its first anchor round or after it. A round without
    any known day comes first; equal days are ordered by round number.
    """
    made: dict[int, list[AnchorAnswer]] = defaultdict(list)
    for one in answers:
        made[one.round].append(one)
    return dict(sorted(made.items(), key=lambda one: (max(answer.day for answer in one[1]), one[0])))


def split_into_rounds(answers: Iterable[AnchorAnswer]) -> list[AnchorRound]:
    """Return one `AnchorRound` per round in `answers`, earliest last day first; [] without answers.

    `since_first` of the first round is None.
    """
    parted = by_round(answers)
    first = next(iter(parted), 0)
    return [
        _round(number, said, parted[first] if number != first else None) for number, said in parted.items()
    ]


def _round(number: int, answers: Sequence[AnchorAnswer], first: Sequence[AnchorAnswer] | None) -> AnchorRound:
    labels = by_label(answers)
    days = [answer.day for answer in answers if answer.day != UNKNOWN]
    times = [sum(answer.label is not None for answer in of_label) for of_label in labels.values()]
    return AnchorRound(
        number,
        len(labels),
        (min(days), max(days)) if days else None,
        share_right(answers),
        len(answers) - sum(times),
        sum(answered < ANSWERS for answered in times),
        None if first is None else difference(first, answers),
    )


def by_label(answers: Iterable[AnchorAnswer]) -> dict[Key, list[AnchorAnswer]]:
    """Return (unit, criterion) -> its answers; keys and answers keep the order of `answers`."""
    made: dict[Key, list[AnchorAnswer]] = defaultdict(list)
    for answer in answers:
        made[answer.key].append(answer)
    return dict(made)


def difference(first: Iterable[AnchorAnswer], second: Iterable[AnchorAnswer]) -> RoundDifference:
    """Compare two rounds of one judge, or one round each of two judges: second less first.

    Only labels with at least one answer that is not a failure on both sides count. Per label, a side's
    value is the share of its answers equal to the settled label. `ahead` and `behind` count the
    conversations whose values add up to more, or to less, on the second side.
    """
    before, after = by_label(first), by_label(second)
    both = [
        (before[key][0].conversation, a, b)
        for key in sorted(before.keys() & after.keys())
        if (a := _right(before[key])) is not None and (b := _right(after[key])) is not None
    ]
    net: dict[int, float] = defaultdict(float)
    for conversation, a, b in both:
        net[conversation] += b - a
    ahead, behind = (
        sum(difference_ > 1e-9 for difference_ in net.values()),
        sum(difference_ < -1e-9 for difference_ in net.values()),
    )
    return RoundDifference(
        len(both),
        _share([(c, a) for c, a, _ in both], _RIGHT),
        _share([(c, b) for c, _, b in both], _RIGHT),
        _share([(c, b - a) for c, a, b in both], _MORE),
        ahead,
        behind,
        sign_test(ahead, behind),
    )


def share_right(answers: Iterable[AnchorAnswer]) -> Estimate:
    """Return the mean over labels of the share of answers equal to the settled label, 0 to 1.

    Failed answers are ignored; `n` is the number of labels with at least one other answer. The value is
    None, with a reason, where there is no such label. The interval leaves out one conversation at a time.
    """
    return _share(
        [
            (said[0].conversation, value)
            for said in by_label(answers).values()
            if (value := _right(said)) is not None
        ],
        _RIGHT,
    )


def by_criterion(
    first: Iterable[AnchorAnswer], second: Iterable[AnchorAnswer], criteria: Sequence[str]
) -> Mapping[str, RoundDifference]:
    """Return criterion -> `difference(first, second)` over its labels alone, in the order of `criteria`.

    A criterion on which no label was answered by both is left out.
    """
    answers, two = list(first), list(second)
    differences = {
        name: difference([a for a in answers if a.criterion == name], [a for a in two if a.criterion == name])
        for name in criteria
    }
    return {name: found for name, found in differences.items() if found.labels}


def _right(answers: Sequence[AnchorAnswer]) -> float | None:
    """Share of the answers that are as settled; failures are no answers."""
    known = [answer.label == answer.settled for answer in answers if answer.label is not None]
    return sum(known) / len(known) if known else None


def _share(values: Sequence[tuple[int, float]], statistic: Statistic) -> Estimate:
    """`values`: (conversation, value) of each label."""
    return over_conversations(
        statistic, ((conversation, (value, 1)) for conversation, value in values), (2,), len(values)
    )
