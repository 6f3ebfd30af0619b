"""The alignment of an experiment: what was judged, what was not, and that neither is a 0."""

from __future__ import annotations

import time
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.bad_input import BadInput
from scoring.plan_alignment import Experiment, JudgeFailed, compute_alignment

IDS = ("safety", "mastery", "support")
scored = st.dictionaries(st.sampled_from(IDS), st.integers(0, 2), max_size=3)
trials = st.lists(
    st.tuples(
        st.frozensets(st.sampled_from(IDS)), st.sampled_from(["a reply", "", " "]), scored, st.booleans()
    ),
    max_size=6,
)


def run(held: list[tuple[frozenset[str], str, dict[str, int], bool]]) -> Experiment:
    waiting = iter([entry for entry in held if entry[0] and entry[1].strip()])

    def judge(declared: Sequence[str], response: str) -> str:
        _, _, scores, fails = next(waiting)
        if fails:
            raise JudgeFailed("no answer")
        return "\n".join(
            f"{name}: because | score: {score}" for name, score in scores.items() if name in declared
        )

    return compute_alignment([entry[0] for entry in held], [entry[1] for entry in held], judge)


@given(trials)
def test_every_mean_lies_between_0_and_1_and_is_none_exactly_when_no_trial_was_judged(
    held: list[Any],
) -> None:
    result = run(held)
    judged = [trial for trial in result.trials if trial.status == "judged"]
    mean = result.alignment_mean_judged
    assert (mean.value is None) == (not judged) == (mean.undefined is not None)
    assert mean.n == len(judged)
    assert mean.value is None or 0 <= mean.value <= 1
    assert 0 <= result.reference_mean <= 1
    assert all(0 <= value <= 1 for value in result.per_strategy().values())


@given(trials)
def test_a_trial_has_an_alignment_exactly_when_every_declared_strategy_has_a_score(held: list[Any]) -> None:
    for trial in run(held).trials:
        assert (trial.alignment is not None) == (
            bool(trial.declared) and set(trial.scores) == set(trial.declared) and trial.status == "judged"
        )
        assert set(trial.scores) <= set(trial.declared)
        if trial.alignment is not None:
            assert trial.alignment == trial.reference_alignment


@given(trials)
def test_the_published_mean_counts_failures_as_0_and_so_never_lies_above_the_judged_one_for_the_same_trials(
    held: list[Any],
) -> None:
    found = run(held)
    if (
        all(trial.status in ("judged", "skipped", "failed") for trial in found.trials)
        and found.alignment_mean_judged.value is not None
    ):
        assert found.reference_mean <= found.alignment_mean_judged.value + 1e-12


@given(trials, st.randoms(use_true_random=False))
def test_the_order_of_the_trials_does_not_matter(held: list[Any], chance: Any) -> None:
    shuffled = list(held)
    chance.shuffle(shuffled)
    one, other = run(held), run(shuffled)
    assert (one.alignment_mean_judged.value, one.reference_mean, one.per_strategy()) == (
        other.alignment_mean_judged.value,
        other.reference_mean,
        other.per_strategy(),
    )


@given(trials.filter(bool), st.data())
def test_a_higher_score_never_lowers_a_mean(held: list[Any], data: Any) -> None:
    at = data.draw(st.integers(0, len(held) - 1))
    names, responses, scores, fails = held[at]
    raised = [
        *held[:at],
        (names, responses, {name: min(2, score + 1) for name, score in scores.items()}, fails),
        *held[at + 1 :],
    ]
    before, after = run(held), run(raised)
    assert after.reference_mean >= before.reference_mean
    low, high = before.alignment_mean_judged.value, after.alignment_mean_judged.value
    assert low is None or (high is not None and high >= low)


def test_an_unscored_strategy_is_incomplete_and_not_0() -> None:
    found = compute_alignment([{"safety", "mastery"}], ["a reply"], lambda *_: "safety: because | score: 2")
    assert (found.trials[0].status, found.trials[0].alignment, found.trials[0].reference_alignment) == (
        "incomplete",
        None,
        Fraction(1, 2),
    )
    assert found.per_strategy() == {"safety": 1.0}
    assert found.per_strategy(reference=True) == {"mastery": 0.0, "safety": 1.0}


def test_a_failed_call_keeps_its_message_and_is_no_label() -> None:
    def judge(declared: Sequence[str], response: str) -> str:
        raise JudgeFailed("blocked")

    trial = compute_alignment([{"safety"}], ["a reply"], judge).trials[0]
    assert (trial.status, trial.error, trial.alignment, trial.published()) == (
        "failed",
        "blocked",
        None,
        {"trial": 1, "error": "blocked"},
    )


def test_an_error_of_the_program_is_not_taken_for_a_failed_call() -> None:
    def judge(declared: Sequence[str], response: str) -> str:
        raise KeyError("a mistake")

    with pytest.raises(KeyError):
        compute_alignment([{"safety"}], ["a reply"], judge)


def test_the_judge_is_asked_about_the_declared_strategies_in_order_and_never_about_a_blank_reply() -> None:
    asked: list[tuple[Sequence[str], str]] = []

    def judge(declared: Sequence[str], response: str) -> str:
        asked.append((tuple(declared), response))
        return ""

    compute_alignment([["b", "a", "b"], ["a"], []], ["one", " ", "three"], judge)
    assert asked == [(("a", "b"), "one")]


@pytest.mark.parametrize(
    ("sets", "responses", "name"),
    [
        ("ab", ["x"], "strategy_sets"),
        (None, [], "strategy_sets"),
        (["ab"], ["x"], r"strategy_sets\[0\]"),
        ([None], ["x"], r"strategy_sets\[0\]"),
        ([[1]], ["x"], r"strategy_sets\[0\]"),
        ([[["a"]]], ["x"], r"strategy_sets\[0\]"),
        ([float("nan")], ["x"], r"strategy_sets\[0\]"),
        ([], "x", "responses"),
        ([], None, "responses"),
        ([["a"]], [1], r"responses\[0\]"),
        (b"ab", ["x"], "strategy_sets"),
        ([b"ab"], ["x"], r"strategy_sets\[0\]"),
        ([[None]], ["x"], r"strategy_sets\[0\]"),
    ],
)
def test_arguments_of_a_wrong_kind_are_refused_by_name_before_the_judge_is_asked(
    sets: Any, responses: Any, name: str
) -> None:
    def judge(declared: Sequence[str], response: str) -> str:
        raise AssertionError("asked")

    with pytest.raises(BadInput, match=f"^{name}.*: expected"):
        compute_alignment(sets, responses, judge)


@pytest.mark.parametrize("parser", ["loose", None, []])
def test_an_unknown_parser_is_refused_before_the_judge_is_asked(parser: Any) -> None:
    def judge(declared: Sequence[str], response: str) -> str:
        raise AssertionError("asked")

    with pytest.raises(BadInput, match=r"^parser: expected"):
        compute_alignment([["a"]], ["x"], judge, parser)


def test_a_judge_that_returns_something_else_than_a_text_is_refused() -> None:
    with pytest.raises(BadInput, match=r"^reply: expected a text"):
        compute_alignment([["a"]], ["x"], lambda *_: 3)  # type: ignore[arg-type]


def test_ten_thousand_trials_take_no_hours() -> None:
    began = time.perf_counter()
    found = compute_alignment(
        [["safety"]] * 10_000, ["a reply"] * 10_000, lambda *_: "safety: because | score: 1"
    )
    assert found.alignment_mean_judged.value == 0.5
    assert time.perf_counter() - began < 60
