"""What is recalled, what is negated, and what has no number."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.bad_input import BadInput
from scoring.entity_recall import entity_scores, is_negated, match, recall_curve, searched_scores

WORDS = ["sleep", "panic", "attack", "no", "not", "sertraline", "50mg", "allergy", "", " ", "naïve", "日本"]
entity = st.lists(st.sampled_from(WORDS), max_size=4).map(" ".join)
entities = st.lists(entity, max_size=5)
said = st.lists(st.sampled_from(WORDS), max_size=15).map(" ".join)
LONG = "sertraline fifty milligram every single morning"


def negated_by_hand(wanted: str, spoken: str) -> bool:
    tokens = [
        "".join(c if "a" <= c <= "z" or "0" <= c <= "9" else " " for c in phrase.lower()).split()
        for phrase in (wanted, spoken)
    ]
    k = len(tokens[0])
    starts = [i for i in range(len(tokens[1]) - k + 1) if k and tokens[1][i : i + k] == tokens[0]]
    return any(
        {"no", "not", "denies", "denied", "without", "never", "none"} & set(tokens[1][max(0, i - 5) : i])
        for i in starts
    )


@given(entity, said)
def test_negation_is_a_word_among_the_five_before_any_mention(wanted: str, spoken: str) -> None:
    assert is_negated(wanted, spoken) == negated_by_hand(wanted, spoken)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("no one two three four sleep", True),
        ("no one two three four five sleep", False),
        ("sleep, no", False),
        ("She DENIED any sleep problems", True),
        ("sleep is fine, later never sleep", True),
        ("nothing about sleep", False),
        ("", False),
        (None, False),
    ],
)
def test_the_window_of_negation(text: str | None, expected: bool) -> None:
    assert is_negated("sleep", text) is expected


@pytest.mark.parametrize(
    ("gold", "predicted", "text", "tier"),
    [
        ("Sertraline 50mg", ["sertraline 50MG"], "takes sertraline 50mg", "exact"),
        ("sertraline 50mg", ["sertraline"], "takes sertraline", "part"),
        ("depressive disorder", ["major depressive disorder"], "a depressive disorder", "part"),
        ("depressive disorder", ["major depressive disorder"], "noted", None),
        ("sleep problems at night", ["night sleep problems"], "sleep problems", "words"),
        ("sleep problems at night", ["night sleep problems"], "nothing", None),
        ("social anxiety disorder", ["generalised anxiety disorder"], "anxiety", None),
        ("panic", [], "panic", None),
        ("panic", ["panic"], "", "exact"),
    ],
)
def test_tiers(gold: str, predicted: list[str], text: str, tier: str | None) -> None:
    assert match(gold, predicted, text) == tier


def test_entailment_is_asked_only_for_long_gold_that_is_said_and_only_a_yes_counts() -> None:
    asked: list[tuple[str, str]] = []

    def entails(premise: str, hypothesis: str) -> str | None:
        asked.append((premise, hypothesis))
        return {"an SSRI at breakfast": "entailment", "a pill": None}.get(premise, "contradiction")

    assert match(LONG, ["a pill", "an SSRI at breakfast"], "every day", entails) == "entailed"
    assert asked == [("a pill", LONG), ("an SSRI at breakfast", LONG)]
    assert match(LONG, ["an SSRI at breakfast"], "nothing", entails) is None
    assert match("sertraline morning", ["an SSRI at breakfast"], "sertraline", entails) is None
    assert len(asked) == 2


@given(entities, entities, said)
def test_shares_stay_between_0_and_1_and_nothing_never_becomes_0(
    gold: list[str], predicted: list[str], text: str
) -> None:
    scores = entity_scores(gold, predicted, text)
    for share in (scores.recall, scores.precision, scores.f1, scores.hallucinated_rate):
        assert share.value is None or 0 <= share.value <= 1
        assert (share.value is None) == bool(share.undefined)
    named = [entity for entity in gold if entity.strip()]
    assert (scores.recall.value is None) == (not named)
    if not named or not any(entity.strip() for entity in predicted):
        assert scores.precision.value is scores.f1.value is scores.hallucinated_rate.value is None
    else:
        assert scores.precision.value is not None and scores.hallucinated_rate.value is not None
        assert scores.precision.value + scores.hallucinated_rate.value == pytest.approx(1)


@given(entities, entities, said, st.randoms())
def test_neither_order_nor_repeats_make_a_difference(
    gold: list[str], predicted: list[str], text: str, random: Any
) -> None:
    more, others = gold + gold[:1], predicted + predicted[:1]
    random.shuffle(more)
    random.shuffle(others)
    first, other = entity_scores(gold, predicted, text), entity_scores(more, others, text)
    assert (first.recall, first.precision, first.f1, first.hallucinated_rate) == (
        other.recall,
        other.precision,
        other.f1,
        other.hallucinated_rate,
    )


@given(entities.filter(any), entities, entity, said)
def test_one_more_prediction_never_lowers_recall(
    gold: list[str], predicted: list[str], more: str, text: str
) -> None:
    before, after = (
        entity_scores(gold, predicted, text).recall.value,
        entity_scores(gold, [*predicted, more], text).recall.value,
    )
    assert before is None or (after is not None and after >= before)


def test_what_the_program_prints_for_nothing_stands_apart() -> None:
    found = entity_scores([], ["panic"], "panic")
    assert found.recall.value is None and found.hallucinated_rate.value is None
    assert found.reference == {"recall": 0.0, "precision": 0.0, "f1": 0.0, "hallucinated_rate": 1.0}
    assert entity_scores(["panic"], [], "panic").recall.value == 0


@pytest.mark.parametrize(
    ("text", "recalled"),
    [
        ("Takes Sertraline, 50mg.", ("sertraline 50mg", "sertraline")),
        ("sertralines", ()),
        ("no sertraline today", ()),
        ("naïve", ("naïve",)),
        ("日本", ("日本",)),
        ("", ()),
    ],
)
def test_searching_finds_whole_words_that_are_not_negated(text: str, recalled: tuple[str, ...]) -> None:
    found = searched_scores(["sertraline 50mg", "sertraline", "naïve", "日本"], text)
    assert found.recalled == recalled
    assert found.recall.value == len(recalled) / 4
    assert found.precision.value is None and found.f1.value is None
    assert found.hallucinated_rate.value is None and found.reference is None


def test_a_curve_says_its_variant_and_keeps_a_failed_turn_as_a_gap() -> None:
    found = recall_curve(["panic and SLEEP", None, "", "sleep"], [" Panic ", "sleep", "SLEEP", None])
    assert (found.variant, found.recall) == ("searched", [1.0, None, 0.0, 0.5])
    assert found.turns[1].recall.undefined == "there is no text of this turn"


def test_with_a_recogniser_the_curve_is_that_of_its_entities() -> None:
    found = recall_curve(["panic, sleep", "tired"], ["panic", "sleep"], str.split)
    assert (found.variant, found.recall) == ("extracted", [1.0, 0.0])


def test_a_case_without_critical_entities_has_no_curve_of_zeros() -> None:
    assert recall_curve(["panic", "sleep"], []).recall == [None, None]
    assert recall_curve([], ["panic"]).recall == []


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (lambda: match(3, [], ""), "gold"),  # type: ignore[arg-type]
        (lambda: match("a", "abc", ""), "predicted"),
        (lambda: match("a", ["b", 4], ""), "predicted[1]"),  # type: ignore[list-item]
        (lambda: entity_scores([1], [], ""), "gold[0]"),  # type: ignore[list-item]
        (lambda: is_negated("a", b"a"), "text_of_turn"),  # type: ignore[arg-type]
        (lambda: recall_curve("abc", []), "turn_texts"),
        (lambda: recall_curve([], {"a": 1}), "critical"),  # type: ignore[arg-type]
        (lambda: recall_curve([], [], None, lambda a, b: "neutral"), "entails"),
    ],
)
def test_a_wrong_kind_is_refused_by_name(call: Any, argument: str) -> None:
    with pytest.raises(BadInput) as raised:
        call()
    assert raised.value.argument == argument


@pytest.mark.slow
@pytest.mark.parametrize("piece", ["no ", "sleep ", "no a b c d e sleep ", "x", "\ud800 no "])
def test_a_megabyte_takes_time_in_proportion(piece: str) -> None:
    text = piece * (1_000_000 // len(piece)) + " sleep"
    began = time.process_time()
    recall_curve([text], ["sleep", "night panic"])
    entity_scores(["sleep"], ["sleep problems"], text)
    assert time.process_time() - began < 6  # seconds; with the square of the length it would be many minutes
