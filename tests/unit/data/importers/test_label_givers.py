"""A file of people's ratings never becomes a judge's labels, nor the other way round."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.unit.data.importers.conftest import Bring, lines

Refuse = Callable[..., list[str]]
Counts = Callable[[], dict[str, int]]
ROW = {"conversation_id": "c2", "criterion": "warm", "label": "NO"}


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
    assert len(problems) == 1 and f"line 1: {next(iter(more))}: unknown here" in problems[0]
    assert row_counts() == before


@pytest.mark.parametrize("who", ["gemini", "AI-2", "model_a", "llm 3", "GPT-4o", "bot7"])
def test_nor_are_those_of_a_model_under_a_short_name(bring_ratings: Bring, refused: Refuse, who: str) -> None:
    assert "looks like a judge, so" in refused(bring_ratings, lines({**ROW, "rater": who}))[0]


OTHERS = [
    "claude-v2",
    "o4-mini-high",
    "sonnet-4",
    "autograder",
    "AI rater",
    "Falcon-40B",
    "Yi-34B-Chat",
    "x-instruct",
]


@pytest.mark.parametrize("who", ["gpt-4o", "LLM", "Claude 3.7 Sonnet", "o4-mini", "llm-as-judge", *OTHERS])
def test_the_labels_of_a_model_are_nobodys_ratings(
    bring_ratings: Bring, refused: Refuse, row_counts: Counts, who: str
) -> None:
    before = row_counts()
    assert (
        f"{who!r} looks like a judge, so the labels can't be ratings"
        in refused(bring_ratings, lines({**ROW, "rater": "Ann"}, {**ROW, "rater": who}))[0]
    )
    assert row_counts() == before


@pytest.mark.parametrize(
    "name",
    [
        "Claude",
        "Clo Gemini",
        "Ada Llama",
        "Expert 1",
        "Dr. Code",
        "Code 7",
        "Aimee",
        "Modell B.",
        "R2",
        "N-12",
        "Dr. Nova",
        "Haiku",
        "Grader 2",
    ],
)
def test_people_may_be_called_nearly_as_models_are(bring_ratings: Bring, name: str) -> None:
    assert bring_ratings(lines({**ROW, "rater": name})).summary() == "Added 1 rating from file.jsonl."


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
