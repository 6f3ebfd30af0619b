"""The coaching demonstration with a plan of work and colleagues who differ, for tests of the pages."""

from __future__ import annotations

from data.record import studies
from data.record.studies import Study
from data.store.store import Store
from tests.studies import settling
from tests.studies.settling import Colleague
from tests.studies.small_study import Desk

KEY = "coaching_demo"
SETTLER = "Dr. Third"
NOTE = "The coach never asks what help there is tonight."


def dispute(store: Store) -> tuple[Study, dict[str, int]]:
    """Reader 1 and Reader 2 differ on CQ1 and CQ9 of unit 7 and agree against the judge on unit 2; returns
    rater ids by name.
    """
    with store.writing("tests", "add rater") as (connection, entry):
        study = studies.find(connection, KEY)
        assert study is not None
        studies.add_rater(connection, entry, study.id, SETTLER)
    with store.reading() as connection:
        ids = {rater.name: rater.id for rater in studies.raters(connection, study.id)}
    settling.plan(store, study, (ids["Reader 1"], ids["Reader 3"]))  # nothing comes to the others any more
    for number, name in enumerate(("Reader 1", "Reader 2")):
        desk = Desk(store, study, ids[name])
        desk.draft_all(7)
        desk.draft(7, "CQ1", "NO" if number else "YES")
        desk.draft(
            7,
            "CQ9",
            "YES" if number else "NO",
            note="" if number else NOTE,
            confidence=3 - number,
            evidence=[] if number else [{"message": 1, "start": 0, "end": 24}],
        )
        desk.commit(7)
        desk.draft_all(2, "NO")
        desk.commit(2)
    return study, ids


def colleague(store: Store, study: Study, ids: dict[str, int]) -> Colleague:
    return Colleague(store, study, ids[SETTLER])
