"""The next unit of a rater: 100,000 conversations and 50 raters with half of the work done, beside 1,000 of
both.
"""

from __future__ import annotations

import random
import tempfile
import time
from pathlib import Path

from sqlalchemy import insert, select

from bench import stores
from bench.scale import sized
from bench.table import Line, median, ms, percentile, show
from data import schema
from data.record import studies, units
from data.record.studies import Study
from data.store.store import Store
from data.work import assignment, draws, open_slots, setup
from data.work.draws import read_spec
from data.work.plan import WorkPlan

SIZES = sized((1_000, 100_000), (60, 120))
RATERS = sized(50, 3)
OVERLAP = 2
PLAN = WorkPlan(overlap=OVERLAP, repeats=0.05, sitting=25)
ROUNDS = sized(4, 1)
LONG_AGO = "2026-01-01T00:00:00.000+00:00"  # no sitting under way


def run() -> None:
    with tempfile.TemporaryDirectory(prefix="bench-assigning-") as name:
        times = {size: _measured(Path(name), size) for size in SIZES}
        floor = _floor(Path(name))
    small, large = (times[size] for size in SIZES)
    lines = [
        Line(
            f"next unit, {SIZES[1]:,} conversations, median (floor: {SIZES[0]:,})",
            ms(median(large)),
            ms(median(small)),
            median(large) / median(small),
            "5 ms",
            median(large) < 0.005,
        ),
        Line(
            "the same, ratio",
            "",
            "",
            median(large) / median(small),
            "2 times",
            median(large) / median(small) <= 2,
        ),
        Line(
            "next unit, 95th of 100",
            ms(percentile(large, 0.95)),
            ms(percentile(small, 0.95)),
            percentile(large, 0.95) / percentile(small, 0.95),
        ),
        Line("a transaction of one sealed row in the same store (no unit chosen)", ms(median(floor))),
    ]
    show(
        f"assigning: {RATERS} raters, overlap {OVERLAP}, half done, {ROUNDS} units each; taken and "
        "committed to disk",
        lines,
    )


def _measured(folder: Path, size: int) -> list[float]:
    store = stores.open_at(stores.copied(folder, "assigned", size, lambda path: _fill(path, size)))
    with store.reading() as connection:
        study = studies.find(connection, stores.STUDY)
        assert study is not None
        people = [rater for rater in studies.raters(connection, study.id) if rater.kind == "person"]
    unit_ids = []
    for _ in range(ROUNDS):
        for rater in people:
            began = time.perf_counter()
            with store.writing(rater.name, "take a unit", study.id) as (connection, entry):
                place = assignment.take(connection, entry, study, rater)
            unit_ids.append(time.perf_counter() - began)
            assert isinstance(place, int), place
            _commit(store, study, rater.id, place)
    store.close()
    return unit_ids


def _commit(store: Store, study: Study, rater_id: int, place: int) -> None:
    """As much of a commit as the next unit depends on."""
    with store.writing("bench", "commit", study.id) as (connection, entry):
        table = schema.assignment
        unit_id = connection.execute(
            select(table.c.unit_id).where(table.c.rater_id == rater_id, table.c.place == place)
        ).scalar_one()
        units.set_state(connection, rater_id, units.get(connection, unit_id), "committed")
        entry.write(
            schema.commit,
            {
                "event": f"{rater_id}-{place}",
                "rater_id": rater_id,
                "unit_id": unit_id,
                "ordinal": place,
                "at": LONG_AGO,
            },
        )
        assignment.note_commit(connection, entry, study, unit_id, rater_id)


def _floor(folder: Path) -> list[float]:
    store = stores.open_at(stores.copied(folder, "assigned", SIZES[1], lambda path: _fill(path, SIZES[1])))
    with store.reading() as connection:
        study = studies.find(connection, stores.STUDY)
        assert study is not None
    unit_ids = []
    for number in range(100):
        began = time.perf_counter()
        with store.writing("bench", "add rater", study.id) as (connection, entry):
            studies.add_rater(connection, entry, study.id, f"one more {number}")
        unit_ids.append(time.perf_counter() - began)
    store.close()
    return unit_ids


def _fill(path: Path, size: int) -> Store:
    """Everything drawn, and half of the ratings given: units at the beginning of the draw by pairs of raters,
    some at its front by one.
    """
    source = stores.write_conversations(path.with_suffix(".jsonl"), size)
    store = stores.make(path, source, tuple(f"Rater {number}" for number in range(1, RATERS + 1)))
    source.unlink()
    with store.reading() as connection:
        study = studies.find(connection, stores.STUDY)
        assert study is not None
    with store.writing("bench", "plan") as (connection, entry):
        setup.new_plan(connection, entry, study, PLAN)
        draws.draw(connection, entry, study, read_spec({"method": "all"}), 0)
    chance, at = random.Random(size), LONG_AGO
    with store.writing("bench", "half of it") as (connection, entry):
        people = [rater.id for rater in studies.raters(connection, study.id)]
        order = (
            connection.execute(select(schema.drawn.c.unit_id).order_by(schema.drawn.c.place)).scalars().all()
        )
        half = size // 2
        given = [
            (unit_id, rater)
            for unit_id in order[: half - open_slots.WINDOW]
            for rater in chance.sample(people, OVERLAP)
        ]
        given += [
            (unit_id, chance.choice(people))
            for unit_id in order[half - open_slots.WINDOW : half + open_slots.WINDOW]
        ]
        places: dict[int, int] = {}
        rows = []
        for unit_id, rater in given:
            places[rater] = places.get(rater, 0) + 1
            rows.append(
                {
                    "rater_id": rater,
                    "unit_id": unit_id,
                    "place": places[rater],
                    "purpose": "real",
                    "hold": "",
                    "at": at,
                }
            )
        ids = entry.write_many(schema.assignment, rows)
        entry.write_many(
            schema.assignment_event,
            [{"assignment_id": number, "kind": "committed", "at": at} for number in ids],
        )
        entry.write_many(
            schema.commit,
            [
                {
                    "event": f"{row['rater_id']}-{row['place']}",
                    "rater_id": row["rater_id"],
                    "unit_id": row["unit_id"],
                    "ordinal": row["place"],
                    "at": at,
                }
                for row in rows
            ],
        )
        connection.execute(
            insert(schema.progress),
            [
                {
                    "rater_id": row["rater_id"],
                    "unit_id": row["unit_id"],
                    "position": row["place"],
                    "state": "committed",
                }
                for row in rows
            ],
        )
        connection.execute(
            insert(schema.rater_progress),
            [
                {"rater_id": rater, "frontier": count + 1, "committed": count, "reveals": 0}
                for rater, count in places.items()
            ],
        )
        setup.open_drawn_units(connection, study)
    return store
