"""A key on the rating page is answered by its acknowledgement: what was shown, with the answer that was saved,
and the database is asked for no more than saving takes.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from data.record import studies
from data.record.studies import Rater
from data.store.store import Store
from data.work.worklist import open_worklist
from pages.widgets.workbench.view import acknowledged, view
from reports.refusals import word_error
from services import rating_events as events
from tests.studies import small_study
from tests.studies.planned import Worker, plan_for, workers
from tests.studies.small_study import Small

STATEMENTS, TRANSACTIONS = 15, 1  # of a key at most
NAMES = (f"{number:08}" for number in range(1, 10_000))


@pytest.fixture(params=["whole study", "assigned"])
def place(request: pytest.FixtureRequest, store: Store, tmp_path: Path) -> tuple[Small, int]:
    """A study of either kind, and the place where Ann is to rate."""
    if request.param == "whole study":
        return small_study.make(store, tmp_path, conversation_count=12), 2
    small = small_study.make(store, tmp_path, key="planned", conversation_count=12)
    plan_for(small, overlap=2, repeats=0.2)
    ann: Worker = workers(small)[0]
    ann.rate_next()
    taken = ann.take()
    assert isinstance(taken, int)
    return small, taken


def rater_of(small: Small) -> Rater:
    with small.store.reading() as connection:
        return studies.rater(connection, small.raters[0])


def shown(small: Small, position: int, transcript: bool = False) -> dict[str, Any]:
    """What the page shows of a place, looked up anew."""
    with small.store.reading() as connection:
        worklist = open_worklist(connection, small.study, small.raters[0])
        unit = worklist.at(position)
        assert unit is not None
        return view(worklist, unit, rater_of(small), transcript)


def draft(unit: int, criterion: str = "warm", **answer: Any) -> dict[str, Any]:
    return {"id": next(NAMES), "kind": "draft", "unit": unit, "criterion": criterion, "answer": answer}


def take(small: Small, *raw_events: Any, position: int) -> events.Outcome:
    return events.take(small.store, small.study, rater_of(small), list(raw_events), {}, position, word_error)


@contextmanager
def counted(store: Store) -> Iterator[dict[str, int]]:
    """Statements and transactions within the block."""
    counts = {"statements": 0, "transactions": 0}

    def count(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        counts["statements"] += 1
        counts["transactions"] += statement.startswith("BEGIN")

    sa.event.listen(store._engine, "before_cursor_execute", count)
    try:
        yield counts
    finally:
        sa.event.remove(store._engine, "before_cursor_execute", count)


def test_a_key_takes_so_many_statements_and_one_transaction(place: tuple[Small, int]) -> None:
    small, position = place
    unit = shown(small, position)["unit"]["id"]
    rater = rater_of(small)
    for label in ("YES", "NO"):  # the first begins the unit
        with counted(small.store) as counts:
            outcome = events.take(
                small.store, small.study, rater, [draft(unit, label=label)], {}, position, word_error
            )
        assert outcome.answers is not None
        assert 0 < counts["statements"] <= STATEMENTS, counts
        assert counts["transactions"] == TRANSACTIONS, counts


@pytest.mark.parametrize("before", ["open", "begun"])
@pytest.mark.parametrize(
    "answers",
    [
        [("warm", {"label": "YES"})],
        [("warm", {"label": "YES"}), ("warm", {"label": "NO"})],
        [("warm", {"label": "NO"}), ("safe", {"cannot_rate": "unreadable"}), ("deep", {"label": "NA"})],
        [("safe", {"label": "YES", "confidence": 2, "note": "said so\nitself ✓"})],
        [("warm", {"label": "YES", "also": ["NO"]}), ("warm", {})],
        [("warm", {"label": "YES", "evidence": [{"message": 1, "start": 0, "end": 5}]})],
    ],
)
def test_what_is_shown_is_what_a_look_into_the_database_would_show(
    place: tuple[Small, int], before: str, answers: list[tuple[str, dict[str, Any]]]
) -> None:
    small, position = place
    unit = shown(small, position)["unit"]["id"]
    if before == "begun":
        assert take(small, draft(unit, "deep", label="YES"), position=position).acked
    stale = shown(small, position)
    outcome = take(
        small, *(draft(unit, criterion, **answer) for criterion, answer in answers), position=position
    )
    assert (outcome.unit, outcome.refused, outcome.trouble) == (unit, [], None)
    assert outcome.answers is not None
    assert acknowledged(stale, outcome.unit, outcome.answers) == shown(small, position)


def test_a_unit_that_was_skipped_or_committed_is_looked_up(place: tuple[Small, int]) -> None:
    small, position = place
    unit = shown(small, position)["unit"]["id"]
    assert take(small, {"id": next(NAMES), "kind": "skip", "unit": unit}, position=position).acked
    skipped = shown(small, position)
    outcome = take(small, draft(unit, label="YES"), position=position)
    assert outcome.answers and acknowledged(skipped, outcome.unit, outcome.answers) is None
    begun = shown(small, position)
    assert acknowledged(begun, outcome.unit, outcome.answers) is not None
    assert acknowledged(begun, unit + 1, outcome.answers) is None
    assert acknowledged(begun, None, None) is None
    for criterion in ("safe", "deep"):
        take(small, draft(unit, criterion, label="YES"), position=position)
    commit = {"id": next(NAMES), "kind": "commit", "unit": unit, "shown": {}}
    assert take(small, commit, position=position).acked
    assert acknowledged(shown(small, position), outcome.unit, outcome.answers) is None


def test_whatever_else_happened_is_looked_up(place: tuple[Small, int]) -> None:
    small, position = place
    unit = shown(small, position)["unit"]["id"]
    good, wrong = draft(unit, label="YES"), draft(unit, label="PERHAPS")
    late = {**draft(unit, "safe", label="YES"), "late": True}
    skip = {"id": next(NAMES), "kind": "skip", "unit": unit}
    for raw_events in ([], [wrong], [good, wrong], [late], [good, late], [{"kind": "draft"}], [skip]):
        outcome = take(small, *raw_events, position=position)
        assert (outcome.unit, outcome.answers) == (None, None), raw_events


def test_answers_to_two_units_are_looked_up(store: Store, tmp_path: Path) -> None:
    small = small_study.make(store, tmp_path)
    first, second = (shown(small, position)["unit"]["id"] for position in (2, 3))
    outcome = take(small, draft(first, label="YES"), draft(second, label="NO"), position=2)
    assert len(outcome.acked) == 2 and outcome.answers is None
