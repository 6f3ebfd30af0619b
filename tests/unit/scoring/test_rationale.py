"""Whether a judge's reasons hold, in counts that can be made by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from scoring.judge_reasons import ClinicianReading, ReasonedLabel
from scoring.rationale import (
    NEVER_BOTH,
    NO_QUOTES,
    NONE_ANSWERED,
    NOT_CITED,
    NOT_MARKED,
    ReasoningAudit,
    audit,
    in_common,
)
from tests.studies.judge_reasons import one_by_one


def audited(labels: Sequence[ReasonedLabel]) -> tuple[ReasoningAudit, Mapping[str, ReasoningAudit]]:
    return audit(one_by_one(labels))


def label(
    conversation: int = 1,
    criterion: str = "warm",
    quotes: int = 0,
    lost: tuple[str, ...] = (),
    cited: tuple[int, ...] = (),
    clinicians: tuple[ClinicianReading, ...] = (),
    verdict: str = "YES",
) -> ReasonedLabel:
    return ReasonedLabel(
        conversation,
        conversation * 10,
        conversation,
        criterion,
        verdict,
        quotes,
        lost,
        frozenset(cited),
        clinicians,
    )


def clinician(
    given: str = "YES", marked: tuple[int, ...] = (), called: str | None = None
) -> ClinicianReading:
    return ClinicianReading(given, frozenset(marked), called)


def test_turns_in_common_are_counted() -> None:
    overlap = in_common([1, 2, 3, 3], {3, 4})
    assert (
        overlap.cited,
        overlap.marked,
        overlap.both,
        overlap.jaccard,
        overlap.share,
        overlap.undefined,
    ) == (
        3,
        2,
        1,
        1 / 4,
        1 / 3,
        None,
    )
    assert (in_common([1], [2]).jaccard, in_common([1], [2]).share) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("cited", "marked", "why"), [((), (1,), NOT_CITED), ((1,), (), NOT_MARKED), ((), (), NOT_CITED)]
)
def test_where_one_side_names_no_turn_there_is_a_reason_and_no_zero(
    cited: tuple[int, ...], marked: tuple[int, ...], why: str
) -> None:
    found = in_common(cited, marked)
    assert (found.jaccard, found.share, found.undefined) == (None, None, why)


def test_overlap_adds_up_over_labels_that_both_speak_of_and_several_clinicians_count_together() -> None:
    together, by = audited(
        [
            label(
                1, cited=(1, 2), clinicians=(clinician(marked=(2,)), clinician(marked=(5,)))
            ),  # both 1 of 3
            label(2, cited=(4,), clinicians=(clinician(marked=(4,)),)),  # both 1 of 1
            label(3, cited=(7, 8), clinicians=(clinician(),)),
            label(3, "safe", clinicians=(clinician(marked=(7,)),)),
        ]
    )
    assert (
        together.overlap.labels,
        together.overlap.cited,
        together.overlap.marked,
        together.overlap.both,
    ) == (2, 3, 3, 2)
    assert (together.overlap.jaccard.value, together.overlap.share.value) == (2 / 4, 2 / 3)
    assert (by["safe"].overlap.labels, by["safe"].overlap.jaccard.undefined) == (0, NOT_CITED)


@pytest.mark.parametrize(
    ("labels", "why"),
    [
        ([label()], NOT_CITED),
        ([], NOT_CITED),
        ([label(cited=(1,))], NOT_MARKED),
        ([label(cited=(1,)), label(2, clinicians=(clinician(marked=(1,)),))], NEVER_BOTH),
    ],
)
def test_why_there_is_no_overlap(labels: list[ReasonedLabel], why: str) -> None:
    assert audited(labels)[0].overlap.share.undefined == audited(labels)[0].overlap.jaccard.undefined == why


def test_quotations_that_are_not_found_are_listed_with_their_place() -> None:
    together, by = audited(
        [
            label(1, quotes=3, lost=("a b c",)),
            label(2, quotes=1),
            label(2, "safe", quotes=1, lost=("d e f",)),
            label(3),
        ]
    )
    assert (together.labels, together.quoting, together.quotes, together.not_found.value) == (4, 3, 5, 2 / 5)
    assert [
        (lost_quote.unit, lost_quote.position, lost_quote.criterion, lost_quote.quote)
        for lost_quote in together.lost
    ] == [
        (10, 1, "warm", "a b c"),
        (20, 2, "safe", "d e f"),
    ]
    assert by["warm"].not_found.value == 1 / 4
    assert together.not_found.low is not None and together.not_found.conversations == 2
    assert (audited([label()])[0].not_found.value, audited([label()])[0].not_found.undefined) == (
        None,
        NO_QUOTES,
    )


def test_a_right_label_for_a_reason_that_was_rejected() -> None:
    together, _ = audited(
        [
            label(1, clinicians=(clinician(called="unsupported"), clinician("NO", called="unsupported"))),
            label(
                2,
                clinicians=(
                    clinician(called="contradicted"),
                    clinician(called="supported"),
                    clinician(called="partly"),
                    clinician(),
                ),
            ),
        ]
    )
    right_labels = together.right
    assert (
        right_labels.confirmed,
        right_labels.answered,
        right_labels.unsupported,
        right_labels.contradicted,
        right_labels.share.value,
    ) == (
        5,
        4,
        2,
        1,
        2 / 4,
    )


@pytest.mark.parametrize("called", [None, "supported"])
def test_a_wrong_label_is_no_right_one_and_no_answer_is_no_zero(called: str | None) -> None:
    found = audited([label(clinicians=(clinician("NO", called=called),))])[0].right
    assert (found.confirmed, found.share.value, found.share.undefined) == (0, None, NONE_ANSWERED)
