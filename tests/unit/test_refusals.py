"""Every reason for which something is refused has one sentence, and every sentence can be filled in."""

from __future__ import annotations

import ast
import pickle
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

from data.access.permissions import Decision, NotPermitted, Person, Reason
from data.store.errors import NotFound, Refused
from reports.refusals import read_sentences, word_decision, word_error, word_reason
from tests.studies.small_study import Small

ROOT = Path(__file__).resolve().parents[2]
ERRORS = {"Refused", "NotFound", "StoreError", "NameRefused", "Notice"}


def find_refusals() -> Iterator[tuple[str, str, set[str]]]:
    """(place, reason, names of facts) of every error or notice that is made with a reason and not with a sentence."""
    for path in sorted((ROOT / room for room in ("data", "services", "runs")), key=str):
        for file in path.rglob("*.py"):
            for call in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name)):
                    continue
                if call.func.id in ERRORS and call.args:
                    facts = {fact.arg for fact in call.keywords if fact.arg}
                    for reason in find_constants(call.args[0]):
                        if " " not in reason:
                            yield f"{file.relative_to(ROOT)}:{call.lineno}", reason, facts


def find_constants(argument: ast.expr) -> list[str]:
    """The texts that an argument can be: one, or either one of a condition."""
    if isinstance(argument, ast.IfExp):
        return find_constants(argument.body) + find_constants(argument.orelse)
    return [str(argument.value)] if isinstance(argument, ast.Constant) else []


def find_fields(sentence: str) -> set[str]:
    """The facts that a sentence states, also those in a plural such as {count:{noun.singular}|{noun.plural}}."""
    parts = [(name, spec or "") for _, name, spec, _ in string.Formatter().parse(sentence) if name]
    return {name.split(".")[0] for name, _ in parts}.union(*(find_fields(spec) for _, spec in parts))


def test_every_reason_that_is_given_has_a_sentence_with_these_facts() -> None:
    refusals = list(find_refusals())
    assert len(refusals) > 120
    wrong = {
        place: (reason, facts)
        for place, reason, facts in refusals
        if reason not in read_sentences() or find_fields(read_sentences()[reason]) != facts
    }
    assert wrong == {}


def test_every_sentence_is_of_a_reason_that_is_given() -> None:
    given = {reason for _, reason, _ in find_refusals()} | set(Reason) | {"event_id_reused"}
    assert set(read_sentences()) - given == set()


@pytest.mark.parametrize("reason", list(Reason))
def test_every_reason_of_a_permission_is_worded(small: Small, reason: Reason) -> None:
    error = NotPermitted.of(Decision(reason, left=1_200), Person(None, "Ann"), small.study)
    assert word_error(error).endswith(".")
    assert word_error(pickle.loads(pickle.dumps(error))) == word_error(error), "it crosses processes"


def test_the_numbers_in_a_sentence_are_those_of_the_decision() -> None:
    assert word_decision(Decision(Reason.LEFT_TO_RATE, 1_200)) == "You have 1,200 left to rate blind."
    assert word_reason("too_many_names", most=500, count=1_234).endswith("this list has 1,234.")


def test_what_people_wrote_is_shown_as_they_wrote_it() -> None:
    error = Refused("rater_exists", name="{name.__class__} {0}")
    assert "a rater {name.__class__} {0}. " in word_error(error)


def test_an_error_that_is_a_sentence_already_keeps_its_words() -> None:
    assert word_error(NotFound("There is no such study.")) == "There is no such study."
