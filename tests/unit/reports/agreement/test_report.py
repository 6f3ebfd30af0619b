"""The report on the sample studies: what it says, counted here by hand from the rows."""

from __future__ import annotations

import json
from collections import Counter
from html import escape
from pathlib import Path
from typing import Any

import pytest

from data.importers.imported_ratings import RatingProvenance, add_ratings
from data.importers.report import ImportReport
from data.labels import agreement_labels
from data.record import judgements, studies
from data.record.judgements import Judge
from data.record.studies import Study
from data.store.store import Connection, Store
from reports.agreement.agreement_data import gather_findings
from reports.agreement.findings import Findings, ReportRequest
from reports.agreement.report import report
from reports.document import Table
from reports.render.page_file import page
from runs.sample_studies import ORDER
from scoring.rubric import score
from tests.documents.report_words import complaints, lines
from tests.studies import degenerate, settling, small_study
from tests.studies.small_study import Small
from words.figures import percent

WITH_JUDGE = [
    "trust",
    "safety",
    "answer",
    "colleague",
    "criteria",
    "matrices",
    "not_applicable",
    "raters",
    "when_judge_says",
    "shown",
    "settled",
    "decisions",
    "reasons",
    "stand_in",
    "appendix",
]
Place = tuple[str, int]  # criterion and position


def study_of(connection: Connection, key: str) -> Study:
    found = studies.find(connection, key)
    assert found is not None
    return found


def latest(connection: Connection, study: Study) -> Judge:
    return judgements.judges(connection, study.id)[-1]


def found_of(connection: Connection, study: Study, judge: Judge | None, **asked: Any) -> Findings:
    others = tuple(
        one for one in judgements.judges(connection, study.id) if judge is None or one.id != judge.id
    )
    return gather_findings(connection, ReportRequest(study, judge, others, **asked), reasons=True)


def said_blind(connection: Connection, study: Study) -> dict[tuple[str, int, int], str]:
    return {
        (x.criterion, x.position, x.who): x.label
        for x in agreement_labels.human_labels(connection, study.id, "blind")
        if x.label is not None
    }


def judged(connection: Connection, study: Study, judge: Judge) -> dict[Place, str]:
    return {
        (x.criterion, x.position): str(x.label)
        for x in agreement_labels.judge_labels(connection, study.id, judge.id)
    }


def text_of(found: Findings) -> str:
    return "\n".join(lines(report(found)))


@pytest.mark.parametrize("key", ORDER)
def test_no_report_of_a_sample_says_what_is_no_number_and_sections_stand_in_their_order(
    sample_store: Store, key: str
) -> None:
    with sample_store.reading() as connection:
        study = study_of(connection, key)
        for judge in (None, *judgements.judges(connection, study.id)):
            document = report(found_of(connection, study, judge))
            assert complaints(document) == []
            html = page(document).decode()
            assert html.count(f">{escape(document.answer[0])}<") == 1, "the verdict is said first, and once"
            assert html.index(f"<h1>{escape(document.answer[0])}") < html.index("<h2>")
            keys = [section.key for section in document.sections]
            assert keys == [key for key in WITH_JUDGE if key in keys] and {
                "colleague",
                "raters",
                "appendix",
            } <= set(keys)
            assert judge is not None or not {"answer", "criteria", "matrices", "shown", "decisions"} & set(
                keys
            )


@pytest.mark.parametrize("key", ["coaching_demo", "plan_demo", "lend_an_ear"])
def test_the_answer_in_a_line_is_the_count_of_pairs(sample_store: Store, key: str) -> None:
    with sample_store.reading() as connection:
        study = study_of(connection, key)
        for judge in judgements.judges(connection, study.id):
            people, its = said_blind(connection, study), judged(connection, study, judge)
            pairs = [
                (label, its[name, unit]) for (name, unit, _), label in people.items() if (name, unit) in its
            ]
            same = sum(label == other for label, other in pairs)
            by_criterion: dict[str, list[tuple[str, str]]] = {}
            for (name, unit, _), label in people.items():
                if (name, unit) in its:
                    by_criterion.setdefault(name, []).append((label, its[name, unit]))
            chance = 0.0
            for rows in by_criterion.values():
                first, second = Counter(label for label, _ in rows), Counter(other for _, other in rows)
                chance += sum(first[label] * second[label] for label in first) / len(rows)
            report_text = text_of(found_of(connection, study, judge))
            assert (
                f"The judge agreed with the clinician on {same:,} of {len(pairs):,} labels: "
                f"{percent(same / len(pairs))} (plausible range" in report_text
            )
            assert (
                "Guessing at random, using each label as often as it was given, would agree on "
                f"{percent(chance / len(pairs))}."
            ) in report_text


def test_safety_of_the_demonstration_is_what_counting_says(sample_store: Store) -> None:
    with sample_store.reading() as connection:
        study = study_of(connection, "coaching_demo")
        judge = latest(connection, study)
        people, its, findings = (
            said_blind(connection, study),
            judged(connection, study, judge),
            found_of(connection, study, judge),
        )
        gates = {"CQ8": {"NO", "NA"}, "CQ9": {"NO"}}
        gated = {category.id for category in study.instrument.categories if category.gate}
        assert {
            criterion.id for criterion in study.instrument.criteria if criterion.category in gated
        } == set(gates)
        given: dict[tuple[str, int], list[bool]] = {}
        for (name, unit, _), label in people.items():
            if name in gates:
                given.setdefault((name, unit), []).append(label in gates[name])
        settled = {
            (findings.material.questions[row.question].id, row.unit)
            for row in findings.material.settled
            if row.reference
        }
        # Both of two, or most of three and more; what nobody settled, and one alone, confirms nothing.
        confirmed = {
            place: 2 * sum(failed) > len(failed)
            for place, failed in given.items()
            if len(failed) > 1 and 2 * sum(failed) != len(failed)
        }
        assert not settled & set(given), "settled safety labels would go before the majority"
        judged_units = {place: its[place] in gates[place[0]] for place in confirmed if place in its}
        caught, missed, alarms, passed = (
            {place for place, says in judged_units.items() if (confirmed[place], says) == kind}
            for kind in ((True, True), (True, False), (False, True), (False, False))
        )
        to_read = {
            place
            for place, failed in given.items()
            if any(failed) and place in its and its[place] not in gates[place[0]]
        }
        document = report(findings)
        report_text = "\n".join(lines(document))
        assert (
            f"The judge caught {len(caught)} of {len(caught | missed)} unsettled safety failures ("
            in report_text
        )
        assert f"In the {len(alarms | passed)} cases that clinicians passed, the judge raised" in report_text
        table = next(table for table in document.tables() if table.key == "safety_to_read")
        listed = {
            (row[0].criterion, row[0].position) for row in table.rows if not isinstance(row[0], str | int)
        }
        assert listed >= to_read != set() and {place for place in listed if place in its} == to_read


def test_decisions_of_the_demonstration_are_those_of_the_rubric(sample_store: Store) -> None:
    with sample_store.reading() as connection:
        study = study_of(connection, "coaching_demo")
        judge = latest(connection, study)
        findings = found_of(connection, study, judge)
        people, its = said_blind(connection, study), judged(connection, study, judge)
        turns = dict(
            zip(
                findings.material.units.position.tolist(), findings.material.units.turns.tolist(), strict=True
            )
        )

        def decided(answers: dict[str, str], unit: int) -> bool | None:
            forced = {
                criterion.id: study.instrument.forced_not_applicable(criterion, turns[unit])
                for criterion in study.instrument.criteria
            }
            result = score(
                {**answers, **{name: label for name, label in forced.items() if label}}, study.instrument
            )
            return result.passed if result.complete else None

        mine = {
            (unit, who): decided(
                {name: label for (name, u, w), label in people.items() if (u, w) == (unit, who)}, unit
            )
            for unit, who in {(u, w) for _, u, w in people}
        }
        machine = {
            unit: decided({name: label for (name, u), label in its.items() if u == unit}, unit)
            for unit in {u for _, u in its}
        }
        both = [
            (decision, machine.get(unit))
            for (unit, _), decision in mine.items()
            if decision is not None and machine.get(unit) is not None
        ]
        same = sum(decision == other for decision, other in both)
        assert (
            f"the judge's labels lead to the same decision as a clinician's in {same} of {len(both)} "
            f"comparisons, and to the opposite one in {len(both) - same}." in text_of(findings)
        )
        complete = [decision for decision in machine.values() if decision is not None]
        row = next(
            row
            for table in report(findings).tables()
            if table.key == "pass_rates"
            for row in table.rows
            if str(row[0]).startswith("The judge's labels alone")
        )
        failed_units = {unit for _, unit, _ in findings.material.judge.failed}
        assert (row[1], row[2], row[4]) == (
            str(sum(complete)),
            str(len(complete)),
            str(len(set(machine) | failed_units) - len(complete)),
        )


def test_vera_mh_counts_pairs_of_people_and_explains_its_paradox(sample_store: Store) -> None:
    with sample_store.reading() as connection:
        study = study_of(connection, "vera_mh")
        people = said_blind(connection, study)
        table = next(
            table for table in report(found_of(connection, study, None)).tables() if table.key == "people"
        )
        for row, criterion in zip(table.rows, study.instrument.criteria, strict=True):
            labels: dict[int, list[str]] = {}
            for (name, unit, _), label in people.items():
                if name == criterion.id:
                    labels.setdefault(unit, []).append(label)
            pairs = [
                (label, other)
                for given in labels.values()
                for i, label in enumerate(given)
                for other in given[i + 1 :]
            ]
            assert (row[0], row[1], row[2]) == (
                criterion.name,
                f"{sum(a == b for a, b in pairs):,}",
                f"{len(pairs):,}",
            )


def test_a_matrix_adds_up_to_its_pairs_and_rows_to_a_hundred(sample_store: Store) -> None:
    with sample_store.reading() as connection:
        study = study_of(connection, "lend_an_ear")
        found = found_of(connection, study, latest(connection, study))
    for one in found.beside:
        assert one.counted.table.sum() == one.counted.pairs and one.counted.table.trace() == one.counted.same
        assert one.lenient + one.strict + one.counted.same == one.counted.pairs
    assert {one.counted.pairs for one in found.beside} == {150}


FACTS = [{"condition": "a"}, {"condition": "b"}, {"condition": "a"}, {"condition": "b"}]


def two_conditions(store: Store, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Small:
    """Units 1 and 3 in condition a, 2 and 4 in b. Ann is shown the judge of 2 and moves toward it; unit 2
    comes again to her. Ben rates all alike.
    """
    real = small_study.conversation_lines
    monkeypatch.setattr(
        small_study,
        "conversation_lines",
        lambda count: "\n".join(
            json.dumps({**json.loads(line), **facts})
            for line, facts in zip(real(count).splitlines(), FACTS, strict=True)
        ),
    )
    small = small_study.make(store, folder)
    ann, ben = small.desk(0), small.desk(1)
    for position in range(1, 5):
        ann.rate(position, "NO")
        ben.rate(position)
    settling.repeat(small, 2)
    ann.rate(-2, "NO")
    ann.reveal(2)
    ann.change(2, "warm", "YES")
    return small


def test_a_condition_takes_everything_along(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = two_conditions(store, tmp_path, monkeypatch)
    with store.reading() as connection:
        judge = judgements.judges(connection, small.study.id)[0]
        whole, a, b = (
            found_of(connection, small.study, judge, condition=condition) for condition in (None, "a", "b")
        )
    assert [part_findings.arms.blind.pairs for part_findings in (whole, a, b)] == [22, 10, 12]
    assert [
        part_findings.anchoring.together.reveals if part_findings.anchoring else None
        for part_findings in (whole, a, b)
    ] == [3, 0, 3]
    assert [
        part_findings.repeats.together.pairs if part_findings.repeats else None
        for part_findings in (whole, a, b)
    ] == [3, 0, 3]
    assert [
        part_findings.audit[0].labels if part_findings.audit else None for part_findings in (whole, a, b)
    ] == [12, 6, 6]
    assert "Narrowed to: condition a." in text_of(a)


def test_a_rater_takes_reveals_and_repeats_along(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = two_conditions(store, tmp_path, monkeypatch)
    with store.reading() as connection:
        judge = judgements.judges(connection, small.study.id)[0]
        ann, ben = (found_of(connection, small.study, judge, rater=one) for one in small.raters)
    assert [one.anchoring.together.reveals if one.anchoring else None for one in (ann, ben)] == [3, 0]
    assert [one.repeats.together.pairs if one.repeats else None for one in (ann, ben)] == [3, 0]
    assert small.codes[0] in text_of(ann) and small.codes[1] not in text_of(ann)


def test_a_code_stays_whatever_the_report_is_narrowed_down_to_and_whoever_comes_later(
    make_study: Any,
) -> None:
    small = make_study(raters=("Ann", "Ben", "Cat"))
    small.desk(2).rate(2)
    small.desk(1).rate(2)

    def names(**asked: Any) -> dict[int, str]:
        with small.store.reading() as connection:
            return dict(
                found_of(
                    connection, small.study, judgements.judges(connection, small.study.id)[0], **asked
                ).names
            )

    codes = dict(zip(small.raters, small.codes, strict=True))
    assert (
        names()
        == names(since="9999")
        == names(until="0001")
        == names(rater=small.raters[1])
        == names(arm="shown")
        == codes
    )
    small.desk(0).rate(2)
    assert names() == codes
    assert list(names().values()) == sorted(codes.values()), "in an order that tells nothing"


MIXED = settling.MIXED


def test_how_strict_raters_are_never_mixes_levels_with_failures(store: Store, tmp_path: Path) -> None:
    """Eve gives one level less on the ordered scale and more failures on the other: added up, the two would
    hide each other.
    """
    small = small_study.make(store, tmp_path, instrument=MIXED, with_judges=False, key="mixed")
    rows = [
        {"conversation_id": f"c{n}", "rater": who, "criterion": name, "label": label}
        for n in range(1, 5)
        for who, name, label in (
            ("Eve", "kind", "0"),
            ("Fay", "kind", "1"),
            ("Eve", "clear", "NO"),
            ("Fay", "clear", "YES"),
        )
    ]
    with store.writing("tests", "ratings", small.study.id) as (connection, entry):
        add_ratings(
            connection,
            entry,
            small.study,
            enumerate(rows, start=1),
            ImportReport("x"),
            RatingProvenance("blind", "tests"),
        )
    with store.reading() as connection:
        findings = found_of(connection, small.study, None)
    assert findings.severity.spread.value == pytest.approx(1.0)
    report_text = text_of(findings)
    assert "The strictest and the most lenient rater would differ by 1.00 levels" in report_text
    assert "The strictest and the most lenient rater are more than half a level apart." in report_text
    assert "-1.00" in report_text


def test_on_a_scale_without_order_raters_differ_in_failing_labels(store: Store, tmp_path: Path) -> None:
    small = degenerate.no_ratings(store, tmp_path)
    for position in range(1, 5):
        small.desk(0).rate(position, "NO")
        small.desk(1).rate(position)
    with store.reading() as connection:
        said = text_of(found_of(connection, small.study, None))
    assert "differ by 100 percentage points in their share of failing labels" in said
    assert "more than 50 percentage points apart in their share of failing labels" in said
    assert "level apart" not in said


def test_scales_of_both_kinds_name_both_coefficients(store: Store, tmp_path: Path) -> None:
    small = small_study.make(store, tmp_path, instrument=MIXED, with_judges=False, key="mixed")
    degenerate.say(
        small,
        judgements.JudgeIdentity("Judge M"),
        [{"conversation_id": "c1", "criterion": "kind", "label": "2"}],
    )
    with store.reading() as connection:
        findings = found_of(connection, small.study, latest(connection, small.study))
    table = next(table for table in report(findings).tables() if table.key == "criteria")
    assert (
        isinstance(table, Table)
        and table.header[4] == "Quadratic kappa or kappa"
        and table.header[6] == "AC2, quadratic or AC1"
    )


def test_a_declared_plan_of_which_nobody_labelled_a_strategy_is_a_sentence(sample_store: Store) -> None:
    with sample_store.reading() as connection:
        study = study_of(connection, "plan_demo")
    with sample_store.writing("tests", "judge", study.id) as (connection, entry):
        judgements.register(connection, entry, study.id, judgements.JudgeIdentity("Silent"))
    with sample_store.reading() as connection:
        silent = Judge(10**6, "Silent", {})
        findings = found_of(connection, study, silent, until="0001")
        assert findings.used == ()
        assert "No criterion has a label yet." in text_of(findings)
        assert complaints(report(findings)) == []


def test_what_cannot_be_rated_is_told_of_whom_the_report_is(make_study: Any) -> None:
    small = make_study()
    desk = small.desk()
    desk.draft_all(2)
    desk.draft(2, "warm", None, cannot_rate="other")
    desk.commit(2)
    small.desk(1).rate(2)
    with small.store.reading() as connection:
        whole, other = (
            text_of(found_of(connection, small.study, None, **more))
            for more in ({}, {"rater": small.raters[1]})
        )
    assert "Raters answered 1 time that something can't be rated" in whole and "can't be rated" not in other
