"""Clinical actions: what counts as one, and what each mended fault of the published list was."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from configs.files.yaml_files import ConfigFileError
from scoring.bad_input import BadInput
from scoring.clinical_actions import Lexicon, clean, extract_clinical_actions, lexicon, load_lexicon

NARROW, WIDE, CLINICAL = lexicon("reference-narrow"), lexicon("reference-wide"), lexicon("clinical-1")
sentences = st.lists(
    st.sampled_from(
        [
            "You should rest.",
            "I hear you.",
            "Try this!",
            "Any risk?",
            "No full stop",
            "<think>plan.</think>",
            "\n",
            " ",
        ]
    )
    | st.text(max_size=20),
    max_size=10,
)

# What clinical-1 finds and the published narrow list does not.
MENDED = [
    "Are you having suicidal thoughts?",
    "Have you thought about suicide?",
    "Have you tried to kill yourself?",
    "I recommended it.",
    "My recommendation is sleep.",
    "She suggests rest.",
    "A suggestion: rest.",
    "You were advised to rest.",
    "My advice is rest.",
    "You ought to rest.",
    "These are our plans.",
    "We planned a walk.",
    "Keep trying.",
    "He tries it.",
    "Practise it.",
    "You are practising it.",
    "It was scheduled.",
    "She starts today.",
    "Stopping is hard.",
    "It increases.",
    "Decreasing it helps.",
    "Reduce it slowly.",
    "It continues.",
    "I refer you to her.",
    "Here is a referral.",
    "He prescribed it.",
    "I encourage you.",
    "That is self harm.",
    "Did you hurt yourself?",
    "Do you want to end your life?",
    "There are risks.",
    "Two crises came.",
    "It is an emergency.",
    "A follow-up is due.",
    "I am following up.",
    "A check-in helps.",
    "I am checking in.",
    "Two journals help.",
    "Keep tracking it.",
    "We monitored it.",
]
# What the published narrow list finds and clinical-1 leaves out.
LEFT_OUT = ["That means a lot to me.", "It was not your intent."]
BOTH = [
    "Have you the intent to act?",
    "Have you access to means?",
    "I recommend rest.",
    "You should rest.",
    "Make a plan.",
    "Try it.",
    "Practice it.",
    "Is it self-harm?",
    "Are you safe right now?",
    "It is a risk.",
    "A crisis!",
    "Let us follow up.",
    "Let us check in.",
    "Until the next session.",
    "Do the homework.",
    "Keep a journal.",
    "Track it.",
    "Monitor it.",
    "A safety plan.",
]


@pytest.mark.parametrize("said", MENDED)
def test_clinical_1_mends_what_the_published_list_misses(said: str) -> None:
    assert extract_clinical_actions(said, CLINICAL) == said
    assert extract_clinical_actions(said, NARROW) == ""


@pytest.mark.parametrize("said", LEFT_OUT)
def test_clinical_1_leaves_out_everyday_words_that_the_published_list_takes_for_risk(said: str) -> None:
    assert extract_clinical_actions(said, CLINICAL) == ""
    assert extract_clinical_actions(said, NARROW) == said


@pytest.mark.parametrize("said", BOTH)
def test_clinical_1_keeps_what_the_published_list_finds(said: str) -> None:
    assert extract_clinical_actions(said, CLINICAL) == extract_clinical_actions(said, NARROW) == said


@pytest.mark.parametrize("words", [NARROW, WIDE, CLINICAL], ids=lambda words: words.key)
@pytest.mark.parametrize("said", ["I hear you.", "A shoulder hurts.", "Entry.", "x_plan_x"])
def test_a_word_inside_another_word_does_not_count(said: str, words: Lexicon) -> None:
    assert extract_clinical_actions(said, words) == ""


def test_the_published_lists_never_meet_suicidal_as_published() -> None:
    for words in (NARROW, WIDE):
        assert extract_clinical_actions("Suicidal thoughts? Suicide?", words) == ""


def test_blanks_inside_a_term_are_one_blank_and_for_the_wide_list_any_number() -> None:
    assert [NARROW.is_action(said) for said in ("follow up", "follow  up", "followup")] == [
        True,
        False,
        False,
    ]
    assert [WIDE.is_action(said) for said in ("ought to", "ought \n to", "oughtto")] == [True, True, True]


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("We FOLLOWUP with you on the phone", True),
        ("We follow \n up with you on the phone", True),
        ("Her recommended walks were on the hill", False),
        ("Practise the breathing on the hill", True),
        ("Practice the breathing on the hill", True),
        ("We ought  to breathe on the green hill", True),
        ("The shoulder hurts on the green hill", False),
    ],
)
def test_terms_of_the_wide_list_are_whole_words_in_any_case(said: str, found: bool) -> None:
    assert WIDE.is_action(said) == found


def test_the_wide_list_is_the_published_one() -> None:
    terms = [term.strip() for term in WIDE.groups["action"].split(",")]
    assert len(terms) == len(set(terms)) == 110
    assert {"consider", "follow~up", "employ", "wean", "ought~to"} <= set(terms)


def test_clinical_1_is_the_default_and_without_a_list_it_is_used() -> None:
    assert lexicon() is CLINICAL
    assert extract_clinical_actions("It was suicidal.") == "It was suicidal."
    assert CLINICAL.label == "clinical-1 (1)"


def test_kept_sentences_stay_in_order_and_letter_case_joined_by_a_blank() -> None:
    assert extract_clinical_actions("TRY it. I hear you!\nShould we?  Yes.", CLINICAL) == "TRY it. Should we?"


def test_a_line_break_ends_no_sentence_and_neither_does_a_full_stop_without_a_blank() -> None:
    assert extract_clinical_actions("I hear you\nTry it", CLINICAL) == "I hear you\nTry it"
    assert extract_clinical_actions("I hear you.Try it", CLINICAL) == "I hear you.Try it"


def test_thoughts_and_content_tags_are_no_reply() -> None:
    assert clean(" <think>try</think><content>a</content> ") == "a"
    assert clean("<Think>try</Think>") == "<Think>try</Think>"
    assert clean("<think>never closed") == "<think>never closed"


@given(sentences)
def test_every_action_is_a_part_of_the_cleaned_reply_and_an_action_by_itself(said: list[str]) -> None:
    reply = " ".join(said)
    found = extract_clinical_actions(reply, CLINICAL)
    assert len(found) <= len(clean(reply))
    assert not found or CLINICAL.is_action(found)


@given(sentences, sentences)
def test_the_actions_of_two_ended_texts_are_those_of_each(one: list[str], other: list[str]) -> None:
    first, second = (" ".join(said).replace("<", "").strip() for said in (one, other))
    whole = extract_clinical_actions(f"{first}. {second}", CLINICAL)
    parts = [extract_clinical_actions(f"{first}.", CLINICAL), extract_clinical_actions(second, CLINICAL)]
    assert whole == " ".join(part for part in parts if part)


@pytest.mark.parametrize("said", ["", None, " \n", "\ud800", "...", "?!"])
def test_nothing_said_holds_no_action(said: str | None) -> None:
    assert extract_clinical_actions(said) == ""


@pytest.mark.parametrize("said", [3, b"try", ["try"], float("nan"), True])
def test_something_else_than_a_text_is_refused_by_name(said: Any) -> None:
    with pytest.raises(BadInput, match=r"^text: expected a text"):
        extract_clinical_actions(said)


def test_an_unknown_list_is_refused_with_the_known_ones() -> None:
    with pytest.raises(
        BadInput,
        match=r"^lexicon: there is no lexicon 'mine'; there are clinical-1, reference-narrow, reference-wide",
    ):
        lexicon("mine")


@pytest.mark.parametrize("key", [3, None, ["clinical-1"], "../instruments/plan_alignment"])
def test_a_list_of_a_wrong_kind_is_refused(key: Any) -> None:
    with pytest.raises(BadInput, match=r"^lexicon: "):
        lexicon(key)


@pytest.mark.parametrize("terms", ["", "a,,b", "a, ", "-"])
def test_a_list_with_an_empty_term_is_refused_because_it_would_meet_everything(
    tmp_path: Path, terms: str
) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(f'key: mine\nversion: "1"\ntitle: Mine\ngroups:\n  action: "{terms}"\n')
    with pytest.raises(ConfigFileError, match=r"mine\.yaml, line \d, field groups.*empty term"):
        load_lexicon(path)


@pytest.mark.slow
@pytest.mark.parametrize(
    "said",
    [
        "try. " * 200_000,
        "try it " * 140_000,
        "." * 1_000_000,
        " " * 1_000_000,
        "a. \n" * 250_000,
        "follow" + " " * 500_000 + "up",
        "follow  " * 120_000,
        "ought " * 160_000,
        "<think>" * 140_000,
    ],
)
@pytest.mark.parametrize("words", [NARROW, WIDE, CLINICAL], ids=lambda words: words.key)
def test_a_megabyte_takes_time_in_proportion(said: str, words: Lexicon) -> None:
    began = time.process_time()
    extract_clinical_actions(said, words)
    assert time.process_time() - began < 6  # seconds; with the square of the length it would be many minutes
