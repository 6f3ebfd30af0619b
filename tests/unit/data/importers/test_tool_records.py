"""Records of other tools that repeat themselves, were not finished, or look like each other."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from data.importers.profiles.functions import evaluate
from data.importers.report import ImportRefused
from data.record.studies import Study
from data.store.store import Store
from tests.studies.tool_files import FORMS, bring, rows_of, stored, tool_of

ASKED = {"role": "user", "content": "I feel bad"}
ANSWERED = {"role": "assistant", "content": "Tell me more"}
WHOLE = [["user", "I feel bad"], ["assistant", "Tell me more"]]
RUN = {"id": "r1", "run_type": "chain"}
TRACE = {"id": "r1", "timestamp": "2026-01-01T00:00:00Z", "scores": []}
LANGCHAIN = [
    {"type": "human", "content": "I feel bad", "id": "m1"},
    {"type": "ai", "content": "Tell me more"},
]
SPAN = {"context": {"span_id": "r1"}}
KIND, IN, OUT = "openinference.span.kind", "llm.input_messages", "llm.output_messages"


def _write(path: Path, *records: Any) -> Path:
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    return path


def _table(path: Path, header: str, *rows: str) -> Path:
    path.write_text("\n".join((header, *rows)) + "\n")
    return path


REPEATED: Sequence[tuple[str, dict[str, Any]]] = (
    ("langsmith_runs", {**RUN, "inputs": {"messages": [ASKED]}, "outputs": {"messages": LANGCHAIN}}),
    ("langfuse_traces", {**TRACE, "input": [ASKED], "output": {"messages": [ASKED, ANSWERED]}}),
    ("preference", {"prompt": "I feel bad", "chosen": [ASKED, ANSWERED], "rejected": [ASKED, ANSWERED]}),
    (
        "mlflow",
        {"info": {"trace_id": "r1"}, "data": {"request": "I feel bad", "response": [ASKED, ANSWERED]}},
    ),
    (
        "openinference",
        {
            **SPAN,
            "attributes": {
                KIND: "LLM",
                **{f"{IN}.0.message.{name}": text for name, text in ASKED.items()},
                **{f"{OUT}.0.message.{name}": text for name, text in ASKED.items()},
                **{f"{OUT}.1.message.{name}": text for name, text in ANSWERED.items()},
            },
        },
    ),
)


@pytest.mark.parametrize(("tool", "record"), REPEATED, ids=[tool for tool, _ in REPEATED])
def test_an_output_that_repeats_its_input_gives_each_message_once(
    store: Store, tmp_path: Path, tool: str, record: dict[str, Any]
) -> None:
    path = _write(tmp_path / "one.jsonl", record)
    assert tool_of(path) == tool
    report = bring(store, path)
    assert list(stored(store).words.values()) == [WHOLE]
    assert "one.jsonl: 1 output repeats the messages of its input, which were kept once" in report.lines()


@pytest.mark.parametrize(
    ("asked", "answered", "expected"),
    [
        ([ASKED], [ANSWERED], "ua"),
        ([ASKED], [ANSWERED, ASKED, ANSWERED], "uaua"),
        ([ASKED, ANSWERED, ASKED], [ASKED, ANSWERED], "uauua"),  # another beginning than the input
        ([ASKED], [{**ASKED, "content": "I feel bad."}, ANSWERED], "uua"),
        ([ASKED, ANSWERED, ASKED], [ANSWERED], "uaua"),
    ],
)
def test_only_an_output_that_begins_with_all_of_its_input_repeats_it(
    store: Store, tmp_path: Path, asked: list[Any], answered: list[Any], expected: str
) -> None:
    path = _write(tmp_path / "one.jsonl", {**TRACE, "input": asked, "output": answered})
    report = bring(store, path)
    assert "".join(role[0] for role, _ in stored(store).words["r1"]) == expected
    assert not [line for line in report.lines() if "kept once" in line]


@pytest.mark.parametrize(("number", "told"), [(1, "1 rejected reply"), (2, "2 rejected replies")])
def test_rejected_replies_are_counted_and_not_their_messages(
    store: Store, tmp_path: Path, number: int, told: str
) -> None:
    records = [
        {"prompt": f"I feel bad {place}", "chosen": [ANSWERED], "rejected": [ASKED, ANSWERED]}
        for place in range(number)
    ]
    report = bring(store, _write(tmp_path / "pairs.jsonl", *records))
    assert f"pairs.jsonl: left out: {told}" in report.lines()


def test_a_label_that_equals_the_id_of_its_record_is_kept(talked_study: Study, tmp_path: Path) -> None:
    header = "Record ID,Repeat Instrument,Repeat Instance,Rater,CQ1,CQ3,Complete?"
    path = _table(tmp_path / "labels.csv", header, "Yes,Rating,1,No,Yes,No,Complete")
    rows, report = rows_of(path, talked_study, "redcap_labels")
    assert [
        (row["conversation_id"], row["rater"], row["criterion"], row["label"]) for row in rows["ratings"]
    ] == [
        ("Yes", "No", "CQ1", "YES"),
        ("Yes", "No", "CQ3", "NO"),
    ]
    assert report.lines() == []


LEFT_OUT = {1: "1 row of a form that is not complete", 2: "2 rows of forms that are not complete"}
RAW = "record_id,redcap_repeat_instrument,redcap_repeat_instance,rater,cq1,cq3"
LABELS = "Record ID,Repeat Instrument,Repeat Instance,Rater,CQ1,CQ3"


@pytest.mark.parametrize(
    ("tool", "header", "rows", "conversations", "left_out"),
    [
        ("redcap", f"{RAW},rating_complete", ("c1,rating,1,Ann,1,0,2", "c2,rating,1,Ann,1,0,"), "c1 c1", 1),
        ("redcap", f"{RAW},rating_complete", ("c1,rating,1,Ann,1,0,0", "c2,rating,1,Ann,1,0,"), "", 2),
        ("redcap", RAW, ("c1,rating,1,Ann,1,0",), "c1 c1", 0),
        (  # two forms: each cell belongs to the form whose status follows
            "redcap",
            "record_id,age,person_complete,redcap_repeat_instrument,redcap_repeat_instance,rater,cq1,rating_complete",
            ("c1,44,2,,,,,", "c1,,,rating,1,Ann,1,2", "c1,,,rating,2,Ben,1,", "c2,,2,,,Ann,1,"),
            "c1",
            2,
        ),
        ("redcap", f"rating_complete,{RAW}", ("2,c1,rating,1,Ann,1,0", ",c2,rating,1,Ann,1,0"), "c1 c1", 1),
        ("redcap_double", "record_id,cq1,rating_complete", ("c1--1,1,2", "c1--2,1,"), "c1", 1),
        (
            "redcap_labels",
            f"{LABELS},Complete?",
            (
                "c1,Rating,1,Ann,Yes,No,Complete",
                "c2,Rating,1,Ann,Yes,No,",
                "c3,Rating,1,Ann,Yes,No,Incomplete",
            ),
            "c1 c1",
            2,
        ),
        ("redcap_labels", LABELS, ("c1,Rating,1,Ann,Yes,No",), "c1 c1", 0),
    ],
)
def test_only_forms_that_are_marked_as_complete_give_labels(
    talked_study: Study,
    tmp_path: Path,
    tool: str,
    header: str,
    rows: tuple[str, ...],
    conversations: str,
    left_out: int,
) -> None:
    path = _table(tmp_path / "forms.csv", header, *rows)
    assert tool_of(path) == tool
    read, report = rows_of(path, talked_study, tool)
    assert [row["conversation_id"] for row in read["ratings"]] == conversations.split()
    notice = [line for line in report.lines() if "not complete" in line]
    assert len(notice) == bool(left_out) and (not left_out or LEFT_OUT[left_out] in notice[0])


def test_a_row_is_cut_into_sections_by_the_columns_that_end_them() -> None:
    row = {"a": 1, "x_end": 2, "b": 3, "y_end": "", "c": 4}
    assert evaluate("sections(@, '_end')[].[key, value, status]", row) == [
        ["a", 1, 2],
        ["x_end", 2, 2],
        ["b", 3, ""],
        ["y_end", "", ""],
        ["c", 4, ""],
    ]
    assert evaluate("sections(@, '_no')[].status", {"a": 1}) == []  # null, which a projection leaves out
    assert evaluate("column(@, 'rater')", {"x": 1, "Annotator Name": "Ann"}) == "Annotator Name"
    assert evaluate("column(@, 'rater')", {"x": 1}) is None


def test_an_answer_never_overrules_what_the_tool_says_about_who_gave_a_label(store: Store) -> None:
    bring(store, FORMS / "langfuse/traces_export.jsonl")
    givers = ("EVAL=people", "ANNOTATION=judges")
    report = bring(store, FORMS / "langfuse/scores_export.jsonl", givers=givers)
    assert (report.added["ratings"], report.added["judgements"]) == (48, 24)


def test_labels_alone_make_no_conversations_where_a_criterion_needs_a_number_of_turns(store: Store) -> None:
    with pytest.raises(ImportRefused) as refused:
        bring(store, FORMS / "redcap/data_labels_repeating.csv", text="elsewhere")
    assert [line for line in refused.value.report.lines() if "left out" not in line] == [
        "data_labels_repeating.csv: the study has no conversations yet; import the conversations before their "
        "labels"
    ]
    assert stored(store).words == {}


def test_one_label_that_rests_on_the_judge_is_said_as_one(
    store: Store, talked_study: Study, tmp_path: Path
) -> None:
    result = {"type": "choices", "from_name": "CQ1", "origin": "prediction", "value": {"choices": ["YES"]}}
    task = json.loads((FORMS / "label_studio/export.json").read_text())[0]
    first = {**task["annotations"][0], "result": [{**task["annotations"][0]["result"][0], **result}]}
    path = tmp_path / "one.json"
    path.write_text(json.dumps([{**task, "annotations": [first], "predictions": []}]))
    with pytest.raises(ImportRefused) as refused:
        bring(store, path)
    assert any(
        "says that 1 label of people rests on a label of the judge" in line
        for line in refused.value.report.lines()
    )
