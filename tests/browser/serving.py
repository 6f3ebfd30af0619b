"""A real server process on a free loopback port, which tests may kill and start again."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from multiprocessing.process import BaseProcess
from pathlib import Path

from tests.browser.app_process import fork_app

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 120  # seconds


def _free_port(wanted: int = 0) -> int:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind(("127.0.0.1", wanted))
        port: int = probe.getsockname()[1]
        return port


@cache
def _home_port() -> int:
    return _free_port()


def home_address() -> str:
    """Of the first server of every test of this process: a browser keeps files by their address."""
    return f"http://127.0.0.1:{_home_port()}"


class Server:
    """The app on one store. `start` waits until it answers."""

    def __init__(self, database: Path, log: Path) -> None:
        self.database, self.log = database, log
        try:
            self.port = _free_port(_home_port())
        except OSError:  # another server of this test has it
            self.port = _free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._process: BaseProcess | None = None

    def start(self) -> None:
        self._launch(
            {
                **os.environ,
                "SECOND_READER_DATABASE_URL": f"sqlite:///{self.database}",
                "SECOND_READER_SAMPLES": "no",
            }
        )
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            try:
                with urllib.request.urlopen(f"{self.url}/_stcore/health", timeout=PATIENCE) as reply:
                    if reply.status == 200:
                        return
            except OSError:
                if not self._runs():
                    log = self.log.read_text() if self.log.exists() else "before it wrote a word"
                    raise AssertionError(f"the server stopped: {log[-2000:]}") from None
                time.sleep(0.02)
        raise AssertionError("the server does not answer")

    def kill(self) -> None:
        """kill -9, as a power cut would."""
        if self._process and self._runs():
            os.killpg(self._process.pid or 0, signal.SIGKILL)
            self._process.join()

    @contextmanager
    def paused(self) -> Iterator[None]:
        """It takes what is sent and answers nothing until afterwards."""
        assert self._process is not None
        os.killpg(self._process.pid or 0, signal.SIGSTOP)
        try:
            yield
        finally:
            os.killpg(self._process.pid or 0, signal.SIGCONT)

    def _launch(self, environment: Mapping[str, str]) -> None:
        self._process = fork_app(self.port, environment, self.log)

    def _runs(self) -> bool:
        return self._process is not None and self._process.is_alive()


class FreshServer(Server):
    """Started from nothing, by the command that the program uses: its first request meets no loaded module."""

    _command: subprocess.Popen[bytes] | None = None

    def kill(self) -> None:
        if self._command and self._runs():
            os.killpg(self._command.pid, signal.SIGKILL)
            self._command.wait()

    def _launch(self, environment: Mapping[str, str]) -> None:
        with self.log.open("ab") as log:
            self._command = subprocess.Popen(
                [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(self.port)],
                cwd=ROOT,
                env=dict(environment),
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def _runs(self) -> bool:
        return self._command is not None and self._command.poll() is None
