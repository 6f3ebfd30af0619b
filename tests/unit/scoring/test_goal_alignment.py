"""Session goal alignment: cosines and curves, first with a model made of word hashes, then with the packaged
one.
"""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.bad_input import BadInput
from scoring.clinical_actions import lexicon
from scoring.goal_alignment import (
    NO_ACTION,
    NO_LENGTH,
    NO_PLAN,
    NO_TEXT,
    GoalAlignment,
    Pieces,
    TextEmbedder,
    Vector,
    align,
    align_all,
    band,
    calculate_alignment_curve_actions,
    calculate_alignment_score,
)
from scoring.models.embedder import configured_embedder

ACTION, TALK, PLAN = "You should rest.", "I hear you.", "Rest more, and keep a journal."


class ByWords:
    """Every word is a piece, and a window is the sum of the directions of its words' hashes. Counts what it
    is asked.
    """

    def __init__(self, window: int = 8) -> None:
        self.window, self.label, self.asked = window, "by words", 0

    def pieces(self, texts: Sequence[str]) -> list[Pieces]:
        return [
            tuple(
                int.from_bytes(hashlib.sha256(word.encode("utf-8", "replace")).digest()[:4])
                for word in text.split()
            )
            for text in texts
        ]

    def vectors(self, windows: Sequence[Pieces]) -> Vector:
        self.asked += len(windows)
        made = np.zeros((len(windows), 16))
        for row, window in zip(made, windows, strict=True):
            for piece in window:
                row += np.random.default_rng(piece).normal(size=16)
        return made


replies = st.lists(
    st.none()
    | st.lists(
        st.sampled_from([ACTION, TALK, "Try to walk!", "Any risk?", "", "<think>plan</think>"]), max_size=4
    ).map(" ".join)
    | st.text(max_size=10),
    max_size=6,
)
plans = st.sampled_from([PLAN, "one", "You should rest.", " ".join(["a long plan of care"] * 6)])


@given(replies, plans)
def test_every_value_is_a_cosine_or_none(said: list[str | None], plan: str) -> None:
    found = align(said, plan, embedder=ByWords())
    values = [
        *found.curve("truncated"),
        *found.curve("windowed"),
        *(turn.local for turn in found.turns),
        found.full_truncated.value,
    ]
    for value in values:
        assert value is None or (math.isfinite(value) and -1 <= value <= 1)


@given(replies, plans)
def test_a_curve_has_one_value_a_turn_none_until_the_first_action_and_numbers_from_there(
    said: list[str | None], plan: str
) -> None:
    found = align(said, plan, embedder=ByWords())
    first = next((number for number, turn in enumerate(found.turns) if turn.actions), len(said))
    for curve in (found.curve("truncated"), found.curve("windowed")):
        assert len(curve) == len(said)
        assert [value is None for value in curve] == [number < first for number in range(len(said))]


@given(replies, plans)
def test_a_turn_without_an_action_repeats_the_value_and_has_no_local_one(
    assistant_texts: list[str | None], plan: str
) -> None:
    turns = align(assistant_texts, plan, embedder=ByWords()).turns
    for before, turn in pairwise(turns):
        if not turn.actions:
            assert (turn.truncated, turn.windowed, turn.tokens, turn.local) == (
                before.truncated,
                before.windowed,
                before.tokens,
                None,
            )


@given(replies, plans)
def test_the_score_is_the_last_value_of_the_curve(said: list[str | None], plan: str) -> None:
    found = align(said, plan, embedder=ByWords())
    assert found.actions_truncated.value == (found.curve("truncated") or [None])[-1]
    assert found.actions_windowed.value == (found.curve("windowed") or [None])[-1]


@given(replies, plans)
def test_both_ways_are_the_same_while_the_texts_fit_and_the_turn_at_which_they_part_is_named(
    said: list[str | None], plan: str
) -> None:
    roomy, tight = align(said, plan, embedder=ByWords(1000)), align(said, "one", embedder=ByWords())
    assert roomy.curve("truncated") == roomy.curve("windowed")
    assert roomy.full_truncated.value == roomy.full_windowed.value
    assert roomy.truncated_from is None
    until = len(said) if tight.truncated_from is None else tight.truncated_from - 1
    assert tight.curve("truncated")[:until] == tight.curve("windowed")[:until]
    assert all(turn.tokens > 8 for turn in tight.turns[until:])


def test_the_truncated_curve_stands_still_once_the_actions_no_longer_fit_and_the_windowed_moves_on() -> None:
    found = align([f"You should do thing{n} and other{n} now." for n in range(6)], PLAN, embedder=ByWords(10))
    assert found.truncated_from == 2
    assert len(set(found.curve("truncated")[1:])) == 1
    assert len(set(found.curve("windowed"))) == 6


@given(st.lists(st.tuples(replies, plans), max_size=4))
def test_many_sessions_at_once_are_each_what_they_are_alone(held: list[tuple[list[str | None], str]]) -> None:
    assert align_all(held, embedder=ByWords()) == [
        align(said, plan, embedder=ByWords()) for said, plan in held
    ]


def test_a_window_goes_through_the_model_once_however_often_it_occurs() -> None:
    one, twenty = ByWords(), ByWords()
    align_all([([ACTION, TALK, ACTION], PLAN)], embedder=one)
    align_all([([ACTION, TALK, ACTION], PLAN)] * 20, embedder=twenty)
    assert one.asked == twenty.asked


def test_windows_count_by_their_word_pieces() -> None:
    model = ByWords(4)
    reply = "should a b c d"
    (first, rest, plan) = model.vectors(
        [*[model.pieces([reply])[0][start : start + 4] for start in (0, 4)], *model.pieces(["p q"])]
    )
    mean = (4 * first + rest) / 5
    expected = mean @ plan / (np.linalg.norm(mean) * np.linalg.norm(plan))
    assert align([reply], "p q", embedder=model).actions_windowed.value == pytest.approx(
        float(expected), abs=1e-12
    )


@pytest.mark.parametrize(
    ("said", "plan", "actions", "full"),
    [
        ([ACTION], "", NO_PLAN, NO_PLAN),
        ([ACTION], None, NO_PLAN, NO_PLAN),
        ([ACTION], " \n", NO_PLAN, NO_PLAN),
        ([TALK], PLAN, NO_ACTION, None),
        ([], PLAN, NO_TEXT, NO_TEXT),
        ([None, "", "<think>try</think>"], PLAN, NO_TEXT, NO_TEXT),
    ],
)
def test_what_cannot_be_compared_is_none_with_its_reason(
    said: list[str | None], plan: str | None, actions: str, full: str | None
) -> None:
    found = align(said, plan, embedder=ByWords())
    assert (found.actions_truncated.value, found.actions_truncated.undefined) == (None, actions)
    assert (found.actions_windowed.value, found.actions_windowed.undefined) == (None, actions)
    assert found.full_windowed.undefined == full
    assert found.curve() == [None] * len(said)


def test_a_text_without_a_direction_is_none_and_not_0() -> None:
    class Silent(ByWords):
        def vectors(self, windows: Sequence[Pieces]) -> Vector:
            return np.zeros((len(windows), 4))

    alignment = align([ACTION], PLAN, embedder=Silent())
    assert (alignment.actions_truncated.value, alignment.actions_truncated.undefined, alignment.curve()) == (
        None,
        NO_LENGTH,
        [None],
    )


def test_a_model_that_gives_no_numbers_has_no_value() -> None:
    class Broken(ByWords):
        def vectors(self, windows: Sequence[Pieces]) -> Vector:
            return np.full((len(windows), 4), np.nan)

    assert align([ACTION], PLAN, embedder=Broken()).actions_truncated.value is None


@pytest.mark.parametrize(
    ("score", "word"),
    [
        (None, None),
        (-1.0, "poor"),
        (0.0, "poor"),
        (math.nextafter(0.6, 0), "poor"),
        (0.6, "moderate"),
        (0.7, "moderate"),
        (0.8, "moderate"),
        (math.nextafter(0.8, 1), "strong"),
        (1.0, "strong"),
    ],
)
def test_the_end_points_of_the_bands_belong_to_the_middle(score: float | None, word: str | None) -> None:
    assert band(score) == word


def test_the_functions_of_the_seed() -> None:
    model = ByWords()
    alignment = align([TALK, ACTION], PLAN, embedder=model)
    assert (
        calculate_alignment_score([TALK, ACTION], PLAN, embedder=model) == alignment.actions_truncated.value
    )
    assert (
        calculate_alignment_score([TALK, ACTION], PLAN, "full", "windowed", embedder=model)
        == alignment.full_windowed.value
    )
    assert calculate_alignment_curve_actions([TALK, ACTION], PLAN, embedder=model) == [
        None,
        alignment.actions_truncated.value,
    ]
    assert (
        calculate_alignment_curve_actions([], PLAN, embedder=model)
        == calculate_alignment_curve_actions([ACTION], "", embedder=model)
        == []
    )
    assert calculate_alignment_score([TALK], PLAN, embedder=model) is None


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        (("a text", PLAN), "model_actions"),
        ((None, PLAN), "model_actions"),
        (([1], PLAN), r"model_actions\[0\]"),
        (([ACTION, float("nan")], PLAN), r"model_actions\[1\]"),
        (({"a": 1}, PLAN), "model_actions"),
        (([ACTION], 3), "target_plan"),
        (([ACTION], ["plan"]), "target_plan"),
        (([ACTION], float("nan")), "target_plan"),
        (([ACTION], PLAN, "both"), "mode"),
        (([ACTION], PLAN, None), "mode"),
        (([ACTION], PLAN, ["full"]), "mode"),
        (([ACTION], PLAN, "full", "best"), "variant"),
        (([ACTION], PLAN, "full", []), "variant"),
    ],
)
def test_arguments_of_a_wrong_kind_are_refused_by_name(arguments: Any, name: str) -> None:
    call: Callable[..., object] = calculate_alignment_score
    with pytest.raises(BadInput, match=f"^{name}: expected"):
        call(*arguments, embedder=ByWords())


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        (("a", PLAN), "model_actions"),
        (("a", ""), "model_actions"),
        (([1], ""), r"model_actions\[0\]"),
        (([], 3), "target_plan"),
        (([], PLAN, "best"), "variant"),
    ],
)
def test_the_curve_refuses_them_as_well_also_without_a_plan(arguments: Any, name: str) -> None:
    call: Callable[..., object] = calculate_alignment_curve_actions
    with pytest.raises(BadInput, match=f"^{name}: expected"):
        call(*arguments, embedder=ByWords())


@pytest.mark.parametrize(
    "held", ["text", None, 3, [3], ["ab"], [(["a"],)], [(["a"], "plan", "more")], [None], {"a": "b"}]
)
def test_sessions_of_a_wrong_kind_are_refused_by_name(held: Any) -> None:
    with pytest.raises(BadInput, match=r"^(sessions|model_actions)"):
        align_all(held, embedder=ByWords())


def test_no_sessions_at_all_are_no_scores() -> None:
    assert align_all([], embedder=ByWords()) == []


@pytest.mark.parametrize("said", [[ACTION] * 10_000, [TALK] * 10_000, [None] * 100_000])
def test_thousands_of_turns_take_no_hours(said: list[str | None]) -> None:
    began = time.perf_counter()
    assert len(align(said[:10_000], PLAN, embedder=OneLength()).turns) == 10_000
    assert time.perf_counter() - began < 60


class OneLength(ByWords):
    """Fast: all that counts here is what is done around the model."""

    def pieces(self, texts: Sequence[str]) -> list[Pieces]:
        return [tuple(range(min(8, len(text)))) for text in texts]


# With the packaged model.


@pytest.fixture(scope="module")
def model() -> TextEmbedder:
    return configured_embedder()


def aligned(said: list[str], plan: str, model: TextEmbedder) -> GoalAlignment:
    return align(said, plan, lexicon("clinical-1"), model)


def test_the_plan_itself_scores_1_and_something_else_less(model: TextEmbedder) -> None:
    assert calculate_alignment_score(
        ["You should rest."], "You should rest.", embedder=model
    ) == pytest.approx(1.0, abs=1e-6)
    assert calculate_alignment_score(["Try the blue paint."], "You should rest.", embedder=model) < 0.6  # type: ignore[operator]


def test_while_the_text_fits_the_windowed_value_is_the_truncated_one(model: TextEmbedder) -> None:
    found = aligned([ACTION, TALK, "Try to walk."], PLAN, model)
    assert found.truncated_from is None
    assert found.curve("truncated") == found.curve("windowed")
    assert "all-MiniLM-L6-v2, weights 53aa51172d14, 256 word pieces" in found.actions_truncated.method


def test_a_long_session_stands_still_at_the_turn_that_is_named(model: TextEmbedder) -> None:
    alignment = aligned(
        [
            f"You should walk for {n} minutes, and write down how heavy the day was before the next session."
            for n in range(30)
        ],
        PLAN,
        model,
    )
    assert alignment.truncated_from is not None
    assert (
        alignment.turns[alignment.truncated_from - 2].tokens
        <= 254
        < alignment.turns[alignment.truncated_from - 1].tokens
    )
    assert len(set(alignment.curve("truncated")[alignment.truncated_from - 1 :])) == 1
    assert len(set(alignment.curve("windowed")[alignment.truncated_from - 1 :])) > 10


def test_a_plan_longer_than_the_model_reads_is_read_in_windows(model: TextEmbedder) -> None:
    long = "Rest more and walk daily. " * 80 + "Refer to the hospital at once."
    found = aligned(["I refer you to the hospital at once."], long, model)
    assert found.actions_windowed.value != found.actions_truncated.value


@pytest.mark.parametrize(
    "said", [["\ud800 You should rest."], ["You should \u200b."], ["\x00 try"], ["try " + "𝔞" * 300]]
)
def test_odd_characters_have_a_value(said: list[str], model: TextEmbedder) -> None:
    assert aligned(said, PLAN, model).actions_truncated.value is not None


def test_word_pieces_of_half_a_surrogate_and_of_nothing(model: TextEmbedder) -> None:
    assert model.pieces([]) == []
    assert model.pieces(["", "\ud800"]) == [(), model.pieces(["?"])[0]]
    assert model.vectors([]).shape[0] == 0


def test_like_sessions_score_alike_whatever_stands_beside_them(model: TextEmbedder) -> None:
    alone = aligned([ACTION], PLAN, model).actions_truncated.value
    among = align_all([([ACTION], PLAN), (["Try " + "to walk " * 200], PLAN)], lexicon("clinical-1"), model)[
        0
    ].actions_truncated.value
    assert among == pytest.approx(alone, abs=1e-6)


@pytest.mark.slow
def test_a_reply_of_a_megabyte_without_an_action_takes_time_in_proportion(model: TextEmbedder) -> None:
    began = time.process_time()
    assert calculate_alignment_score(["<think>" * 70_000 + " " * 500_000], PLAN, embedder=model) is None
    assert time.process_time() - began < 6  # seconds; with the square of the length it would be many minutes


@given(replies, plans)
def test_the_curve_of_everything_said_is_the_score_of_everything_up_to_each_turn(
    texts: list[str | None], plan: str
) -> None:
    model = ByWords(3)
    alignment = align(texts, plan, embedder=model)
    for variant, whole in (("windowed", alignment.full_windowed), ("truncated", alignment.full_truncated)):
        curve = alignment.curve("truncated" if variant == "truncated" else "windowed", "full")
        assert len(curve) == len(texts)
        assert (curve[-1] if curve else None) == whole.value
        for turn in range(1, len(texts) + 1):
            until = align(texts[:turn], plan, embedder=model)
            estimate = until.full_truncated if variant == "truncated" else until.full_windowed
            assert curve[turn - 1] == estimate.value


def test_what_is_no_action_moves_the_curve_of_everything_said_alone() -> None:
    alignment = align([None, TALK, ACTION, TALK], PLAN, embedder=ByWords(4))
    actions, full = alignment.curve("windowed"), alignment.curve("windowed", "full")
    assert actions[:2] == [None, None] and actions[2] == actions[3]
    assert full[0] is None and None not in full[1:] and full[2] != full[3]
