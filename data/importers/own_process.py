"""Run functions that read a file of unknown origin in a separate process with limits on memory and time.

A file that unpacks to more than the memory, or never ends, only raises FileTooMuch in the call. Results,
errors and progress of the function are passed on. The process ends with the one that started it. One idle
process is kept for the next call, because starting Python takes most of a second.
"""

from __future__ import annotations

import atexit
import os
import pickle
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, TypeVar

from configs.settings import Settings
from data.store.errors import StoreError
from data.store.parent_process import end_with_parent
from data.store.process_memory import read_resident_bytes

ROOT = Path(__file__).resolve().parent.parent.parent
MEGABYTE = 1_000_000
BASE_SECONDS = 50.0  # for any file
SECONDS_PER_MEGABYTE = 1.0  # in addition
LOOKED_AFTER = 0.05  # seconds between two checks of the process's memory
LARGEST_KEPT = 300 * MEGABYTE  # a larger process is not reused for the next call
TOLD_EVERY = 0.1  # seconds between two progress messages
Result = TypeVar("Result")
Tell = Callable[[str, float, float], None]


class FileTooMuch(Exception):
    """The file exceeded a limit; the message says which one and what to do."""


@dataclass(frozen=True)
class Limits:
    """`memory`: bytes that the process may hold. `seconds`: time that one call may take."""

    memory: int
    seconds: float


def limits_for(path: Path) -> Limits:
    """Return the limits for a file, or for a folder with all of its files.

    Memory is the setting import_memory; the time is BASE_SECONDS (50.0) and SECONDS_PER_MEGABYTE (1.0) for
    each megabyte (1,000,000 bytes). Raise OSError if the files can't be looked up.
    """
    files = [path] if path.is_file() else [part for part in path.rglob("*") if part.is_file()]
    size = sum(file.stat().st_size for file in files)
    return Limits(
        Settings.read().import_memory * MEGABYTE, BASE_SECONDS + SECONDS_PER_MEGABYTE * size / MEGABYTE
    )


def run_apart(
    function: Callable[..., Result], *args: Any, limits: Limits, tell: Tell | None = None
) -> Result:
    """Return `function(*args)`, called in another process.

    Args:
        function: function, arguments and result must be picklable. With `tell`, it is called with `tell=`.
        tell: receives the progress. If it raises, the call and the process end.

    Raises:
        FileTooMuch: the call exceeded its limits. Errors of the function are raised too.
    """
    process = _take()
    try:
        kind, value = process.call((function, args, tell is not None), limits, tell)
    except BaseException:
        process.kill()
        raise
    _give_back(process)
    if kind == "raised":
        raise value
    result: Result = value
    return result


def prepare() -> None:
    """Start a process for the next call if none is idle, without waiting for it."""
    with _lock:
        if not _idle:
            _idle.append(_OwnProcess())


class _OwnProcess:
    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "data.importers.own_process", str(os.getpid())],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert self._process.stdin is not None and self._process.stdout is not None
        self._to = Connection(os.dup(self._process.stdin.fileno()), readable=False)
        self._from = Connection(os.dup(self._process.stdout.fileno()), writable=False)
        self._process.stdin.close()
        self._process.stdout.close()

    @property
    def is_usable(self) -> bool:
        return self._process.poll() is None

    @property
    def memory(self) -> int:
        return read_resident_bytes(self._process.pid)

    def call(self, request: Any, limits: Limits, tell: Tell | None) -> tuple[str, Any]:
        """("returned", result) or ("raised", error)."""
        until = time.monotonic() + limits.seconds
        try:
            self._to.send(request)
            while True:
                if self._from.poll(LOOKED_AFTER):
                    kind, value = self._from.recv()
                    if kind != "told":
                        return kind, value
                    if tell is not None:
                        tell(*value)
                if self.memory > limits.memory:
                    raise FileTooMuch(
                        f"the file needs more than {limits.memory // MEGABYTE:,} MB of memory to be read; "
                        "split it into smaller files"
                    )
                if time.monotonic() > until:
                    raise FileTooMuch(
                        f"the file was not read within {limits.seconds:,.0f} seconds; split it into smaller "
                        "files, or save it again"
                    )
        except (EOFError, OSError):
            raise FileTooMuch(
                "the system ended the program that read the file, most likely because it ran out of memory; "
                "split the file into smaller ones"
            ) from None

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()
        self._to.close()
        self._from.close()


_idle: list[_OwnProcess] = []
_lock = threading.Lock()


def _take() -> _OwnProcess:
    with _lock:
        while _idle:
            process = _idle.pop()
            if process.is_usable:
                return process
    return _OwnProcess()


def _give_back(process: _OwnProcess) -> None:
    with _lock:
        if not _idle and process.memory < LARGEST_KEPT:
            _idle.append(process)
            return
    process.kill()


@atexit.register
def end_idle() -> None:
    """End the idle process, if there is one; the next call starts another."""
    with _lock:
        while _idle:
            _idle.pop().kill()


class _Teller:
    """Passes progress on, at most once in TOLD_EVERY seconds."""

    def __init__(self, to: Connection) -> None:
        self._to, self._told_at = to, 0.0

    def __call__(self, words: str, steps: float, total: float) -> None:
        moment = time.monotonic()
        if moment - self._told_at >= TOLD_EVERY:
            self._told_at = moment
            self._to.send(("told", (words, steps, total)))


def _answer_calls(requests: Connection, answers: Connection) -> None:
    """Answer calls until the other process closes the connection."""
    while True:
        try:
            request = requests.recv_bytes()
        except (EOFError, OSError):
            return
        try:
            function, args, is_told = pickle.loads(request)
            more = {"tell": _Teller(answers)} if is_told else {}
            answer: tuple[str, Any] = "returned", function(*args, **more)
        except MemoryError:
            answer = "raised", FileTooMuch("the file is too large for the memory of this machine; split it")
        except Exception as error:  # noqa: BLE001  raised again in the calling process
            answer = "raised", _sendable(error)
        answers.send(answer)


def _sendable(error: Exception) -> Exception:
    """Return the error with its traceback as a note; a StoreError with the same message if it can't be
    pickled.
    """
    error.add_note("In another process:\n" + "".join(traceback.format_tb(error.__traceback__)))
    error.__traceback__ = error.__cause__ = error.__context__ = None
    try:
        again = pickle.loads(pickle.dumps(error))
    except Exception:  # noqa: BLE001  an error may hold anything
        again = None
    return error if type(again) is type(error) else StoreError(f"{error}")


def _main(parent: int) -> None:
    requests = Connection(os.dup(sys.stdin.fileno()), writable=False)
    answers = Connection(os.dup(sys.stdout.fileno()), readable=False)
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a library prints must not mix with the answers
    end_with_parent(parent)
    with suppress(OSError):
        os.nice(10)  # people who save have priority
    import data.importers.recognition  # noqa: F401  before somebody waits for it

    _answer_calls(requests, answers)


if __name__ == "__main__":
    from data.importers import own_process  # the module by its name, whose classes travel

    own_process._main(int(sys.argv[1]))
