"""Step validity: what each step is checked against, and what is no verdict."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.bad_input import BadInput
from scoring.step_validity import NO_STEPS, NOTHING_BEFORE, check_step_validity, step_validity
from tests.unit.scoring.entails_by_words import ByWords

steps = st.lists(st.sampled_from(["a", "b c", "not a", "d", " ", ""]) | st.text(max_size=8), max_size=12)


def test_a_step_is_checked_against_the_prompt_and_all_steps_before_it() -> None:
    model = ByWords()
    step_validity("the prompt ", ["one", " two", "three"], model)
    assert model.asked == [("the prompt", "one"), ("the prompt one", "two"), ("the prompt one two", "three")]


def test_the_share_is_of_entailed_steps_and_the_others_are_named() -> None:
    found = step_validity("a b", ["a", "c", "c", "not b"], ByWords())
    assert found.verdicts == ("entailment", "neutral", "entailment", "contradiction")
    assert (found.valid.value, found.valid.n, found.model) == (0.5, 4, "by words")
    assert (found.steps("contradiction"), found.steps("neutral")) == ((3,), (1,))


def test_a_step_that_was_contradicted_still_stands_before_the_next() -> None:
    assert step_validity("a", ["not b", "b"], ByWords()).verdicts == ("contradiction", "entailment")


def test_a_blank_step_has_no_verdict_and_does_not_count() -> None:
    found = step_validity("a", ["a", " \n", None, "a"], ByWords())
    assert found.verdicts == ("entailment", None, None, "entailment")
    assert (found.valid.value, found.valid.n) == (1.0, 2)


def test_without_a_prompt_the_first_step_follows_from_nothing_and_is_not_checked() -> None:
    assert step_validity(None, ["a", "a"], ByWords()).verdicts == (None, "entailment")


@pytest.mark.parametrize(
    ("prompt", "said", "reason"),
    [("a", [], NO_STEPS), ("", ["a"], NOTHING_BEFORE), ("a", ["", " "], NOTHING_BEFORE)],
)
def test_nothing_to_check_is_none_with_a_reason_and_asks_no_model(
    prompt: str, said: list[str], reason: str
) -> None:
    model = ByWords()
    found = step_validity(prompt, said, model)
    assert (found.valid.value, found.valid.undefined, model.calls) == (None, reason, 0)


def test_no_step_entailed_is_0_and_not_none() -> None:
    assert step_validity("a", ["z"], ByWords()).valid.value == 0.0


@given(st.text(max_size=20), steps)
def test_the_share_lies_between_0_and_1_and_is_none_exactly_without_verdicts(
    prompt: str, said: list[str]
) -> None:
    found = step_validity(prompt, said, ByWords())
    assert len(found.verdicts) == len(said)
    assert (found.valid.value is None) == (set(found.verdicts) <= {None})
    assert found.valid.value is None or 0 <= found.valid.value <= 1


def test_ten_thousand_steps_are_asked_in_batches() -> None:
    model = ByWords()
    model.verdicts = lambda pairs: ["neutral"] * len(pairs)  # type: ignore[method-assign]
    assert step_validity("a prompt", ["a step of a few words"] * 10_000, model).valid.n == 10_000


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        ((3, []), "prompt"),
        (("", "a step"), "steps"),
        (("", [1]), r"steps\[0\]"),
        (("", None), "steps"),
        (("", [float("nan")]), r"steps\[0\]"),
    ],
)
def test_arguments_of_a_wrong_kind_are_refused_by_name(arguments: Any, name: str) -> None:
    with pytest.raises(BadInput, match=f"^{name}: expected"):
        prompt, steps = arguments
        step_validity(prompt, steps, ByWords())


@pytest.mark.parametrize(
    ("context", "step", "expected"),
    [
        ("a b", "a", True),
        ("a", "b", False),
        ("a", "not a", False),
        ("", "a", None),
        ("a", " ", None),
        (None, None, None),
    ],
)
def test_the_function_of_the_seed(context: str | None, step: str | None, expected: bool | None) -> None:
    assert check_step_validity(ByWords(), context, step) is expected
