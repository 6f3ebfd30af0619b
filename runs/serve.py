"""Start the app: prepare the store, find a free port, and print and open the address."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import tomllib
import urllib.request
import webbrowser
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from configs.program import program_name
from configs.settings import Settings, SettingsError
from data.store.locks import serve_alone
from runs.memory import MEMORY
from runs.processes import ROOT, make_store_ready, start_module, start_scoring, start_worker
from runs.sample_studies import ORDER

CONFIG = Path(".streamlit") / "config.toml"
LOOPBACK = ("127.0.0.1", "localhost", "::1")
PORTS_TRIED = 50
LAST_CALLS = 120  # seconds for judge calls in flight when the app stops
SPACE_NEEDED = 50 * 1024 * 1024


def serve(settings: Settings, say: Callable[[str], None]) -> int:
    """Run the app until it is stopped; return its exit status.

    If the store can't be used, the process that opens it reports why, and the status is 1. Raises
    SettingsError before the app starts, and Refused if another app serves the store.
    """
    if settings.address not in LOOPBACK:
        raise SettingsError(
            f"SECOND_READER_ADDRESS is {settings.address!r}. Without accounts the app serves this machine "
            "only: leave it at 127.0.0.1."
        )
    store_path = make_store_ready(settings)
    if store_path is None:
        return 1
    if shutil.disk_usage(store_path.parent).free < SPACE_NEEDED:
        raise SettingsError(
            f"The disk that holds {store_path} has less than 50 MB free. Make room first, so that every "
            "rating can be saved."
        )
    port = free_port(settings.address, settings.port)
    host = f"[{settings.address}]" if ":" in settings.address else settings.address
    url = f"http://{host}:{port}"
    # The store is ready; the server opens it again in its own process. It must not outlive this one.
    signal.signal(signal.SIGTERM, _interrupt)
    with serve_alone(store_path, f"{url} ({program_name()})") as lock:
        return _run_until_stopped(settings, store_path, port, url, lock, say)


def _run_until_stopped(
    settings: Settings, store_path: Path, port: int, url: str, lock: int, say: Callable[[str], None]
) -> int:
    server = start_module(
        "streamlit",
        "run",
        str(ROOT / "app.py"),
        "--server.address",
        settings.address,
        "--server.port",
        str(port),
        *server_options(),
        variables={**MEMORY, **os.environ, "SECOND_READER_PORT": str(port)},
        lock=lock,
    )
    # Judge runs are its own process's work: closing a browser, or a page that breaks, does not touch them.
    worker = start_worker(lock)
    # Missing metrics of the sample studies may take minutes, so nothing waits for them.
    scoring = start_scoring(store_path, ORDER, lock) if settings.samples else None
    try:
        if _answers(url, server):
            say(f"Second Reader is ready: {url}   (Ctrl+C stops it)")
            if settings.open_browser and _has_screen():
                webbrowser.open(url)
        while (status := server.poll()) is None:
            if (worker.poll() or 0) < 0:  # killed, and not ended because another one serves this store
                worker = start_worker(lock)
            time.sleep(0.5)
        return status
    except KeyboardInterrupt:
        say("Stopping.")
        return 0
    finally:
        if server.poll() is None:  # also if nobody reads this output any more
            server.terminate()
            server.wait()
        if scoring is not None:  # it goes on the next time
            scoring.terminate()
            scoring.wait()
        worker.terminate()
        try:
            worker.wait(LAST_CALLS)
        except subprocess.TimeoutExpired:  # what is not answered by now is asked again the next time
            worker.kill()


def server_options(root: Path = ROOT, prefix: Path = Path(sys.prefix)) -> list[str]:
    """Return the settings of .streamlit/config.toml as options of the server, such as "--server.port=8501".

    Empty in a checkout (if `root` has the file), where the server finds it itself. An installed wheel keeps
    it under share/second-reader of `prefix`, where no server looks; raise OSError if it is not there.
    """
    if (root / CONFIG).is_file():
        return []
    with (prefix / "share" / "second-reader" / CONFIG.name).open("rb") as file:
        return [f"--{name}={value}" for name, value in _flat(tomllib.load(file))]


def _flat(section: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, str]]:
    for name, value in section.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{before}{name}.")
        else:
            yield f"{before}{name}", str(value).lower() if isinstance(value, bool) else str(value)


def _interrupt(_number: int, _frame: object) -> None:
    raise KeyboardInterrupt


def _has_screen() -> bool:
    """Tell whether there is a screen; without one, webbrowser would open a text browser in the terminal."""
    return sys.platform in {"darwin", "win32"} or bool(
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    )


def free_port(address: str, first: int) -> int:
    """Return `first`, or the next free port of PORTS_TRIED (50) up to 65535. Raises SettingsError if none
    is free.
    """
    for port in range(first, min(first + PORTS_TRIED, 65536)):
        with socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((address, port))
            except OSError:
                continue
            return port
    raise SettingsError(
        f"The ports {first} to {first + PORTS_TRIED - 1} are all in use. Name another with "
        "SECOND_READER_PORT."
    )


def _answers(url: str, server: subprocess.Popen[bytes]) -> bool:
    for _ in range(300):
        if server.poll() is not None:
            return False
        try:
            with urllib.request.urlopen(f"{url}/_stcore/health", timeout=1) as reply:
                if reply.status == 200:
                    return True
        except OSError:
            time.sleep(0.1)
    return False
