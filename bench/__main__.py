"""python -m bench [--small] [NAME ...]: all of them, or those named; small, to see that they run."""

from __future__ import annotations

import importlib
import os
import platform
import sys
import time

from bench.scale import VARIABLE

NAMES = {
    "save": "bench.save",
    "import": "bench.imports",
    "labels": "bench.label_imports",
    "beside": "bench.beside_imports",
    "paint": "bench.paint",
    "commit": "bench.commit",
    "fifty": "bench.fifty",
    "scoring": "bench.scoring",
    "proposals": "bench.proposals",
    "judging": "bench.judging",
    "drawing": "bench.drawing",
    "assigning": "bench.assigning",
    "agreement": "bench.agreement",
    "reporting": "bench.reporting",
    "report": "bench.report_files",
    "table": "bench.rating_table",
    "pages": "bench.pages",
    "drift": "bench.drift",
    "files": "bench.broken_files",
    "verify": "bench.verifying",
    "verdicts": "bench.verdicts",
    "coverage": "bench.coverage",
    "families": "bench.families",
    "levels": "bench.levels",
    "thresholds": "bench.thresholds",
    "readings": "bench.readings",
}


def main(arguments: list[str]) -> int:
    wanted = [name for name in arguments if name != "--small"]
    if len(wanted) < len(arguments):
        os.environ[VARIABLE] = "yes"
    unknown = [name for name in wanted if name not in NAMES]
    if unknown:
        print(f"There is no bench {unknown[0]}. There are: {', '.join(NAMES)}.", file=sys.stderr)
        return 2
    print(
        f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, Python "
        f"{platform.python_version()}, load {os.getloadavg()[0]:.1f}"
    )
    for name in wanted or NAMES:
        began = time.perf_counter()
        importlib.import_module(NAMES[name]).run()
        print(f"({name} took {time.perf_counter() - began:.0f} s)", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
