"""A process that ends with the one that started it, however that one ended."""

from __future__ import annotations

import os
import sys
import threading
import time

LOOK_EVERY = 1.0  # seconds between two looks whether the parent lives
STARTED_BY = "_SECOND_READER_STARTED_BY"  # a variable of the environment, and no setting


def name_parent() -> dict[str, str]:
    """What to add to the environment of a child that shall end with this process: see `end_with_starter`."""
    return {STARTED_BY: str(os.getpid())}


def end_with_starter() -> None:
    """Call `end_with_parent` if whoever started this process asked for it with `name_parent`; returns at
    once. What this process starts is not asked by that.
    """
    parent = os.environ.pop(STARTED_BY, "")
    if parent.isdecimal():
        end_with_parent(int(parent))


def end_with_parent(parent: int) -> None:
    """End this process once the process `parent` is not its parent any more: as kill -9 does, a second later
    at most. Returns at once. Does nothing on Windows, where a process keeps the number of a dead parent.
    """
    if sys.platform != "win32":
        threading.Thread(target=_watch, args=(parent,), daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(LOOK_EVERY)
    os._exit(1)
