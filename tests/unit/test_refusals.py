"""Every reason for which something is refused has one sentence, and every sentence can be filled in."""

from __future__ import annotations

import ast
import pickle
import string
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from data.access.permissions import Decision, NotPermitted, Person, Reason
from data.store.errors import NotFound, Notice, Refused
from data.work.draw_spec import DrawSpec
from data.work.plan import WorkPlan
from reports.refusals import read_sentences, word_decision, word_error, word_notice, word_reason
from tests.studies.small_study import Small
from words.unit_nouns import CONVERSATION, REPLY

ROOT = Path(__file__).resolve().parents[2]
ERRORS = {"Refused", "NotFound", "StoreError", "NameRefused", "Notice"}


def find_refusals() -> Iterator[tuple[str, str, set[str]]]:
    """(place, reason, names of facts) of every error or notice that is made with a reason and not with a sentence."""
    for path in sorted((ROOT / room for room in ("data", "services", "runs", "pages")), key=str):
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
    for form, fields in (
        ("plan", {*WorkPlan.model_fields, "other"}),
        ("draw", {*DrawSpec.model_fields, "other"}),
    ):
        given |= {f"{form}_field_{field}" for field in fields}
    assert set(read_sentences()) - given == set()


@pytest.mark.parametrize("reason", list(Reason))
def test_every_reason_of_a_permission_is_worded(small: Small, reason: Reason) -> None:
    error = NotPermitted.of(Decision(reason, left=1_200), Person(None, "Ann"), small.study)
    assert word_error(error).endswith(".")
    assert word_error(pickle.loads(pickle.dumps(error))) == word_error(error), "it crosses processes"


def test_the_numbers_in_a_sentence_are_those_of_the_decision() -> None:
    assert word_decision(Decision(Reason.LEFT_TO_RATE, 1_200)) == "You have 1,200 left to rate blind."
    assert word_reason("too_many_names", most=500, count=1_234).endswith("this list has 1,234.")


def test_no_reason_is_worded_twice() -> None:
    rooms = tomllib.loads((ROOT / "reports" / "refusals.toml").read_text(encoding="utf-8"))
    assert sum(map(len, rooms.values())) == len(read_sentences())


@pytest.mark.parametrize(
    ("notice", "sentence"),
    [
        (
            Notice("too_few_to_draw", size=1_200, noun=REPLY, left=1),
            "1,200 replies were asked for, and only 1 is left to select. Ask for 1 or fewer.",
        ),
        (
            Notice("too_few_beside_certain", size=5, noun=CONVERSATION, left=2),
            "5 conversations were asked for, and only 2 are left to select beside those selected in any "
            "case. Ask for 2 or fewer.",
        ),
        (
            Notice("skipped_wants_raters", skipped=1),
            "Nothing new is waiting for you. You skipped 1 that still wants a rater: it is on My work if you "
            "want to rate it after all.",
        ),
        (
            Notice("skipped_wants_raters", skipped=2),
            "Nothing new is waiting for you. You skipped 2 that still want a rater: they are on My work if you "
            "want to rate one after all.",
        ),
        (
            Notice("take_a_break", units=25, left=1),
            "You have rated 25 in this sitting, which is as many as this study wants at a time. Take a break; you "
            "can go on in 1 minute.",
        ),
        (
            Notice("nobody_has_name", overlap=2),
            "2 raters should rate each, but nobody has a name here yet. Add raters, or ask for fewer.",
        ),
        (
            Notice("too_few_have_names", overlap=2, people=1),
            "2 raters should rate each, but only 1 has a name here. Add raters, or ask for fewer.",
        ),
        (
            Notice("store_with_foreign_trigger", name="quiet", table="rating", count=3, more=2),
            "The database has a trigger that is not Second Reader's: quiet on the table rating. There are 2 more. It "
            "could change or swallow what you save, so the program does not start. Restore the last backup "
            "(second-reader restore FILE), or ask the person who added it to remove it.",
        ),
        (
            Notice("not_certified", same=1, labels=3),
            "In the certification, 1 of your 3 labels were the same as the expert's, and the study asks for more. The "
            "study lead decides how you go on.",
        ),
        (
            Notice("plan_out_of_range", fields=["overlap", "sitting", "", "colour"]),
            "Raters for each: from 1 to 50. How many without a break, at most: from 1 to 1000, or empty for no limit. "
            "The plan cannot be read as it was entered.",
        ),
    ],
)
def test_words_follow_their_facts(notice: Notice, sentence: str) -> None:
    assert word_notice(notice) == sentence


def test_what_people_wrote_is_shown_as_they_wrote_it() -> None:
    error = Refused("rater_exists", name="{name.__class__} {0}")
    assert "a rater {name.__class__} {0}. " in word_error(error)


def test_an_error_that_is_a_sentence_already_keeps_its_words() -> None:
    assert word_error(NotFound("There is no such study.")) == "There is no such study."
