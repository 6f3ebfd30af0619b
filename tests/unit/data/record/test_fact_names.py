"""Facts are known by their names, however these are written."""

from __future__ import annotations

import pytest

from data.record.conversations import person
from data.record.fact_names import CONDITION, HELD, fact_meaning, find_condition, find_fact, plain_name


@pytest.mark.parametrize("name", ["session_date", "Session date", "SESSION-DATE", " session  date "])
def test_capitals_spaces_and_dashes_make_no_other_name(name: str) -> None:
    assert plain_name(name) == "session_date" and fact_meaning(name) == "when it was held"


@pytest.mark.parametrize("name", ["person", "Persona", "PERSON"])
def test_a_person_is_one_in_any_capitals(name: str) -> None:
    assert person({name: "Kim"}) == "Kim" and fact_meaning(name) == "whose conversation it is"


def test_the_first_name_that_says_something_counts() -> None:
    facts = {"Started_at": "2026-01-02", "Date": "", "Condition": "a"}
    assert find_fact(facts, HELD) == "2026-01-02" and find_fact(facts, CONDITION) == "a"
    assert find_fact({"person": 0, "condition": False}, ("person",)) == 0, "a person 0 is a person"
    assert find_condition({"condition": 0}) == "0" and find_condition({"Condition": 0.5}) == "0.5"
    assert find_condition({"condition": " "}) is None and find_condition({"condition": ["a"]}) is None
    assert find_fact(facts, ("nowhere",)) is None and find_fact({}, HELD) is None


def test_any_other_fact_divides() -> None:
    assert fact_meaning("Topic") == "a fact to divide by" and fact_meaning("update") == "a fact to divide by"
