"""Who may see and do what: every action for every kind of person, written down by hand."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from data.access.permissions import (
    Action,
    NotPermitted,
    Person,
    Reason,
    find_person,
    may,
    read_rater,
    require,
    somebody_rates_blind,
)
from data.access.reveals import TO_SETTLE
from data.record import studies
from data.record.studies import Study
from data.store.errors import Refused
from data.work.raised_notes import has_note
from services.raters import add_settler
from services.rating import open_whole_study
from tests.studies import settling
from tests.studies.settling import Colleague
from tests.studies.small_study import Small

Make = Callable[..., Small]
ALL = frozenset(Action)
OPENING = frozenset({Action.OPEN_UNIT, Action.SETTLE_UNIT})
SETTLERS_SEE = frozenset(TO_SETTLE.values())
# Of a unit that the person neither rated nor was shown the judge of, and that nobody has labelled.
SAW_LABELS = ALL - {Action.LEAD, Action.SEE_JUDGE} - SETTLERS_SEE
SETTLES = frozenset({Action.SETTLE, *OPENING, Action.SEARCH_WORDS})
BLIND = frozenset({Action.SEARCH_WORDS})


def permitted(small: Small, person: Person, position: int = 2) -> frozenset[Action]:
    unit = small.desk().unit(position)
    with small.store.reading() as connection:
        study = studies.get(connection, small.study.id)
        return frozenset(action for action in Action if may(connection, person, action, study, unit))


def asks(small: Small, place: int = 0) -> Person:
    with small.store.reading() as connection:
        return Person(studies.rater(connection, small.raters[place]))


def reason_for(small: Small, person: Person, action: Action, study: Study | None = None) -> Reason | None:
    with small.store.reading() as connection:
        return may(connection, person, action, study or small.study, small.desk().unit(2)).reason


def test_a_lead_does_everything_but_settle_without_a_name(small: Small) -> None:
    assert permitted(small, Person(None, "Dr Lead")) == ALL - OPENING - SETTLERS_SEE
    assert reason_for(small, Person(None), Action.SETTLE_UNIT) is Reason.NEEDS_RATER


def test_a_rater_who_rates_blind_finds_words_and_nothing_more(small: Small) -> None:
    assert permitted(small, asks(small)) == BLIND
    with small.store.reading() as connection:
        decision = may(connection, asks(small), Action.SEE_LABELS, small.study)
        assert (decision.reason, decision.left) == (Reason.LEFT_TO_RATE, 4)
        assert somebody_rates_blind(connection, small.study)


def test_a_committed_unit_shows_its_own_judge_and_no_other(small: Small) -> None:
    small.desk().rate(2)
    assert permitted(small, asks(small), 2) == BLIND | {Action.SEE_JUDGE}
    assert permitted(small, asks(small), 3) == BLIND
    assert permitted(small, asks(small, 1), 2) == BLIND, "a colleague's commit shows nothing"


@pytest.mark.parametrize("reveal", ["after_unit", "never"])
def test_who_rated_everything_sees_the_labels_where_the_study_shows_them(
    make_study: Make, reveal: str
) -> None:
    small = make_study(reveal=reveal)
    for position in range(1, 5):
        small.desk().rate(position)
    own_list_over = BLIND | {
        Action.SEE_NUMBERS,
        Action.SETTLE,
        Action.OPEN_UNIT,
    }  # but settles nothing they rated
    shown = {Action.SEE_LABELS, Action.SEE_JUDGE}
    assert permitted(small, asks(small)) == (own_list_over if reveal == "never" else own_list_over | shown)
    with small.store.reading() as connection:
        assert somebody_rates_blind(connection, small.study), "Ben has everything left"


def test_who_saw_the_labels_is_kept_from_none_of_them(small: Small) -> None:
    ann = asks(small)
    assert ann.rater is not None
    open_whole_study(small.store, small.study, ann.rater)
    assert permitted(small, ann) == SAW_LABELS
    assert permitted(small, asks(small, 1)) == BLIND


def test_an_open_study_hides_nothing(make_study: Make) -> None:
    small = make_study(review="open")
    assert permitted(small, asks(small)) == ALL - {Action.LEAD} - SETTLERS_SEE


def test_a_settler_opens_units_and_never_sees_the_judge_first(small: Small) -> None:
    add_settler(small.store, "Ann", small.study, "Ann")
    assert permitted(small, asks(small)) == SETTLES
    assert reason_for(small, asks(small), Action.SEE_LABELS) is Reason.SETTLES_UNSEEN


def what_is_seen(small: Small, colleague: Colleague) -> frozenset[Action]:
    return permitted(small, asks(small, small.raters.index(colleague.rater))) & SETTLERS_SEE


def test_a_settler_sees_the_judge_once_people_agree_and_it_differs(planned: Small) -> None:
    cleo = Colleague.of(planned)
    assert what_is_seen(planned, cleo) == frozenset(), "nobody has labelled it"
    for number in (0, 1):
        planned.desk(number).rate(2, "NO")
    assert what_is_seen(planned, cleo) == {Action.SEE_JUDGE_TO_SETTLE}
    assert what_is_seen(planned, Colleague.of(planned, 0)) == frozenset(), (
        "who rated it settles nothing of it"
    )


def test_a_settler_sees_the_judge_after_settling_all_that_people_differ_about(planned: Small) -> None:
    for number, label in ((0, "YES"), (1, "NO")):
        planned.desk(number).rate(2, label)
    Colleague.of(planned, 0).tell(2)
    cleo = Colleague.of(planned)
    cleo.open()
    for criterion in ("warm", "safe", "deep"):
        assert what_is_seen(planned, cleo) == frozenset()
        cleo.settle(criterion=criterion)
    assert what_is_seen(planned, cleo) == {Action.SEE_JUDGE_AFTER_SETTLING, Action.SEE_JUDGE_OF_NOTE}
    assert what_is_seen(planned, Colleague.of(planned, 3)) == {Action.SEE_JUDGE_OF_NOTE}, "settled nothing"


def test_the_judge_of_a_note_is_seen_only_where_there_is_a_note(planned: Small) -> None:
    cleo, ann = Colleague.of(planned), Colleague.of(planned, 0)
    assert what_is_seen(planned, cleo) == frozenset()
    planned.desk().rate(2)
    ann.tell(2)
    assert what_is_seen(planned, cleo) >= {Action.SEE_JUDGE_OF_NOTE}


def test_a_note_on_a_repeat_is_a_note_on_what_it_repeats(planned: Small) -> None:
    Colleague.of(planned, 0).tell(settling.repeat(planned, 2).position)
    assert what_is_seen(planned, Colleague.of(planned)) == {Action.SEE_JUDGE_OF_NOTE}


def test_a_note_is_about_its_criterion_or_about_all(planned: Small) -> None:
    ann = Colleague.of(planned, 0)
    ann.tell(2, criterion="warm")
    ann.tell(3)
    with planned.store.reading() as connection:
        noted = {
            (position, criterion): has_note(connection, ann.unit(position), criterion)
            for position in (2, 3, 4)
            for criterion in (None, "warm", "deep")
        }
    assert noted == {
        (2, None): True,
        (2, "warm"): True,
        (2, "deep"): False,
        **{(3, criterion): True for criterion in (None, "warm", "deep")},
        **{(4, criterion): False for criterion in (None, "warm", "deep")},
    }


def test_nobody_of_another_study_may_anything(small: Small, make_study: Make) -> None:
    other = make_study(key="other", raters=("Olga",))
    stranger = asks(other)
    assert permitted(small, stranger) == frozenset()
    assert {reason_for(small, stranger, action) for action in Action} == {Reason.NEEDS_RATER}
    foreign_unit = other.desk().unit(2)
    with small.store.reading() as connection:
        for person in (Person(None), asks(small)):
            decision = may(connection, person, Action.OPEN_UNIT, small.study, foreign_unit)
            assert decision.reason is Reason.OTHER_STUDY


def test_the_name_at_a_terminal_is_the_rater_however_it_is_written(small: Small) -> None:
    with small.store.reading() as connection:
        for written in ("Ann", "ANN", " ann "):
            assert find_person(connection, small.study, written).rater_id == small.raters[0]
        assert find_person(connection, small.study, "Anna").leads
        with pytest.raises(NotPermitted) as refused:
            require(connection, find_person(connection, small.study, "ann"), Action.HANDLE_FILES, small.study)
        require(connection, find_person(connection, small.study, "Olga"), Action.HANDLE_FILES, small.study)
    assert (refused.value.reason, refused.value.facts["name"]) == (Reason.NOT_SEEN_YET, "Ann")


def test_only_a_person_of_the_study_is_read(small: Small) -> None:
    with small.store.reading() as connection:
        assert read_rater(connection, small.study, small.raters[1]).name == "Ben"
        with pytest.raises(Refused) as refused:
            read_rater(connection, small.study, 999)
    assert refused.value.reason == Reason.NEEDS_RATER
