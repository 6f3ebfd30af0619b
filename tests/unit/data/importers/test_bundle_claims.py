"""What a report or a later step would rest on is left out of a bundle that does not verify."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from configs.settings import ROOT
from data import schema
from data.importers import study_folder
from data.importers.bundle_check import CLAIMS
from data.importers.report import ImportReport
from data.keeping.erase import erase_conversation
from data.keeping.verify import verify
from data.record import adoptions, anchors, judgements, ledger, studies
from data.record.judgements import JudgeIdentity
from data.store.store import Store, open_store
from data.work.certification import certification_status
from data.work.practice import practice_units
from reports.kinds import KINDS, ReportChoices
from tests.studies import anchored
from tests.studies.bundles import bring, read_rows, write_bundle, write_rows
from tests.studies.small_study import Small


@pytest.fixture
def frozen(make_study: Callable[..., Small]) -> Small:
    """Four conversations that both raters labelled alike, frozen as anchors."""
    small = make_study()
    anchored.rate_alike(small, failing=(2,))
    anchored.freeze(small.store, small.study)
    return small


def alter(folder: Path, table: str, **change: Any) -> None:
    write_rows(folder, table, [{**row, **change} for row in read_rows(folder, table)])


def rows_in(store: Store) -> dict[str, int]:
    with store.reading() as connection:
        assert verify(connection).problems == []
        return {
            table.name: connection.execute(select(func.count()).select_from(table)).scalar_one()
            for table in schema.SEALED
        }


def drift_of(store: Store) -> str:
    with store.reading() as connection:
        study = studies.get_by_key(connection, "judge_change")
        files = KINDS["drift"].write_files(connection, study, ReportChoices())
    return str(json.loads(files["report.json"]))


def left_out(report: ImportReport) -> str:
    (line,) = (line for line in report.lines() if "left out, because" in line)
    return line.split("who gave it: ")[1]


def bring_twice(store: Store, key: str, folder: Path, other: Store) -> ImportReport:
    """Import the bundle in `folder`; what was imported leaves as a bundle that verifies."""
    report = bring(other, folder)
    write_bundle(other, key, folder.parent / "again")
    third = open_store(f"sqlite:///{folder.parent / 'third.sqlite'}")
    assert bring(third, folder.parent / "again").detail["verifies"] is True
    assert rows_in(third).keys() == rows_in(store).keys()
    third.close()
    return report


def test_altered_anchors_give_no_drift(frozen: Small, other: Store, tmp_path: Path) -> None:
    write_bundle(frozen.store, "small", tmp_path / "bundle")
    labels = len(read_rows(tmp_path / "bundle", "anchor"))
    alter(tmp_path / "bundle", "anchor", label="YES")
    report = bring_twice(frozen.store, "small", tmp_path / "bundle", other)
    assert left_out(report).startswith(f"{labels} anchor labels and 1 anchor set")
    with other.reading() as connection:
        study = studies.get_by_key(connection, "small")
        assert anchors.newest(connection, study.id) is None


@pytest.mark.slow
def test_no_verdict_on_drift_rests_on_altered_anchors(store: Store, other: Store, tmp_path: Path) -> None:
    sample = ROOT.parent / "data" / "samples" / "judge_change"
    study_folder.add_study(store, sample, ROOT / "instruments", ROOT / "taxonomies", "tests")
    assert "The judge changed" in drift_of(store)
    write_bundle(store, "judge_change", tmp_path / "bundle")
    alter(tmp_path / "bundle", "anchor", label="1")
    bring(other, tmp_path / "bundle")
    assert "The judge changed" not in drift_of(other) and "No set has been locked yet" in drift_of(other)


def test_anchors_of_a_bundle_that_verifies_stay(frozen: Small, other: Store, tmp_path: Path) -> None:
    write_bundle(frozen.store, "small", tmp_path / "bundle")
    report = bring_twice(frozen.store, "small", tmp_path / "bundle", other)
    assert not any("left out" in line for line in report.lines())
    assert rows_in(other)["anchor"] == rows_in(frozen.store)["anchor"] > 0


def test_every_claim_is_left_out_and_counted(full: Small, other: Store, tmp_path: Path) -> None:
    """The bundle of the fixture does not verify: one entry wrote rows of three studies."""
    write_bundle(full.store, "small", tmp_path / "bundle")
    before = {
        table.name: len(read_rows(tmp_path / "bundle", table.name))
        for table in schema.SEALED
        if table is not schema.store_key
    }
    report = bring(other, tmp_path / "bundle")
    after = rows_in(other)
    claimed = {table.name for table in CLAIMS}
    assert {name for name in claimed if before[name]} == claimed - {"gold_label", "certification"}
    assert {name for name, rows in before.items() if after[name] < rows} - claimed <= {"successor", "trial"}
    assert {after[name] for name in claimed} == {0}
    assert left_out(report) == (
        "1 adoption of a judge, 1 anchor label, 1 anchor set, 1 choice of a judge, 1 decision on a proposed "
        "plan, 1 rating of a pair of steps and 1 computed number"
    )
    with other.reading() as connection:
        study = studies.get_by_key(connection, "small")
        assert adoptions.active_judge(connection, study.id) is None


@pytest.mark.parametrize("erased", [None, "c1", "c2"])
def test_gold_and_certifications_are_left_out_and_the_work_goes_on(
    erased: str | None, full: Small, other: Store, tmp_path: Path
) -> None:
    """Reasons that were erased go too, with the record of their erasure."""
    with full.store.writing("lead", "erase", None) as (connection, entry):
        study = studies.get_by_key(connection, "planned")
        entry.study = study.id
        if erased:
            erase_conversation(connection, entry, study, erased, "asked for")
    write_bundle(full.store, "planned", tmp_path / "bundle")
    alter(tmp_path / "bundle", "gold_label", label="NO")
    report = bring_twice(full.store, "planned", tmp_path / "bundle", other)
    assert "1 gold label and " in left_out(report) and "certification" in left_out(report)
    assert rows_in(other)["gold_label"] == rows_in(other)["certification"] == 0
    with other.reading() as connection:
        imported = studies.get_by_key(connection, "planned")
        people = studies.raters(connection, imported.id)
        assert not any(certification_status(connection, imported, rater.id).certified for rater in people)
        assert len(practice_units(connection, imported.id)) == 1  # of the calibration round


def test_no_prompt_or_model_of_such_a_bundle_answers_for_another_study(
    make_study: Callable[..., Small], full: Small, other: Store, tmp_path: Path
) -> None:
    """They are found by their hash in every study, so an altered prompt would be shown as a judge's."""
    small = make_study(key="prompted", conversation_count=1)
    with small.store.writing("tests", "start judge run", small.study.id) as (connection, entry):
        ledger.keep_prompt(connection, entry, "rubric", "1", "key: rubric", "a" * 64)
        identity = JudgeIdentity("Judge C", prompt=f"rubric 1 {'a' * 12}")
        judgements.register(connection, entry, small.study.id, identity)
    write_bundle(small.store, "prompted", tmp_path / "prompted")
    alter(tmp_path / "prompted", "judge_prompt", body="key: altered")
    write_bundle(full.store, "small", tmp_path / "small")
    (model,) = read_rows(tmp_path / "small", "asked_model")
    for name in ("prompted", "small"):
        assert bring(other, tmp_path / name).detail["verifies"] is False
    asked = schema.asked_model
    with other.writing("tests", "start judge run", None) as (connection, entry):
        assert ledger.prompt_body(connection, "a" * 12) is None
        ledger.keep_prompt(connection, entry, "rubric", "1", "key: rubric", "a" * 64)
        assert ledger.prompt_body(connection, "a" * 12) == "key: rubric"
        names = dict(connection.execute(select(asked.c.sha256, asked.c.name)).all())
    assert model["sha256"] not in names and list(names.values()) == [model["name"]]
