"""Where a rater stands, against a model that looks at every unit: whatever the order of work, both agree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection

from data.access import reveals
from data.keeping.progress import progress_problems
from data.keeping.rater_progress import rater_progress_problems
from data.record import units
from data.record.answers import CriterionAnswer
from data.store.store import open_store
from data.store.trail import TrailEntry
from data.work import exposures, ratings
from data.work.worklist import open_worklist
from tests.studies import small_study
from tests.studies.permissions import sees_judge
from tests.studies.small_study import Desk, Small

pytestmark = pytest.mark.slow

TOTAL = 5
steps = st.lists(
    st.tuples(st.sampled_from(["commit", "commit", "skip", "draft", "reveal"]), st.integers(1, TOTAL)),
    min_size=6,
    max_size=25,
)


@dataclass
class Model:
    """Every unit's state in a dictionary; every question answered by looking at all of them."""

    batch: int | None
    states: dict[int, str] = field(default_factory=lambda: dict.fromkeys(range(1, TOTAL + 1), "open"))
    order: list[int] = field(default_factory=list)
    reveals: int = 0

    def due(self) -> set[int]:
        full = (
            len(self.order)
            if self.batch is None or len(self.order) == TOTAL
            else len(self.order) // self.batch * self.batch
        )
        return set(self.order[:full])

    def step(self, kind: str, position: int) -> None:
        state = self.states[position]
        if kind == "reveal":
            if position in self.due() and state == "committed":
                self.states[position], self.reveals = "compared", self.reveals + 1
        elif state not in ("committed", "compared"):
            self.states[position] = {"commit": "committed", "skip": "skipped", "draft": "begun"}[kind]
            if kind == "commit":
                self.order.append(position)

    def done(self, position: int) -> bool:
        return self.states[position] in ("committed", "compared")

    def next_open(self, after: int) -> int | None:
        return next(
            (p for p in range(after + 1, TOTAL + 1) if not self.done(p) and self.states[p] != "skipped"), None
        )

    def first(self, state: str) -> int | None:
        return next((p for p in range(1, TOTAL + 1) if self.states[p] == state), None)

    def to_compare(self) -> int | None:
        return next((p for p in sorted(self.due()) if self.states[p] == "committed"), None)


@pytest.fixture(scope="module")
def studies(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[int | None, Small]]:
    """A study that reveals after each unit, and two that reveal after batches."""
    folder = tmp_path_factory.mktemp("model")
    store = open_store(f"sqlite:///{folder / 'store.sqlite'}")
    small_studies: dict[int | None, Small] = {
        None: small_study.make(store, folder, key="each", conversation_count=TOTAL)
    }
    for batch in (2, 3):
        small_studies[batch] = small_study.make(
            store,
            folder,
            key=f"batch{batch}",
            conversation_count=TOTAL,
            reveal="after_batch",
            batch_size=batch,
        )
    yield small_studies
    store.close()


class Rollback(Exception):
    """Ends an example without keeping anything of it."""


def carry_out(
    connection: Connection,
    entry: TrailEntry,
    desk: Desk,
    place: dict[int, units.Unit],
    kind: str,
    position: int,
    number: int,
) -> None:
    unit, study, rater = place[position], desk.study, desk.rater
    if kind == "skip":
        ratings.skip(entry, open_worklist(connection, study, rater), unit)
    elif kind == "reveal":
        if sees_judge(connection, study, rater, unit):
            reveals.record_reveal(connection, entry, study, unit, rater)
    elif not ratings.committed_at(connection, rater, unit.id):
        for criterion in ("warm", "safe", "deep") if kind == "commit" else ("warm",):
            label = None if criterion == "deep" and unit.turns < 2 else "YES"
            ratings.save_draft(
                entry,
                open_worklist(connection, study, rater),
                unit,
                f"{number}-{criterion}",
                criterion,
                CriterionAnswer(label=label),
            )
        if kind == "commit":
            ratings.commit(entry, open_worklist(connection, study, rater), unit, f"{number}-commit")


def compare(connection: Connection, desk: Desk, model: Model) -> None:
    seat = units.rater_progress(connection, desk.rater)
    assert (seat.committed, seat.reveals) == (len(model.order), model.reveals)
    assert seat.frontier <= (model.next_open(0) or TOTAL + 1), "nothing open may lie before the frontier"
    assert [units.next_open(connection, desk.study.id, desk.rater, after) for after in range(TOTAL + 1)] == [
        model.next_open(a) for a in range(TOTAL + 1)
    ]
    assert units.next_skipped(connection, desk.rater) == model.first("skipped")
    assert exposures.first_to_compare(open_worklist(connection, desk.study, desk.rater)) == model.to_compare()
    assert {
        p: state for p, _, state in units.progress_window(connection, desk.study.id, desk.rater, 1)
    } == model.states
    for state in ("skipped", "committed", "compared", "begun"):
        assert units.count_state(connection, desk.rater, state) == list(model.states.values()).count(state)
    assert [*rater_progress_problems(connection), *progress_problems(connection)] == [], (
        "what was done here is never taken for an alteration"
    )


@settings(max_examples=60)
@given(work=steps, batch=st.sampled_from([None, 2, 3]))
def test_every_question_has_the_answer_of_the_model_after_every_step(
    studies: dict[int | None, Small], work: list[tuple[str, int]], batch: int | None
) -> None:
    desk, model = studies[batch].desk(), Model(batch)
    place = {position: desk.unit(position) for position in range(1, TOTAL + 1)}
    with pytest.raises(Rollback), desk.store.writing("tests", "an example") as (connection, entry):
        compare(connection, desk, model)
        for number, (kind, position) in enumerate(work):
            carry_out(connection, entry, desk, place, kind, position, number)
            model.step(kind, position)
            compare(connection, desk, model)
        raise Rollback
