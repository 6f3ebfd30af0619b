"""The most memory that this process had."""

from __future__ import annotations

import resource
import sys
from pathlib import Path


def peak() -> int:
    """In KB. On Linux ru_maxrss begins with that of the parent, so the process's own mark is read."""
    status = Path("/proc/self/status")
    if status.exists():
        return next(
            int(line.split()[1]) for line in status.read_text().splitlines() if line.startswith("VmHWM:")
        )
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // (1024 if sys.platform == "darwin" else 1)
