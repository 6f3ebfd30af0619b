"""Runs in numbers: what is told later adds and never contradicts, version by version."""

from __future__ import annotations

from typing import Any

import pytest
import sqlalchemy as sa

from data import schema
from data.keeping.verify import verify
from data.record import run_summaries
from data.record.run_summaries import ConflictingValue, RunCurve, RunSummary, RunSummaryTable
from data.store.errors import StoreError
from tests.studies import small_study
from tests.studies.small_study import Small

RUN = RunSummary("r", "table", "fox", "calm", 0.3, numbers={"jaccard_all": 0.5})


def put(small: Small, *told: RunSummary) -> list[bool]:
    with small.store.writing("tests", "put", small.study.id) as (connection, entry):
        kept = RunSummaryTable(connection, small.study)
        new = [kept.put(one) for one in told]
        kept.write(entry, "runs.csv")
    return new


def listing(small: Small) -> list[RunSummary]:
    with small.store.reading() as connection:
        return run_summaries.listing(connection, small.study.id)


def test_what_is_kept_is_what_was_told(small: Small) -> None:
    curve = RunSummary("fox", "curve", "fox", curve=RunCurve((1.0, None, 0.25), 30))
    assert put(small, RUN, curve) == [True, True]
    assert listing(small) == [RUN, curve]
    assert put(small, RUN, curve) == [False, False]


def test_more_of_a_run_is_a_new_version_and_the_old_one_stays(small: Small) -> None:
    put(small, RUN)
    assert put(small, RunSummary("r", "table", n_messages=13, numbers={"alignment_mean": 0.0})) == [True]
    assert listing(small) == [
        RunSummary(
            "r",
            "table",
            "fox",
            "calm",
            0.3,
            n_messages=13,
            numbers={"jaccard_all": 0.5, "alignment_mean": 0.0},
        )
    ]
    with small.store.reading() as connection:
        assert connection.execute(sa.select(schema.run_summary.c.version)).scalars().all() == [1, 2]
        assert verify(connection).problems == []


def test_more_of_a_run_in_the_same_file_is_one_version(small: Small) -> None:
    assert put(small, RUN, RunSummary("r", "table", slice=2)) == [True, True]
    assert listing(small)[0].slice == 2


@pytest.mark.parametrize(
    ("more", "name"),
    [
        ({"temperature": 0.0}, "temperature"),
        ({"model": "owl"}, "model"),
        ({"numbers": {"jaccard_all": 0.50001}}, "jaccard_all"),
    ],
)
def test_another_value_is_refused(small: Small, more: dict[str, Any], name: str) -> None:
    put(small, RUN)
    with pytest.raises(ConflictingValue) as caught:
        put(small, RunSummary("r", "table", **more))
    assert caught.value.name == name
    assert listing(small) == [RUN]


def test_the_same_number_spelled_otherwise_is_the_same(small: Small) -> None:
    put(small, RUN)
    assert put(small, RunSummary("r", "table", temperature=0.1 + 0.2)) == [False]


def test_sources_do_not_mix_and_neither_do_studies(small: Small) -> None:
    put(small, RUN)
    assert put(small, RunSummary("r", "folder", "owl")) == [True]
    other = small_study.make(small.store, small.store.path.parent, key="other")
    assert put(other, RunSummary("r", "table", "owl")) == [True]
    assert [one.model for one in listing(small)] == ["fox", "owl"]


def test_only_a_curve_has_a_curve(small: Small) -> None:
    with pytest.raises(StoreError, match="change_refused"):
        put(small, RunSummary("fox", "curve", "fox"))
