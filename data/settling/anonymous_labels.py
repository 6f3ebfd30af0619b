"""What was said of a criterion by people who must not be recognised: under a letter, in an order that differs
from unit to unit.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import Connection

from data import schema
from data.labels.counted import counted_ratings
from data.record.answers import Span
from data.record.studies import Study
from data.record.units import Unit
from data.store import content
from words.figures import letters


@dataclass(frozen=True)
class AnonymousLabel:
    """The last blind answer of one rater. `label` None: cannot rate, for the reason `cannot_rate`."""

    letter: str
    criterion: str
    label: str | None
    cannot_rate: str | None
    also: tuple[str, ...]
    confidence: int | None
    note: str | None
    reason: str | None
    evidence: tuple[Span, ...]


def anonymous_labels(connection: Connection, study: Study, unit: Unit) -> list[AnonymousLabel]:
    """Every criterion's blind answers in the order of the letters. A rater has one letter in a unit, and
    likely another in the next.
    """
    rating = schema.rating
    rows = connection.execute(counted_ratings(study.id, "blind", (unit.id,)).with_only_columns(rating)).all()
    order = letter_order(unit.id, {row.rater_id for row in rows})
    texts = content.get_many(connection, [i for row in rows for i in (row.note_content, row.reason_content)])
    labels = [
        AnonymousLabel(
            letters(order.index(row.rater_id)),
            row.criterion,
            row.label,
            row.cannot_rate,
            tuple(json.loads(row.also)),
            row.confidence,
            texts.get(row.note_content),
            texts.get(row.reason_content),
            tuple(Span(**span) for span in json.loads(row.evidence)),
        )
        for row in rows
    ]
    return sorted(labels, key=lambda voice: (len(voice.letter), voice.letter))


def letter_order(unit_id: int, rater_ids: Iterable[int]) -> list[int]:
    """Who of the raters of a unit is A, B and so on."""
    return sorted(rater_ids, key=lambda rater_id: hashlib.sha256(f"{unit_id}/{rater_id}".encode()).digest())
