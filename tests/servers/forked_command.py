"""A command of the program in a process of its own, forked from one that has imported the command line and a client."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from multiprocessing.connection import Connection
from typing import Any, TextIO

from cli import main
from configs.settings import ROOT
from tests.servers.forking import forking_context, without_program

CONTEXT = forking_context("cli", "cli.judging", "google.genai")


class ForkedCommand:
    """As subprocess.Popen, as far as tests need it. `stdout` has what it prints, errors too."""

    def __init__(self, arguments: Sequence[str], environment: Mapping[str, str]) -> None:
        reader, writer = CONTEXT.Pipe(duplex=False)
        self._process: Any = CONTEXT.Process(target=_run, args=(writer, arguments, dict(environment)))
        with without_program():
            self._process.start()
        writer.close()
        self.stdout: TextIO = os.fdopen(os.dup(reader.fileno()), encoding="utf-8")
        reader.close()
        assert self._process.pid is not None
        self.pid: int = self._process.pid

    def send_signal(self, number: int) -> None:
        os.kill(self.pid, number)

    def communicate(self, timeout: float) -> str:
        """What else it printed until it ended. Raises AssertionError where it does not end in time."""
        self._process.join(timeout)
        assert self._process.exitcode is not None, "it does not end"
        return self.stdout.read()

    def kill(self) -> None:
        self._process.kill()
        self._process.join()
        self.stdout.close()


def _run(writer: Connection, arguments: Sequence[str], environment: dict[str, str]) -> None:
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(ROOT.parent)
    for number in (1, 2):
        os.dup2(writer.fileno(), number)
    writer.close()
    main(list(arguments))
