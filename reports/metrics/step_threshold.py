"""Whether 0.6 is the right threshold of Step-F1: how much rests on it, and what clinicians say of pairs of
steps that they rated without seeing the score.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from data.record import conversations, step_pairs
from data.record.metrics import MetricValue
from data.record.step_pairs import StepPairRating
from data.record.studies import Study
from data.schema.vocabulary import StepVerdict
from data.store.store import Connection
from reports.document import Block, Panel, PanelPoint, Panels, Paragraph, Table
from runs.scoring.metrics.step_f1_thresholds import NAME
from scoring.agreement.intervals.estimate import Estimate
from scoring.agreement.verdicts.minimum_data import MINIMUM_CONVERSATIONS
from scoring.step_f1 import THRESHOLD
from scoring.step_pair_choice import LOWEST
from scoring.step_pair_ratings import (
    CANDIDATES,
    MIN_RATED_PAIRS,
    RatedPair,
    StepThreshold,
    estimate_threshold,
)
from words.figures import decimal
from words.plurals import count

TITLE = "The threshold of Step-F1"
_COUNTED = {"wrong": "“in part” counts as not the same", "right": "“in part” counts as the same"}
_BAND_ENDS = tuple(tenth / 10 for tenth in range(3, 11))


def threshold_blocks(connection: Connection, study: Study, values: Sequence[MetricValue]) -> Iterator[Block]:
    """Yield Step-F1 at other thresholds, and what raters say of pairs; nothing if the study has no such
    number.

    `values`: those of the study.
    """
    value = next((value for value in values if value.metric == NAME), None)
    if value is None:
        return
    yield from _curve(value)
    yield from _of_ratings(
        step_pairs.of_study(connection, study.id), conversations.shared_persons(connection, study.id)
    )


def _curve(value: MetricValue) -> Iterator[Block]:
    detail, n = value.detail, value.detail["conversations"]
    thresholds = [decimal(threshold, 2) for threshold in detail["thresholds"]]
    points = tuple(PanelPoint(mean, low, high, n) for mean, low, high, _ in detail["mean"])
    first, last = detail["mean"][0][0], detail["mean"][-1][0]
    few = ", too little data to rely on" if detail.get("persons", n) < MINIMUM_CONVERSATIONS else ""
    yield Paragraph(
        f"Two steps match if the Dice coefficient of their words is at least {THRESHOLD}. With a threshold "
        f"of {thresholds[0]} mean Step-F1 would be {decimal(first, 3)}, with {thresholds[-1]} "
        f"{decimal(last, 3)}. This shows how much depends on the threshold, not which one is right."
    )
    yield Panels(
        "step_f1_by_threshold",
        "Step-F1 at other thresholds",
        "threshold",
        "mean Step-F1",
        tuple(thresholds),
        (Panel("", points),),
        "conversations",
        3,
    )
    yield Table(
        "step_f1_by_threshold",
        "Step-F1 at other thresholds",
        ("Threshold", "Mean Step-F1", "95% interval", "Conversations"),
        [
            (
                f"{name} (used)" if threshold == THRESHOLD else name,
                decimal(mean, 3),
                f"none: {reason}" if low is None else f"{decimal(low, 3)} to {decimal(high, 3)}{few}",
                f"{n:,}",
            )
            for name, threshold, (mean, low, high, reason) in zip(
                thresholds, detail["thresholds"], detail["mean"], strict=True
            )
        ],
        (1, 3),
    )


@dataclass(frozen=True)
class _Verdicts:
    """What the raters of one pair say of it, by rater."""

    part: int
    dice: float
    by_rater: Mapping[int, StepVerdict]

    @property
    def verdicts(self) -> list[StepVerdict]:
        return list(self.by_rater.values())

    def share(self, verdict: StepVerdict) -> float:
        return self.verdicts.count(verdict) / len(self.verdicts)


def _of_ratings(ratings: Sequence[StepPairRating], shared: dict[int, int]) -> Iterator[Block]:
    pairs = _pairs(ratings, shared)
    raters = len({rating.rater_id for rating in ratings})
    basis = (
        f"{count(len(pairs), 'pair of steps was', 'pairs of steps were')} rated by "
        f"{count(raters, 'clinician', 'clinicians')} who had not been shown the score"
    )
    if len(pairs) < MIN_RATED_PAIRS:
        yield Paragraph(
            f"{basis if pairs else 'No pair of steps was rated yet'}. {MIN_RATED_PAIRS - len(pairs)} more "
            "pairs are needed before they can suggest a threshold. Pairs are rated on the Metrics tab of a "
            "conversation."
        )
        return
    yield Paragraph(f"{basis}. {_of_whom(pairs)}")
    rated = [
        RatedPair(pair.part, pair.dice, pair.share(StepVerdict.RIGHT), pair.share(StepVerdict.PARTLY))
        for pair in pairs
    ]
    thresholds = [estimate_threshold(rated, "wrong"), estimate_threshold(rated, "right")]
    for threshold in thresholds:
        yield Paragraph(_sentence(threshold))
    yield _threshold_table(thresholds)
    yield _band_table(pairs)


def _pairs(ratings: Sequence[StepPairRating], shared: dict[int, int]) -> list[_Verdicts]:
    """A pair once, also where a gold step was added since or where conversations are copies of each other:
    it is of one step of the assistant, with the same words. The last word of a rater on it counts.
    """
    copied_from = _first_with_the_same_steps(ratings)
    by_pair: dict[tuple[int, int, int, int], dict[int, StepVerdict]] = {}
    for rating in ratings:
        pair, conversation = rating.pair, copied_from[rating.conversation_id]
        name = conversation, pair.model_step, pair.shared, pair.words
        by_pair.setdefault(name, {})[rating.rater_id] = rating.verdict
    return [
        _Verdicts(shared.get(conversation, conversation), 2 * common / words, by_rater)
        for (conversation, _, common, words), by_rater in by_pair.items()
    ]


def _first_with_the_same_steps(ratings: Sequence[StepPairRating]) -> dict[int, int]:
    """Conversation -> the first one that it has all its steps in common with, be it at an earlier time."""
    of_steps: dict[str, int] = {}
    copied_from: dict[int, int] = {}
    for rating in sorted(ratings, key=lambda rating: rating.conversation_id):
        own = copied_from.setdefault(rating.conversation_id, rating.conversation_id)
        copied_from[rating.conversation_id] = min(own, of_steps.setdefault(rating.pair.inputs, own))
    return copied_from


def _of_whom(pairs: Sequence[_Verdicts]) -> str:
    """Whether the answers are of one person or conversation, and whether raters agree."""
    answers = Counter(rater for pair in pairs for rater in pair.by_rater)
    most, every = max(answers.values()), answers.total()
    sentences = []
    if len(answers) == 1:
        sentences.append("All answers come from one person.")
    elif 2 * most > every:
        sentences.append(f"{most:,} of {every:,} answers come from one person.")
    several = [pair for pair in pairs if len(pair.by_rater) > 1]
    if several:
        same = sum(len(set(pair.verdicts)) == 1 for pair in several)
        sentences.append(
            f"Of {count(len(several), 'pair', 'pairs')} that two or more rated, they gave the same answer to "
            f"{same:,}."
        )
    elif len(answers) > 1:
        sentences.append("No pair was rated by two, so it is too early to say whether clinicians agree.")
    parts = len({pair.part for pair in pairs})
    if parts < MINIMUM_CONVERSATIONS:
        sentences.append(
            f"The pairs come from {count(parts, 'conversation or person', 'conversations or persons')}, too "
            "few to rely on."
        )
    return " ".join(sentences)


def _sentence(threshold: StepThreshold) -> str:
    where = f"Where {_COUNTED[threshold.partly_as]}"
    best = threshold.threshold
    if best.value is None or threshold.mistakes is None or best.low is None or best.high is None:
        return f"{where}, no threshold is named: {best.undefined}."
    more = "not clearly more" if best.low <= THRESHOLD <= best.high else "clearly more"
    return (
        f"{where}, fewest pairs are on the wrong side of the threshold if it is {_score(best.value)} "
        f"({_limits(best)}): {_pairs_of(threshold.mistakes)} of {threshold.pairs:,}. At {THRESHOLD}, which "
        f"is used here, it is {_pairs_of(threshold.mistakes_now)}, {more}."
    )


def _score(value: float) -> str:
    if value >= CANDIDATES[-1]:
        return "above 1, so that no steps match"
    return f"{decimal(value, 2)} or lower" if value <= LOWEST else decimal(value, 2)


def _limits(estimate: Estimate) -> str:
    if estimate.low is None or estimate.high is None:
        return f"none: {estimate.no_interval or estimate.undefined}"
    return f"{_score(estimate.low)} to {_score(estimate.high)}"


def _pairs_of(mistakes: float) -> str:
    return decimal(mistakes, 0 if float(mistakes).is_integer() else 1)


def _threshold_table(thresholds: Sequence[StepThreshold]) -> Table:
    return Table(
        "step_pair_threshold",
        "The threshold that makes the fewest mistakes",
        (
            "Counted",
            "Pairs",
            "Of these, the same",
            "Rank correlation of score and answer, within conversations",
            "Threshold",
            "95% interval",
            "Mistakes at that threshold",
            f"Mistakes at {THRESHOLD}",
        ),
        [
            (
                _COUNTED[threshold.partly_as],
                f"{threshold.pairs:,}",
                decimal(threshold.share_right, 2),
                _order(threshold.order),
                "none" if threshold.threshold.value is None else _score(threshold.threshold.value),
                _limits(threshold.threshold),
                "none" if threshold.mistakes is None else _pairs_of(threshold.mistakes),
                _pairs_of(threshold.mistakes_now),
            )
            for threshold in thresholds
        ],
        (1, 2, 6, 7),
    )


def _order(order: Estimate) -> str:
    if order.value is None:
        return f"none: {order.undefined}"
    if order.low is None or order.high is None:
        return f"{decimal(order.value, 2)} (no interval: {order.no_interval})"
    return f"{decimal(order.value, 2)} ({decimal(order.low, 2)} to {decimal(order.high, 2)})"


def _band_table(pairs: Sequence[_Verdicts]) -> Table:
    rows = []
    for place, (low, high) in enumerate(itertools.pairwise(_BAND_ENDS)):
        last = place == len(_BAND_ENDS) - 2
        band = [pair for pair in pairs if low <= pair.dice and (last or pair.dice < high)]
        answers = [verdict for pair in band for verdict in pair.verdicts]
        rows.append(
            (
                f"{decimal(low, 1)} to {decimal(high, 1)}{'' if last else ' (not included)'}",
                f"{len(band):,}",
                *(f"{answers.count(verdict):,}" for verdict in StepVerdict),
            )
        )
    return Table(
        "step_pairs_by_score",
        f"Answers by score, {count(len(pairs), 'pair', 'pairs')}",
        ("Dice coefficient", "Pairs", "The same", "In part", "Not the same"),
        rows,
        (1, 2, 3, 4),
    )
