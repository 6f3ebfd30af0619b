"""What is settled at a safety gate: every failure that any clinician saw, by somebody who has not seen the
judge and rated nothing of it.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable

import numpy as np
import pytest

from data import schema
from data.access import reveals
from data.access.permissions import Action, Decision, Person, Reason, may
from data.importers.imported_judgements import add_judgements
from data.importers.report import ImportReport
from data.labels import agreement_material, disagreements
from data.record import studies
from data.record.judgements import JudgeIdentity
from data.schema.vocabulary import StudyRole
from data.store.errors import NotFound, Notice, Refused
from data.work import exposures, roles, worklist
from data.work import plan as plans
from data.work.gate_draws import is_drawn
from data.work.next_unit import NoUnit, choose_next_unit
from scoring.agreement.safety.safety_units import gather_units
from services.raters import add_settler
from tests.studies import settling
from tests.studies.planned import plan_for, workers
from tests.studies.settling import Colleague, queue
from tests.studies.small_study import Small

SAFE = 2  # the place of "safe" among the criteria of settling.MIXED


def rate(small: Small, rater: int, labels: dict[int, str]) -> None:
    """`labels`: position -> what the rater says of "safe"."""
    desk = small.desk(rater)
    for position, label in labels.items():
        for criterion, given in (("kind", "4"), ("clear", "YES"), ("safe", label)):
            desk.draft(position, criterion, given)
        desk.commit(position)


@pytest.fixture
def gate(mixed: Small) -> Small:
    """Conversation 1: both pass. 2: both see a failure. 3: Ann alone sees one. 4: they differ."""
    rate(mixed, 0, {1: "YES", 2: "NO", 3: "NO", 4: "YES"})
    rate(mixed, 1, {1: "YES", 2: "NO", 4: "NO"})
    return mixed


def test_every_failure_that_any_clinician_saw_waits_and_no_pass_does(gate: Small) -> None:
    assert sorted(queue(gate)) == [(2, "safe"), (3, "safe"), (4, "safe")]


def test_the_list_is_the_one_that_the_verdict_waits_for(gate: Small) -> None:
    with gate.store.reading() as connection:
        material = agreement_material.read(connection, gate.study, None)
        listed = disagreements.between_people(connection, gate.study).items
    units = gather_units(material, SAFE)
    assert material.questions[SAFE].id == "safe" and material.questions[SAFE].gate
    assert set(units.unit[units.seen_by > 0].tolist()) == {item.unit_id for item in listed}
    assert (units.settling.listed, units.settling.settled) == (3, 0)


def test_the_order_tells_nothing_and_stays(make_study: Callable[..., Small]) -> None:
    """Neither where clinicians differ, nor how many they are, nor the place in the study."""
    small = make_study(
        raters=("Ann", "Ben", "Cleo"), instrument=settling.MIXED, with_judges=False, conversation_count=40
    )
    settling.plan(small.store, small.study)
    rate(small, 0, dict.fromkeys(range(1, 41), "NO"))
    rate(small, 1, {position: "NO" if position % 2 else "YES" for position in range(1, 31)})
    listed = [position for position, criterion in queue(small) if criterion == "safe"]
    assert len(listed) == 40 and listed == [position for position, name in queue(small) if name == "safe"]
    places = np.array([listed.index(position) for position in range(1, 41)], dtype=float)
    for sign in (np.arange(40.0), np.arange(40) % 2 == 0, np.arange(40) < 30):
        assert abs(np.corrcoef(places, np.asarray(sign, dtype=float))[0, 1]) < 0.35
    both_rated = np.arange(30) % 2 == 0  # of the odd ones both say NO, of the even ones one says YES
    assert abs(np.corrcoef(places[:30], both_rated.astype(float))[0, 1]) < 0.35
    Colleague.of(small).open(listed[0])
    Colleague.of(small).settle(listed[0], "safe", "NO", cause="confirmed")
    assert [position for position, name in queue(small) if name == "safe"] == listed[1:]


def test_a_unanimous_failure_that_is_settled_unseen_is_a_reference(gate: Small) -> None:
    cleo = Colleague.of(gate)
    for position, label in ((2, "NO"), (3, "YES"), (4, "NO")):
        cleo.open(position)
        cleo.settle(position, "safe", label, cause="confirmed")
    assert [settlement.is_reference for settlement in settling.settled(gate)] == [True] * 3
    with gate.store.reading() as connection:
        units = gather_units(agreement_material.read(connection, gate.study, None), SAFE)
    assert units.settling.complete and units.reference[units.seen_by > 0].tolist() == [1, 0, 1]
    assert queue(gate) == []


def say(small: Small, labels: dict[int, str]) -> None:
    """What a judge says of "safe", and YES of "clear" throughout."""
    rows = [
        {"conversation_id": f"c{position}", "criterion": name, "label": label}
        for position, safe in labels.items()
        for name, label in (("safe", safe), ("clear", "NO"))
    ]
    report = ImportReport("judge")
    with small.store.writing("tests", "judge", small.study.id) as (connection, entry):
        add_judgements(
            connection, entry, small.study, enumerate(rows, start=1), report, JudgeIdentity("Judge"), "tests"
        )
        report.raise_if_wrong()


def test_the_judge_of_a_unit_stays_hidden_while_a_failure_waits_there(gate: Small) -> None:
    """Neither in the judge's list nor by asking for it: what is settled afterwards would decide nothing."""
    say(gate, {1: "NO", 2: "YES", 3: "YES", 4: "NO"})
    assert queue(gate, judges=True) == [(1, "safe"), (1, "clear")], "2, 3 and 4 hold a failure that waits"
    cleo = Colleague.of(gate)
    cleo.open(2)
    with pytest.raises(Refused, match="judge_waits_for_settling"):
        show(gate, cleo, 2)
    cleo.settle(2, "safe", "NO", cause="confirmed")
    assert (2, "clear") in queue(gate, judges=True) and (2, "safe") not in queue(gate, judges=True)
    show(gate, cleo, 2)


def show(small: Small, colleague: Colleague, position: int) -> None:
    with small.store.writing("tests", "show", small.study.id) as (connection, entry):
        unit = colleague.unit(position)
        reveals.record_reveal_to_settler(connection, entry, small.study, unit, colleague.rater, "human_judge")


def test_who_has_seen_the_judge_settles_no_failure_and_it_waits_for_somebody_else(gate: Small) -> None:
    cleo = Colleague.of(gate)
    cleo.open(2)
    with gate.store.writing("tests", "shown", gate.study.id) as (connection, entry):
        exposures.record_page(connection, entry, cleo.rater)
    with pytest.raises(Refused, match="saw_judge_at_gate"):
        cleo.settle(2, "safe", "NO", cause="confirmed")
    with gate.store.reading() as connection:
        own = disagreements.between_people(connection, gate.study, rater_id=cleo.rater).items
    assert [item.criterion for item in own if item.criterion == "safe"] == []
    assert (2, "safe") in queue(gate)


def test_a_note_does_not_replace_what_was_settled_unseen(gate: Small) -> None:
    cleo = Colleague.of(gate)
    cleo.open(2)
    cleo.settle(2, "safe", "NO", cause="confirmed")
    Colleague.of(gate, 0).tell(2, criterion="safe")
    with pytest.raises(Refused, match="settle_without_judge_first"):
        cleo.settle(2, "safe", "YES", trigger="escalation")
    with gate.store.reading() as connection:
        units = gather_units(agreement_material.read(connection, gate.study, None), SAFE)
    assert units.settling.settled == 1


@pytest.mark.parametrize("with_plan", [True, False])
def test_nothing_is_given_to_rate_to_whoever_settles(
    make_study: Callable[..., Small], with_plan: bool
) -> None:
    """They read what colleagues said; what they rated before stays theirs."""
    small = make_study(raters=("Ann", "Ben", "Cleo"), instrument=settling.MIXED, with_judges=False)
    if with_plan:
        settling.plan(small.store, small.study)
    rate(small, 0, {2: "NO", 3: "NO"})
    if not with_plan:
        rate(small, 2, {1: "YES"})
    add_settler(small.store, "Cleo", small.study, "Cleo")
    cleo = small.raters[2]
    with small.store.reading() as connection:
        own = worklist.open_worklist(connection, small.study, cleo)
        assert own.next_open() is None
        decision = may(connection, Person(studies.rater(connection, cleo)), Action.SEE_LABELS, small.study)
        assert decision.reason is Reason.SETTLES_UNSEEN, "the judge stays hidden"
        with pytest.raises(NotFound):
            own.unit_by_id(small.desk().unit(2).id)
        if not with_plan:
            assert own.unit_by_id(small.desk().unit(1).id).position == 1
        settlers = disagreements.between_people(connection, small.study, rater_id=cleo).items
    assert {item.position for item in settlers if item.criterion == "safe"} == {2, 3}
    if with_plan:
        with small.store.writing("tests", "take", small.study.id) as (connection, _entry):
            person = studies.rater(connection, cleo)
            plan = plans.current(connection, small.study.id)
            assert plan is not None
            answer = choose_next_unit(connection, small.study, plan, person, random.Random(1))
        assert isinstance(answer, NoUnit) and answer.notice == Notice("settles_here")


def test_a_settler_whose_unit_ran_out_is_told_why_it_cannot_be_saved(
    make_study: Callable[..., Small],
) -> None:
    small = make_study(raters=("Ann", "Ben", "Cleo"), instrument=settling.MIXED, with_judges=False)
    plan_for(small, overlap=1)
    cleo = workers(small)[2]
    cleo.take()
    cleo.skip(1)
    add_settler(small.store, "Cleo", small.study, "Cleo")
    with pytest.raises(Refused, match="settles_now"):
        cleo.draft(1)


def test_whoever_rated_a_unit_does_not_settle_it(gate: Small) -> None:
    with pytest.raises(Refused, match="rated_it"):
        Colleague.of(gate, 0).open(2)
    add_settler(gate.store, "Ben", gate.study, "Ben")
    with gate.store.reading() as connection:
        left = disagreements.between_people(connection, gate.study, rater_id=gate.raters[1]).items
    assert [item.position for item in left] == [3], "the one that Ben did not rate"


def test_whoever_settles_here_need_not_rate_everything_first(make_study: Callable[..., Small]) -> None:
    small = make_study(raters=("Ann", "Ben", "Cleo"), instrument=settling.MIXED, with_judges=False)
    rate(small, 0, {2: "NO"})
    cleo = small.raters[2]
    with small.store.reading() as connection:
        cleo_asks = Person(studies.rater(connection, cleo))
        unit = small.desk().unit(2)
        left = Decision(Reason.LEFT_TO_RATE, 4)
        assert may(connection, cleo_asks, Action.SETTLE, small.study) == left
        assert may(connection, cleo_asks, Action.SETTLE_UNIT, small.study, unit) == left
    person = add_settler(small.store, "Cleo", small.study, "Cleo")
    assert person.id == cleo
    with small.store.reading() as connection:
        assert roles.role_of(connection, cleo) is StudyRole.SETTLER
        assert may(connection, cleo_asks, Action.SETTLE, small.study)
        assert may(connection, cleo_asks, Action.SETTLE_UNIT, small.study, unit)
        ann = small.raters[0]
        assert roles.role_of(connection, ann) is StudyRole.RATER
    colleague = Colleague.of(small)
    colleague.open(2)
    colleague.settle(2, "safe", "NO", cause="confirmed")
    [settlement] = settling.settled(small)
    assert settlement.is_reference and settlement.by == "Cleo"


def test_a_rater_who_settles_may_still_not_settle_what_they_rated(make_study: Callable[..., Small]) -> None:
    small = make_study(raters=("Ann", "Ben"), instrument=settling.MIXED, with_judges=False)
    rate(small, 0, {2: "NO"})
    rate(small, 1, {3: "NO"})
    add_settler(small.store, "Ann", small.study, "Ann")
    ann = Colleague.of(small, 0)
    ann.open(3)
    ann.settle(3, "safe", "NO", cause="confirmed")
    with pytest.raises(Refused, match="rated_it"):
        ann.open(2)


def test_a_name_of_imported_ratings_does_not_settle(mixed: Small) -> None:
    with mixed.store.writing("tests", "import", mixed.study.id) as (connection, entry):
        studies.add_rater(connection, entry, mixed.study.id, "From a file", "imported")
    with pytest.raises(Refused, match="name_of_imported_rater"):
        add_settler(mixed.store, "lead", mixed.study, "From a file")


def test_of_a_random_part_only_what_is_drawn_waits_and_decides(make_study: Callable[..., Small]) -> None:
    """Each failure has the chance that the plan names, whatever else is known of it; a larger share keeps what
    was drawn; and the verdict's material knows the same units."""
    small = make_study(
        raters=("Ann", "Ben", "Cleo"), instrument=settling.MIXED, with_judges=False, conversation_count=60
    )
    rate(small, 0, dict.fromkeys(range(1, 61), "NO"))
    listed = {}
    for version, share in enumerate((0.3, 0.6, 1.0), start=1):
        with small.store.writing("tests", "plan", small.study.id) as (_connection, entry):
            body = json.dumps({"settle_share": share, "raters": [small.raters[0]]})
            entry.write(schema.work_plan, {"study_id": small.study.id, "version": version, "body": body})
        listed[share] = {position for position, criterion in queue(small) if criterion == "safe"}
        with small.store.reading() as connection:
            material = agreement_material.read(connection, small.study, None)
        drawn = gather_units(material, SAFE).settling
        assert (drawn.listed, drawn.drawn) == (60, len(listed[share]))
        with small.store.reading() as connection:
            for position in range(1, 61):
                unit = small.desk().unit(position)
                waits = disagreements.differ(connection, small.study, unit).get("safe") == "human_human"
                assert waits is (position in listed[share])
        assert not queue(small, judges=True)
    assert listed[0.3] < listed[0.6] < listed[1.0]
    assert 8 <= len(listed[0.3]) <= 30 and 24 <= len(listed[0.6]) <= 48 and len(listed[1.0]) == 60


def test_each_unit_is_drawn_with_its_chance_and_independently_of_its_place() -> None:
    units = np.arange(1, 100_001)
    for study, share in ((1, 0.1), (2, 0.5), (77, 0.05)):
        drawn = is_drawn(units, study, share)
        assert abs(drawn.mean() - share) < 0.005
        halves = drawn[: len(drawn) // 2], drawn[len(drawn) // 2 :]
        assert abs(halves[0].mean() - halves[1].mean()) < 0.01
        assert abs(np.corrcoef(drawn[:-1], drawn[1:])[0, 1]) < 0.02
        assert is_drawn(units, study, 1.0).all()
