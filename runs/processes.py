"""The processes beside the app, each started by a command of its own, and the little that this takes: whoever
waits for them must not hold what they load.
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
    """Make, migrate and fill the store in a process that then ends; returns its path. None where that process
    has said why it cannot be done.
    """
    child = start_module("cli.ready", variables=_environment(settings), stdout=subprocess.PIPE)
    said, _ = child.communicate()
    return Path(json.loads(said)) if child.returncode == 0 else None


def start_worker(lock: int | None = None) -> subprocess.Popen[bytes]:
    """Do the judge runs that are asked for on the page."""
    return start_module("cli", "worker", lock=lock)


def start_scoring(
    store_path: Path, studies: Sequence[str], lock: int | None = None
) -> subprocess.Popen[bytes]:
    """Begin to compute the metrics of some studies; where another process is at it, after that one."""
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
    """Start `python -m` with some arguments and variables of the environment, in a process that ends with
    this one. It holds `lock`, a descriptor of ours, until it has ended (on Windows only we hold it).
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
