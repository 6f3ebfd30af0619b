"""Gold units come first, their labels are practice, and who failed is let in by a person only."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sqlalchemy import select

from data import schema
from data.keeping.erase import erase_conversation
from data.keeping.verify import verify
from data.labels import agreement_labels, agreement_material, work_overview
from data.record import studies, units
from data.record.answers import CriterionAnswer
from data.store.errors import Notice, Refused
from data.work import certification, conflicts, ratings
from data.work.next_unit import NoUnit
from data.work.worklist import open_worklist
from tests.studies.planned import Worker, plan_for, taken, workers
from tests.studies.small_study import Small

Make = Callable[..., Small]


def gold(gold_study: Small, position: int, **labels: str) -> None:
    with gold_study.store.writing("lead", "gold", gold_study.study.id) as (connection, entry):
        unit = units.at_position(connection, gold_study.study.id, position)
        assert unit is not None
        certification.put_gold(
            connection, entry, gold_study.study, unit, labels, "Dr Gold", "as the manual says"
        )


def standing(one: Worker) -> certification.CertificationStatus:
    with one.store.reading() as connection:
        return certification.certification_status(connection, one.study, one.rater)


@pytest.fixture
def gold_study(make_small: Make) -> Small:
    found = make_small(6, 2)
    plan_for(found, overlap=1)
    gold(found, 1, warm="YES", safe="NO")
    gold(found, 2, warm="NO")
    plan_for(found, overlap=1, certify=True, pass_mark=0.6)
    return found


def test_gold_units_come_before_real_ones_and_to_everyone(gold_study: Small) -> None:
    for one in workers(gold_study):
        places = []
        for _ in range(2):
            place = one.take()
            assert isinstance(place, int)
            places.append(one.shown(place)[0])
            one.rate(place)
        assert places == [1, 2]


def test_who_meets_the_mark_goes_on(gold_study: Small) -> None:
    desk = workers(gold_study)[0]
    desk.take()
    desk.draft(1, "warm", "YES")
    desk.draft(1, "safe", "NO")
    desk.commit(1)
    assert standing(desk).next_unit is not None and not standing(desk).certified
    desk.take()
    desk.rate(2, "YES")  # the expert says NO: two of three in all
    assert standing(desk) == certification.CertificationStatus(True, True, None, Notice("certified"), 2, 3)
    assert desk.rate_all() == 4
    assert set(taken(gold_study)) == {3, 4, 5, 6}


def test_who_fails_gets_nothing_real_until_a_lead_says_why(gold_study: Small) -> None:
    desk = workers(gold_study)[0]
    desk.rate_next("YES")
    desk.rate_next("YES")
    assert (standing(desk).certified, standing(desk).same, standing(desk).labels) == (False, 1, 3)
    nothing = desk.take()
    assert (
        isinstance(nothing, NoUnit)
        and nothing.kind == "failed"
        and nothing.notice.facts == {"same": 1, "labels": 3}
    )
    with (
        pytest.raises(Refused, match="let_in_needs_reason"),
        gold_study.store.writing("lead", "grant", gold_study.study.id) as (connection, entry),
    ):
        certification.grant(connection, entry, desk.rater, "  ")
    with gold_study.store.writing("lead", "grant", gold_study.study.id) as (connection, entry):
        certification.grant(connection, entry, desk.rater, "We talked it over.")
        certification.grant(connection, entry, desk.rater, "Pressed twice.")
    certificate = standing(desk)
    assert (certificate.let_in, certificate.same, certificate.labels, certificate.reason) == (
        True,
        1,
        3,
        "We talked it over.",
    )
    assert desk.rate_all() == 4


def test_more_gold_units_are_a_new_round_of_their_own(gold_study: Small) -> None:
    one = workers(gold_study)[0]
    one.rate_all("YES")
    gold(gold_study, 3, warm="YES", safe="YES")
    assert one.rate_next("YES") == 3
    assert (standing(one).certified, standing(one).same, standing(one).labels) == (True, 2, 2)


def test_skipping_a_gold_unit_does_not_go_around_it(gold_study: Small) -> None:
    one = workers(gold_study)[0]
    one.take()
    one.skip(1)
    assert one.take() == 2  # the other one first
    one.rate(2, "NO")
    assert one.take() == 1
    one.skip(1)
    assert one.take() == 1 and one.purpose(1) == "gold"
    assert not standing(one).certified


def test_cannot_rate_is_not_the_experts_label(gold_study: Small) -> None:
    desk = workers(gold_study)[0]
    desk.take()
    with gold_study.store.writing("x", "rate", gold_study.study.id) as (connection, entry):
        for criterion in ("warm", "safe"):
            ratings.save_draft(
                entry,
                open_worklist(connection, gold_study.study, desk.rater),
                desk.unit(1),
                f"aaaaaaaa-{criterion}",
                criterion,
                CriterionAnswer(cannot_rate="unreadable"),
            )
    desk.commit(1)
    desk.rate_next("NO")
    assert (standing(desk).same, standing(desk).labels) == (1, 3)


def test_labels_on_gold_units_are_in_no_headline_and_their_judge_is_not_shown(gold_study: Small) -> None:
    one = workers(gold_study)[0]
    one.rate_next("NO")
    with gold_study.store.reading() as connection:
        assert agreement_labels.human_labels(connection, gold_study.study.id, "blind") == []
    assert not one.may_see(1)


def test_the_judge_of_gold_units_stays_hidden_when_everything_is_done(make_small: Make) -> None:
    made = make_small(5, 1)
    plan_for(made, overlap=1)
    gold(made, 1, warm="YES")
    plan_for(made, overlap=1, certify=True, pass_mark=0.6)
    one = workers(made)[0]
    assert one.rate_all() == 5
    assert [one.may_see(place) for place in range(1, 6)] == [False, True, True, True, True]


def test_what_was_rated_for_real_before_it_became_gold_counts_no_more(make_small: Make) -> None:
    small = make_small(3, 1)
    plan_for(small, overlap=1)
    desk = workers(small)[0]
    desk.rate_next()
    position = desk.shown(1)[0]
    gold(small, position, warm="NO")
    with small.store.reading() as connection:
        assert agreement_labels.human_labels(connection, small.study.id, "blind") == []
        assert agreement_material.read(connection, small.study, None).unrated == 0
        assert work_overview.by_criterion(connection, small.study) == []
        assert work_overview.label_shares(connection, small.study, "warm") == (0, {})
    plan_for(small, overlap=1, certify=True)
    nothing = desk.take()
    assert isinstance(nothing, NoUnit) and nothing.kind == "no_gold"


def test_a_gold_unit_leaves_the_pool(make_small: Make) -> None:
    made = make_small(3, 1)
    plan_for(made, overlap=1)
    gold(made, 2, warm="NO")
    assert set(taken(made)) == {1, 3}
    assert workers(made)[0].rate_all() == 2


def test_without_a_plan_there_are_no_gold_units(make_small: Make) -> None:
    made = make_small(2, 1)
    with pytest.raises(Refused, match="save_plan_first"):
        gold(made, 1, warm="YES")


def test_exactly_the_pass_mark_is_enough(make_small: Make) -> None:
    small = make_small(4, 1)
    plan_for(small, overlap=1)
    gold(small, 1, warm="YES", safe="YES")
    gold(small, 2, warm="NO", safe="YES")
    gold(small, 3, warm="NO")
    plan_for(small, overlap=1, certify=True, pass_mark=0.6)
    desk = workers(small)[0]
    for _ in range(3):
        desk.rate_next("YES")
    assert (standing(desk).certified, standing(desk).same, standing(desk).labels) == (True, 3, 5)


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        ({}, "gold_needs_label"),
        ({"warm": "MAYBE"}, "gold_label_unknown"),
        ({"cold": "YES"}, "gold_label_unknown"),
        ({"safe": "NA"}, "gold_label_unknown"),
        ({"deep": "YES"}, "gold_label_unknown"),
    ],
)
def test_gold_labels_that_are_not_permitted_are_refused(
    make_small: Make, labels: dict[str, str], said: str
) -> None:
    made = make_small(2, 1)
    plan_for(made)
    with pytest.raises(Refused, match=said):
        gold(made, 1, **labels)
    with made.store.reading() as connection:
        assert connection.execute(select(schema.gold_label)).all() == []


def test_what_differed_is_told_with_the_experts_reason(gold_study: Small) -> None:
    desk = workers(gold_study)[0]
    desk.rate_all("YES")
    with gold_study.store.reading() as connection:
        differences = certification.differences(connection, gold_study.study, desk.rater)
        assert [(x.gold.criterion, x.gold.label, x.given, x.gold.reason) for x in differences] == [
            ("warm", "YES", "YES", "as the manual says"),
            ("safe", "NO", "YES", "as the manual says"),
            ("warm", "NO", "YES", "as the manual says"),
        ]
        assert studies.rater(connection, desk.rater).name == "Rater 1"
        assert verify(connection).problems == []


def test_the_experts_reason_is_forgotten_with_the_conversation(gold_study: Small) -> None:
    with gold_study.store.writing("lead", "erase", gold_study.study.id) as (connection, entry):
        erase_conversation(connection, entry, gold_study.study, "c1", "consent withdrawn")
    with gold_study.store.reading() as connection:
        gold = certification.gold_labels(connection, gold_study.study)
        assert {
            gold_label.reason
            for labels in gold.values()
            for gold_label in labels.values()
            if gold_label.unit_id == 1
        } == {None}
        assert {
            gold_label.reason
            for labels in gold.values()
            for gold_label in labels.values()
            if gold_label.unit_id != 1
        } == {"as the manual says"}
        assert verify(connection).problems == []


def test_what_was_noted_with_a_conflict_is_forgotten_with_the_conversation(gold_study: Small) -> None:
    conversation_id = _conversation(gold_study, 1)
    with gold_study.store.writing("lead", "conflict", gold_study.study.id) as (connection, entry):
        conflicts.state_conflict(
            connection, entry, gold_study.raters[0], conversation_id=conversation_id, value="her own brother"
        )
        erase_conversation(connection, entry, gold_study.study, "c1", "consent withdrawn")
    with gold_study.store.reading() as connection:
        texts = (
            connection.execute(
                select(schema.content.c.text).join(
                    schema.conflict, schema.conflict.c.value_content == schema.content.c.id
                )
            )
            .scalars()
            .all()
        )
        assert texts == [None]
        assert conflicts.rules(connection, gold_study.raters[0]).conversations == {conversation_id}


def _conversation(made: Small, position: int) -> int:
    with made.store.reading() as connection:
        unit = units.at_position(connection, made.study.id, position)
        assert unit is not None
        return unit.conversation_id
