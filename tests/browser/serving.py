"""A real server process on a free loopback port, which tests may kill and start again."""

from __future__ import annotations

import os
import signal
import socket
import time
import urllib.request
from multiprocessing.process import BaseProcess
from pathlib import Path

from tests.browser.app_process import start_app

ROOT = Path(__file__).resolve().parents[2]


class Server:
    """The app on one store. `start` waits until it answers."""

    def __init__(self, database: Path, log: Path) -> None:
        self.database, self.log = database, log
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._process: BaseProcess | None = None

    def start(self) -> None:
        environment = {
            **os.environ,
            "SECOND_READER_DATABASE_URL": f"sqlite:///{self.database}",
            "SECOND_READER_SAMPLES": "no",
        }
        self._process = start_app(self.port, environment, self.log)
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline:
            try:
                with urllib.request.urlopen(f"{self.url}/_stcore/health", timeout=10) as reply:
                    if reply.status == 200:
                        return
            except OSError:
                if not self._process.is_alive():
                    raise AssertionError(f"the server stopped: {self.log.read_text()[-2000:]}") from None
                time.sleep(0.05)
        raise AssertionError("the server does not answer")

    def kill(self) -> None:
        """kill -9, as a power cut would."""
        if self._process and self._process.is_alive():
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.join()
