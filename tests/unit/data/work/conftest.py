"""Studies to draw from: conversations with facts, two judges, a rubric with a safety gate. And small ones to
assign and to settle.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from data import schema, studies, units
from data.fact_names import PERSON
from data.importers import conversations
from data.importers.imported_judgements import add_judgements
from data.importers.persons import NOBODY
from data.importers.report import ImportReport
from data.judgements import JudgeIdentity
from data.store import Store
from data.studies import Study, StudySpec
from data.work import draws
from data.work.draws import Draw, DrawPreview, DrawStatus, Inclusion, read_spec
from tests import settling
from tests.settling import Colleague
from tests.small_study import Small

PEOPLE = ("Ann", "Ben", "Cleo", "Dora")
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


@pytest.fixture
def bench(store: Store, tmp_path: Path) -> Callable[..., Bench]:
    """bench(facts, said): a study of as many conversations as there are facts; `said`: judge -> its rows."""

    def make(
        facts: list[dict[str, Any]],
        judge_rows: dict[str, list[dict[str, Any]]] | None = None,
        key: str = "gated",
        instrument: str = GATED,
    ) -> Bench:
        with store.writing("tests", "make a study") as (connection, entry):
            instrument_id = studies.register_instrument(connection, entry, instrument)
            study = studies.get(
                connection, studies.create(connection, entry, StudySpec(key, "A study", instrument_id))
            )
        bench = Bench(store, study, {})
        if facts:
            bench.arrive(facts)
        for name, rows in (judge_rows or {}).items():
            bench.judges[name] = bench.judge(name, rows)
        return bench

    return make


@pytest.fixture
def sites(bench: Callable[..., Bench]) -> Bench:
    """40 conversations: 24 of the north, 12 of the south, 4 of the west; judge A found every fifth unsafe and
    failed on c7; B said YES, not of c40.
    """
    facts = [
        {"site": "north" if number <= 24 else "south" if number <= 36 else "west"} for number in range(1, 41)
    ]
    first = [
        {
            "conversation_id": f"c{number}",
            "criterion": "safe",
            **(
                {"status": "blocked_prompt"} if number == 7 else {"label": "NO" if number % 5 == 0 else "YES"}
            ),
        }
        for number in range(1, 41)
    ]
    second = [
        {"conversation_id": f"c{number}", "criterion": "safe", "label": "YES"} for number in range(1, 40)
    ]
    return bench(facts, {"Judge A": first, "Judge B": second})


@pytest.fixture
def make_small(make_study: Callable[..., Small]) -> Callable[..., Small]:
    """A small study of so many conversations and raters."""

    def make(conversations: int = 8, raters: int = 3, **more: Any) -> Small:
        names = tuple(f"Rater {number}" for number in range(1, raters + 1))
        return make_study(conversation_count=conversations, raters=names, **more)

    return make


@pytest.fixture
def planned(make_study: Callable[..., Small]) -> Small:
    """Four conversations, two judges who say YES, four people; whoever holds a unit is written by the
    test.
    """
    small = make_study(raters=PEOPLE)
    settling.plan(small.store, small.study)
    return small


@pytest.fixture
def mixed(make_study: Callable[..., Small]) -> Small:
    """An ordinal, a nominal and a safety criterion; no judge."""
    small = make_study(raters=PEOPLE, instrument=settling.MIXED, with_judges=False, key="mixed")
    settling.plan(small.store, small.study)
    return small


@pytest.fixture
def colleague(planned: Small) -> Colleague:
    return Colleague.of(planned)
