"""Does a judge favour replies of its own family of models? For study leads alone: it names the models."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from data.labels import agreement_material
from data.record.generating_models import number_cases, read_replies
from data.record.judgements import Judge
from data.record.studies import Study
from data.store.store import Connection
from reports.document import Paragraph
from scoring.agreement.intervals.estimate import Estimate
from scoring.agreement.judges.self_preference import OTHER, OWN, UNKNOWN, SelfPreference, compare_families
from scoring.judges.families import family
from words.figures import signed_decimal

TITLE = "Does it favour replies from its own model family?"
NO_PROOF = (
    "A judge that is stricter or more lenient than clinicians, or sees quality more or less sharply, can "
    "show the same, so read replies from both before you call it a preference."
)


def self_preference(connection: Connection, study: Study, judge: Judge) -> Iterator[Paragraph]:
    """Yield one sentence on whether the judge favours its own family of models.

    Nothing if its family is unknown or wrote no reply here.
    """
    own = family(str(judge.identity.get("model") or ""))
    replies = read_replies(connection, study.id)
    families = {reply.family for reply in replies.values()}
    if own is None or own not in families:
        return
    others = " and ".join(sorted(families - {own}))
    if not others:
        yield Paragraph(
            f"Whether it favours {own} can't be estimated: all replies whose model is known are from {own}."
        )
        return
    data, cases = agreement_material.read_counted(connection, study, judge.id), number_cases(replies, own)
    conversations = data.units.conversation.tolist()
    sides = [
        UNKNOWN if number not in replies else OWN if replies[number].family == own else OTHER
        for number in conversations
    ]
    result = compare_families(
        data, np.array(sides), np.array([cases.get(number, -1) for number in conversations])
    )
    yield Paragraph(_sentence(result, own, others))


def _sentence(result: SelfPreference, own: str, others: str) -> str:
    if result.difference.undefined:
        return f"Whether it favours {own} over {others} can't be estimated: {result.difference.undefined}."
    points = f"{_points(result.difference)}, within {result.cases:,} cases that both answered"
    if not result.clear_side:
        return (
            "It is not shown to favour its own model family. The difference between its labels and "
            f"clinicians', on replies from {own} compared with replies from {others}, is {points}."
        )
    return (
        f"Compared with clinicians, it labels replies from its own model family ({own}) "
        f"{'higher' if result.clear_side > 0 else 'lower'} than replies from {others}: by {points}. "
        f"{NO_PROOF}"
    )


def _points(difference: Estimate) -> str:
    """In hundredths of the scale, or labels of 100 that pass."""
    value, low, high = (
        "?" if limit is None else signed_decimal(100 * limit, 0)
        for limit in (difference.value, difference.low, difference.high)
    )
    return f"{value} of 100 points ({low} to {high})"
