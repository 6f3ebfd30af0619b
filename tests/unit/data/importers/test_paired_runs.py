"""Paired answers of a model: every row is kept once, and what cannot be used is named by its line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from data.importers.report import ImportRefused, ImportReport
from data.keeping.verify import verify
from data.record import run_outputs
from data.record.run_outputs import RunOutput
from tests.studies import importing
from tests.studies.small_study import Small
from tests.unit.data.importers.conftest import lines

Bring = Callable[..., ImportReport]
Counts = Callable[[], dict[str, int]]


@pytest.fixture
def bring(small: Small, write: Callable[..., Path]) -> Bring:
    """Import paired answers into the small study."""
    return lambda content, name="runs.jsonl", **more: importing.import_paired_runs(
        small.store, "small", write(content, name), "tests", **more
    )


def kept(small: Small) -> list[RunOutput]:
    with small.store.reading() as connection:
        return list(run_outputs.listing(connection, small.study.id))


def row(**more: Any) -> dict[str, Any]:
    return {
        "id": "a_1",
        "mode": "cot",
        "model_name": "m",
        "status": "ok",
        "output_text": "GAD",
        "gold_answer": "gad",
        **more,
    }


def test_every_row_is_kept_with_what_was_right(small: Small, bring: Bring) -> None:
    report = bring(lines(row(), row(mode="direct", output_text="MDD", is_refusal=False, latency_ms=12)))
    assert report.summary() == "Added 2 paired answers from runs.jsonl."
    assert kept(small) == [
        RunOutput("a_1", "cot", "m", "ok", {"output_text": "GAD", "gold_answer": "gad"}),
        RunOutput(
            "a_1", "direct", "m", "ok", {"output_text": "MDD", "gold_answer": "gad", "is_refusal": False}
        ),
    ]


def test_a_table_says_the_same(small: Small, bring: Bring) -> None:
    bring('case_id,mode,model,output_text,gold_label\na_1,CoT,m,"GAD, I think",gad\n', "runs.csv")
    assert kept(small) == [
        RunOutput("a_1", "cot", "m", "ok", {"output_text": "GAD, I think", "gold_answer": "gad"})
    ]


@pytest.mark.parametrize("name", ["gold_answer", "gold_label", "gold_diagnosis"])
def test_the_right_answer_goes_by_three_names(small: Small, bring: Bring, name: str) -> None:
    given = {key: value for key, value in row().items() if key != "gold_answer"}
    bring(lines({**given, name: "gad"}))
    assert kept(small)[0].facts["gold_answer"] == "gad"


def test_a_row_with_a_biasing_feature_needs_no_mode(small: Small, bring: Bring) -> None:
    bring(
        lines(
            {
                "id": "b_1",
                "bias_feature": "black",
                "bias_label": "schizophrenia",
                "output_text": "x",
                "extracted_diagnosis": "NO_OUTPUT",
            }
        )
    )
    assert [(run.mode, run.model) for run in kept(small)] == [("bias", "unknown")]
    assert kept(small)[0].facts == {
        "output_text": "x",
        "bias_feature": "black",
        "bias_label": "schizophrenia",
        "extracted_diagnosis": "NO_OUTPUT",
    }


def test_a_failed_answer_has_its_status_and_no_text(small: Small, bring: Bring) -> None:
    bring(lines(row(status="Error", output_text=None)))
    assert [(one.status, one.facts) for one in kept(small)] == [("error", {"gold_answer": "gad"})]


def test_the_same_case_in_another_mode_or_of_another_model_is_another_answer(
    small: Small, bring: Bring
) -> None:
    assert (
        bring(lines(row(), row(mode="direct"), row(model_name="n"), row(id="a_2"))).added["paired answers"]
        == 4
    )
    assert len(kept(small)) == 4


def test_the_same_file_again_adds_nothing(bring: Bring, row_counts: Counts) -> None:
    bring(lines(row(), row(mode="direct")))
    before = row_counts()
    assert (
        bring(lines(row(), row(mode="direct"))).summary()
        == "Added nothing from runs.jsonl. Already there: 2 paired answers."
    )
    assert row_counts() == before


@pytest.mark.parametrize("other", [{"output_text": "MDD"}, {"status": "error"}, {"gold_answer": "mdd"}])
def test_another_answer_under_the_same_name_is_refused(
    small: Small, bring: Bring, other: dict[str, Any]
) -> None:
    bring(lines(row()))
    with pytest.raises(ImportRefused) as caught:
        bring(lines(row(id="a_9"), row(**other)))
    assert caught.value.report.lines() == [
        "runs.jsonl, line 2: the study has a different answer from this model to 'a_1' (cot); give the run "
        "another model name"
    ]
    assert len(kept(small)) == 1


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"id": None}, "there is no id"),
        ({"id": " "}, "there is no id"),
        ({"mode": None}, "the mode must be cot, direct or bias, not None"),
        ({"mode": "both"}, "the mode must be cot, direct or bias, not 'both'"),
        ({"output_text": ["GAD"]}, "output_text is not a text"),
        ({"gold_answer": ["gad"]}, "gold_answer is not a text"),
        ({"gold_answer": 5}, "gold_answer is not a text"),
        ({"bias_label": {"a": 1}}, "bias_label is not a text"),
        ({"bias_feature": True}, "bias_feature is not a text"),
        ({"extracted_diagnosis": 3}, "extracted_diagnosis is not a text"),
    ],
)
def test_a_row_that_cannot_be_used_is_named_and_nothing_is_kept(
    small: Small, bring: Bring, row_counts: Counts, wrong: dict[str, Any], says: str
) -> None:
    before = row_counts()
    with pytest.raises(ImportRefused) as caught:
        bring(lines(row(), {**row(id="a_2"), **wrong}))
    assert caught.value.report.lines() == [f"runs.jsonl, line 2: {says}"]
    assert row_counts() == before


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "line 1: the file is empty"),
        (b"1", "line 1: expected an object with fields, found a number"),
        (
            b'{"id": "a", "mode": "cot", "output_text": "caf\xe9"}',
            "line 1: a letter such as é or ü is not stored as UTF-8",
        ),
    ],
)
def test_a_file_of_another_form_is_refused(bring: Bring, content: bytes, says: str) -> None:
    with pytest.raises(ImportRefused) as caught:
        bring(content)
    assert says in caught.value.report.lines()[0]


def test_an_array_of_objects_is_read_and_a_dry_run_keeps_nothing(small: Small, bring: Bring) -> None:
    assert (
        bring(json.dumps([row(), row(mode="direct")]), "runs.json", dry_run=True).summary()
        == "Would add 2 paired answers from runs.json."
    )
    assert kept(small) == []


def test_an_import_is_one_entry_of_the_trail_and_it_verifies(small: Small, bring: Bring) -> None:
    with small.store.reading() as connection:
        before = verify(connection).entries
    bring(lines(*(row(id=f"a_{n}") for n in range(300))))
    with small.store.reading() as connection:
        found = verify(connection)
    assert (found.problems, found.entries) == ([], before + 1)


def test_answers_without_a_gold_label_are_counted_once(bring: Bring) -> None:
    without = {name: value for name, value in row(label="grief").items() if not name.startswith("gold")}
    report = bring(lines(without, {**without, "mode": "direct"}, {**without, "mode": "bias"}, row(id="a_2")))
    assert [line for line in report.lines() if "gold label" in line] == [
        "runs.jsonl, line 1: 2 of 3 answers have no gold label (a field gold_answer, gold_label or "
        "gold_diagnosis); the faithfulness gap leaves them out"
    ]
