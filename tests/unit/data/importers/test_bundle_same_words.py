"""Who saw the judge in one store does not count as blind for the same words in another, whichever study was
imported.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from data import schema
from data.importers import transactions
from data.importers.report import ImportReport
from data.keeping.verify import verify
from data.labels import agreement_labels
from data.record.known_words import count_seen_elsewhere
from data.store.store import Store, open_store
from tests.studies import small_study
from tests.studies.bundles import bring, read_rows, write_bundle
from tests.studies.small_study import INSTRUMENT, Small

CRITERIA = 3


@pytest.fixture
def seen(make_study: Callable[..., Small]) -> Small:
    """Ann rated two conversations and saw the judge of the second."""
    small = make_study(key="again", conversation_count=3)
    small.desk(0).rate(1)
    small.desk(0).rate(2)
    small.desk(0).reveal(2)
    return small


def bring_to(other: Store, small: Small, folder: Path) -> ImportReport:
    write_bundle(small.store, small.study.key, folder / small.study.key)
    report = bring(other, folder / small.study.key)
    with other.reading() as connection:
        assert verify(connection).problems == []
    return report


def not_blind(store: Store) -> set[tuple[str, str, int]]:
    """(key of the study, rater, position) of the ratings that were blind and are not any more."""
    rating, row, unit = schema.rating, schema.seen_elsewhere, schema.unit
    with store.reading() as connection:
        return {
            tuple(each)
            for each in connection.execute(
                select(schema.study.c.key, schema.rater.c.name, unit.c.position)
                .join(rating, rating.c.study_id == schema.study.c.id)
                .join(row, row.c.rating_id == rating.c.id)
                .join(unit, unit.c.id == rating.c.unit_id)
                .join(schema.rater, schema.rater.c.id == rating.c.rater_id)
            )
        }


def blind_in(store: Store, small: Small) -> set[tuple[int, int]]:
    """(rater, position) that has labels in the headline."""
    with store.reading() as connection:
        labels = agreement_labels.human_labels(connection, small.study.id, "blind")
    return {(small.raters.index(label.who), label.position) for label in labels}


def test_ratings_here_after_a_reveal_in_the_bundle_are_not_blind(
    seen: Small, other: Store, tmp_path: Path
) -> None:
    here = small_study.make(other, tmp_path, conversation_count=2)
    for desk in (here.desk(0), here.desk(1)):
        desk.rate(1)
        desk.rate(2)
    assert blind_in(other, here) == {(0, 1), (0, 2), (1, 1), (1, 2)}
    report = bring_to(other, seen, tmp_path)
    assert not_blind(other) == {("small", "Ann", 2)}
    assert blind_in(other, here) == {(0, 1), (1, 1), (1, 2)}
    assert (
        "Ann has seen a judge in again before this person labelled the same words in the study small: "
        f"{CRITERIA} labels there do not count as blind any more"
    ) in " ".join(report.lines())


def test_the_study_here_still_leaves_as_a_bundle_that_verifies(
    seen: Small, other: Store, tmp_path: Path
) -> None:
    """What is written to it has an entry of its own, which tells nothing of the other study's rows."""
    here = small_study.make(other, tmp_path, conversation_count=2)
    here.desk(0).rate(2)
    bring_to(other, seen, tmp_path)
    for key in ("small", "again"):
        write_bundle(other, key, tmp_path / f"{key}-out")
        third = open_store(f"sqlite:///{tmp_path / key}.third.sqlite")
        assert bring(third, tmp_path / f"{key}-out").detail["verifies"] is True
        third.close()
    entry = next(row for row in read_rows(tmp_path / "small-out", "trail") if row["study"] == here.study.id)
    noted = read_rows(tmp_path / "small-out", "seen_elsewhere")
    last = [row for row in read_rows(tmp_path / "small-out", "trail") if row["seq"] == noted[0]["trail"]]
    assert entry["study"] == last[0]["study"] and json.loads(last[0]["detail"]) == {"seen_in": "again"}


def test_ratings_before_the_reveal_stay_blind(
    make_study: Callable[..., Small], other: Store, tmp_path: Path
) -> None:
    here = small_study.make(other, tmp_path, conversation_count=2)
    here.desk(0).rate(2)
    small = make_study(key="again", conversation_count=2)
    small.desk(0).rate(2)
    small.desk(0).reveal(2)
    bring_to(other, small, tmp_path)
    assert not_blind(other) == set()


def test_a_page_with_all_labels_shows_the_judge_of_every_word(
    make_study: Callable[..., Small], other: Store, tmp_path: Path
) -> None:
    small = make_study(key="again", conversation_count=2)
    with small.store.writing("Ben", "page", small.study.id) as (_, entry):
        entry.write(schema.exposure, {"rater_id": small.raters[1], "kind": "page"})
    here = small_study.make(other, tmp_path, conversation_count=2)
    here.desk(0).rate(1)
    here.desk(1).rate(1)
    bring_to(other, small, tmp_path)
    assert not_blind(other) == {("small", "Ben", 1)}


def test_another_reply_of_the_same_conversation_stays_blind(
    make_study: Callable[..., Small], other: Store, tmp_path: Path
) -> None:
    of_replies: dict[str, Any] = {
        "instrument": INSTRUMENT.replace("unit: conversation", "unit: assistant_turn"),
        "with_judges": False,
        "conversation_count": 2,
    }
    small = make_study(key="again", **of_replies)
    unit_id = small.desk(0).unit(2).id
    with small.store.writing("Ann", "reveal", small.study.id) as (_, entry):
        entry.write(schema.exposure, {"rater_id": small.raters[0], "unit_id": unit_id, "kind": "reveal"})
    here = small_study.make(other, tmp_path, **of_replies)
    here.desk(0).rate(2)
    here.desk(0).rate(3)
    bring_to(other, small, tmp_path)
    assert not_blind(other) == {("small", "Ann", 2)}


def test_a_rating_saved_while_the_bundle_is_read_is_looked_at(
    seen: Small, other: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = small_study.make(other, tmp_path, conversation_count=2)
    insert = transactions._insert

    def insert_later(*args: Any) -> bool:
        here.desk(0).rate(2)
        return insert(*args)

    monkeypatch.setattr(transactions, "_insert", insert_later)
    bring_to(other, seen, tmp_path)
    assert not_blind(other) == {("small", "Ann", 2)}


def test_one_rating_is_noted_once_though_two_bundles_show_it(
    seen: Small, make_study: Callable[..., Small], other: Store, tmp_path: Path
) -> None:
    second = make_study(key="second", conversation_count=2)
    second.desk(0).rate(2)
    second.desk(0).reveal(2)
    here = small_study.make(other, tmp_path, conversation_count=2)
    here.desk(0).rate(2)
    bring_to(other, seen, tmp_path)
    bring_to(other, second, tmp_path)
    with other.reading() as connection:
        assert count_seen_elsewhere(connection, here.study.id) == CRITERIA
