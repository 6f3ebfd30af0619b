"""Run tables and average curves come in by their headers, whole or not at all, and nothing that is there is
told otherwise.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from data.importers.report import ImportRefused, ImportReport
from data.record import run_summaries
from data.record.run_summaries import RunCurve, RunSummary
from tests.studies import importing
from tests.studies.small_study import Small

STRATEGIES = (
    "confrontation",
    "self_empowerment",
    "safety",
    "cognitive_reframe",
    "social_support",
    "sensory_modulation",
)
HEADER = [
    "run_id",
    "model",
    "vignette",
    "temperature",
    "slice",
    "n_trials",
    "mode",
    "validity_rate",
    "jaccard_all",
    "jaccard_valid",
    "modal_set_agreement",
    "bertscore_f1",
    "bertscore_precision",
    "bertscore_recall",
    "alignment_mean",
    *(f"n_{name}" for name in STRATEGIES),
    *(f"align_{name}" for name in STRATEGIES),
    "tier",
]
DEPTH = [
    "run_id",
    "model",
    "vignette",
    "temperature",
    "n_messages",
    "jaccard",
    "bertscore_f1",
    "alignment",
    "validity",
    "modal_agreement",
    "slice",
]
ROW = {
    "run_id": "r1",
    "model": "fox",
    "vignette": "calm",
    "temperature": "0.3",
    "n_trials": "20",
    "mode": "fused",
    "validity_rate": "1.0",
    "jaccard_all": "0.75",
    "jaccard_valid": "0.75",
    "modal_set_agreement": "0.8",
    "bertscore_f1": "0.7",
    "bertscore_precision": "0.71",
    "bertscore_recall": "0.69",
    "alignment_mean": "0.9",
    "n_safety": "20",
    "n_confrontation": "0",
    "align_safety": "0.9",
    "tier": "experiment",
}
DEEP = {
    "run_id": "r1",
    "model": "fox",
    "vignette": "calm",
    "temperature": "0.3",
    "n_messages": "13",
    "jaccard": "0.75",
    "bertscore_f1": "0.7",
    "alignment": "0.9",
    "validity": "1.0",
    "modal_agreement": "0.8",
    "slice": "2",
}


def table(*rows: dict[str, str], header: list[str] | None = None, comma: str = ",", end: str = "\n") -> str:
    header = header or HEADER
    return (
        end.join(
            comma.join(line) for line in [header, *([row.get(name, "") for name in header] for row in rows)]
        )
        + end
    )


@pytest.fixture
def bring(small: Small, write: Callable[..., Path]) -> Callable[..., ImportReport]:
    return lambda content, name="runs.csv", **more: importing.import_run_table(
        small.store, "small", write(content, name), "tests", **more
    )


@pytest.fixture
def refusal(bring: Callable[..., ImportReport]) -> Callable[..., list[str]]:
    def run(*arguments: Any) -> list[str]:
        with pytest.raises(ImportRefused) as caught:
            bring(*arguments)
        return caught.value.report.lines()

    return run


def kept(small: Small) -> list[RunSummary]:
    with small.store.reading() as connection:
        return run_summaries.listing(connection, small.study.id)


def test_the_table_of_28_columns_comes_in_whole_and_blank_is_not_zero(
    bring: Callable[..., ImportReport], small: Small
) -> None:
    assert len(HEADER) == 28
    assert (
        bring(table(ROW, {**ROW, "run_id": "r2", "alignment_mean": ""})).summary()
        == "Added 2 runs from runs.csv."
    )
    first, other = kept(small)
    assert first == RunSummary(
        "r1",
        "table",
        "fox",
        "calm",
        0.3,
        None,
        None,
        20,
        "fused",
        "experiment",
        {
            "validity_rate": 1.0,
            "jaccard_all": 0.75,
            "jaccard_valid": 0.75,
            "modal_set_agreement": 0.8,
            "bertscore_f1": 0.7,
            "bertscore_precision": 0.71,
            "bertscore_recall": 0.69,
            "alignment_mean": 0.9,
            "n_safety": 20,
            "n_confrontation": 0,
            "align_safety": 0.9,
        },
    )
    assert "alignment_mean" not in other.numbers


def test_the_same_table_twice_adds_nothing(bring: Callable[..., ImportReport], small: Small) -> None:
    bring(table(ROW))
    assert bring(table(ROW)).summary() == "Added nothing from runs.csv. Already there: 1 run."
    assert len(kept(small)) == 1


def test_any_order_of_columns_and_any_case_of_their_names(
    bring: Callable[..., ImportReport], small: Small
) -> None:
    bring(table(ROW))
    assert bring(table(ROW, header=HEADER[::-1])).already == {"runs": 1}
    assert bring(table(ROW).replace("alignment_mean", " Alignment_Mean ")).already == {"runs": 1}


def test_the_depth_table_adds_to_a_run_what_the_other_did_not_tell(
    bring: Callable[..., ImportReport], small: Small
) -> None:
    bring(table(ROW))
    assert bring(table(DEEP, header=DEPTH)).added == {"runs": 1}
    [run] = kept(small)
    assert (
        run.n_messages,
        run.slice,
        run.tier,
        run.numbers["alignment_mean"],
        run.numbers["bertscore_recall"],
    ) == (13, 2, "experiment", 0.9, 0.69)
    assert bring(table(DEEP, header=DEPTH)).already == bring(table(ROW)).already == {"runs": 1}


def test_the_depth_table_alone(bring: Callable[..., ImportReport], small: Small) -> None:
    bring(table(DEEP, header=DEPTH))
    assert kept(small)[0].numbers == {
        "jaccard_all": 0.75,
        "bertscore_f1": 0.7,
        "alignment_mean": 0.9,
        "validity_rate": 1.0,
        "modal_set_agreement": 0.8,
    }


def test_another_value_of_a_run_is_refused_with_its_line_and_nothing_is_kept(
    bring: Callable[..., ImportReport], refusal: Callable[..., list[str]], small: Small
) -> None:
    bring(table(ROW))
    message = refusal(table({**ROW, "run_id": "new"}, {**ROW, "jaccard_all": "0.5"}))
    assert message == [
        "runs.csv, line 3: the study holds the run 'r1' with jaccard_all 0.75 and keeps it, but the file says 0.5. Give a repeated run another run_id"
    ]
    assert [run.run for run in kept(small)] == ["r1"]


def test_a_run_twice_in_one_table_is_refused(refusal: Callable[..., list[str]]) -> None:
    assert refusal(table(ROW, ROW)) == ["runs.csv, line 3: the run 'r1' is already on line 2"]


@pytest.mark.parametrize(
    ("column", "cell", "says"),
    [
        (
            "alignment_mean",
            "NaN",
            "alignment_mean: 'NaN' is not a number; leave the cell empty instead",
        ),
        ("alignment_mean", "inf", "alignment_mean: 'inf' is not a number; expected a number from 0 to 1"),
        ("alignment_mean", "1e999", "alignment_mean: '1e999' is not a number; expected a number from 0 to 1"),
        ("alignment_mean", "85%", "alignment_mean: '85%' is a percentage; write it as a share, such as 0.85"),
        (
            "alignment_mean",
            "85",
            "alignment_mean: 85 is not a number from 0 to 1; write a percentage as a share, such as 0.85",
        ),
        ("jaccard_all", "-0.1", "jaccard_all: -0.1 is not a number from 0 to 1"),
        ("bertscore_f1", "-1.5", "bertscore_f1: -1.5 is not a number from -1 to 1"),
        ("temperature", "warm", "temperature: 'warm' is not a number; expected a temperature such as 0.7"),
        ("temperature", "-1", "temperature: -1 is not a temperature such as 0.7"),
        ("n_trials", "2.5", "n_trials: 2.5 is not a whole number from 0"),
        ("n_trials", "1_000", "n_trials: '1_000' is not a number; expected a whole number from 0"),
        ("n_safety", "-2", "n_safety: -2 is not a whole number from 0"),
        ("slice", "second", "slice: 'second' is not a number; expected the number of a slice"),
        ("jaccard_all", "٠.٥", "jaccard_all: '٠.٥' is not a number; expected a number from 0 to 1"),
        ("model", "", "there is no model"),
        ("run_id", " ", "there is no run_id"),
        ("vignette", "x" * 201, "vignette: expected a name of at most 200 characters"),
        (
            "model",
            "FÃ©lix",
            'model: the name looks wrongly decoded ("Ã©"); save the source as UTF-8 and import it again',
        ),
    ],
)
def test_a_wrong_cell_is_told_with_line_and_column(
    refusal: Callable[..., list[str]], column: str, cell: str, says: str
) -> None:
    assert refusal(table(ROW, {**ROW, "run_id": "r2", column: cell})) == [f"runs.csv, line 3: {says}"]


def test_every_wrong_cell_of_a_row_is_told(refusal: Callable[..., list[str]]) -> None:
    assert len(refusal(table({**ROW, "temperature": "hot", "jaccard_all": "2", "n_trials": "few"}))) == 3


def test_a_decimal_comma_is_read_and_said_and_a_count_with_one_is_refused(
    bring: Callable[..., ImportReport], refusal: Callable[..., list[str]], small: Small
) -> None:
    report = bring(table({**ROW, "temperature": "0,5", "alignment_mean": "0,95"}, comma=";"))
    assert report.lines() == ["runs.csv: decimal commas were read as points: 0,5 is 0.5"]
    assert (kept(small)[0].temperature, kept(small)[0].numbers["alignment_mean"]) == (0.5, 0.95)
    assert refusal(table({**ROW, "n_trials": "1,000"}, comma=";")) == [
        "runs.csv, line 2: n_trials: '1,000' has a comma; expected a whole number from 0, without one"
    ]


def test_a_whole_number_may_be_written_as_tables_with_blanks_write_it(
    bring: Callable[..., ImportReport], small: Small
) -> None:
    bring(table({**ROW, "slice": "2.0", "n_safety": "20.0"}))
    assert (kept(small)[0].slice, kept(small)[0].numbers["n_safety"]) == (2, 20)


@pytest.mark.parametrize(
    "content",
    [
        b"\xef\xbb\xbf" + table(ROW).encode(),
        table(ROW, end="\r\n").encode(),
        table(ROW, comma=";").encode(),
        table(ROW, comma="\t").encode(),
        table(ROW, end="\r\n", comma=";").encode("utf-8-sig"),
    ],
    ids=["byte-order mark", "CRLF", "semicolon", "tab", "all three"],
)
def test_forms_of_the_same_table(bring: Callable[..., ImportReport], small: Small, content: bytes) -> None:
    bring(table(ROW))
    assert bring(content).already == {"runs": 1}


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "line 1: the file is empty"),
        (b"\n\n", "line 1: the file is empty"),
        (table().encode(), "line 1: the table has no rows"),
        (table(ROW).encode("utf-16"), "line 1: the file is UTF-16"),
        (
            table({**ROW, "model": "Félix"}).encode("latin-1"),
            "line 2: a letter such as é or ü is not stored as UTF-8",
        ),
        (b"run_id,model,jaccard,jaccard\nr,m,1,1\n", "line 1: two columns have the name 'jaccard'"),
        (
            b"run_id,model,jaccard,jaccard_all\nr,m,1,1\n",
            "line 1: the columns 'jaccard' and 'jaccard_all' mean the same",
        ),
        (
            b"run_id,model,Jaccard,jaccard\nr,m,1,1\n",
            "line 1: the columns 'Jaccard' and 'jaccard' mean the same",
        ),
        (b"model,jaccard\nm,1\n", "line 1: there is no column run_id"),
        (b"run_id,jaccard\nr,1\n", "line 1: there is no column model"),
        (b"run_id,model,temperature\nr,m,1\n", "line 1: there is no column with a number of a run"),
        (b"conversation_id,criterion,label\nc,warm,YES\n", "found: conversation_id, criterion, label"),
        (b"run_id,model,jaccard\nr,m,1,2\n", "line 2: this row has more cells"),
    ],
)
def test_what_is_no_run_table_is_refused(
    refusal: Callable[..., list[str]], content: bytes, says: str
) -> None:
    assert says in refusal(content)[0]


def test_other_columns_are_left_out_and_told(bring: Callable[..., ImportReport]) -> None:
    report = bring("run_id,model,jaccard,colour\nr,m,1,red\n")
    assert report.lines() == ["runs.csv, line 1: left out, because a run table has no such column: colour"]


def test_a_run_without_a_number_is_kept_and_told(bring: Callable[..., ImportReport], small: Small) -> None:
    assert "the run 'r' has no number" in bring("run_id,model,jaccard\nr,m,\n").lines()[0]
    assert kept(small)[0].numbers == {}


def test_a_dry_run_says_the_same_and_keeps_nothing(bring: Callable[..., ImportReport], small: Small) -> None:
    assert bring(table(ROW), dry_run=True).summary() == "Would add 1 run from runs.csv."
    assert kept(small) == []


def test_a_large_table_comes_in_and_a_wrong_last_line_keeps_all_of_it_out(
    bring: Callable[..., ImportReport], refusal: Callable[..., list[str]], small: Small
) -> None:
    rows = [{**ROW, "run_id": f"r{number}"} for number in range(20_000)]
    assert refusal(table(*rows, {**ROW, "run_id": "last", "jaccard_all": "x"}))[0].startswith(
        "runs.csv, line 20002: jaccard_all"
    )
    assert kept(small) == []
    assert bring(table(*rows)).added == {"runs": 20_000}


def test_rows_as_json_are_read_too(bring: Callable[..., ImportReport], small: Small) -> None:
    bring(
        json.dumps(
            [
                {"run_id": "r", "model": "m", "temperature": 0.5, "jaccard": None, "alignment": 0.9},
                {"run_id": "s", "model": "m", "jaccard": 1},
            ]
        ),
        "runs.json",
    )
    assert [run.numbers for run in kept(small)] == [{"alignment_mean": 0.9}, {"jaccard_all": 1}]


def curve(**more: Any) -> dict[str, Any]:
    return {
        "model": "fox",
        "usable_cases": 30,
        "entity_recall_t1": 1.0,
        "recall_curve": [1.0, 0.5, None, 0.25],
        "tdr": -0.25,
        **more,
    }


def test_average_curves_come_in_and_a_slope_that_differs_is_told(
    bring: Callable[..., ImportReport], small: Small
) -> None:
    report = bring(
        json.dumps([curve(), curve(model="owl", recall_curve=[1.0, 0.5], tdr=-0.4)]), "drift_metrics.json"
    )
    assert report.added == {"average curves": 2}
    assert (
        "slope of -0.250000 per turn for the curve of 'fox', but the curve's slope is -0.232143"
        in report.lines()[0]
    )
    assert (
        "slope of -0.400000 per turn for the curve of 'owl', but the curve's slope is -0.500000"
        in report.lines()[1]
    )
    assert kept(small)[0] == RunSummary("fox", "curve", "fox", curve=RunCurve((1.0, 0.5, None, 0.25), 30))
    assert bring(json.dumps([curve()]), "drift_metrics.json").already == {"average curves": 1}


@pytest.mark.parametrize(
    ("value", "says"),
    [
        (
            curve(recall_curve=[1.0, "half"]),
            "the curve of 'fox' has no number from 0 to 1 at turn 2; write null for a turn without a value",
        ),
        (curve(recall_curve=[1.0, float("nan")]), "at turn 2"),
        (curve(recall_curve=[True]), "at turn 1"),
        (curve(recall_curve=[1.0, 1.5]), "at turn 2"),
        (curve(recall_curve=[]), "the curve of 'fox' is empty"),
        (curve(model=None), "there is no model"),
        (curve(usable_cases=-3), "usable_cases of 'fox' must be a whole number from 1"),
        ("fox", "expected an object with fields, found a text"),
    ],
)
def test_a_wrong_curve_is_refused(refusal: Callable[..., list[str]], value: Any, says: str) -> None:
    assert says in refusal(json.dumps([curve(model="owl"), value]), "drift_metrics.json")[0]


def test_another_curve_of_a_model_is_refused(
    bring: Callable[..., ImportReport], refusal: Callable[..., list[str]]
) -> None:
    bring(json.dumps([curve()]), "drift_metrics.json")
    assert (
        "the study holds another curve of the model 'fox'"
        in refusal(json.dumps([curve(recall_curve=[1.0, 0.5, 0.4, 0.25])]), "drift_metrics.json")[0]
    )
    assert (
        "is already on line 1"
        in refusal(json.dumps([curve(model="new"), curve(model="new")]), "drift_metrics.json")[0]
    )
