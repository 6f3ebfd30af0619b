"""Find out what the turn numbers in another program's table count: turns or messages, from 0 or from 1.

A wrong reading still finds a reply to rate for about half of the rows. So the import asks if several readings
fit, and checks the numbers against texts next to them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from data.importers.report import ImportReport
from data.record.units import Unit
from scoring.transcripts import turn_numbers

TEXT_COLUMNS = ("text", "assistant")
LONG_ENOUGH = 20  # characters that identify a message by a part of it


@dataclass(frozen=True)
class TurnCount:
    """`counts`: what is numbered; system messages are not counted. `first`: the number of the first one."""

    counts: Literal["turn", "message"]
    first: Literal[0, 1]

    def __str__(self) -> str:
        return f"{self.counts}s from {self.first}"


OWN_COUNT = TurnCount("turn", 1)
COUNTS = (OWN_COUNT, TurnCount("turn", 0), TurnCount("message", 0), TurnCount("message", 1))


def turn_count(words: str | None) -> TurnCount | None:
    """Return the count with these words, such as "turns from 0"; None if there is none."""
    return next((count for count in COUNTS if str(count) == words), None)


class ConversationMessages:
    """The messages of a conversation with their places among turns and counted messages."""

    def __init__(self, messages: Sequence[Sequence[str]]) -> None:
        roles = [role for role, _ in messages]
        self.turns = turn_numbers(roles)
        self.counted = [number for number, role in enumerate(roles) if role != "system"]
        self._texts = [_plain(text) for _, text in messages]

    def places_of(self, text: str) -> set[int]:
        """Return the messages that equal this text, or contain it if it is long enough to identify them."""
        plain = _plain(text)
        return {
            number
            for number, spoken in enumerate(self._texts)
            if plain == spoken or (len(plain) >= LONG_ENOUGH and plain in spoken)
        }


@dataclass(frozen=True)
class NumberedRow:
    """A row with a turn number: the number, the text next to it (or ""), and the units of its
    conversation.
    """

    line: int
    number: Any
    text: str
    spoken: ConversationMessages
    units: Sequence[Unit]


class _TurnReading:
    """One reading of all rows: a digest of their units, and the first line that fits no unit or whose text is
    elsewhere.
    """

    def __init__(self, count: TurnCount) -> None:
        self.count = count
        self.unfitting: int | None = None
        self.elsewhere: int | None = None
        self._units = hashlib.sha256()

    def add(self, row: NumberedRow, places: set[int]) -> None:
        """Add a row; `places`: the messages that contain its text."""
        units = units_at(row.number, self.count, row.spoken, row.units)
        if len(units) != 1:
            self.unfitting = self.unfitting or row.line
            return
        self._units.update(b"%d " % units[0].id)
        message = units[0].message or 0
        if places and row.spoken.turns[message] not in {row.spoken.turns[place] for place in places}:
            self.elsewhere = self.elsewhere or row.line

    def units(self) -> bytes:
        """Return a digest that is equal for readings that give every row the same unit."""
        return self._units.digest()


def units_at(
    number: Any, count: TurnCount, spoken: ConversationMessages, units: Sequence[Unit]
) -> list[Unit]:
    """Return the units that a number means; empty if it means no reply to rate."""
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
    """Return the text next to a turn number; "" if there is none."""
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
    """Return what the numbers count: as stated, or the only reading that fits.

    Reports an error if several readings fit or the texts contradict the numbers.
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
            "none of the texts next to the turn numbers is in these conversations, so the numbers could not "
            "be checked against them",
        )
    fitting = [reading for reading in readings if reading.unfitting is None and reading.elsewhere is None]
    if turn_count or not fitting:
        if readings[0].elsewhere is not None:
            report.error(
                readings[0].elsewhere,
                f"the text of this row is not where its number says, read as {readings[0].count}",
            )
        return readings[0].count
    different = list({reading.units(): reading for reading in reversed(fitting)}.values())
    if len(different) > 1:
        listed = " and as ".join(str(reading.count) for reading in reversed(different))
        report.error(
            0,
            f"it is unclear what the turn numbers count: they fit these conversations as {listed}. "
            'Say which: on the page under "The turn numbers count", in a terminal with --turns-count and '
            "--turns-from",
        )
    elif fitting[0].count != OWN_COUNT:
        report.notice(
            0,
            f"the turn numbers were read as {fitting[0].count}: only then does every row match a reply to "
            "rate",
        )
    return fitting[0].count


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()
