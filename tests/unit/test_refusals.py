"""Every reason for which something is refused has one sentence, and every sentence can be filled in."""

from __future__ import annotations

import string

import pytest

from data.store.errors import NotFound
from data.work.permissions import Decision, NotPermitted, Person, Reason
from reports.refusals import SENTENCES, word_decision, word_error
from tests.studies.small_study import Small


def test_every_reason_of_a_permission_has_a_sentence(small: Small) -> None:
    for reason in Reason:
        error = NotPermitted.of(Decision(reason, left=1_200), Person(None, "Ann"), small.study)
        sentence = word_error(error)
        assert sentence.endswith(".") and "{" not in sentence, reason


@pytest.mark.parametrize("reason", [r for r in Reason if "{name}" not in SENTENCES[r]])
def test_a_decision_that_a_page_words_needs_no_more_than_what_is_left(reason: Reason) -> None:
    fields = {name for _, name, _, _ in string.Formatter().parse(SENTENCES[reason]) if name}
    if fields <= {"left"}:
        assert word_decision(Decision(reason, 3)).endswith(".")
    else:
        assert fields == {"noun.singular"}


def test_the_numbers_in_a_sentence_are_those_of_the_decision() -> None:
    assert word_decision(Decision(Reason.LEFT_TO_RATE, 1_200)) == "You have 1,200 left to rate blind."


def test_an_error_that_is_worded_already_keeps_its_words() -> None:
    assert word_error(NotFound("There is no such study.")) == "There is no such study."
