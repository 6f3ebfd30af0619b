"""What models were asked beside the judgements of units, told apart from the tries of judges in the same
ledger.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from data.record import ledger, requests
from data.record.ledger import Attempt
from data.record.requests import RequestCosts
from data.schema.vocabulary import AttemptPurpose
from tests.studies.small_study import Small
from tests.unit.data.conftest import tried


@pytest.fixture
def asked(full: Small) -> Attempt:
    """An entailment that cost a millionth, as the worked study has one."""
    with full.store.reading() as connection:
        model_id = requests.find_model(connection, "b" * 64)
    nobody = {
        name: None for name in ("run_id", "judge_id", "unit_id", "criterion", "anchor_round", "replicate")
    }
    attempt = replace(tried(1, 1, 1, asked_model_id=model_id, cost_nano=1000), **nobody)  # type: ignore[arg-type]
    return replace(attempt, purpose=AttemptPurpose.ENTAILMENT, answer="neutral", key="x" * 64)


def costs(small: Small, purpose: AttemptPurpose, study_id: int | None = None) -> RequestCosts:
    with small.store.reading() as connection:
        return requests.costs(connection, study_id or small.study.id, purpose)


def test_costs_are_of_one_study_and_one_purpose(full: Small, asked: Attempt) -> None:
    before = {purpose: costs(full, purpose) for purpose in AttemptPurpose}
    with full.store.writing("tests", "ask a model", full.study.id) as (connection, entry):
        ledger.write(connection, entry, full.study.id, [asked])
        elsewhere = full.study.id + 1
        ledger.write(connection, entry, elsewhere, [replace(asked, key="y" * 64)])
    now = costs(full, AttemptPurpose.ENTAILMENT)
    spent = before[AttemptPurpose.ENTAILMENT]
    assert now == RequestCosts(spent.attempts + 1, {"USD": spent.costs["USD"] + 1000})
    assert costs(full, AttemptPurpose.ENTAILMENT, elsewhere) == RequestCosts(1, {"USD": 1000})
    for purpose in (AttemptPurpose.TRIAL, AttemptPurpose.JUDGEMENT):
        assert costs(full, purpose) == before[purpose] and before[purpose].attempts > 0
