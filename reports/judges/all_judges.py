"""All judges of a study on the same labels: is one of these right more often?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from data.labels import agreement_material
from data.record.judgements import Judge
from data.record.studies import Study
from data.store.store import Connection
from reports.document import Block, Paragraph, Table
from scoring.agreement.judges.several_judges import compare_judges
from scoring.agreement.significance_tests.significance import Significance
from scoring.confidence import ALPHA
from words.figures import chance, decimal, percent

MIN_JUDGES_COMPARED = 3
TITLE = "All judges on the same labels"


def compare_all(connection: Connection, study: Study, judges: Sequence[Judge]) -> Iterator[Block]:
    """Yield which of three judges or more is right more often; nothing for fewer.

    A paragraph if no label is known to be right, else the table "all_judges" (judge, right, of how many,
    percent) and a paragraph on the test.
    """
    if len(judges) < MIN_JUDGES_COMPARED:
        return
    result = compare_judges(
        [agreement_material.read_counted(connection, study, judge.id) for judge in judges]
    )
    if not result.labels:
        yield Paragraph(
            "It is too early to say which judge is right more often: no question that all the judges "
            "labelled was settled or answered alike by two clinicians."
        )
        return
    yield Table(
        "all_judges",
        f"How often each judge is right, of {result.labels:,} labels that two clinicians agreed on when "
        "rating blind, or that were settled between clinicians",
        ("Judge", "Right", "of them", "Percent"),
        [
            (
                f"{judge.name} (judge {judge.id})",
                f"{right:,}",
                f"{result.labels:,}",
                percent(right / result.labels),
            )
            for judge, right in zip(judges, result.right, strict=True)
        ],
        (1, 2),
    )
    yield Paragraph(_test_words(result.test, result.conversations))


def _test_words(test: Significance, conversations: int) -> str:
    if test.p is None or test.statistic is None:
        return f"Whether the judges differ can't be estimated: {test.undefined}."
    finding = (
        ("The judges differ in how often they are right")
        if test.p < ALPHA
        else "The judges may all be right equally often"
    )
    return (
        f"{finding}: p {chance(test.p)} (Cochran's Q {decimal(test.statistic, 1)}; permutation test that "
        f"shuffles the judges' answers within each of {conversations:,} conversations)."
    )
