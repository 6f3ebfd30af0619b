"""The conversation of a unit beside its labels: what is marked, and who reads instructions to the assistant."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
import streamlit as st

from pages.widgets.unit_text import unit_text
from scoring.transcripts import Message
from tests.studies.small_study import Small

MESSAGES = [
    Message("system", "be kind"),
    Message("user", "I am tired"),
    Message("assistant", "tell me more"),
    Message("user", "of work"),
    Message("assistant", "I see"),
]


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    bodies: list[str] = []
    monkeypatch.setattr(st, "html", bodies.append)
    return bodies


def marked(body: str) -> list[str]:
    return re.findall(r'sr-marked"><p class="sr-small">[^<]*</p><p [^>]*>([^<]*)</p>', body)


def test_the_turn_that_is_rated_is_marked(written: list[str], small: Small) -> None:
    unit = small.desk().unit(2)
    unit_text(small.study, replace(unit, message=4), MESSAGES)
    unit_text(small.study, unit, MESSAGES)
    assert [marked(body) for body in written] == [["I see"], []]


def test_instructions_are_there_for_those_alone_who_may_know_the_condition(
    written: list[str], small: Small
) -> None:
    unit = small.desk().unit(2)
    unit_text(small.study, unit, MESSAGES, with_instructions=True)
    unit_text(small.study, unit, MESSAGES)
    assert ["be kind" in body for body in written] == [True, False]
