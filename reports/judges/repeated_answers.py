"""Whether a judge repeats itself where the same question was asked again."""

from __future__ import annotations

from collections.abc import Iterator

from data.record import ledger_reports
from data.record.judgements import Judge
from data.store.store import Connection
from reports.document import Paragraph
from scoring.agreement.judges.flips import FlipRate, RepeatedVerdicts, flips
from words.figures import percent


def repeated_answers(connection: Connection, judge: Judge) -> Iterator[Paragraph]:
    """Yield how often the judge changes its answer, for labels drawn at random; safety labels separately."""
    random, safety = (flip_rate(connection, judge, arm) for arm in ("random", "safety"))
    if not random.labels:
        yield Paragraph(
            "Not measured, because the judge was not asked for any label again. Start a run that asks for a "
            "random share of the labels several times."
        )
    else:
        yield Paragraph(_flip_sentence(random))
    if safety.labels:
        yield Paragraph(
            f"Separately, of {safety.labels:,} safety labels, every NO and as many YES, {safety.changed:,} "
            "changed at least once. These were not chosen at random, so no rate includes them."
        )


def flip_rate(connection: Connection, judge: Judge, arm: str) -> FlipRate:
    """Return how often a judge's repeated answers differ.

    `arm`: "random" or "safety", why a label was asked again.
    """
    return flips(
        [
            RepeatedVerdicts(
                replicated.conversation_id,
                replicated.first,
                tuple(label for label in replicated.later if label is not None),
            )
            for replicated in ledger_reports.asked_again(connection, judge.id, arm)
            if replicated.first is not None
        ]
    )


def _flip_sentence(flip_rate: FlipRate) -> str:
    sentence = (
        f"Flip rate {percent(flip_rate.rate.value or 0.0)}: of {flip_rate.asked_again:,} answers to "
        "questions asked again, in a random share of what was judged, that many differ from the first "
        f"verdict. {flip_rate.changed:,} of {flip_rate.labels:,} labels changed at least once; "
        f"{flip_rate.conversations:,} conversations."
    )
    if flip_rate.rate.low is not None and flip_rate.rate.high is not None:
        return (
            f"{sentence} 95% interval: {percent(max(0.0, flip_rate.rate.low))} to "
            f"{percent(min(1.0, flip_rate.rate.high))}."
        )
    if flip_rate.none_at_most is not None:
        return (
            f"{sentence} With this many conversations, up to {percent(flip_rate.none_at_most)} of them "
            "could still contain a label that changes (95% limit)."
        )
    return f"{sentence} No interval: {flip_rate.rate.undefined}."
