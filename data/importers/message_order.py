"""Find the field that gives the order of messages, and check it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import isfinite
from typing import Any

from data.importers.columns import plain_name
from data.importers.label_rows import moment_of
from data.importers.reading import shortened

# Usual names as `plain_name` writes them; the likeliest first.
NUMBERS = (
    "turn",
    "turn_number",
    "turn_id",
    "turn_index",
    "message_number",
    "message_index",
    "message_id",
    "utterance_number",
    "utterance_index",
    "utterance_id",
    "index",
    "position",
    "order",
    "number",
    "nr",
    "line",
)
MOMENTS = ("timestamp", "time", "at", "ts", "datetime", "date_time", "created_at", "sent_at", "date")


@dataclass(frozen=True)
class MessageOrder:
    """The field that gives the order: its `name` in the file (empty if there is none), and whether it holds
    numbers or times.
    """

    name: str = ""
    is_number: bool = True

    def read_place(self, value: object) -> float | None:
        """Return the number, or the time in seconds; None if the value is neither."""
        return _number(value) if self.is_number else _moment(value)

    def describe_disorder(self, value: object, before: float, key: str, what: str) -> str:
        """Return the error that `value` follows the higher place `before` in the conversation `key`; `what`
        has to be sorted.
        """
        earlier = f"comes after {self.name} {before:g}" if self.is_number else "is before the row above"
        return (
            f"{self.name} {shortened(str(value))} of conversation {shortened(key)!r} {earlier}; sort the "
            f"{what} by {self.name}"
        )


def find_order(names: Iterable[str]) -> MessageOrder:
    """Return the field among these names that gives the order of messages; a number is preferred to a
    time.
    """
    plain = {plain_name(name): name for name in reversed(list(names))}
    found = next((name for name in (*NUMBERS, *MOMENTS) if name in plain), None)
    return MessageOrder() if found is None else MessageOrder(plain[found], found in NUMBERS)


@dataclass(frozen=True)
class ListedPlaces:
    """The places of the messages in a list: (speaker, value in the file, place) of each message that is an
    object.
    """

    order: MessageOrder
    places: Sequence[tuple[str, object, float | None]]

    def find_disorder(self, key: str) -> str | None:
        """Return an error about the first message whose number is lower than the one before; None if there is
        none.

        Times are not checked, because the list has an order of its own.
        """
        before: float | None = None
        for _, value, place in self.places if self.order.is_number else ():
            if place is not None and before is not None and place < before:
                return self.order.describe_disorder(value, before, key, "messages")
            before = before if place is None else place
        return None

    def are_distinct(self) -> bool:
        """Tell whether each speaker's messages all have different places, so that none can be a repeat."""
        spoken = {(who, place) for who, _, place in self.places if place is not None}
        return bool(spoken) and len(spoken) == len(self.places)


def read_places(items: Any) -> ListedPlaces:
    """Return the places of the messages in a list; anything else has none."""
    messages = [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []
    order = find_order(dict.fromkeys(str(name) for message in messages for name in message))
    return ListedPlaces(
        order,
        [
            (str(message.get("role", message.get("from"))), value, order.read_place(value))
            for message in (messages if order.name else ())
            for value in [message.get(order.name)]
        ],
    )


def _number(value: object) -> float | None:
    """Return the number in a cell as a spreadsheet writes it (2, 2.0 or 1,5); None if there is none."""
    try:
        number = float(str(value).strip().replace(",", "."))
    except ValueError:
        return None
    return number if isfinite(number) else None


def _moment(value: object) -> float | None:
    at = moment_of(str(value).strip())
    return None if at is None else datetime.fromisoformat(at).timestamp()
