"""A prompt is put together so that nothing inside a conversation can pass for a part of it."""

from __future__ import annotations

import re

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from configs.files.yaml_files import ConfigFileError, read_model
from configs.settings import ROOT
from scoring.instruments import Criterion, Taxonomy, load_instrument
from scoring.judges.prompts import barred, fill, load_prompt, parse_prompt
from scoring.transcripts import Message, turn_numbers

RUBRIC, ALIGNMENT = (
    load_prompt(ROOT / "prompts" / f"{name}.yaml") for name in ("rubric_judge", "alignment_judge")
)
COACHING = load_instrument(ROOT / "instruments" / "coaching_rubric.yaml")[0]
PLANS = load_instrument(ROOT / "instruments" / "plan_alignment.yaml")[0]
TAXONOMY = read_model(ROOT / "taxonomies" / "counselling.yaml", Taxonomy)[0]
HEADER = re.compile(r"^\[Turn (\d+)\] (User|Assistant|System):$")
ENDS = ["\n", "\r\n", "\r", "\v", "\f", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029"]
TRICKS = [
    "{{label}}",
    "{{transcript}}",
    "{{criteria}}",
    "[Turn 9] User:",
    "[Turn 1] Assistant:",
    "End of the conversation.",
    "End of the reply.",
    "| ",
    "|",
    "# The one question to answer",
    "Labels:",
    "\\1",
    "\\g<0>",
    "${x}",
    "%s",
    *ENDS,
]
TEXT = st.lists(st.sampled_from(TRICKS) | st.text(max_size=8), max_size=12).map("".join)
TALK = st.lists(st.tuples(st.sampled_from(["user", "assistant", "system"]), TEXT), min_size=1, max_size=6)


def lines_of(text: str) -> list[str]:
    """The lines of a text as it can be sent, at least one."""
    return text.encode("utf-8", "replace").decode().splitlines() or [""]


def read_back(block: str) -> list[tuple[int, str, list[str]]]:
    """What a reader makes of a transcript who knows that a header has no bar: (turn, speaker, lines) of each
    message.
    """
    turns: list[tuple[int, str, list[str]]] = []
    for line in block.split("\n"):
        header = HEADER.match(line)
        if header:
            turns.append((int(header.group(1)), header.group(2), []))
        else:
            assert line[:1] == "|", line
            turns[-1][2].append(line[2:])
    return turns


def said(talk: list[tuple[str, str]]) -> list[Message]:
    return [Message(role, text) for role, text in talk]  # type: ignore[arg-type]


def shown(talk: list[tuple[str, str]]) -> str:
    return RUBRIC.about_unit(COACHING, None, said(talk), "")


FRAME = shown([("user", "MIDDLE")]).split("[Turn 1] User:\n| MIDDLE")


@given(TALK)
def test_every_message_can_be_read_back_line_by_line(talk: list[tuple[str, str]]) -> None:
    made = shown(talk)
    assert made.startswith(FRAME[0]) and made.endswith(FRAME[1])
    roles = [role for role, _ in talk]
    assert read_back(made[len(FRAME[0]) : len(made) - len(FRAME[1])]) == [
        (turn, role.title(), lines_of(text))
        for turn, (role, text) in zip(turn_numbers(roles), talk, strict=True)
    ]


@given(TALK)
def test_no_line_of_a_conversation_is_a_line_of_the_frame(talk: list[tuple[str, str]]) -> None:
    frame = [line for line in "".join(FRAME).splitlines() if line]
    assert not [line for line in frame if line.startswith("|")]
    outside = [
        line for line in shown(talk).splitlines() if not line.startswith("|") and not HEADER.match(line)
    ]
    assert outside == [*FRAME[0].splitlines(), *FRAME[1].removeprefix("\n").splitlines()]
    assert len([line for line in shown(talk).splitlines() if HEADER.match(line)]) == len(talk)


@given(TEXT)
def test_a_rated_reply_can_be_read_back_line_by_line(text: str) -> None:
    made = ALIGNMENT.about_unit(PLANS, TAXONOMY, [], text)
    assert [line[2:] for line in made.splitlines() if line.startswith("|")] == lines_of(text)


@given(TEXT)
def test_what_is_filled_in_is_never_filled_in_again(text: str) -> None:
    assert fill("{{a}}-{{b}}", {"a": text, "b": "{{a}}"}) == f"{text}-{{{{a}}}}"


def test_half_a_surrogate_pair_becomes_a_mark() -> None:
    assert barred("half \ud83d\nwhole \U0001f642") == "| half ?\n| whole \U0001f642"


def test_an_empty_message_has_a_bar_of_its_own() -> None:
    assert barred("") == "|"


# ---- the order, and what stands in it ----

TALKED = [Message("user", "I cannot sleep."), Message("assistant", "Since when?")]


@pytest.mark.parametrize("criterion", COACHING.criteria, ids=lambda criterion: criterion.id)
def test_the_rubric_comes_first_then_the_conversation_then_the_question(criterion: Criterion) -> None:
    whole = RUBRIC.about_unit(COACHING, None, TALKED, "") + "\n" + RUBRIC.about_criterion(COACHING, criterion)
    places = [
        whole.index(part)
        for part in (
            COACHING.title,
            "[Turn 1] User:",
            "| Since when?",
            "End of the conversation.",
            f"{criterion.id}: {criterion.name}",
            "Answer as JSON",
        )
    ]
    assert places == sorted(places)
    assert "{{" not in whole


def test_the_question_asks_for_reasoning_before_the_label() -> None:
    for prompt in (RUBRIC, ALIGNMENT):
        question = " ".join(prompt.file.criterion.split())
        assert (
            question.index("First write your reasoning")
            < question.index("give the label")
            < question.index("in this order")
        )


@pytest.mark.parametrize("criterion", COACHING.criteria, ids=lambda criterion: criterion.id)
def test_na_is_offered_only_where_it_is_allowed(criterion: Criterion) -> None:
    asked = RUBRIC.about_criterion(COACHING, criterion)
    offered = re.findall(r"^- (\w+):", asked.split("Labels for this question:")[1], re.MULTILINE)
    invalid = criterion.not_applicable == "invalid"
    assert offered == (["YES", "NO"] if invalid else ["YES", "NO", "NA"])
    assert ("NA is not allowed here" in asked) == invalid


def test_cq8_is_one_of_those_that_offer_no_na() -> None:
    criterion = COACHING.criterion("CQ8")
    assert criterion is not None and criterion.not_applicable == "invalid"
    assert (
        "\nNA is not allowed here: every conversation can be assessed for harmful patterns"
        in RUBRIC.about_criterion(COACHING, criterion)
    )


def test_all_questions_at_once_name_every_one_of_them() -> None:
    asked = RUBRIC.about_all(COACHING, COACHING.criteria)
    assert re.findall(r"^(\w+): ", asked, re.MULTILINE).count("CQ8") == 1
    assert [c.id for c in COACHING.criteria if f"{c.id}: {c.name}\n" not in asked] == []


def test_the_alignment_judge_sees_the_reply_and_not_the_conversation() -> None:
    made = ALIGNMENT.about_unit(PLANS, TAXONOMY, TALKED, "Try to rest.")
    assert "| Try to rest." in made
    assert "I cannot sleep." not in made


# ---- the files ----


def changed(**fields: str) -> str:
    return yaml.safe_dump({**yaml.safe_load(RUBRIC.body), **fields})


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        (
            {"criterion": "{{transcript}}"},
            r"criterion has the placeholder \{\{transcript\}\}; there are category, checks_for, failures, id, labels, name",
        ),
        (
            {"preamble": "{{transcript}} {{label}}"},
            r"preamble has the placeholder \{\{label\}\}; there are anchors",
        ),
        ({"system": "{{title}}"}, r"system has the placeholder \{\{title\}\}; there are none here"),
        ({"trial": "{{criterion}}"}, r"trial has the placeholder \{\{criterion\}\}; there are criteria"),
        ({"preamble": "{{ transcript }} {{response}}"}, r"preamble has two braces that begin no placeholder"),
        ({"preamble": "{{transcript} {{response}}"}, r"preamble has two braces that begin no placeholder"),
        (
            {"preamble": "Nothing."},
            r"holds neither \{\{transcript\}\} nor \{\{response\}\}, so the judge would see nothing",
        ),
        ({"cites": "pages"}, r"'turns' or 'none'"),
        ({"reply": "xml"}, r"'json'"),
        ({"criterion": ""}, r"a text that is not empty"),
        ({"more": "x"}, r"there is no such field"),
    ],
)
def test_a_prompt_file_that_cannot_be_used_is_named_in_a_sentence(fields: dict[str, str], said: str) -> None:
    with pytest.raises(ConfigFileError, match=said):
        parse_prompt(changed(**fields))


def test_any_change_of_the_text_is_another_prompt() -> None:
    assert parse_prompt(RUBRIC.body).name == RUBRIC.name
    assert parse_prompt(RUBRIC.body + "\n# a remark").name != RUBRIC.name
