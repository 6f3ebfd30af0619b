"""A file of people's ratings never becomes a judge's labels, nor the other way round."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.unit.data.importers.conftest import Bring, lines

Refuse = Callable[..., list[str]]
Counts = Callable[[], dict[str, int]]
RATED = "conversation_id,rater,criterion,label\nc2,Dr. Paper,warm,NO\nc2,Dr. Paper,safe,YES\n"
ROW = {"conversation_id": "c2", "criterion": "warm", "label": "NO"}
PEOPLES = "these look like people's ratings. Import them as ratings."
JUDGES = "these look like a judge's labels. Import them as a judge's labels."


@pytest.mark.parametrize("name", ["rat.csv", "rat.txt"])
def test_a_table_of_ratings_is_no_judge(
    bring_judgements: Bring, refused: Refuse, row_counts: Counts, name: str
) -> None:
    before = row_counts()
    found = refused(bring_judgements, RATED, name)
    assert len(found) == 1 and found[0].startswith(
        f"{name}, line 1: this file has a column 'rater': {PEOPLES}"
    )
    assert row_counts() == before


def test_nor_is_a_line_that_names_a_rater(
    bring_judgements: Bring, refused: Refuse, row_counts: Counts
) -> None:
    before = row_counts()
    found = refused(bring_judgements, lines(ROW, {**ROW, "criterion": "safe", "Rater": "Ann"}))
    assert len(found) == 1 and found[0].startswith(
        f"file.jsonl, line 2: this file has a field 'Rater': {PEOPLES}"
    )
    assert row_counts() == before


@pytest.mark.parametrize(
    "more",
    [
        {"rater": ""},
        {"rater": None},
        {"rater": "gpt-4", "judge": "Judge D"},
        {"annotator": "gpt-4"},
        {"author": "gpt-4"},
    ],
)
def test_what_is_not_certain_is_a_judges(bring_judgements: Bring, more: dict[str, Any]) -> None:
    assert bring_judgements(lines({**ROW, **more})).summary() == "Added 1 judgement from file.jsonl."


@pytest.mark.parametrize("column", ["judge", "judge_model", "model"])
def test_a_table_of_a_judge_is_nobodys_ratings(
    bring_ratings: Bring, refused: Refuse, row_counts: Counts, column: str
) -> None:
    before = row_counts()
    table = f"conversation_id,criterion,label,{column}\nc2,warm,NO,m-1\nc2,safe,YES,m-1\n"
    problems = refused(bring_ratings, table, "judge.csv")
    assert len(problems) == 1 and problems[0].startswith(
        f"judge.csv, line 1: this file has a column '{column}' and none that names a rater: {JUDGES}"
    )
    assert row_counts() == before
    assert (
        f"line 1: this file has a field '{column}'"
        in refused(bring_ratings, lines({**ROW, column: "m-1"}))[0]
    )


@pytest.mark.parametrize("column", ["rater", "annotator", "clinician", "coder", "author"])
def test_ratings_may_say_whose_replies_they_are_of(bring_ratings: Bring, column: str) -> None:
    table = f"conversation_id,{column},model,criterion,label\nc2,Dr. Paper,m-1,warm,NO\n"
    assert bring_ratings(table, "rat.csv").summary() == "Added 1 rating from rat.csv."


# How other tools name whoever gave a label.
@pytest.mark.parametrize(
    "column",
    [
        "annotator",
        "annotator_id",
        "annotatorName",
        "Reviewer",
        "reviewer_email",
        "evaluator",
        "labeler_id",
        "worker_id",
        "WorkerId",
        "coder",
        "clinician",
        "assessor",
        "grader",
        "expert_id",
        "rater_id",
    ],
)
@pytest.mark.parametrize("value", ["Ann", 7, "A1B2C3"])
def test_a_column_of_people_under_another_name_is_no_judges(
    bring_judgements: Bring, refused: Refuse, row_counts: Counts, column: str, value: object
) -> None:
    before = row_counts()
    found = refused(bring_judgements, lines({**ROW, column: value}))
    assert len(found) == 1 and found[0].startswith(
        f"file.jsonl, line 1: this file has a field '{column}': {PEOPLES}"
    )
    assert row_counts() == before


@pytest.mark.parametrize(
    ("column", "people", "machine"),
    [
        ("annotator_kind", "HUMAN", "LLM"),
        ("source", "ANNOTATION", "EVAL"),
        ("type", "Expert", "llm-as-judge"),
        ("user", "ann@example.org", "api"),
        ("kind", "clinician_2", "CODE"),
        ("Source", "manual", "auto"),
    ],
)
@pytest.mark.parametrize("people_first", [True, False])
def test_a_table_with_rows_of_people_and_of_a_judge_is_neither(
    bring_judgements: Bring,
    bring_ratings: Bring,
    refused: Refuse,
    row_counts: Counts,
    column: str,
    people: str,
    machine: str,
    people_first: bool,
) -> None:
    before = row_counts()
    values = [people, machine] if people_first else [machine, people]
    rows = [
        {**ROW, "criterion": criterion, column: value}
        for criterion, value in zip(("warm", "safe"), values, strict=True)
    ]
    problems = refused(bring_judgements, lines(*rows))
    assert problems == [
        f"file.jsonl, line {values.index(people) + 1}: {column!r} says {people!r}: this row looks like a "
        "person's. If the file holds labels of "
        "people and of a judge, split it: import the people's rows as ratings and the others as a "
        "judge's labels. If the column means something else, rename it"
    ]
    problems = refused(bring_ratings, lines(*({**row, "rater": "Ann"} for row in rows)))
    assert (
        f"line {values.index(machine) + 1}: {column!r} says {machine!r}: this row looks like a judge's"
        in problems[0]
    )
    assert row_counts() == before


@pytest.mark.parametrize(
    ("column", "machine", "other"),
    [("source", "model", "app"), ("created_by", "auto", "Ann"), ("source", "LLM", "web")],
)
def test_a_column_that_says_machine_of_some_rows_says_person_of_the_others(
    bring_judgements: Bring, refused: Refuse, row_counts: Counts, column: str, machine: str, other: str
) -> None:
    before = row_counts()
    found = refused(
        bring_judgements, lines({**ROW, column: machine}, {**ROW, "criterion": "safe", column: other})
    )
    assert f"line 2: {column!r} says {other!r}: this row looks like a person's" in found[0]
    assert row_counts() == before


@pytest.mark.parametrize(("first", "second"), [("Ann", "auto"), ("web", "LLM"), ("Ann", "LLM-generated")])
def test_the_order_of_the_rows_decides_nothing(
    bring_judgements: Bring, refused: Refuse, row_counts: Counts, first: str, second: str
) -> None:
    before = row_counts()
    found = refused(
        bring_judgements,
        lines({**ROW, "created_by": first}, {**ROW, "criterion": "safe", "created_by": second}),
    )
    assert f"line 1: 'created_by' says {first!r}: this row looks like a person's" in found[0]
    assert row_counts() == before


@pytest.mark.parametrize(
    "column", ["labelled_by", "annotated_by", "reviewedBy", "Scored By", "coded_by_name"]
)
def test_a_column_that_says_by_whom_is_of_people(
    bring_judgements: Bring, bring_ratings: Bring, refused: Refuse, column: str
) -> None:
    assert PEOPLES in refused(bring_judgements, lines({**ROW, column: "Ann"}))[0]
    assert f"--rater-column {column}" in refused(bring_ratings, lines({**ROW, column: "Ann"}))[0]
    assert (
        bring_judgements(lines({**ROW, column: "gpt-4o"})).summary() == "Added 1 judgement from file.jsonl."
    )


@pytest.mark.parametrize(
    "more", [{"rater": "Ann", "judge": "gpt-4o"}, {"rater": "Ann", "judge_model": "m-1"}]
)
def test_a_row_with_a_person_and_a_judge_is_neithers(
    bring_judgements: Bring, bring_ratings: Bring, refused: Refuse, row_counts: Counts, more: dict[str, str]
) -> None:
    """Whose label it is cannot be told; before, each importer took it for its own."""
    before, judge = row_counts(), list(more)[1]
    assert PEOPLES in refused(bring_judgements, lines({**ROW, **more}))[0]
    problems = refused(bring_ratings, lines(ROW | {"rater": "Ann"}, {**ROW, "criterion": "safe", **more}))
    assert (
        f"line 2: {judge!r} says {more[judge]!r} next to the name of a person: whose label is it?"
        in problems[0]
    )
    assert row_counts() == before


@pytest.mark.parametrize(
    "column",
    [
        "reviewer",
        "evaluator",
        "annotator_id",
        "rater_id",
        "labelled_by",
        "physician",
        "reader",
        "rater_initials",
    ],
)
def test_a_person_under_any_name_beside_a_judge_is_asked_about(
    bring_judgements: Bring, refused: Refuse, column: str
) -> None:
    assert PEOPLES in refused(bring_judgements, lines({**ROW, "judge": "gpt-4o", column: "Ann"}))[0]


@pytest.mark.parametrize("judge", ["human", "expert_0", "Clinician 2", "ann@example.org"])
def test_people_are_no_judge_under_the_name_of_one(
    bring_judgements: Bring, refused: Refuse, row_counts: Counts, judge: str
) -> None:
    before = row_counts()
    found = refused(
        bring_judgements, lines({**ROW, "judge": "gpt-4o"}, {**ROW, "criterion": "safe", "judge": judge})
    )
    assert f"line 2: the judge is called {judge!r}, which looks like people" in found[0]
    assert row_counts() == before


@pytest.mark.parametrize("judge", ["Ann", "ANN", " Ben "])
def test_a_rater_of_the_study_is_no_judge_of_it(bring_judgements: Bring, refused: Refuse, judge: str) -> None:
    assert (
        "is a rater of this study, so the labels can't be a judge's"
        in refused(bring_judgements, lines({**ROW, "judge": judge}))[0]
    )


@pytest.mark.parametrize("rater", ["Judge A", "judge a"])
def test_a_judge_of_the_study_is_no_rater_of_it(bring_ratings: Bring, refused: Refuse, rater: str) -> None:
    assert (
        "is a judge of this study, so the labels can't be ratings"
        in refused(bring_ratings, lines({**ROW, "rater": rater}))[0]
    )


def test_people_under_several_columns_are_asked_about(bring_ratings: Bring, refused: Refuse) -> None:
    """A place before the people would otherwise give some of the labels."""
    rows = [
        {**ROW, "annotator": "Site1", "clinician": "Ann2"},
        {**ROW, "criterion": "safe", "annotator": "", "clinician": "Cy"},
    ]
    assert (
        "Some rows name the person in 'annotator' and others in 'clinician'"
        in refused(bring_ratings, lines(*rows))[0]
    )


def test_the_number_of_an_annotation_is_no_person(bring_judgements: Bring) -> None:
    assert (
        bring_judgements(lines({**ROW, "annotation_id": 17})).summary()
        == "Added 1 judgement from file.jsonl."
    )


def test_a_place_for_a_judge_that_is_empty_says_nothing(bring_ratings: Bring) -> None:
    assert (
        bring_ratings("conversation_id,rater,judge,criterion,label\nc2,Ann,,warm,NO\n", "rat.csv").summary()
        == "Added 1 rating from rat.csv."
    )


@pytest.mark.parametrize(
    "more",
    [
        {"rater": "Ann"},
        {"evaluator": "Ann"},
        {"source": "human"},
        {"annotator_kind": "HUMAN"},
        {"graded_by": "ann@example.org"},
    ],
)
@pytest.mark.parametrize(
    ("name", "entry"),
    [
        ("judgments.json", {"trial": 1, "parsed": {"warm": {"score": 1}}}),
        ("a.json", {"conversation_id": "c2", "answers": {"warm": "NO"}}),
    ],
)
def test_people_are_no_judge_in_the_published_forms_either(
    bring_judgements: Bring,
    refused: Refuse,
    row_counts: Counts,
    name: str,
    entry: dict[str, Any],
    more: dict[str, str],
) -> None:
    before = row_counts()
    problems = refused(bring_judgements, json.dumps([{**entry, **more}]), name)
    assert len(problems) == 1 and (
        "look like people's ratings" in problems[0] or "looks like a person's" in problems[0]
    )
    assert row_counts() == before


@pytest.mark.parametrize("who", ["gemini", "AI-2", "model_a", "llm 3", "GPT-4o", "bot7"])
def test_nor_are_those_of_a_model_under_a_short_name(bring_ratings: Bring, refused: Refuse, who: str) -> None:
    assert "looks like a judge's" in refused(bring_ratings, lines({**ROW, "rater": who}))[0]


@pytest.mark.parametrize("who", ["gpt-4o", "LLM", "Claude 3.7 Sonnet", "o4-mini", "llm-as-judge"])
def test_the_labels_of_a_model_are_nobodys_ratings(
    bring_ratings: Bring, refused: Refuse, row_counts: Counts, who: str
) -> None:
    before = row_counts()
    assert (
        f"'rater' says '{who}': this row looks like a judge's"
        in refused(bring_ratings, lines({**ROW, "rater": "Ann"}, {**ROW, "rater": who}))[0]
    )
    assert row_counts() == before


@pytest.mark.parametrize(
    "more",
    [
        {"source": "forum"},
        {"source": "gpt-4o"},
        {"type": "crisis"},
        {"source": "EVAL"},
        {"created_by": "pipeline 3"},
        {"user_id": 4},
        {"annotator_kind": "LLM"},
        {"evaluator": "gpt-4o"},
    ],
)
def test_what_says_nothing_of_people_is_a_judges(bring_judgements: Bring, more: dict[str, Any]) -> None:
    assert bring_judgements(lines({**ROW, **more})).summary() == "Added 1 judgement from file.jsonl."


@pytest.mark.parametrize(
    "name",
    ["Claude", "Clo Gemini", "Ada Llama", "Expert 1", "Dr. Code", "Code 7", "Aimee", "Modell B.", "R2"],
)
def test_people_may_be_called_nearly_as_models_are(bring_ratings: Bring, name: str) -> None:
    assert (
        bring_ratings(lines({**ROW, "rater": name, "source": "gpt-4o"})).summary()
        == "Added 1 rating from file.jsonl."
    )


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"label": "NO"}, {"label": "YES"}),
        ({"label": "NO"}, {"status": "failed"}),
        ({"label": "NO"}, {"label": "perhaps"}),
    ],
)
def test_two_answers_of_a_judge_to_one_question_are_an_error_with_both_lines(
    bring_judgements: Bring,
    refused: Refuse,
    row_counts: Counts,
    first: dict[str, Any],
    second: dict[str, Any],
) -> None:
    before, row = row_counts(), {"conversation_id": "c2", "criterion": "warm"}
    problems = refused(
        bring_judgements,
        lines({**row, **first}, {**row, "criterion": "safe", "label": "YES"}, {**row, **second}),
    )
    assert problems[0].startswith(
        "file.jsonl, line 3: warm of this conversation has a different answer by Judge C on line 1."
    )
    assert row_counts() == before


def test_the_same_answer_twice_is_one_answer(bring_judgements: Bring, row_counts: Counts) -> None:
    report = bring_judgements(
        lines(
            {**ROW, "reasoning": "cold"},
            ROW,
            {**ROW, "judge": "Another", "label": "YES"},
            {**ROW, "replicate": 1, "label": "YES"},
        )
    )
    assert report.added["judgements"] == 3
