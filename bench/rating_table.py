"""Every label of a study as a table: seconds until the file holds its first bytes, conversations a second of
processor time, and the highest memory of `second-reader export table`.
"""

from __future__ import annotations

import csv
import sqlite3
import tempfile
import threading
import time
from contextlib import closing
from pathlib import Path

from bench import labelled_stores, stores
from bench.commands import run_command
from bench.scale import sized
from bench.table import Line, show
from data.record import studies
from reports.agreement.rating_table import write_rating_table

ROOT = Path(__file__).resolve().parent.parent
COUNTS = sized((1_000, 10_000), (5, 10))  # conversations
FORMS = (".csv", ".jsonl")
MOST_SECONDS, LEAST_RATE = 1.0, 5_000  # to the first row; conversations a second


def run() -> None:
    labels = len(labelled_stores.list_criteria())
    for count in COUNTS:
        show(f"every label as a table: {count:,} conversations, {count * labels:,} labels", _lines(count))


def _lines(count: int) -> list[Line]:
    has_targets = count == COUNTS[-1]
    lines = []
    with tempfile.TemporaryDirectory(prefix="bench-table-") as name:
        folder = Path(name)
        path = stores.copied(
            folder, "judged", count, lambda making: labelled_stores.fill(making, count, rated=False)
        )
        bare = count / _bare(path, folder / "bare.csv")
        for form in FORMS:
            first, seconds = _write(path, folder / f"table{form}")
            rate = count / seconds
            _, memory = run_command(ROOT, path, "export", "table", stores.STUDY, str(folder / f"again{form}"))
            lines += [
                Line(
                    f"{form}: seconds to the first row",
                    f"{first:.2f}",
                    target=f"{MOST_SECONDS:.0f}" if has_targets else "",
                    met=first <= MOST_SECONDS if has_targets else None,
                ),
                Line(
                    f"{form}: conversations a second",
                    f"{rate:,.0f}",
                    f"{bare:,.0f}",
                    rate / bare,
                    target=f"{LEAST_RATE:,}" if has_targets else "",
                    met=rate >= LEAST_RATE if has_targets else None,
                ),
                Line(f"{form}: highest memory", f"{memory:,.0f} MB"),
            ]
    return lines


def _bare(store_path: Path, path: Path) -> float:
    """Seconds of processor time to read the same rows with their texts and write them as CSV."""
    began = time.process_time()
    with closing(sqlite3.connect(store_path)) as raw, path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(
            raw.execute(
                "SELECT * FROM judgement LEFT JOIN content ON content.id = reasoning_content "
                "JOIN unit ON unit.id = unit_id JOIN conversation ON conversation.id = unit.conversation_id "
                "ORDER BY unit_id, judge_id, criterion"
            )
        )
    return time.process_time() - began


def _write(store_path: Path, path: Path) -> tuple[float, float]:
    """Seconds until the file holds its first bytes, and seconds of processor time until it is whole."""
    store, part = stores.open_at(store_path), path.with_name(f"{path.name}.part")
    began, ended = time.perf_counter(), threading.Event()
    worked = time.process_time()
    first: list[float] = []

    def watch() -> None:
        while not ended.is_set() and not first:
            if any(each.exists() and each.stat().st_size for each in (part, path)):
                first.append(time.perf_counter() - began)
            time.sleep(0.01)

    watching = threading.Thread(target=watch)
    watching.start()
    with store.reading() as connection:
        study = studies.find(connection, stores.STUDY)
        assert study is not None
        write_rating_table(connection, study, path)
    seconds = time.process_time() - worked
    ended.set()
    watching.join()
    store.close()
    return (first or [seconds])[0], seconds
