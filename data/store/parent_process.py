"""End a process when the process that started it ends, in any way."""

from __future__ import annotations

import os
import sys
import threading
import time

LOOK_EVERY = 1.0  # seconds between checks of the parent
STARTED_BY = "_SECOND_READER_STARTED_BY"  # an environment variable, but not a setting


def name_parent() -> dict[str, str]:
    """Return the environment variables for a child that should end with this process: see
    `end_with_starter`.
    """
    return {STARTED_BY: str(os.getpid())}


def end_with_starter() -> None:
    """Call `end_with_parent` if the parent process asked for it with `name_parent`, and return at once.
    Processes started by this one don't inherit the request.
    """
    parent = os.environ.pop(STARTED_BY, "")
    if parent.isdecimal():
        end_with_parent(int(parent))


def end_with_parent(parent: int) -> None:
    """End this process, as kill -9 does, at most a second after `parent` stops being its parent.

    Returns at once. Does nothing on Windows, where a process keeps the number of a dead parent.
    """
    if sys.platform != "win32":
        threading.Thread(target=_watch, args=(parent,), daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(LOOK_EVERY)
    os._exit(1)
