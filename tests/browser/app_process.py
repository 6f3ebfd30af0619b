"""The app in a process of its own, forked from one that has imported it already, which is most of a start.

Nothing else is shared: each server has its own process, port and store, and dies by kill -9 as any other.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from multiprocessing.process import BaseProcess
from pathlib import Path

from tests.servers.forking import forking_context

ROOT = Path(__file__).resolve().parents[2]
CONTEXT = forking_context("tests.browser.app_process", "tests.browser.app_imports")


def fork_app(port: int, environment: Mapping[str, str], log: Path) -> BaseProcess:
    """Begin `streamlit run app.py`, in a process group of its own; what it prints is appended to the log."""
    process = CONTEXT.Process(target=_run_app, args=(port, dict(environment), log))
    process.start()
    return process


def _run_app(port: int, environment: Mapping[str, str], log: Path) -> None:
    os.setsid()
    os.chdir(ROOT)
    os.environ.clear()
    os.environ.update(environment)
    with log.open("ab") as file:
        os.dup2(file.fileno(), sys.stdout.fileno())
        os.dup2(file.fileno(), sys.stderr.fileno())
    from streamlit.web import cli

    cli.main(["run", "app.py", "--server.port", str(port)])
