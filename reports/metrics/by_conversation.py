"""The numbers of single conversations beside each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from data.record import units
from data.record.metrics import MetricValue
from data.store.batch_sizes import MAX_IDS_PER_QUERY
from data.store.store import Connection
from reports.document import Block, Cell, Paragraph, Table, UnitLink
from reports.metrics.number_words import number
from runs.scoring import shown_metrics
from words.unit_nouns import CONVERSATION, UnitNoun


def conversations_table(
    connection: Connection,
    values: Sequence[MetricValue],
    named: bool,
    most: int | None = None,
    noun: UnitNoun = CONVERSATION,
) -> Iterator[Block]:
    """Yield a table of all numbers per conversation; nothing if there are none.

    Args:
        connection: to the store.
        values: the numbers.
        named: by the conversation's id, which may reveal a model or condition; else by its first unit.
        most: how many are listed; None for all.
        noun: what a unit is called.
    """
    titles = shown_metrics.titles_of(values)
    keys = {(metric.metric, metric.variant) for metric in values}
    columns = [key for key in titles if key in keys]
    if not columns:
        return
    by_conversation: dict[int, dict[tuple[str, str], MetricValue]] = {}
    for metric in values:
        by_conversation.setdefault(metric.subject.conversation_id or 0, {})[metric.metric, metric.variant] = (
            metric
        )
    listed = list(by_conversation)[:most]
    names = _names(connection, listed, named)
    yield Table(
        "conversations",
        "Conversation by conversation",
        (
            "Conversation" if named or noun == CONVERSATION else f"Conversation of {noun.singular}",
            *(titles[key] for key in columns),
        ),
        [(names[row], *_numbers(by_conversation[row], columns)) for row in listed],
        tuple(range(1, len(columns) + 1)),
    )
    if len(by_conversation) > len(listed):
        yield Paragraph(f"The first {len(listed):,} of {len(by_conversation):,} are listed.", "small")


def _numbers(values: dict[tuple[str, str], MetricValue], columns: list[tuple[str, str]]) -> list[str]:
    return [number(values[key]) if key in values else "" for key in columns]


def _names(connection: Connection, listed: list[int], named: bool) -> dict[int, Cell]:
    names: dict[int, Cell] = {}
    for first in range(0, len(listed), MAX_IDS_PER_QUERY):
        some = listed[first : first + MAX_IDS_PER_QUERY]
        if named:
            names |= dict(units.conversation_keys(connection, some))
            continue
        names |= {conversation: f"Conversation {conversation}" for conversation in some}
        for unit in reversed(units.of_conversations(connection, some)):
            names[unit.conversation_id] = UnitLink(unit.position)
    return names
