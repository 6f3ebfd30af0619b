"""Forgetting a conversation: its words and everything written about it are gone, its labels and the trail
stay.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import func, select

from data import schema
from data.importers.new_study import NewStudy
from data.keeping.erase import erase_conversation
from data.keeping.verify import verify
from data.record import studies
from data.record.judgements import JudgeIdentity
from data.record.studies import StudySpec
from data.store.errors import NotFound
from data.store.store import Store, open_store
from tests.studies import importing

CONFIGS = Path(__file__).resolve().parents[4] / "configs"


@pytest.fixture
def talked(tmp_path: Path) -> Store:
    """One conversation with a judge's reasoning and a colleague's note, each with a word of its own."""
    store = open_store(f"sqlite:///{tmp_path / 'erase.sqlite'}")
    talk, judged, rated = tmp_path / "talk.jsonl", tmp_path / "judged.jsonl", tmp_path / "rated.jsonl"
    talk.write_text(
        '{"id": "a", "person": "Xanthippe", "turns": [{"user": "Xylophone", "assistant": "hello"}]}\n'
        '{"id": "b", "turns": [{"user": "stays", "assistant": "here"}]}',
        encoding="utf-8",
    )
    judged.write_text(
        '{"conversation_id": "a", "criterion": "CQ1", "label": "YES", "reasoning": "Xenial"}',
        encoding="utf-8",
    )
    rated.write_text(
        '{"conversation_id": "a", "rater": "R", "criterion": "CQ1", "label": "NO", "note": "Xerox"}',
        encoding="utf-8",
    )
    new = NewStudy(
        StudySpec("s", "S", 0), "coaching_rubric", None, (), CONFIGS / "instruments", CONFIGS / "taxonomies"
    )
    importing.import_conversations(store, "s", talk, "t", False, new)
    importing.import_judgements(store, "s", judged, "t", JudgeIdentity("J"))
    importing.import_ratings(store, "s", rated, "t", "blind", "protocol")
    return store


def forget(store: Store, key: str) -> int:
    with store.reading() as connection:
        study = studies.find(connection, "s")
    assert study is not None
    with store.writing("lead", "erase", study.id) as (connection, entry):
        return erase_conversation(connection, entry, study, key, "consent withdrawn")


def test_the_words_are_gone_from_the_file_and_the_labels_stay(talked: Store) -> None:
    assert forget(talked, "a") == 4
    talked.checkpoint()
    held = talked.path.read_bytes() + b"".join(
        p.read_bytes() for p in talked.path.parent.glob("erase.sqlite-*")
    )
    assert not [word for word in (b"Xanthippe", b"Xylophone", b"Xenial", b"Xerox") if word in held]
    assert b"stays" in held
    with talked.reading() as connection:
        assert connection.execute(select(func.count()).select_from(schema.rating)).scalar() == 1
        verdict = verify(connection)
    assert (verdict.problems, verdict.erased) == ([], 4)


def test_erasing_twice_removes_nothing_more(talked: Store) -> None:
    forget(talked, "a")
    assert forget(talked, "a") == 0


def test_an_unknown_conversation_is_named(talked: Store) -> None:
    with pytest.raises(NotFound, match="no_conversation_to_erase"):
        forget(talked, "z")
