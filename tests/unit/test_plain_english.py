"""The lint of words finds what it is for, over the end of a line too, and leaves other words alone."""

from __future__ import annotations

import pytest

from tests.plain_english import INSTEAD, find_stumbles


@pytest.mark.parametrize("words", [words.replace("?", "") for words in INSTEAD])
def test_every_word_of_the_list_is_found_in_any_capitals(words: str) -> None:
    assert list(find_stumbles(f"One line.\nThen {words.upper()} comes.")) == [(2, words.upper())]


def test_words_are_found_over_the_end_of_a_line_and_of_a_comment() -> None:
    assert list(find_stumbles("two raters, of\nwhom one")) == [(1, "of whom")]
    assert list(find_stumbles("    # two raters, of\n    # which one")) == [(1, "of which")]


def test_other_words_are_left_alone() -> None:
    assert list(find_stumbles("amend, whomever, is saidly, brings in, takes away")) == []
