"""The metric values of a study as a table: every number, its judge, and the reason where there is none."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from data.exporters import metric_values
from data.record import metrics, units
from data.record.metrics import MetricSubject, MetricValue
from data.store.errors import Refused
from data.store.store import Store
from tests.studies.small_study import make


def test_every_number_has_its_row_and_none_is_empty(store: Store, tmp_path: Path) -> None:
    small = make(store, tmp_path)
    with store.reading() as connection:
        unit = units.at_position(connection, small.study.id, 1)
        assert unit is not None
    with store.writing("tests", "compute") as (connection, entry):
        metrics.keep(
            connection,
            entry,
            small.study.id,
            [
                MetricValue(
                    MetricSubject(conversation_id=unit.conversation_id),
                    "goal_alignment",
                    "windowed",
                    "1",
                    0.25,
                    None,
                    "a",
                    {"turns": [0.1, None]},
                ),
                MetricValue(
                    MetricSubject(unit_id=unit.id, judge_id=small.judges[0]),
                    "alignment",
                    "default",
                    "1",
                    None,
                    "=no plan",
                    "b",
                ),
                MetricValue(MetricSubject(), "alignment", "mean", "2", -0.5, None, "c"),
            ],
        )
    with store.reading() as connection:
        assert metric_values.write(connection, small.study, tmp_path / "metrics.csv") == 3
        with pytest.raises(FileExistsError):
            metric_values.write(connection, small.study, tmp_path / "metrics.csv")
    with (tmp_path / "metrics.csv").open(encoding="utf-8") as file:
        rows = {row["metric"] + row["variant"]: row for row in csv.DictReader(file)}
    assert (rows["goal_alignmentwindowed"]["conversation"], rows["goal_alignmentwindowed"]["value"]) == (
        "c1",
        "0.25",
    )
    assert rows["goal_alignmentwindowed"]["detail"] == '{"turns": [0.1, null]}'
    none = rows["alignmentdefault"]
    assert (none["value"], none["undefined"], none["judge"], none["unit"], none["conversation"]) == (
        "",
        "'=no plan",
        "Judge A",
        "1",
        "c1",
    )
    assert rows["alignmentmean"]["value"] == "-0.5" and rows["alignmentmean"]["conversation"] == ""


def test_without_a_number_it_says_how_to_get_one(store: Store, tmp_path: Path) -> None:
    small = make(store, tmp_path)
    with store.reading() as connection, pytest.raises(Refused, match="no_metric_yet"):
        metric_values.write(connection, small.study, tmp_path / "metrics.csv")
    assert not (tmp_path / "metrics.csv").exists()
