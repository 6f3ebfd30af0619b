"""Settled labels come along with their study; of a bundle that does not verify, none is a reference label."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from data.keeping.verify import verify
from data.labels import settlements
from data.labels.settlements import Settlement
from data.record import studies
from data.store.store import Store, open_store
from tests.studies.bundles import bring, read_rows, write_bundle, write_rows
from tests.studies.disputed_small import dispute
from tests.studies.small_study import Small


@pytest.fixture
def folder(make_study: Callable[..., Small], tmp_path: Path) -> Path:
    write_bundle(dispute(make_study).store, "small", tmp_path / "bundle")
    return tmp_path / "bundle"


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Store]:
    store = open_store(f"sqlite:///{tmp_path / 'other.sqlite'}")
    yield store
    store.close()


def settled_in(store: Store) -> list[Settlement]:
    with store.reading() as connection:
        assert verify(connection).problems == []
        study = studies.get_by_key(connection, "small")
        return list(settlements.settled(connection, study.id))


def test_a_settlement_comes_along_as_it_was_made(folder: Path, other: Store) -> None:
    bring(other, folder)
    (settlement,) = settled_in(other)
    assert (settlement.label, settlement.cause, settlement.judge_seen) == ("NO", "confirmed", False)


@pytest.mark.parametrize(
    "change", [{"label": "YES"}, {"cause": "rater_slip"}, {"at": "2020-01-01T00:00:00.000+00:00"}]
)
def test_a_settlement_of_a_changed_bundle_counts_as_made_with_the_judge_in_view(
    folder: Path, other: Store, change: dict[str, Any]
) -> None:
    rows = read_rows(folder, "adjudication")
    write_rows(folder, "adjudication", [{**row, **change} for row in rows])
    report = bring(other, folder)
    assert any("does not verify" in line for line in report.lines())
    assert [settlement.judge_seen for settlement in settled_in(other)] == [True]
