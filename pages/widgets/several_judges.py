"""All judges of a study on the same labels: is one of them right more often?"""

from __future__ import annotations

from collections.abc import Sequence

from data import agreement_material
from data.judgements import Judge
from data.studies import Study
from pages.widgets import reader_session, untrusted_text
from scoring.agreement.several_judges import compare_judges
from scoring.figures import chance, decimal, percent

FEWEST = 3


def compare_all(study: Study, judges: Sequence[Judge]) -> None:
    """Nothing for fewer than three: two are compared one with the other."""
    if len(judges) < FEWEST:
        return
    untrusted_text.heading("All judges on the same labels", 2)
    with reader_session.store().reading() as connection:
        compared = compare_judges(
            [agreement_material.read_counted(connection, study, judge.id) for judge in judges]
        )
    if not compared.labels:
        untrusted_text.paragraph(
            "Which of them is right more often cannot be told: no label of all of them stands beside one "
            "that two clinicians gave alike "
            "or that was settled."
        )
        return
    untrusted_text.table(
        f"Right, of {compared.labels:,} labels that two clinicians gave alike blind, or that were settled "
        "between people",
        ["Judge", "Right", "of them", "Percent"],
        [
            [
                f"{judge.name} (judge {judge.id})",
                f"{right:,}",
                f"{compared.labels:,}",
                percent(right / compared.labels),
            ]
            for judge, right in zip(judges, compared.right, strict=True)
        ],
        numeric=(1, 2),
    )
    test = compared.test
    if test.p is None or test.statistic is None:
        untrusted_text.paragraph(f"Whether they differ cannot be told: {test.undefined}.")
    else:
        finding = (
            "They are not right equally often" if test.p < 0.05 else "They may all be right equally often"
        )
        untrusted_text.paragraph(
            f"{finding}: p {chance(test.p)} "
            f"(Cochran's Q {decimal(test.statistic, 1)}, judges exchanged within {compared.conversations:,} "
            "conversations)."
        )
