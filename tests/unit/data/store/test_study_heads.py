"""Whether anything was written that a page of a study may rest on."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from data import schema
from data.keeping.erase import erase_conversation
from data.record import studies
from data.store.store import open_store
from data.store.study_heads import WITHOUT_EFFECT_ELSEWHERE, StudyHead, StudyHeads
from data.store.trail import START
from tests.studies import small_study
from tests.studies.small_study import Small


def find(heads: StudyHeads, small: Small) -> StudyHead:
    with small.store.reading() as connection:
        return heads.find(connection, small.study.id)


def test_drafts_move_nothing_and_a_commit_does(small: Small) -> None:
    heads, desk = StudyHeads(), small.desk()
    before = find(heads, small)
    desk.draft(2, "warm", "YES")
    assert find(heads, small) == before == find(StudyHeads(), small)
    desk.rate(2)
    after = find(heads, small)
    assert after != before
    assert after == find(StudyHeads(), small)
    desk.draft(3, "warm", "YES")
    assert find(heads, small) == after


def test_what_is_written_of_no_study_and_of_this_one_moves_it(small: Small) -> None:
    heads = StudyHeads()
    hashes = {find(heads, small).hash}
    for study_id in (None, small.study.id):  # an import of a file names no study
        with small.store.writing("tests", "add rater", study_id) as (connection, entry):
            studies.add_rater(connection, entry, small.study.id, f"Zoe {study_id}")
        hashes.add(find(heads, small).hash)
    assert len(hashes) == 3


def test_labels_of_another_study_move_nothing_but_what_is_erased_there_does(
    small: Small, tmp_path: Path
) -> None:
    other = small_study.make(small.store, tmp_path, key="other")
    heads = StudyHeads()
    before, before_there = find(heads, small), find(heads, other)
    other.desk().rate(2)
    assert find(heads, small) == before
    assert find(heads, other) != before_there
    with other.store.writing("tests", "erase conversation", other.study.id) as (connection, entry):
        erase_conversation(connection, entry, other.study, "c1", "asked to")
    assert find(heads, small) != before


def test_a_store_that_was_brought_back_and_went_on_differently_has_another_head(
    small: Small, tmp_path: Path
) -> None:
    heads, copy = StudyHeads(), tmp_path / "copy.sqlite"
    small.desk(0).rate(2)
    with small.store.reading():
        shutil.copy(small.store.path, copy)
        shutil.copy(f"{small.store.path}-wal", f"{copy}-wal")
    small.desk(0).rate(3)
    went_on = find(heads, small)
    earlier = open_store(f"sqlite:///{copy}")
    with earlier.reading() as connection:
        back = heads.find(connection, small.study.id)
    assert back != went_on
    with earlier.writing("tests", "add rater", small.study.id) as (connection, entry):
        studies.add_rater(connection, entry, small.study.id, "Zoe")
    with earlier.reading() as connection:
        assert heads.find(connection, small.study.id) not in (back, went_on)
    earlier.close()
    assert find(heads, small) == went_on


def test_an_empty_store_has_a_head(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path / 'empty.sqlite'}")
    with store.reading() as connection:
        assert StudyHeads().find(connection, 1) == StudyHead(1, START)
    store.close()


@pytest.mark.parametrize("digest", ["", "[", "{}", "null", "7"])
def test_an_entry_that_was_altered_counts(small: Small, digest: str) -> None:
    before = find(StudyHeads(), small)
    small.desk().draft(2, "warm", "YES")
    with small.store.writing("tests", "alter") as (connection, _):
        connection.exec_driver_sql("DROP TRIGGER IF EXISTS trail_no_update")
        connection.execute(schema.trail.update().where(schema.trail.c.action == "rate").values(digest=digest))
    assert find(StudyHeads(), small) != before


def test_what_goes_without_effect_is_only_ever_added_to() -> None:
    """The trail names only sealed tables: of others it does not say that they were written."""
    assert {schema.metadata.tables[name].c.trail.name for name in WITHOUT_EFFECT_ELSEWHERE} == {"trail"}
