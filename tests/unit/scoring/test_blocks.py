"""Blocks between tags, also in texts that are made to take long."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.blocks import first_block, opening_tag, without_blocks

tagged = st.lists(
    st.sampled_from(["<think>", "</think>", "<THINK>", "</Think>", "a", "\n", " ", "<", "think>"]),
    max_size=14,
).map("".join)


def test_the_first_closed_block_and_where_it_stands() -> None:
    found = first_block("x<plan>a</plan>y<plan>b</plan>", "plan")
    assert found is not None
    assert (found.inside, found.start, found.end) == ("a", 1, 15)


def test_the_search_can_begin_later() -> None:
    found = first_block("<p>a</p><p>b</p>", "p", begin=1)
    assert found is not None
    assert found.inside == "b"


@pytest.mark.parametrize("text", ["", "<p>", "</p>", "</p><p>", "<p>a</q>", "p"])
def test_what_is_not_closed_is_no_block(text: str) -> None:
    assert first_block(text, "p") is None
    assert without_blocks(text, "p") == text


def test_the_letter_case_counts_only_where_it_is_asked_for() -> None:
    assert without_blocks("a<Think>b</THINK>c", "think") == "ac"
    assert without_blocks("a<Think>b</THINK>c", "think", any_case=False) == "a<Think>b</THINK>c"


def test_a_block_in_a_block_ends_at_the_first_end() -> None:
    assert without_blocks("<p>a<p>b</p>c</p>", "p") == "c</p>"


def test_an_opening_tag_is_found_whatever_its_letter_case() -> None:
    assert opening_tag("ab<PLAN>c", "plan") == (2, 8)
    assert opening_tag("ab</plan>", "plan") is None


@pytest.mark.parametrize("any_case", [True, False])
@given(text=tagged)
def test_the_result_is_that_of_one_lazy_pattern(any_case: bool, text: str) -> None:
    flags = re.DOTALL | (re.IGNORECASE if any_case else 0)
    assert without_blocks(text, "think", any_case) == re.sub("<think>.*?</think>", "", text, flags=flags)
    lazy, found = re.search("<think>(.*?)</think>", text, flags), first_block(text, "think", any_case)
    assert (
        (lazy.group(1), lazy.span()) == (found.inside, (found.start, found.end))
        if lazy and found
        else lazy is None and found is None
    )


@pytest.mark.parametrize(
    "text",
    [
        "<think>" * 1_400_000,
        "</think>" * 1_300_000,
        "<think>a</think>" * 600_000,
        "<thin" * 2_000_000,
        "\ud800" * 5_000_000,
    ],
)
def test_ten_megabytes_of_anything_take_no_hours(text: str) -> None:
    began = time.perf_counter()
    without_blocks(text, "think")
    first_block(text, "think")
    assert time.perf_counter() - began < 60
