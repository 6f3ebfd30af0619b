"""Questions that depend on answers: which are asked, and which instruments are refused."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from configs.files.yaml_files import ConfigFileError
from scoring.asked_questions import asked_ids
from scoring.instruments import Instrument, parse_instrument
from tests.studies.branching import BRANCHING, answered_path, branching_forms

FORM = parse_instrument(BRANCHING)


@pytest.mark.parametrize(
    ("labels", "asked"),
    [
        ({}, {"risk"}),
        ({"risk": "NO"}, {"risk", "false_alarm"}),
        ({"risk": "YES"}, {"risk", "missed"}),
        ({"risk": "YES", "missed": "YES"}, {"risk", "missed", "tone"}),
        ({"risk": "YES", "missed": "NO"}, {"risk", "missed", "confirms"}),
        ({"risk": "YES", "missed": "NO", "confirms": "NA"}, {"risk", "missed", "confirms", "tone"}),
        ({"risk": "NO", "false_alarm": "YES"}, {"risk", "false_alarm"}),
        ({"risk": None}, {"risk"}),  # cannot rate: nothing more is asked
        ({"missed": "YES"}, {"risk"}),  # an answer to what is not asked opens nothing
        ({"risk": "NO", "missed": "YES", "confirms": "NO"}, {"risk", "false_alarm"}),
    ],
)
def test_the_questions_of_a_path(labels: Mapping[str, str | None], asked: set[str]) -> None:
    assert asked_ids(FORM.criteria, labels) == asked


def test_without_conditions_everything_is_asked() -> None:
    plain = parse_instrument(re.sub(r", asked_when: \{.*?\]\}", "", BRANCHING))
    assert not plain.conditional and FORM.conditional
    assert asked_ids(plain.criteria, {}) == {criterion.id for criterion in plain.criteria}


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (
            "missed, name: Missed, scale: yes_no, asked_when: {risk: [",
            "missed, name: Missed, scale: yes_no, asked_when: {risks: [",
            "line 15, field criteria.1.asked_when.risks: missed depends on risks, which is no criterion",
        ),
        (
            'asked_when: {risk: ["NO"]}',
            'asked_when: {tone: ["NO"]}',
            "false_alarm depends on tone, which does not stand above it",
        ),
        (
            'asked_when: {risk: ["NO"]}',
            'asked_when: {false_alarm: ["NO"]}',
            "false_alarm depends on false_alarm, which does not stand above",
        ),
        (
            'asked_when: {risk: ["NO"]}',
            'asked_when: {risk: ["MAYBE"]}',
            "'MAYBE' is no label that risk can have; there are: YES, NO",
        ),
        ('asked_when: {risk: ["NO"]}', 'asked_when: {risk: ["NA"]}', "'NA' is no label that risk can have"),
        ('asked_when: {risk: ["NO"]}', "asked_when: {risk: []}", "name the labels of risk"),
        ('asked_when: {risk: ["NO"]}', "asked_when: [risk]", "asked_when"),
        ("score: {rule: none}", "score: {rule: mean_of_levels}", "make no score"),
    ],
)
def test_a_form_that_cannot_be_followed_is_refused_with_its_line(old: str, new: str, says: str) -> None:
    assert old in BRANCHING
    with pytest.raises(ConfigFileError, match=re.escape(says)) as error:
        parse_instrument(BRANCHING.replace(old, new, 1), "form.yaml")
    assert re.match(r"form\.yaml, line \d+, field criteria\.", str(error.value))


@settings(max_examples=200, deadline=None)
@given(branching_forms())
def test_any_form_is_read_and_every_question_can_be_reached(form: Instrument) -> None:
    for criterion in form.criteria:
        labels = answered_path(form, criterion.id)
        assert criterion.id in asked_ids(form.criteria, labels)


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_what_was_not_asked_changes_nothing(data: st.DataObject) -> None:
    form = data.draw(branching_forms())
    labels = data.draw(
        st.fixed_dictionaries({c.id: st.sampled_from(["YES", "NO", "NA", None]) for c in form.criteria})
    )
    asked = asked_ids(form.criteria, labels)
    assert asked_ids(form.criteria, {name: label for name, label in labels.items() if name in asked}) == asked
