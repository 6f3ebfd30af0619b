"""Files on their way in lie next to the store, and do not stay there."""

from __future__ import annotations

import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from configs.settings import ROOT
from data.store.incoming import IncomingFolder, folder_of
from data.store.store import open_store, url_of
from services.study_changes import forget_conversation
from tests.studies.small_study import Small

HOLD = """
import sys
from collections.abc import Iterator
from pathlib import Path
from data.store.incoming import IncomingFolder
folder = IncomingFolder(Path(sys.argv[1]))
(folder.path / "talks.jsonl").write_text("what she said")
print(folder.path, flush=True)
sys.stdin.read()
"""


def test_it_is_private_next_to_the_store_and_gone_afterwards(small: Small) -> None:
    with IncomingFolder(small.store.path) as folder:
        assert folder.path.parent == folder_of(small.store.path) == Path(f"{small.store.path}.incoming")
        assert (
            stat.S_IMODE(folder.path.stat().st_mode)
            == stat.S_IMODE(folder.path.parent.stat().st_mode)
            == 0o700
        )
        with IncomingFolder(small.store.path) as other:
            assert other.path != folder.path
    assert not folder.path.parent.exists()


@pytest.fixture
def holder(small: Small) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(small.store.path)],
        cwd=ROOT.parent,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    yield process
    process.kill()
    process.communicate()


def test_what_a_killed_program_left_is_removed_when_the_store_is_opened(
    small: Small, holder: subprocess.Popen[str]
) -> None:
    assert holder.stdout is not None
    left = Path(holder.stdout.readline().strip())
    with IncomingFolder(small.store.path) as own:
        open_store(url_of(small.store.path)).close()
        assert (left / "talks.jsonl").exists()  # its program lives
        holder.kill()
        holder.wait()
        assert (left / "talks.jsonl").read_text() == "what she said"
        open_store(url_of(small.store.path)).close()
        assert not left.exists() and own.path.exists()


def test_erasing_reaches_what_others_hold(small: Small, holder: subprocess.Popen[str]) -> None:
    assert holder.stdout is not None
    held = Path(holder.stdout.readline().strip())
    forget_conversation(small.store, "lead", small.study, "c2", "asked for")
    assert not held.exists()
