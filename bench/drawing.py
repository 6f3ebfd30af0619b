"""A stratified draw of 2,000 units from 100,000, and the next one, beside the least that must be read and
written for it.
"""

from __future__ import annotations

import json
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from sqlalchemy import select

from bench import stores
from bench.scale import sized
from bench.table import Line, median, show
from data import schema
from data.record import judgements, studies
from data.record.judgements import JudgeIdentity
from data.store.store import Store
from data.work import draws
from data.work.draws import read_spec

COUNT = sized(100_000, 300)
SIZE = sized(2_000, 150)
ROUNDS = sized(5, 1)
JUDGE, CRITERION = "Bench judge", 0  # the first criterion of the instrument
SITES, ARMS = 8, 3


def run() -> None:
    with tempfile.TemporaryDirectory(prefix="bench-drawing-") as name:
        store = stores.open_at(stores.copied(Path(name), "judged", COUNT, _fill))
        with store.reading() as connection:
            study = studies.find(connection, stores.STUDY)
            assert study is not None
            judge = judgements.judges(connection, study.id)[0].id
        criterion = study.instrument.criteria[CRITERION].id
        keys = [
            {"kind": "fact", "name": "site"},
            {"kind": "fact", "name": "arm"},
            {"kind": "label", "name": criterion, "judge": judge},
        ]
        spec = read_spec(
            {
                "method": "strata",
                "size": SIZE,
                "keys": keys,
                "allocation": "equal",
                "certain": {"judge": judge},
            }
        )
        times: dict[str, list[float]] = {
            "looked": [],
            "first": [],
            "floor": [],
            "second": [],
            "chances": [],
            "standing": [],
        }
        for _ in range(ROUNDS):
            times["floor"].append(_floor(store, study.id, judge, criterion))
            times["looked"].append(_timed(store, lambda connection: draws.preview(connection, study, spec)))
            times["first"].append(_draw(store, study, spec))
        for _ in range(ROUNDS):  # after these draws, each with all that were drawn before to write anew
            times["second"].append(_draw(store, study, spec))
            times["chances"].append(_timed(store, lambda connection: draws.chances(connection, study.id)))
            times["standing"].append(
                _timed(store, lambda connection: draws.draw_status(connection, study.id))
            )
        store.close()
    show(
        f"drawing: {SIZE:,} of {COUNT:,} units by site, arm and a judge's label, failures in any case, "
        f"median of {ROUNDS}",
        _lines(times),
    )


def _lines(times: dict[str, list[float]]) -> list[Line]:
    floor = median(times["floor"])

    def line(what: str, name: str, target: bool = False) -> Line:
        seconds = median(times[name])
        return Line(
            what,
            f"{seconds:.2f} s",
            f"{floor:.2f} s",
            seconds / floor,
            "1 s" if target else "",
            seconds < 1 if target else None,
        )

    return [
        line(
            "a draw, committed (floor: read the same facts and labels, write as many rows)",
            "first",
            target=True,
        ),
        line("its preview", "looked"),
        line(f"a draw after {ROUNDS} to {2 * ROUNDS - 1} others", "second"),
        line("the chances of all that was drawn", "chances"),
        line("where the draws stand, in words", "standing"),
    ]


def _draw(store: Store, study: studies.Study, spec: draws.DrawSpec) -> float:
    began = time.perf_counter()
    with store.writing("bench", "draw", study.id) as (connection, entry):
        draws.draw(connection, entry, study, spec, draws.last_number(connection, study.id))
    return time.perf_counter() - began


def _timed(store: Store, ask: Any) -> float:
    with store.reading() as connection:
        began = time.perf_counter()
        ask(connection)
        return time.perf_counter() - began


def _floor(store: Store, study_id: int, judge: int, criterion: str) -> float:
    """Every facts text parsed, every label read, as many rows of no meaning and a frame written, and rolled
    back after the last.
    """
    table, judgement, text = schema.conversation, schema.judgement, schema.content
    began = time.perf_counter()
    with store._engine.connect() as connection:
        connection.exec_driver_sql("BEGIN IMMEDIATE")
        facts = connection.execute(
            select(table.c.id, text.c.text)
            .join(text, text.c.id == table.c.facts_content)
            .where(table.c.study_id == study_id)
        ).all()
        parsed = [json.loads(row[1]) for row in facts]
        labels = connection.execute(
            select(judgement.c.unit_id, judgement.c.label).where(
                judgement.c.study_id == study_id,
                judgement.c.judge_id == judge,
                judgement.c.criterion == criterion,
            )
        ).all()
        if not len(parsed) == len(labels) == COUNT:
            raise AssertionError(f"{len(parsed)} facts and {len(labels)} labels")
        connection.exec_driver_sql("CREATE TABLE floor (id INTEGER PRIMARY KEY, unit INTEGER, chance REAL)")
        connection.exec_driver_sql(
            "INSERT INTO floor (unit, chance) VALUES (?, ?)", [(number, 0.5) for number in range(SIZE)]
        )
        connection.exec_driver_sql("CREATE TABLE frame (text)")
        connection.exec_driver_sql("INSERT INTO frame VALUES (?)", (json.dumps(np.arange(COUNT).tolist()),))
        took = time.perf_counter() - began
        connection.rollback()
    return took


def _fill(path: Path) -> Store:
    """Conversations with facts, and one judge's labels of every criterion, one call in a thousand failed."""
    source = stores.write_conversations(
        path.with_suffix(".jsonl"),
        COUNT,
        facts=lambda number: {
            "site": f"site {number * 7 % SITES}",
            "arm": number * 13 % ARMS,
            "model": "bench",
            "case": number,
        },
    )
    store = stores.make(path, source)
    source.unlink()
    with store.writing("bench", "judge") as (connection, entry):
        study = studies.find(connection, stores.STUDY)
        assert study is not None
        judge = judgements.register(connection, entry, study.id, JudgeIdentity(JUDGE))
        unit_ids = (
            connection.execute(select(schema.unit.c.id).where(schema.unit.c.study_id == study.id))
            .scalars()
            .all()
        )
        for number, criterion in enumerate(study.instrument.criteria):
            levels = [level.id for level in study.instrument.scale_of(criterion).levels]
            entry.write_many(
                schema.judgement,
                [
                    {
                        "study_id": study.id,
                        "unit_id": unit_id,
                        "judge_id": judge,
                        "criterion": criterion.id,
                        "cited": "[]",
                        "anchor_round": 0,
                        "replicate": 0,
                        "origin": "import",
                        "file": "bench",
                        **(
                            {"status": "truncated"}
                            if (unit_id + number) % 1000 == 0
                            else {"status": "ok", "label": levels[(unit_id * (number + 3)) % len(levels)]}
                        ),
                    }
                    for unit_id in unit_ids
                ],
            )
    return store
