"""What stands between quotation marks, and whether a transcript says it."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.quotations import quotations, says, searchable


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        ("No quotation here, and the user doesn't say the users' names.", []),
        ('The user says "I cannot sleep at all" in turn 2.', ["I cannot sleep at all"]),
        (
            "The user says “I cannot sleep at all” and „ich kann nicht schlafen“ and « je ne dors pas » and "
            "»ich kann nicht schlafen«.",
            ["I cannot sleep at all", "ich kann nicht schlafen", "je ne dors pas", "ich kann nicht schlafen"],
        ),
        ("Swedish has ”jag kan inte sova” twice the same.", ["jag kan inte sova"]),
        ('Two words "not enough" are none, three “are enough now” are.', ["are enough now"]),
        ("'I don't know what I can't do' is one, and it's the user's.", ["I don't know what I can't do"]),
        ("The user’s own ‘I don’t know what to do’ isn’t met.", ["I don’t know what to do"]),
        ("In the '90s 'tis said that 'cause of her she \"went on and on\".", ["went on and on"]),
        ("“She told me ‘you are too much’ and left”", ["She told me ‘you are too much’ and left"]),
        ('“He said "I do want to" and left” is one', ['He said "I do want to" and left']),
        ("\"I said 'never again, ever' to him\"", ["I said 'never again, ever' to him"]),
        ('an "unclosed one. Then "a proper one here" follows', ["a proper one here"]),
        ("an “unclosed one. Then “a proper one here” follows", ["a proper one here"]),
        ('a 5" screen and a 6" one, "that is too small"', ["that is too small"]),
        (
            '("in brackets it stands"), word—"after a dash it is"—and:"after a colon too".',
            ["in brackets it stands", "after a dash it is", "after a colon too"],
        ),
        ('"over two\nlines it goes" on', ["over two\nlines it goes"]),
        ("rock 'n roll\n\nand a users' guide ’ too", []),
        ('"😀 😀 😀" is no word, "so tired 😀 of this" is three', ["so tired 😀 of this"]),
        ('“I can\'t … anymore now” and "... ... ..."', ["I can't … anymore now"]),
        ('"[she] left" has one word of hers', []),
        ('"" and \'\' and “” and "', []),
    ],
)
def test_quotations_are_found_and_apostrophes_are_none(text: str, found: list[str]) -> None:
    assert quotations(text) == found


TRANSCRIPT = searchable(
    [
        "I don’t know... maybe I should\nstop — it’s  “fine”, she said.",
        "You feel well-used. No, really: that's hard. Café\u0301 😀 tonight",
        "It is scanned goods",
    ]
)


@pytest.mark.parametrize(
    "quote",
    [
        "I don't know ... maybe I should stop - it's 'fine'",
        "I DON'T KNOW",
        "I don’t know, [...] she said",
        "maybe I should stop—it's fine, she said!",
        "…I don’t know…",
        "I don't know [the user] maybe",
        "that's hard.",
        "well-used. No, really",
        "well‑used. No, really",
        "scanned goods",
        "I don't know (...) really: that's hard",
        "“fine”, she said",
        "\u200bI don't\u00a0know",
        "😀 tonight",
    ],
)
def test_a_quotation_is_found_whatever_its_marks_case_and_dots(quote: str) -> None:
    assert says(TRANSCRIPT, quote)


@pytest.mark.parametrize(
    "quote",
    [
        "I do know what to do",
        "You feel well used by her",
        "I don't know ... what to do",
        "can goods",
        "scanned good",
        "she said you feel",
        "maybe I [...] must stop",
    ],
)
def test_other_words_are_not_found_nor_parts_of_words_nor_across_messages(quote: str) -> None:
    assert not says(TRANSCRIPT, quote)


def test_an_empty_transcript_says_nothing() -> None:
    assert not says(searchable([]), "three words here")
    assert not says(searchable([""]), "three words here")


@given(st.text(alphabet="a b'\"“”‘’„«».\n", max_size=80))
def test_whatever_is_quoted_stands_in_the_text_and_quotations_do_not_overlap(text: str) -> None:
    found, at = quotations(text), 0
    for quote in found:
        assert text.find(quote, at) >= at
        at = text.find(quote, at) + len(quote)
        assert says(searchable([quote]), quote)


@pytest.mark.slow
@pytest.mark.parametrize(
    "unit",
    [
        '"I cannot sleep at all" she says. ',
        "“",
        '" ',
        "“a ‘b ",
        "'a b c' ",
        "x' ",
        " 'x",
        "[",
        "... ",
        ". ",
        "- ",
        "\n\n'a",
        "a",
    ],
)
def test_very_long_reasons_take_time_in_proportion(unit: str) -> None:
    text = unit * (400_000 // len(unit))
    began = time.perf_counter()
    for whole in (text, f"“{text}”"):
        said = searchable([whole])
        for quote in quotations(whole)[:20]:
            says(said, quote)
    assert time.perf_counter() - began < 15  # seconds; with the square of the length it would be hours


AWKWARD = st.text(st.sampled_from("abA .-–…'\"’`«\n\t\x00\x1cé\u0301\u00adﬁ[("), max_size=12)


@given(st.lists(AWKWARD, max_size=4))
def test_messages_at_once_are_searched_like_each_alone(messages: list[str]) -> None:
    assert searchable(messages) == "\n".join(searchable([message]) for message in messages)


@given(AWKWARD)
def test_plain_text_is_read_like_any_other(text: str) -> None:
    """A letter at the end changes nothing before it, but takes the way of texts that are not ASCII."""
    assert searchable([f"{text} x é"]) == f"{searchable([f'{text} x'])} é"
