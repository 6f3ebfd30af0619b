"""Turns: the user's message or messages and the reply to them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.transcripts import count_turns, cut_marked, turn_numbers

LETTERS = {"s": "system", "u": "user", "a": "assistant"}
roles = st.lists(st.sampled_from(["system", "user", "assistant"]), max_size=30)


def spelled(text: str) -> list[str]:
    return [LETTERS[letter] for letter in text]


@pytest.mark.parametrize(
    ("talk", "numbers"),
    [
        ("", []),
        ("ua", [1, 1]),
        ("uaua", [1, 1, 2, 2]),
        ("sua", [0, 1, 1]),
        ("uuaua", [1, 1, 1, 2, 2]),  # several user messages in a row are one turn
        ("uaaua", [1, 1, 1, 2, 2]),  # so are several replies
        ("uau", [1, 1, 2]),
        ("auaua", [1, 2, 2, 3, 3]),  # what the assistant says unprompted stands first, as a place to point to
        ("usa", [1, 1, 1]),
    ],
)
def test_every_message_has_the_number_of_its_turn(talk: str, numbers: list[int]) -> None:
    assert turn_numbers(spelled(talk)) == numbers


@pytest.mark.parametrize(
    ("talk", "turns"),
    [
        ("", 0),
        ("s", 0),
        ("u", 0),
        ("ua", 1),
        ("uau", 1),  # a trailing user message got no reply
        ("uuua", 1),
        ("uaaa", 1),
        ("sua" + "ua" * 9, 10),
        ("a", 0),  # nobody asked, so nothing was exchanged
        ("aua", 1),  # a greeting is no exchange either
        ("auaua", 2),
        ("saua", 1),
    ],
)
def test_a_turn_counts_when_the_user_spoke_and_got_a_reply(talk: str, turns: int) -> None:
    assert count_turns(spelled(talk)) == turns


@given(roles)
def test_numbers_never_go_back_and_never_leave_a_gap(talk: list[str]) -> None:
    numbers = turn_numbers(talk)
    steps = [after - before for before, after in zip([0, *numbers], numbers, strict=False)]
    assert len(numbers) == len(talk)
    assert set(steps) <= {0, 1}


@given(roles)
def test_a_system_message_changes_no_count(talk: list[str]) -> None:
    assert count_turns([role for role in talk if role != "system"]) == count_turns(talk)


@given(st.integers(0, 40))
def test_ten_turns_are_ten_exchanges(n: int) -> None:
    assert count_turns(["user", "assistant"] * n) == n


def test_marked_words_are_counted_as_a_browser_counts() -> None:
    assert cut_marked("a \U0001f642 smile", 2, 4) == "\U0001f642"
    assert cut_marked("a \U0001f642 smile", 5, 10) == "smile"
    assert cut_marked("short", 2, 99) == "ort"
