"""That somebody opened a study as its lead is an entry of the trail, and only its own proof is taken for it."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from data import schema
from data.keeping.verify import verify
from data.store.store import Store
from data.work import lead_openings
from services.leading import open_as_lead
from tests.studies.small_study import Small


def is_recorded(small: Small, proof: str, study_id: int | None = None) -> bool:
    with small.store.reading() as connection:
        return lead_openings.is_recorded(connection, study_id or small.study.id, proof)


def test_who_opened_which_study_is_in_the_trail_which_verifies(small: Small) -> None:
    with small.store.reading() as connection:
        before = verify(connection)
    proof = open_as_lead(small.store, "Dr Weber", small.study)
    with small.store.reading() as connection:
        after = verify(connection)
        entry = connection.execute(select(schema.trail).order_by(schema.trail.c.seq.desc()).limit(1)).one()
    assert (entry.actor, entry.action, entry.study) == ("Dr Weber", "open as lead", small.study.id)
    assert (after.problems, after.entries, after.rows) == ([], before.entries + 1, before.rows)
    assert proof.partition(".")[2] not in entry.detail, "the trail alone makes no proof"


def test_only_the_proof_of_the_entry_and_its_study_is_taken(small: Small) -> None:
    proof, other = (open_as_lead(small.store, "Dr Weber", small.study) for _ in range(2))
    number, _, token = proof.partition(".")
    assert is_recorded(small, proof) and is_recorded(small, other)
    assert not is_recorded(small, proof, small.study.id + 1)
    assert not is_recorded(small, f"{int(number) + 1}.{token}")
    assert not is_recorded(small, f"{int(number) - 1}.{token}"), "an entry of another action"
    assert not is_recorded(small, f"{number}.{token[::-1]}")


@pytest.mark.parametrize(
    "proof", ["", ".", "1", "1.", ".x", "x.y", "-1." + "a" * 22, "9" * 30 + "." + "a" * 22]
)
def test_what_is_no_proof_proves_nothing(small: Small, proof: str) -> None:
    assert not is_recorded(small, proof)


def test_an_altered_opening_shows(small: Small, store: Store) -> None:
    open_as_lead(small.store, "Dr Weber", small.study)
    with store.writing("tests", "alter") as (connection, _):
        connection.exec_driver_sql("DROP TRIGGER trail_no_update")
        opened = schema.trail.c.action == lead_openings.ACTION
        connection.execute(schema.trail.update().where(opened).values(actor="Ann"))
    with store.reading() as connection:
        assert any("was altered" in problem for problem in verify(connection).problems)
