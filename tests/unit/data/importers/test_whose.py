"""A file of people's ratings never becomes a judge's labels, nor the other way round."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.unit.data.importers.conftest import Bring, lines

Refuse = Callable[..., list[str]]
Counts = Callable[[], dict[str, int]]
RATED = "conversation_id,rater,criterion,label\nc2,Dr. Paper,warm,NO\nc2,Dr. Paper,safe,YES\n"
ROW = {"conversation_id": "c2", "criterion": "warm", "label": "NO"}
PEOPLES = "these look like people's ratings. Bring them in as ratings."
JUDGES = "these look like a judge's labels. Bring them in as a judge's labels."


@pytest.mark.parametrize("name", ["rat.csv", "rat.txt"])
def test_a_table_of_ratings_is_no_judge(bring_judgements: Bring, refused: Refuse, row_counts: Counts, name: str) -> None:
    before = row_counts()
    found = refused(bring_judgements, RATED, name)
    assert len(found) == 1 and found[0].startswith(f"{name}, line 1: this file has a column 'rater': {PEOPLES}")
    assert row_counts() == before


def test_nor_is_a_line_that_names_a_rater(bring_judgements: Bring, refused: Refuse, row_counts: Counts) -> None:
    before = row_counts()
    found = refused(bring_judgements, lines(ROW, {**ROW, "criterion": "safe", "Rater": "Ann"}))
    assert len(found) == 1 and found[0].startswith(f"file.jsonl, line 2: this file has a field 'Rater': {PEOPLES}")
    assert row_counts() == before


@pytest.mark.parametrize("more", [{"rater": ""}, {"rater": None}, {"rater": "Ann", "judge": "Judge D"}, {"annotator": "gpt-4"}, {"author": "gpt-4"}])
def test_what_is_not_certain_is_a_judges(bring_judgements: Bring, more: dict[str, Any]) -> None:
    assert bring_judgements(lines({**ROW, **more})).summary() == "Added 1 judgements from file.jsonl."


@pytest.mark.parametrize("column", ["judge", "judge_model", "model"])
def test_a_table_of_a_judge_is_nobodys_ratings(bring_ratings: Bring, refused: Refuse, row_counts: Counts, column: str) -> None:
    before = row_counts()
    table = f"conversation_id,criterion,label,{column}\nc2,warm,NO,m-1\nc2,safe,YES,m-1\n"
    found = refused(bring_ratings, table, "judge.csv")
    assert len(found) == 1 and found[0].startswith(f"judge.csv, line 1: this file has a column '{column}' and none that names a rater: {JUDGES}")
    assert row_counts() == before
    assert f"line 1: this file has a field '{column}'" in refused(bring_ratings, lines({**ROW, column: "m-1"}))[0]


@pytest.mark.parametrize("column", ["rater", "annotator", "clinician", "coder", "author"])
def test_ratings_may_say_whose_replies_they_are_of(bring_ratings: Bring, column: str) -> None:
    table = f"conversation_id,{column},model,criterion,label\nc2,Dr. Paper,m-1,warm,NO\n"
    assert bring_ratings(table, "rat.csv").summary() == "Added 1 ratings from rat.csv."
