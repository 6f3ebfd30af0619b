"""Whoever saw the judge of a conversation in one version of a study does not rate it blind in another one: the words
are the same.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import Connection, event

from data import schema
from data.importers.imported_raters import SameRaters
from data.importers.imported_ratings import RatingProvenance, add_ratings
from data.importers.report import ImportReport
from data.record import studies, units
from data.record.studies import Study
from data.work import exposures, same_words, successors
from services.study_changes import forget_conversation
from tests.studies import importing
from tests.studies.small_study import INSTRUMENT, SAID, Small

REPLIES = INSTRUMENT.replace("unit: conversation", "unit: assistant_turn")

TALK = [
    (role, f"{said} 2.{turn}") for turn in range(2) for role, said in (("user", SAID), ("assistant", "Reply"))
]


def bring_talk(small: Small, folder: Path, messages: list[tuple[str, str]]) -> None:
    file = folder / "talk.json"
    listed = [{"role": role, "content": text} for role, text in messages]
    file.write_text(json.dumps([{"id": "x2", "messages": listed}]), encoding="utf-8")
    importing.import_conversations(small.store, small.study.key, file, "lead", same_person="none")


def show_judge(small: Small, position: int) -> None:
    """To Ann, of one unit."""
    ann = small.desk(0)
    with small.store.writing("Ann", "reveal", small.study.id) as (_, entry):
        row = {"rater_id": ann.rater, "unit_id": ann.unit(position).id, "kind": "reveal"}
        entry.write(schema.exposure, row)


def begin_version(small: Small, number: int, instrument: str = INSTRUMENT) -> Study:
    """The study that continues this one under the rubric's version of this number."""
    body = instrument.replace('version: "1"', f'version: "{number}"').replace(
        "name: Warm,", f"name: Warmth in version {number},"
    )
    with small.store.writing("lead", "new version", small.study.id) as (connection, entry):
        key, title = f"version{number}", f"Version {number}"
        study_id = successors.begin(connection, entry, small.study, body, key, title, "read in two ways")
        return studies.get(connection, study_id)


def exposure_of(small: Small, study: Study, name: str, position: int = 1) -> str:
    with small.store.reading() as connection:
        unit = units.at_position(connection, study.id, position)
        assert unit is not None
        return exposures.exposure_now(connection, study, unit, rater_id(small, study, name))


def rater_id(small: Small, study: Study, name: str) -> int:
    with small.store.reading() as connection:
        return {rater.name: rater.id for rater in studies.raters(connection, study.id)}[name]


def open_labels(small: Small, study: Study, name: str) -> None:
    number = rater_id(small, study, name)
    with small.store.writing(name, "open the labels of the whole study", study.id) as (connection, entry):
        exposures.record_page(connection, entry, number)


@pytest.fixture
def rated(make_small: Callable[..., Small]) -> Small:
    """Two conversations, two raters; Rater 2 rated both, so that a new version holds both."""
    small = make_small(2, 2)
    for position in (1, 2):
        small.desk(1).rate(position)
    return small


def test_what_was_seen_in_the_study_that_is_continued_was_seen(rated: Small) -> None:
    rated.desk(0).rate(1)
    rated.desk(0).reveal(1)
    new = begin_version(rated, 2)
    assert [exposure_of(rated, new, "Rater 1", position) for position in (1, 2)] == ["page", "blind"]
    assert exposure_of(rated, new, "Rater 2") == "blind"


def test_who_opened_all_labels_of_the_study_that_is_continued_has_seen_every_unit(rated: Small) -> None:
    open_labels(rated, rated.study, "Rater 1")
    new = begin_version(rated, 2)
    for position in (1, 2):
        assert exposure_of(rated, new, "Rater 1", position) == "page"
        assert exposure_of(rated, new, "Rater 2", position) == "blind"


def test_who_saw_the_judge_in_the_study_that_continues_does_not_rate_blind_in_the_first(rated: Small) -> None:
    new = begin_version(rated, 2)
    assert exposure_of(rated, rated.study, "Rater 1") == "blind"
    open_labels(rated, new, "Rater 1")
    assert exposure_of(rated, rated.study, "Rater 1") == "page"
    assert exposure_of(rated, rated.study, "Rater 2") == "blind"


def test_two_versions_that_continue_one_study_hold_the_same_words(rated: Small) -> None:
    second, third = begin_version(rated, 2), begin_version(rated, 3)
    open_labels(rated, second, "Rater 1")
    assert exposure_of(rated, third, "Rater 1") == "page"
    assert exposure_of(rated, third, "Rater 2") == "blind"


@pytest.mark.parametrize(
    ("before", "now"), [("Cleo", "cleo"), ("Zoë", "Zoe\u0308"), ("CLEO  B", "Cleo b"), ("Cleo", "Cleo")]
)
def test_a_name_is_the_same_however_it_is_written(rated: Small, before: str, now: str) -> None:
    """Whoever comes later to both studies may write their name in two ways."""
    new = begin_version(rated, 2)
    for study, name in ((rated.study, before), (new, now), (new, "Cleopatra")):
        with rated.store.writing("lead", "add a rater", study.id) as (connection, entry):
            studies.add_rater(connection, entry, study.id, name)
    open_labels(rated, rated.study, " ".join(before.split()))
    assert exposure_of(rated, new, now) == "page"
    assert exposure_of(rated, new, "Cleopatra") == "blind"


def test_a_page_shows_what_its_study_holds(make_small: Callable[..., Small]) -> None:
    """The new version holds the conversations that were rated: its page tells nothing of the others."""
    small = make_small(2, 2)
    small.desk(1).rate(1)
    new = begin_version(small, 2)
    open_labels(small, new, "Rater 1")
    assert [exposure_of(small, small.study, "Rater 1", position) for position in (1, 2)] == ["page", "blind"]


def test_a_reply_whose_judge_was_seen_is_that_reply_alone(make_small: Callable[..., Small]) -> None:
    """As in the study itself: a judge of one reply is none of the next."""
    small = make_small(2, 2, instrument=REPLIES, with_judges=False)
    for position in (2, 3):  # the two replies of c2
        small.desk(1).rate(position)
    with small.store.writing("Rater 2", "reveal", small.study.id) as (_, entry):
        row = {"rater_id": small.raters[1], "unit_id": small.desk(1).unit(2).id, "kind": "reveal"}
        entry.write(schema.exposure, row)
    new = begin_version(small, 2, REPLIES)
    for study, first in ((small.study, "revealed"), (new, "page")):
        positions = (2, 3) if study is small.study else (1, 2)
        assert [exposure_of(small, study, "Rater 2", number) for number in positions] == [first, "blind"]


@pytest.mark.parametrize(
    ("form", "replies"),
    [
        ([("system", "Be kind."), *TALK], [2, 4]),
        ([TALK[0], ("user", " "), *TALK[1:]], [2, 4]),
        ([TALK[0], ("assistant", "Reply"), ("assistant", "2.0"), *TALK[2:]], [1, 2, 4]),
    ],
)
def test_a_reply_is_the_same_one_where_its_message_has_another_number(
    make_study: Callable[..., Small],
    tmp_path: Path,
    form: list[tuple[str, str]],
    replies: list[int],
) -> None:
    pilot = make_study(key="pilot", instrument=REPLIES, with_judges=False, conversation_count=2)
    main = make_study(key="main", instrument=REPLIES, with_judges=False, conversation_count=1)
    bring_talk(main, tmp_path, form)
    show_judge(pilot, 2)
    positions = range(2, 2 + len(replies))
    assert [main.desk(0).unit(position).message for position in positions] == replies
    exposures_there = [exposure_of(main, main.study, "Ann", position) for position in positions]
    assert exposures_there == ["page"] * (len(replies) - 1) + ["blind"]
    assert {exposure_of(main, main.study, "Ben", position) for position in positions} == {"blind"}


def test_of_a_conversation_that_was_erased_any_reply_may_have_been_the_one(
    make_study: Callable[..., Small], tmp_path: Path
) -> None:
    pilot = make_study(key="pilot", instrument=REPLIES, with_judges=False, conversation_count=2)
    main = make_study(key="main", instrument=REPLIES, with_judges=False, conversation_count=1)
    bring_talk(main, tmp_path, TALK)
    show_judge(pilot, 2)
    assert [exposure_of(main, main.study, "Ann", position) for position in (2, 3)] == ["page", "blind"]
    forget_conversation(pilot.store, "lead", pilot.study, "c2", "asked for")
    assert [exposure_of(main, main.study, "Ann", position) for position in (2, 3)] == ["page", "page"]


def count_values(connection: Connection) -> list[int]:
    """How many values each statement takes from here on."""
    values: list[int] = []
    event.listen(connection, "before_cursor_execute", lambda *a: values.append(len(a[3])))
    return values


def import_copies(small: Small, folder: Path, talk: list[tuple[str, str]]) -> None:
    messages = [{"role": role, "content": text} for role, text in talk]
    file = folder / "talks.json"
    file.write_text(json.dumps([{"id": f"x{number}", "messages": messages} for number in range(40)]))
    importing.import_conversations(small.store, small.study.key, file, "lead", same_person="none")


def test_very_many_copies_are_looked_up_in_parts(
    make_study: Callable[..., Small], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A statement takes 32,766 values in many builds of SQLite; a rater must be able to save beside more."""
    monkeypatch.setattr(same_words, "MAX_IDS_PER_QUERY", 5)
    pilot, main = make_study(key="pilot", with_judges=False), make_study(key="main", with_judges=False)
    import_copies(main, tmp_path, TALK)
    with pilot.store.reading() as connection:
        values = count_values(connection)
        assert (
            exposures.exposure_now(connection, pilot.study, pilot.desk().unit(2), pilot.raters[0]) == "blind"
        )
    assert max(values) <= 8 * 5
    show_judge(main, 44)  # the last copy of all
    assert exposure_of(pilot, pilot.study, "Ann", 2) == "page"


def test_so_are_the_many_replies_of_copies(
    make_study: Callable[..., Small], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each copy holds as many units as it has replies, where the other study is rated by reply."""
    monkeypatch.setattr(same_words, "MAX_IDS_PER_QUERY", 5)
    talk = [message for turn in range(12) for message in (("user", f"Hello {turn}"), ("assistant", "Yes?"))]
    pilot = make_study(key="pilot", with_judges=False)
    by_reply = REPLIES.replace("key: small", "key: by-reply")
    main = make_study(key="main", instrument=by_reply, with_judges=False, conversation_count=1)
    bring_talk(pilot, tmp_path, talk)
    import_copies(main, tmp_path, talk)
    with pilot.store.reading() as connection:
        values = count_values(connection)
        unit = pilot.desk().unit(5)
        assert exposures.exposure_now(connection, pilot.study, unit, pilot.raters[0]) == "blind"
    assert max(values) <= 8 * 5
    with main.store.reading() as connection:
        last = studies.unit_count(connection, main.study.id)
    show_judge(main, last)  # the last reply of the last copy
    assert exposure_of(pilot, pilot.study, "Ann", 5) == "page"


def test_a_page_with_all_labels_counts_where_no_unit_is_the_same(
    make_study: Callable[..., Small], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a study in which only some replies are rated, and this one is not."""
    pilot, main = make_study(key="pilot", with_judges=False), make_study(key="main", with_judges=False)
    monkeypatch.setattr(same_words, "_read_same_units", lambda *_: [])
    assert exposure_of(pilot, pilot.study, "Ann", 2) == "blind"
    with main.store.writing("Ann", "page", main.study.id) as (connection, entry):
        exposures.record_page(connection, entry, main.raters[0])
    assert exposure_of(pilot, pilot.study, "Ann", 2) == "page"


def test_a_study_of_its_own_with_the_same_words_is_heeded(make_study: Callable[..., Small]) -> None:
    first, second = make_study(key="first"), make_study(key="second")
    assert exposure_of(first, first.study, "Ann") == "blind"
    open_labels(first, second.study, "Ann")
    assert exposure_of(first, first.study, "Ann") == "page"
    assert exposure_of(first, first.study, "Ben") == "blind"


def test_the_judge_of_the_unit_counts_more_than_a_page(rated: Small) -> None:
    rated.desk(1).reveal(1)
    open_labels(rated, rated.study, "Rater 2")
    assert [exposure_of(rated, rated.study, "Rater 2", position) for position in (1, 2)] == [
        "revealed",
        "page",
    ]


@pytest.mark.parametrize(
    ("exposure", "expected"), [("judge_visible", "page"), ("unknown", "page"), ("blind", "blind")]
)
def test_what_was_labelled_in_a_file_of_the_study_that_is_continued_was_seen(
    rated: Small, exposure: str, expected: str
) -> None:
    rows = [(1, {"conversation_id": "c1", "rater": "Rater 1", "criterion": "warm", "label": "NO"})]
    report = ImportReport("a file")
    provenance = RatingProvenance(
        exposure, "her own forms", same_raters=SameRaters(frozenset({"Rater 1"}), "Dr Lee")
    )
    with rated.store.writing("Dr Lee", "import", rated.study.id) as (connection, entry):
        add_ratings(connection, entry, rated.study, rows, report, provenance)
        report.raise_if_wrong()
    new = begin_version(rated, 2)
    assert [exposure_of(rated, new, "Rater 1", position) for position in (1, 2)] == [expected, "blind"]
    assert [exposure_of(rated, new, "Rater 2", position) for position in (1, 2)] == ["blind", "blind"]
