"""One unit as a study lead reads it: what differs, and in which words; what is no label is never compared."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from data.unit_labels import UnitLabel
from reports.unit_reading.differences import CriterionLabels, compare_labels
from reports.unit_reading.label_table import label_evidence
from reports.unit_reading.sentence import sentence_of_unit
from scoring.instruments import Criterion
from tests.small_study import Small

Rows = list[CriterionLabels]
Reader = Callable[..., Rows]


def person(criterion: str, who: str, label: str | None, **more: Any) -> UnitLabel:
    status = "given" if label else "unreadable"
    shown = more.pop("shown", "blind")
    return UnitLabel(criterion, who, False, label, status, shown, None, rater=ord(who[0]), **more)


def judged(criterion: str, label: str | None, who: str = "Judge A") -> UnitLabel:
    status = "ok" if label else "truncated"
    return UnitLabel(criterion, who, True, label, status, "", None, judge=ord(who[-1]))


@pytest.fixture
def compare(small: Small) -> Reader:
    return lambda *labels, **more: compare_labels(small.study, small.desk().unit(2), labels, **more)


def differences(rows: Rows) -> dict[str, str]:
    return {row.criterion.id: row.difference for row in rows}


def test_who_differs_is_told_apart_and_stands_before_what_is_the_same(compare: Reader) -> None:
    rows = compare(
        person("warm", "Ann", "YES"),
        person("warm", "Ben", "YES"),
        judged("warm", "YES"),
        person("safe", "Ann", "YES"),
        person("safe", "Ben", "NO"),
        judged("safe", "YES"),
        person("deep", "Ann", "YES"),
        person("deep", "Ben", "YES"),
        judged("deep", "NA"),
    )
    assert list(differences(rows).items()) == [("deep", "judge"), ("safe", "people"), ("warm", "same")]
    assert sentence_of_unit(rows) == (
        "Deep: Ann and Ben say “Yes”, the judge “Does not apply”. 2 of 3 criteria differ."
    )
    cells = {row.key: (row.cells, row.marked) for row in label_evidence(rows, {}).rows}
    assert cells == {
        "deep": (("Yes", "Yes", "Does not apply"), (2,)),
        "safe": (("Yes", "No", "Yes"), (1,)),
        "warm": (("Yes", "Yes", "Yes"), ()),
    }


def test_a_failure_and_cannot_rate_are_neither_the_same_nor_different(compare: Reader) -> None:
    rows = compare(
        person("warm", "Ann", "YES"),
        person("warm", "Ben", "YES"),
        judged("warm", None),
        person("safe", "Ann", None),
        judged("safe", "NO"),
        person("deep", "Ann", "NA", by_rule=True),
    )
    assert differences(rows) == {"warm": "unanswered", "safe": "unanswered", "deep": "by_rule"}
    assert sentence_of_unit(rows) == "No criterion has two labels to compare."
    cells = {row.key: row.cells for row in label_evidence(rows, {}).rows}
    assert cells["warm"] == ("Yes", "Yes", "no answer") and cells["safe"] == ("cannot rate", "", "No")


def test_a_label_changed_beside_the_judge_counts_as_it_was_and_is_told_apart(compare: Reader) -> None:
    given = [
        label
        for criterion in ("warm", "safe", "deep")
        for label in (
            person(criterion, "Ann", "YES"),
            person(criterion, "Ben", "YES"),
            judged(criterion, "YES"),
        )
    ]
    assert sentence_of_unit(compare(*given)) == "Everybody gives the same label on all 3 criteria."
    rows = compare(person("warm", "Ann", "NO", shown="revealed", blind_answer=("YES", "given")), *given[1:])
    assert next(iter(differences(rows).items())) == ("warm", "changed")
    assert sentence_of_unit(rows) == (
        "Everybody gives the same label on all 3 criteria. 1 label was changed after seeing the judge."
    )
    row = label_evidence(rows, {}).rows[0]
    assert row.remark == "Ann changed to No after seeing the judge"
    assert (row.verdict, row.cells, row.marked) == ("changed after", ("Yes, then No", "Yes", "Yes"), ())


def test_who_went_over_to_the_judge_differed_from_it_all_the_same(compare: Reader) -> None:
    rows = compare(
        person("warm", "Ann", "YES", shown="revealed", blind_answer=("NO", "given")), judged("warm", "YES")
    )
    assert rows[0].difference == "judge"
    assert sentence_of_unit(rows) == (
        "Warm: Ann says “No”, the judge “Yes”. 1 of 3 criteria differ. 1 label was changed after seeing the judge."
    )
    assert label_evidence(rows, {}).rows[0].cells == ("No, then Yes", "Yes")


def test_labels_that_were_never_blind_differ_apart(compare: Reader) -> None:
    rows = compare(
        person("warm", "Ann", "YES", shown="judge_visible"),
        judged("warm", "NO"),
        person("safe", "Ben", "YES", shown="page", blind_answer=(None, "unreadable")),
        judged("safe", "YES"),
        person("deep", "Ann", "YES", shown="judge_visible"),
        judged("deep", "YES"),
    )
    assert differences(rows) == {"warm": "not_blind", "safe": "changed", "deep": "same"}
    assert sentence_of_unit(rows) == (
        "The same label on 1 of 3 criteria. Labels that are not blind differ on 1 criterion. "
        "1 label was changed after seeing labels of others."
    )


def test_a_criterion_that_somebody_came_for_stands_first(compare: Reader) -> None:
    labels = [person("safe", "Ann", "YES"), judged("safe", "NO")]
    assert [row.criterion.id for row in compare(*labels)] == ["safe", "warm", "deep"]
    assert [row.criterion.id for row in compare(*labels, came_for="deep")] == ["deep", "safe", "warm"]


@pytest.mark.parametrize(
    ("labels", "sentence"),
    [
        ((), "Nobody has labelled this yet."),
        ((person("warm", "Ann", "YES"),), "Only Ann has labelled this."),
        ((judged("warm", "YES"),), "Only Judge A has labelled this."),
        (
            (person("warm", "Ann", "YES"), judged("warm", "YES")),
            "Nobody differs: the same label on 1 of 3 criteria, the others cannot be compared.",
        ),
        (
            (judged("warm", "YES"), judged("warm", "NO", "Judge B")),
            "Warm: Judge A says “Yes”, Judge B “No”. 1 of 3 criteria differ.",
        ),
        (
            (
                *(person("warm", who, "NO") for who in ("Ann", "Ben", "Cleo")),
                person("warm", "Dan", "YES"),
                judged("warm", "YES"),
            ),
            "Warm: 3 clinicians say “No”, Dan and the judge “Yes”. 1 of 3 criteria differ.",
        ),
        (
            (*(person("warm", who, "NO") for who in ("Ann", "Ben", "Cleo")), judged("warm", "YES")),
            "Warm: all 3 clinicians say “No”, the judge “Yes”. 1 of 3 criteria differ.",
        ),
    ],
)
def test_the_sentence_says_no_more_than_was_compared(
    compare: Reader, labels: tuple[UnitLabel, ...], sentence: str
) -> None:
    assert sentence_of_unit(compare(*labels)) == sentence


def test_what_explains_the_name_of_a_criterion_is_left_out_of_the_sentence() -> None:
    criterion = Criterion(id="x", name="Pacing — explores first (always)", scale="yes_no")
    labels = (person("x", "Ann", "YES"),)
    row = CriterionLabels(criterion, False, {}, labels, (judged("x", "NO"),), labels)
    assert sentence_of_unit([row]) == "Pacing: Ann says “YES”, the judge “NO”."


def test_many_raters_are_counted_in_one_column(compare: Reader) -> None:
    people = [person("warm", f"{letter}nn", "NO" if letter == "A" else "YES") for letter in "ABCDEF"]
    evidence = label_evidence(compare(*people, judged("warm", "NO")), {})
    assert evidence.columns == ("Clinicians", "Judge")
    assert evidence.rows[0].cells == ("Yes 5 · No 1", "No")
