"""Evidence lies in the words that the rater reads, counted as the browser counts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from data import schema
from data.importers import conversations
from data.importers.report import ImportReport
from data.record import units
from data.record.answers import CriterionAnswer, Span
from data.record.studies import Study
from data.record.units import Unit
from data.store import content
from data.store.errors import Refused
from data.store.store import Store
from data.store.trail import TrailEntry
from data.work import ratings
from data.work.worklist import open_worklist
from tests.studies import small_study
from tests.studies.small_study import Desk, Small

EMOJI = "I am 👩‍👩‍👧 fine 🙂"  # 12 characters of Python's more than a browser counts as 17
MESSAGES = [
    {"role": "system", "content": "condition B"},
    {"role": "user", "content": EMOJI},
    {"role": "assistant", "content": "Good."},
]


@pytest.fixture
def desk(small: Small, tmp_path: Path) -> Desk:
    """A rater of a study whose fifth conversation has emoji, and a system prompt that nobody is shown."""
    file = tmp_path / "more.jsonl"
    file.write_text(json.dumps({"id": "emoji", "messages": MESSAGES}), encoding="utf-8")
    report = ImportReport(file.name)
    with small.store.writing("tests", "import", small.study.id) as (connection, entry):
        conversations.add(connection, entry, small.study, file, report)
        report.raise_if_wrong()
    return small.desk()


def in_utf16(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def mark(desk: Desk, *places: tuple[int, int, int], position: int = 5) -> bool:
    spans = [Span(message=message, start=start, end=end) for message, start, end in places]
    return desk.draft(position, "warm", "YES", evidence=spans)


def test_the_whole_of_a_message_with_emoji_is_a_place(desk: Desk) -> None:
    assert in_utf16(EMOJI) > len(EMOJI)
    assert mark(desk, (1, 0, in_utf16(EMOJI)), (1, in_utf16(EMOJI) - 2, in_utf16(EMOJI)), (2, 0, 5))


@pytest.mark.parametrize(
    "place",
    [
        (1, 0, in_utf16(EMOJI) + 1),
        (2, 0, 6),
        (999_999, 0, 1),
        (3, 0, 1),
        (2, 3, 3),
        (2, 4, 2),
        (2, 2**70, 2**70 + 1),
        (0, 0, 9),
        (1, in_utf16(EMOJI) - 1, in_utf16(EMOJI)),
        (1, 0, in_utf16(EMOJI) - 1),
    ],
    ids=[
        "after the end",
        "after the end of another",
        "no such message",
        "one message too many",
        "nothing",
        "backwards",
        "huge",
        "a prompt that is not shown",
        "from the middle of a character",
        "to the middle of a character",
    ],
)
def test_what_is_no_place_in_the_conversation_is_refused(desk: Desk, place: tuple[int, int, int]) -> None:
    with pytest.raises(Refused, match="marked_elsewhere"):
        mark(desk, (2, 0, 5), place)
    with desk.store.reading() as connection:
        assert ratings.drafts(connection, desk.rater, desk.unit(5).id) == {}


def test_a_change_is_held_to_the_same(desk: Desk) -> None:
    desk.draft_all(5)
    mark(desk, (2, 0, 4))
    desk.commit(5)
    with pytest.raises(Refused, match="marked_elsewhere"):
        desk.change(5, "warm", "NO", evidence=[Span(message=2, start=0, end=6)])
    assert desk.change(5, "warm", "NO", evidence=[Span(message=2, start=0, end=4)])


def test_what_comes_after_the_rated_turn_is_no_place(store: Store, tmp_path: Path) -> None:
    study, rater = _of_turns(store, tmp_path)
    with store.reading() as connection:
        first = units.at_position(connection, study.id, 1)
    assert first is not None and first.message == 1
    assert _draft(store, study, first, rater, Span(message=1, start=0, end=5))
    with pytest.raises(Refused, match="marked_elsewhere"):
        _draft(store, study, first, rater, Span(message=2, start=0, end=5))


def _of_turns(store: Store, folder: Path) -> tuple[Study, int]:
    """A study of turns, with one conversation of two, and its rater."""
    study = small_study.make(
        store,
        folder,
        key="turns",
        conversation_count=2,
        with_judges=False,
        instrument=small_study.INSTRUMENT.replace("unit: conversation", "unit: assistant_turn"),
    )
    return study.study, study.raters[0]


def _draft(store: Store, study: Study, unit: Unit, rater: int, span: Span) -> bool:
    with store.writing("tests", "rate", study.id) as (connection, entry):
        return ratings.save_draft(
            entry,
            open_worklist(connection, study, rater),
            unit,
            f"00000000-{span.message}",
            "warm",
            CriterionAnswer(label="YES", evidence=[span]),
        )


def test_after_an_erasure_what_was_marked_stays_and_nothing_is_added(desk: Desk) -> None:
    mark(desk, (2, 0, 4))
    with desk.store.writing("tests", "erase") as (connection, entry):
        _erase_words(connection, entry, desk.unit(5))
    assert desk.draft(5, "warm", "NO", evidence=[Span(message=2, start=0, end=4)])
    with pytest.raises(Refused, match="marked_erased_words"):
        mark(desk, (2, 0, 4), (2, 0, 5))


def _erase_words(connection: Any, entry: TrailEntry, unit: Unit) -> None:
    conversation = schema.conversation
    row = connection.execute(conversation.select().where(conversation.c.id == unit.conversation_id)).one()
    content.erase(entry, connection, row.transcript_content, "asked for")
