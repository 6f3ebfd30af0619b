"""Exactly one JSON object is read wherever it is; whatever leaves a doubt is unreadable and says why, in kinds
and never in words of the reply.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.judges.readers import (
    ONE_OBJECT,
    STRICT,
    ReaderName,
    choose_reader,
    describe_surroundings,
    find_object,
    read_answer,
    read_answers,
)
from scoring.judges.reply_parsing import UnreadableReply, Verdict

LABELS = ("YES", "NO", "NA")
ANSWER = '{"reasoning": "It asks.", "cited_turns": [1], "label": "YES"}'
OTHER = '{"reasoning": "It does not.", "cited_turns": [2], "label": "NO"}'
READ = Verdict("YES", "It asks.", (1,))
WORDS = "she wept over the tulips"
QUESTIONS = (("warm", LABELS), ("safe", ("YES", "NO")))


def read(reply: str, reader: ReaderName = ONE_OBJECT, labels: tuple[str, ...] = LABELS) -> Verdict:
    return read_answer(reader, reply, labels, "turns", 4)


def refused(reply: str, reader: ReaderName = ONE_OBJECT) -> str:
    with pytest.raises(UnreadableReply) as caught:
        read(reply, reader)
    assert "tulips" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    ("reply", "around"),
    [
        (ANSWER, ""),
        (f" \n{ANSWER}\n", ""),
        (f"```json\n{ANSWER}\n```", "a code fence"),
        (f"~~~\n{ANSWER}\n~~~", "a code fence"),
        (f"Here is the evaluation:\n{ANSWER}", "words before it"),
        (f"**Answer** `{ANSWER}`", "words before it and words after it"),
        (f"{ANSWER}\n\nAnything else?", "words after it"),
        (f"{ANSWER}}}", "words after it"),
        (f'<think>{{"label":"NO"}} maybe</think>\n{ANSWER}', "think tags"),
        (f"<THINK>{OTHER}</Think>{ANSWER}", "think tags"),
        (f"<thinking>one {{ <think> two</thinking> {ANSWER}", "think tags"),
        (f"<think>a<think>{OTHER}</think>b</think>{ANSWER}", "think tags"),
        (f"{WORDS} </think>\n{ANSWER}", "think tags"),
        (f"Well. <think>{WORDS}</think> {ANSWER}", "think tags and words before it"),
        (f"{ANSWER} <think>{WORDS}</think>", "think tags"),
        (f"\ufeff{ANSWER}", "invisible characters"),
        (f"\u200b{ANSWER}\u200d\u2060", "invisible characters"),
        (f"{WORDS}\n```\n{ANSWER}\n```\n", "a code fence and words before it"),
    ],
)
def test_one_object_is_read_wherever_it_is(reply: str, around: str) -> None:
    assert read(reply) == READ
    assert describe_surroundings(reply) == (f"around the JSON: {around}" if around else "")


@pytest.mark.parametrize("label", ["yes", "Yes", "yES", "YES"])
def test_a_label_may_have_other_capitals(label: str) -> None:
    assert read(ANSWER.replace("YES", label)) == READ


@pytest.mark.parametrize(
    ("label", "found"),
    [("ab", None), ("AB", "AB"), ("Ab", "Ab"), ("x", "X"), ("\u017f", "S"), ("ss", "\xdf")],
)
def test_other_capitals_of_two_labels_are_no_label(label: str, found: str | None) -> None:
    reply, labels = ANSWER.replace("YES", label), ("AB", "Ab", "X", "S", "\xdf")
    if found is None:
        with pytest.raises(UnreadableReply, match="label: literal_error"):
            read(reply, labels=labels)
    else:
        assert read(reply, labels=labels).label == found


@pytest.mark.parametrize("label", [" YES", "YES.", "Y", "maybe", 1, True, None, ["YES"]])
def test_another_label_is_none(label: object) -> None:
    assert refused(json.dumps({**json.loads(ANSWER), "label": label})).startswith(
        "not the JSON that was asked for (label: literal_error)"
    )


@pytest.mark.parametrize(
    ("reply", "says"),
    [
        ("", "the reply has no JSON object"),
        (" \n", "the reply has no JSON object"),
        (WORDS, "the reply has no JSON object; it holds only words"),
        ("[1, 2]", "the reply has no JSON object; it holds only words"),
        ("```\n```", "the reply has no JSON object; it holds only a code fence"),
        (f"<think>{ANSWER}</think>", "the reply has no JSON object; it holds only think tags"),
        (
            f"<think>{ANSWER}</think> {WORDS}",
            "the reply has no JSON object; it holds only think tags and words",
        ),
        (f"{ANSWER}</think>", "it is unclear where its thoughts end; it holds only think tags"),
        (f"{OTHER} or </think>{ANSWER}", "it is unclear where its thoughts end"),
        (f"{ANSWER[:-1]} </think> {OTHER}", "a JSON object in the reply is broken off or not valid"),
        (f"{ANSWER} as they wrote </think>{OTHER}", "it is unclear where its thoughts end"),
        (f"They wrote <think>. {ANSWER} </think>{OTHER}", "it is unclear where its thoughts end"),
        (f"{ANSWER}{OTHER}", "the reply has two JSON objects"),
        (f"{ANSWER}\n{ANSWER}", "the reply has two JSON objects"),
        (f"{ANSWER} {{}}", "the reply has two JSON objects"),
        (f"{{}}{ANSWER} {ANSWER}", "the reply has two JSON objects"),
        (f"{WORDS} {ANSWER} or {OTHER}", "the reply has two JSON objects; around the JSON: words before it"),
        (f"[{ANSWER}, {OTHER}]", "the reply has two JSON objects; around the JSON: words before it"),
        (f"<think>{WORDS}\n{ANSWER}", "a think tag is not closed; it holds only think tags"),
        (f"{ANSWER}<think>", "a think tag is not closed; around the JSON: think tags"),
        (f"<think>a<think>b</think>{ANSWER}", "a think tag is not closed"),
        (f"<think>a</thought>{ANSWER}", "a think tag is not closed"),
        (f"a</think>b</think>{ANSWER}", "it is unclear where its thoughts end"),
        (f'{ANSWER[:-1]}, "label": "NO"}}', "a field stands twice"),
        (f'Look: {ANSWER[:-1]}, "label": "NO"}}', "a field stands twice; around the JSON: words before"),
        (ANSWER[:-1], "a JSON object in the reply is broken off or not valid"),
        (f"{{{WORDS}}}: {ANSWER}", "a JSON object in the reply is broken off or not valid"),
        (f'{{"warm": {ANSWER}', "a JSON object in the reply is broken off or not valid"),
        (f'{{"warm": {ANSWER}}}', "not the JSON that was asked for (reasoning: missing)"),
        ("{" * 10_000, "a JSON object in the reply is broken off or not valid"),
        ('{"a":' * 10_000, "a JSON object in the reply is broken off or not valid"),
        ('{"a":' + "9" * 10_000 + "}", "a JSON object in the reply is broken off or not valid"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_whatever_leaves_a_doubt_is_unreadable_and_says_why(reply: str, says: str) -> None:
    assert refused(reply).startswith(says)


def test_the_strict_reader_takes_the_json_alone_and_says_what_surrounds_it() -> None:
    assert read(ANSWER, STRICT) == READ
    assert refused(f"```json\n{ANSWER}\n```", STRICT) == (
        "not the JSON that was asked for (the whole: json_invalid); around the JSON: a code fence"
    )
    assert refused(ANSWER.replace("YES", "yes"), STRICT) == (
        "not the JSON that was asked for (label: literal_error)"
    )


def test_several_answers_are_read_alike() -> None:
    whole = f'{{"warm": {ANSWER}, "safe": {OTHER.replace("NO", "no")}}}'
    verdicts = {"warm": READ, "safe": Verdict("NO", "It does not.", (2,))}
    assert read_answers(ONE_OBJECT, f"```json\n{whole}\n```", QUESTIONS, "turns", 4) == verdicts
    assert read_answers(STRICT, whole, QUESTIONS, "turns", 4) == {**verdicts, "safe": None}
    with pytest.raises(UnreadableReply, match="two JSON objects"):
        read_answers(ONE_OBJECT, f'{{"warm": {ANSWER}}} {{"safe": {OTHER}}}', QUESTIONS, "turns", 4)


def test_a_reply_may_hold_marks_of_what_surrounds_it_in_its_own_words() -> None:
    """What the reasons quote is no tag, no fence and no object."""
    reasoning = 'It says <think>, ```json {"label": "NO"} ``` and </think>.'
    answer = json.dumps({"reasoning": reasoning, "cited_turns": [], "label": "NA"})
    for reply in (answer, f"Here: {answer}", f"<think>{WORDS}</think>{answer}", f"```\n{answer}\n```"):
        assert read(reply) == Verdict("NA", reasoning)


@pytest.mark.parametrize(
    ("named", "answered", "reader"),
    [
        (None, set(), ONE_OBJECT),
        (None, {STRICT}, STRICT),
        (None, {STRICT, ONE_OBJECT}, ONE_OBJECT),
        (None, {ONE_OBJECT}, ONE_OBJECT),
        (ONE_OBJECT, {STRICT}, ONE_OBJECT),
        (STRICT, {ONE_OBJECT}, STRICT),
    ],
)
def test_a_judge_that_the_strict_reader_read_stays_with_it_until_another_is_named(
    named: ReaderName | None, answered: set[ReaderName], reader: ReaderName
) -> None:
    assert choose_reader(named, answered.__contains__) == reader


# ---- whatever comes ----

plain = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="{}<>"), max_size=30)
names = st.sampled_from(["think", "Think", "thinking", "THOUGHT"])
first_thoughts = st.builds(
    lambda name, inside: f"<{name}>{inside}</{name}>",
    names,
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="<>"), max_size=30) | st.just(OTHER),
)
later_thoughts = st.builds(lambda name, inside: f"<{name}>{inside}</{name}>", names, plain)
invisible = st.sampled_from(["\ufeff", "\u200b", "\u2060"])
after = st.lists(
    plain | later_thoughts | invisible | st.sampled_from(["```json\n", "\n```"]), max_size=5
).map("".join)
before = st.builds(
    lambda first, then: "".join(first) + then, st.lists(invisible | first_thoughts, max_size=3), after
)
answers = st.fixed_dictionaries(
    {
        "reasoning": st.text(min_size=1, max_size=40),
        "cited_turns": st.lists(st.integers(-1, 6), max_size=3),
        "label": st.sampled_from([*LABELS, "yes", "No", "MAYBE"]),
    }
).map(json.dumps)


@given(before, answers, after)
def test_the_object_is_the_same_in_any_surroundings(before: str, answer: str, after: str) -> None:
    assert find_object(f"{before}{answer}{after}").strip(" \t\r\n") == answer
    assert outcome(f"{before}{answer}{after}") == outcome(answer)


@given(before, answers, after, answers, after)
def test_two_objects_are_never_read(before: str, one: str, between: str, other: str, after: str) -> None:
    with pytest.raises(UnreadableReply, match=r"^the reply has two JSON objects"):
        find_object(f"{before}{one}{between}{other}{after}")


@given(answers)
def test_a_plain_reply_with_a_label_as_it_is_listed_is_read_alike_by_both(answer: str) -> None:
    if json.loads(answer)["label"] in LABELS:
        assert outcome(answer, STRICT) == outcome(answer)


@given(
    st.text() | st.lists(st.sampled_from([ANSWER, "<think>", "</think>", "{", "}", '"', "x"])).map("".join)
)
def test_whatever_comes_is_read_or_unreadable(reply: str) -> None:
    for reader in (STRICT, ONE_OBJECT):
        assert outcome(reply, reader) is None or outcome(reply, reader) == READ


def outcome(reply: str, reader: ReaderName = ONE_OBJECT) -> Any:
    try:
        return read(reply, reader)
    except UnreadableReply:
        return None


@pytest.mark.parametrize(
    "part",
    [
        "{",
        "}",
        '{"',
        "<think>",
        "</think>",
        "<think></think>",
        "```",
        "{}",
        '{"a":["</think>", ',
        "{</think>",
        "\u200b",
    ],
)
def test_work_grows_with_the_length_of_a_reply(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """However long a reply is, no more than a few objects in it are tried."""
    tried = 0
    decode = json.JSONDecoder.raw_decode

    def count(decoder: json.JSONDecoder, text: str, begin: int = 0) -> Any:
        nonlocal tried
        tried += 1
        return decode(decoder, text, begin)

    monkeypatch.setattr(json.JSONDecoder, "raw_decode", count)
    refused(part * (200_000 // len(part)))
    assert tried <= 10
