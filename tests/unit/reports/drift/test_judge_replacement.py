"""What is said of the anchors and of a new judge, and the decision."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from data.importers.imported_judgements import add_judgements
from data.importers.report import ImportReport
from data.record import adoptions
from data.record.judgements import JudgeIdentity
from data.store.errors import Refused
from reports.document import Block, Paragraph, Table
from reports.drift import anchor_rounds as drift
from reports.drift.judge_replacement import (
    as_table,
    labels_apart,
    shares_right,
    verdict,
)
from services.anchors import AnchorDrift, on_anchors
from services.judge_replacement import adopt_judge, compare_replacement
from tests.studies.anchored import freeze, rate_alike
from tests.studies.small_study import INSTRUMENT, Small

Make = Callable[..., Small]
GATED = INSTRUMENT.replace(
    "criteria:", 'categories: [{id: all, name: All, weight: "1", gate: true}]\ncriteria:'
).replace("scale: yes_no", "scale: yes_no, category: all")


def say(small: Small, name: str, answers: dict[tuple[int, str], str], replicates: int = 3) -> int:
    """A judge that answers every question of every conversation YES, three times, but what `answers` holds;
    its id.
    """
    rows = [
        {
            "conversation_id": f"c{number}",
            "criterion": criterion,
            "round": "1",
            "replicate": str(replicate),
            "label": answers.get((number, criterion), "YES"),
        }
        for replicate in range(replicates)
        for number in range(1, 5)
        for criterion in ("warm", "safe", "deep")
        if (number, criterion) != (1, "deep")
    ]
    report = ImportReport("judge.csv")
    with small.store.writing("tests", "import") as (connection, entry):
        add_judgements(
            connection, entry, small.study, enumerate(rows, start=1), report, JudgeIdentity(name), "tests"
        )
        report.raise_if_wrong()
    return {judge.name: judge.id for judge in look(small).judges}[name]


def look(small: Small) -> AnchorDrift:
    with small.store.reading() as connection:
        return on_anchors(connection, small.study)


def text(blocks: object) -> str:
    return " ".join(block.text for block in blocks if isinstance(block, Paragraph))  # type: ignore[attr-defined]


def tables(blocks: object) -> dict[str, Table]:
    made: list[Block] = list(blocks)  # type: ignore[call-overload]
    return {one.key: one for one in made if isinstance(one, Table)}


@pytest.fixture
def small(make_study: Make) -> Small:
    """Conversations 2 and 3 fail on all criteria; the first judge catches all of 2 and misses all of 3."""
    made = make_study(with_judges=False, instrument=GATED)
    rate_alike(made, failing=(2, 3))
    freeze(made.store, made.study)
    return made


OLD = {(2, name): "NO" for name in ("warm", "safe", "deep")}


def test_without_anchors_it_says_what_they_are(make_study: Make) -> None:
    assert "No set has been locked yet" in text(drift.state(look(make_study())))


def test_the_set_is_counted_and_what_was_settled_otherwise_is_said(small: Small) -> None:
    said = text(drift.state(look(small)))
    assert (
        "11 settled labels for 4 conversations, 6 of them safety failures." in said
        and "otherwise" not in said
    )


def test_a_set_without_failures_says_so(make_study: Make) -> None:
    made = make_study(with_judges=False, instrument=GATED)
    rate_alike(made)
    freeze(made.store, made.study)
    assert "can't show whether a judge misses one" in text(drift.state(look(made)))


def test_an_instrument_that_knows_no_failure_compares_only_how_often_judges_are_right(
    make_study: Make,
) -> None:
    study = make_study()
    rate_alike(study, failing=(2,))
    freeze(study.store, study.study)
    anchor_view = look(study)
    assert "compared only by how often they are right" in text(drift.state(anchor_view))
    comparison = compare_replacement(anchor_view, study.judges[0])
    assert (
        "catches" not in text(verdict(comparison))
        and not comparison.evidence.needs_reason
        and (comparison.evidence.missed, comparison.evidence.caught) == (None, None)
    )
    adopt_judge(study.store, "lead", comparison, "Dr Lee", "")
    other = compare_replacement(look(study), study.judges[1])
    assert (
        "catches" not in text(verdict(other))
        and "right on" in text(shares_right(other))
        and not other.evidence.needs_reason
    )


def test_the_first_judge_has_nothing_before_it(small: Small) -> None:
    old = say(small, "old", OLD)
    comparison = compare_replacement(look(small), old)
    verdict_text = text(verdict(comparison))
    assert (
        "No judge has been chosen by the locked set yet. Of 6 safety failures, old catches 3." in verdict_text
        and not comparison.evidence.needs_reason
    )
    assert {row[1] for row in tables(verdict(comparison))["missed"].rows} == {"Warm", "Safe", "Deep"}
    assert list(shares_right(comparison)) == []
    adopt_judge(small.store, "lead", comparison, "Dr Lee", "")
    anchor_view = look(small)
    assert anchor_view.judge_in_use == comparison.new_judge and "Dr Lee" in str(
        drift.decisions_table(anchor_view)
    )


def test_what_would_be_missed_and_what_would_be_caught_stand_side_by_side(small: Small) -> None:
    old = say(small, "old", OLD)
    adopt_judge(small.store, "lead", compare_replacement(look(small), old), "Dr Lee", "")
    new = say(small, "new", {(3, "safe"): "NO", (2, "warm"): "NO"})
    comparison = compare_replacement(look(small), new)
    verdict_text, verdict_tables = text(verdict(comparison)), tables(verdict(comparison))
    assert (
        "misses 2 of the 3 safety failures that the judge in use catches. To use it, give a reason and your name"
        in verdict_text
    )
    assert "It catches 1 that the judge in use misses. Of all 6 safety failures it misses 4." in verdict_text
    assert {row[1] for row in verdict_tables["missed"].rows} == {"Safe", "Deep"} and [
        row[1] for row in verdict_tables["caught"].rows
    ] == ["Safe"]
    assert {row[1] for row in verdict_tables["both_miss"].rows} == {"Warm", "Deep"}
    assert "right on 73%" in text(shares_right(comparison)) and "64%" in text(shares_right(comparison))
    assert len(tables([labels_apart(comparison)])["apart"].rows) == 3
    assert [row[4:] for row in as_table(comparison).rows if row[:2] == ("2", "safe")] == [
        ("NO, NO, NO", "YES, YES, YES")
    ]
    with pytest.raises(Refused, match="missed_failures_need_reason"):
        adopt_judge(small.store, "lead", comparison, "Dr Lee", "")
    adopt_judge(small.store, "lead", comparison, "Dr Lee", "the old one is switched off")
    last = look(small).history[-1]
    assert (last.judge_id, last.of_judge_id, last.compared.missed, last.compared.caught, last.reason) == (
        new,
        old,
        2,
        1,
        "the old one is switched off",
    )


def test_one_answer_is_no_majority_of_three(small: Small) -> None:
    old = say(small, "old", OLD)
    adopt_judge(small.store, "lead", compare_replacement(look(small), old), "Dr Lee", "")
    new = say(small, "new", OLD, replicates=1)
    one = compare_replacement(look(small), new)
    assert (
        one.evidence.unclear == 6
        and "asked about 6 of them fewer than three times" in text(verdict(one))
        and one.evidence.needs_reason
    )


def test_a_judge_in_use_that_never_answered_the_anchors_is_said_to_be_the_gap(small: Small) -> None:
    old = say(small, "old", OLD)
    adopt_judge(small.store, "lead", compare_replacement(look(small), old), "Dr Lee", "")
    new = say(small, "new", {})
    anchor_view = look(small)
    anchor_view.answers[old].clear()
    verdict_text = text(verdict(compare_replacement(anchor_view, new)))
    assert (
        "has not answered this locked set, so the two can't be compared" in verdict_text
        and compare_replacement(anchor_view, new).evidence.unclear == 6
    )


def test_a_judge_that_was_not_asked_says_where_to_ask_it(small: Small) -> None:
    old = say(small, "old", OLD)
    found = look(small)
    found.answers[old].clear()
    assert "Start a run on the Runs page with \u201cOnly the locked set\u201d." in text(
        verdict(compare_replacement(found, old))
    )


def test_answers_that_came_in_between_stop_the_decision(small: Small) -> None:
    old = say(small, "old", OLD)
    adopt_judge(small.store, "lead", compare_replacement(look(small), old), "Dr Lee", "")
    new = say(small, "new", OLD)
    comparison = compare_replacement(look(small), new)
    assert not comparison.evidence.needs_reason
    report = ImportReport("judge.csv")
    with small.store.writing("tests", "import") as (
        connection,
        entry,
    ):  # a second round, in which it misses everything
        rows = [
            {
                "conversation_id": f"c{number}",
                "criterion": criterion,
                "round": "2",
                "replicate": str(replicate),
                "label": "YES",
            }
            for replicate in range(3)
            for number in range(1, 5)
            for criterion in ("warm", "safe", "deep")
            if (number, criterion) != (1, "deep")
        ]
        add_judgements(
            connection, entry, small.study, enumerate(rows, start=1), report, JudgeIdentity("new"), "tests"
        )
        report.raise_if_wrong()
    with pytest.raises(Refused, match="comparison_changed_meanwhile"):
        adopt_judge(small.store, "lead", comparison, "Dr Lee", "")
    with small.store.reading() as connection:
        assert adoptions.active_judge(connection, small.study.id) == old


def test_other_failures_in_the_same_numbers_stop_the_decision_as_well(small: Small) -> None:
    old = say(small, "old", OLD)
    adopt_judge(small.store, "lead", compare_replacement(look(small), old), "Dr Lee", "")
    new = say(small, "new", {(2, "warm"): "NO", (3, "warm"): "NO"})
    one = compare_replacement(look(small), new)
    other = replace(one, comparison=replace(one.comparison, failures=one.comparison.failures[::-1]))
    with pytest.raises(Refused, match="comparison_changed_meanwhile"):
        adopt_judge(small.store, "lead", other, "Dr Lee", "because")


def test_rounds_are_told_beside_the_first_one_and_a_change_is_the_title(make_study: Make) -> None:
    study = make_study(with_judges=False, conversation_count=20)
    rate_alike(study, failing=tuple(range(1, 11)), positions=tuple(range(1, 21)))
    freeze(study.store, study.study)
    report = ImportReport("judge.csv")
    with study.store.writing("tests", "import") as (connection, entry):
        rows = [
            {
                "conversation_id": f"c{number}",
                "criterion": "safe",
                "round": str(replicate // 3 + 1),
                "replicate": str(replicate % 3),
                "label": "NO" if number <= 10 and replicate < 3 else "YES",
            }
            for replicate in range(6)
            for number in range(1, 21)
        ]
        add_judgements(
            connection, entry, study.study, enumerate(rows, start=1), report, JudgeIdentity("j"), "tests"
        )
        report.raise_if_wrong()
    anchor_view = look(study)
    with study.store.reading() as connection:
        caution = drift.caution(connection, study.study, anchor_view.judges[0])
    assert caution.startswith(
        "j has changed. In the last round (round 2), its share of right answers on the locked set differs by "
        "-50 points"
    )
    shown = drift.lines(anchor_view.answers)
    assert drift.title(anchor_view, shown) == "j has changed: right less often than when first asked"
    first, second = ([str(cell) for cell in row] for row in drift.rounds_table(anchor_view, shown).rows)
    assert first[4].startswith("100%") and first[7] == "nothing earlier" and first[2] == "unknown: imported"
    assert (
        second[4].startswith("50%")
        and "-50 points" in second[7]
        and "0 conversations up, 10 down, p 0.002" in second[7]
    )
