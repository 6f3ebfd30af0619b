"""How many quotations a judge's reasons hold, and which of them its conversation does not: counted when a
label is written, because to read every reason and every conversation again is most of the time of a report.

Reasons and conversations never change but by erasure. Where nobody counted, or by another rule, the words are
read (data/rationales.py).
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, Select, and_, select
from sqlalchemy.dialects.sqlite import insert

from data import conversations, schema
from scoring.quotations import RULE, quotations, says, searchable

AT_ONCE = 50  # conversations whose words are held at a time


class QuotationCount(NamedTuple):
    """`missing`: JSON, positions of the quotations that the conversation does not hold."""

    judgement_id: int
    quotations: int
    missing: str


def count_quotations(connection: Connection, after: int = 0) -> None:
    """Count for the labels with ids above `after` that no row of the present rule is there for. Of words that
    were erased nothing is counted.
    """
    table = schema.quotation_count
    statement = insert(table)
    statement = statement.on_conflict_do_update(
        index_elements=[table.c.judgement_id], set_=dict(statement.excluded)
    )
    uncounted = labels_with_reasons().where(schema.judgement.c.id > after, table.c.judgement_id.is_(None))
    for some in conversation_parts(connection, uncounted):
        rows = connection.execute(uncounted.where(schema.unit.c.conversation_id.in_(some))).all()
        counts = count_again(rows, conversations.read_messages(connection, some))
        connection.execute(statement, [{**count._asdict(), "rule": RULE} for count in counts])


def labels_with_reasons() -> Select[Any]:
    """Labels of judges whose reasons are not erased, with their reasons, beside the row of `quotation_count`
    by the present rule, if there is one. Answers to anchors are not among them: nobody looks them up.
    """
    judgement, unit, words = schema.judgement, schema.unit, schema.content
    return (
        select(judgement.c.id, unit.c.conversation_id, unit.c.message, words.c.text)
        .join(unit, unit.c.id == judgement.c.unit_id)
        .join(words, words.c.id == judgement.c.reasoning_content)
        .outerjoin(schema.quotation_count, is_counted())
        .where(judgement.c.status == "ok", judgement.c.anchor_round == 0, words.c.text.is_not(None))
    )


def conversation_parts(
    connection: Connection, labels: Select[Any], size: int = AT_ONCE
) -> Iterator[list[int]]:
    """The conversations of some of `labels_with_reasons`, as many at a time as are held."""
    column = schema.unit.c.conversation_id
    numbers = sorted(connection.execute(labels.with_only_columns(column).distinct()).scalars())
    for start in range(0, len(numbers), size):
        yield numbers[start : start + size]


def count_again(
    labels: Iterable[Any], messages: Mapping[int, Sequence[Sequence[str]] | None]
) -> Iterator[QuotationCount]:
    """`labels`: rows of `labels_with_reasons`. `messages`: of their conversations, as [role, text], None
    where the words are gone.
    """
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
    """Positions of the quotations that a text made by `searchable` does not hold."""
    return [number for number, quote in enumerate(quotes) if not says(transcript, quote)]


def is_counted() -> Any:
    """Condition of a join: the row of `quotation_count` of a judgement, by the present rule."""
    table = schema.quotation_count
    return and_(table.c.judgement_id == schema.judgement.c.id, table.c.rule == RULE)
