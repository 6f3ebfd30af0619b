"""The rules of tables that keep a row from saying two things at once."""

from __future__ import annotations

from typing import Any, cast

import pytest
from sqlalchemy import Table, select

from data import schema
from data.store.errors import StoreError
from tests.studies.small_study import Small

OF_A_FILE = {"origin": "import", "run_id": None, "file": "labels.csv"}
REFUSED: list[tuple[Table, str, dict[str, Any]]] = [
    *(
        (schema.unit, "kind = 'listed'", change)
        for change in (
            {"kind": "listed", "position": -2},
            {"kind": "repeat", "position": 12},
            {"kind": "twin", "position": 12},
        )
    ),
    *(
        (schema.judgement, "origin = 'import'", {"criterion": "another", **change})
        for change in (
            {**OF_A_FILE, "origin": "run"},
            {**OF_A_FILE, "run_id": 1},
            {**OF_A_FILE, "file": None},
            {**OF_A_FILE, "origin": "run", "run_id": 1},
            {**OF_A_FILE, "origin": "guessed"},
            {"anchor_round": -1},
            {"replicate": -1},
            {"anchor_round": None},
        )
    ),
    *(
        (schema.attempt, "purpose = 'judgement'", cast("dict[str, Any]", change))
        for change in (
            {"purpose": "trial"},
            {"purpose": "guess"},
            {"asked_model_id": 1},
            *({name: None} for name in ("run_id", "judge_id", "unit_id", "criterion", "replicate")),
            {"answer": "neutral"},
            {"batched": 2},
            {"replayed": 2},
            {"price_date": None},
            {"anchor_round": -1},
        )
    ),
    *(
        (schema.attempt, "purpose = 'entailment'", change)
        for change in (
            {"purpose": "judgement"},
            {"purpose": "trial"},
            {"judge_id": 1},
            {"anchor_round": 0},
            {"asked_model_id": None},
            {"answer": None},
            {"answer": "perhaps"},
            {"status": "invalid"},
        )
    ),
]


@pytest.mark.parametrize(("table", "which", "change"), REFUSED, ids=str)
def test_a_row_of_two_minds_is_refused(full: Small, table: Table, which: str, change: dict[str, Any]) -> None:
    with full.store.reading() as connection:
        rows = connection.execute(select(table)).mappings()
        column, value = which.replace("'", "").split(" = ")
        row = next(row for row in rows if row[column] == value)
    with (
        pytest.raises(StoreError, match="change_refused"),
        full.store.writing("tests", "mix") as (_, entry),
    ):
        entry.write(table, {**row, **change})
