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
from tests.unit.data.conftest import asked_model


@pytest.fixture
def attempt(full: Small) -> Attempt:
    """An entailment that cost a millionth of a dollar, by the model that the worked study has asked."""
    with full.store.reading() as connection:
        model_id = requests.find_model(connection, "b" * 64)
    assert model_id is not None
    return asked_model(model_id, 1, AttemptPurpose.ENTAILMENT, answer="neutral", key="x" * 64, cost_nano=1000)


def costs(small: Small, purpose: AttemptPurpose, study_id: int | None = None) -> RequestCosts:
    with small.store.reading() as connection:
        return requests.costs(connection, study_id or small.study.id, purpose)


def test_costs_are_of_one_study_and_one_purpose(full: Small, attempt: Attempt) -> None:
    before = {purpose: costs(full, purpose) for purpose in AttemptPurpose}
    with full.store.writing("tests", "ask a model", full.study.id) as (connection, entry):
        ledger.write(connection, entry, full.study.id, [attempt])
        elsewhere = full.study.id + 1
        ledger.write(connection, entry, elsewhere, [replace(attempt, key="y" * 64)])
    now = costs(full, AttemptPurpose.ENTAILMENT)
    spent = before[AttemptPurpose.ENTAILMENT]
    assert now == RequestCosts(spent.attempts + 1, {"USD": spent.costs["USD"] + 1000})
    assert costs(full, AttemptPurpose.ENTAILMENT, elsewhere) == RequestCosts(1, {"USD": 1000})
    for purpose in (AttemptPurpose.TRIAL, AttemptPurpose.JUDGEMENT):
        assert costs(full, purpose) == before[purpose] and before[purpose].attempts > 0
