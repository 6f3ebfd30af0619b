"""Any mixture of what raters and leads do, in any order, against what must never break."""

from __future__ import annotations

import random
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from unittest import mock

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from sqlalchemy import select

from data import schema
from data.access import reveals
from data.keeping.assignments import assignment_problems
from data.keeping.progress import progress_problems
from data.keeping.rater_progress import rater_progress_problems
from data.keeping.verify import verify
from data.record import judgements
from data.store.errors import Refused
from data.store.store import open_store
from data.work import assignment, conflicts, exposures
from data.work.next_unit import NoUnit
from tests.studies import small_study
from tests.studies.planned import Worker, plan_for, taken

pytestmark = pytest.mark.slow

RATERS, CONVERSATIONS = 4, 7
who = st.integers(0, RATERS - 1)


class Work(RuleBasedStateMachine):
    """`overlap` is what the plan asks for now, `most` the most it ever asked for."""

    @initialize(
        overlap=st.integers(1, 3),
        repeats=st.sampled_from([0.0, 0.2]),
        reveal=st.sampled_from(["after_unit", "after_batch"]),
    )
    def begin(self, overlap: int, repeats: float, reveal: str) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.hours = 0.0
        self.patches = [
            mock.patch(f"data.work.{module}.now", self.now) for module in ("assignment", "next_unit")
        ]
        for patch in self.patches:
            patch.start()
        store = open_store(f"sqlite:///{Path(self.folder.name) / 'store.sqlite'}")
        self.small = small_study.make(
            store,
            Path(self.folder.name),
            conversation_count=CONVERSATIONS,
            reveal=reveal,
            batch_size=2,
            raters=tuple(f"Rater {n}" for n in range(RATERS)),
        )
        self.overlap = self.most = overlap
        self.repeats = repeats
        self.committed: dict[tuple[int, int], str] = {}
        self.barred: set[tuple[int, int]] = set()
        self.plan()
        self.workers = [Worker(self.small, rater, random.Random(rater)) for rater in self.small.raters]

    def now(self) -> str:
        return (datetime(2026, 1, 1, tzinfo=UTC) + timedelta(hours=self.hours)).isoformat(
            timespec="milliseconds"
        )

    def plan(self) -> None:
        plan_for(self.small, overlap=self.overlap, repeats=self.repeats, hold_hours=2)

    def held(self, rater: int) -> list[int]:
        """The places of the list that the rater holds."""
        table, assigned = schema.reservation, schema.assignment
        with self.small.store.reading() as connection:
            return list(
                connection.execute(
                    select(assigned.c.place)
                    .join(table, table.c.assignment_id == assigned.c.id)
                    .where(table.c.rater_id == rater)
                    .order_by(assigned.c.place)
                ).scalars()
            )

    @rule(number=who)
    def take(self, number: int) -> None:
        worker = self.workers[number]
        before = self.held(worker.rater)
        got = worker.take()
        if isinstance(got, NoUnit):
            return
        conversation = worker.shown(got)[0]
        if got not in before:
            assert (worker.rater, conversation) not in self.barred
        unit = worker.unit(got).id
        assert (worker.rater, unit) not in self.committed

    @rule(number=who, label=st.sampled_from(["YES", "NO"]))
    def commit(self, number: int, label: str) -> None:
        one = self.workers[number]
        for place in self.held(one.rater)[:1]:
            unit = one.unit(place).id
            try:
                one.rate(place, label)
            except Refused:
                return
            assert (one.rater, unit) not in self.committed
            self.committed[one.rater, unit] = label

    @rule(number=who, at=st.integers(1, 6))
    def come_back_to(self, number: int, at: int) -> None:
        """Going back in the list to something skipped or run out, and answering there."""
        one = self.workers[number]
        try:
            one.draft(at)
        except (AssertionError, Refused):
            return
        assert at in self.held(one.rater)

    @rule(number=who)
    def skip(self, number: int) -> None:
        for place in self.held(self.workers[number].rater)[:1]:
            self.workers[number].skip(place)

    @rule(hours=st.sampled_from([-3.0, 0.5, 1.5, 2.5, 30.0]))
    def time(self, hours: float) -> None:
        self.hours += hours

    @rule(number=who)
    def leave(self, number: int) -> None:
        with self.small.store.writing("lead", "free", self.small.study.id) as (connection, entry):
            assignment.free(connection, entry, self.small.study, self.workers[number].rater)

    @rule(overlap=st.integers(1, 3))
    def another_plan(self, overlap: int) -> None:
        self.overlap, self.most = overlap, max(self.most, overlap)
        self.plan()

    @rule(number=who, conversation=st.integers(1, CONVERSATIONS))
    def conflict(self, number: int, conversation: int) -> None:
        rater = self.workers[number].rater
        with self.small.store.writing("lead", "conflict", self.small.study.id) as (connection, entry):
            conflicts.state_conflict(connection, entry, rater, conversation_id=conversation)
        self.barred.add((rater, conversation))

    @rule(number=who, place=st.integers(1, 8))
    def compare(self, number: int, place: int) -> None:
        """Asking for the judge of whatever stands at a place."""
        worker = self.workers[number]
        try:
            unit = worker.unit(place)
        except AssertionError:
            return
        try:
            with self.small.store.writing("rater", "reveal", self.small.study.id) as (connection, entry):
                reveals.record_reveal(connection, entry, self.small.study, unit, worker.rater)
        except Refused:
            return
        assert (worker.rater, unit.id) in self.committed
        assert worker.purpose(place) == "real"

    @invariant()
    def nobody_rates_more_than_was_asked_for(self) -> None:
        if hasattr(self, "small"):
            assert all(
                count <= self.most for count, _ in taken(self.small).values()
            )  # and the projection is the record

    @invariant()
    def nothing_of_a_judge_is_seen_before_the_commit_or_the_repeat(self) -> None:
        if not hasattr(self, "workers"):
            return
        with self.small.store.reading() as connection:
            shown = connection.execute(select(schema.exposure.c.rater_id, schema.exposure.c.unit_id)).all()
            assert {(row.rater_id, row.unit_id) for row in shown} <= set(self.committed)
            twins = dict(
                connection.execute(select(schema.repeat.c.unit_id, schema.repeat.c.of_unit_id)).all()
            )
            for rater_id, unit_id in self.committed:
                if unit_id in twins and (rater_id, twins[unit_id]) in self.committed:
                    revealed = connection.execute(
                        select(schema.exposure.c.trail)
                        .where(
                            schema.exposure.c.rater_id == rater_id,
                            schema.exposure.c.unit_id == twins[unit_id],
                        )
                        .limit(1)
                    ).scalar()
                    again = connection.execute(
                        select(schema.commit.c.trail).where(
                            schema.commit.c.rater_id == rater_id, schema.commit.c.unit_id == unit_id
                        )
                    ).scalar_one()
                    assert revealed is None or revealed > again

    @invariant()
    def nothing_that_was_done_is_taken_for_an_alteration(self) -> None:
        if hasattr(self, "small"):
            with self.small.store.reading() as connection:
                assert [
                    *rater_progress_problems(connection),
                    *progress_problems(connection),
                    *assignment_problems(connection),
                ] == []

    @invariant()
    def every_commit_is_there(self) -> None:
        if not hasattr(self, "workers"):
            return
        with self.small.store.reading() as connection:
            kept = set(connection.execute(select(schema.commit.c.rater_id, schema.commit.c.unit_id)).all())
        assert {tuple(row) for row in kept} == set(self.committed)

    def teardown(self) -> None:
        if not hasattr(self, "small"):
            return
        with self.small.store.reading() as connection:
            assert verify(connection).problems == []
            for rater_id, unit_id in self.committed:
                with_judge = exposures.revealed(connection, rater_id, unit_id)
                assert not with_judge or judgements.judges(connection, self.small.study.id)
        self.small.store.close()
        for patch in self.patches:
            patch.stop()
        self.folder.cleanup()


Work.TestCase.settings = settings(max_examples=12, stateful_step_count=25, deadline=None)
TestWork = Work.TestCase
