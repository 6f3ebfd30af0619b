"""Which judge the headlines are of, of several: decided, chosen, or the first with a label of the study."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from data import schema
from data.record import adoptions, judgements
from data.record.adoptions import AdoptionEvidence
from data.record.fact_names import find_fact
from data.record.generating_models import Reply, number_cases
from tests.studies.anchored import freeze, rate_alike
from tests.studies.small_study import Small

Make = Callable[..., Small]


def answer(small: Small, name: str, **changed: Any) -> int:
    """The id of a judge with one answer."""
    with small.store.writing("tests", "answer", small.study.id) as (connection, entry):
        judge = judgements.register(connection, entry, small.study.id, judgements.JudgeIdentity(name))
        row = {
            "study_id": small.study.id,
            "unit_id": small.desk().unit(2).id,
            "judge_id": judge,
            "criterion": "warm",
            "status": "ok",
            "label": "YES",
            "cited": "[]",
            "anchor_round": 0,
            "replicate": 0,
            "origin": "import",
            "file": "tests",
        }
        entry.write(schema.judgement, {**row, **changed})
        return judge


def in_use(small: Small) -> int | None:
    with small.store.reading() as connection:
        return adoptions.judge_in_use(connection, small.study.id)


@pytest.mark.parametrize(
    "changed", [{"status": "truncated", "label": None}, {"anchor_round": 1}], ids=["failed", "anchors"]
)
def test_a_judge_without_a_label_of_the_study_is_not_in_use(
    make_study: Make, changed: dict[str, Any]
) -> None:
    small = make_study(with_judges=False)
    answer(small, "First", **changed)
    assert in_use(small) is None
    second = answer(small, "Second")
    assert in_use(small) == second


def test_what_was_decided_on_the_anchors_goes_before_what_was_chosen(make_study: Make) -> None:
    small = make_study()
    rate_alike(small, failing=(3,))
    freeze(small.store, small.study)
    first, second = small.judges
    with small.store.writing("tests", "choose", small.study.id) as (connection, entry):
        adoptions.choose_judge(connection, entry, small.study, second, "Dr Lee", first)
    assert in_use(small) == second
    with small.store.writing("tests", "decide", small.study.id) as (connection, entry):
        adoptions.adopt(connection, entry, small.study, first, AdoptionEvidence(), "Dr Lee", "", None)
    assert in_use(small) == first


def test_of_two_spellings_of_a_fact_the_one_that_says_something_counts() -> None:
    assert find_fact({"Person": "", "person": "p1"}, ("person",)) == "p1"
    assert find_fact({"Person": "p1", "PERSON": "p2"}, ("person",)) == "p1", "of two that do, the first"
    assert find_fact({"Date": None}, ("date",)) is None


def test_the_case_is_the_fact_that_most_replies_of_both_families_share() -> None:
    replies = {
        2 * number + own: Reply("Google" if own else "OpenAI", {"prompt": "v1", "scenario": f"s{number}"})
        for number in range(30)
        for own in (0, 1)
    }
    cases = number_cases(replies, "Google")
    assert len(set(cases.values())) == 30 and all(cases[2 * n] == cases[2 * n + 1] for n in range(30))
    apart = {
        number: Reply("Google" if number % 2 else "OpenAI", {"case": f"c{number}"}) for number in range(9)
    }
    assert number_cases(apart, "Google") == {}
