"""The run of an imported folder in numbers, computed from the study, beside the runs of a table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from configs.settings import ROOT
from data.importers.new_study import NewStudy
from data.importers.report import ImportRefused, ImportReport
from data.record import run_summaries, studies
from data.record.judgements import JudgeIdentity
from data.record.run_summaries import RunSummary
from data.record.studies import StudySpec
from data.store.store import Store
from reports.drift import run_tables, summaries
from tests.studies import importing

CONFIG = "model: fox\nvignette: calm\nn_trials: 2\ntemperature: 0.3\nmode: fused\nslice: 2\n"
HISTORY = {
    "messages": [
        {"content": "A monster.", "role": "user"},
        {"content": "And then?", "role": "assistant"},
        {"content": "I ran.", "role": "user"},
    ]
}


def folder(path: Path, config: str | None = CONFIG, temperature: Any = 0.3, judged: bool = True) -> Path:
    """Two trials: one declares two strategies and does one and a half, the other declares one; its judge
    failed.
    """
    (path / "trials").mkdir(parents=True)
    for number, ids in enumerate((["safety", "confrontation"], ["safety"]), start=1):
        trial = {
            "temperature": temperature,
            "plan": f"<plan>{' / '.join(ids)}</plan>",
            "response": "A wall rises.",
            "strategies": ids,
        }
        (path / "trials" / f"trial_{number:02d}.json").write_text(json.dumps(trial), encoding="utf-8")
    (path / "frozen_history.json").write_text(json.dumps(HISTORY), encoding="utf-8")
    if judged:
        parsed = {
            "safety": {"reasoning": "a wall", "score": 2},
            "confrontation": {"reasoning": "half", "score": 1},
        }
        judgments = [{"trial": 1, "parsed": parsed, "trial_alignment": 0.75}, {"trial": 2, "error": "429"}]
        (path / "judgments.json").write_text(json.dumps(judgments), encoding="utf-8")
    if config is not None:
        (path / "config.yaml").write_text(config, encoding="utf-8")
    return path


def bring(store: Store, path: Path, judge: str = "Judge", key: str = "dreams") -> ImportReport:
    new = NewStudy(
        StudySpec(key, key, 0),
        "plan_alignment",
        "dream_code_7",
        (),
        ROOT / "instruments",
        ROOT / "taxonomies",
    )
    with store.reading() as connection:
        study_exists = studies.find(connection, key) is not None
    return importing.import_run_folder(
        store, key, path, "tests", JudgeIdentity(judge), False, None if study_exists else new
    )


def found(store: Store, key: str = "dreams", judge_id: int | None = None) -> list[RunSummary]:
    with store.reading() as connection:
        study = studies.find(connection, key)
        assert study is not None
        return summaries.of_study(connection, study, judge_id)


def test_the_facts_are_kept_and_the_numbers_computed_from_the_study(store: Store, tmp_path: Path) -> None:
    bring(store, folder(tmp_path / "run_a"))
    [summary] = found(store)
    assert (
        summary.run,
        summary.source,
        summary.model,
        summary.vignette,
        summary.temperature,
        summary.slice,
        summary.n_messages,
        summary.n_trials,
        summary.mode,
    ) == ("run_a", "folder", "fox", "calm", 0.3, 2, 3, 2, "fused")
    # a failed call is no 0: the mean is of the one trial that was judged
    assert summary.numbers == {
        "validity_rate": 1.0,
        "jaccard_all": 0.5,
        "jaccard_valid": 0.5,
        "modal_set_agreement": 0.5,
        "n_confrontation": 1,
        "n_safety": 2,
        "alignment_mean": 0.75,
        "align_confrontation": 0.5,
        "align_safety": 1.0,
    }
    with store.reading() as connection:
        study = studies.find(connection, "dreams")
        assert study is not None and run_summaries.listing(connection, study.id)[0].numbers == {}


def test_without_a_judge_there_is_no_alignment_and_with_two_one_must_be_chosen(
    store: Store, tmp_path: Path
) -> None:
    bring(store, folder(tmp_path / "run_a", judged=False))
    assert "alignment_mean" not in found(store)[0].numbers
    (tmp_path / "two").mkdir()
    path = folder(tmp_path / "two" / "run_a")
    bring(store, path)
    assert found(store)[0].numbers["alignment_mean"] == 0.75
    bring(store, path, "Another judge")
    assert "alignment_mean" not in found(store)[0].numbers
    assert found(store, judge_id=1)[0].numbers["alignment_mean"] == 0.75


def test_without_a_config_the_temperature_is_that_of_the_trials(store: Store, tmp_path: Path) -> None:
    bring(store, folder(tmp_path / "run_a", None, 0.7))
    assert (found(store)[0].temperature, found(store)[0].model) == (0.7, None)


@pytest.mark.parametrize(
    ("config", "says"),
    [
        ("- a list", "config.yaml can't be read, so the model and the temperature of the run were left out"),
        ("model: [", "config.yaml can't be read"),
        (
            "temperature: warm",
            "temperature of the run: 'warm' is not a number; expected a temperature such as 0.7; it was left out",
        ),
        ("slice: early", "slice of the run: 'early' is not a number"),
        ("temperature: .nan", "temperature of the run: '.nan' is not a number"),
    ],
)
def test_a_config_that_cannot_be_read_is_told_and_the_trials_come_in(
    store: Store, tmp_path: Path, config: str, says: str
) -> None:
    assert any(says in line for line in bring(store, folder(tmp_path / "run_a", config)).lines())
    assert found(store)[0].n_trials == 2


def test_the_same_folder_again_adds_nothing_and_one_that_says_otherwise_is_refused(
    store: Store, tmp_path: Path
) -> None:
    path = folder(tmp_path / "run_a")
    bring(store, path)
    bring(store, path)
    assert len(found(store)) == 1
    (path / "config.yaml").write_text(CONFIG.replace("fox", "owl"), encoding="utf-8")
    with pytest.raises(ImportRefused) as caught:
        bring(store, path)
    assert (
        "the run was imported with model fox, but the folder now says owl" in caught.value.report.lines()[0]
    )


def test_several_folders_are_several_studies_and_are_compared_together(store: Store, tmp_path: Path) -> None:
    for number, temperature in enumerate((0.0, 0.3, 0.6)):
        config = CONFIG.replace("0.3", str(temperature)).replace("calm", f"calm {number}")
        bring(store, folder(tmp_path / f"run_{number}", config, temperature), key=f"dreams_{number}")
    with store.reading() as connection:
        together = [
            run for study in studies.listing(connection) for run in summaries.of_study(connection, study)
        ]
    section = run_tables.section(together)
    assert section is not None
    assert section.blocks[0].text == (  # type: ignore[union-attr]
        "Alignment: whether it changes as the model's temperature setting rises cannot be estimated: "
        "alignment is the same in all of them (3 runs, run folders of this program)."
    )
