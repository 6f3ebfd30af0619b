"""Conversations that say the same are known as such, whatever they look like, and nothing else is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.record.known_words import digest_words

KEY = bytes(range(32))
TALK = [("user", "I can't sleep, ever."), ("assistant", "Since when?"), ("user", "June.")]


@pytest.mark.parametrize(
    "same",
    [
        [("system", "Be kind."), *TALK],
        [("user", "I can't sleep,"), ("user", "ever."), *TALK[1:]],
        [("user", "  I CAN'T\n sleep,\tever. "), *TALK[1:]],
        [*TALK, ("assistant", "  ")],
        [
            ("user", "I can't sleep, ever."),
            ("system", "now"),
            ("assistant", "Since\u00a0when?"),
            ("user", "June."),
        ],
    ],
)
def test_another_form_of_the_same_words_has_the_same_digest(same: list[tuple[str, str]]) -> None:
    assert digest_words(KEY, same) == digest_words(KEY, TALK) is not None


def test_composed_and_decomposed_letters_are_the_same() -> None:
    assert digest_words(KEY, [("user", "caf\u00e9")]) == digest_words(KEY, [("user", "cafe\u0301")])


@pytest.mark.parametrize(
    "other",
    [
        TALK[:2],
        [("assistant", "I can't sleep, ever."), *TALK[1:]],
        [*TALK[:2], ("user", "July.")],
        [("user", "I can't sleep, ever. Since when? June.")],
    ],
)
def test_other_words_have_another_digest(other: list[tuple[str, str]]) -> None:
    assert digest_words(KEY, other) != digest_words(KEY, TALK)


def test_another_store_has_another_digest_and_silence_has_none() -> None:
    assert digest_words(bytes(32), TALK) != digest_words(KEY, TALK)
    assert digest_words(KEY, [("system", "Be kind."), ("user", " ")]) is None


def test_the_digest_never_changes() -> None:
    """Stores hold it: another formula would not recognise what is there."""
    assert digest_words(KEY, TALK) == "b5e3222381ee74eec657575ef5eb0bf115278b4773a1a5bc4241b9651d4d5c98"


MESSAGES = st.lists(
    st.tuples(st.sampled_from(["user", "assistant"]), st.text("ab \n", max_size=6)), max_size=6
)


@given(MESSAGES, MESSAGES)
def test_two_talks_have_one_digest_only_where_the_same_is_said_in_turn(
    first: list[tuple[str, str]], second: list[tuple[str, str]]
) -> None:
    def said(messages: list[tuple[str, str]]) -> list[tuple[str, str]]:
        turns: list[tuple[str, str]] = []
        for role, text in messages:
            words = " ".join(text.split())
            if words and turns and turns[-1][0] == role:
                turns[-1] = role, f"{turns[-1][1]} {words}"
            elif words:
                turns.append((role, words))
        return turns

    assert (digest_words(KEY, first) == digest_words(KEY, second)) == (said(first) == said(second))
