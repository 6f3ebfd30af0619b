"""A person's words can be forgotten: gone from the file, while the trail still verifies."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from data.keeping.verify import verify
from data.record import units
from data.store import content
from data.store.errors import NotFound, StoreError
from tests.studies.small_study import SAID, Small

LONG = "The words that were asked to be forgotten. " * 400  # many pages of the file


def erase(small: Small, content_id: int) -> None:
    with small.store.writing("Lead", "erase", small.study.id) as (connection, entry):
        content.erase(entry, connection, content_id, "asked for by the person")


def bytes_of(path: Path) -> bytes:
    """Everything that lies in the file and beside it."""
    return b"".join(p.read_bytes() for p in sorted(path.parent.glob(path.name + "*")))


def note_id(raw: sqlite3.Connection) -> int:
    found: int = raw.execute("SELECT max(note_content) FROM draft").fetchone()[0]
    return found


def test_the_trail_still_verifies_and_the_erasure_is_counted(small: Small) -> None:
    erase(small, 1)
    with small.store.reading() as connection:
        found = verify(connection)
    assert (found.problems, found.erased) == ([], 1)


@pytest.mark.parametrize("note", ["Forget this short sentence.", LONG], ids=["short", "long"])
def test_the_words_are_gone_from_the_bytes_of_the_file(
    small: Small, store_path: Path, raw: sqlite3.Connection, note: str
) -> None:
    small.desk().draft(2, "warm", note=note)
    words = note[:20].encode()
    assert words in bytes_of(store_path)
    erase(small, note_id(raw))
    assert raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0
    assert words not in bytes_of(store_path)


def test_the_salt_is_gone_too_so_that_the_words_cannot_be_guessed(
    small: Small, store_path: Path, raw: sqlite3.Connection
) -> None:
    small.desk().draft(2, "warm", note="Forget this.")
    salt = raw.execute("SELECT salt FROM content WHERE id = ?", (note_id(raw),)).fetchone()[0]
    erase(small, note_id(raw))
    raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert salt not in bytes_of(store_path)


def test_a_note_that_a_rating_took_over_from_its_draft_is_gone_from_both(
    small: Small, store_path: Path, raw: sqlite3.Connection
) -> None:
    desk = small.desk()
    desk.draft_all(2)
    desk.draft(2, "warm", note="Forget this.")
    desk.commit(2)
    erase(small, note_id(raw))
    assert desk.ratings(2)["warm"].answer.note == ""
    with small.store.reading() as connection:
        verification = verify(connection)
    assert (verification.problems, verification.erased) == ([], 1)


def test_an_erased_transcript_reads_as_gone_and_its_ratings_stay(small: Small) -> None:
    desk = small.desk()
    desk.rate(2)
    unit = desk.unit(2)
    with small.store.reading() as connection:
        before = units.transcript(connection, unit)
        number = connection.exec_driver_sql(
            "SELECT transcript_content FROM conversation WHERE id = ?", (unit.conversation_id,)
        ).scalar_one()
    assert before is not None
    assert SAID in before[0].text
    erase(small, number)
    with small.store.reading() as connection:
        assert units.transcript(connection, unit) is None
    assert desk.ratings(2)["warm"].answer.label == "YES"


def test_who_erased_and_why_is_kept(small: Small) -> None:
    erase(small, 1)
    with small.store.reading() as connection:
        row = connection.exec_driver_sql("SELECT content_id, reason_content FROM erasure").one()
        assert row.content_id == 1
        assert content.get(connection, row.reason_content) == "asked for by the person"
        assert connection.exec_driver_sql("SELECT actor FROM trail ORDER BY seq DESC").scalar() == "Lead"


def test_what_is_not_there_cannot_be_erased(small: Small) -> None:
    with pytest.raises(NotFound, match="no_text"):
        erase(small, 9999)


def test_words_cannot_be_put_back(small: Small) -> None:
    erase(small, 1)
    with (
        pytest.raises(StoreError, match="never_changed"),
        small.store.writing("tests", "attack") as (connection, _),
    ):
        connection.exec_driver_sql("UPDATE content SET text = 'back again' WHERE id = 1")


def test_the_same_words_have_another_seal_each_time(small: Small) -> None:
    with small.store.writing("tests", "seal twice") as (connection, _):
        first, second = content.put_many(connection, [("yes", None), ("yes", None)])
    assert first[1] != second[1]


def test_no_text_needs_no_row(small: Small) -> None:
    with small.store.writing("tests", "seal nothing") as (connection, _):
        assert content.put(connection, None, 1) == content.put(connection, "", 1) == (None, None)
