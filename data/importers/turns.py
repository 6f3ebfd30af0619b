"""What the number of a turn counts in a table of another program: turns or messages, from 0 or from 1.

A wrong reading still finds a reply to rate in about half of the rows, so it is asked for where more than one
reading fits, and checked against the words where they stand beside the number.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from data.importers.report import ImportReport
from data.record.units import Unit
from scoring.transcripts import turn_numbers

TEXT_COLUMNS = ("text", "utterance", "message", "content", "response", "reply", "assistant", "output")
LONG_ENOUGH = 20  # characters from which a part of a message is taken for it


@dataclass(frozen=True)
class TurnCount:
    """`counts`: what is numbered; messages are those of the user and the assistant, the system's are not
    counted. `first`: the number of the first.
    """

    counts: Literal["turn", "message"]
    first: Literal[0, 1]

    def __str__(self) -> str:
        return f"{self.counts}s from {self.first}"


OWN_COUNT = TurnCount("turn", 1)
COUNTS = (OWN_COUNT, TurnCount("turn", 0), TurnCount("message", 0), TurnCount("message", 1))


def turn_count(words: str | None) -> TurnCount | None:
    """The count that is called so: "turns from 0"."""
    return next((count for count in COUNTS if str(count) == words), None)


class ConversationMessages:
    """The messages of a conversation, (role, text) each, with their places among turns and messages."""

    def __init__(self, messages: Sequence[Sequence[str]]) -> None:
        roles = [role for role, _ in messages]
        self.turns = turn_numbers(roles)
        self.counted = [number for number, role in enumerate(roles) if role != "system"]
        self._texts = [_plain(text) for _, text in messages]

    def places_of(self, text: str) -> set[int]:
        """The messages that are this text, or hold it where it is long enough to tell."""
        plain = _plain(text)
        return {
            number
            for number, spoken in enumerate(self._texts)
            if plain == spoken or (len(plain) >= LONG_ENOUGH and plain in spoken)
        }


@dataclass(frozen=True)
class NumberedRow:
    """A row with a turn number: what stands in it, the words beside it or nothing, and the units of its
    conversation.
    """

    line: int
    number: Any
    text: str
    spoken: ConversationMessages
    units: Sequence[Unit]


class _TurnReading:
    """What comes of reading all rows in one way: a digest of their units, and the first line that fits
    nothing, or whose words stand elsewhere.
    """

    def __init__(self, count: TurnCount) -> None:
        self.count = count
        self.unfitting: int | None = None
        self.elsewhere: int | None = None
        self._units = hashlib.sha256()

    def add(self, row: NumberedRow, places: set[int]) -> None:
        """`places`: the messages that the words beside the number are, or are part of."""
        units = units_at(row.number, self.count, row.spoken, row.units)
        if len(units) != 1:
            self.unfitting = self.unfitting or row.line
            return
        self._units.update(b"%d " % units[0].id)
        message = units[0].message or 0
        if places and row.spoken.turns[message] not in {row.spoken.turns[place] for place in places}:
            self.elsewhere = self.elsewhere or row.line

    def units(self) -> bytes:
        """The same for readings that give every row the same unit."""
        return self._units.digest()


def units_at(
    number: Any, count: TurnCount, spoken: ConversationMessages, units: Sequence[Unit]
) -> list[Unit]:
    """The units that a number means; none where it means no reply that is rated."""
    try:
        place = int(float(number)) - count.first
    except (TypeError, ValueError, OverflowError):
        return []
    if place < 0:
        return []
    if count.counts == "message":
        return [
            unit for unit in units if place < len(spoken.counted) and unit.message == spoken.counted[place]
        ]
    return [
        unit
        for unit in units
        if unit.message is not None
        and unit.message < len(spoken.turns)
        and spoken.turns[unit.message] == place + 1
    ]


def spoken_text(row: dict[str, Any]) -> str:
    """The words that stand beside a number, or nothing."""
    return next(
        (
            value
            for name in TEXT_COLUMNS
            if isinstance(value := row.get(name), str) and value.strip() and not value.strip().isdigit()
        ),
        "",
    )


def settle_count(
    rows: Iterable[NumberedRow], turn_count: TurnCount | None, report: ImportReport
) -> TurnCount:
    """What the numbers count: as told, or the only reading that fits. An error goes into the report where
    several fit, or the words say otherwise.
    """
    readings = [_TurnReading(count) for count in ([turn_count] if turn_count else COUNTS)]
    numbered = texts = texts_in_place = 0
    for row in rows:
        places = row.spoken.places_of(row.text) if row.text else set()
        numbered, texts, texts_in_place = numbered + 1, texts + bool(row.text), texts_in_place + bool(places)
        for reading in readings:
            reading.add(row, places)
    if not numbered:
        return turn_count or OWN_COUNT
    if texts and not texts_in_place:
        report.notice(
            0,
            "the texts beside the turn numbers stand in none of these conversations, so the numbers could "
            "not be checked against them",
        )
    fitting = [reading for reading in readings if reading.unfitting is None and reading.elsewhere is None]
    if turn_count or not fitting:
        if readings[0].elsewhere is not None:
            report.error(
                readings[0].elsewhere,
                "the text of this row stands elsewhere in its conversation than its number says, read as "
                f"{readings[0].count}",
            )
        return readings[0].count
    different = list({reading.units(): reading for reading in reversed(fitting)}.values())
    if len(different) > 1:
        listed = " and as ".join(str(reading.count) for reading in reversed(different))
        report.error(
            0,
            f"what the turn numbers count cannot be told: they fit these conversations as {listed}. "
            'Say which: on the page under "The turn numbers count", in a terminal with --turns-count and '
            "--turns-from",
        )
    elif fitting[0].count != OWN_COUNT:
        report.notice(
            0,
            f"the turn numbers were read as {fitting[0].count}: only so do all rows fall on a reply to rate",
        )
    return fitting[0].count


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()
