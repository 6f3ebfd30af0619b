"""A plan of care from what follows from a counsellor's words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from configs.files.yaml_files import ConfigFileError
from scoring.bad_input import BadInput
from scoring.plan_components import (
    NO_TEXT,
    NONE_FOLLOWS,
    Component,
    Components,
    load_components,
    plan_components,
    shipped_components,
)
from tests.unit.scoring.entails_by_words import ByWords

SMALL = Components(
    key="small",
    version="2",
    title="Small",
    components=(
        Component(id="safety", sentence="Stay safe.", hypotheses=("danger", "safe")),
        Component(id="work", sentence="Do homework.", hypotheses=("homework", "notes")),
        Component(id="sleep", sentence="Sleep.", hypotheses=("sleep",)),
    ),
)


def test_the_shipped_parts_are_the_eight_published_ones_in_order_with_their_number_of_hypotheses() -> None:
    assert [(component.id, len(component.hypotheses)) for component in shipped_components().components] == [
        ("risk_safety", 2),
        ("cbt_cognitive_restructuring", 2),
        ("behavioural_activation", 1),
        ("grounding_distress_tolerance", 2),
        ("exposure", 1),
        ("medication_review_gp", 2),
        ("referral_signposting", 1),
        ("homework_between_session", 2),
    ]


def test_no_hypothesis_and_no_sentence_of_the_shipped_parts_stands_twice() -> None:
    said = [
        line
        for component in shipped_components().components
        for line in (component.sentence, *component.hypotheses)
    ]
    assert len(set(said)) == len(said) == 8 + 13


def test_every_hypothesis_is_asked_of_all_of_the_counsellors_text() -> None:
    model = ByWords()
    plan_components([" first ", "", None, "second"], model, SMALL)
    assert model.asked == [
        ("first second", hypothesis) for hypothesis in ("danger", "safe", "homework", "notes", "sleep")
    ]


def test_one_entailed_hypothesis_puts_a_part_on_and_the_first_is_the_evidence() -> None:
    found = plan_components(["sleep and notes", "homework"], ByWords(), SMALL)
    assert list(found.evidence.items()) == [("work", "homework"), ("sleep", "sleep")]
    assert plan_components(["notes"], ByWords(), SMALL).evidence == {"work": "notes"}


def test_the_plan_is_the_sentences_in_the_order_of_the_parts_joined_by_a_blank() -> None:
    found = plan_components(["sleep", "safe"], ByWords(), SMALL)
    assert (found.plan, found.undefined) == ("Stay safe. Sleep.", None)
    assert (found.model, found.components) == ("by words", "small (2)")


def test_no_part_at_all_is_none_with_a_reason() -> None:
    found = plan_components(["good morning"], ByWords(), SMALL)
    assert (found.evidence, found.plan, found.undefined) == ({}, None, NONE_FOLLOWS)


@pytest.mark.parametrize("said", [[], ["", " \n"], [None]])
def test_a_counsellor_who_says_nothing_has_no_plan_and_no_model_is_asked(said: list[str | None]) -> None:
    model = ByWords()
    found = plan_components(said, model)
    assert (found.plan, found.undefined, model.calls) == (None, NO_TEXT, 0)


def test_a_contradicted_hypothesis_puts_nothing_on() -> None:
    denied = Components(
        key="k", version="1", title="t", components=(Component(id="a", sentence="A.", hypotheses=("not a",)),)
    )
    assert plan_components(["a"], ByWords(), denied).plan is None


@pytest.mark.parametrize("said", ["one text", None, 3, {"a": "b"}])
def test_something_else_than_a_list_of_texts_is_refused(said: Any) -> None:
    with pytest.raises(BadInput, match=r"^counsellor_texts: expected"):
        plan_components(said, ByWords())


def test_an_entry_of_a_wrong_kind_is_refused_by_its_place() -> None:
    with pytest.raises(BadInput, match=r"^counsellor_texts\[1\]: expected a text, found int"):
        plan_components(["a", 1], ByWords())  # type: ignore[list-item]


def test_a_broken_file_of_parts_is_named_by_field(tmp_path: Path) -> None:
    path = tmp_path / "parts.yaml"
    path.write_text(
        'key: k\nversion: "1"\ntitle: T\ncomponents:\n  - {id: a, sentence: " ", hypotheses: [b]}\n'
    )
    with pytest.raises(ConfigFileError, match=r"^parts\.yaml, line 5, field components\.0\.sentence"):
        load_components(path)
    path.write_text(
        'key: k\nversion: "1"\ntitle: T\ncomponents:\n  - {id: a, sentence: A., hypotheses: [b]}\n  - {id: '
        "a, sentence: B., hypotheses: [c]}\n"
    )
    with pytest.raises(ConfigFileError, match="the component a is listed twice"):
        load_components(path)
