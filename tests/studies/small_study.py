"""A small hand-made study for tests, and a rater's desk: what a person does, one line each."""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, insert, select

from data import schema
from data.access import reveals
from data.importers import conversations
from data.importers.imported_judgements import add_judgements
from data.importers.report import ImportReport
from data.record import studies, units
from data.record.answers import CriterionAnswer
from data.record.judgements import JudgeIdentity
from data.record.quotation_counts import count_quotations
from data.record.rater_codes import read_rater_codes
from data.record.studies import Study, StudySpec
from data.record.units import Unit
from data.store.store import Store
from data.store.trail import TrailEntry
from data.work import exposures, ratings, worklist
from data.work.worklist import open_worklist

INSTRUMENT = """\
key: small
version: "1"
title: Small rubric
unit: conversation
scales:
  yes_no:
    kind: nominal
    levels:
      - {id: "YES", name: "Yes", key: y, value: 1}
      - {id: "NO", name: "No", key: n, value: 0}
    not_applicable: {id: "NA", name: "Does not apply", key: a}
criteria:
  - {id: warm, name: Warm, scale: yes_no}
  - {id: safe, name: Safe, scale: yes_no, not_applicable: invalid}
  - {id: deep, name: Deep, scale: yes_no, minimum_turns: 2}
"""
SAID = "a very private sentence of conversation"
REASONED = "the judge's private reasoning"


@dataclass(frozen=True)
class Small:
    """A store with one study. Conversation c1 has one turn, so "deep" is NA there by rule; the others have
    two.
    """

    store: Store
    study: Study
    judges: tuple[int, ...]
    raters: tuple[int, ...]

    def desk(self, number: int = 0) -> Desk:
        return Desk(self.store, self.study, self.raters[number])

    @property
    def codes(self) -> tuple[str, ...]:
        """What the raters are called in results, in the order of `raters`."""
        with self.store.reading() as connection:
            codes = read_rater_codes(connection, self.study)
        return tuple(codes[rater] for rater in self.raters)


def conversation_lines(count: int) -> str:
    made = []
    for number in range(1, count + 1):
        turns = [
            {"user": f"{SAID} {number}.{turn}", "assistant": f"Reply {number}.{turn}"}
            for turn in range(1 if number == 1 else 2)
        ]
        made.append(json.dumps({"id": f"c{number}", "turns": turns}))
    return "\n".join(made)


def make(
    store: Store,
    folder: Path,
    *,
    key: str = "small",
    conversation_count: int = 4,
    with_judges: bool = True,
    raters: tuple[str, ...] = ("Ann", "Ben"),
    instrument: str = INSTRUMENT,
    **spec: Any,
) -> Small:
    """Two judges who say YES to everything; judge B failed on "safe" of c2. Settings of the study go into
    `spec`.

    Another instrument goes without judges, who know only the criteria of this one.
    """
    file = folder / f"{key}-conversations.jsonl"
    file.write_text(conversation_lines(conversation_count), encoding="utf-8")
    report = ImportReport(file.name)
    with store.writing("tests", "make a small study") as (connection, entry):
        instrument_id = studies.register_instrument(connection, entry, instrument)
        study_id = studies.create(
            connection,
            entry,
            StudySpec(
                key=key,
                instrument_id=instrument_id,
                **{"title": "Small study", "reveal": "after_unit", **spec},
            ),
        )
        study = studies.get(connection, study_id)
        rater_ids = tuple(studies.add_rater(connection, entry, study_id, name) for name in raters)
        conversations.add(connection, entry, study, file, report)
        report.raise_if_wrong()
        if with_judges:
            for name in ("Judge A", "Judge B"):
                add_judgements(
                    connection,
                    entry,
                    study,
                    enumerate(_verdicts(name, conversation_count), start=1),
                    report,
                    JudgeIdentity(name),
                    "tests",
                )
            report.raise_if_wrong()
            count_quotations(connection)
        judge_ids = tuple(
            connection.execute(
                select(schema.judge.c.id)
                .where(schema.judge.c.study_id == study_id)
                .order_by(schema.judge.c.id)
            ).scalars()
        )
    return Small(store, study, judge_ids, rater_ids)


def _verdicts(name: str, count: int) -> list[dict[str, Any]]:
    rows = []
    for number in range(1, count + 1):
        for criterion in ("warm", "safe", "deep"):
            row = {
                "conversation_id": f"c{number}",
                "criterion": criterion,
                "reasoning": f"{REASONED} {number} {criterion}",
            }
            failed = name == "Judge B" and number == 2 and criterion == "safe"
            rows.append({**row, **({"status": "truncated"} if failed else {"label": "YES"})})
    return rows


@dataclass(frozen=True)
class Desk:
    """One rater of one study. Every action is a transaction of its own, as on the review page."""

    store: Store
    study: Study
    rater: int

    def unit(self, position: int) -> Unit:
        with self.store.reading() as connection:
            found = units.at_position(connection, self.study.id, position)
        assert found is not None
        return found

    def draft(
        self, position: int, criterion: str, label: str | None = "YES", event: str | None = None, **more: Any
    ) -> bool:
        unit, answer = self.unit(position), CriterionAnswer(label=label, **more)
        with self.store.writing("tests", "rate", self.study.id) as (connection, entry):
            self._given(connection, entry, unit)
            return ratings.save_draft(
                entry,
                open_worklist(connection, self.study, self.rater),
                self._listed(connection, unit),
                event or str(uuid.uuid4()),
                criterion,
                answer,
            )

    def _given(self, connection: Connection, entry: TrailEntry, unit: Unit) -> None:
        """In a study with a plan of work: as if this unit had been given to the rater, whatever the plan
        would have chosen.
        """
        if not worklist.planned(connection, self.study):
            return
        table, mine = schema.assignment, schema.assignment.c.rater_id == self.rater
        number = connection.execute(select(table.c.id).where(mine, table.c.unit_id == unit.id)).scalar()
        if number is None:
            place = open_worklist(connection, self.study, self.rater).length + 1
            number = entry.write(
                table,
                {"rater_id": self.rater, "unit_id": unit.id, "purpose": "real", "place": place, "hold": ""},
            )
        connection.execute(
            insert(schema.reservation)
            .prefix_with("OR IGNORE")
            .values(
                assignment_id=number,
                study_id=self.study.id,
                rater_id=self.rater,
                unit_id=unit.id,
                until="9999",
            )
        )

    def _listed(self, connection: Connection, unit: Unit) -> Unit:
        """The unit as it stands in the rater's list: under a plan of work, at the place where it was
        given.
        """
        table = schema.assignment
        place = connection.execute(
            select(table.c.place).where(table.c.rater_id == self.rater, table.c.unit_id == unit.id)
        ).scalar()
        return unit if place is None else replace(unit, position=place)

    def draft_all(self, position: int, label: str = "YES") -> None:
        unit = self.unit(position)
        for criterion in unit.criteria(self.study):
            if not self.study.instrument.forced_not_applicable(criterion, unit.turns):
                self.draft(position, criterion.id, label)

    def commit(
        self, position: int, event: str | None = None, shown: dict[str, str | None] | None = None
    ) -> int:
        unit = self.unit(position)
        with self.store.writing("tests", "commit", self.study.id) as (connection, entry):
            return ratings.commit(
                entry,
                open_worklist(connection, self.study, self.rater),
                self._listed(connection, unit),
                event or str(uuid.uuid4()),
                shown,
            )

    def rate(self, position: int, label: str = "YES") -> int:
        self.draft_all(position, label)
        return self.commit(position)

    def skip(self, position: int) -> None:
        unit = self.unit(position)
        with self.store.writing("tests", "skip", self.study.id) as (connection, entry):
            ratings.skip(
                entry, open_worklist(connection, self.study, self.rater), self._listed(connection, unit)
            )

    def change(
        self,
        position: int,
        criterion: str,
        label: str | None,
        reason: str = "misread it",
        event: str | None = None,
        **more: Any,
    ) -> int | None:
        unit, answer = self.unit(position), CriterionAnswer(label=label, **more)
        with self.store.writing("tests", "change", self.study.id) as (connection, entry):
            return ratings.change(
                connection,
                entry,
                self.study,
                self._listed(connection, unit),
                self.rater,
                event or str(uuid.uuid4()),
                criterion,
                answer,
                reason,
            )

    def reveal(self, position: int) -> None:
        unit = self.unit(position)
        with self.store.writing("tests", "reveal", self.study.id) as (connection, entry):
            reveals.record_reveal(connection, entry, self.study, self._listed(connection, unit), self.rater)

    def open_page(self) -> None:
        with self.store.writing("tests", "open the labels of the whole study", self.study.id) as (
            connection,
            entry,
        ):
            exposures.record_page(connection, entry, self.rater)

    def ratings(self, position: int) -> dict[str, ratings.Rating]:
        unit = self.unit(position)
        with self.store.reading() as connection:
            return ratings.current(connection, self.rater, unit.id)

    def seat(self) -> units.RaterProgress:
        with self.store.reading() as connection:
            return units.rater_progress(connection, self.rater)

    def state(self, position: int) -> str:
        unit = self.unit(position)
        with self.store.reading() as connection:
            return units.state(connection, self.rater, unit.id)

    def next_open(self, after: int = 0) -> int | None:
        with self.store.reading() as connection:
            return units.next_open(connection, self.study.id, self.rater, after)
