"""Processes that are forked from one that has imported what they need, which is most of the start of a process.

It is not the process of the tests, it runs nothing and has no thread, so nothing else comes along.
"""

from __future__ import annotations

import multiprocessing
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.context import ForkServerContext, SpawnContext
from types import ModuleType


def forking_context(*modules: str) -> ForkServerContext | SpawnContext:
    """A context of multiprocessing; `modules` are imported once, before the first fork.

    Elsewhere than on Linux a fork of what has loaded so much is not safe: there every process begins with nothing.
    """
    if sys.platform != "linux":
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    _IMPORTED.update(dict.fromkeys(modules))
    context.set_forkserver_preload(list(_IMPORTED))  # one server forks for all contexts
    return context


_IMPORTED: dict[str, None] = {}


@contextmanager
def without_program() -> Iterator[None]:
    """Processes that are started here do not run the program of this one again. Where a test ran a page in this
    process, the page's file stands for the program, and each process would open the app.
    """
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main
