"""What a planned study must not let through: labels of colleagues, the judge seen elsewhere, and what tells a
repeat.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import select

from data import schema
from data.access import permissions, reveals
from data.importers.imported_raters import SameRaters
from data.importers.imported_ratings import RatingProvenance, add_ratings
from data.importers.report import ImportReport
from data.keeping.erase import erase_conversation
from data.keeping.verify import verify
from data.labels import agreement_labels, disagreements
from data.record import studies, units
from data.record.judgements import JudgeIdentity
from data.settling import unit_openings
from data.store import actors, content
from data.store.errors import NotFound, Refused
from data.work import (
    calibration,
    certification,
    conflicts,
    exposures,
    ratings,
    still_to_come,
    worklist,
)
from data.work.next_unit import NoUnit
from data.work.worklist import open_worklist
from pages.widgets.workbench.next_step import SHOWN_LATER
from pages.widgets.workbench.view import view
from tests.studies import importing
from tests.studies.planned import Worker, plan_for, taken, workers
from tests.studies.settling import assign, disputed, repeat
from tests.studies.small_study import Small

Make = Callable[..., Small]


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Move the server's clock by so many hours."""
    moved = [0.0]
    for module in ("assignment", "next_unit"):
        monkeypatch.setattr(
            f"data.work.{module}.now",
            lambda: (datetime.now(UTC) + timedelta(hours=moved[0])).isoformat(timespec="milliseconds"),
        )
    return lambda hours: moved.__setitem__(0, hours)


def conversation_of(one: Worker, place: int) -> int:
    return one.shown(place)[0]


def bar(made: Small, rater: int, conversation: int) -> None:
    with made.store.writing("lead", "conflict", made.study.id) as (connection, entry):
        conflicts.state_conflict(connection, entry, rater, conversation_id=conversation)


def gold(made: Small, position: int) -> None:
    with made.store.writing("lead", "gold", made.study.id) as (connection, entry):
        unit = units.at_position(connection, made.study.id, position)
        assert unit is not None
        certification.put_gold(connection, entry, made.study, unit, {"warm": "YES"}, "Dr Gold", "")


def calibrate(made: Small, *positions: int, raters: tuple[int, ...] | None = None) -> int:
    with made.store.writing("lead", "begin", made.study.id) as (connection, entry):
        ids = [
            unit.id
            for position in positions
            if (unit := units.at_position(connection, made.study.id, position))
        ]
        return calibration.begin(connection, entry, made.study, "Round", list(raters or made.raters), ids)


def exposure_of(one: Worker, place: int) -> set[str]:
    with one.store.reading() as connection:
        return {
            given.exposure for given in ratings.current(connection, one.rater, one.unit(place).id).values()
        }


# ---- colleagues ----


def test_whoever_may_be_given_a_unit_again_does_not_open_it_to_settle(
    make_small: Make, later: Callable[[float], None]
) -> None:
    small = make_small(1, 3)
    plan_for(small, overlap=3, hold_hours=1)
    ann, ben, cleo = workers(small)
    cleo.take()
    later(2)
    ann.rate_next("YES")
    ben.rate_next("NO")
    with small.store.reading() as connection:
        person = permissions.Person(studies.rater(connection, cleo.rater))
        decision = permissions.may(
            connection, person, permissions.Action.SETTLE_UNIT, small.study, cleo.unit(1)
        )
    assert decision.reason is permissions.Reason.ON_OWN_LIST


def test_what_is_to_settle_says_nothing_of_a_unit_that_may_come(make_small: Make) -> None:
    """With a count of all, taking a unit on which the judge differs made it fall by one: nine of ten units
    tell.
    """
    small = make_small(6, 3)
    plan_for(small, overlap=2)
    ann, ben, cleo = workers(small)
    for number in range(6):
        ann.rate_next("NO" if number % 2 else "YES")  # the judges say YES to everything

    def counts(rater: int) -> tuple[int, int]:
        with small.store.reading() as connection:
            return (
                disagreements.between_people(connection, small.study, rater_id=rater).total,
                disagreements.with_judges(connection, small.study, rater_id=rater).total,
            )

    with small.store.reading() as connection:
        assert disagreements.with_judges(connection, small.study).total > 0, "a lead sees them"
    assert counts(cleo.rater) == counts(ben.rater) == (0, 0)
    while isinstance(cleo.take(), int):
        assert counts(cleo.rater) == (0, 0)
        with small.store.reading() as connection:
            place = open_worklist(connection, small.study, cleo.rater).length
        cleo.rate(place, "YES")
        assert counts(cleo.rater) == (0, 0), "what they rated themselves is settled by somebody else"
    assert counts(ben.rater)[0] > 0, "what two have rated can come to nobody else"


def test_what_is_to_settle_says_nothing_where_named_raters_are_still_to_rate(make_small: Make) -> None:
    """Others rated everything before: their commits take no place of those who are named in the plan."""
    small = make_small(6, 3)
    for number in (0, 1):
        for position in range(1, 7):
            small.desk(number).rate(position, "NO" if position % 2 else "YES")
    cleo = workers(small)[2]
    plan_for(small, each=True, raters=(cleo.rater,))
    with small.store.reading() as connection:
        assert disagreements.with_judges(connection, small.study).total > 0
        assert disagreements.with_judges(connection, small.study, rater_id=cleo.rater).total == 0
    while isinstance(cleo.take(), int):
        with small.store.reading() as connection:
            assert disagreements.with_judges(connection, small.study, rater_id=cleo.rater).total == 0
            place = open_worklist(connection, small.study, cleo.rater).length
        cleo.rate(place, "YES")


def test_whoever_still_rates_blind_imports_and_checks_nothing(make_small: Make, tmp_path: Path) -> None:
    small = make_small(2, 2)
    guess = tmp_path / "guess.csv"
    guess.write_text("conversation_id,criterion,label\nc1,warm,YES\nc2,warm,NO\n")

    def check(actor: str, dry_run: bool = True) -> ImportReport:
        return importing.import_judgements(
            small.store, "small", guess, actor, JudgeIdentity("Judge A"), dry_run=dry_run
        )

    for actor in ("Rater 1", "rater 1", actors.command_line_actor("Rater 1")):
        for dry_run in (True, False):
            with pytest.raises(Refused, match="not_seen_yet"):
                check(actor, dry_run)
    assert check(actors.LEAD).already, "a lead is told"
    for position in (1, 2):
        small.desk(0).rate(position)
    with pytest.raises(Refused, match="not_seen_yet"):
        check("Rater 1")
    small.desk(0).open_page()
    assert check("Rater 1").already, "that is recorded, so that nothing given later counts as blind"


def test_who_opened__a_conversation_to_settle_it_is_never_given_it_nor_may_go_on_with_it(
    make_small: Make,
) -> None:
    small = make_small(2, 3)
    plan_for(small, overlap=2)
    ann, ben, cleo = workers(small)
    ann.rate_all("YES")
    ben.rate_all("NO")
    with small.store.writing("x", "open", small.study.id) as (connection, entry):
        opened = units.of_conversation(connection, 1)[0]
        unit_openings.open_unit(connection, entry, small.study, opened, cleo.rater)
    plan_for(small, overlap=3)
    place = cleo.take()
    assert isinstance(place, int) and conversation_of(cleo, place) == 2
    cleo.rate(place)
    assert isinstance(cleo.take(), NoUnit)


def test_a_conflict_stated_while_a_unit_is_on_the_screen_stops_it(make_small: Make) -> None:
    small = make_small(2, 1)
    plan_for(small, overlap=1)
    ann = workers(small)[0]
    ann.take()
    ann.draft(1)
    bar(small, ann.rater, conversation_of(ann, 1))
    with pytest.raises(Refused, match="conflict_noted_meanwhile"):
        ann.draft(1)
    with pytest.raises(Refused, match="conflict_noted_meanwhile"):
        ann.commit(1)


def test_what_ran_out_is_not_given_back_to_whom_it_is_not_for(
    make_small: Make, later: Callable[[float], None]
) -> None:
    made = make_small(1, 1)
    plan_for(made, overlap=1, hold_hours=1)
    ann = workers(made)[0]
    ann.take()
    later(2)
    bar(made, ann.rater, conversation_of(ann, 1))
    assert isinstance(ann.take(), NoUnit)


def test_gold_and_calibration_keep_to_conflicts_of_interest(make_small: Make) -> None:
    small = make_small(4, 2)
    plan_for(small, overlap=1, certify=True)
    gold(small, 1)
    gold(small, 2)
    calibrate(small, 3, 4)
    ann = workers(small)[0]
    bar(small, ann.rater, 1)
    bar(small, ann.rater, 3)
    given = []
    while isinstance(place := ann.rate_next("YES"), int):
        given.append((conversation_of(ann, place), ann.purpose(place)))
    assert given == [(2, "gold"), (4, "calibration")]
    with small.store.reading() as connection:
        assert calibration.finished(connection, calibration.rounds(connection, small.study.id)[0]) == {
            ann.rater
        }


# ---- the judge ----


def test_who_has_seen_the_judge_of_a_unit_is_not_shown_it_again(make_small: Make) -> None:
    """The last unit of a list is marked to come again, nothing more comes, its judge is shown; then more
    units come after all.
    """
    small = make_small(12, 2)
    plan_for(small, overlap=1, repeats=0.2)
    ann, ben = workers(small)
    ben.take()
    ann.rate_all()
    with small.store.reading() as connection:
        marked = (
            connection.execute(
                select(schema.assignment.c.place)
                .where(schema.assignment.c.rater_id == ann.rater, schema.assignment.c.hold == "repeat")
                .order_by(schema.assignment.c.place)
            )
            .scalars()
            .all()
        )
    for place in marked:
        if ann.may_see(place):
            with small.store.writing("x", "reveal", small.study.id) as (connection, entry):
                reveals.record_reveal(connection, entry, small.study, ann.unit(place), ann.rater)
    ben.skip(1)
    ann.rate_all()
    with small.store.reading() as connection:
        seen = set(connection.execute(select(schema.exposure.c.unit_id)).scalars())
        twins = dict(connection.execute(select(schema.repeat.c.unit_id, schema.repeat.c.of_unit_id)).all())
        for unit_id, of in twins.items():
            again = connection.execute(
                select(schema.commit.c.trail).where(schema.commit.c.unit_id == unit_id)
            ).scalar_one()
            shown = connection.execute(
                select(schema.exposure.c.trail).where(schema.exposure.c.unit_id == of)
            ).scalar()
            assert of not in seen or shown > again


def test_a_repeat_that_was_skipped_is_not_taken_up_after_the_judge_was_shown(make_small: Make) -> None:
    small = make_small(12, 1)
    plan_for(small, overlap=1, repeats=0.2)
    ann = workers(small)[0]
    skipped = None
    while isinstance(place := ann.take(), int):
        if ann.purpose(place) == "repeat" and skipped is None:
            ann.skip(place)
            skipped = place
        else:
            ann.rate(place)
    assert skipped is not None
    first = next(p for p in range(1, skipped) if ann.shown(p) == ann.shown(skipped))
    assert ann.may_see(first)
    with small.store.writing("x", "reveal", small.study.id) as (connection, entry):
        reveals.record_reveal(connection, entry, small.study, ann.unit(first), ann.rater)
    with pytest.raises(Refused, match="repeat_not_needed"):
        ann.draft(skipped)


def test_a_second_rating_after_the_judge_was_shown_is_not_called_blind(make_small: Make) -> None:
    small = make_small(2, 2)
    for desk in (small.desk(0), small.desk(1)):
        desk.rate(1)
    small.desk(0).reveal(1)
    plan_for(small, overlap=1)
    number = calibrate(small, 1)
    for step in ("discussed", "again"):
        with small.store.writing("lead", "step", small.study.id) as (connection, entry):
            calibration.move_on(connection, entry, small.study, number, step)
    for second_rater, expected in zip(workers(small), ("revealed", "blind"), strict=True):
        place = second_rater.rate_next()
        assert isinstance(place, int) and second_rater.purpose(place) == "discussed"
        assert exposure_of(second_rater, place) == {expected}


def test_notes_to_the_lead_are_not_listed_where_they_may_come(make_small: Make) -> None:
    """The count of notes fell when a unit with one was taken: that a colleague saw danger in it was told
    before the rating.
    """
    small = make_small(6, 2)
    plan_for(small, overlap=2)
    ann, ben = workers(small)
    while isinstance(place := ben.take(), int):
        ben.rate(place, "YES")
    with small.store.reading() as connection:
        assert still_to_come.may_be_told(connection, small.study, ann.rater) == set()
        everything = {
            unit.id
            for position in range(1, 7)
            if (unit := units.at_position(connection, small.study.id, position))
        }
    while isinstance(place := ann.take(), int):
        ann.rate(place, "YES")
    with small.store.reading() as connection:
        assert still_to_come.may_be_told(connection, small.study, ann.rater) == everything


def test_who_saw_the_judge_in_an_open_review_is_still_given_units(make_small: Make) -> None:
    made = make_small(2, 1, review="open")
    plan_for(made, overlap=1)
    made.desk().open_page()
    assert workers(made)[0].rate_all() == 2


# ---- what tells a repeat ----


def test_the_name_of_a_unit_in_the_browser_tells_nothing(make_small: Make) -> None:
    small = make_small(12, 1)
    plan_for(small, overlap=1, repeats=0.2)
    ann = workers(small)[0]
    names, purposes = [], []
    while isinstance(place := ann.take(), int):
        with small.store.reading() as connection:
            shown = view(
                open_worklist(connection, small.study, ann.rater),
                ann.unit(place),
                studies.rater(connection, ann.rater),
                True,
            )
            assert open_worklist(connection, small.study, ann.rater).unit(shown["unit"]["id"]) == ann.unit(
                place
            )
        names.append(shown["unit"]["id"])
        purposes.append(ann.purpose(place))
        ann.rate(place)
    assert "repeat" in purposes
    assert names == [names[0] + number for number in range(len(names))]


def test_the_name_of_a_colleagues_unit_is_nothing(make_small: Make) -> None:
    small = make_small(2, 2)
    plan_for(small, overlap=2)
    ann, ben = workers(small)
    ann.take()
    ben.take()
    with small.store.reading() as connection:
        name = open_worklist(connection, small.study, ann.rater).name_of(ann.unit(1))
        with pytest.raises(NotFound):
            open_worklist(connection, small.study, ben.rater).unit(name)


def said_after(one: Worker, place: int) -> str:
    with one.store.reading() as connection:
        return str(
            view(
                open_worklist(connection, one.study, one.rater),
                one.unit(place),
                studies.rater(connection, one.rater),
                False,
            )["after_commit"]
        )


def test_what_is_said_after_a_commit_is_true_of_each_unit(make_small: Make) -> None:
    small = make_small(12, 2, reveal="after_batch", batch_size=12)
    plan_for(small, overlap=1, repeats=0.2)
    ann = workers(small)[0]
    later: list[int] = []
    soon: list[int] = []
    for _ in range(6):
        place = ann.rate_next()
        assert isinstance(place, int)
        (later if SHOWN_LATER in said_after(ann, place) else soon).append(place)
    with small.store.reading() as connection:
        holds = dict(connection.execute(select(schema.assignment.c.place, schema.assignment.c.hold)).all())
    assert all(holds[place] for place in later) and not any(holds[place] for place in soon)
    assert later and soon


def test_without_a_judge_nothing_is_said_to_be_shown_later(make_small: Make) -> None:
    made = make_small(12, 1, with_judges=False)
    plan_for(made, overlap=1, repeats=0.2)
    ann = workers(made)[0]
    while isinstance(place := ann.rate_next(), int):
        assert said_after(ann, place).startswith("Committed. No judge has labelled this conversation.")


# ---- erased, skipped, outside the plan ----


def test_erased_words_come_neither_again_nor_for_practice(make_small: Make) -> None:
    small = make_small(8, 2)
    plan_for(small, overlap=1, repeats=0.2, certify=True)
    gold(small, 1)
    ann = workers(small)[0]
    with small.store.writing("lead", "erase", small.study.id) as (connection, entry):
        erase_conversation(connection, entry, small.study, "c1", "asked for")
    nothing = ann.take()
    assert isinstance(nothing, NoUnit) and nothing.kind == "no_gold"
    plan_for(small, overlap=1, repeats=0.2)
    for _ in range(5):
        ann.rate_next()
    with small.store.writing("lead", "erase", small.study.id) as (connection, entry):
        for place in range(1, 6):
            key = connection.execute(
                select(schema.conversation.c.key).where(
                    schema.conversation.c.id == conversation_of(ann, place)
                )
            ).scalar_one()
            erase_conversation(connection, entry, small.study, key, "asked for")
    rest = []
    while isinstance(next_place := ann.rate_next(), int):
        rest.append(ann.purpose(next_place))
    assert "repeat" not in rest


def test_a_skipped_unit_of_a_round_is_not_pressed_on_anybody_and_holds_up_nobody(make_small: Make) -> None:
    small = make_small(4, 2)
    plan_for(small, overlap=1)
    ann, ben = workers(small)
    place = ann.take()
    assert isinstance(place, int)
    ann.skip(place)
    other = next(number for number in (1, 2, 3, 4) if number != conversation_of(ann, place))
    number = calibrate(small, conversation_of(ann, place), other)
    for desk in (ann, ben):
        while isinstance(at := desk.take(), int) and desk.purpose(at) == "calibration":
            desk.rate(at)
    with small.store.writing("lead", "step", small.study.id) as (connection, entry):
        calibration.move_on(connection, entry, small.study, number, "discussed")
    fresh = calibrate(small, *[n for n in (1, 2, 3, 4) if n not in (other, conversation_of(ann, place))][:1])
    cal = ann.take()
    if isinstance(cal, int) and ann.purpose(cal) == "calibration":
        ann.skip(cal)
        assert ann.take() != cal
    assert fresh


def test_who_is_outside_a_plan_of_named_raters_moves_no_count(make_small: Make) -> None:
    small = make_small(2, 3)
    plan_for(small, overlap=3)
    people = workers(small)
    people[2].take()
    plan_for(small, each=True, raters=small.raters[:2])
    people[2].skip(1)
    with small.store.reading() as connection:
        assert verify(connection).problems == []
    with pytest.raises(Refused, match="not_in_plan_now"):
        people[2].draft(1)
    assert [desk.rate_all() for desk in people[:2]] == [2, 2]
    assert all(count >= 0 for count, _ in taken(small).values())


def test_a_place_that_is_free_again_is_found_by_those_who_had_passed_it(make_small: Make) -> None:
    small = make_small(60, 2)
    plan_for(small, overlap=1)
    ann, ben = workers(small)
    held = ben.take()
    assert isinstance(held, int)
    for _ in range(50):
        ann.rate_next()
    ben.skip(held)
    assert ann.rate_all() == 10
    assert all(count == wanted for count, wanted in taken(small).values())


def test_one_unit_comes_again_to_two_raters(make_small: Make) -> None:
    small = make_small(40, 2)
    plan_for(small, overlap=2, repeats=0.2)
    people = workers(small)
    for desk in people:
        desk.rate_all()
    with small.store.reading() as connection:
        twins = dict(connection.execute(select(schema.repeat.c.unit_id, schema.repeat.c.of_unit_id)).all())
        shown = connection.execute(
            select(schema.assignment.c.rater_id, schema.assignment.c.unit_id).where(
                schema.assignment.c.purpose == "repeat"
            )
        ).all()
        assert len(set(twins.values())) == len(twins)
        assert all(len([row for row in shown if row.rater_id == desk.rater]) >= 6 for desk in people)
        assert verify(connection).problems == []


def test_where_facts_were_erased_nobody_can_tell_and_the_unit_is_not_given(make_small: Make) -> None:
    small = make_small(2, 1)
    plan_for(small, overlap=1)
    ann = workers(small)[0]
    with small.store.writing("lead", "conflict", small.study.id) as (connection, entry):
        conflicts.state_conflict(connection, entry, ann.rater, fact="clinician", value="Ann")
        facts = connection.execute(
            select(schema.conversation.c.facts_content).where(schema.conversation.c.id == 1)
        ).scalar_one()
        content.erase(entry, connection, facts, "asked for")
        rules = conflicts.rules(connection, ann.rater)
        assert conflicts.barred_conversations(connection, rules, {1, 2}) == {1}


def test_a_study_is_over_when_all_that_can_be_rated_is(make_small: Make) -> None:
    small = make_small(3, 2)
    plan_for(small, overlap=1)
    with small.store.writing("lead", "erase", small.study.id) as (connection, entry):
        erase_conversation(connection, entry, small.study, "c1", "asked for")

    def over() -> bool:
        with small.store.reading() as connection:
            return worklist.over(connection, small.study)

    ann, ben = workers(small)
    ann.rate_next()
    held = ben.take()
    assert isinstance(held, int) and not over()
    ben.rate(held)
    assert over()


def test_whoever_is_not_certified_yet_has_something_left(make_small: Make) -> None:
    made = make_small(3, 1)
    plan_for(made, overlap=1, certify=True)
    gold(made, 1)
    assert workers(made)[0].left().practice


# ---- what keeps hidden what may still come ----


def to_settle(small: Small, number: int) -> int:
    with small.store.reading() as connection:
        return disagreements.between_people(connection, small.study, rater_id=small.raters[number]).total


def test_what_somebody_holds_is_not_on_their_list_to_settle_although_enough_have_rated_it(
    planned: Small,
) -> None:
    disputed(planned)
    assert to_settle(planned, 2) == 1
    assign(planned, planned.raters[2], 2)
    assert to_settle(planned, 2) == 0


def test_who_rated_a_unit_as_practice_takes_nobodys_place(planned: Small) -> None:
    """Two are asked for. Of the first unit both places are taken, of the second one: there the judge, who
    says YES, may not be told of.
    """
    for position, purpose in ((3, "real"), (4, "calibration")):
        planned.desk(0).rate(position, "NO")
        assign(planned, planned.raters[3], position, purpose)
        planned.desk(3).rate(position, "NO")
    with planned.store.reading() as connection:
        listed = disagreements.with_judges(connection, planned.study, rater_id=planned.raters[2])
        assert {item.position for item in listed.items} == {3}
        assert {item.position for item in disagreements.with_judges(connection, planned.study).items} == {
            3,
            4,
        }


def test_who_has_nothing_left_just_now_is_not_done_while_others_hold_units(make_small: Make) -> None:
    small = make_small(2, 3)
    plan_for(small, overlap=1)
    ann, ben, cleo = workers(small)
    assert isinstance(ann.take(), int) and isinstance(ben.take(), int)
    assert isinstance(cleo.take(), NoUnit)
    with small.store.reading() as connection:
        assert open_worklist(connection, small.study, cleo.rater).remaining_work.none
        assert not permissions.is_done(connection, small.study, cleo.rater), (
            "what Ann holds comes to somebody else when her time is over"
        )


def test_the_repeat_of_a_unit_that_was_seen_in_a_file_was_seen(planned: Small) -> None:
    rows = [(1, {"conversation_id": "c2", "rater": "Ann", "criterion": "warm", "label": "NO"})]
    report = ImportReport("a file")
    with planned.store.writing("Dr Lee", "import", planned.study.id) as (connection, entry):
        add_ratings(
            connection,
            entry,
            planned.study,
            rows,
            report,
            RatingProvenance(
                "unknown", "her own forms", same_raters=SameRaters(frozenset({"Ann"}), "Dr Lee")
            ),
        )
        report.raise_if_wrong()
    twin = repeat(planned, 2)
    with planned.store.reading() as connection:
        assert exposures.exposure_now(connection, planned.study, twin, planned.raters[0]) == "page"
        assert exposures.exposure_now(connection, planned.study, twin, planned.raters[1]) == "blind"


def test_a_label_by_rule_does_not_hide_what_a_person_said_in_a_file(make_small: Make) -> None:
    """In a conversation of one turn "deep" does not apply by rule: nobody's judgement, and so none that could
    go before the file's.
    """
    small = make_small(2, 2)
    small.desk(0).rate(1)
    rows = [(1, {"conversation_id": "c1", "rater": "Rater 1", "criterion": "deep", "label": "YES"})]
    report = ImportReport("a file")
    with small.store.writing("Dr Lee", "import", small.study.id) as (connection, entry):
        add_ratings(
            connection,
            entry,
            small.study,
            rows,
            report,
            RatingProvenance(
                "blind", "her own forms", same_raters=SameRaters(frozenset({"Rater 1"}), "Dr Lee")
            ),
        )
        report.raise_if_wrong()
        labels = agreement_labels.human_labels(connection, small.study.id, "blind", criterion="deep")
    assert [(label.who, label.position, label.label) for label in labels] == [(small.raters[0], 1, "YES")]


def test_somebody_rates_blind_until_everybody_is_done_or_saw_the_labels(make_study: Make) -> None:
    small = make_study()

    def rates_blind() -> bool:
        with small.store.reading() as connection:
            return permissions.somebody_rates_blind(connection, small.study)

    assert rates_blind()
    small.desk(0).open_page()
    for position in range(1, 5):
        assert rates_blind(), "the other one has some left"
        small.desk(1).rate(position)
    assert not rates_blind()


def test_nobody_rates_blind_in_an_open_review(make_study: Make) -> None:
    small = make_study(review="open")
    with small.store.reading() as connection:
        assert not permissions.somebody_rates_blind(connection, small.study)
