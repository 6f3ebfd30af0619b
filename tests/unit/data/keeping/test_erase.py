"""Forgetting a conversation: its words and everything written about it are gone, its labels and the trail
stay.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import func, select

from data import schema
from data.access.permissions import NotPermitted, Person
from data.importers.new_study import NewStudy
from data.keeping.erase import count_words, erase_conversation, erase_study
from data.keeping.verify import verify
from data.record import studies
from data.record.judgements import JudgeIdentity
from data.record.studies import StudySpec
from data.store.errors import NotFound, Refused
from data.store.store import Store, open_store
from services.study_changes import forget_study, rename_study
from tests.studies import importing
from tests.studies.small_study import Small

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


# ---- a whole study ----


def row_counts(store: Store) -> dict[str, int]:
    with store.reading() as connection:
        return {
            table.name: connection.execute(select(func.count()).select_from(table)).scalar_one()
            for table in schema.SEALED
            if table is not schema.erasure
        }


def columns_with_texts(store: Store) -> set[str]:
    """The columns that still refer to a text."""
    text = schema.content
    with store.reading() as connection:
        return {
            f"{table.name}.{column.name}"
            for table in schema.SEALED
            for column in table.columns
            if column.name.endswith("_content")
            and table is not schema.erasure
            and connection.execute(
                select(text.c.id).join(table, column == text.c.id).where(text.c.text.is_not(None)).limit(1)
            ).first()
        }


def test_studies_lose_every_text_and_keep_every_row(full: Small) -> None:
    """The worked studies have a text in every column that may hold one."""
    rows, columns = row_counts(full.store), columns_with_texts(full.store)
    assert len(columns) > 20
    with full.store.reading() as connection:
        keys = list(connection.execute(select(schema.study.c.key)).scalars())
    for key in keys:
        with full.store.reading() as connection:
            study = studies.get_by_key(connection, key)
            words = count_words(connection, study)
        forgotten = forget_study(
            full.store, "Lea", Person(None, "Lea"), study, f" {study.title} ", "it ended"
        )
        assert forgotten.texts >= words.texts
        with full.store.reading() as connection:
            left = count_words(connection, study)
            assert (left.texts, left.conversations) == (0, 0)
            assert verify(connection).problems == []
        with full.store.writing("lead", "erase", study.id) as (connection, entry):
            assert erase_study(connection, entry, study, "again") == 0
    assert columns_with_texts(full.store) == set()
    assert row_counts(full.store) == rows


@pytest.mark.parametrize(
    ("typed", "reason", "refusal"),
    [("S2", "why", "study_name_differs"), ("s", "  ", "erasure_without_reason")],
)
def test_nothing_is_erased_without_name_and_reason(
    talked: Store, typed: str, reason: str, refusal: str
) -> None:
    with talked.reading() as connection:
        study = studies.get_by_key(connection, "s")
    with pytest.raises(Refused, match=refusal):
        forget_study(talked, "Lea", Person(None, "Lea"), study, typed, reason)
    with talked.reading() as connection:
        assert count_words(connection, study).conversations == 2


def test_the_name_may_be_typed_with_any_dash_and_any_capitals(talked: Store) -> None:
    lead = Person(None, "Lea")
    with talked.reading() as connection:
        study = studies.get_by_key(connection, "s")
    rename_study(talked, "Lea", lead, study, "Ward trial \N{EN DASH} Autumn")
    with pytest.raises(Refused, match="study_name_differs"):
        forget_study(talked, "Lea", lead, study, "ward trial autumn", "asked for")
    assert forget_study(talked, "Lea", lead, study, " ward Trial - autumn", "asked for").texts > 0


def test_only_a_lead_erases_a_study(talked: Store) -> None:
    with talked.writing("lead", "add a rater") as (connection, entry):
        study = studies.get_by_key(connection, "s")
        rater_id = studies.add_rater(connection, entry, study.id, "Rae")
    with talked.reading() as connection:
        rater = next(each for each in studies.raters(connection, study.id) if each.id == rater_id)
    with pytest.raises(NotPermitted):
        forget_study(talked, "Rae", Person(rater), study, "s", "why")
    with talked.reading() as connection:
        assert count_words(connection, study).conversations == 2


def test_copies_in_other_studies_stay_and_are_counted(talked: Store, tmp_path: Path) -> None:
    new = NewStudy(
        StudySpec("copy", "C", 0),
        "coaching_rubric",
        None,
        (),
        CONFIGS / "instruments",
        CONFIGS / "taxonomies",
    )
    importing.import_conversations(talked, "copy", tmp_path / "talk.jsonl", "t", False, new)
    with talked.reading() as connection:
        study, other = (studies.get_by_key(connection, key) for key in ("s", "copy"))
    forgotten = forget_study(talked, "Lea", Person(None, "Lea"), study, "s", "consent withdrawn")
    assert forgotten.elsewhere == {"copy": 2}
    with talked.reading() as connection:
        assert count_words(connection, other).conversations == 2
        assert verify(connection).problems == []


def test_a_batch_is_no_limit(talked: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("data.keeping.erase.CONVERSATIONS_AT_ONCE", 1)
    monkeypatch.setattr("data.store.content.ERASED_AT_ONCE", 1)
    with talked.reading() as connection:
        study = studies.get_by_key(connection, "s")
    with talked.writing("lead", "erase", study.id) as (connection, entry):
        erase_study(connection, entry, study, "the project ended")
    assert columns_with_texts(talked) == set()
