"""Replies are read strictly: the JSON that was asked for, or no label at all."""

from __future__ import annotations

import contextlib
import json
import traceback
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.judges.reply_parsing import (
    LONGEST_REASONING,
    UnreadableReply,
    Verdict,
    read_lines,
    read_one,
    read_trial,
    reply_model,
    schema_of,
    trial_model,
)

LABELS = ("YES", "NO", "NA")
TURNS = 4
WORDS = "she wept over the tulips"
GOOD = {"reasoning": "r", "cited_turns": [1], "label": "YES"}
QUESTIONS = (("warm", LABELS), ("safe", ("YES", "NO")))


def written(**more: Any) -> str:
    return json.dumps({**GOOD, **more})


def refused(reply: str) -> str:
    with pytest.raises(UnreadableReply) as caught:
        read_one(reply, LABELS, "turns", TURNS)
    assert "tulips" not in "".join(traceback.format_exception(caught.value))
    return str(caught.value)


def test_what_was_asked_for_is_read() -> None:
    assert read_one(
        written(reasoning=" It was kind. ", cited_turns=[4, 1, 4]), LABELS, "turns", TURNS
    ) == Verdict("YES", "It was kind.", (4, 1))


def test_no_turn_need_be_cited() -> None:
    assert read_one(written(cited_turns=[]), LABELS, "turns", TURNS).cited == ()


def test_where_no_turns_are_asked_for_there_are_none() -> None:
    assert read_one('{"reasoning": "r", "label": "NO"}', LABELS, "none", TURNS) == Verdict("NO", "r")


@pytest.mark.parametrize(
    "reply",
    [
        "",
        " ",
        "YES",
        "null",
        "[]",
        '"YES"',
        "{}",
        f"```json\n{written()}\n```",
        f"Here it is: {written()}",
        written() + WORDS,
        written()[:-1],
        written()[:20],
        "[" * 10_000,
        '{"reasoning": ' + "[" * 10_000,
        '{"a":' * 10_000,
        written() + written(),
        "\ufeff" + written(),
        "{'label': 'YES'}",
    ],
)
def test_anything_but_the_json_that_was_asked_for_is_unreadable(reply: str) -> None:
    assert "not the JSON that was asked for" in refused(reply)


@pytest.mark.parametrize(
    "change",
    [
        {"label": "MAYBE"},
        {"label": "yes"},
        {"label": " YES"},
        {"label": True},
        {"label": 1},
        {"label": None},
        {"label": ["YES"]},
        {"label": ""},
        {"reasoning": ""},
        {"reasoning": None},
        {"reasoning": 3},
        {"reasoning": [WORDS]},
        {"reasoning": "x" * (LONGEST_REASONING + 1)},
        {"cited_turns": 1},
        {"cited_turns": "1"},
        {"cited_turns": ["1"]},
        {"cited_turns": [True]},
        {"cited_turns": [1.5]},
        {"cited_turns": [None]},
        {"cited_turns": None},
        {"score": 1},
        {WORDS: WORDS},
    ],
    ids=lambda change: str(change)[:40],
)
def test_a_field_of_another_kind_makes_it_unreadable(change: dict[str, Any]) -> None:
    assert "not the JSON that was asked for" in refused(written(**change))


@pytest.mark.parametrize("missing", list(GOOD))
def test_no_field_has_a_default(missing: str) -> None:
    assert f"({missing}: missing)" in refused(
        json.dumps({name: value for name, value in GOOD.items() if name != missing})
    )


def test_a_number_of_thousands_of_digits_makes_it_unreadable() -> None:
    refused('{"reasoning": "r", "cited_turns": [1' + "0" * 5000 + '], "label": "YES"}')


@pytest.mark.parametrize("turn", [0, -1, 5, 10**30])
def test_a_turn_that_is_not_there_makes_it_unreadable(turn: int) -> None:
    assert (
        refused(written(cited_turns=[1, turn]))
        == "it names a turn that the conversation does not have; there are 4"
    )


def test_reasoning_of_blanks_is_none() -> None:
    assert refused(written(reasoning=" \n\u2003")) == "the reasoning is empty"


def test_a_label_before_its_reasoning_was_not_reasoned() -> None:
    assert (
        refused('{"label": "YES", "cited_turns": [], "reasoning": "r"}')
        == "the label stands before its reasoning"
    )


def test_a_field_that_stands_twice_says_nothing() -> None:
    assert (
        refused('{"reasoning": "r", "cited_turns": [], "label": "YES", "label": "NO"}')
        == "a field stands twice"
    )


def test_a_label_that_the_question_does_not_offer_is_unreadable() -> None:
    with pytest.raises(UnreadableReply):
        read_one(written(label="NA"), ("YES", "NO"), "turns", TURNS)


def test_a_very_long_reply_is_refused_or_read_but_never_hangs() -> None:
    assert read_one(written(cited_turns=[1] * 200_000), LABELS, "turns", TURNS).cited == (1,)
    refused(written(reasoning=WORDS * 100_000))


@given(
    st.text()
    | st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: (
            st.lists(inner)
            | st.dictionaries(st.sampled_from(["reasoning", "cited_turns", "label", WORDS]), inner)
        ),
    ).map(json.dumps)
)
def test_whatever_comes_it_is_a_verdict_or_unreadable(reply: str) -> None:
    try:
        assert read_one(reply, LABELS, "turns", TURNS).label in LABELS
    except UnreadableReply:
        assert set(read_trial_or_none(reply).values()) <= {None}


def read_trial_or_none(reply: str) -> dict[str, Verdict | None]:
    try:
        return read_trial(reply, QUESTIONS, "turns", TURNS)
    except UnreadableReply:
        return {}


@pytest.mark.parametrize(
    "change",
    [
        {"label": WORDS},
        {"reasoning": [WORDS]},
        {"cited_turns": [WORDS]},
        {WORDS: 1},
        {"cited_turns": {WORDS: WORDS}},
    ],
)
def test_the_message_holds_no_word_of_the_reply(change: dict[str, Any]) -> None:
    assert not set(WORDS.split()) & set(refused(written(**change)).split()) - {"the"}
    assert "tulips" not in refused(written(**change))


# ---- several questions at once ----


def test_each_question_has_its_verdict() -> None:
    assert read_trial(
        json.dumps({"warm": GOOD, "safe": {**GOOD, "label": "NO"}}), QUESTIONS, "turns", TURNS
    ) == {"warm": Verdict("YES", "r", (1,)), "safe": Verdict("NO", "r", (1,))}


@pytest.mark.parametrize(
    "answer",
    [
        None,
        "YES",
        0,
        [],
        {},
        {**GOOD, "label": "NA"},
        {**GOOD, "cited_turns": [9]},
        {**GOOD, "cited_turns": [True]},
        {"label": "YES", "reasoning": "r", "cited_turns": []},
        {**GOOD, "more": 1},
        {**GOOD, "reasoning": " "},
    ],
)
def test_a_question_without_a_readable_answer_has_none_and_takes_no_other_with_it(answer: object) -> None:
    for told in ({"warm": GOOD, "safe": answer}, {"safe": answer, "warm": GOOD}):
        assert read_trial(json.dumps(told), QUESTIONS, "turns", TURNS) == {
            "warm": Verdict("YES", "r", (1,)),
            "safe": None,
        }


def test_a_question_that_was_not_answered_has_none() -> None:
    assert read_trial(json.dumps({"warm": GOOD}), QUESTIONS, "turns", TURNS)["safe"] is None


def test_an_answer_to_what_was_not_asked_is_left_out() -> None:
    assert set(
        read_trial(json.dumps({"warm": GOOD, "safe": GOOD, WORDS: GOOD}), QUESTIONS, "turns", TURNS)
    ) == {"warm", "safe"}


@pytest.mark.parametrize(
    "reply",
    ["", "[]", "null", "YES", f"```{json.dumps({'warm': GOOD})}```", "[" * 10_000, '{"warm":' * 10_000],
)
def test_a_whole_that_is_no_object_is_unreadable(reply: str) -> None:
    with pytest.raises(UnreadableReply, match="not the JSON that was asked for"):
        read_trial(reply, QUESTIONS, "turns", TURNS)


def test_two_answers_to_one_question_are_unreadable() -> None:
    with pytest.raises(UnreadableReply, match="stands twice"):
        read_trial(f'{{"warm": {written()}, "warm": {written(label="NO")}}}', QUESTIONS, "turns", TURNS)


# ---- lines ----

SCALE = ("0", "1", "2")


def test_a_line_for_each_strategy_is_read() -> None:
    reply = "- **planning**: it lists steps | score: 2\nempathy: nothing of it | score: 0"
    assert read_lines(reply, [("empathy", SCALE), ("planning", SCALE)]) == {
        "empathy": Verdict("0", "nothing of it"),
        "planning": Verdict("2", "it lists steps"),
    }


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "planning is there",
        "planning: it lists steps | score: 3",
        "planning: it lists steps | score:",
        "planning: | score: 1",
    ],
)
def test_a_strategy_without_a_line_has_no_score_and_not_0(reply: str) -> None:
    assert read_lines(reply, [("planning", SCALE)]) == {"planning": None}


def test_a_score_that_is_no_label_of_the_scale_is_none() -> None:
    assert read_lines("planning: it lists steps | score: 2", [("planning", ("0", "1"))]) == {"planning": None}


def scored(reply: str, *names: str) -> dict[str, str | None]:
    found = read_lines(reply, [(name, SCALE) for name in names])
    return {name: one.label if one else None for name, one in found.items()}


def test_a_line_stands_for_no_other_strategy() -> None:
    assert scored("other: never mentioned | score: 0\nplanning: steps | score: 2", "empathy", "planning") == {
        "empathy": None,
        "planning": "2",
    }
    assert scored("strategy_id: steps | score: 2", "planning") == {"planning": None}


def test_letter_case_makes_no_difference_and_exchanges_nothing() -> None:
    assert scored("Beta: it is | score: 2\nALPHA: it is not | score: 0", "Alpha", "Beta", "Gamma") == {
        "Alpha": "0",
        "Beta": "2",
        "Gamma": None,
    }
    assert scored("alpha: it is | score: 2", "Alpha", "alpha") == {"Alpha": None, "alpha": None}


def test_an_id_with_a_hyphen_or_a_dot_is_an_id() -> None:
    assert scored(
        "- **safety-plan**: it is | score: **2**\n* step.1: it is | score: 1", "safety-plan", "step.1"
    ) == {"safety-plan": "2", "step.1": "1"}


@pytest.mark.parametrize(
    "second",
    ["planning: none | score: 0", "Planning: it lists steps | score: 2", "planning: too many | score: 9"],
)
def test_a_strategy_that_stands_twice_makes_the_reply_unreadable(second: str) -> None:
    with pytest.raises(UnreadableReply, match="a strategy stands twice"):
        read_lines(f"planning: it lists steps | score: 2\n{second}", [("planning", SCALE)])


@pytest.mark.parametrize(
    "reply",
    [
        "planning: a | score: 0 | score: 2",
        "planning: a | score: 0 empathy: b | score: 2",
        "planning:\nempathy: b | score: 2",
        "planning: a\n| score: 2",
        "planning: a | score: 2 or 1",
        "planning: a | score: \u0662",
        "| score: 2",
        "planning | score: 2",
    ],
)
def test_a_line_that_may_mean_something_else_is_no_score(reply: str) -> None:
    assert scored(reply, "planning") == {"planning": None}


def test_thoughts_are_no_answers() -> None:
    assert scored("<think>planning: perhaps | score: 1</think>\nplanning: steps | score: 2", "planning") == {
        "planning": "2"
    }
    for reply in (
        "<think>planning: perhaps | score: 1",
        "planning: perhaps | score: 1\n</think>\nempathy: there | score: 1",
    ):
        with pytest.raises(UnreadableReply, match="where its thoughts end"):
            scored(reply, "planning", "empathy")


@pytest.mark.parametrize(
    "reply",
    [
        "|" * 10**6,
        "| " * 10**6,
        "|" + " " * 10**6,
        "planning:" + " " * 10**6 + "| score: 3",
        "**" * 10**6,
        "<think>" * 10**5,
        "a" * 10**6,
        "**" + "a" * 10**6,
        "| score:" * 10**5,
    ],
    ids=lambda reply: reply[:12],
)
def test_long_replies_take_no_hours(reply: str) -> None:
    with contextlib.suppress(UnreadableReply):
        assert scored(reply, "planning") == {"planning": None}


# ---- schemas ----


def test_a_schema_has_no_references_titles_or_defaults() -> None:
    for model in (reply_model(LABELS, "turns"), trial_model(QUESTIONS, "turns")):
        text = json.dumps(schema_of(model))
        assert not [word for word in ("$ref", "$defs", '"title"', "default", "maxLength") if word in text]


def test_questions_keep_their_names_and_labels_in_the_schema() -> None:
    questions = (("title", ("YES", "NO")), ("q0", ("1", "2")), ("a-b.c", ("x", "y")))
    properties = schema_of(trial_model(questions, "none"))["properties"]
    assert [(name, tuple(one["properties"]["label"]["enum"])) for name, one in properties.items()] == list(
        questions
    )
