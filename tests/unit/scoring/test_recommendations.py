"""Sentences that may hold a recommendation."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.bad_input import BadInput
from scoring.clinical_actions import lexicon
from scoring.recommendations import recommendation_candidates

sentence = st.sampled_from(
    [
        "You should take a walk every day.",
        "YOU  should take a\twalk every day.",
        "Plan.",
        "Nothing happened on that long day.",
        "Should? Follow  up next week by phone!",
    ]
)


def padded(words: str, length: int) -> str:
    return words + "x" * (length - len(words))


@pytest.mark.parametrize(("length", "kept"), [(24, 0), (25, 1), (300, 1), (301, 0)])
def test_both_lengths_are_included(length: int, kept: int) -> None:
    assert len(recommendation_candidates(padded("You should ", length))) == kept


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("We FOLLOWUP with you on the phone", 1),
        ("We follow \n up with you on the phone", 1),
        ("Her recommended walks were on the hill", 0),
        ("Practise the breathing on the hill", 1),
        ("Practice the breathing on the hill", 1),
        ("We ought  to breathe on the green hill", 1),
        ("The shoulder hurts on the green hill", 0),
    ],
)
def test_keywords_are_whole_words_in_any_case(text: str, kept: int) -> None:
    assert len(recommendation_candidates(text)) == kept


def test_the_same_sentence_is_taken_once_as_it_first_stood() -> None:
    assert recommendation_candidates(
        "You should  take a walk, now! YOU should take a WALK, now! You should take a walk, now."
    ) == ["You should  take a walk, now!", "You should take a walk, now."]


def test_a_sentence_ends_only_where_blanks_follow() -> None:
    assert recommendation_candidates(
        "You should walk 2.5 miles.Then try to rest.\nThen try to rest for an hour"
    ) == ["You should walk 2.5 miles.Then try to rest.", "Then try to rest for an hour"]


@given(st.lists(sentence, max_size=8))
def test_candidates_are_sentences_of_the_text_and_one_more_sentence_only_adds(sentences: list[str]) -> None:
    text = " ".join(sentences)
    found = recommendation_candidates(text)
    assert all(one in text and 25 <= len(one) <= 300 for one in found)
    assert len({" ".join(one.lower().split()) for one in found}) == len(found)
    assert recommendation_candidates(text + " We must walk up that hill again.")[: len(found)] == found


@pytest.mark.parametrize("text", [None, "", "  \n "])
def test_no_text_has_no_candidates(text: str | None) -> None:
    assert recommendation_candidates(text) == []


def test_the_list_of_words_is_the_published_one() -> None:
    terms = [term.strip() for term in lexicon("reference-wide").groups["action"].split(",")]
    assert len(terms) == len(set(terms)) == 110
    assert {"consider", "follow~up", "employ", "wean", "ought~to"} <= set(terms)


@pytest.mark.parametrize(("arguments", "argument"), [((3,), "reasoning"), (("a", None, 30, 20), "longest")])
def test_a_wrong_kind_is_refused_by_name(arguments: tuple[Any, ...], argument: str) -> None:
    with pytest.raises(BadInput) as raised:
        recommendation_candidates(*arguments)
    assert raised.value.argument == argument


@pytest.mark.parametrize("piece", [". ", " ", "ought ", "You should walk up that hill. ", "\ud800"])
def test_ten_megabytes_are_read_in_seconds(piece: str) -> None:
    began = time.process_time()
    recommendation_candidates(piece * (10_000_000 // len(piece)))
    assert time.process_time() - began < 20  # of the processor: others may use the machine
