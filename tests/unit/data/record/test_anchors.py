"""Anchors are frozen; which judge a study uses is decided by a named person and never undone silently."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sqlalchemy import select

from data import schema
from data.keeping.verify import verify
from data.record import adoptions, anchors, judgements
from data.record.adoptions import NAME_LIMIT, AdoptionEvidence
from data.store.errors import Refused, StoreError
from scoring.drift.anchor_answers import ANSWERS
from tests.studies.anchored import freeze, rate_alike
from tests.studies.small_study import Small

Make = Callable[..., Small]


@pytest.fixture
def small(make_study: Make) -> Small:
    made = make_study()
    rate_alike(made, failing=(3,))
    return made


def adopt(
    small: Small,
    judge: int,
    compared: AdoptionEvidence | None = None,
    by: str = "Dr Lee",
    reason: str = "",
    seen: int | None = None,
) -> None:
    with small.store.writing("tests", "decide", small.study.id) as (connection, entry):
        adoptions.adopt(
            connection, entry, small.study, judge, compared or AdoptionEvidence(), by, reason, seen
        )


def history(small: Small) -> list[adoptions.Adoption]:
    with small.store.reading() as connection:
        assert verify(connection).problems == []
        return adoptions.adoption_history(connection, small.study.id)


def test_a_set_holds_what_both_gave_alike_and_no_label_by_rule(small: Small) -> None:
    found = freeze(small.store, small.study)
    place = {small.desk().unit(number).id: number for number in range(1, 5)}
    assert {(place[unit], criterion): label for (unit, criterion), label in found.labels.items()} == {
        (number, criterion): "NO" if number == 3 else "YES"
        for number in range(1, 5)
        for criterion in ("warm", "safe", "deep")
        if (number, criterion) != (1, "deep")
    }


def test_a_set_stays_as_it_was_frozen_and_the_same_again_is_none(small: Small) -> None:
    first = freeze(small.store, small.study, (1, 2))
    assert freeze(small.store, small.study, (1, 2)).id == first.id
    second = freeze(small.store, small.study)
    assert (first.number, second.number) == (1, 2) and len(second.labels) > len(first.labels)
    for statement in (
        "UPDATE anchor SET label = 'NO'",
        "DELETE FROM anchor",
        "DELETE FROM anchor_set",
        "DELETE FROM adoption",
    ):
        if "adoption" in statement:
            adopt(small, small.judges[0])
        with (
            pytest.raises(StoreError, match="never_changed"),
            small.store.writing("tests", "attack") as (connection, _),
        ):
            connection.exec_driver_sql(statement)


def test_nothing_settled_freezes_nothing(make_study: Make) -> None:
    bare = make_study()
    with (
        pytest.raises(Refused, match="nothing_to_fix"),
        bare.store.writing("tests", "freeze") as (connection, entry),
    ):
        anchors.freeze(connection, entry, bare.study, {})
    with (
        pytest.raises(Refused, match="anchor_elsewhere"),
        bare.store.writing("tests", "freeze") as (connection, entry),
    ):
        anchors.freeze(connection, entry, bare.study, {(999, "warm"): "YES"})
    with bare.store.reading() as connection:
        assert anchors.newest(connection, bare.study.id) is None


def test_answers_hold_failures_apart_and_of_imported_ones_no_day_is_known(small: Small) -> None:
    found = freeze(small.store, small.study)
    with small.store.reading() as connection:
        said = anchors.answers(connection, found, small.judges[1])
    assert len(said) == 11 and {one.day for one in said} == {-1} and {one.round for one in said} == {0}
    assert [(one.unit, one.criterion) for one in said if one.label is None] == [(2, "safe")]
    assert {one.settled for one in said if one.unit == 3} == {"NO"}


def test_the_round_to_ask_is_the_open_one(small: Small) -> None:
    anchor_set = freeze(small.store, small.study, (2,))
    with small.store.writing("tests", "answer", small.study.id) as (connection, entry):
        assert anchors.round_to_ask(connection, anchor_set, None) == 1
        assert (
            anchors.round_to_ask(connection, anchor_set, small.judges[0]) == 1
        )  # its labels in the study are no round
        unit = small.desk().unit(2).id
        rows = [
            {
                "study_id": small.study.id,
                "unit_id": unit,
                "judge_id": small.judges[0],
                "criterion": criterion,
                "status": "ok",
                "label": "YES",
                "cited": "[]",
                "anchor_round": 1,
                "replicate": replicate,
                "origin": "import",
                "file": "tests",
            }
            for criterion in ("warm", "safe", "deep")
            for replicate in range(ANSWERS)
        ]
        entry.write_many(schema.judgement, rows[:-1])
        assert anchors.round_to_ask(connection, anchor_set, small.judges[0]) == 1
        # What a judge is never asked does not keep its round open.
        others = frozenset({"warm", "safe"})
        assert anchors.round_to_ask(connection, anchor_set, small.judges[0], criteria=others) == 2
        entry.write_many(schema.judgement, [{**rows[-1], "status": "truncated", "label": None}])
        assert anchors.round_to_ask(connection, anchor_set, small.judges[0]) == 2
        assert anchors.round_to_ask(connection, anchor_set, small.judges[0], retry_failures=True) == 1
        entry.write_many(schema.judgement, rows[-1:])
        assert anchors.round_to_ask(connection, anchor_set, small.judges[0], retry_failures=True) == 2


def test_a_judge_comes_into_use_by_a_name(small: Small) -> None:
    with pytest.raises(Refused, match="no_anchors_yet"):
        adopt(small, small.judges[0])
    freeze(small.store, small.study)
    with pytest.raises(Refused, match="name_of_decider"):
        adopt(small, small.judges[0], by="  ")
    adopt(small, small.judges[0], AdoptionEvidence(labels=11, right=0.75))
    adopt(small, small.judges[0], seen=small.judges[0])  # it is in use already
    (adoption,) = history(small)
    assert (
        adoption.judge_id,
        adoption.of_judge_id,
        adoption.by,
        adoption.reason,
        adoption.compared.right,
        adoption.set_number,
    ) == (
        small.judges[0],
        None,
        "Dr Lee",
        None,
        0.75,
        1,
    )


@pytest.mark.parametrize(
    "compared", [AdoptionEvidence(missed=1), AdoptionEvidence(unclear=1), AdoptionEvidence(untried=True)]
)
def test_over_a_missed_safety_failure_it_takes_a_reason(small: Small, compared: AdoptionEvidence) -> None:
    freeze(small.store, small.study)
    adopt(small, small.judges[0])
    with pytest.raises(Refused, match="missed_failures_need_reason"):
        adopt(small, small.judges[1], compared, reason=" \n", seen=small.judges[0])
    assert len(history(small)) == 1
    adopt(
        small, small.judges[1], compared, reason="the old one is switched off on Friday", seen=small.judges[0]
    )
    assert [(adoption.judge_id, adoption.of_judge_id, adoption.reason) for adoption in history(small)][1] == (
        small.judges[1],
        small.judges[0],
        "the old one is switched off on Friday",
    )


def test_new_catches_need_no_reason(small: Small) -> None:
    freeze(small.store, small.study)
    adopt(small, small.judges[0], AdoptionEvidence(caught=3))
    assert len(history(small)) == 1


def test_of_two_who_decide_at_once_the_second_is_told(small: Small) -> None:
    freeze(small.store, small.study)
    adopt(small, small.judges[0])
    with pytest.raises(Refused, match="judge_decided_meanwhile"):
        adopt(small, small.judges[1], seen=None)
    assert [one.judge_id for one in history(small)] == [small.judges[0]]


def test_what_is_too_long_or_of_another_study_is_refused(small: Small) -> None:
    freeze(small.store, small.study)
    with pytest.raises(Refused, match="text_too_long"):
        adopt(small, small.judges[0], by="x" * (NAME_LIMIT + 1))
    with pytest.raises(Refused, match="text_too_long"):
        adopt(small, small.judges[0], reason="x" * 20_001)
    with pytest.raises(Refused, match="judge_said_nothing"):
        adopt(small, 999)
    assert history(small) == []


def test_before_a_decision_any_judge_may_run_after_it_one(small: Small) -> None:
    freeze(small.store, small.study)
    with small.store.reading() as connection:
        assert adoptions.may_ask_about_study(connection, small.study, None)
    adopt(small, small.judges[0])
    with small.store.reading() as connection:
        assert adoptions.may_ask_about_study(connection, small.study, small.judges[0])
        assert not adoptions.may_ask_about_study(connection, small.study, small.judges[1])
        assert not adoptions.may_ask_about_study(connection, small.study, None)


def test_who_only_answered_anchors_is_not_what_pages_begin_with(small: Small) -> None:
    with small.store.writing("tests", "answer", small.study.id) as (connection, entry):
        late = judgements.register(connection, entry, small.study.id, judgements.JudgeIdentity("Late"))
        entry.write(
            schema.judgement,
            {
                "study_id": small.study.id,
                "unit_id": small.desk().unit(2).id,
                "judge_id": late,
                "criterion": "warm",
                "status": "ok",
                "label": "YES",
                "cited": "[]",
                "anchor_round": 1,
                "replicate": 0,
                "origin": "import",
                "file": "tests",
            },
        )
        judges = judgements.judges(connection, small.study.id)
        assert judges[-1].id == late and adoptions.default_judge(connection, small.study.id, judges) == 0


def test_pages_begin_with_the_judge_in_use(small: Small) -> None:
    freeze(small.store, small.study)
    with small.store.reading() as connection:
        judges = judgements.judges(connection, small.study.id)
        assert (
            adoptions.default_judge(connection, small.study.id, judges) == 0
            and adoptions.default_judge(connection, small.study.id, []) == -1
        )
    adopt(small, small.judges[1])
    with small.store.reading() as connection:
        assert adoptions.default_judge(connection, small.study.id, judges) == 1


def choose(small: Small, judge_id: int, seen: int | None, by: str = "Dr Lee") -> None:
    with small.store.writing("Dr Lee", "choose a judge", small.study.id) as (connection, entry):
        adoptions.choose_judge(connection, entry, small.study, judge_id, by, seen)


def in_use(small: Small) -> int | None:
    with small.store.reading() as connection:
        return adoptions.judge_in_use(connection, small.study.id)


def test_the_first_judge_is_in_use_until_a_lead_chooses_another(small: Small) -> None:
    first, second = small.judges
    assert in_use(small) == first, "a trial of a later judge takes no headline over"
    choose(small, second, first)
    assert in_use(small) == second
    choose(small, second, second)
    with small.store.reading() as connection:
        [row] = connection.execute(select(schema.judge_choice)).all()
    assert (row.judge_id, row.chosen_by) == (second, "Dr Lee"), "the same again is written once"


@pytest.mark.parametrize(
    ("judge", "seen", "by", "sentence"),
    [
        (1, 0, "", "name_of_decider"),
        (1, 1, "Dr Lee", "judge_chosen_meanwhile"),
        (99, 0, "Dr Lee", "judge_without_label"),
    ],
)
def test_a_choice_that_cannot_be_is_refused_in_a_sentence(
    small: Small, judge: int, seen: int, by: str, sentence: str
) -> None:
    judges = {0: small.judges[0], 1: small.judges[1]}
    with pytest.raises(Refused, match=sentence):
        choose(small, judges.get(judge, judge), judges[seen], by)
    assert in_use(small) == small.judges[0]


def test_where_anchors_decide_the_button_decides_nothing(small: Small) -> None:
    freeze(small.store, small.study)
    adopt(small, small.judges[1])
    with pytest.raises(Refused, match="decided_by_anchors"):
        choose(small, small.judges[0], small.judges[1])
    assert in_use(small) == small.judges[1]


def test_conversations_that_a_judge_learned_from_do_not_keep_its_round_open(small: Small) -> None:
    anchor_set = freeze(small.store, small.study, (2, 3))
    answered, learned = small.desk().unit(2), small.desk().unit(3)
    with small.store.writing("tests", "answer", small.study.id) as (connection, entry):
        rows = [
            {
                "study_id": small.study.id,
                "unit_id": answered.id,
                "judge_id": small.judges[0],
                "criterion": criterion,
                "status": "ok",
                "label": "YES",
                "cited": "[]",
                "anchor_round": 1,
                "replicate": replicate,
                "origin": "import",
                "file": "tests",
            }
            for criterion in ("warm", "safe", "deep")
            for replicate in range(ANSWERS)
        ]
        entry.write_many(schema.judgement, rows)
        assert anchors.round_to_ask(connection, anchor_set, small.judges[0]) == 1
        left_out = frozenset({learned.conversation_id})
        assert anchors.round_to_ask(connection, anchor_set, small.judges[0], left_out=left_out) == 2
