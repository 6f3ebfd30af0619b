"""kill -9 at any moment: what was said to be saved is saved, and nothing is half there."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import sqlalchemy as sa

from data import schema
from data.keeping.verify import verify
from data.store.store import open_store
from tests.faults.writer import MANY
from tests.studies.small_study import Desk, Small

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]


@contextmanager
def worker(what: str, store: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that works on the store; killed at the end of the block if it still lives."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.faults.writer", what, str(store)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()


def killed_after(process: subprocess.Popen[str], lines: int) -> list[str]:
    """Everything that the process said before it died of kill -9, which comes after some lines, in the middle
    of whatever it does then.
    """
    assert process.stdout is not None
    said = [process.stdout.readline() for _ in range(lines)]
    process.kill()
    said += process.stdout.readlines()
    assert process.wait() == -signal.SIGKILL
    return [line.rstrip("\n") for line in said if line.endswith("\n")]


@pytest.mark.parametrize("lines", [random.Random(seed).randint(1, 120) for seed in range(3)])
def test_every_label_that_was_said_to_be_saved_is_there(small: Small, store_path: Path, lines: int) -> None:
    small.store.close()
    with worker("drafts", store_path) as process:
        promised = killed_after(process, lines)
    assert len(promised) >= lines
    again = open_store(f"sqlite:///{store_path}")
    with again.reading() as connection:
        saved_events = (
            connection.execute(sa.select(schema.draft.c.event).order_by(schema.draft.c.id)).scalars().all()
        )
        assert connection.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"
        assert verify(connection).problems == []
    assert saved_events[: len(promised)] == promised
    assert len(saved_events) <= len(promised) + 1  # at most the one that was saved and not yet said
    Desk(again, small.study, small.raters[0]).rate(2)
    again.close()


@pytest.mark.parametrize("lines", [1, 5])
def test_an_import_that_was_killed_is_not_there_at_all_and_can_be_repeated(
    small: Small, store_path: Path, lines: int
) -> None:
    small.store.close()
    with worker("import", store_path) as process:
        assert "done" not in killed_after(process, lines)
    again = open_store(f"sqlite:///{store_path}")
    with again.reading() as connection:
        assert connection.execute(sa.select(sa.func.count()).select_from(schema.conversation)).scalar() == 4
        assert (
            connection.execute(sa.select(sa.func.max(schema.content.c.id))).scalar()
            == connection.exec_driver_sql("SELECT count(*) FROM content").scalar()
        )
        assert verify(connection).problems == []
    again.close()
    with worker("import", store_path) as process:
        assert process.stdout is not None
        assert process.stdout.readlines()[-1] == "done\n"
    again = open_store(f"sqlite:///{store_path}")
    with again.reading() as connection:
        assert (
            connection.execute(sa.select(sa.func.count()).select_from(schema.conversation)).scalar()
            == 4 + MANY
        )
    again.close()


@pytest.mark.parametrize("lines", [1, 3, 7, 10])
def test_an_erasure_that_was_killed_forgot_all_of_it_or_nothing(
    small: Small, store_path: Path, lines: int
) -> None:
    """Words that are half gone would be neither readable nor forgotten."""
    for number in (0, 1):
        small.desk(number).draft_all(2)
        small.desk(number).draft(2, "warm", "NO", note="she sounds tired")
        small.desk(number).commit(2)
    small.store.close()
    with worker("erase", store_path) as process:
        output = killed_after(process, lines)
    again = open_store(f"sqlite:///{store_path}")
    with again.reading() as connection:
        assert verify(connection).problems == []
        content, conversation = schema.content, schema.conversation
        words = connection.execute(
            sa.select(content.c.text)
            .join(conversation, conversation.c.transcript_content == content.c.id)
            .where(conversation.c.key == "c2")
        ).scalar_one()
        notes = (
            connection.execute(
                sa.select(content.c.text).join(schema.rating, schema.rating.c.note_content == content.c.id)
            )
            .scalars()
            .all()
        )
        erasures = connection.execute(sa.select(sa.func.count()).select_from(schema.erasure)).scalar_one()
    whole = words is not None and notes.count("she sounds tired") == 2 and erasures == 0
    gone = words is None and set(notes) <= {None} and erasures > 0
    assert whole or gone
    assert gone or "done" not in output, "what was said to be done is done"
    again.close()
    with worker("erase", store_path) as process:
        assert process.wait(120) == 0
    again = open_store(f"sqlite:///{store_path}")
    with again.reading() as connection:
        assert verify(connection).problems == []
        assert "she sounds tired" not in set(connection.execute(sa.select(schema.content.c.text)).scalars())
    again.close()
