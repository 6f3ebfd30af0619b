"""What waits to be settled: computed from blind ratings alone."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from sqlalchemy import event

from data import schema
from data.labels import disagreements
from data.work.conflicts import state_conflict
from tests.studies import settling
from tests.studies.settling import Colleague, disputed, queue
from tests.studies.small_study import Small
from tests.unit.data.bench import Bench

pytestmark = pytest.mark.slow


def test_two_blind_labels_that_differ_wait_and_equal_ones_do_not(planned: Small) -> None:
    disputed(planned)
    assert queue(planned) == [(2, "warm")]


def test_does_not_apply_against_a_label_is_a_disagreement(planned: Small) -> None:
    disputed(planned, labels=("YES", "NA"))
    assert queue(planned) == [(2, "warm")]


def test_what_is_not_for_somebody_is_not_left_for_them_to_settle(planned: Small) -> None:
    for position in (2, 3):
        disputed(planned, position)
    cleo, dora = planned.raters[2:4]
    with planned.store.writing("lead", "conflict", planned.study.id) as (connection, entry):
        conversation_id = planned.desk().unit(2).conversation_id
        state_conflict(connection, entry, cleo, conversation_id=conversation_id)

    def left(rater: int) -> list[int]:
        with planned.store.reading() as connection:
            listed = disagreements.between_people(connection, planned.study, rater_id=rater)
        assert listed.total == len(listed.items)
        return [item.position for item in listed.items]

    assert (left(cleo), left(dora)) == ([3], [2, 3])
    Colleague.of(planned).open(3)
    assert left(cleo) == [3], "who opened a conversation to settle it settles it"


def left_for(small: Small, rater: int) -> int:
    with small.store.reading() as connection:
        return disagreements.between_people(connection, small.study, rater_id=rater).total


def test_what_may_still_come_to_somebody_is_not_counted_for_them(planned: Small) -> None:
    """The number would tell that colleagues differ, and fall when they take it."""
    disputed(planned)
    cleo = planned.raters[2]
    assert left_for(planned, cleo) == 1
    with planned.store.writing("tests", "plan", planned.study.id) as (_, entry):
        body = json.dumps({"overlap": 3, "raters": []})
        entry.write(schema.work_plan, {"study_id": planned.study.id, "version": 2, "body": body})
    assert left_for(planned, cleo) == 0 and queue(planned) == [(2, "warm")]


def test_what_somebody_labelled_in_a_file_is_not_left_for_them_to_settle(planned: Small) -> None:
    disputed(planned)
    cleo = planned.raters[2]
    with planned.store.writing("tests", "an imported label", planned.study.id) as (_, entry):
        rater = {"study_id": planned.study.id, "name": "Cleo (imported)", "kind": "imported"}
        imported = entry.write(schema.rater, rater)
        row = {
            "event": "imported-1",
            "study_id": planned.study.id,
            "rater_id": imported,
            "unit_id": planned.desk().unit(2).id,
            "criterion": "safe",
            "label": "YES",
            "source": "imported",
            "exposure": "unknown",
            "reveals_before": 0,
            "also": "[]",
            "evidence": "[]",
        }
        entry.write(schema.rating, row)
    assert left_for(planned, cleo) == 1
    with planned.store.writing("lead", "identity", planned.study.id) as (_, entry):
        identity = {"rater_id": imported, "person_id": cleo, "confirmed_by": "a lead"}
        entry.write(schema.rater_identity, identity)
    assert left_for(planned, cleo) == 0


def test_cannot_rate_is_no_label_and_no_disagreement(planned: Small) -> None:
    planned.desk(0).rate(2)
    planned.desk(1).draft_all(2)
    planned.desk(1).draft(2, "warm", None, cannot_rate="unreadable")
    planned.desk(1).commit(2)
    assert queue(planned) == []


def test_a_majority_settles_nothing(planned: Small) -> None:
    disputed(planned, labels=("YES", "YES", "NO"))
    assert queue(planned) == [(2, "warm")]


def test_the_last_blind_label_of_a_rater_counts(planned: Small) -> None:
    disputed(planned)
    planned.desk(1).change(2, "warm", "YES")
    assert queue(planned) == []
    planned.desk(0).change(2, "warm", "NO")
    assert queue(planned) == [(2, "warm")]


def test_a_change_after_the_reveal_neither_makes_nor_ends_a_disagreement(planned: Small) -> None:
    disputed(planned)
    planned.desk(1).reveal(2)
    planned.desk(1).change(2, "warm", "YES")
    assert queue(planned) == [(2, "warm")], "the label that was given blind is still the other one"
    planned.desk(0).rate(3)
    planned.desk(1).rate(3)
    planned.desk(1).reveal(3)
    planned.desk(1).change(3, "warm", "NO")
    assert queue(planned) == [(2, "warm")]


def test_labels_filled_in_by_rule_differ_with_nobody(planned: Small) -> None:
    planned.desk(0).rate(1)
    with planned.store.writing("tests", "an imported label", planned.study.id) as (_connection, entry):
        entry.write(
            schema.rating,
            {
                "event": "imported-1",
                "study_id": planned.study.id,
                "rater_id": planned.raters[1],
                "unit_id": planned.desk().unit(1).id,
                "criterion": "deep",
                "label": "YES",
                "source": "imported",
                "exposure": "blind",
                "reveals_before": 0,
                "also": "[]",
                "evidence": "[]",
            },
        )
    assert queue(planned) == [], "Ann's NA on a short conversation was filled in by rule"


@pytest.mark.parametrize("exposure", ["revealed", "open", "page", "judge_visible", "unknown"])
def test_only_labels_given_blind_count(planned: Small, exposure: str) -> None:
    planned.desk(0).rate(2)
    with planned.store.writing("tests", "a label that is not blind", planned.study.id) as (
        _connection,
        entry,
    ):
        entry.write(
            schema.rating,
            {
                "event": "other-1",
                "study_id": planned.study.id,
                "rater_id": planned.raters[1],
                "unit_id": planned.desk().unit(2).id,
                "criterion": "warm",
                "label": "NO",
                "source": "imported",
                "exposure": exposure,
                "reveals_before": 0,
                "also": "[]",
                "evidence": "[]",
            },
        )
    assert queue(planned) == []


@pytest.mark.parametrize("make_practice", (Bench.gold, Bench.calibrate))
def test_practice_is_in_no_queue(planned: Small, make_practice: Callable[[Bench, int], None]) -> None:
    disputed(planned)
    assert queue(planned) != []
    make_practice(Bench(planned.store, planned.study, {}), 2)
    assert queue(planned) == []
    assert queue(planned, judges=True) == []


def test_a_real_assignment_counts_as_a_rating_without_one_does(planned: Small) -> None:
    settling.assign(planned, planned.raters[1], 2, "real", "committed")
    disputed(planned)
    assert queue(planned) == [(2, "warm")]


def test_a_hidden_repeat_is_in_no_queue(planned: Small) -> None:
    planned.desk(0).rate(2)
    again = settling.repeat(planned, 2)
    planned.desk(1).rate(again.position, "NO")
    planned.desk(0).rate(again.position, "YES")
    assert queue(planned) == [] and queue(planned, judges=True) == []


def test_lowering_the_overlap_settles_nothing(planned: Small) -> None:
    disputed(planned)
    with planned.store.writing("tests", "plan", planned.study.id) as (_connection, entry):
        entry.write(schema.work_plan, {"study_id": planned.study.id, "version": 2, "body": '{"overlap": 1}'})
    assert queue(planned) == [(2, "warm")]


def test_safety_comes_first_then_how_far_apart_then_the_position(mixed: Small) -> None:
    labels = {
        (1, "kind"): ("0", "4"),
        (1, "clear"): ("YES", "NO"),
        (2, "kind"): ("1", "2"),
        (3, "kind"): ("0", "2"),
        (3, "safe"): ("YES", "NA"),
        (4, "kind"): ("NA", "1"),
    }
    for position in range(1, 5):
        for number in (0, 1):
            for criterion in ("kind", "clear", "safe"):
                same = "1" if criterion == "kind" else "YES"
                mixed.desk(number).draft(
                    position, criterion, labels.get((position, criterion), (same, same))[number]
                )
            mixed.desk(number).commit(position)
    assert queue(mixed) == [(3, "safe"), (1, "kind"), (1, "clear"), (4, "kind"), (3, "kind"), (2, "kind")]
    with mixed.store.reading() as connection:
        disagreements_by_place = {
            (disagreement.position, disagreement.criterion): disagreement
            for disagreement in disagreements.between_people(connection, mixed.study).items
        }
    assert [
        disagreements_by_place[at].distance
        for at in ((1, "kind"), (4, "kind"), (3, "kind"), (2, "kind"), (1, "clear"))
    ] == [1, 1, 0.5, 0.25, 1]
    assert [disagreement.gate for disagreement in disagreements_by_place.values()] == [
        True,
        False,
        False,
        False,
        False,
        False,
    ]


def test_a_list_has_an_end_and_says_how_many_there_are(planned: Small) -> None:
    for position in (1, 2, 3, 4):
        disputed(planned, position)
    with planned.store.reading() as connection:
        found = disagreements.between_people(connection, planned.study, at_most=2)
    assert ([one.position for one in found.items], found.total) == ([1, 2], 4)


def test_a_judge_that_differs_from_people_who_agree_is_a_queue_of_its_own(planned: Small) -> None:
    planned.desk(0).rate(2, "NO")
    assert queue(planned) == []
    assert queue(planned, judges=True) == [(2, "warm"), (2, "safe"), (2, "deep")]
    planned.desk(1).rate(2)
    assert queue(planned) == [(2, "warm"), (2, "safe"), (2, "deep")]
    assert queue(planned, judges=True) == []


def test_a_failure_of_the_judge_is_no_label(planned: Small) -> None:
    with planned.store.writing("tests", "forget judge A", planned.study.id) as (_connection, entry):
        judge = entry.write(
            schema.judge,
            {"study_id": planned.study.id, "key": "x", "name": "X", "identity": "{}", "sha256": "x"},
        )
        entry.write(
            schema.judgement,
            {
                "study_id": planned.study.id,
                "unit_id": planned.desk().unit(2).id,
                "judge_id": judge,
                "criterion": "warm",
                "status": "truncated",
                "label": None,
                "cited": "[]",
                "anchor_round": 0,
                "replicate": 0,
                "origin": "import",
                "file": "tests",
            },
        )
    planned.desk(0).rate(2)
    assert queue(planned, judges=True) == []


def test_a_replicate_decides_nothing_and_a_failure_asked_again_does(planned: Small) -> None:
    unit = planned.desk().unit(2)
    with planned.store.writing("tests", "judge again", planned.study.id) as (_connection, entry):
        row = {
            "study_id": planned.study.id,
            "unit_id": unit.id,
            "status": "ok",
            "label": "NO",
            "cited": "[]",
            "anchor_round": 0,
            "origin": "import",
            "file": "tests",
        }
        entry.write(
            schema.judgement, {**row, "judge_id": planned.judges[0], "criterion": "warm", "replicate": 1}
        )
        entry.write(
            schema.judgement, {**row, "judge_id": planned.judges[1], "criterion": "safe", "replicate": 0}
        )
    planned.desk(0).rate(2)
    assert queue(planned, judges=True) == [(2, "safe")]


def test_studies_do_not_mix(planned: Small, make_study: Callable[..., Small]) -> None:
    other = make_study(key="other")
    disputed(other)
    assert queue(planned) == [] and queue(other) == [(2, "warm")]


@pytest.mark.parametrize("judges", [False, True])
def test_what_was_settled_comes_back_with_new_blind_labels_and_says_so(planned: Small, judges: bool) -> None:
    colleague = Colleague.of(planned, 3)
    planned.desk(0).rate(2, "NO")
    if not judges:
        planned.desk(1).rate(2)
    colleague.open()
    colleague.settle(trigger="human_judge" if judges else "human_human")
    assert (2, "warm") not in queue(planned, judges)
    planned.desk(2).rate(2, "NO")
    with planned.store.reading() as connection:
        ask = disagreements.with_judges if judges else disagreements.between_people
        reopened_by_criterion = {
            disagreement.criterion: disagreement.reopened
            for disagreement in ask(connection, planned.study).items
        }
    assert reopened_by_criterion == {"warm": True, "safe": False, "deep": False}


LABELS: dict[str, tuple[str | None, ...]] = {
    "kind": ("0", "1", "4", "NA", None),
    "clear": ("YES", "NO", "NA", None),
}
_ROW = some.sampled_from(sorted(LABELS)).flatmap(
    lambda criterion: some.tuples(
        some.integers(0, 3),
        some.integers(1, 2),
        some.just(criterion),
        some.sampled_from(LABELS[criterion]),
        some.sampled_from(["blind", "blind", "revealed"]),
        some.sampled_from(["given", "given", "rule"]),
    )
)


class Enough(Exception):
    """Ends a transaction that nothing is to be kept of."""


@settings(max_examples=150)
@given(given_labels=some.lists(_ROW, max_size=14))
def test_the_queue_is_what_a_person_with_a_pencil_would_find(
    mixed: Small, given_labels: list[tuple[Any, ...]]
) -> None:
    small = mixed  # every example is a transaction that is rolled back
    last: dict[tuple[int, str], dict[int, str | None]] = {}
    for rater, position, criterion, label, exposure, source in given_labels:
        if exposure == "blind" and source != "rule":
            last.setdefault((position, criterion), {})[rater] = label
    values = {"0": 0.0, "1": 0.25, "4": 1.0}
    wanted = []
    for (position, criterion), by_rater in last.items():
        labels = [label for label in by_rater.values() if label is not None]
        if len(set(labels)) > 1:
            ordered = [values[label] for label in labels if label in values]
            apart = (
                max(ordered) - min(ordered) if criterion == "kind" and len(ordered) == len(labels) else 1.0
            )
            wanted.append((-apart, position, ["kind", "clear"].index(criterion), criterion, len(labels)))
    with pytest.raises(Enough), small.store.writing("tests", "labels", small.study.id) as (connection, entry):
        entry.write_many(
            schema.rating,
            [
                {
                    "event": f"e{number}",
                    "study_id": small.study.id,
                    "rater_id": small.raters[rater],
                    "unit_id": small.desk().unit(position).id,
                    "criterion": criterion,
                    "label": label,
                    "cannot_rate": None if label else "other",
                    "source": source,
                    "exposure": exposure,
                    "reveals_before": 0,
                    "also": "[]",
                    "evidence": "[]",
                }
                for number, (rater, position, criterion, label, exposure, source) in enumerate(given_labels)
            ],
        )
        queue = disagreements.between_people(connection, small.study)
        differ = {
            position: disagreements.differ(connection, small.study, small.desk().unit(position))
            for position in (1, 2)
        }
        assert [
            (disagreement.position, disagreement.criterion, -disagreement.distance, disagreement.raters)
            for disagreement in queue.items
        ] == [(p, c, d, n) for d, p, _, c, n in sorted(wanted)]
        assert {(position, criterion) for position, by in differ.items() for criterion in by} == {
            (p, c) for _, p, _, c, _ in wanted
        }
        raise Enough


def test_a_whole_study_is_read_by_a_fixed_number_of_statements(planned: Small) -> None:
    counts = []
    for position in (1, 2, 3, 4):
        disputed(planned, position)
        statements: list[str] = []
        with planned.store.reading() as connection:
            event.listen(connection, "before_cursor_execute", lambda *a, texts=statements: texts.append(a[2]))
            disagreements.between_people(connection, planned.study)
            disagreements.with_judges(connection, planned.study)
        counts.append(len(statements))
    assert set(counts) == {counts[0]} and counts[0] <= 23
