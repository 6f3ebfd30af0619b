"""Whose labels stand in the list of what is to be settled, and who sees them there."""

from __future__ import annotations

import pytest

from data.access.permissions import Action, Person, may
from data.labels import disagreements
from data.labels.disagreements import Queue
from data.record import studies
from data.settling.queue_labels import RowLabels, row_labels
from tests.studies.settling import Colleague, disputed
from tests.studies.small_study import Small

pytestmark = pytest.mark.slow


def labels_for(small: Small, rater_id: int | None, queue: Queue = "human_human") -> list[RowLabels | None]:
    with small.store.reading() as connection:
        ask = disagreements.between_people if queue == "human_human" else disagreements.with_judges
        items = ask(connection, small.study).items
        rater = None if rater_id is None else studies.rater(connection, rater_id)
        return row_labels(connection, small.study, queue, items, Person(rater))


def test_a_lead_sees_all_labels_in_the_order_of_the_letters(planned: Small) -> None:
    disputed(planned, labels=("YES", "YES", "NO"))
    (labels,) = labels_for(planned, None)
    assert labels is not None and sorted(map(str, labels.people)) == ["NO", "YES", "YES"]
    assert labels.judges == ()


def test_cannot_rate_stands_among_them(planned: Small) -> None:
    disputed(planned)
    planned.desk(2).draft_all(2)
    planned.desk(2).draft(2, "warm", None, cannot_rate="unreadable")
    planned.desk(2).commit(2)
    (labels,) = labels_for(planned, None)
    assert labels is not None and set(labels.people) == {"YES", "NO", None}


def test_nobody_sees_labels_of_what_they_did_not_open(planned: Small) -> None:
    disputed(planned)
    settler = planned.raters[2]
    assert labels_for(planned, settler) == [None]
    Colleague.of(planned).open()
    assert labels_for(planned, settler) == labels_for(planned, None)
    assert labels_for(planned, planned.raters[3]) == [None]


def test_whoever_opened_the_labels_of_the_whole_study_sees_them(planned: Small) -> None:
    disputed(planned)
    planned.desk(2).open_page()
    assert labels_for(planned, planned.raters[2]) == labels_for(planned, None)
    with planned.store.reading() as connection:
        for place, seen in ((2, True), (3, False)):
            person = Person(studies.rater(connection, planned.raters[place]))
            assert bool(may(connection, person, Action.SEE_LABELS_UNRECORDED, planned.study)) == seen


def test_what_a_judge_says_waits_until_it_was_shown(planned: Small) -> None:
    for number in (0, 1):
        planned.desk(number).rate(2, "NO")
    everything = labels_for(planned, None, "human_judge")
    assert everything == [RowLabels(("NO", "NO"), ("YES",))] * 3
    colleague = Colleague.of(planned)
    colleague.open()
    assert labels_for(planned, planned.raters[2], "human_judge") == [None] * 3
    colleague.show_judge(trigger="human_judge")
    assert labels_for(planned, planned.raters[2], "human_judge") == everything
