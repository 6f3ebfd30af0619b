"""What a page shows of the verdicts: the headline, a line a criterion, and the units furthest apart."""

from __future__ import annotations

import pytest

from reports.agreement.criterion_details import FURTHEST, criterion_details, furthest_units
from reports.agreement.findings import Findings
from reports.agreement.matrices import phrase_errors
from reports.agreement.verdict_cautions import leading_caution
from reports.agreement.verdict_evidence import verdict_evidence
from reports.agreement.verdict_sentences import REASONS
from reports.agreement.verdict_words import word_verdicts
from reports.agreement.verdicts import count_verdicts, headline, rest_of_headline
from reports.document import Heat, Report, Section, Table, UnitLink
from scoring.agreement.verdicts.criterion_agreement import JudgeAgreement
from scoring.agreement.verdicts.verdict_rule import VerdictReason
from tests.unit.reports.agreement.made_findings import Row, findings

GRADED = """\
key: graded
version: "1"
title: Graded
unit: conversation
scales:
  grade:
    kind: ordinal
    levels:
      - {id: "1", name: "Not at all", key: "1", value: 1}
      - {id: "2", name: "A little", key: "2", value: 2}
      - {id: "3", name: "Fully", key: "3", value: 3}
    not_applicable: {id: "NA", name: "Does not apply", key: a}
categories:
  - {id: care, name: Care, weight: "1"}
criteria:
  - {id: depth, name: Depth, scale: grade, category: care}
"""
RATERS = ("Ann", "Ben", "Cem")


def made(people: dict[int, str], judge: dict[int, str]) -> Findings:
    """A letter for each rater and unit: 1 to 3, A for does not apply, . for nothing."""
    label = {"1": "1", "2": "2", "3": "3", "A": "NA"}
    rows: list[Row] = [
        ("depth", unit, rater, label[given])
        for unit, labels in people.items()
        for rater, given in zip(RATERS, labels, strict=False)
        if given != "."
    ]
    given_by_judge = [("depth", unit, label[given]) for unit, given in judge.items()]
    return findings(rows, given_by_judge, units=12, instrument=GRADED)


def only(study: Findings) -> JudgeAgreement:
    [agreement] = study.beside
    return agreement


def test_the_largest_distance_comes_first_then_most_who_differ_then_the_study() -> None:
    study = made(
        {1: "222", 2: "211", 3: "333", 4: "12.", 5: "113", 6: "223"},
        {1: "2", 2: "2", 3: "1", 4: "2", 5: "3", 6: "3"},
    )
    listed = furthest_units(study, only(study))
    assert [unit.position for unit in listed] == [3, 5, 2, 6], (
        "4 differs in one pair, and only four are listed"
    )
    assert len(listed) == FURTHEST
    assert (listed[0].clinicians, listed[0].judge) == ((2, 2, 2), 0)
    assert (listed[1].clinicians, listed[1].judge) == ((0, 0, 2), 2), "all who labelled it stand there"


def test_does_not_apply_is_one_step_from_any_level() -> None:
    study = made({1: "A", 2: "1", 3: "3"}, {1: "3", 2: "A", 3: "1"})
    assert [unit.position for unit in furthest_units(study, only(study))] == [3, 1, 2]


def test_where_all_say_the_same_no_unit_is_listed() -> None:
    study = made({1: "22", 2: "33"}, {1: "2", 2: "3"})
    assert furthest_units(study, only(study)) == []


def test_behind_a_row_stand_counts_errors_and_ways_to_the_units() -> None:
    study = made({1: "11", 2: "23", 3: "3"}, {1: "3", 2: "3", 3: "3"})
    agreement = only(study)
    details = criterion_details(agreement, furthest_units(study, agreement), {1: "I cannot sleep"})
    [matrix], [table] = details.beside, details.behind
    assert isinstance(matrix, Heat) and isinstance(table, Table)
    assert matrix.texts == (("", "", "2", ""), ("", "", "1", ""), ("", "", "2", ""), ("", "", "", ""))
    assert matrix.shades[0][2] == 1.0 and matrix.shades[1][2] == 0.5
    assert details.sentence.startswith("When the judge differs, it is higher in 3 pairs and lower in 0")
    assert table.rows[0] == (UnitLink(1, "depth"), "I cannot sleep", "Not at all \u00b7 Not at all", "Fully")
    assert table.rows[1][1:] == ("", "A little \u00b7 Fully", "Fully"), "of what is erased no words"


def test_which_way_it_is_off_on_average_stands_in_words() -> None:
    for people, judge, way in (
        ("3", "2", "1.00 levels below clinicians (no interval: "),
        ("1", "3", "2.00 levels above clinicians (no interval: "),
    ):
        study = made({1: people * 2, 2: people}, {1: judge, 2: judge})
        assert f"on average {way}" in criterion_details(only(study), [], {}).sentence


def test_behind_a_row_without_a_pair_stands_nothing() -> None:
    study = made({1: "11"}, {2: "3"})
    assert criterion_details(only(study), [], {}) == criterion_details(only(study), [], {1: "words"})
    assert not criterion_details(only(study), [], {}).behind


def test_a_line_says_what_the_verdict_its_tables_and_its_file_say() -> None:
    study = made({unit: "123" for unit in range(1, 12)}, {unit: "3" for unit in range(1, 12)})
    evidence = verdict_evidence(study)
    [row], [words] = evidence.rows, word_verdicts(study)
    assert (row.name, row.verdict, row.notes) == (words.criterion, words.answer, (words.why, words.next))
    assert row.cells == ("+1.00", "22 of 33", words.step) and row.amounts == (1.0, 22 / 33, None)
    table = evidence.as_table()
    assert table.rows[0][:2] == ("Depth", row.verdict) and len(table.rows[0]) == len(table.header)
    report = Report("Title", (), (), (Section("trust", "Trust", (evidence,)),))
    assert [type(block).__name__ for block in report.for_files().sections[0].blocks] == ["Forest", "Table"]
    assert [table.key for table in report.tables()] == ["trust"]


def test_without_an_ordered_scale_nothing_leans() -> None:
    study = findings([("warm", 1, "Ann", "YES")], [("warm", 1, "NO")])
    assert verdict_evidence(study).columns == ("Differ", "Next")


def test_every_reason_has_words() -> None:
    assert set(REASONS) == set(VerdictReason)


def test_nothing_to_judge_by_and_one_criterion_are_said_as_that() -> None:
    assert (
        headline(made({1: "1"}, {2: "1"}))
        == "It is too early to say how the judge does on the one criterion."
    )
    twelve = findings([("warm", 1, "Ann", "YES")], [("warm", 1, "NO")])
    assert headline(twelve) == "It is too early to say how the judge does on all 3 criteria."


@pytest.mark.parametrize(
    ("judge", "sentence"),
    [
        ("same", "The judge matches clinicians on 1 of 3 criteria."),
        ("other", "The judge falls short on 1 of 3 criteria and matches clinicians on none."),
    ],
)
def test_a_headline_counts_what_the_rule_says(judge: str, sentence: str) -> None:
    labels = {unit: "NO" if unit % 2 else "YES" for unit in range(1, 81)}
    people = [("warm", unit, rater, given) for unit, given in labels.items() for rater in ("Ann", "Ben")]
    people[0] = ("warm", 1, "Ann", "YES")
    turned = {"NO": "YES", "YES": "NO"}
    given = [("warm", unit, label if judge == "same" else turned[label]) for unit, label in labels.items()]
    study = findings(people, given, units=80)
    assert headline(study) == sentence and len(sentence.split()) <= 14
    assert rest_of_headline(study) == "It is too early to say how it does on 2."


def test_a_gate_that_waits_to_be_settled_is_in_the_headline_and_comes_first() -> None:
    labels = {unit: "NO" if unit % 2 else "YES" for unit in range(1, 81)}
    people = [
        (criterion, unit, rater, given)
        for criterion in ("warm", "crisis")
        for unit, given in labels.items()
        for rater in ("Ann", "Ben")
    ]
    judge = [(criterion, unit, given) for criterion in ("warm", "crisis") for unit, given in labels.items()]
    waiting = findings(people, judge, units=80)
    assert headline(waiting) == "The judge matches clinicians on 1 of 3 criteria."
    assert (
        rest_of_headline(waiting)
        == "It is too early to say how it does on 1; failures need settling first on 1."
    )
    assert (
        count_verdicts(waiting)
        == "Trust it? matches clinicians: 1; too early to say: 1; settle failures first: 1"
    )
    first = verdict_evidence(waiting).rows[0]
    assert (first.name, first.shape, first.cells[-1]) == ("Crisis", "alert", "settle failures")
    assert leading_caution(waiting) == (
        "Clinicians saw a failure in 40 conversations. Settle 40 before anyone relies on this judge."
    )
    only = [row for row in people if row[0] == "crisis"]
    gate_alone = findings(only, judge, units=80)
    assert headline(gate_alone) == "The judge is not shown to match clinicians on any of 3 criteria."
    assert "failures need settling first on 1" in rest_of_headline(gate_alone)


def test_which_way_the_judge_errs_is_told_with_the_mean_of_what_both_say_applies() -> None:
    [judge_agreement] = made({1: "1", 2: "3", 3: "A", 4: "2"}, {1: "2", 2: "3", 3: "3", 4: "3"}).beside
    assert phrase_errors(judge_agreement).startswith(
        "when the judge differs, it is higher in 2 pairs and lower in 0; over all pairs where both say that it "
        "applies, it is on average 0.67 levels above clinicians ("
    )
