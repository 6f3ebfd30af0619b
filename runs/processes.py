"""The processes beside the app, each started by a command of its own, and the little that this takes: whoever
waits for them must not hold what they load.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path

from configs.settings import PREFIX, Settings

ROOT = Path(__file__).resolve().parent.parent


def make_store_ready(settings: Settings) -> Path | None:
    """Make, migrate and fill the store in a process that then ends; returns its path. None where that process
    has said why it cannot be done.
    """
    child = subprocess.run(
        [sys.executable, "-m", "cli.ready"],
        cwd=ROOT,
        env={**os.environ, **_environment(settings)},
        stdout=subprocess.PIPE,
    )
    return Path(json.loads(child.stdout)) if child.returncode == 0 else None


def start_worker() -> subprocess.Popen[bytes]:
    """Do the judge runs that are asked for on the page."""
    return subprocess.Popen([sys.executable, "-m", "cli", "worker"], cwd=ROOT)


def start_scoring(store_path: Path, studies: Sequence[str]) -> subprocess.Popen[bytes]:
    """Begin to compute the metrics of some studies; where another process is at it, after that one."""
    environment = {**os.environ, f"{PREFIX}DATABASE_URL": f"sqlite:///{store_path}"}
    return subprocess.Popen(
        [sys.executable, "-m", "cli", "score-in-turn", *studies],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.DEVNULL,
    )


def _environment(settings: Settings) -> dict[str, str]:
    values = {field.name: getattr(settings, field.name) for field in fields(settings)}
    return {
        PREFIX + name.upper(): ("yes" if value else "no") if isinstance(value, bool) else str(value)
        for name, value in values.items()
    }
