"""Conversations a second through the importer beside a bare loop, and the memory that a large file takes."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

from bench import stores
from bench.memory import peak
from bench.scale import sized
from bench.table import Line, median, show

COUNT = sized(4_000, 20)
ROUNDS = sized(3, 1)
LARGE = sized(100_000_000, 1_000_000)  # bytes


def run() -> None:
    with tempfile.TemporaryDirectory(prefix="bench-import-") as name:
        folder = Path(name)
        source = stores.write_conversations(folder / "some.jsonl", COUNT)
        ours, floor = [], []
        for number in range(ROUNDS):
            began = time.perf_counter()
            stores.make(folder / f"store-{number}.sqlite", source).close()
            middle = time.perf_counter()
            _bare(folder / f"bare-{number}.sqlite", source)
            ours.append(COUNT / (middle - began))
            floor.append(COUNT / (time.perf_counter() - middle))
        rate, bare = median(ours), median(floor)
        lines = [
            Line(
                f"conversations of {stores.TURNS} turns a second",
                f"{rate:,.0f}",
                f"{bare:,.0f}",
                rate / bare,
                "3,000",
                rate >= 3_000,
            ),
            *_memory(folder, source.stat().st_size),
        ]
    show("import", lines)


def _bare(path: Path, source: Path) -> None:
    """Parse each line and keep it: one row a conversation, one durable commit."""
    with closing(sqlite3.connect(path, isolation_level=None)) as raw, source.open(encoding="utf-8") as file:
        raw.execute("PRAGMA journal_mode=WAL")
        raw.execute("PRAGMA synchronous=FULL")
        raw.execute("CREATE TABLE kept (id TEXT PRIMARY KEY, text TEXT)")
        raw.execute("BEGIN")
        raw.executemany(
            "INSERT INTO kept VALUES (?, ?)",
            ((value["id"], json.dumps(value["messages"])) for value in map(json.loads, file)),
        )
        raw.execute("COMMIT")


def _memory(folder: Path, size: int) -> list[Line]:
    """The highest memory of a process that imports a small file and then a large one."""
    small = stores.write_conversations(folder / "small.jsonl", 20)
    large = stores.write_conversations(folder / "large.jsonl", round(LARGE * COUNT / size))
    megabytes = large.stat().st_size / 1e6
    process = subprocess.run(
        [sys.executable, "-m", "bench.imports", str(folder), str(small), str(large)],
        check=True,
        capture_output=True,
        text=True,
        cwd=Path(__file__).parent.parent,
    )
    before, after = (float(value) / 1024 for value in process.stdout.split())
    growth = after - before
    return [
        Line(
            f"memory that a file of {megabytes:.0f} MB adds",
            f"{growth:.0f} MB",
            f"{megabytes:.0f} MB",
            growth / megabytes,
            "under 0.25 of the file",
            growth < megabytes / 4,
        ),
        Line("memory of the process at most", f"{after:.0f} MB", f"{before:.0f} MB", after / before),
    ]


def _child(folder: Path, small: Path, large: Path) -> None:
    for path in (small, large):
        stores.make(folder / f"{path.stem}.sqlite", path).close()
        print(peak())


if __name__ == "__main__":
    _child(*map(Path, sys.argv[1:4]))
