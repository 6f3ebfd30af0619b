"""Who is given which unit: never more raters than asked for, never one rater twice, and nothing that was
saved is lost.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select

from data import schema
from data.keeping.erase import erase_conversation
from data.keeping.verify import verify
from data.record import studies
from data.store.errors import Notice, Refused
from data.work import assignment, conflicts, open_slots, ratings, setup
from data.work import plan as plans
from data.work.next_unit import NoUnit
from data.work.plan import WorkPlan
from data.work.worklist import open_worklist
from reports.refusals import word_notice
from tests.studies.planned import Worker, plan_for, taken, workers
from tests.studies.small_study import SAID, Small

Make = Callable[..., Small]


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Move the server's clock by so many hours from now on."""
    moved = [0.0]

    def now() -> str:
        return (datetime.now(UTC) + timedelta(hours=moved[0])).isoformat(timespec="milliseconds")

    for module in ("data.work.assignment", "data.work.next_unit", "data.store.trail"):
        monkeypatch.setattr(f"{module}.now", now)
    return lambda hours: moved.__setitem__(0, hours)


# ---- overlap ----


@pytest.mark.parametrize("overlap", [1, 2, 3])
def test_each_unit_is_rated_by_as_many_as_asked_for_and_by_nobody_twice(
    make_small: Make, overlap: int
) -> None:
    small = make_small(8, 4)
    plan_for(small, overlap=overlap)
    people = workers(small)
    assert sum(desk.rate_all() for desk in people for _ in range(2)) == 8 * overlap
    assert taken(small) == dict.fromkeys(range(1, 9), (overlap, overlap))
    with small.store.reading() as connection:
        pairs = connection.execute(select(schema.commit.c.rater_id, schema.commit.c.unit_id)).all()
        assert len(set(pairs)) == len(pairs) == 8 * overlap
        assert verify(connection).problems == []


def test_fewer_raters_than_asked_for_rate_everything_once_and_the_rest_stays_open(make_small: Make) -> None:
    made = make_small(5, 2)
    plan_for(made, overlap=3)
    for one in workers(made):
        assert one.rate_all() == 5
        assert isinstance(one.take(), NoUnit)
    assert taken(made) == dict.fromkeys(range(1, 6), (2, 3))


def test_named_raters_each_rate_everything_and_others_nothing(make_small: Make) -> None:
    made = make_small(4, 3)
    plan_for(made, each=True, raters=made.raters[:2])
    people = workers(made)
    assert [one.rate_all() for one in people] == [4, 4, 0]
    left_out = people[2].take()
    assert isinstance(left_out, NoUnit) and left_out.kind == "left_out"


def test_a_pool_is_those_who_were_named(make_small: Make) -> None:
    made = make_small(4, 3)
    plan_for(made, overlap=1, raters=made.raters[1:])
    people = workers(made)
    assert isinstance(people[0].take(), NoUnit)
    assert people[1].rate_all() == 4


def test_a_rater_keeps_the_unit_that_they_hold(make_small: Make) -> None:
    made = make_small()
    plan_for(made)
    one = workers(made)[0]
    first = one.take()
    assert first == 1 and one.take() == 1
    one.draft(1)
    assert one.take() == 1
    one.rate(1)
    assert one.take() == 2


def test_every_rater_meets_the_units_in_an_order_of_their_own(make_small: Make) -> None:
    made = make_small(20, 4)
    plan_for(made, each=True, raters=made.raters)
    orders = []
    for one in workers(made):
        one.rate_all()
        orders.append(tuple(one.shown(place) for place in range(1, 21)))
    assert len(set(orders)) == 4
    assert {frozenset(order) for order in orders} == {frozenset(orders[0])}


def test_what_is_finished_first_is_from_the_beginning_of_the_draw(make_small: Make) -> None:
    """The draw is in random order, so that its beginning is a random part of it; a study may stop there."""
    made = make_small(60, 2)
    plan_for(made, overlap=2)
    people = workers(made)
    for _ in range(20):
        for one in people:
            one.rate_next()
    assert max(position for position, (count, _) in taken(made).items() if count) <= 20 + open_slots.WINDOW


# ---- reservations ----


def test_what_ran_out_goes_to_another_and_its_rater_hears_of_it_when_nothing_is_left(
    make_small: Make, clock: Callable[[float], None]
) -> None:
    small = make_small(1, 2)
    plan_for(small, overlap=1, hold_hours=1)
    slow, quick = workers(small)
    assert slow.take() == 1
    slow.draft(1, "warm")
    assert isinstance(quick.take(), NoUnit)
    clock(1.1)
    assert quick.take() == 1
    with pytest.raises(Refused, match="rated_by_others_since"):
        slow.draft(1, "safe")
    quick.rate(1)
    with pytest.raises(
        Refused, match=r"not_given|conflict_noted_meanwhile|not_rated_now|rated_by_others_since"
    ):
        slow.commit(1)
    with small.store.reading() as connection:
        assert ratings.drafts(connection, slow.rater, slow.unit(1).id)["warm"].label == "YES"
        kinds = (
            connection.execute(select(schema.assignment_event.c.kind).order_by(schema.assignment_event.c.id))
            .scalars()
            .all()
        )
    assert kinds == ["ran_out", "committed"]
    assert taken(small) == {1: (1, 1)}


def test_what_ran_out_and_nobody_took_goes_on_by_itself(
    make_small: Make, clock: Callable[[float], None]
) -> None:
    small = make_small(1, 2)
    plan_for(small, overlap=1, hold_hours=1)
    slow, other = workers(small)
    slow.take()
    slow.draft(1, "warm")
    clock(30)
    slow.rate(1)
    assert isinstance(other.take(), NoUnit)
    assert taken(small) == {1: (1, 1)}


def test_every_save_keeps_the_unit_for_longer(make_small: Make, clock: Callable[[float], None]) -> None:
    made = make_small(1, 2)
    plan_for(made, overlap=1, hold_hours=1)
    slow, other = workers(made)
    slow.take()
    for hours in (0.9, 1.8, 2.7):
        clock(hours)
        slow.draft(1, "warm")
        assert isinstance(other.take(), NoUnit)


def test_a_clock_that_goes_back_gives_nothing_away_twice_and_locks_nobody_out(
    make_small: Make, clock: Callable[[float], None]
) -> None:
    small = make_small(3, 2)
    plan_for(small, overlap=1, hold_hours=1, sitting=1, pause_minutes=60)
    first, second = workers(small)
    first.take()
    clock(2)
    assert second.take() in (1, 2)
    second.rate(1)
    clock(-5)
    assert isinstance(second.take(), int)
    with pytest.raises(Refused):
        if first.shown(1) == second.shown(1):
            first.draft(1)
        else:
            raise Refused("two units: nothing was given away")
    assert all(count <= wanted for count, wanted in taken(small).values())


def test_freeing_what_a_rater_holds_lets_others_have_it_and_keeps_what_was_committed(
    make_small: Make,
) -> None:
    small = make_small(2, 2)
    plan_for(small, overlap=1)
    leaver, other = workers(small)
    leaver.rate_next()
    leaver.take()
    with small.store.writing("lead", "free", small.study.id) as (connection, entry):
        assert assignment.free(connection, entry, small.study, leaver.rater) == 1
    assert other.rate_all() == 1
    assert taken(small) == {1: (1, 1), 2: (1, 1)}


def test_a_unit_that_was_never_given_cannot_be_rated(make_small: Make) -> None:
    made = make_small(2, 2)
    plan_for(made, overlap=1)
    one, other = workers(made)
    one.take()
    unit = one.unit(1)
    with pytest.raises(Refused, match="not_in_list"):
        other.draft_of(unit)


# ---- skipping ----


def test_what_was_skipped_goes_to_others_and_may_be_taken_up_again_while_it_is_open(make_small: Make) -> None:
    small = make_small(2, 2)
    plan_for(small, overlap=1)
    first, other = workers(small)
    first.take()
    first.skip(1)
    skipped = first.shown(1)
    assert first.take() == 2 and first.shown(2) != skipped
    first.rate(2)
    assert isinstance(first.take(), NoUnit)  # what was skipped is not pressed on anybody
    first.draft(1, "warm")  # but may be taken up
    assert isinstance(other.take(), NoUnit)
    first.rate(1)
    assert taken(small) == {1: (1, 1), 2: (1, 1)}


def test_what_everybody_skipped_stays_open_for_the_lead_to_see(make_small: Make) -> None:
    made = make_small(1, 2)
    plan_for(made, overlap=1)
    for one in workers(made):
        one.take()
        one.skip(1)
        assert isinstance(one.take(), NoUnit)
    assert taken(made) == {1: (0, 1)}


# ---- conflicts of interest ----


def test_nobody_is_given_their_own_conversation(make_small: Make) -> None:
    small = make_small(3, 2)
    plan_for(small, overlap=1)
    first, other = workers(small)
    own = Worker(small, first.rater, first.rng)
    with small.store.writing("lead", "conflict", small.study.id) as (connection, entry):
        conversation = connection.execute(
            select(schema.conversation.c.id).where(schema.conversation.c.key == "c2")
        ).scalar_one()
        conflicts.state_conflict(connection, entry, first.rater, conversation_id=conversation)
    assert own.rate_all() == 2
    assert conversation not in {own.shown(place)[0] for place in (1, 2)}
    assert own.left().none
    assert other.rate_all() == 1
    with small.store.writing("lead", "lift", small.study.id) as (connection, entry):
        conflicts.state_conflict(connection, entry, first.rater, conversation_id=conversation, lifted=True)
        assert conflicts.rules(connection, first.rater).conversations == frozenset()


def test_a_conflict_of_most_of_the_study_does_not_hide_the_rest(make_small: Make) -> None:
    small = make_small(open_slots.WINDOW * 2 + 3, 1)
    plan_for(small, overlap=1)
    desk = workers(small)[0]
    with small.store.writing("lead", "conflict", small.study.id) as (connection, entry):
        for conversation in (
            connection.execute(select(schema.conversation.c.id).order_by(schema.conversation.c.id))
            .scalars()
            .all()[:-1]
        ):
            conflicts.state_conflict(connection, entry, desk.rater, conversation_id=conversation)
    assert desk.rate_all() == 1


# ---- plans ----


def test_a_first_plan_takes_over_what_was_rated_before(make_small: Make) -> None:
    small = make_small(4, 2)
    desk = small.desk()
    desk.rate(3)
    desk.rate(1)
    desk.draft(2, "warm")
    plan_for(small, overlap=1)
    first, other = workers(small)
    assert first.shown(1) == (3, None) and first.shown(2) == (1, None)
    assert taken(small) == {1: (1, 1), 2: (0, 1), 3: (1, 1), 4: (0, 1)}
    assert first.take() == 3  # what was begun comes first
    assert first.shown(3) == (2, None)
    first.rate(3)
    assert other.rate_all() == 1
    with small.store.reading() as connection:
        assert verify(connection).problems == []


def test_a_larger_overlap_opens_what_was_full_and_a_smaller_one_takes_nothing_back(make_small: Make) -> None:
    small = make_small(2, 3)
    plan_for(small, overlap=1)
    people = workers(small)
    people[0].rate_all()
    plan_for(small, overlap=2)
    assert people[1].rate_all() == 2
    plan_for(small, overlap=1)
    assert people[2].rate_all() == 0
    assert {count for count, _ in taken(small).values()} == {2}
    with small.store.reading() as connection:
        assert connection.execute(select(schema.commit)).all().__len__() == 4


def test_a_rater_who_leaves_a_plan_of_named_ones_takes_no_place_of_the_others(make_small: Make) -> None:
    made = make_small(2, 3)
    plan_for(made, each=True, raters=made.raters[:2])
    people = workers(made)
    people[0].rate_all()
    plan_for(made, each=True, raters=made.raters[1:])
    assert (people[1].rate_all(), people[2].rate_all()) == (2, 2)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"each": True}, "plan_names_nobody"),
        ({"overlap": 3, "raters": (1, 2)}, "plan_names_too_few"),
        ({"raters": (99,)}, "planned_rater_elsewhere"),
    ],
)
def test_a_plan_that_cannot_be_carried_out_is_refused(
    make_small: Make, settings: dict[str, object], sentence: str
) -> None:
    small = make_small(2, 3)
    with (
        pytest.raises(Refused, match=sentence),
        small.store.writing("lead", "plan", small.study.id) as (connection, entry),
    ):
        setup.new_plan(connection, entry, small.study, WorkPlan.model_validate(settings))
    with small.store.reading() as connection:
        assert plans.current(connection, small.study.id) is None


@pytest.mark.parametrize(
    "settings",
    [
        {"overlap": 0},
        {"repeats": 0.5},
        {"hold_hours": 0},
        {"pass_mark": 2},
        {"overlap": "many"},
        {"colour": 1},
    ],
)
def test_a_plan_out_of_range_is_refused_in_words(settings: dict[str, object]) -> None:
    with pytest.raises(Refused, match="plan_out_of_range") as caught:
        plans.checked(**settings)
    assert caught.value.facts == {"fields": list(settings)}


def test_two_leads_do_not_overwrite_each_other(make_small: Make) -> None:
    made = make_small(2, 3)
    plan_for(made)
    with (
        pytest.raises(Refused, match="work_changed_meanwhile"),
        made.store.writing("lead", "plan", made.study.id) as (connection, entry),
    ):
        setup.new_plan(connection, entry, made.study, WorkPlan(), seen_version=0)


# ---- sittings ----


def test_a_sitting_ends_after_as_many_units_as_the_plan_says_and_goes_on_after_the_break(
    make_small: Make, clock: Callable[[float], None]
) -> None:
    small = make_small(6, 1)
    plan_for(small, overlap=1, sitting=2, pause_minutes=30)
    desk = workers(small)[0]
    assert desk.rate_all() == 2
    rest = desk.take()
    assert isinstance(rest, NoUnit) and rest.notice == Notice("take_a_break", units=2, left=30)
    clock(0.3)
    assert isinstance(desk.take(), NoUnit)
    clock(0.6)
    assert desk.rate_all() == 2


# ---- words ----


def test_erased_conversations_are_given_to_nobody(make_small: Make) -> None:
    small = make_small(2, 1)
    plan_for(small, overlap=1)
    with small.store.writing("lead", "erase", small.study.id) as (connection, entry):
        erase_conversation(connection, entry, small.study, "c1", "asked for")
    desk = workers(small)[0]
    assert desk.rate_all() == 1 and desk.shown(1)[0] == 2
    plan_for(small, overlap=2)
    assert set(taken(small)) == {2}


def test_nothing_that_is_said_holds_words_of_a_conversation(make_small: Make) -> None:
    made = make_small(1, 1)
    one = workers(made)[0]
    with made.store.writing("lead", "plan", made.study.id) as (connection, entry):
        setup.new_plan(connection, entry, made.study, WorkPlan(overlap=1))
    nothing = one.take()
    assert (
        isinstance(nothing, NoUnit) and nothing.kind == "undrawn" and SAID not in word_notice(nothing.notice)
    )


def test_without_a_plan_everything_is_as_it_was(make_small: Make) -> None:
    small = make_small(3, 1)
    with small.store.reading() as connection:
        rater = studies.rater(connection, small.raters[0])
        assert open_worklist(connection, small.study, rater.id).next_open() == 1
        assert open_worklist(connection, small.study, rater.id).length == 3
        assert open_worklist(connection, small.study, rater.id).remaining_work.may_come == 3
    with (
        pytest.raises(Refused, match="study_without_plan"),
        small.store.writing("x", "take", small.study.id) as (connection, entry),
    ):
        assignment.take(connection, entry, small.study, rater)
