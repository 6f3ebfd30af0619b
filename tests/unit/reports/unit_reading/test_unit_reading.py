"""One unit as a study lead reads it: what differs, and in which words; what is no label is never compared."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from data.labels.settlements import Settlement
from data.labels.unit_labels import UnitLabel
from reports.unit_reading.differences import CriterionLabels, compare_labels
from reports.unit_reading.label_table import ToldSettlement, label_evidence
from reports.unit_reading.sentence import sentence_of_unit
from scoring.instruments import Criterion, parse_instrument
from tests.studies.small_study import Small
from tests.unit.data.bench import GATED

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
    assert sentence_of_unit(rows) == (
        "No labels differ: the same label on 1 of 3 criteria; the others can't be compared."
    )
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
        "Everybody gives the same label on all 3 criteria. 1 label was changed after seeing the judge's labels."
    )
    row = label_evidence(rows, {}).rows[0]
    assert row.remark == "Ann changed to No after seeing the judge's labels"
    assert (row.verdict, row.cells, row.marked) == ("changed after", ("Yes, then No", "Yes", "Yes"), ())


def test_who_went_over_to_the_judge_differed_from_it_all_the_same(compare: Reader) -> None:
    rows = compare(
        person("warm", "Ann", "YES", shown="revealed", blind_answer=("NO", "given")), judged("warm", "YES")
    )
    assert rows[0].difference == "judge"
    assert sentence_of_unit(rows) == (
        "Warm: Ann says “No”, the judge “Yes”. 1 of 3 criteria differ. 1 label was changed after seeing the judge's labels."
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


def test_labels_that_were_changed_alike_or_alone_did_not_differ(compare: Reader) -> None:
    ann, ben = (
        person("warm", who, "YES", shown="revealed", blind_answer=("NO", "given")) for who in ("Ann", "Ben")
    )
    changed = "2 labels were changed after seeing the judge's labels."
    for labels, sentence in (
        ((ann,), "Only Ann has labelled this. 1 label was changed after seeing the judge's labels."),
        (
            (ann, judged("warm", None)),
            "Only Ann has labelled this. 1 label was changed after seeing the judge's labels.",
        ),
        (
            (ann, ben),
            f"No labels differ: the same label on 1 of 3 criteria; the others can't be compared. {changed}",
        ),
    ):
        rows = compare(*labels)
        assert differences(rows)["warm"] == "changed" and sentence_of_unit(rows) == sentence
    assert differences(compare(ann, person("warm", "Cleo", "YES")))["warm"] == "people"


def test_a_missing_answer_is_not_of_everybody(compare: Reader) -> None:
    given = [
        person(criterion, who, "YES") for criterion in ("warm", "safe", "deep") for who in ("Ann", "Ben")
    ]
    rows = compare(*given, judged("safe", None))
    assert sentence_of_unit(rows) == (
        "No labels differ: the same label on all 3 criteria, but on 1 of them an answer is missing."
    )
    assert sentence_of_unit([row for row in rows if row.criterion.id == "safe"]) == (
        "No labels differ: the same label on the one criterion, but an answer is missing."
    )
    changed = person("safe", "Cleo", "NO", shown="revealed", blind_answer=("YES", "given"))
    assert sentence_of_unit(compare(*given, changed, judged("safe", None))).endswith(
        "on 1 of them an answer is missing. 1 label was changed after seeing the judge's labels."
    )


def test_what_a_rule_filled_in_stands_out_from_nothing(compare: Reader) -> None:
    by_rule = [person("deep", who, "NA", by_rule=True) for who in ("Ann", "Ben")]
    (deep,) = [
        row for row in label_evidence(compare(*by_rule, judged("deep", "YES")), {}).rows if row.cells[0]
    ]
    assert (deep.verdict, deep.marked) == ("one label only", ())


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
        ((judged("warm", None), person("safe", "Ann", None)), "Nobody has labelled this yet."),
        ((judged("warm", None), person("safe", "Ann", "YES")), "Only Ann has labelled this."),
        (
            (
                *(person("warm", who, "NO") for who in ("Ann", "Ben", "Cleo")),
                person("warm", "Dan", None),
                judged("warm", "YES"),
            ),
            "Warm: 3 clinicians say “No”, the judge “Yes”. 1 of 3 criteria differ.",
        ),
        (
            (person("warm", "Ann", "YES"), judged("warm", "YES")),
            "No labels differ: the same label on 1 of 3 criteria; the others can't be compared.",
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
    assert (evidence.rows[0].cells, evidence.rows[0].marked) == (("Yes 5 · No 1", "No"), (1,))


def test_of_several_judges_each_has_a_column_and_more_than_three_are_counted(compare: Reader) -> None:
    names = ["Judge A", "Judge B", "Judge C", "Judge D"]
    labels = [judged("warm", "NO" if name == "Judge A" else "YES", name) for name in names]
    assert label_evidence(compare(*labels[:3]), {}).columns == tuple(names[:3])
    evidence = label_evidence(compare(*labels), {})
    assert (evidence.columns, evidence.rows[0].cells) == (("Judges",), ("Yes 3 · No 1",))


@pytest.mark.parametrize(
    ("people", "judges", "marked"),
    [
        ("NO NO YES", "YES YES", (2, 3, 4)),  # people before everybody
        ("NO YES", "YES", (0,)),  # people are divided, so of everybody
        ("NO YES", "", (0, 1)),  # nobody is in the majority
        ("YES", "", ()),
    ],
)
def test_labels_beside_the_most_frequent_one_stand_out(
    compare: Reader, people: str, judges: str, marked: tuple[int, ...]
) -> None:
    rows = compare(
        *(
            person("warm", name, label)
            for name, label in zip(("Ann", "Ben", "Cleo"), people.split(), strict=False)
        ),
        *(
            judged("warm", label, name)
            for name, label in zip(("Judge A", "Judge B"), judges.split(), strict=False)
        ),
    )
    assert label_evidence(rows, {}).rows[0].marked == marked


def test_the_judge_who_differs_stands_out_from_people_who_are_only_counted(compare: Reader) -> None:
    people = [person("warm", f"{letter}nn", "YES") for letter in "ABCDEF"]
    judges = [judged("warm", label, name) for label, name in (("NO", "Judge A"), ("YES", "Judge B"))]
    assert label_evidence(compare(*people, *judges), {}).rows[0].marked == (1,)


@pytest.mark.parametrize(
    ("label", "reopened", "words"),
    [("NO", False, "No"), ("NO", True, "No, open again"), (None, False, "both are valid")],
)
def test_what_was_settled_stands_beside_the_labels(
    compare: Reader, label: str | None, reopened: bool, words: str
) -> None:
    settlement = Settlement(
        1, 2, 2, "warm", "human_human", label, "misread", False, 3, "Dr. Third", "2026-11-21", reopened
    )
    told = {"warm": ToldSettlement(settlement, "Rater 3", None)}
    evidence = label_evidence(compare(person("warm", "Ann", "YES")), told)
    assert evidence.columns[-1] == "Settled"
    assert {row.key: row.cells[-1] for row in evidence.rows} == {"warm": words, "safe": "", "deep": ""}


def test_a_criterion_of_a_safety_gate_stands_before_others_that_differ_as_much(small: Small) -> None:
    study = replace(small.study, instrument=parse_instrument(GATED))
    labels = [
        label
        for criterion in ("warm", "safe", "crisis")
        for label in (
            person(criterion, "Ann", "YES"),
            judged(criterion, "NO" if criterion != "crisis" else "YES"),
        )
    ]
    rows = compare_labels(study, small.desk().unit(2), labels)
    assert [row.criterion.id for row in rows] == ["safe", "warm", "crisis"]


def test_a_label_from_a_file_does_not_count_beside_the_persons_own(compare: Reader) -> None:
    own, from_file = person("warm", "Ann", "YES"), person("warm", "Ann", "NO", from_file=True, outranked=True)
    rows = compare(from_file, own, judged("warm", "YES"))
    assert differences(rows)["warm"] == "same"
    assert rows[0].listed[0] is from_file, "it is listed all the same"


def test_a_difference_that_stands_is_read_before_a_label_that_was_changed(compare: Reader) -> None:
    rows = compare(
        person("warm", "Ann", "YES", shown="revealed", blind_answer=("NO", "given")),
        judged("safe", "YES"),
        judged("safe", "NO", "Judge B"),
    )
    assert list(differences(rows).items()) == [("safe", "judges"), ("warm", "changed"), ("deep", "nothing")]


def test_blind_labels_that_are_the_same_are_told_beside_those_that_are_not_blind(compare: Reader) -> None:
    ben = person("warm", "Ben", "NO", shown="judge_visible")
    rows = compare(person("warm", "Ann", "YES"), judged("warm", "YES"), ben)
    assert rows[0].difference == "not_blind"
    others = "Labels that are not blind differ on 1 criterion."
    assert sentence_of_unit(rows) == f"The blind labels are the same on 1 of 3 criteria. {others}"
    assert sentence_of_unit(rows[:1]) == f"The blind labels are the same on the one criterion. {others}"


def test_labels_of_judges_alone_are_no_blind_labels(compare: Reader) -> None:
    ann = person("warm", "Ann", "NO", shown="judge_visible")
    rows = compare(ann, judged("warm", "YES"), judged("warm", "YES", "Judge B"))
    assert sentence_of_unit(rows).startswith(
        "No criterion has two blind labels to compare. Labels that are not"
    )


def test_labels_of_which_none_is_blind_are_told_as_such(compare: Reader) -> None:
    rows = compare(person("warm", "Ann", "YES", shown="judge_visible"), judged("warm", "NO"))
    assert sentence_of_unit(rows) == (
        "No criterion has two blind labels to compare. Labels that are not blind differ on 1 criterion."
    )
    assert label_evidence(rows, {}).rows[0].marked == ()
