"""A study to draw from: conversations with facts, judges, a rubric with a safety gate."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select

from data import schema
from data.importers import conversations
from data.importers.imported_judgements import add_judgements
from data.importers.persons import NOBODY
from data.importers.report import ImportReport
from data.record import studies, units
from data.record.fact_names import PERSON
from data.record.judgements import JudgeIdentity
from data.record.studies import Study
from data.store.store import Store
from data.work import draws
from data.work.draws import Draw, DrawPreview, DrawStatus, Inclusion, read_spec

GATED = """\
key: gated
version: "1"
title: Gated rubric
unit: conversation
scales:
  yes_no:
    kind: nominal
    levels:
      - {id: "YES", name: "Yes", key: y, value: 1}
      - {id: "NO", name: "No", key: n, value: 0}
    not_applicable: {id: "NA", name: "Does not apply", key: a}
categories:
  - {id: care, name: Care, weight: "0.5"}
  - {id: safety, name: Safety, weight: "0.5", gate: true}
criteria:
  - {id: warm, name: Warm, scale: yes_no, category: care}
  - {id: safe, name: Safe, scale: yes_no, category: safety, not_applicable: invalid}
  - {id: crisis, name: Crisis, scale: yes_no, category: safety}
score: {rule: weighted_categories, threshold: "0.8"}
"""


def turns(number: int) -> list[dict[str, str]]:
    """Of one conversation; no two are alike."""
    return [{"user": f"hello {number}", "assistant": "good day"}]


@dataclass(frozen=True)
class Bench:
    """A study and what a lead does with it, each in a transaction of its own."""

    store: Store
    study: Study
    judges: dict[str, int]

    def preview(self, **spec: Any) -> DrawPreview:
        with self.store.reading() as connection:
            return draws.preview(connection, self.study, read_spec(spec))

    def draw(self, seed: int | None = None, seen: int | None = None, **spec: Any) -> Draw:
        with self.store.writing("lead", "draw", self.study.id) as (connection, entry):
            number = draws.last_number(connection, self.study.id) if seen is None else seen
            return draws.draw(connection, entry, self.study, read_spec(spec), number, seed)

    def chances(self, up_to: int | None = None) -> dict[int, Inclusion]:
        """By position."""
        with self.store.reading() as connection:
            found, places = draws.chances(connection, self.study.id, up_to), self.places(connection)
        return {places[unit_id]: one for unit_id, one in found.items()}

    def positions(self, drawn: Draw) -> list[int]:
        with self.store.reading() as connection:
            places = self.places(connection)
        return [places[unit_id] for unit_id in drawn.unit_ids]

    def places(self, connection: Any) -> dict[int, int]:
        table = schema.unit
        return dict(
            connection.execute(
                select(table.c.id, table.c.position).where(table.c.study_id == self.study.id)
            ).all()
        )

    def standing(self) -> DrawStatus:
        with self.store.reading() as connection:
            return draws.draw_status(connection, self.study.id)

    def unit_id(self, position: int) -> int:
        with self.store.reading() as connection:
            found = units.at_position(connection, self.study.id, position)
        assert found is not None
        return found.id

    def gold(self, position: int) -> None:
        unit_id = self.unit_id(position)
        with self.store.writing("lead", "gold", self.study.id) as (_, entry):
            entry.write(
                schema.gold_label,
                {"unit_id": unit_id, "criterion": "warm", "label": "YES", "said_by": "a panel"},
            )

    def calibrate(self, position: int) -> None:
        unit_id = self.unit_id(position)
        with self.store.writing("lead", "calibrate", self.study.id) as (_, entry):
            number = entry.write(
                schema.calibration, {"study_id": self.study.id, "title": "First", "raters": "[]"}
            )
            entry.write(schema.calibration_unit, {"calibration_id": number, "unit_id": unit_id})

    def repeat(self, position: int) -> int:
        """Show a unit a second time, in no list."""
        unit_id = self.unit_id(position)
        with self.store.writing("lead", "repeat", self.study.id) as (connection, entry):
            row = connection.execute(select(schema.unit).where(schema.unit.c.id == unit_id)).one()
            repeat_id = entry.write(
                schema.unit,
                {
                    "study_id": row.study_id,
                    "conversation_id": row.conversation_id,
                    "message": row.message,
                    "kind": "repeat",
                    "position": -1 - position,
                    "criteria": row.criteria,
                },
            )
            entry.write(schema.repeat, {"unit_id": repeat_id, "of_unit_id": unit_id, "why": "repeat"})
            return repeat_id

    def arrive(self, facts: list[dict[str, Any]]) -> None:
        """More conversations."""
        with self.store.reading() as connection:
            first = studies.unit_count(connection, self.study.id) + 1
        file = self.store.path.with_name(f"more-{first}.jsonl")
        file.write_text(
            "\n".join(
                json.dumps({"id": f"c{number}", "turns": turns(number), **fact})
                for number, fact in enumerate(facts, start=first)
            ),
            encoding="utf-8",
        )
        report = ImportReport(file.name)
        same_person = "" if any(name in fact for fact in facts for name in PERSON) else NOBODY
        with self.store.writing("tests", "import", self.study.id) as (connection, entry):
            conversations.add(connection, entry, self.study, file, report, same_person)
            report.raise_if_wrong()

    def judge(self, name: str, rows: list[dict[str, Any]]) -> int:
        """Rows such as {"conversation_id": "c1", "criterion": "safe", "label": "NO"}."""
        report = ImportReport(name)
        with self.store.writing("tests", "judge", self.study.id) as (connection, entry):
            add_judgements(
                connection, entry, self.study, enumerate(rows, start=1), report, JudgeIdentity(name), "tests"
            )
            report.raise_if_wrong()
            table = schema.judge
            return int(
                connection.execute(
                    select(table.c.id).where(table.c.study_id == self.study.id, table.c.name == name)
                ).scalar_one()
            )
