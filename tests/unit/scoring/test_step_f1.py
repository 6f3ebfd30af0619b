"""Step-F1: its bounds, what it does not depend on, and what is no 0."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.bad_input import BadInput
from scoring.step_f1 import calculate_step_f1, dice, extract_reasoning_steps, match_steps, normalise, tokens
from tests.vectors.families.steps import COMPARERS  # the same names as the vectors check

WORDS = ("sleep", "fear", "low", "mood", "pain", "self-harm", "MDD", "café", "naïve")
step = st.lists(st.sampled_from(WORDS), max_size=4).map(" ".join) | st.text(max_size=12)
steps = st.lists(step, max_size=8)
matchings = st.sampled_from(["published", "exclusive"])
thresholds = st.sampled_from([0.0, 0.3, 0.5, 0.6, 2 / 3, 1.0])


def test_the_vectors_compare_this_module() -> None:
    assert set(COMPARERS) == {"step_f1", "step_f1_dice", "step_f1_normalise", "step_extraction"}


@given(step, step)
def test_dice_is_symmetric_bounded_and_1_exactly_for_the_same_words(one: str, other: str) -> None:
    found = dice(tokens(one), tokens(other))
    assert found == dice(tokens(other), tokens(one))
    assert 0 <= found <= 1
    assert (found == 1) == (tokens(one) == tokens(other) != frozenset())


@given(step)
def test_a_step_without_words_is_like_nothing_not_even_itself(one: str) -> None:
    assert dice(tokens(one), tokens(one)) == (1 if tokens(one) else 0)
    assert dice(frozenset(), tokens(one)) == 0


@given(st.text(max_size=40))
def test_normalised_text_has_single_blanks_and_no_marks(text: str) -> None:
    found = normalise(text)
    assert found == " ".join(found.split())
    assert all(c.isalnum() or c in "-_ " or c.isidentifier() for c in found if c.isascii())


@given(steps, steps, thresholds, matchings)
def test_every_value_lies_between_0_and_1_and_none_means_nothing_to_compare(
    model: list[str], gold: list[str], threshold: float, matching: Any
) -> None:
    found = match_steps(model, gold, threshold, matching)
    assert (found.f1 is None) == (not model or not gold) == (found.undefined is not None)
    assert found.reference_f1 == (found.f1 or 0.0)
    for value in (found.precision, found.recall, found.f1):
        assert value is None or 0 <= value <= 1


@given(steps, steps, thresholds, matchings)
def test_each_step_is_in_one_pair_at_most_or_unmatched(
    model: list[str], gold: list[str], threshold: float, matching: Any
) -> None:
    found = match_steps(model, gold, threshold, matching)
    assert sorted([*(pair.model for pair in found.pairs), *found.unmatched_model]) == list(range(len(model)))
    assert sorted([*(pair.gold for pair in found.pairs), *found.unmatched_gold]) == list(range(len(gold)))
    for pair in found.pairs:
        assert pair.dice == dice(tokens(model[pair.model]), tokens(gold[pair.gold])) >= threshold
        assert pair.dice > 0


@given(steps, steps, thresholds, matchings)
def test_f1_is_the_harmonic_mean_and_twice_the_pairs_over_all_steps(
    model: list[str], gold: list[str], threshold: float, matching: Any
) -> None:
    found = match_steps(model, gold, threshold, matching)
    if found.f1 is not None:
        assert found.f1 == pytest.approx(2 * len(found.pairs) / (len(model) + len(gold)))


@given(steps, steps, thresholds)
def test_exclusive_matching_never_finds_fewer_pairs(
    model: list[str], gold: list[str], threshold: float
) -> None:
    published = match_steps(model, gold, threshold)
    assert len(match_steps(model, gold, threshold, "exclusive").pairs) >= len(
        {normalise(gold[pair.gold]) for pair in published.pairs}
    )


@given(steps, steps, matchings)
def test_a_higher_threshold_never_lets_a_first_step_match_that_did_not(
    model: list[str], gold: list[str], matching: Any
) -> None:
    found = [len(match_steps(model[:1], gold, threshold, matching).pairs) for threshold in (0.3, 0.6, 1.0)]
    assert found == sorted(found, reverse=True)


@given(steps, steps, thresholds, matchings)
def test_one_more_matched_step_never_lowers_the_number_of_matches(
    model: list[str], gold: list[str], threshold: float, matching: Any
) -> None:
    before = match_steps(model, gold, threshold, matching)
    after = match_steps([*model, "a word of its own"], [*gold, "a word of its own"], threshold, matching)
    assert len(after.pairs) >= len(before.pairs)
    assert after.reference_f1 >= before.reference_f1


@given(steps.filter(bool))
def test_a_list_against_itself_is_1_where_all_steps_have_words_and_differ(model: list[str]) -> None:
    distinct = {tokens(one) for one in model}
    found = calculate_step_f1(model, model)
    assert found is not None
    assert (found == 1) == (len(distinct) == len(model) and frozenset() not in distinct) or len(
        {normalise(one) for one in model}
    ) != len(distinct)


@given(steps, st.permutations(range(8)), thresholds)
def test_published_matching_does_not_depend_on_the_order_of_the_model_steps(
    model: list[str], order: list[int], threshold: float
) -> None:
    """Each takes its best gold step whether taken or not, and a gold text counts once: only who got it
    depends on the order.
    """
    gold = ["low mood", "fear of sleep", "pain low", "mood fear"]
    shuffled = [model[number] for number in order if number < len(model)]
    assert match_steps(shuffled, gold, threshold).f1 == match_steps(model, gold, threshold).f1


def test_published_matching_depends_on_the_order_of_gold_steps_that_are_equally_good() -> None:
    model, gold = ["a b c", "a b d"], ["a b", "a b c d"]
    assert [len(match_steps(model, order, 0.6).pairs) for order in (gold, gold[::-1])] == [1, 1]
    model, gold = ["a b", "b c"], ["b c", "a b c"]
    assert match_steps(model, gold, 0.5).pairs[0].gold == 1
    assert match_steps(["a b"], ["a c", "b c"], 0.5).pairs[0].gold == 0
    assert match_steps(["a b"], ["b c", "a c"], 0.5).pairs[0].gold == 0


def test_exclusive_matching_depends_on_the_order_of_the_model_steps() -> None:
    gold = ["a b c", "a b z z2"]
    greedy, modest = "a b", "a b z z2"
    assert len(match_steps([modest, greedy], gold, 0.6, "exclusive").pairs) == 2
    gold = ["a b c"]
    assert [
        match_steps(order, gold, 0.6, "exclusive").pairs[0].model
        for order in (["a b", "a b c"], ["a b c", "a b"])
    ] == [0, 0]


def test_a_model_step_that_lost_its_best_gets_no_second_best_as_published_and_does_in_exclusive_matching() -> (
    None
):
    model, gold = ["a b c", "a b c"], ["a b c", "a b d"]
    published = match_steps(model, gold)
    assert (len(published.pairs), [pair.model for pair in published.contested]) == (1, [1])
    assert [(pair.model, pair.gold) for pair in match_steps(model, gold, matching="exclusive").pairs] == [
        (0, 0),
        (1, 1),
    ]


def test_gold_steps_with_the_same_text_match_once_as_published() -> None:
    assert len(match_steps(["a b", "A, b!"], ["a b", "A b."]).pairs) == 1
    assert len(match_steps(["a b", "A, b!"], ["a b", "A b."], matching="exclusive").pairs) == 2


def test_an_early_weak_match_keeps_its_gold_step_from_a_later_exact_one() -> None:
    found = match_steps(["a b c", "a b"], ["a b"])
    assert ([pair.model for pair in found.pairs], [pair.model for pair in found.contested]) == ([0], [1])


def test_opposites_can_match_and_the_pairs_show_it() -> None:
    found = match_steps(["assess severe hypotension"], ["assess severe hypertension"])
    assert [(pair.model, pair.gold) for pair in found.pairs] == [(0, 0)]


@pytest.mark.parametrize(
    ("model", "gold", "value"),
    [
        ([], [], None),
        ([], ["a"], None),
        (["a"], [], None),
        (["a"], ["b"], 0.0),
        ([""], [""], 0.0),
        (["?"], ["a"], 0.0),
    ],
)
def test_none_is_nothing_to_compare_and_0_is_no_match(
    model: list[str], gold: list[str], value: float | None
) -> None:
    assert calculate_step_f1(model, gold) == value


def test_none_in_a_list_is_a_blank_step_and_counts() -> None:
    assert calculate_step_f1(["a", None], ["a"]) == pytest.approx(2 / 3)  # type: ignore[list-item]


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        (("a", ["a"]), "model_steps"),
        ((["a"], "a"), "gold_steps"),
        ((None, []), "model_steps"),
        (([], None), "gold_steps"),
        (({"a": 1}, []), "model_steps"),
        (([1], []), r"model_steps\[0\]"),
        ((["a"], ["a", float("nan")]), r"gold_steps\[1\]"),
        (([["a"]], []), r"model_steps\[0\]"),
        ((b"a", []), "model_steps"),
        ((["a"], ["a"], "0.6"), "threshold"),
        ((["a"], ["a"], float("nan")), "threshold"),
        ((["a"], ["a"], True), "threshold"),
        ((["a"], ["a"], None), "threshold"),
        ((["a"], ["a"], 0.6, "best"), "matching"),
        ((["a"], ["a"], 0.6, None), "matching"),
        (([], [], 0.6, []), "matching"),
    ],
)
def test_arguments_of_a_wrong_kind_are_refused_by_name(arguments: Any, name: str) -> None:
    with pytest.raises(BadInput, match=f"^{name}: expected"):
        match_steps(*arguments)


@given(steps.filter(bool), steps.filter(bool), thresholds, matchings)
def test_many_steps_are_matched_as_few_are(
    model: list[str], gold: list[str], threshold: float, matching: Any
) -> None:
    few = match_steps(model, gold, threshold, matching)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("scoring.step_f1._FEW", 0)
        assert match_steps(model, gold, threshold, matching) == few


def test_half_a_surrogate_is_no_crash() -> None:
    assert calculate_step_f1(["\ud800 a"], ["a \udfff"]) is not None


@pytest.mark.parametrize("output", [None, "", "short", "\ud800", "<think></think>"])
def test_a_text_without_reasoning_has_no_steps(output: str | None) -> None:
    assert extract_reasoning_steps(output) == []  # type: ignore[arg-type]


@given(
    st.lists(
        st.sampled_from(
            [
                "<think>",
                "</think>",
                "Reasoning:",
                "DIAGNOSIS:",
                "a long enough sentence about sleep. ",
                "İ",
                "no. ",
            ]
        ),
        max_size=30,
    ).map("".join)
)
def test_every_extracted_step_stands_in_the_text(output: str) -> None:
    for found in extract_reasoning_steps(output):
        assert found in output
        assert len(found) > 20


@pytest.mark.parametrize("output", [3, b"text", ["text"], float("nan")])
def test_an_output_of_a_wrong_kind_is_refused_by_name(output: Any) -> None:
    with pytest.raises(BadInput, match=r"^output: expected a text"):
        extract_reasoning_steps(output)


@pytest.mark.parametrize(
    "output",
    [
        "<think>" * 140_000,
        "a long enough sentence about sleep. " * 28_000,
        "İ" * 500_000 + "diagnosis:",
        "." * 1_000_000,
        "! \n" * 300_000,
        "reasoning:" * 100_000,
    ],
)
def test_a_text_of_a_megabyte_takes_time_in_proportion(output: str) -> None:
    began = time.process_time()
    extract_reasoning_steps(output)
    assert time.process_time() - began < 6  # seconds; with the square of the length it would be many minutes


@pytest.mark.slow
@pytest.mark.parametrize("matching", ["published", "exclusive"])
@pytest.mark.parametrize("kind", ["distinct", "alike", "one common word"])
def test_ten_thousand_steps_take_no_hours(kind: str, matching: Any) -> None:
    made = {
        "distinct": [f"step number{n} of its own w{n % 100}" for n in range(10_000)],
        "alike": ["the same step every time"] * 10_000,
        "one common word": [f"the word{n} other{n} third{n}" for n in range(10_000)],
    }[kind]
    began = time.perf_counter()
    match_steps(made, made, matching=matching)
    assert time.perf_counter() - began < 60


def test_a_step_of_a_megabyte_takes_time_in_proportion() -> None:
    began = time.process_time()
    assert (
        calculate_step_f1(["word " * 200_000, " ".join(map(str, range(100_000)))], ["word", "other"]) == 0.5
    )
    assert time.process_time() - began < 6  # seconds; with the square of the length it would be many minutes
