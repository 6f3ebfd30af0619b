"""An import adds everything or nothing, says what it added, and adds nothing twice."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from data.importers.new_study import NewStudy
from data.keeping.verify import verify
from data.record import studies, units
from data.record.studies import StudySpec
from tests.studies import importing
from tests.studies.small_study import INSTRUMENT, Small, conversation_lines
from tests.unit.data.importers.conftest import Bring, lines, talk

Counts = Callable[[], dict[str, int]]
Refuse = Callable[..., list[str]]


def test_what_was_added_is_told(bring_conversations: Bring) -> None:
    report = bring_conversations(lines(talk("n1"), talk("n2")))
    assert report.summary() == "Added 2 conversations from file.jsonl."


def test_new_units_stand_after_those_there_were(small: Small, bring_conversations: Bring) -> None:
    bring_conversations(lines(talk("n1", "one", "two", "three")))
    with small.store.reading() as connection:
        unit = units.at_position(connection, small.study.id, 5)
    assert unit is not None
    assert unit.turns == 3


def test_a_dry_run_says_what_would_be_added_and_writes_nothing(
    bring_conversations: Bring, row_counts: Counts
) -> None:
    before = row_counts()
    report = bring_conversations(lines(talk("n1"), talk("n2")), dry_run=True)
    assert report.summary() == "Would add 2 conversations from file.jsonl."
    assert row_counts() == before


def test_the_same_file_again_adds_nothing(bring_conversations: Bring, row_counts: Counts) -> None:
    content = lines(talk("n1"), talk("n2"))
    bring_conversations(content)
    before = row_counts()
    assert (
        bring_conversations(content).summary()
        == "Added nothing from file.jsonl. Already there: 2 conversations."
    )
    assert row_counts() == before


def test_of_a_longer_file_only_what_is_new_is_added(bring_conversations: Bring) -> None:
    bring_conversations(lines(talk("n1")))
    report = bring_conversations(lines(talk("n1"), talk("n2")))
    assert report.summary() == "Added 1 conversation from file.jsonl. Already there: 1 conversation."


def test_the_same_id_with_other_words_is_refused(
    bring_conversations: Bring, refused: Refuse, row_counts: Counts
) -> None:
    bring_conversations(lines(talk("n1")))
    before = row_counts()
    problems = refused(bring_conversations, lines(talk("n2"), talk("n1", "other words")))
    assert problems == [
        "file.jsonl, line 2: the study has a conversation 'n1' with a different text. Ratings rest on that text, so give this one a new id"
    ]
    assert row_counts() == before


def test_the_same_conversation_in_another_form_is_already_there(bring_conversations: Bring) -> None:
    bring_conversations(lines(talk("n1")))
    report = bring_conversations(
        lines(
            {
                "id": "n1",
                "messages": [
                    {"role": "user", "content": "hello"},
                    {"role": "assistant", "content": "I see."},
                ],
            }
        )
    )
    assert report.already["conversations"] == 1


def test_an_import_is_one_entry_of_the_trail_and_it_verifies(
    small: Small, bring_conversations: Bring
) -> None:
    with small.store.reading() as connection:
        before = verify(connection).entries
    bring_conversations(lines(*(talk(f"n{n}") for n in range(1200))))
    with small.store.reading() as connection:
        found = verify(connection)
    assert (found.problems, found.entries) == ([], before + 1)


def test_a_file_whose_name_is_not_utf_8_is_imported(small: Small, tmp_path: Path) -> None:
    path = Path(bytes(tmp_path).decode() + "/caf\udce9.jsonl")
    path.write_text(lines(talk("n1")))
    assert importing.import_conversations(small.store, "small", path, "tests").added["conversations"] == 1
    with small.store.reading() as connection:
        assert verify(connection).problems == []


@pytest.fixture
def new_study(tmp_path: Path) -> NewStudy:
    (tmp_path / "small.yaml").write_text(INSTRUMENT)
    return NewStudy(StudySpec("fresh", "Fresh", 0), "small", None, ("Ann", "Ben"), tmp_path, tmp_path)


def test_a_study_can_be_made_with_its_first_conversations(
    small: Small, write: Callable[..., Path], new_study: NewStudy
) -> None:
    importing.import_conversations(small.store, "fresh", write(conversation_lines(2)), "tests", new=new_study)
    with small.store.reading() as connection:
        study = studies.find(connection, "fresh")
        assert study is not None
        assert studies.unit_count(connection, study.id) == 2
        assert [rater.name for rater in studies.raters(connection, study.id)] == ["Ann", "Ben"]


def test_without_its_conversations_the_study_is_not_made_either(
    small: Small, write: Callable[..., Path], new_study: NewStudy, refused: Refuse, row_counts: Counts
) -> None:
    before = row_counts()
    refused(importing.import_conversations, small.store, "fresh", write("broken"), "tests", new=new_study)
    assert row_counts() == before


def test_an_unstated_data_class_is_phi(small: Small, write: Callable[..., Path], new_study: NewStudy) -> None:
    importing.import_conversations(small.store, "fresh", write(conversation_lines(2)), "tests", new=new_study)
    with small.store.reading() as connection:
        study = studies.find(connection, "fresh")
    assert study is not None
    assert (study.data_class, study.review, study.reveal) == ("phi", "blind", "after_batch")
