"""Five thousand broken files of every form: none ends in anything but an import or a sentence, none takes
long or much.
"""

from __future__ import annotations

import resource
import tempfile
import time
from collections import Counter
from pathlib import Path

from bench.scale import sized
from bench.table import Line, show
from data.importers.own_process import end_idle
from data.keeping.verify import verify
from data.store.store import open_store
from tests.studies.mutated_files import try_file
from tests.studies.small_study import make

FILES = sized(5000, 20)
LONGEST = 60.0  # seconds for one of these small files
MEMORY = 1000  # MB, of the process that reads them


def run() -> None:
    ends: Counter[str] = Counter()
    slowest, faults = 0.0, []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        store = open_store(f"sqlite:///{folder / 'store.sqlite'}")
        make(store, folder)
        for seed in range(FILES):
            began = time.perf_counter()
            try:
                _, end = try_file(store, folder, seed)
                ends["imported" if end == "imported" else "refused"] += 1
            except Exception as error:  # noqa: BLE001 - whatever it is, it is what this looks for
                faults.append(f"seed {seed}: {type(error).__name__}: {str(error)[:100]}")
            slowest = max(slowest, time.perf_counter() - began)
        with store.reading() as connection:
            problems = verify(connection).problems
        store.close()
    end_idle()  # only of a process that ended is the memory known
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    show(
        f"{FILES:,} broken files",
        [
            Line("imported whole", f"{ends['imported']:,}", ""),
            Line("refused with a sentence", f"{ends['refused']:,}", ""),
            Line("ended otherwise", f"{len(faults)}", "", None, "0", not faults),
            Line("problems that verify finds after them", f"{len(problems)}", "", None, "0", not problems),
            Line(
                "the slowest of them", f"{slowest:.1f} s", "", None, f"<= {LONGEST:g} s", slowest <= LONGEST
            ),
            Line(
                "memory of the process that reads, at most",
                f"{memory:.0f} MB",
                "",
                None,
                f"<= {MEMORY} MB",
                memory <= MEMORY,
            ),
        ],
    )
    for fault in faults[:20]:
        print(fault)
