"""The files of an agreement report of a large study, by the command line: seconds and the highest memory of
the process. The judge's reasons quote the conversations, so that every quotation is looked up. BENCH_BEFORE
names the folder of another checkout to measure beside this one.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from bench import labelled_stores, stores
from bench.commands import run_command
from bench.scale import sized
from bench.table import Line, show

ROOT = Path(__file__).resolve().parent.parent
COUNTS = sized((10_000, 100_000), (20, 40))  # conversations
MOST_SECONDS, MOST_MEMORY = 20.0, 500.0  # MB; of the larger study


def run() -> None:
    checkouts = {"": ROOT}
    if os.environ.get("BENCH_BEFORE"):
        checkouts[", before"] = Path(os.environ["BENCH_BEFORE"])
    for count in COUNTS:
        show(
            f"the files of a report: {count:,} conversations, {count * labelled_stores.RATINGS:,} ratings, "
            f"{count * len(labelled_stores.list_criteria()):,} labels of a judge",
            _lines(count, checkouts),
        )


def _lines(count: int, checkouts: dict[str, Path]) -> list[Line]:
    has_targets = count == COUNTS[-1]
    lines = []
    for label, checkout in checkouts.items():
        with tempfile.TemporaryDirectory(prefix="bench-report-") as name:
            store = stores.copied(Path(name), "report", count, lambda path: labelled_stores.fill(path, count))
            seconds, memory = run_command(
                checkout, store, "report", stores.STUDY, "--to", str(Path(name) / "report")
            )
        lines += [
            Line(
                f"seconds{label}",
                f"{seconds:.1f}",
                target=f"{MOST_SECONDS:.0f}" if has_targets else "",
                met=seconds <= MOST_SECONDS if has_targets and not label else None,
            ),
            Line(
                f"highest memory{label}",
                f"{memory:,.0f} MB",
                target=f"{MOST_MEMORY:.0f} MB" if has_targets else "",
                met=memory <= MOST_MEMORY if has_targets and not label else None,
            ),
        ]
    return lines
