"""The Drift page: 10,000 conversations of 20 turns, from the store, in memory, and after a filter."""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path

import numpy as np
from sqlalchemy import select

from bench import stores
from bench.scale import sized
from bench.table import Line, median, ms, percentile, show
from data import schema
from data.record import curves, metrics, studies
from data.record.metrics import MetricSubject, MetricValue
from data.store.store import Connection, Store
from reports.drift.conversation_curves import ConversationDrift
from reports.drift.turn_words import blocks, by_turn_table, title, where_it_leaves
from scoring.drift.average_curves import mean, slopes

SIZE, TURNS, ROUNDS, REPAINTS = sized((10_000, 20, 7, 20), (40, 20, 1, 1))
CONDITIONS = ("A", "B", "C", "D")
KIND = ("goal_alignment", "actions/windowed")
APP = str(Path(__file__).resolve().parents[1] / "app.py")


def run() -> None:
    with tempfile.TemporaryDirectory(prefix="bench-drift-") as name:
        path = stores.copied(Path(name), "curves", SIZE, _fill)
        show(
            f"drift: {SIZE:,} conversations of {TURNS} turns, {len(CONDITIONS)} conditions; median of "
            f"{ROUNDS}",
            [*_read_and_said(path), *_on_page(path)],
        )


def _read_and_said(path: Path) -> list[Line]:
    store = stores.open_at(path)
    read, wording, sloped, plain = [], [], [], []
    for _ in range(ROUNDS):
        with store.reading() as connection:
            study = studies.find(connection, stores.STUDY)
            assert study is not None
            began = time.perf_counter()
            _plain(connection, study.id)
            plain.append(time.perf_counter() - began)
            began = time.perf_counter()
            table = curves.read(connection, study.id, *KIND)
        read.append(time.perf_counter() - began)
        began = time.perf_counter()
        conversation_drift = ConversationDrift(table, "condition", "Goal alignment")
        report_blocks = (
            title(conversation_drift),
            *blocks(conversation_drift),
            *where_it_leaves(conversation_drift),
            by_turn_table(conversation_drift),
        )
        wording.append(time.perf_counter() - began)
        assert len(report_blocks) > 5
        began = time.perf_counter()
        mean(slopes(table.values), table.part)
        sloped.append(time.perf_counter() - began)
    store.close()
    whole = [a + b for a, b in zip(read, wording, strict=True)]
    return [
        Line(
            "read from the store and everything said (floor: the same rows, read and not looked at)",
            ms(median(whole)),
            ms(median(plain)),
            median(whole) / median(plain),
            "1 s",
            median(whole) < 1,
        ),
        Line("of it reading", ms(median(read))),
        Line("of it means, slopes, differences, tables", ms(median(wording))),
        Line(
            "slopes of all with the interval of their mean",
            ms(median(sloped)),
            "",
            None,
            "100 ms",
            median(sloped) < 0.1,
        ),
    ]


def _plain(connection: Connection, study_id: int) -> None:
    table = schema.metric_value
    connection.execute(
        select(table.c.detail).where(
            table.c.study_id == study_id, table.c.metric == KIND[0], table.c.variant == KIND[1]
        )
    ).all()


def _on_page(path: Path) -> list[Line]:
    """The whole app in Streamlit's own test harness, without a browser: opened, then what divides it
    changes.
    """
    from streamlit.testing.v1 import AppTest

    os.environ |= {"SECOND_READER_DATABASE_URL": f"sqlite:///{path}", "SECOND_READER_SAMPLES": "no"}
    at = AppTest.from_string(
        f"import runpy\nrunpy.run_path({APP!r}, run_name='__main__')", default_timeout=60
    )
    for key, value in {"page": "drift", "study": stores.STUDY, "reader": "lead"}.items():
        at.query_params[key] = value
    at.run()
    at.button(key="reader-lead").click().run()
    divide = next(field for field in at.selectbox if field.label == "Group by")
    assert divide.key is not None
    took = []
    for number in range(REPAINTS + 2):
        began = time.perf_counter()
        at.selectbox(key=divide.key).select_index(number % len(divide.options)).run()
        took.append(time.perf_counter() - began)
        assert not at.exception, at.exception
    took = took[2:]
    slowest = percentile(took, 0.95)
    return [
        Line(
            f"the page after a filter, without a browser, 95th of {REPAINTS}",
            ms(slowest),
            "",
            None,
            "300 ms",
            slowest < 0.3,
        ),
        Line("the same, median", ms(median(took))),
    ]


def _fill(path: Path) -> Store:
    source = stores.write_conversations(
        path.with_suffix(".jsonl"),
        SIZE,
        characters=20,
        facts=lambda number: {"condition": CONDITIONS[number % len(CONDITIONS)], "temperature": number % 3},
    )
    store = stores.make(path, source, ("Rater 1",), "coaching_rubric")
    source.unlink()
    rng = np.random.default_rng(3)
    with store.reading() as connection:
        study = studies.find(connection, stores.STUDY)
        assert study is not None
        ids = (
            connection.execute(
                select(schema.conversation.c.id).where(schema.conversation.c.study_id == study.id)
            )
            .scalars()
            .all()
        )
    with store.writing("bench", "score", study.id) as (connection, entry):
        for at in range(0, len(ids), 1000):
            rows = []
            for number in ids[at : at + 1000]:
                curve, local = rng.normal(0.5, 0.1, TURNS).tolist(), rng.normal(0.4, 0.1, TURNS).tolist()
                rows.append(
                    MetricValue(
                        MetricSubject(conversation_id=number),
                        *KIND,
                        "1",
                        curve[-1],
                        None,
                        f"bench{number}",
                        {"curve": curve, "local": local},
                    )
                )
            metrics.keep(connection, entry, study.id, rows)
    return store
