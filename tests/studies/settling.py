"""Settling disagreements, one line each: a planned study, and a colleague who opens and settles."""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select

from data import schema
from data.access import reveals
from data.labels import disagreements, settlements
from data.labels.settlements import Settlement, Trigger
from data.record import units
from data.record.studies import Study
from data.record.units import Unit
from data.settling import adjudications, escalations, unit_openings
from data.settling.adjudications import SettlementBasis, SettlementDecision
from data.store.store import Store
from tests.studies.small_study import Small

MIXED = """\
key: mixed
version: "1"
title: Mixed rubric
unit: conversation
scales:
  yes_no:
    kind: nominal
    levels:
      - {id: "YES", name: "Yes", key: y, value: 1}
      - {id: "NO", name: "No", key: n, value: 0}
    not_applicable: {id: "NA", name: "Does not apply", key: a}
  degree:
    kind: ordinal
    levels:
      - {id: "0", name: "Not at all", key: "0", value: 0}
      - {id: "1", name: "Some", key: "1", value: 1}
      - {id: "2", name: "Much", key: "2", value: 2}
      - {id: "4", name: "Fully", key: "4", value: 4}
    not_applicable: {id: "NA", name: "Does not apply", key: a}
categories:
  - {id: care, name: Care, weight: "0.5"}
  - {id: danger, name: Danger, weight: "0.5", gate: true}
criteria:
  - {id: kind, name: Kind, scale: degree, category: care}
  - {id: clear, name: Clear, scale: yes_no, category: care}
  - {id: safe, name: Safe, scale: yes_no, category: danger}
"""


def plan(store: Store, study: Study, raters: tuple[int, ...] = ()) -> None:
    """The study hands out its units by a plan of work; who rates what is written by the tests themselves.
    `raters`: to nobody else is anything given.
    """
    with store.writing("tests", "plan", study.id) as (_connection, entry):
        entry.write(
            schema.work_plan,
            {"study_id": study.id, "version": 1, "body": json.dumps({"overlap": 2, "raters": raters})},
        )


def assign(small: Small, rater_id: int, position: int, purpose: str = "real", *happened: str) -> None:
    unit = small.desk().unit(position)
    with small.store.writing("tests", "assign", small.study.id) as (connection, entry):
        place = (
            len(
                connection.execute(
                    select(schema.assignment.c.id).where(schema.assignment.c.rater_id == rater_id)
                ).all()
            )
            + 1
        )
        assignment_id = entry.write(
            schema.assignment,
            {"rater_id": rater_id, "unit_id": unit.id, "purpose": purpose, "place": place, "hold": ""},
        )
        entry.write_many(
            schema.assignment_event, [{"assignment_id": assignment_id, "kind": kind} for kind in happened]
        )


def repeat(small: Small, position: int) -> Unit:
    """A hidden repeat of a unit."""
    unit = small.desk().unit(position)
    with small.store.writing("tests", "repeat", small.study.id) as (_connection, entry):
        unit_id = entry.write(
            schema.unit,
            {
                "study_id": small.study.id,
                "conversation_id": unit.conversation_id,
                "message": unit.message,
                "kind": "repeat",
                "position": -position,
                "criteria": "[]",
            },
        )
        entry.write(schema.repeat, {"unit_id": unit_id, "of_unit_id": unit.id, "why": "repeat"})
    return small.desk().unit(-position)


def disputed(
    small: Small, position: int = 2, criterion: str = "warm", labels: tuple[str, ...] = ("YES", "NO")
) -> None:
    """The first raters rate a unit and differ on one criterion only."""
    for number, label in enumerate(labels):
        desk = small.desk(number)
        desk.draft_all(position)
        desk.draft(position, criterion, label)
        desk.commit(position)


@dataclass(frozen=True)
class Colleague:
    """Somebody who settles. Every action is a transaction of its own, as on the page."""

    store: Store
    study: Study
    rater: int

    @classmethod
    def of(cls, small: Small, number: int = 2) -> Colleague:
        return cls(small.store, small.study, small.raters[number])

    def unit(self, position: int) -> Unit:
        with self.store.reading() as connection:
            found = connection.execute(
                select(schema.unit.c.id).where(
                    schema.unit.c.study_id == self.study.id, schema.unit.c.position == position
                )
            ).scalar_one()
            return units.get(connection, found)

    def open(self, position: int = 2) -> None:
        unit = self.unit(position)
        with self.store.writing("tests", "open", self.study.id) as (connection, entry):
            unit_openings.open_unit(connection, entry, self.study, unit, self.rater)

    def seen(self, position: int = 2, criterion: str = "warm") -> SettlementBasis:
        unit = self.unit(position)
        with self.store.reading() as connection:
            before = settlements.current(connection, unit.id, criterion)
            return SettlementBasis(
                before.id if before else None,
                adjudications.ratings_of(connection, self.study, unit, criterion),
            )

    def settle(
        self,
        position: int = 2,
        criterion: str = "warm",
        label: str | None = "NO",
        cause: str = "rater_slip",
        reason: str = "the second reply is cold",
        note: str = "",
        trigger: Trigger = "human_human",
        event: str | None = None,
        seen: SettlementBasis | None = None,
    ) -> int | None:
        unit, seen = self.unit(position), seen or self.seen(position, criterion)
        with self.store.writing("tests", "settle", self.study.id) as (connection, entry):
            return adjudications.settle(
                connection,
                entry,
                self.study,
                unit,
                self.rater,
                event or str(uuid.uuid4()),
                trigger,
                SettlementDecision(criterion, label, cause, reason, note),
                seen,
            )

    def show_judge(self, position: int = 2, trigger: Trigger = "human_human") -> None:
        unit = self.unit(position)
        with self.store.writing("tests", "reveal", self.study.id) as (connection, entry):
            reveals.record_reveal_to_settler(connection, entry, self.study, unit, self.rater, trigger)

    def tell(
        self,
        position: int = 2,
        kind: str = "risk",
        note: str = "somebody may be in danger here",
        event: str | None = None,
        criterion: str | None = None,
    ) -> int | None:
        unit = self.unit(position)
        with self.store.writing("tests", "tell the study lead", self.study.id) as (connection, entry):
            return escalations.raise_(
                connection,
                entry,
                self.study,
                unit,
                self.rater,
                event or str(uuid.uuid4()),
                kind,
                note,
                criterion,
            )

    def answer(self, escalation_id: int, note: str = "called them", event: str | None = None) -> int | None:
        with self.store.writing("tests", "answer", self.study.id) as (connection, entry):
            return escalations.answer(
                connection, entry, self.study, escalation_id, self.rater, event or str(uuid.uuid4()), note
            )


def queue(small: Small, judges: bool = False, at_most: int = 200) -> list[tuple[int, str]]:
    """(position, criterion) of everything to settle."""
    with small.store.reading() as connection:
        ask = disagreements.with_judges if judges else disagreements.between_people
        return [(one.position, one.criterion) for one in ask(connection, small.study, at_most).items]


def settled(small: Small) -> list[Settlement]:
    with small.store.reading() as connection:
        return settlements.settled(connection, small.study.id)


def rows(small: Small, table: Any) -> list[Any]:
    with small.store.reading() as connection:
        return list(connection.execute(select(table).order_by(table.c.id)).all())
