"""A small study with a plan of work, and a rater in it: what a person does, one line each."""

from __future__ import annotations

import random
import uuid
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select

from data import schema
from data.record import studies, units
from data.record.answers import CriterionAnswer
from data.record.studies import Study
from data.record.units import Unit
from data.store.store import Store
from data.work import assignment, ratings, setup, worklist
from data.work.draw_record import Stratum, strata_text
from data.work.next_unit import NoUnit
from data.work.plan import WorkPlan
from data.work.worklist import open_worklist
from tests.studies.permissions import sees_judge
from tests.studies.small_study import Small


def draw_all(store: Store, study: Study) -> None:
    """Every unit is drawn, in the order of the positions, so that a test can tell which comes first."""
    with store.writing("tests", "draw", study.id) as (connection, entry):
        ids = units.ids(connection, study.id)
        number = entry.write(
            schema.draw,
            {
                "study_id": study.id,
                "number": 1,
                "method": "all",
                "seed": "0",
                "frame": str([0] * len(ids)),
                "strata": strata_text([Stratum("", "all", len(ids), len(ids), len(ids), 1.0, len(ids))]),
            },
        )
        entry.write_many(
            schema.drawn,
            [
                {
                    "draw_id": number,
                    "unit_id": unit_id,
                    "stratum": 0,
                    "why": "all",
                    "chance": 1.0,
                    "fresh": 1,
                    "place": place,
                }
                for place, unit_id in enumerate(ids, start=1)
            ],
        )
        setup.open_drawn_units(connection, study)


def plan_for(small: Small, **settings: Any) -> WorkPlan:
    """Everything of the study is drawn, and rated by a plan: no repeats and no breaks unless asked for."""
    plan = WorkPlan(**{"repeats": 0.0, "sitting": None, **settings})
    with small.store.writing("tests", "plan", small.study.id) as (connection, entry):
        setup.new_plan(connection, entry, small.study, plan)
        draw = connection.execute(
            select(schema.draw.c.id).where(schema.draw.c.study_id == small.study.id)
        ).first()
    if draw is None:
        draw_all(small.store, small.study)
    return plan


@dataclass
class Worker:
    """One rater of a planned study. Every action is a transaction of its own, as on the review page."""

    small: Small
    rater: int
    rng: random.Random

    @property
    def store(self) -> Store:
        return self.small.store

    @property
    def study(self) -> Study:
        return self.small.study

    def take(self) -> int | NoUnit:
        with self.store.writing("tests", "take", self.study.id) as (connection, entry):
            return assignment.take(
                connection, entry, self.study, studies.rater(connection, self.rater), self.rng
            )

    def unit(self, place: int) -> Unit:
        with self.store.reading() as connection:
            found = open_worklist(connection, self.study, self.rater).at(place)
        assert found is not None
        return found

    def shown(self, place: int) -> tuple[int, int | None]:
        """What is read at a place: the conversation and the message, which a twin has in common with its
        original.
        """
        unit = self.unit(place)
        return unit.conversation_id, unit.message

    def draft(self, place: int, criterion: str = "warm", label: str = "YES") -> None:
        self.draft_of(self.unit(place), criterion, label)

    def draft_of(self, unit: Unit, criterion: str = "warm", label: str = "YES") -> None:
        with self.store.writing("tests", "rate", self.study.id) as (connection, entry):
            ratings.save_draft(
                entry,
                open_worklist(connection, self.study, self.rater),
                unit,
                str(uuid.uuid4()),
                criterion,
                CriterionAnswer(label=label),
            )

    def commit(self, place: int) -> None:
        with self.store.writing("tests", "commit", self.study.id) as (connection, entry):
            ratings.commit(
                entry, open_worklist(connection, self.study, self.rater), self.unit(place), str(uuid.uuid4())
            )

    def rate(self, place: int, label: str = "YES") -> None:
        unit = self.unit(place)
        for criterion in unit.criteria(self.study):
            if not self.study.instrument.forced_not_applicable(criterion, unit.turns):
                self.draft(place, criterion.id, label)
        self.commit(place)

    def rate_next(self, label: str = "YES") -> int | NoUnit:
        """Take a unit and rate it; its place, or why there was none."""
        place = self.take()
        if isinstance(place, int):
            self.rate(place, label)
        return place

    def rate_all(self, label: str = "YES") -> int:
        """Rate until nothing more comes; how many that were."""
        count = 0
        while isinstance(self.rate_next(label), int):
            count += 1
        return count

    def skip(self, place: int) -> None:
        with self.store.writing("tests", "skip", self.study.id) as (connection, entry):
            ratings.skip(entry, open_worklist(connection, self.study, self.rater), self.unit(place))

    def purpose(self, place: int) -> str:
        with self.store.reading() as connection:
            return worklist.assigned_purpose(connection, self.rater, self.unit(place).id)

    def left(self) -> worklist.RemainingWork:
        with self.store.reading() as connection:
            return open_worklist(connection, self.study, self.rater).remaining_work

    def may_see(self, place: int) -> bool:
        with self.store.reading() as connection:
            return sees_judge(connection, self.study, self.rater, self.unit(place))


def workers(small: Small, seed: int = 1) -> list[Worker]:
    return [Worker(small, rater, random.Random(seed * 1000 + rater)) for rater in small.raters]


def taken(small: Small) -> dict[int, tuple[int, int]]:
    """Position -> how many raters have or had it for real, of how many wanted: told from the record, not from
    the projection.
    """
    assigned, event, commit = schema.assignment, schema.assignment_event, schema.commit
    assignments: dict[int, tuple[int, int]] = {}
    with small.store.reading() as connection:
        slots = {row.unit_id: row for row in connection.execute(select(schema.slot))}
        for unit_id in units.ids(connection, small.study.id):
            count = 0
            for row in connection.execute(
                select(assigned).where(assigned.c.unit_id == unit_id, assigned.c.purpose == "real")
            ).all():
                last = connection.execute(
                    select(event.c.kind)
                    .where(event.c.assignment_id == row.id)
                    .order_by(event.c.id.desc())
                    .limit(1)
                ).scalar()
                commit_row = connection.execute(
                    select(commit.c.id).where(commit.c.rater_id == row.rater_id, commit.c.unit_id == unit_id)
                ).first()
                count += last in (None, "taken_again", "committed") or commit_row is not None
            if unit_id in slots:
                assert slots[unit_id].taken == count, "the projection and the record differ"
                assignments[units.get(connection, unit_id).position] = (count, slots[unit_id].wanted)
    return assignments
