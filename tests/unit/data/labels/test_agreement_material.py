"""What a report is computed from: the arrays say what data/labels/agreement_labels.py says row by row."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sqlalchemy import Connection, insert, select

from data import schema
from data.importers import conversations
from data.importers.imported_judgements import add_judgements
from data.importers.imported_ratings import RatingProvenance, add_ratings
from data.importers.report import ImportReport
from data.keeping.erase import erase_conversation
from data.labels import agreement_labels
from data.labels.agreement_material import read
from data.record import judgements, studies
from data.record.judgements import JudgeIdentity
from data.record.studies import Study, StudySpec
from data.store.store import Store
from data.work.practice import practice_units
from runs.sample_studies import ORDER
from scoring.agreement.labels.label_data import ARMS, Arm, LabelData
from scoring.agreement.rates.decisions import _by_judge
from tests.studies import settling
from tests.studies.small_study import Small
from tests.unit.data.bench import GATED, Bench, turns

Make = Callable[..., Small]
Said = set[tuple[str, int, int, str]]


def material(small: Small, judge: int | None = None, **more: str) -> LabelData:
    with small.store.reading() as connection:
        return read(connection, small.study, judge, **more)


def given(label_data: LabelData, arm: Arm = "blind") -> Said:
    """(criterion, unit, rater, label)."""
    of = label_data.given.where(label_data.given.arm == ARMS.index(arm))
    rows = [
        (label_data.questions[q].id, u, r, label_data.questions[q].domain[c])
        for q, u, r, c in zip(
            of.question.tolist(), of.unit.tolist(), of.rater.tolist(), of.code.tolist(), strict=True
        )
    ]
    assert len(rows) == len(set(rows)), "a label counts once"
    return set(rows)


def judged(found: LabelData) -> set[tuple[str, int, str]]:
    of = found.judge
    rows = [
        (found.questions[q].id, u, found.questions[q].domain[c])
        for q, u, c in zip(of.question.tolist(), of.unit.tolist(), of.code.tolist(), strict=True)
    ]
    assert len(rows) == len(set(rows))
    return set(rows)


def same_as_row_by_row(connection: Connection, study: Study) -> int:
    """How many labels both found the same."""
    practice, count = practice_units(connection, study.id), 0
    for judge in [None, *(judge.id for judge in judgements.judges(connection, study.id))]:
        label_data = read(connection, study, judge)
        for arm in ARMS:
            rows = {
                (x.criterion, x.unit_id, x.who, x.label)
                for x in agreement_labels.human_labels(connection, study.id, arm)
                if x.label is not None
            }
            assert given(label_data, arm) == rows
            count += len(rows)
        if judge is not None:
            verdicts = [
                x
                for x in agreement_labels.judge_labels(connection, study.id, judge)
                if x.position > 0 and x.unit_id not in practice
            ]
            assert judged(label_data) == {(x.criterion, x.unit_id, x.label) for x in verdicts}
            count += len(verdicts)
            assert not {(question, unit) for question, unit, _ in label_data.judge.failed} & set(
                zip(label_data.judge.question.tolist(), label_data.judge.unit.tolist(), strict=True)
            )
            assert set(unit for _, unit, _ in label_data.judge.failed) <= set(label_data.units.id.tolist())
    return count


def checked(small: Small) -> int:
    with small.store.reading() as connection:
        return same_as_row_by_row(connection, small.study)


def say(small: Small, name: str, *rows: dict[str, Any]) -> int:
    """A judge says something; returns its id."""
    with small.store.writing("tests", "judge", small.study.id) as (connection, entry):
        add_judgements(
            connection,
            entry,
            small.study,
            enumerate(rows, start=1),
            ImportReport("x"),
            JudgeIdentity(name),
            "tests",
        )
        return next(judge.id for judge in judgements.judges(connection, small.study.id) if judge.name == name)


def imported(small: Small, exposure: str, *rows: tuple[str, str, str, str], at: str = "") -> None:
    """Rows of (conversation, rater, criterion, label)."""
    with small.store.writing("tests", "ratings", small.study.id) as (connection, entry):
        report = ImportReport("x")
        add_ratings(
            connection,
            entry,
            small.study,
            (
                (n, {"conversation_id": talk, "rater": who, "criterion": criterion, "label": label, "at": at})
                for n, (talk, who, criterion, label) in enumerate(rows, start=1)
            ),
            report,
            RatingProvenance(exposure, "tests"),
        )
        report.raise_if_wrong()


@pytest.mark.parametrize("key", ORDER)
def test_of_every_sample_study_the_arrays_say_what_the_rows_say(sample_store: Store, key: str) -> None:
    with sample_store.reading() as connection:
        study = studies.find(connection, key)
        assert study is not None
        assert same_as_row_by_row(connection, study) > 0 or key == "coaching_example"


def test_of_a_changed_blind_label_the_last_counts_once(small: Small) -> None:
    desk = small.desk()
    desk.rate(2)
    desk.change(2, "warm", "NO")
    desk.change(2, "warm", "NA")
    assert [one[3] for one in given(material(small)) if one[0] == "warm"] == ["NA"]
    assert checked(small) > 0


def test_cannot_rate_after_a_label_takes_the_label_away(small: Small) -> None:
    desk = small.desk()
    desk.rate(2)
    desk.change(2, "warm", None, cannot_rate="other")
    found = material(small)
    assert {one[0] for one in given(found)} == {"safe", "deep"}
    assert found.unrated == 1
    checked(small)


def test_a_label_after_cannot_rate_counts_and_nothing_is_unrated_any_more(small: Small) -> None:
    desk = small.desk()
    desk.draft_all(2)
    desk.draft(2, "warm", None, cannot_rate="other")
    desk.commit(2)
    assert material(small).unrated == 1
    desk.change(2, "warm", "NO")
    assert ("warm", "NO") in {(one[0], one[3]) for one in given(material(small))}
    assert material(small).unrated == 0


def test_labels_before_and_after_a_reveal_stand_in_their_own_arms(small: Small) -> None:
    desk = small.desk()
    desk.rate(2)
    desk.reveal(2)
    desk.change(2, "warm", "NO")
    desk.rate(3)
    label_data = material(small, small.judges[0])
    assert [row[3] for row in given(label_data) if row[0] == "warm" and row[1] == desk.unit(2).id] == ["YES"]
    assert [row[0::3] for row in given(label_data, "shown")] == [("warm", "NO")]
    before = dict(zip(label_data.given.unit.tolist(), label_data.given.reveals_before.tolist(), strict=True))
    assert before[desk.unit(3).id] == 1
    checked(small)


def test_practice_gold_calibration_and_repeats_are_in_nothing(make_study: Make) -> None:
    small = make_study(conversation_count=7)
    desk, bench = small.desk(), Bench(small.store, small.study, {})
    settling.plan(small.store, small.study)
    for position in range(1, 8):
        desk.rate(position)
    bench.gold(2)
    bench.calibrate(3)
    settling.repeat(small, 5)
    desk.rate(-5, "NO")
    judge = say(
        small,
        "Judge C",
        *({"conversation_id": f"c{n}", "criterion": "warm", "status": "failed"} for n in (2, 3)),
        {"conversation_id": "c6", "criterion": "warm", "status": "blocked_prompt"},
        {"conversation_id": "c7", "criterion": "warm", "label": "NO"},
    )
    label_data = material(small, judge)
    assert {row[1] for row in given(label_data)} == {bench.unit_id(position) for position in (1, 4, 5, 6, 7)}
    assert {row[2] for row in given(label_data)} == {desk.rater}
    assert {row[3] for row in given(label_data)} == {"YES"}
    assert label_data.judge.failed == ((0, bench.unit_id(6), "blocked_prompt"),), (
        "a call that failed on a unit of practice is no failure of what counts"
    )
    checked(small)


def test_a_judge_that_failed_on_the_last_unit_which_is_practice_breaks_nothing(small: Small) -> None:
    Bench(small.store, small.study, {}).gold(4)
    judge = say(small, "Judge C", {"conversation_id": "c4", "criterion": "warm", "status": "failed"})
    found = material(small, judge)
    assert found.judge.failed == ()
    assert len(_by_judge(found)[0]) == 0


def test_what_a_rule_filled_in_and_open_review_are_not_blind(make_study: Make) -> None:
    small = make_study(review="open")
    small.desk().rate(1)
    small.desk().rate(2)
    assert given(material(small)) == set()
    assert {one[0] for one in given(material(small), "shown") if one[1] == small.desk().unit(1).id} == {
        "warm",
        "safe",
    }
    checked(small)


@pytest.mark.parametrize(
    ("exposure", "arm"), [("blind", "blind"), ("judge_visible", "shown"), ("unknown", "unknown")]
)
def test_imported_ratings_stand_where_their_importer_said(small: Small, exposure: str, arm: Arm) -> None:
    imported(
        small, exposure, ("c1", "Eve", "deep", "NA"), ("c1", "Eve", "warm", "NO"), ("c2", "Eve", "deep", "NA")
    )
    found = material(small)
    assert {one[0::3] for one in given(found, arm)} == {("warm", "NO"), ("deep", "NA")}
    assert len(given(found, arm)) == 2 == len(found.given.code), "what a rule says anyway is nobody's"
    assert list(found.people.values())[-1] == "Eve"
    checked(small)


def test_a_failure_that_was_asked_again_is_the_last_answer_and_replicates_are_none(small: Small) -> None:
    judge = say(
        small,
        "Judge C",
        {"conversation_id": "c2", "criterion": "warm", "status": "failed"},
        {"conversation_id": "c2", "criterion": "warm", "label": "NO", "replicate": 1},
        {"conversation_id": "c3", "criterion": "warm", "label": "NO"},
        {"conversation_id": "c3", "criterion": "warm", "label": "YES", "replicate": 1},
    )
    two, three = small.desk().unit(2).id, small.desk().unit(3).id
    label_data = material(small, judge)
    assert judged(label_data) == {("warm", three, "NO")} and label_data.judge.failed == ((0, two, "failed"),)
    with small.store.writing("worker", "judge", small.study.id) as (_, entry):
        entry.write(
            schema.judgement,
            {
                "study_id": small.study.id,
                "unit_id": two,
                "judge_id": judge,
                "criterion": "warm",
                "status": "ok",
                "label": "YES",
                "cited": "[]",
                "anchor_round": 0,
                "replicate": 0,
                "origin": "import",
                "file": "tests",
            },
        )
    label_data = material(small, judge)
    assert (
        judged(label_data) == {("warm", three, "NO"), ("warm", two, "YES")} and label_data.judge.failed == ()
    )
    checked(small)


def test_two_judges_are_never_pooled(small: Small) -> None:
    say(small, "Judge C", {"conversation_id": "c2", "criterion": "warm", "label": "NO"})
    first, second = material(small, small.judges[0]), material(small, small.judges[1])
    assert len(judged(first)) == 12 and len(first.judge.failed) == 0
    assert len(judged(second)) == 11 and len(second.judge.failed) == 1
    assert {one[2] for one in judged(first)} == {"YES"}
    assert len(material(small, None).judge.code) == 0


def test_labels_of_an_erased_conversation_stay(small: Small) -> None:
    small.desk().rate(2)
    before = material(small, small.judges[0])
    with small.store.writing("lead", "erase", small.study.id) as (connection, entry):
        assert erase_conversation(connection, entry, small.study, "c2", "consent withdrawn")
    after = material(small, small.judges[0])
    assert given(after) == given(before) != set() and judged(after) == judged(before)
    checked(small)


FACTS = [
    {"person": "P", "condition": "b"},
    {"persona": "Q", "condition": "a"},
    {"person": "P"},
    {"condition": "b"},
    {"person": "", "persona": "Q"},
    {"condition": ""},
]


def gated(bench_store: Store, facts: list[dict[str, Any]]) -> Bench:
    with bench_store.writing("tests", "make a study") as (connection, entry):
        number = studies.register_instrument(connection, entry, GATED)
        study = studies.get(
            connection, studies.create(connection, entry, StudySpec("gated", "A study", number))
        )
    bench = Bench(bench_store, study, {})
    bench.arrive(facts)
    return bench


def of(bench: Bench, judge: int | None = None) -> LabelData:
    with bench.store.reading() as connection:
        return read(connection, bench.study, judge)


def test_conversations_of_one_person_are_one_part_and_conditions_are_named(store: Store) -> None:
    units = of(gated(store, FACTS)).units
    talk = units.conversation.tolist()
    assert units.part.tolist() == [talk[0], talk[1], talk[0], talk[3], talk[1], talk[5]]
    assert units.conditions == ("a", "b")
    assert units.condition.tolist() == [1, 0, -1, 1, -1, -1]


def test_conversations_with_the_same_text_are_one_part_and_are_counted(store: Store, tmp_path: Path) -> None:
    bench = gated(store, [{}] * 3)
    lines = [{"id": f"again{number}", "turns": turns(number)} for number in (1, 1, 9)]
    lines[1]["id"] = "and again"
    path = tmp_path / "more.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    with store.writing("lead", "import", bench.study.id) as (connection, entry):
        conversations.add(connection, entry, bench.study, path, ImportReport("more.jsonl"))
    table = of(bench).units
    first = table.conversation.tolist()[0]
    assert [part == first for part in table.part.tolist()] == [True, False, False, True, True, False]
    assert table.duplicates == 2 and table.persons


def test_a_condition_takes_labels_verdicts_failures_and_settled_labels_along(store: Store) -> None:
    bench = gated(store, FACTS)
    small = Small(bench.store, bench.study, (), ())
    imported(small, "blind", *((f"c{n}", "Eve", "warm", "YES") for n in range(1, 7)))
    judge = bench.judge(
        "Judge A",
        [
            {
                "conversation_id": f"c{n}",
                "criterion": "warm",
                **({"status": "failed"} if n in (1, 2) else {"label": "NO"}),
            }
            for n in range(1, 7)
        ],
    )
    label_data = of(bench, judge)
    only = label_data.narrow_to(condition=1)
    assert sorted(only.given.unit.tolist()) == [bench.unit_id(1), bench.unit_id(4)]
    assert only.judge.unit.tolist() == [bench.unit_id(4)] and only.judge.failed == (
        (0, bench.unit_id(1), "failed"),
    )
    assert label_data.narrow_to(condition=0).judge.failed == ((0, bench.unit_id(2), "failed"),)


def rated_everywhere(bench: Bench, count: int) -> None:
    imported(
        Small(bench.store, bench.study, (), ()),
        "blind",
        *((f"c{n}", "Eve", "warm", "YES") for n in range(1, count + 1)),
    )


def test_units_drawn_with_different_chances_weigh_one_over_the_chance(store: Store) -> None:
    bench = gated(store, [{"site": "north" if n < 8 else "south"} for n in range(10)])
    rated_everywhere(bench, 10)
    bench.draw(method="strata", size=4, keys=[{"kind": "fact", "name": "site"}], allocation="equal", seed=1)
    label_data, chances = of(bench), bench.chances()
    weight = dict(
        zip(
            label_data.units.position.tolist(),
            (label_data.units.weight if label_data.units.weight is not None else np.zeros(0)).tolist(),
            strict=True,
        )
    )
    assert label_data.units.weighted and {
        position for position, value in weight.items() if not np.isnan(value)
    } == set(chances)
    raw = {position: 1 / (inclusion.chance or 0) for position, inclusion in chances.items()}
    assert sorted(raw.values()) == [1, 1, 4, 4]
    mean = sum(raw.values()) / len(raw)
    assert {position: weight[position] for position in raw} == pytest.approx(
        {position: value / mean for position, value in raw.items()}
    )
    labels_ = label_data.human_labels(0)
    assert labels_.weight is not None and len(labels_) == 4, "what was not drawn is left out"


def test_of_a_simple_random_sample_every_unit_counts_alike_and_the_rest_is_left_out(store: Store) -> None:
    bench = gated(store, [{} for _ in range(10)])
    rated_everywhere(bench, 10)
    bench.draw(method="random", size=4, seed=1)
    found = of(bench)
    assert found.units.drawn and not found.units.weighted
    assert found.human_labels(0).weight is None
    assert {
        int(found.units.position[found.units.at(np.array([unit]))[0]]) for unit in found.human_labels(0).unit
    } == set(bench.chances())


def test_what_a_person_chose_is_left_out_of_the_headline_beside_a_draw(store: Store) -> None:
    bench = gated(store, [{} for _ in range(6)])
    rated_everywhere(bench, 6)
    bench.draw(method="chosen", positions="1, 2")
    alone = of(bench)
    assert not alone.units.drawn and len(alone.human_labels(0)) == 6 and alone.human_labels(0).weight is None
    bench.draw(method="all")
    label_data = of(bench)
    assert (
        label_data.units.drawn and not label_data.units.weighted and label_data.human_labels(0).weight is None
    )
    assert set(label_data.human_labels(0).unit.tolist()) == {
        bench.unit_id(position) for position in (3, 4, 5, 6)
    }
    assert len(label_data.given.code) == 6, "it is in the tables that count everything"


def test_from_one_moment_and_before_another(small: Small) -> None:
    imported(small, "blind", ("c2", "Eve", "warm", "NO"), at="2026-01-01T00:00:00+00:00")
    imported(small, "blind", ("c3", "Eve", "warm", "NO"), at="2026-01-03T00:00:00+00:00")
    with small.store.reading() as connection:
        moments = sorted(connection.execute(select(schema.rating.c.at)).scalars())
    assert len(moments) == 2
    first, second = moments
    if first == second:
        pytest.fail("the moments must differ")
    for since, until, count in (
        ("", "", 2),
        (first, "", 2),
        (second, "", 1),
        ("", second, 1),
        ("", first, 0),
        (first, second, 1),
        ("9999", "", 0),
    ):
        assert len(given(material(small, since=since, until=until))) == count


def test_a_label_that_the_scale_does_not_have_is_no_label(small: Small) -> None:
    desk = small.desk()
    desk.rate(2)
    with small.store.writing("tests", "by hand", small.study.id) as (connection, _):
        row = dict(connection.execute(select(schema.rating).limit(1)).mappings().one())
        del row["id"]
        connection.execute(
            insert(schema.rating).values({**row, "event": "odd", "criterion": "nothing of the kind"})
        )
    assert {one[0] for one in given(material(small))} == {"warm", "safe", "deep"}
