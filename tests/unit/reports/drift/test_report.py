"""The drift report as files: the same bytes twice, nothing that is no number, every chart beside its table, and
nobody's name.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from data.record import studies
from data.store.store import Store
from reports.document import Panels, Report
from reports.drift.report import drift_report
from reports.render.files import report_files
from tests.studies.made_raters import twelve_weeks
from tests.studies.small_study import Small

SAMPLES = ("coaching_demo", "coaching_example", "judge_change", "lend_an_ear", "plan_demo", "vera_mh")


def written(store: Store, key: str) -> tuple[Report, dict[str, bytes]]:
    with store.reading() as connection:
        study = studies.find(connection, key)
        assert study is not None
        report = drift_report(connection, study)
    return report, report_files(report)


def numbers(value: Any) -> list[float]:
    if isinstance(value, dict):
        return [number for part in value.values() for number in numbers(part)]
    if isinstance(value, list):
        return [number for part in value for number in numbers(part)]
    return [value] if isinstance(value, float) else []


@pytest.mark.parametrize("key", SAMPLES)
def test_the_same_store_gives_the_same_bytes_and_only_numbers(scored_store: Store, key: str) -> None:
    report, contents = written(scored_store, key)
    assert contents == written(scored_store, key)[1]
    document = json.loads(contents["report.json"], parse_constant=lambda name: pytest.fail(name))
    assert [section["title"] for section in document["sections"]][:4] == [
        "Over the turns",
        "Agreement over time",
        "The judge on the locked set",
        "The raters",
    ]
    html = contents["report.html"].decode()
    assert "<script" not in html and "NaN" not in html and ">nan<" not in html
    assert all(section.blocks for section in report.sections)
    for number in numbers(document):
        assert number == number and abs(number) != float("inf")


def test_every_chart_has_its_numbers_in_a_table(scored_store: Store) -> None:
    for key, charts in (("judge_change", 2), ("coaching_demo", 3)):
        report, contents = written(scored_store, key)
        panels = [
            block for section in report.sections for block in section.blocks if isinstance(block, Panels)
        ]
        assert len(panels) >= charts, key
        assert contents["report.html"].count(b"<svg") == len(panels)
        tables = "".join(name for name in contents if name.startswith("tables/"))
        for block in panels:
            assert block.key.split("_over")[0] in tables, block.key


def test_the_week_the_judge_changed_is_named(scored_store: Store) -> None:
    _, contents = written(scored_store, "judge_change")
    html = contents["report.html"].decode()
    assert "Since the week of 23 March 2026, the judge rates 0.6 levels lower" in html
    assert html.count(">judge: lower levels from here</text>") == 2, "agreement and level are marked"


def test_raters_stand_under_codes(copy_study: Callable[..., Small], store: Store) -> None:
    small = copy_study(twelve_weeks)
    with store.reading() as connection:
        names = [rater.name for rater in studies.raters(connection, small.study.id)]
    report, contents = written(store, small.study.key)
    section = next(section for section in report.sections if section.key == "the_raters")
    assert [block for block in section.blocks if isinstance(block, Panels)]
    for content in contents.values():
        assert not [name for name in names if name in content.decode()]
