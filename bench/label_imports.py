"""A judge's labels through the command line: conversations a second and the highest memory of the process,
with 10,000 and with 100,000 conversations. BENCH_BEFORE names the folder of another checkout to measure
beside this one.
"""

from __future__ import annotations

import json
import os
import random
import sqlite3
import tempfile
import time
from contextlib import closing
from pathlib import Path

from bench import stores
from bench.commands import run_command
from bench.scale import sized
from bench.table import Line, show
from data.store.store import Store
from scoring.instruments import load_instrument

ROOT = Path(__file__).resolve().parent.parent
COUNTS = sized((10_000, 100_000), (5, 10))
INSTRUMENT = "coaching_rubric"
REASONING = 50  # words of what the judge writes beside a label
MOST_MEMORY = 500  # MB


def run() -> None:
    checkouts = {"": ROOT}
    if os.environ.get("BENCH_BEFORE"):
        checkouts[", before"] = Path(os.environ["BENCH_BEFORE"])
    with tempfile.TemporaryDirectory(prefix="bench-labels-") as name:
        for count in COUNTS:
            show(f"a judge's labels, {count:,} conversations", _lines(Path(name), count, checkouts))


def _lines(folder: Path, count: int, checkouts: dict[str, Path]) -> list[Line]:
    source = _write_judgements(folder / "judgements.jsonl", count)
    megabytes = source.stat().st_size / 1e6
    bare = count / _bare(folder / "bare.sqlite", source)
    lines = []
    for label, checkout in checkouts.items():
        store = stores.copied(folder, "to-judge", count, lambda path: _fill(path, count))
        seconds, memory = run_command(
            checkout, store, "import", "judgements", stores.STUDY, str(source), "--judge", "J"
        )
        store.unlink()
        rate = count / seconds
        what = f"a file of {megabytes:.0f} MB{label}"
        lines += [
            Line(f"{what}: conversations a second", f"{rate:,.0f}", f"{bare:,.0f}", rate / bare),
            Line(
                f"{what}: highest memory",
                f"{memory:,.0f} MB",
                f"{megabytes:.0f} MB",
                memory / megabytes,
                f"{MOST_MEMORY} MB",
                None if label else memory < MOST_MEMORY,
            ),
        ]
    return lines


def _fill(path: Path, count: int) -> Store:
    source = path.with_suffix(".jsonl")
    with source.open("w", encoding="utf-8") as file:
        for number in range(count):
            messages = [
                {"role": role, "content": f"{number}.{turn} {role}"}
                for turn in range(10)
                for role in ("user", "assistant")
            ]
            file.write(json.dumps({"id": f"conversation-{number:06}", "messages": messages}) + "\n")
    store = stores.make(path, source, instrument=INSTRUMENT)
    source.unlink()
    return store


def _write_judgements(path: Path, count: int) -> Path:
    """A label with its reasoning for each criterion of each conversation; the same file every time."""
    chance = random.Random(count)
    pool = [" ".join(chance.choices(stores.WORDS, k=REASONING)) for _ in range(4000)]
    instrument, _ = load_instrument(ROOT / "configs" / "instruments" / f"{INSTRUMENT}.yaml")
    with path.open("w", encoding="utf-8") as file:
        for number in range(count):
            for criterion in instrument.criteria:
                row = {
                    "conversation_id": f"conversation-{number:06}",
                    "criterion": criterion.id,
                    "label": chance.choice(("YES", "YES", "NO")),
                    "reasoning": f"{number} {chance.choice(pool)}",
                    "cited_turns": [1, 2],
                }
                file.write(json.dumps(row) + "\n")
    return path


def _bare(path: Path, source: Path) -> float:
    """Seconds to parse each line and keep it: one row a label, one durable commit."""
    began = time.perf_counter()
    with closing(sqlite3.connect(path, isolation_level=None)) as raw, source.open(encoding="utf-8") as file:
        raw.execute("PRAGMA journal_mode=WAL")
        raw.execute("PRAGMA synchronous=FULL")
        raw.execute("CREATE TABLE kept (id TEXT, criterion TEXT, label TEXT, reasoning TEXT)")
        raw.execute("BEGIN")
        raw.executemany(
            "INSERT INTO kept VALUES (:conversation_id, :criterion, :label, :reasoning)",
            map(json.loads, file),
        )
        raw.execute("COMMIT")
    seconds = time.perf_counter() - began
    path.unlink()
    return seconds
