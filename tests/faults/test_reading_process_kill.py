"""kill -9 of the process that reads a file, and of the program that waits for it: nothing of the file is
kept, nothing is left behind, and the same import goes through the next time, also where the store is
reached by a link.
"""

from __future__ import annotations

import os
import shutil
import signal
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from data import schema
from data.importers import own_process
from data.importers.file_import import import_file
from data.importers.kinds.conversations import ConversationFiles
from data.importers.report import ImportRefused
from data.keeping.verify import verify
from data.store.incoming import folder_of
from data.store.store import Store, open_store, url_of
from tests.faults.test_kill import killed_after, worker
from tests.faults.writer import MANY
from tests.studies.small_study import Small, conversation_lines

pytestmark = pytest.mark.slow


@pytest.fixture(params=["file", "link"])
def store(request: pytest.FixtureRequest, small: Small, store_path: Path) -> Any:
    """The small study, by its file or by a link to it."""
    small.store.close()
    if request.param == "link":
        kept = store_path.with_name("elsewhere.sqlite")
        shutil.move(store_path, kept)
        store_path.symlink_to(kept)
    opened = open_store(url_of(store_path))
    yield opened
    opened.close()


def bring(store: Store, folder: Path, tell: Any = None) -> Any:
    path = folder / "many.jsonl"
    path.write_text(conversation_lines(MANY).replace('"id": "c', '"id": "n'), encoding="utf-8")
    answers = {"same_person": "none"}
    return import_file(store, "small", path, "tests", ConversationFiles(), answers, tell=tell)


def count_talks(store: Store) -> int:
    with store.reading() as connection:
        assert verify(connection).problems == []
        return connection.execute(sa.select(sa.func.count()).select_from(schema.conversation)).scalar_one()


def test_a_killed_reader_is_a_sentence_and_nothing_is_kept(store: Store, tmp_path: Path) -> None:
    own_process.end_idle()
    own_process.prepare()
    (process,) = own_process._idle
    steps_seen: list[tuple[str, float, float]] = []

    def kill_reader(words: str, steps: float, total: float) -> None:
        if not steps_seen:
            os.kill(process._process.pid, signal.SIGKILL)
        steps_seen.append((words, steps, total))

    with pytest.raises(ImportRefused) as refused:
        bring(store, tmp_path, kill_reader)
    assert "the system ended the program that read the file" in refused.value.report.lines()[0]
    assert count_talks(store) == 4 and not folder_of(store.path).exists()
    assert bring(store, tmp_path).added["conversations"] == MANY
    assert count_talks(store) == 4 + MANY


def test_a_killed_program_leaves_nothing_of_the_file(store: Store, store_path: Path, tmp_path: Path) -> None:
    store.close()
    with worker("import-reading", store_path) as process:
        assert killed_after(process, 1) == ["read"]
    assert any(folder_of(store_path).iterdir())
    again = open_store(url_of(store_path))
    assert count_talks(again) == 4 and not folder_of(store_path).exists()
    again.close()
