"""A process that works until it is killed, and says on stdout what it was told is saved.

python -m tests.faults.writer drafts|drafts-on|import|import-reading|erase STORE: drafts of the first rater of the study
"small", one event id a line after each commit (drafts-on: and when the draft was begun, in seconds of the
monotonic clock; or "refused" where it was, and goes on); or an import of many conversations, or the erasure of conversation c2, that says "written" in the
middle of its transaction (import-reading: "read" while the file is read).
"""

from __future__ import annotations

import sys
import time
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import Table

from data.importers.file_import import import_file
from data.importers.kinds.conversations import ConversationFiles
from data.keeping.erase import erase_conversation
from data.record import studies
from data.store import content
from data.store.errors import StoreError
from data.store.store import Store, open_store
from data.store.trail import TrailEntry
from reports.refusals import word_error
from tests.studies import importing
from tests.studies.small_study import Desk, conversation_lines

MANY = 3000


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def draft(store: Store, go_on: bool = False) -> None:
    with store.reading() as connection:
        study = studies.find(connection, "small")
        assert study is not None
        rater = studies.raters(connection, study.id)[0].id
    desk, number = Desk(store, study, rater), 0
    while True:
        event, number, begun_at = str(uuid.uuid4()), number + 1, time.monotonic()
        try:
            desk.draft(
                2 + number % 3,
                ("warm", "safe", "deep")[number % 3],
                ("YES", "NO")[number % 2],
                event=event,
                note=f"note {number} " * (number % 200),
            )
            say(f"{event} {begun_at}" if go_on else event)
        except StoreError as error:
            if not go_on:
                raise
            say(f"refused: {word_error(error)}")


def tell_of_writes() -> None:
    whole = TrailEntry.write_values

    def tell(self: TrailEntry, table: Table, rows: Sequence[list[Any]]) -> list[int]:
        made = whole(self, table, rows)
        say("written")
        return made

    TrailEntry.write_values = tell  # type: ignore[method-assign]


def erase(store: Store) -> None:
    with store.reading() as connection:
        study = studies.find(connection, "small")
    assert study is not None
    tell_of_writes()
    content.ERASED_AT_ONCE = 1
    with store.writing("tests", "erase conversation", study.id) as (connection, entry):
        erase_conversation(connection, entry, study, "c2", "asked for")
    say("done")


def bring(store: Store) -> None:
    tell_of_writes()
    path = Path(store.path).with_name("many.jsonl")
    path.write_text(conversation_lines(MANY).replace('"id": "c', '"id": "n'), encoding="utf-8")
    importing.import_conversations(store, "small", path, "tests")
    say("done")


def bring_and_tell(store: Store) -> None:
    path = Path(store.path).with_name("many.jsonl")
    path.write_text(conversation_lines(20 * MANY).replace('"id": "c', '"id": "n'), encoding="utf-8")
    said_once: list[str] = []

    def tell(words: str, steps: float, total: float) -> None:
        if words == "read" and not said_once:
            said_once.append(words)
            say(words)

    answers = {"same_person": "none"}
    import_file(store, "small", path, "tests", ConversationFiles(), answers, tell=tell)
    say("done")


if __name__ == "__main__":
    {
        "drafts": draft,
        "drafts-on": lambda store: draft(store, True),
        "import": bring,
        "import-reading": bring_and_tell,
        "erase": erase,
    }[sys.argv[1]](open_store(f"sqlite:///{sys.argv[2]}"))
