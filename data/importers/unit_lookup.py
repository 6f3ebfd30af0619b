"""Find the unit and criterion of a row of labels."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, select

from data import schema
from data.importers.columns import field, report_missing
from data.importers.report import ImportReport
from data.importers.row_file import keep_rows, kept_rows, open_row_file
from data.importers.spellings import Spellings
from data.importers.turns import (
    OWN_COUNT,
    ConversationMessages,
    NumberedRow,
    TurnCount,
    settle_count,
    spoken_text,
    units_at,
)
from data.record import units
from data.record.studies import Study
from data.record.units import Unit
from data.schema.vocabulary import UnitKind
from data.store import content
from scoring.instruments import Criterion

EVERY = "*"  # a row for every criterion of its unit except those under "except"
CONVERSATIONS_HELD = 500  # with their words; rows of one conversation mostly follow each other


@dataclass(frozen=True)
class UnitRow:
    """A row with its unit and criterion."""

    line: int
    unit: Unit
    criterion: Criterion
    row: dict[str, Any]


class UnitLookup:
    """Finds the unit and criterion of each row."""

    def __init__(self, connection: Connection, study: Study, report: ImportReport) -> None:
        self._study, self._report = study, report
        self._units: dict[str, list[Unit]] = {}
        self._connection = connection
        self._spoken: dict[int, ConversationMessages] = {}
        self._count = OWN_COUNT
        self._criteria: dict[tuple[str, ...], tuple[Sequence[Criterion], dict[str, Criterion]]] = {}
        rows = connection.execute(
            select(schema.conversation.c.key, schema.conversation.c.turns, schema.unit)
            .join(schema.unit, schema.unit.c.conversation_id == schema.conversation.c.id)
            .where(schema.conversation.c.study_id == study.id, schema.unit.c.kind == UnitKind.LISTED)
            .order_by(schema.unit.c.position)
        )
        for row in rows:
            self._units.setdefault(row.key, []).append(units.unit_of_row(row))
        self._spellings = Spellings(self._units)

    def place(self, line: int, row: dict[str, Any]) -> list[UnitRow]:
        """Return the unit and criterion of a row: empty if the row is wrong, several if it covers every
        criterion.
        """
        key, name = field(row, "conversation_id"), field(row, "criterion")
        if key is None or name is None:
            report_missing("conversation_id" if key is None else "criterion", line, row, self._report)
            return []
        units = self._find(str(key), line)
        if not units:
            return []
        unit = self._choose(units, field(row, "turn"), line)
        if unit is None:
            return []
        wanted = str(name).strip().casefold()
        criteria, by_name = self._criteria_of(unit)
        if name == EVERY:
            left_out = {str(name).strip().casefold() for name in row.get("except", ())}
            return [
                UnitRow(line, unit, c, row)
                for c in criteria
                if not left_out & {c.id.casefold(), c.name.casefold()}
            ]
        criterion = by_name.get(wanted)
        if criterion is None:
            problem = (
                f"{self._study.instrument.title} has no criterion {str(name)!r} for this "
                f"{self._study.noun.singular}; it has {', '.join(c.id for c in criteria)}"
            )
            if row.get("undeclared") == "ignore":
                self._report.notice(line, f"{problem}; left out")
            else:
                self._report.error(line, problem)
            return []
        return [UnitRow(line, unit, criterion, row)]

    def settle_turns(
        self, rows: Iterable[tuple[int, dict[str, Any]]], turn_count: TurnCount | None
    ) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yield the rows once it is clear what their turn numbers count; problems go into the report."""
        if self._study.instrument.unit == "conversation":
            yield from rows
            return
        with open_row_file() as file:
            self._count = settle_count(self._numbered(keep_rows(rows, file)), turn_count, self._report)
            yield from kept_rows(file, self._report)

    def _numbered(self, rows: Iterable[tuple[int, dict[str, Any]]]) -> Iterator[NumberedRow]:
        for line, row in rows:
            number = field(row, "turn")
            name = self._spellings.find(str(field(row, "conversation_id")).strip())
            units = self._units.get(name or "")
            if number is not None and units:
                yield NumberedRow(line, number, spoken_text(row), self._spoken_in(units), units)

    def _criteria_of(self, unit: Unit) -> tuple[Sequence[Criterion], dict[str, Criterion]]:
        """Return the criteria of a unit, in order and by id and name."""
        declared = unit.declared if self._study.instrument.criteria_from else ()
        if declared not in self._criteria:
            criteria = unit.criteria(self._study)
            by_name = {text.casefold(): each for each in reversed(criteria) for text in (each.name, each.id)}
            self._criteria[declared] = criteria, by_name
        return self._criteria[declared]

    def _find(self, key: str, line: int) -> list[Unit]:
        """Return the units of the conversation; empty after an error."""
        if key in self._units:  # most rows spell it exactly
            return self._units[key]
        before = self._report.errors
        name = self._spellings.resolve(key.strip(), line, self._report)
        if name is None and self._report.errors == before:
            self._report.error(
                line,
                f"the study has no conversation {key!r} with something to rate; import the "
                "conversations first",
            )
        return self._units[name] if name is not None else []

    def _choose(self, units: list[Unit], turn: Any, line: int) -> Unit | None:
        if turn is None or units[0].message is None:
            if len(units) > 1:
                self._report.error(
                    line,
                    f"this conversation has {self._study.noun.count(len(units))} to rate; say which with the "
                    "field turn",
                )
                return None
            return units[0]
        fitting = units_at(turn, self._count, self._spoken_in(units), units)
        if len(fitting) > 1:
            self._report.error(
                line,
                f"turn {turn} of this conversation has {len(fitting)} replies to rate; number the messages "
                "instead of the turns",
            )
        elif not fitting:
            self._report.error(
                line, f"there is nothing to rate in {self._count.counts} {turn} of this conversation"
            )
        return fitting[0] if len(fitting) == 1 else None

    def _spoken_in(self, units: list[Unit]) -> ConversationMessages:
        number = units[0].conversation_id
        messages = self._spoken.pop(number, None)
        if messages is None:
            statement = select(schema.conversation.c.transcript_content).where(
                schema.conversation.c.id == number
            )
            text = content.get(self._connection, self._connection.execute(statement).scalar())
            messages = ConversationMessages(json.loads(text or "[]"))
            if len(self._spoken) >= CONVERSATIONS_HELD:
                del self._spoken[next(iter(self._spoken))]  # the least recently used
        self._spoken[number] = messages
        return messages
