"""Whatever people write is checked in the same way, wherever they write it."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

import pytest

from data.labels import reasoning_comments
from data.record import adoptions, anchors, set_aside
from data.settling import escalations
from data.store import free_text
from data.store.errors import Refused
from data.work import certification
from tests.studies import settling
from tests.studies.settling import Colleague
from tests.studies.small_study import Small

LONG = "x" * (free_text.NOTE_LIMIT + 1)
CONTROLS = {"NUL": "a\x00b", "escape": "a\x1b[2Jb", "C1 control": "a\x9bb", "delete": "a\x7fb"}
HALVES = {"half a character": "a\ud83db", "the other half": "a\ude00b"}


def note(small: Small, text: str) -> None:
    small.desk().draft(2, "warm", note=text)


def reason_of_a_change(small: Small, text: str) -> None:
    small.desk().rate(2)
    small.desk().change(2, "warm", "NO", reason=text)


def comment(small: Small, text: str) -> None:
    desk = small.desk()
    desk.rate(2)
    desk.reveal(2)
    with small.store.writing("tests", "comment", small.study.id) as (connection, entry):
        reasoning_comments.write(
            connection, entry, desk.unit(2), desk.rater, str(uuid.uuid4()), small.judges[0], "warm", text
        )


def note_to_the_lead(small: Small, text: str) -> None:
    Colleague.of(small, 0).tell(note=text)


def answer_of_the_lead(small: Small, text: str) -> None:
    told = Colleague.of(small, 0).tell()
    with small.store.writing("tests", "answer", small.study.id) as (connection, entry):
        escalations.answer(
            connection, entry, small.study, told or 0, small.raters[2], str(uuid.uuid4()), text
        )


def settle(small: Small, **words: str) -> None:
    settling.disputed(small)
    colleague = Colleague.of(small, 2)
    colleague.open()
    colleague.settle(**words)  # type: ignore[arg-type]


def reason_of_a_settlement(small: Small, text: str) -> None:
    settle(small, reason=text)


def note_on_the_rubric(small: Small, text: str) -> None:
    settle(small, note=text)


def reason_to_set_aside(small: Small, text: str) -> None:
    with small.store.writing("tests", "set aside", small.study.id) as (connection, entry):
        set_aside.set_rater_aside(connection, entry, small.study, small.raters[0], "Dr Lee", text)


def reason_to_let_in(small: Small, text: str) -> None:
    with small.store.writing("tests", "grant", small.study.id) as (connection, entry):
        certification.grant(connection, entry, small.raters[0], text)


def reason_for_a_judge(small: Small, text: str) -> None:
    with small.store.writing("tests", "adopt", small.study.id) as (connection, entry):
        anchors.freeze(connection, entry, small.study, {(small.desk().unit(2).id, "safe"): "NO"})
        adoptions.adopt(
            connection,
            entry,
            small.study,
            small.judges[0],
            adoptions.AdoptionEvidence(),
            "Dr Lee",
            text,
            None,
        )


PATHS = (
    note,
    reason_of_a_change,
    comment,
    note_to_the_lead,
    answer_of_the_lead,
    reason_of_a_settlement,
    note_on_the_rubric,
    reason_to_set_aside,
    reason_to_let_in,
    reason_for_a_judge,
)


@pytest.fixture
def people(make_study: Callable[..., Small]) -> Small:
    """A study with a plan of work and three raters, of whom the third settles."""
    made = make_study(raters=("Ann", "Ben", "Cleo"))
    settling.plan(made.store, made.study)
    return made


@pytest.mark.parametrize(
    ("write", "text"),
    [
        *((write, text) for write in PATHS for text in CONTROLS.values()),
        # An answer with half a character is no answer: the model of it refuses the note
        # (tests/pages/test_workbench_events.py).
        *((write, text) for write in PATHS if write is not note for text in HALVES.values()),
    ],
)
def test_a_character_that_cannot_be_kept_is_refused_with_its_place(
    people: Small, write: Callable[[Small, str], Any], text: str
) -> None:
    with pytest.raises(Refused, match="character_unusable"):
        write(people, text)


@pytest.mark.parametrize("write", [path for path in PATHS if path is not note])
def test_a_text_may_have_so_many_characters(people: Small, write: Callable[[Small, str], Any]) -> None:
    with pytest.raises(Refused, match="text_too_long"):
        write(people, LONG)


@pytest.mark.parametrize("write", PATHS)
def test_every_script_and_line_is_kept(people: Small, write: Callable[[Small, str], Any]) -> None:
    write(people, "first line\nsecond\r\n\tمرحبا שלום 👩‍👩‍👧‍👦 \u202e\u200b ﷽ \ufffd")


def test_the_place_is_told_where_no_words_stand_before() -> None:
    with pytest.raises(Refused, match="character_unusable"):
        free_text.check_text("note", "a\n\x00")
