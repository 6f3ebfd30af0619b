"""The comparison itself: a wrong expectation, an unknown file and an empty one are failures."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from configs.settings import ROOT
from tests.vectors.conftest import COPIES


def compare(folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "pytest", "tests/vectors/test_reference.py", "--vectors", str(folder)],
                          cwd=ROOT.parent, capture_output=True, text=True, timeout=120)


def copied(folder: Path, name: str) -> dict:  # type: ignore[type-arg]
    shutil.copy(COPIES / f"{name}.json", folder)
    return json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))


def test_a_folder_that_agrees_passes_with_a_line_a_file(tmp_path: Path) -> None:
    cases = copied(tmp_path, "step_f1_dice")["cases"]
    done = compare(tmp_path)
    assert done.returncode == 0, done.stdout
    assert f"step_f1_dice: {len(cases)} cases, {len(cases)} compared values, 0 failures" in done.stdout


@pytest.mark.parametrize(("name", "change"), [
    ("step_f1_dice", lambda case: case.update(dice=case["dice"] + 1e-6)),
    ("step_f1", lambda case: case.update(alt_exclusive_greedy_f1=0.123)),
    ("rubric_scoring", lambda case: case["expected_code"].update(error_count=7)),
    ("alignment_plan_parsing", lambda case: case["expected_lenient_v2"].update(response="something else")),
    ("knowledge_conflict", lambda case: case.update(expected_rate=0.77)),
    ("clinical_actions", lambda case: case.update(expected_wide="something else")),
    ("drift_slope", lambda case: case.update(expected_slope=0.5)),
    ("agreement_proportion_ci", lambda case: case["expected"]["wilson"].update(ci95=[0.1, 0.9])),
    ("agreement_safety_diagnostics", lambda case: case["expected"]["youden_j"].update(value=0.5)),
    ("agreement_paired_tests", lambda case: case["expected"]["bowker"].update(df=5)),
    ("agreement_multiplicity", lambda case: case["expected"]["fdr_by"]["adjusted"].reverse()),
    ("agreement_alttest", lambda case: case["expected"]["p_values"].reverse()),
    ("agreement_sample_size", lambda case: case["expected"].update(n=150)),
    ("agreement_corrected_rate", lambda case: case["expected"]["ppi_plusplus"].update(point=0.999)),
    ("agreement_icc", lambda case: case["expected"]["ICC2"].update(value=0.3)),
    ("agreement_drift", lambda case: case["expected"].update(n=3)),
    ("agreement_cusum", lambda case: case["expected"].update(first_alarm_index0=27)),
])
def test_one_changed_expectation_is_found(tmp_path: Path, name: str, change) -> None:  # type: ignore[no-untyped-def]
    document = copied(tmp_path, name)
    change(document["cases"][-1])
    (tmp_path / f"{name}.json").write_text(json.dumps(document), encoding="utf-8")
    done = compare(tmp_path)
    assert done.returncode == 1 and document["cases"][-1]["id"] in done.stdout


def test_an_unknown_file_and_one_without_cases_fail(tmp_path: Path) -> None:
    (tmp_path / "something_new.json").write_text('{"cases": [{"id": "x"}]}')
    done = compare(tmp_path)
    assert done.returncode == 1 and "nothing in the product answers to something_new.json" in done.stdout
    (tmp_path / "something_new.json").unlink()
    (tmp_path / "step_f1.json").write_text('{"cases": []}')
    assert compare(tmp_path).returncode == 1


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    assert compare(tmp_path).returncode != 0
