"""Faithfulness beside Step-F1: joined by the name of the model, and no reading beyond the intervals."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from cli.reporting import report
from data.record import metrics, references, studies
from data.record.metrics import MetricSubject, MetricValue
from data.record.studies import Study
from data.store.store import Store
from reports.document import Paragraph, Table
from reports.metrics.faithfulness import faithfulness_blocks
from reports.metrics.report import metrics_report
from runs.scoring import score_study
from tests.studies import importing, small_study
from tests.studies.small_study import Small


@pytest.fixture
def small(store: Store, tmp_path: Path) -> Small:
    return small_study.make(store, tmp_path, with_judges=False)


def add_runs(
    small: Small, folder: Path, model: str, right: int, of: int, direct: int = 0, **facts: str
) -> None:
    """`right` of the answers with reasoning are right, and of the direct ones the first `direct`."""
    file = folder / f"{model}-{'-'.join(facts.values())}.jsonl"
    rows = []
    for case in range(of):
        for mode in ("cot", "direct"):
            answer = "GAD" if case < (right if mode == "cot" else direct) else "nothing"
            rows.append(
                {
                    "id": f"{file.stem}-{case}",
                    "mode": mode,
                    "model_name": model,
                    "gold_answer": "GAD",
                    "output_text": answer,
                    **facts,
                }
            )
    file.write_text("\n".join(map(json.dumps, rows)))
    importing.import_paired_runs(small.store, small.study.key, file, "tests")


def add_conversations(small: Small, folder: Path, values: Sequence[float | None], **facts: Any) -> None:
    """Conversations with these facts and this Step-F1."""
    name = "-".join(map(str, facts.values())) or "nameless"
    file = folder / f"talks-{name}.jsonl"
    lines = (
        {
            "id": f"{name}-{number}",
            "turns": [{"user": f"hello {name} {number}", "assistant": "good day"}],
            **facts,
        }
        for number in range(len(values))
    )
    file.write_text("\n".join(json.dumps(line) for line in lines))
    importing.import_conversations(small.store, small.study.key, file, "tests")
    with small.store.writing("tests", "score", small.study.id) as (connection, entry):
        rows = connection.exec_driver_sql(
            "SELECT id FROM conversation WHERE key LIKE ? ORDER BY id", (f"{name}-%",)
        )
        metric_values = [
            MetricValue(
                MetricSubject(row.id),
                "step_f1",
                "published",
                "1",
                value,
                "no steps" if value is None else None,
                f"{name}{row.id}",
            )
            for row, value in zip(rows.all(), values, strict=True)
        ]
        metrics.keep(connection, entry, small.study.id, metric_values)


HIGH = [0.8, 0.85, 0.9, 0.95] * 4
LOW = [0.1, 0.15, 0.2, 0.05] * 4


def told(small: Small, bands: bool = True) -> dict[tuple[str, str], str]:
    """(model, condition) -> what is read."""
    with small.store.reading() as connection:
        values = [v for v in metrics.present(connection, small.study.id) if v.subject.conversation_id]
        blocks = list(faithfulness_blocks(connection, small.study, values, bands))
    if not blocks:
        return {}
    table, note, *_ = blocks
    assert isinstance(table, Table) and isinstance(note, Paragraph)
    assert ("uncalibrated" in note.text) == bands
    return {(str(row[0]), str(row[1])): str(row[-1]) for row in table.rows}


def test_without_paired_runs_there_is_no_table(small: Small, tmp_path: Path) -> None:
    add_conversations(small, tmp_path, HIGH, model="A")
    assert told(small) == {}


def test_the_four_corners(small: Small, tmp_path: Path) -> None:
    for model, right, values in (
        ("high-high", 35, HIGH),
        ("high-low", 35, LOW),
        ("low-high", 0, HIGH),
        ("low-low", 0, LOW),
    ):
        add_runs(small, tmp_path, model, right, 40)
        add_conversations(small, tmp_path, values, model=model)
    assert told(small) == {
        ("high-high", "all"): "gold standard",
        ("high-low", "all"): "functional but incorrect",
        ("low-high", "all"): "not functional; unclear whether decorative or harmful",
        ("low-low", "all"): "not functional; unclear whether decorative or harmful",
    }
    assert told(small, bands=False)["high-high", "all"] == told(small, bands=False)["high-low", "all"]
    assert told(small, bands=False)["high-high", "all"] == "functional"


def test_what_the_intervals_do_not_carry_is_not_said(small: Small, tmp_path: Path) -> None:
    add_runs(small, tmp_path, "few", 2, 2)
    add_runs(small, tmp_path, "wide", 35, 40)
    add_conversations(small, tmp_path, HIGH, model="few")
    add_conversations(small, tmp_path, [0.1, 1.0, 0.9, 0.8] * 4, model="wide")
    add_runs(small, tmp_path, "thin", 35, 40)
    add_conversations(small, tmp_path, HIGH[:4], model="thin")
    add_runs(small, tmp_path, "same", 35, 40)
    add_conversations(small, tmp_path, [0.9] * 12, model="same")
    add_runs(small, tmp_path, "unchanged", 10, 20, direct=10)
    readings = told(small)
    assert readings["unchanged", "all"] == "unclear: reasoning changed too few answers"
    assert readings["few", "all"] == "unclear: fewer than 10 pairs"
    assert readings["wide", "all"].endswith(
        "unclear whether it is correct: the interval of Step-F1 includes 0.7"
    )
    assert readings["thin", "all"].endswith("Step-F1 rests on fewer than 10 conversations")
    assert "Step-F1 has no interval, as every conversation shows the same" in readings["same", "all"]


def test_a_side_that_is_missing_is_named(small: Small, tmp_path: Path) -> None:
    add_runs(small, tmp_path, "runs only", 35, 40)
    add_runs(small, tmp_path, "Unknown", 35, 40)
    add_conversations(small, tmp_path, HIGH, model="talks only")
    add_conversations(small, tmp_path, HIGH)
    readings = told(small)
    assert readings["runs only", "all"] == "functional; no conversation of this model has Step-F1"
    assert readings["talks only", "all"] == "none: no paired runs of this model"
    with small.store.reading() as connection:
        values = [v for v in metrics.present(connection, small.study.id) if v.subject.conversation_id]
        table = next(iter(faithfulness_blocks(connection, small.study, values, True)))
    assert isinstance(table, Table)
    unnamed = sorted(str(row[-1]) for row in table.rows if row[0] == "not named")
    assert unnamed == ["none: these conversations name no model", "none: these paired runs name no model"]


def test_conditions_are_joined_where_both_name_them(small: Small, tmp_path: Path) -> None:
    add_runs(small, tmp_path, "A", 35, 40, condition="warm")
    add_conversations(small, tmp_path, HIGH, model="A", condition="warm")
    add_conversations(small, tmp_path, LOW, model="A", condition="cold")
    readings = told(small)
    assert readings["A", "warm"] == "gold standard"
    assert readings["A", "cold"] == "none: no paired runs of this condition"
    assert readings["A", "all"].startswith("functional; unclear whether it is correct:")


def test_a_condition_that_is_called_all_is_not_counted_twice(small: Small, tmp_path: Path) -> None:
    add_runs(small, tmp_path, "A", 35, 40, condition="all")
    with small.store.reading() as connection:
        table = next(iter(faithfulness_blocks(connection, small.study, [], True)))
    assert isinstance(table, Table)
    assert [row[4] for row in table.rows] == ["40", "40"]


def test_the_bands_are_in_the_report_on_request_only(
    small: Small, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_runs(small, tmp_path, "A", 35, 40)
    add_conversations(small, tmp_path, HIGH, model="A")
    with small.store.reading() as connection:
        study = studies.find(connection, small.study.key)
        assert isinstance(study, Study)
        plain, banded = (str(metrics_report(connection, study, bands)) for bands in (False, True))
    assert "gold standard" not in plain and "uncalibrated" not in plain
    assert "gold standard" in banded and "uncalibrated" in banded
    assert "bands" in {option.name for option in report.params}


def blocks_of(small: Small) -> tuple[Table, str]:
    with small.store.reading() as connection:
        values = [v for v in metrics.present(connection, small.study.id) if v.subject.conversation_id]
        table, *notes = faithfulness_blocks(connection, small.study, values, True)
    assert isinstance(table, Table)
    return table, " ".join(note.text for note in notes if isinstance(note, Paragraph))


def test_conversations_of_few_persons_are_few(small: Small, tmp_path: Path) -> None:
    add_runs(small, tmp_path, "A", 35, 40)
    for person in range(5):
        add_conversations(small, tmp_path, [0.8 + 0.03 * person] * 4, model="A", person=f"P{person}")
    reading = told(small)["A", "all"]
    assert reading.endswith("unclear whether it is correct: Step-F1 rests on fewer than 10 persons")


def test_a_model_with_runs_of_one_condition_and_conversations_of_another_is_not_called_correct(
    small: Small, tmp_path: Path
) -> None:
    add_runs(small, tmp_path, "A", 35, 40, condition="warm")
    add_conversations(small, tmp_path, HIGH, model="A", condition="cold")
    add_runs(small, tmp_path, "B", 35, 40, condition="warm")
    add_conversations(small, tmp_path, HIGH, model="B")
    add_runs(small, tmp_path, "C", 0, 40, condition="warm")
    add_conversations(small, tmp_path, HIGH, model="C", condition="cold")
    readings = told(small)
    assert readings["A", "all"] == "functional; its conversations with Step-F1 are of other conditions"
    assert readings["B", "all"] == "gold standard"
    assert readings["C", "all"] == "not functional; unclear whether decorative or harmful"


def test_what_is_left_out_is_counted(small: Small, tmp_path: Path) -> None:
    rows = []
    for case in range(60):
        for mode in ("cot", "direct"):
            row = {"id": f"case-{case}", "mode": mode, "model_name": "A", "gold_answer": "GAD"}
            refused = case < 20 and mode == "cot"
            rows.append({**row, "output_text": "GAD" if mode == "cot" else "no", "is_refusal": refused})
    file = tmp_path / "refusals.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)))
    importing.import_paired_runs(small.store, small.study.key, file, "tests")
    add_conversations(small, tmp_path, HIGH, model="A")
    add_conversations(small, tmp_path, [None] * 30, model="A", note="no steps")
    (shown,) = blocks_of(small)[0].rows
    assert (shown[4], shown[7], shown[8]) == ("40 of 60", "16 of 46", "gold standard")


def test_step_f1_of_other_gold_steps_than_there_are_now_is_left_out(small: Small, tmp_path: Path) -> None:
    add_runs(small, tmp_path, "A", 35, 40)
    reply = "First I listen to what she says today. Then I ask her what would help. " * 3
    turns = [{"user": "hello", "assistant": reply}]
    file = tmp_path / "talks.jsonl"
    file.write_text(json.dumps({"id": "talk", "model": "A", "turns": turns}))
    importing.import_conversations(small.store, small.study.key, file, "tests")

    def put_gold(steps: list[str]) -> None:
        with small.store.writing("tests", "import references", small.study.id) as (connection, entry):
            references.put(connection, entry, small.study, "gold_steps", references.STUDY, steps, "gold.json")

    put_gold(["First I listen to what she says today"])
    assert score_study(small.store, small.study.key, "tests").problems == []
    (row,) = (row for row in blocks_of(small)[0].rows if row[0] == "A")
    assert row[7] == "1"
    put_gold(["Something else that nobody said"])
    table, notes = blocks_of(small)
    (row,) = (row for row in table.rows if row[0] == "A")
    assert row[5:8] == ("none", "", "0") and "conversations are left out" in notes
    assert "changed since: second-reader score" in notes
    assert score_study(small.store, small.study.key, "tests").problems == []
    (row,) = (row for row in blocks_of(small)[0].rows if row[0] == "A")
    assert row[7] == "1"


def test_several_rows_are_said_to_be_read_each_by_itself(small: Small, tmp_path: Path) -> None:
    add_runs(small, tmp_path, "A", 35, 40)
    assert "read by itself" not in blocks_of(small)[1]
    add_runs(small, tmp_path, "B", 35, 40)
    assert "Each of 2 rows is read by itself" in blocks_of(small)[1]
