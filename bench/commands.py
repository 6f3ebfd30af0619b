"""The command line in a process of its own: how long it takes, and its highest memory."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

RUN = (
    "import sys; from cli import main; main(sys.argv[1:], standalone_mode=False); "
    "print(next(line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM:')))"
)


def run_command(checkout: Path, store: Path, *words: str) -> tuple[float, float]:
    """Seconds from its start to its end, and MB. `checkout`: whose program runs."""
    began = time.perf_counter()
    child = subprocess.run(
        [sys.executable, "-c", RUN, *words],
        cwd=checkout,
        env={
            **os.environ,
            "PYTHONPATH": str(checkout),
            "SECOND_READER_DATABASE_URL": f"sqlite:///{store}",
            "SECOND_READER_SAMPLES": "no",
        },
        capture_output=True,
        text=True,
        check=True,
    )
    return time.perf_counter() - began, int(child.stdout.split()[-1]) / 1024
