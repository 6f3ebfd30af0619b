"""Reports of studies with next to nothing in them: sentences that are true, and never a number that is
none.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from data.record import judgements
from data.store.store import Store
from reports.agreement.agreement_data import gather_findings
from reports.agreement.export_files import write_report
from reports.agreement.files import files
from reports.agreement.findings import Findings, ReportRequest
from reports.agreement.report import report
from tests.documents.report_words import complaints, lines
from tests.studies import degenerate
from tests.studies.degenerate import STUDIES
from tests.studies.small_study import Small

pytestmark = [pytest.mark.filterwarnings("error:.*:RuntimeWarning"), pytest.mark.slow]


MakeStudy = Callable[[Store, Path], Small]
CopyStudy = Callable[[MakeStudy], Small]


def found_of(small: Small, judge: int | None = -1, **asked: Any) -> Findings:
    """`judge`: position among the judges, None for people alone."""
    with small.store.reading() as connection:
        judges = judgements.judges(connection, small.study.id)
        chosen = judges[judge] if judge is not None and judges else None
        return gather_findings(
            connection,
            ReportRequest(
                small.study,
                chosen,
                tuple(other for other in judges if chosen is None or other.id != chosen.id),
                **asked,
            ),
            reasons=True,
        )


@pytest.mark.parametrize("make", STUDIES.values(), ids=STUDIES)
@pytest.mark.parametrize("judge", [-1, 0, None])
@pytest.mark.parametrize("arm", ["blind", "shown", "unknown"])
def test_no_report_of_them_says_what_is_no_number(
    copy_study: CopyStudy, make: MakeStudy, judge: int | None, arm: str
) -> None:
    small = copy_study(make)
    findings = found_of(small, judge, arm=arm)
    assert complaints(report(findings)) == []
    with small.store.reading() as connection:
        assert files(findings, write_report(connection, findings))


def words(small: Small, judge: int | None = -1, **asked: Any) -> str:
    return "\n".join(lines(report(found_of(small, judge, **asked))))


def test_no_ratings(copy_study: CopyStudy) -> None:
    text = words(copy_study(degenerate.no_ratings))
    assert "There are no blind labels to compare with this judge." in text
    assert "Nothing has been rated yet (4 conversations)." in text and "0 blind labels" not in text
    assert (
        "Agreement can't be estimated yet: no clinician's blind label can be compared with the judge's."
        in text
    )
    assert "come from one person" not in text and "Fewer than" not in text


def test_one_rater(copy_study: CopyStudy) -> None:
    text = words(copy_study(degenerate.one_rater), 0)
    assert "All the blind labels that can be compared with this judge come from one rater." in text
    # Judge A says YES to everything; Ann says YES to c1 and c3 and NO to c2 and c4, where "deep" of c1 is by
    # rule.
    assert "The judge agreed with the clinician on 5 of 11 labels: 45%" in text
    assert "It is too early to say how the judge does on all 3 criteria." in text


def test_one_conversation(copy_study: CopyStudy) -> None:
    text = words(copy_study(degenerate.one_conversation))
    assert (
        "The judge agreed with the clinician on 2 of 4 labels: 50% (no interval: one conversation "
        "can't show how much this varies)." in text
    )
    assert "There are fewer than 10 conversations (or people) for Warm and Safe." in text


def test_one_category(copy_study: CopyStudy) -> None:
    text = words(copy_study(degenerate.one_category), 0)
    assert "The judge agreed with the clinician on 22 of 22 labels: 100%" in text
    assert "Guessing at random, using each label as often as it was given, would agree on 100%." in text
    assert "cannot be estimated: every label is the same, so agreement can't be separated from chance" in text
    assert (
        "on none of 3 criteria" not in text
        and "It is too early to say how the judge does on all 3 criteria." in text
    )
    assert "On each criterion, one label makes up more than 90% of the labels that clinicians gave." in text


def test_all_revealed(copy_study: CopyStudy) -> None:
    small = copy_study(degenerate.all_revealed)
    blind, shown = ("\n".join(lines(report(found_of(small, 0, arm=arm)))) for arm in ("blind", "shown"))
    assert "There are no blind labels to compare with this judge." in blind
    assert "11 labels were given after the rater had seen the judge's labels, or it is unknown" in blind
    assert "labels the judge chose what the clinician chose" not in blind
    assert "Given after seeing the judge's labels | 0 | 11 | 0%" in blind
    assert "They are not the headline" in shown and "on 0 of 11 labels" in shown


def test_all_not_applicable(copy_study: CopyStudy) -> None:
    text = words(copy_study(degenerate.all_not_applicable))
    # Two raters, three criteria, four conversations; NA of "deep" of c1 is what the rule says.
    assert "The judge agreed with the clinician on 22 of 22 labels: 100%" in text
    assert (
        "On each criterion, the clinician and the judge both say that the criterion applies in fewer than 20 "
        "pairs of labels." in text
    )
    assert (
        "Warm | 8 | 8 | cannot be estimated | 1.00 (no interval: both labels in a pair are the "
        "rarer one in no conversation) | 0 | cannot be estimated | 0 | 0, 0 | is allowed" in text
    )
    assert "| 8, 8" in text, "said though invalid"


def test_all_failures(copy_study: CopyStudy) -> None:
    text = words(copy_study(degenerate.all_failures))
    assert "The judge gave no label in 12 of 12 calls (100%)." in text
    assert (
        "This judge gave no label in 12 cases, which no number includes: 12 where the service refused the "
        "conversation." in text
    )
    assert (
        "Agreement can't be estimated yet: no clinician's blind label can be compared with the judge's."
        in text
    )
    assert "missed" not in text.lower()


def test_one_judge_twice_is_two_judges(copy_study: CopyStudy) -> None:
    small = copy_study(degenerate.one_judge_twice)
    first, second = ("\n".join(lines(report(found_of(small, judge)))) for judge in (0, 1))
    assert "on 22 of 22 labels" in first and "Model: first-model" in first and "second-model" not in first
    assert "on 0 of 22 labels" in second and "Model: second-model" in second
    for text in (first, second):
        assert "This report covers one judge. 1 other judge has labels in this study (Same name)." in text


def test_huge_label(copy_study: CopyStudy) -> None:
    findings = found_of(copy_study(degenerate.huge_label), None)
    assert complaints(report(findings)) == []
    text = "\n".join(lines(report(findings)))
    assert degenerate.LONG.upper().strip() in text


def test_a_successor_speaks_of_its_own_labels_only(copy_study: CopyStudy) -> None:
    text = words(copy_study(degenerate.mixed_instruments))
    assert "Small rubric, version 2." in text and "Warmth of the coach" in text and "version 1" not in text
    assert "2 blind labels from 1 clinician on 2 conversations." in text
    assert "The judge agreed with the clinician on 1 of 2 labels: 50%" in text
    assert "Judge A" not in text and "other judge" not in text


@pytest.mark.parametrize(
    "more", [{"since": "9999"}, {"until": "0001"}, {"condition": "no such"}, {"rater": 10**6}]
)
def test_filters_that_leave_nothing_leave_no_number(copy_study: CopyStudy, more: dict[str, object]) -> None:
    findings = found_of(copy_study(degenerate.one_category), 0, **more)
    document = report(findings)
    assert complaints(document) == []
    assert "Agreement can't be estimated yet" in "\n".join(lines(document)) and findings.arms.blind.pairs == 0
