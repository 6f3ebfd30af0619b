"""Whether a process lives."""

from __future__ import annotations

import subprocess


def is_alive(process: int) -> bool:
    """False for one that has ended, also where its parent has not taken note of it yet."""
    listed = subprocess.run(
        ["ps", "-o", "stat=", "-p", str(process)], capture_output=True, text=True, check=False
    )
    return listed.stdout.strip()[:1] not in {"", "Z"}
