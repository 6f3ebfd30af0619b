"""A plan as it is kept: what an older version did not have yet."""

from __future__ import annotations

import json

import pytest

from data import schema
from data.store.errors import Refused
from data.work import plan as plans
from data.work.plan import WorkPlan
from reports.refusals import word_error
from tests.studies.small_study import Small


def test_a_plan_from_before_the_threshold_is_read_with_the_usual_one(small: Small) -> None:
    body = json.loads(WorkPlan(pass_mark=0.9).model_dump_json())
    del body["recalibrate_below"]
    with small.store.writing("tests", "plan", small.study.id) as (_, entry):
        entry.write(schema.work_plan, {"study_id": small.study.id, "version": 1, "body": json.dumps(body)})
    with small.store.reading() as connection:
        found = plans.current(connection, small.study.id)
    assert found == WorkPlan(pass_mark=0.9, recalibrate_below=0.8)


@pytest.mark.parametrize("wrong", [0.4, 1.01, None, "much"])
def test_a_threshold_out_of_range_is_refused_in_the_words_of_the_field(wrong: object) -> None:
    with pytest.raises(Refused, match="plan_out_of_range") as refused:
        plans.checked(recalibrate_below=wrong)
    assert word_error(refused.value) == (
        "Percent of same labels below which a rater is to be calibrated again: from 50 to 100."
    )


def test_plans_that_differ_in_the_threshold_are_not_the_same() -> None:
    assert not WorkPlan().same_as(WorkPlan(recalibrate_below=0.7)) and WorkPlan().same_as(
        WorkPlan(recalibrate_below=0.8)
    )
