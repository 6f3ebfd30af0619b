"""Starting the app: on this machine only, on a free port, and never on a full disk."""

from __future__ import annotations

import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import sqlalchemy as sa

from configs.settings import Settings, SettingsError
from data import schema
from data.record import studies
from data.store.store import open_store
from runs import serve as serving
from runs.prepare import ready_store
from runs.processes import make_store_ready
from runs.sample_studies import ORDER
from runs.serve import free_port, serve


@pytest.fixture
def taken() -> Iterator[int]:
    """A port that somebody else uses."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        yield other.getsockname()[1]


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The commands that would have been started; the server answers at once and ends."""
    commands: list[list[str]] = []

    def start(command: list[str], **_: Any) -> Any:
        commands.append(command)
        return SimpleNamespace(poll=lambda: 0, wait=lambda *_: 0, terminate=lambda: None)

    def make_ready(settings: Settings) -> Path:
        store = ready_store(settings)
        store.close()
        return store.path

    monkeypatch.setattr(subprocess, "Popen", start)
    monkeypatch.setattr(serving, "make_store_ready", make_ready)
    monkeypatch.setattr(serving, "_answers", lambda url, server: True)
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    return commands


def settings(store_path: Path, **more: str) -> Settings:
    given = {"DATABASE_URL": f"sqlite:///{store_path}", "SAMPLES": "no", "OPEN_BROWSER": "no", **more}
    return Settings.read({f"SECOND_READER_{name}": value for name, value in given.items()})


def test_the_first_port_is_taken_when_it_is_free(taken: int) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        free = probe.getsockname()[1]
    assert free_port("127.0.0.1", free) == free


def test_a_port_in_use_is_passed_over(taken: int) -> None:
    assert free_port("127.0.0.1", taken) > taken


def test_when_no_port_is_free_it_is_a_sentence(monkeypatch: pytest.MonkeyPatch, taken: int) -> None:
    monkeypatch.setattr(serving, "PORTS_TRIED", 1)
    with pytest.raises(
        SettingsError, match=rf"ports {taken} to {taken} are all in use. Name another with SECOND_READER_PORT"
    ):
        free_port("127.0.0.1", taken)


@pytest.mark.parametrize("address", ["0.0.0.0", "::", "192.168.1.5", "example.org"])
def test_an_address_that_others_can_reach_is_refused_before_anything_is_made(
    store_path: Path, started: list[list[str]], address: str
) -> None:
    with pytest.raises(SettingsError, match=r"serves this machine only: leave it at 127.0.0.1"):
        serve(settings(store_path, ADDRESS=address), lambda _: None)
    assert (started, store_path.exists()) == ([], False)


@pytest.mark.parametrize(
    ("address", "url"),
    [("127.0.0.1", "http://127.0.0.1:"), ("localhost", "http://localhost:"), ("::1", "http://[::1]:")],
)
def test_the_address_is_said_in_a_form_that_a_browser_takes(
    store_path: Path, started: list[list[str]], monkeypatch: pytest.MonkeyPatch, address: str, url: str
) -> None:
    said: list[str] = []
    monkeypatch.setattr(serving, "free_port", lambda address, first: first)
    assert serve(settings(store_path, ADDRESS=address), said.append) == 0
    assert f"{url}8501 " in said[0]
    assert started[0][-4:] == ["--server.address", address, "--server.port", "8501"]


def test_a_disk_without_room_is_told_before_anybody_rates(
    store_path: Path, started: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=1024))
    with pytest.raises(SettingsError, match=r"less than 50 MB free. Make room first"):
        serve(settings(store_path), lambda _: None)
    assert started == []


def test_the_samples_are_scored_beside_the_app_and_nobody_waits(
    store_path: Path, started: list[list[str]]
) -> None:
    assert serve(settings(store_path, SAMPLES="yes"), lambda _: None) == 0
    assert [command[2:4] for command in started] == [
        ["streamlit", "run"],
        ["cli", "worker"],
        ["cli", "score-in-turn"],
    ]
    assert started[2][4:] == list(ORDER)
    store = open_store(f"sqlite:///{store_path}")
    with store.reading() as connection:
        assert len(studies.listing(connection)) == len(ORDER)
        assert connection.execute(sa.select(schema.metric_value.c.id).limit(1)).first() is None
    store.close()


def test_without_samples_nothing_is_scored(store_path: Path, started: list[list[str]]) -> None:
    assert serve(settings(store_path), lambda _: None) == 0
    assert [command[3] for command in started] == ["run", "worker"]


def test_the_store_is_made_by_a_process_of_its_own(store_path: Path) -> None:
    assert make_store_ready(settings(store_path)) == store_path
    store = open_store(f"sqlite:///{store_path}")
    with store.reading() as connection:
        assert studies.listing(connection) == []
    store.close()


def test_why_a_store_cannot_be_used_is_told_and_nothing_is_started(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "notes.sqlite").write_text("my notes " * 100)
    monkeypatch.setattr(serving, "start_worker", lambda: pytest.fail("the worker was started"))
    assert serve(settings(tmp_path / "notes.sqlite"), lambda _: None) == 1
    assert "is damaged or is not a database" in capfd.readouterr().err
