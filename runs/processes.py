"""Start the processes next to the app, each with its own command. This module imports little, because the
waiting process must not hold what the others load.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path

from configs.settings import PREFIX, Settings
from data.store.parent_process import name_parent

ROOT = Path(__file__).resolve().parent.parent


def make_store_ready(settings: Settings) -> Path | None:
    """Create, migrate and fill the store in a separate process; return its path. None if that process
    reported why it can't.
    """
    child = start_module("cli.ready", variables=_environment(settings), stdout=subprocess.PIPE)
    said, _ = child.communicate()
    return Path(json.loads(said)) if child.returncode == 0 else None


def start_worker(lock: int | None = None) -> subprocess.Popen[bytes]:
    """Start the process that does the judge runs requested on the page."""
    return start_module("cli", "worker", lock=lock)


def start_scoring(
    store_path: Path, studies: Sequence[str], lock: int | None = None
) -> subprocess.Popen[bytes]:
    """Start to compute the metrics of some studies, after any other process that is doing so."""
    return start_module(
        "cli",
        "score-in-turn",
        *studies,
        variables={f"{PREFIX}DATABASE_URL": f"sqlite:///{store_path}"},
        stdout=subprocess.DEVNULL,
        lock=lock,
    )


def start_module(
    *arguments: str,
    variables: Mapping[str, str] | None = None,
    stdout: int | None = None,
    lock: int | None = None,
) -> subprocess.Popen[bytes]:
    """Start `python -m` with arguments and environment variables, in a process that ends with this one.

    It holds the descriptor `lock` until it ends (on Windows only this process holds it).
    """
    return subprocess.Popen(
        [sys.executable, "-m", *arguments],
        cwd=ROOT,
        env={**os.environ, **(variables or {}), **name_parent()},
        stdout=stdout,
        pass_fds=() if lock is None or sys.platform == "win32" else (lock,),
    )


def _environment(settings: Settings) -> dict[str, str]:
    values = {field.name: getattr(settings, field.name) for field in fields(settings)}
    return {
        PREFIX + name.upper(): ("yes" if value else "no") if isinstance(value, bool) else str(value)
        for name, value in values.items()
    }
