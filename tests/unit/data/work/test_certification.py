"""Gold units come first, their labels are practice, and who failed is let in by a person only."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sqlalchemy import select

from data import agreement_labels, agreement_material, schema, studies, units
from data.erase import erase_conversation
from data.errors import Refused
from data.verify import verify
from data.work import certification, conflicts, overview
from data.work.choosing import NoUnit
from data.work.worklist import open_worklist
from tests.planned import Worker, plan_for, taken, workers
from tests.small_study import Small

Make = Callable[..., Small]


def gold(made: Small, position: int, **labels: str) -> None:
    with made.store.writing("lead", "gold", made.study.id) as (connection, entry):
        unit = units.at_position(connection, made.study.id, position)
        assert unit is not None
        certification.put_gold(connection, entry, made.study, unit, labels, "Dr Gold", "as the manual says")


def standing(one: Worker) -> certification.CertificationStatus:
    with one.store.reading() as connection:
        return certification.certification_status(connection, one.study, one.rater)


@pytest.fixture
def made(make_small: Make) -> Small:
    found = make_small(6, 2)
    plan_for(found, overlap=1)
    gold(found, 1, warm="YES", safe="NO")
    gold(found, 2, warm="NO")
    plan_for(found, overlap=1, certify=True, pass_mark=0.6)
    return found


def test_gold_units_come_before_real_ones_and_to_everyone(made: Small) -> None:
    for one in workers(made):
        places = []
        for _ in range(2):
            place = one.take()
            assert isinstance(place, int)
            places.append(one.shown(place)[0])
            one.rate(place)
        assert places == [1, 2]


def test_who_meets_the_mark_goes_on(made: Small) -> None:
    one = workers(made)[0]
    one.take()
    one.draft(1, "warm", "YES")
    one.draft(1, "safe", "NO")
    one.commit(1)
    assert standing(one).next_unit is not None and not standing(one).certified
    one.take()
    one.rate(2, "YES")  # the expert says NO: two of three in all
    assert standing(one) == certification.CertificationStatus(True, True, None, "Certified.", 2, 3)
    assert one.rate_all() == 4
    assert set(taken(made)) == {3, 4, 5, 6}


def test_who_fails_gets_nothing_real_until_a_lead_says_why(made: Small) -> None:
    one = workers(made)[0]
    one.rate_next("YES")
    one.rate_next("YES")
    assert (standing(one).certified, standing(one).same, standing(one).labels) == (False, 1, 3)
    nothing = one.take()
    assert isinstance(nothing, NoUnit) and nothing.kind == "failed" and "1 of 3" in nothing.said
    with (
        pytest.raises(Refused, match="Say why"),
        made.store.writing("lead", "grant", made.study.id) as (connection, entry),
    ):
        certification.grant(connection, entry, one.rater, "  ")
    with made.store.writing("lead", "grant", made.study.id) as (connection, entry):
        certification.grant(connection, entry, one.rater, "We talked it over.")
        certification.grant(connection, entry, one.rater, "Pressed twice.")
    found = standing(one)
    assert (found.let_in, found.same, found.labels, found.reason) == (True, 1, 3, "We talked it over.")
    assert one.rate_all() == 4


def test_more_gold_units_are_a_new_round_of_their_own(made: Small) -> None:
    one = workers(made)[0]
    one.rate_all("YES")
    gold(made, 3, warm="YES", safe="YES")
    assert one.rate_next("YES") == 3
    assert (standing(one).certified, standing(one).same, standing(one).labels) == (True, 2, 2)


def test_skipping_a_gold_unit_does_not_go_around_it(made: Small) -> None:
    one = workers(made)[0]
    one.take()
    one.skip(1)
    assert one.take() == 2  # the other one first
    one.rate(2, "NO")
    assert one.take() == 1
    one.skip(1)
    assert one.take() == 1 and one.purpose(1) == "gold"
    assert not standing(one).certified


def test_cannot_rate_is_not_the_experts_label(made: Small) -> None:
    from data import ratings
    from data.answers import CriterionAnswer

    one = workers(made)[0]
    one.take()
    with made.store.writing("x", "rate", made.study.id) as (connection, entry):
        for criterion in ("warm", "safe"):
            ratings.save_draft(
                entry,
                open_worklist(connection, made.study, one.rater),
                one.unit(1),
                f"aaaaaaaa-{criterion}",
                criterion,
                CriterionAnswer(cannot_rate="unreadable"),
            )
    one.commit(1)
    one.rate_next("NO")
    assert (standing(one).same, standing(one).labels) == (1, 3)


def test_labels_on_gold_units_are_in_no_headline_and_their_judge_is_not_shown(made: Small) -> None:
    one = workers(made)[0]
    one.rate_next("NO")
    with made.store.reading() as connection:
        assert agreement_labels.human_labels(connection, made.study.id, "blind") == []
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
    made = make_small(3, 1)
    plan_for(made, overlap=1)
    one = workers(made)[0]
    one.rate_next()
    position = one.shown(1)[0]
    gold(made, position, warm="NO")
    with made.store.reading() as connection:
        assert agreement_labels.human_labels(connection, made.study.id, "blind") == []
        assert agreement_material.read(connection, made.study, None).unrated == 0
        assert overview.by_criterion(connection, made.study) == []
        assert overview.label_shares(connection, made.study, "warm") == (0, {})
    plan_for(made, overlap=1, certify=True)
    nothing = one.take()
    assert isinstance(nothing, NoUnit) and nothing.kind == "no_gold"


def test_a_gold_unit_leaves_the_pool(make_small: Make) -> None:
    made = make_small(3, 1)
    plan_for(made, overlap=1)
    gold(made, 2, warm="NO")
    assert set(taken(made)) == {1, 3}
    assert workers(made)[0].rate_all() == 2


def test_without_a_plan_there_are_no_gold_units(make_small: Make) -> None:
    made = make_small(2, 1)
    with pytest.raises(Refused, match="Save a plan of the work first"):
        gold(made, 1, warm="YES")


def test_exactly_the_pass_mark_is_enough(make_small: Make) -> None:
    made = make_small(4, 1)
    plan_for(made, overlap=1)
    gold(made, 1, warm="YES", safe="YES")
    gold(made, 2, warm="NO", safe="YES")
    gold(made, 3, warm="NO")
    plan_for(made, overlap=1, certify=True, pass_mark=0.6)
    one = workers(made)[0]
    for _ in range(3):
        one.rate_next("YES")
    assert (standing(one).certified, standing(one).same, standing(one).labels) == (True, 3, 5)


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        ({}, "at least one"),
        ({"warm": "MAYBE"}, "not a label"),
        ({"cold": "YES"}, "not a label"),
        ({"safe": "NA"}, "not a label"),
        ({"deep": "YES"}, "not a label"),
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


def test_what_differed_is_told_with_the_experts_reason(made: Small) -> None:
    one = workers(made)[0]
    one.rate_all("YES")
    with made.store.reading() as connection:
        found = certification.differences(connection, made.study, one.rater)
        assert [(x.gold.criterion, x.gold.label, x.given, x.gold.reason) for x in found] == [
            ("warm", "YES", "YES", "as the manual says"),
            ("safe", "NO", "YES", "as the manual says"),
            ("warm", "NO", "YES", "as the manual says"),
        ]
        assert studies.rater(connection, one.rater).name == "Rater 1"
        assert verify(connection).problems == []


def test_the_experts_reason_is_forgotten_with_the_conversation(made: Small) -> None:
    with made.store.writing("lead", "erase", made.study.id) as (connection, entry):
        erase_conversation(connection, entry, made.study, "c1", "consent withdrawn")
    with made.store.reading() as connection:
        found = certification.gold_labels(connection, made.study.id)
        assert {one.reason for labels in found.values() for one in labels.values() if one.unit_id == 1} == {
            None
        }
        assert {one.reason for labels in found.values() for one in labels.values() if one.unit_id != 1} == {
            "as the manual says"
        }
        assert verify(connection).problems == []


def test_what_was_noted_with_a_conflict_is_forgotten_with_the_conversation(made: Small) -> None:
    conversation_id = _conversation(made, 1)
    with made.store.writing("lead", "conflict", made.study.id) as (connection, entry):
        conflicts.state_conflict(
            connection, entry, made.raters[0], conversation_id=conversation_id, value="her own brother"
        )
        erase_conversation(connection, entry, made.study, "c1", "consent withdrawn")
    with made.store.reading() as connection:
        kept = (
            connection.execute(
                select(schema.content.c.text).join(
                    schema.conflict, schema.conflict.c.value_content == schema.content.c.id
                )
            )
            .scalars()
            .all()
        )
        assert kept == [None]
        assert conflicts.rules(connection, made.raters[0]).conversations == {conversation_id}


def _conversation(made: Small, position: int) -> int:
    with made.store.reading() as connection:
        unit = units.at_position(connection, made.study.id, position)
        assert unit is not None
        return unit.conversation_id
