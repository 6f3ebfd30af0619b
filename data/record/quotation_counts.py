"""How many quotations a judge's reasons hold, and which of them its conversation does not: counted when a
label is written, because to read every reason and every conversation again is most of the time of a report.

Reasons and conversations never change but by erasure. Where nobody counted, or by another rule, or with
another Unicode (each Python knows the letters of one), the words are read (data/labels/rationales.py).
"""

from __future__ import annotations

import json
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import Connection, Select, and_, insert, select

from data import schema
from data.record import conversations
from data.store.driver import any_text
from data.store.store import Store
from scoring.quotations import RULE, quotations, says, searchable

CONVERSATIONS_PER_BATCH = 50  # conversations whose words are held at a time
UNICODE = unicodedata.unidata_version
COUNTER = "second-reader"  # who counts, in the trail's terms; counts are no entries of it
_UNREADABLE = (ValueError, TypeError, AttributeError, KeyError, RecursionError)  # what altered words raise


class QuotationCount(NamedTuple):
    """`missing`: JSON, positions of the quotations that the conversation does not hold."""

    judgement_id: int
    quotations: int
    missing: str


class Quotations(NamedTuple):
    """Of the reasons of a label. `missing`: positions of those that its conversation does not hold, None
    where nobody counted them, or what was recorded of them cannot be.
    """

    texts: list[str]
    missing: list[int] | None


def read_quotations(reasoning: str, count: int | None, missing: str | None) -> Quotations:
    """Return the quotations in a judge's reasoning, and which of them the conversation lacks.

    `count` and `missing` are the columns of `quotation_count`, None if it has no row by the present rule.
    """
    if count == 0 and missing == "[]":
        return Quotations([], [])
    texts = quotations(reasoning)
    if not texts:
        return Quotations([], [])
    return Quotations(texts, _positions(missing, len(texts)) if missing and count == len(texts) else None)


def _positions(recorded: str, count: int) -> list[int] | None:
    """None where they cannot be those of some of `count` quotations."""
    try:
        numbers = json.loads(recorded)
    except (ValueError, RecursionError):
        return None
    if not isinstance(numbers, list) or not all(type(each) is int for each in numbers):
        return None
    return numbers if sorted(set(numbers) & set(range(count))) == numbers else None


def count_quotations(connection: Connection, after: int = 0) -> None:
    """Count for the labels with ids above `after` that are not counted by the present rule. Of words that
    were erased, or altered so that nobody can read them, nothing is counted.
    """
    with any_text(connection):
        for some in conversation_parts(connection, _uncounted(after)):
            _count_some(connection, after, some)


class QuotationCounter:
    """Counts for labels that nobody has counted yet, in many short transactions, so that others can save in
    between.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._after = self._last = 0  # the labels above `_after` are being counted, up to `_last`
        self._parts: list[list[int]] = []

    def count_some(self) -> bool:
        """Count for some conversations; return False if there is nothing to count."""
        if not self._parts:
            table = schema.judgement
            with self._store.reading() as connection:
                newest = connection.execute(select(table.c.id).order_by(table.c.id.desc()).limit(1)).scalar()
                if (newest or 0) == self._last:
                    return False
                self._after, self._last = self._last, newest or 0
                self._parts = list(conversation_parts(connection, _uncounted(self._after)))[::-1]
        if self._parts:
            with self._store.writing(COUNTER, "count quotations") as (connection, _), any_text(connection):
                _count_some(connection, self._after, self._parts[-1])
            self._parts.pop()
        return True


def _uncounted(after: int) -> Select[Any]:
    counted = schema.quotation_count.c.judgement_id
    return labels_with_reasons().where(schema.judgement.c.id > after, counted.is_(None))


def _count_some(connection: Connection, after: int, conversation_ids: Sequence[int]) -> None:
    statement = _uncounted(after).where(schema.unit.c.conversation_id.in_(conversation_ids))
    labels = connection.execute(statement).all()
    counts = count_again(connection, labels, conversation_ids)
    rows = [{**count._asdict(), "rule": RULE, "unicode": UNICODE} for count in counts]
    if rows:  # a row by another rule gives way
        connection.execute(insert(schema.quotation_count).prefix_with("OR REPLACE"), rows)


@cache
def labels_with_reasons() -> Select[Any]:
    """Return a statement that selects judges' labels with their reasons, next to their row of
    `quotation_count`.

    Labels whose reasons or conversation were erased, and answers to anchors, are left out.
    """
    judgement, unit, conversation = schema.judgement, schema.unit, schema.conversation
    words, transcript = schema.content, schema.content.alias()
    return (
        select(judgement.c.id, unit.c.conversation_id, unit.c.message, words.c.text)
        .join(unit, unit.c.id == judgement.c.unit_id)
        .join(conversation, conversation.c.id == unit.c.conversation_id)
        .join(words, words.c.id == judgement.c.reasoning_content)
        .join(transcript, transcript.c.id == conversation.c.transcript_content)
        .outerjoin(schema.quotation_count, is_counted())
        .where(
            judgement.c.status == "ok",
            judgement.c.anchor_round == 0,
            words.c.text.is_not(None),
            transcript.c.text.is_not(None),
        )
    )


def conversation_parts(
    connection: Connection, labels: Select[Any], size: int = CONVERSATIONS_PER_BATCH
) -> Iterator[list[int]]:
    """Yield the conversations of the labels that `labels` selects, ascending, `size` ids at a time."""
    column = schema.unit.c.conversation_id
    numbers = sorted(connection.execute(labels.with_only_columns(column).distinct()).scalars())
    for start in range(0, len(numbers), size):
        yield numbers[start : start + size]


def count_again(
    connection: Connection, labels: Sequence[Any], conversation_ids: Sequence[int]
) -> list[QuotationCount]:
    """Return the counts of the labels (rows of `labels_with_reasons`) of these conversations.

    Labels of conversations whose words were altered so that they can't be read are left out.
    """
    try:
        return list(_count(labels, conversations.read_messages(connection, conversation_ids)))
    except _UNREADABLE:
        if len(conversation_ids) == 1:
            return []
    return [
        count
        for number in conversation_ids
        for count in count_again(
            connection, [row for row in labels if row.conversation_id == number], [number]
        )
    ]


def _count(
    labels: Iterable[Any], messages: Mapping[int, Sequence[Sequence[str]] | None]
) -> Iterator[QuotationCount]:
    """`messages`: by conversation, as [role, text], None where the words are gone."""
    by_transcript: dict[tuple[int, int | None], list[Any]] = defaultdict(list)
    for row in labels:
        by_transcript[row.conversation_id, row.message].append(row)
    for (conversation_id, last), rows in by_transcript.items():
        words = messages[conversation_id]
        if words is None:
            continue
        transcript = searchable(text for _, text in words[: None if last is None else last + 1])
        for row in rows:
            quotes = quotations(row.text)
            missing = missing_quotations(quotes, transcript)
            yield QuotationCount(row.id, len(quotes), json.dumps(missing) if missing else "[]")


def missing_quotations(quotes: Sequence[str], transcript: str) -> list[int]:
    """Return the positions of the quotations that `transcript`, made by `searchable`, does not contain."""
    return [number for number, quote in enumerate(quotes) if not says(transcript, quote)]


def is_counted() -> Any:
    """Return an SQL condition of a join: the row of `quotation_count` of a judgement, by the present rule."""
    table = schema.quotation_count
    return and_(
        table.c.judgement_id == schema.judgement.c.id, table.c.rule == RULE, table.c.unicode == UNICODE
    )
