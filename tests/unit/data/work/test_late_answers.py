"""What a closed tab left behind is saved where nothing is, and never over a newer answer."""

from __future__ import annotations

import uuid

import pytest

from data.record.answers import CriterionAnswer
from data.store.errors import Refused
from data.work import ratings
from data.work.worklist import open_worklist
from tests.studies.small_study import Desk, Small


def late(
    desk: Desk,
    position: int,
    criterion: str,
    label: str,
    note: str = "",
    before: CriterionAnswer | None = None,
    event: str = "",
) -> bool:
    unit = desk.unit(position)
    with desk.store.writing("tests", "rate", desk.study.id) as (connection, entry):
        return ratings.save_draft(
            entry,
            open_worklist(connection, desk.study, desk.rater),
            unit,
            event or str(uuid.uuid4()),
            criterion,
            CriterionAnswer(label=label, note=note),
            late=True,
            before=before,
        )


def labels(desk: Desk, position: int) -> dict[str, str | None]:
    with desk.store.reading() as connection:
        return {
            criterion: answer.label
            for criterion, answer in ratings.drafts(connection, desk.rater, desk.unit(position).id).items()
        }


def test_where_nothing_is_saved_it_is_taken(small: Small) -> None:
    desk = small.desk()
    assert late(desk, 1, "warm", "YES")
    assert labels(desk, 1) == {"warm": "YES"}


def test_a_newer_answer_stays_and_the_person_is_told(small: Small) -> None:
    desk = small.desk()
    desk.draft(1, "warm", "NO")
    with pytest.raises(Refused, match="late_entry_of_closed_tab"):
        late(desk, 1, "warm", "YES")
    assert labels(desk, 1) == {"warm": "NO"}


def test_a_note_that_was_begun_on_the_saved_answer_is_taken(small: Small) -> None:
    desk = small.desk()
    desk.draft(1, "warm", "YES")
    assert late(desk, 1, "warm", "YES", "begun", before=CriterionAnswer(label="YES"))
    with small.store.reading() as connection:
        saved = ratings.drafts(connection, desk.rater, desk.unit(1).id)["warm"]
    assert (saved.label, saved.note) == ("YES", "begun")


@pytest.mark.parametrize("is_saved_first", [True, False])
def test_a_note_on_an_answer_that_was_only_being_saved_is_taken(small: Small, is_saved_first: bool) -> None:
    """The tab that takes over sends both; the server may still be at work on the first, which the closed tab
    had sent.
    """
    desk, event = small.desk(), "00000000-0000-0000-0000-000000000001"
    if is_saved_first:
        desk.draft(1, "warm", "YES", event=event)
    late(desk, 1, "warm", "YES", event=event)
    assert late(desk, 1, "warm", "YES", "begun", before=CriterionAnswer(label="YES"))
    desk.draft(1, "warm", "YES", event=event)
    with small.store.reading() as connection:
        saved = ratings.drafts(connection, desk.rater, desk.unit(1).id)["warm"]
    assert (saved.label, saved.note) == ("YES", "begun")


def test_words_that_are_not_taken_are_shown(small: Small) -> None:
    desk = small.desk()
    desk.draft(1, "warm", "NO")
    with pytest.raises(Refused, match="late_words_of_closed_tab") as refused:
        late(desk, 1, "warm", "YES", "begun")
    assert refused.value.facts["words"] == "begun"


@pytest.mark.parametrize("now", ["NO", "YES"])
def test_what_was_changed_since_in_another_tab_stays_although_the_closed_one_knew_an_answer(
    small: Small, now: str
) -> None:
    desk = small.desk()
    desk.draft(1, "warm", "YES")
    late(desk, 1, "warm", now, "of another tab", before=CriterionAnswer(label="YES"))
    with pytest.raises(Refused, match="late_words_of_closed_tab"):
        late(desk, 1, "warm", "YES", "begun", before=CriterionAnswer(label="YES"))
    assert labels(desk, 1) == {"warm": now}


def test_a_committed_unit_stays_as_it_was(small: Small) -> None:
    desk = small.desk()
    desk.rate(1)
    with pytest.raises(Refused, match=r"committed_already|committed_otherwise"):
        late(desk, 1, "warm", "NO")
