"""`second-reader verify` of a long trail: entries a second of processor time, and the memory of the process,
beside a bare reading of the same store.
"""

from __future__ import annotations

import hashlib
import json
import os
import runpy
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

from bench import long_trail, stores
from bench.memory import peak
from bench.scale import sized
from bench.table import Line, median, show
from data import schema

SIZES = sized((100_000, 1_000_000), (500, 1_000))
ROUNDS = sized(3, 1)
ROOT = Path(__file__).parent.parent


def run() -> None:
    lines, most = [], {}
    for size in SIZES:
        path = stores.kept("trail", size, "entries", lambda making, size=size: long_trail.make(making, size))  # type: ignore[misc]
        ours, floor = [], []
        for _ in range(ROUNDS):
            ours.append(_measured("verify", path))
            floor.append(_measured("bare", path))
        rate, bare = (
            median([measure["entries"] / measure["processor"] for measure in side]) for side in (ours, floor)
        )
        target = ("100,000", rate >= 100_000) if size == SIZES[-1] else ("", None)
        lines.append(
            Line(
                f"entries a second of processor time, {ours[0]['entries']:,.0f} entries",
                f"{rate:,.0f}",
                f"{bare:,.0f}",
                rate / bare,
                *target,
            )
        )
        most[size] = max(measure["peak"] for measure in ours)
    small, large = (most[size] / 1024 for size in SIZES)
    lines.append(
        Line(
            f"memory of the process at most: {SIZES[1]:,} beside {SIZES[0]:,} entries",
            f"{large:.0f} MB",
            f"{small:.0f} MB",
            large / small,
            "under 300 MB",
            large < 300,
        )
    )
    show("verify", lines)


def _measured(side: str, path: Path) -> dict[str, float]:
    """Seconds of processor time, KB of memory and the number of entries, of a process of its own from its
    start to its end.
    """
    environment = {name: value for name, value in os.environ.items() if not name.startswith("SECOND_READER_")}
    settings = {"SECOND_READER_DATABASE_URL": f"sqlite:///{path}", "SECOND_READER_SAMPLES": "no"}
    process = subprocess.run(
        [sys.executable, "-m", "bench.verifying", side, str(path)],
        cwd=ROOT,
        env={**environment, **settings},
        capture_output=True,
        text=True,
    )
    if process.returncode:
        raise SystemExit(process.stderr)
    measured: dict[str, float] = json.loads(process.stdout.splitlines()[-1])
    return measured


def _child(side: str, path: Path) -> None:
    if side == "verify":
        sys.argv = ["second-reader", "verify"]
        try:
            runpy.run_module("cli", run_name="__main__")
        except SystemExit as end:
            if end.code:
                raise
    else:
        _read_bare(path)
    used = time.process_time()
    with closing(sqlite3.connect(path)) as raw:
        entries = raw.execute("SELECT max(seq) FROM trail").fetchone()[0]
    print(json.dumps({"processor": used, "peak": peak(), "entries": entries}))


def _read_bare(path: Path) -> None:
    """Every entry, sealed row and text is read, spelled and hashed once, and compared with nothing: less than
    that proves nothing.
    """
    with closing(sqlite3.connect(path)) as raw:
        for table in (schema.trail, schema.content, *schema.SEALED):
            for row in raw.execute(f"SELECT * FROM {table.name}"):
                hashlib.sha256(repr(row).encode())


if __name__ == "__main__":
    _child(sys.argv[1], Path(sys.argv[2]))
