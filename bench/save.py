"""One durable draft against one bare durable INSERT, and what a key asks of the database; and the next unit
in a small and a large store.
"""

from __future__ import annotations

import sqlite3
import tempfile
import time
import uuid
from contextlib import closing
from pathlib import Path

import sqlalchemy as sa

from bench import stores
from bench.scale import sized
from bench.table import Line, median, ms, percentile, show
from data.record import studies, units
from data.record.answers import CriterionAnswer
from data.store.store import Store
from data.work import ratings
from data.work.worklist import open_worklist
from services import rating_events

ROUNDS = sized(300, 10)
SIZES = sized((1_000, 100_000), (20, 40))


def run() -> None:
    lines, following = [], {}
    with tempfile.TemporaryDirectory(prefix="bench-save-") as folder:
        for size in SIZES:
            path = stores.half_done(Path(folder), size)
            store = stores.open_at(path)
            with closing(_bare(Path(folder) / f"bare-{size}.sqlite", path.stat().st_size)) as bare:
                ours, floor = _side_by_side(store, bare)
            ratio = median(ours) / median(floor)
            lines.append(
                Line(
                    f"draft saved, {size:,} conversations, median",
                    ms(median(ours)),
                    ms(median(floor)),
                    ratio,
                    "under 5 times",
                    ratio < 5,
                )
            )
            lines.append(
                Line(
                    f"draft saved, {size:,} conversations, p95",
                    ms(percentile(ours, 0.95)),
                    ms(percentile(floor, 0.95)),
                )
            )
            statements, transactions = _asked_by_a_key(store)
            lines.append(
                Line(
                    f"statements and transactions of a key, {size:,} conversations",
                    f"{statements}, {transactions}",
                    target="at most 15, 2",
                    met=statements <= 15 and transactions <= 2,
                )
            )
            following[size] = {
                name: _next(store, name)
                for name in ("half done in order", "half done, the first one skipped")
            }
            store.close()
    small, large = SIZES
    for name, slow in following[large].items():
        quick = following[small][name]
        lines.append(
            Line(f"next unit, {name}: {large:,} beside {small:,}", ms(slow), ms(quick), slow / quick)
        )
    show("save", lines)


def _bare(path: Path, size: int) -> sqlite3.Connection:
    """One table, filled to the size of the store."""
    raw = sqlite3.connect(path, isolation_level=None)
    raw.execute("PRAGMA journal_mode=WAL")
    raw.execute("CREATE TABLE kept (id INTEGER PRIMARY KEY, text TEXT)")
    raw.execute("BEGIN")
    text = "x" * 5000
    raw.executemany("INSERT INTO kept (text) VALUES (?)", ((text,) for _ in range(size // 5100)))
    raw.execute("COMMIT")
    raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    raw.execute("PRAGMA synchronous=FULL")
    return raw


def _side_by_side(store: Store, bare: sqlite3.Connection) -> tuple[list[float], list[float]]:
    rater_id = stores.rater_ids(store)["Reader 2"]
    with store.reading() as connection:
        study = studies.find(connection, stores.STUDY)
        assert study is not None
        units_to_rate = [units.at_position(connection, study.id, 1 + n // 6) for n in range(ROUNDS + 20)]
    ours, floor = [], []
    for number, unit in enumerate(units_to_rate):
        assert unit is not None
        criterion, event = study.instrument.criteria[number % 6].id, str(uuid.uuid4())
        began = time.perf_counter()
        with store.writing("Reader 2", "rate", study.id) as (connection, entry):
            ratings.save_draft(
                entry,
                open_worklist(connection, study, rater_id),
                unit,
                event,
                criterion,
                CriterionAnswer(label="3"),
            )
        middle = time.perf_counter()
        bare.execute("BEGIN IMMEDIATE")
        bare.execute("INSERT INTO kept (text) VALUES (?)", (event + criterion,))
        bare.execute("COMMIT")
        ours.append(middle - began)
        floor.append(time.perf_counter() - middle)
    return ours[20:], floor[20:]


def _asked_by_a_key(store: Store) -> tuple[int, int]:
    """Statements and transactions that the database is asked for, from a label to its acknowledgement."""
    rater_id, statements = stores.rater_ids(store)["Reader 2"], []

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        statements.append(statement)

    with store.reading() as connection:
        study = studies.find(connection, stores.STUDY)
        assert study is not None
        rater, unit = studies.rater(connection, rater_id), units.at_position(connection, study.id, ROUNDS)
    assert unit is not None
    label = {
        "id": str(uuid.uuid4()),
        "kind": "draft",
        "unit": unit.id,
        "criterion": study.instrument.criteria[0].id,
        "answer": {"label": "3"},
    }
    sa.event.listen(store._engine, "before_cursor_execute", note)
    outcome = rating_events.take(store, study, rater, [label], {}, unit.position, str)
    sa.event.remove(store._engine, "before_cursor_execute", note)
    assert outcome.answers is not None, outcome  # the page shows these, and asks for nothing more
    return len(statements), sum(statement.startswith("BEGIN") for statement in statements)


def _next(store: Store, name: str) -> float:
    rater_id = stores.rater_ids(store)["Reader 1"]
    times = []
    with store.reading() as connection:
        study = studies.find(connection, stores.STUDY)
        assert study is not None
        total = studies.unit_count(connection, study.id)
    if "skipped" in name:  # the frontier stays at a skipped unit, however much was done after it
        with store.writing("bench", "skip") as (connection, _):
            first = units.at_position(connection, study.id, 1)
            assert first is not None
            units.set_state(connection, rater_id, first, "skipped")
            units._put_rater_progress(connection, rater_id, units.RaterProgress(1, total // 2 - 1, 0))
    for _ in range(60):
        with store.reading() as connection:
            began = time.perf_counter()
            unit = units.next_open(connection, study.id, rater_id)
            times.append(time.perf_counter() - began)
        assert unit == total // 2 + 1
    return median(times[10:])
