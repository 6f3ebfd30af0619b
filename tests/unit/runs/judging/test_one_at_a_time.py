"""One process judges with a store; a second says so and ends, and a lock dies with its holder."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from data.store.locks import LockTaken, only_one
from runs.judging.run import LOCK
from tests.servers.judging import CALLS, Lead

ROOT = Path(__file__).resolve().parents[4]
HOLD = (
    "import sys, time; from pathlib import Path; from data.store.locks import only_one\nwith "
    "only_one(Path(sys.argv[1]), 'judging', ''): print('held', flush=True); time.sleep(60)"
)


def is_free(store: Path, name: str) -> bool:
    try:
        with only_one(store, name, ""):
            return True
    except LockTaken:
        return False


def holder(store_path: Path) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(store_path)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def test_a_second_run_is_refused_with_a_sentence_and_asks_nothing(lead: Lead) -> None:
    with holder(lead.store.path) as process:
        try:
            with pytest.raises(LockTaken) as caught:
                lead.judge()
            assert str(caught.value) == (
                "Another judge run is using this store; start again when it has ended (process "
                f"{process.pid})."
            )
            assert (lead.server.requests, is_free(lead.store.path, LOCK)) == ([], False)
        finally:
            process.kill()


def test_the_lock_of_a_killed_process_is_free(lead: Lead) -> None:
    with holder(lead.store.path) as process:
        process.send_signal(signal.SIGKILL)
    assert is_free(lead.store.path, LOCK)
    assert lead.judge().done == CALLS


def test_a_lock_is_let_go_after_an_error(tmp_path: Path) -> None:
    with pytest.raises(KeyError), only_one(tmp_path / "store", "a", "taken"):
        assert not is_free(tmp_path / "store", "a")
        raise KeyError
    assert is_free(tmp_path / "store", "a")


def test_two_locks_of_one_store_are_two(tmp_path: Path) -> None:
    with only_one(tmp_path / "store", "a", "taken"), only_one(tmp_path / "store", "b", "taken"):
        assert (is_free(tmp_path / "store", "a"), is_free(tmp_path / "store", "c")) == (False, True)


@pytest.mark.parametrize("held", ["store", "link", "folder/store"])
def test_a_link_to_a_store_is_that_store(tmp_path: Path, held: str) -> None:
    (tmp_path / "store").touch()
    (tmp_path / "link").symlink_to(tmp_path / "store")
    (tmp_path / "folder").symlink_to(tmp_path)
    with only_one(tmp_path / held, "a", ""):
        assert [is_free(tmp_path / other, "a") for other in ("store", "link", "folder/store")] == [False] * 3


def test_the_holder_is_named(tmp_path: Path) -> None:
    with (
        only_one(tmp_path / "store", "a", ""),
        pytest.raises(LockTaken, match=rf"^Somebody is at it \(process {os.getpid()}\)\.$"),
    ):
        with only_one(tmp_path / "store", "a", "Somebody is at it"):
            pass


def test_the_files_of_a_lock_are_their_owners_alone(tmp_path: Path) -> None:
    with only_one(tmp_path / "store", "a", ""):
        modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
        assert modes == {"store.a.lock": 0o600, "store.a.pid": 0o600}
