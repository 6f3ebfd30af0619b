"""May the judge stand in for a clinician, and does it lean one way? Tests, with how many criteria were tested
said beside them.
"""

from __future__ import annotations

import numpy as np

from reports.agreement.findings import Findings
from reports.document import Block, Paragraph, Section, Table
from reports.wording import CANNOT, limits, number
from scoring.agreement.coefficients.icc import icc
from scoring.agreement.labels.labels import label_by_unit
from scoring.agreement.significance_tests.alt_test import AltTest, alt_test
from scoring.agreement.significance_tests.mcnemar import sign_test
from scoring.agreement.significance_tests.multiplicity import holm
from scoring.agreement.significance_tests.stuart_maxwell import stuart_maxwell
from scoring.agreement.verdicts.criterion_agreement import JudgeAgreement
from words.figures import chance, percent

EPSILON = 0.2  # of experts, as its authors propose; a larger one makes it easier for the judge
MIN_CLINICIANS = 3  # clinicians, below which the test says little


def stand_in_section(findings: Findings) -> Section | None:
    """Return the section on whether the judge can replace a clinician; None without a judge."""
    if findings.asked.judge is None:
        return None
    leaning = [_leaning(judge_agreement) for judge_agreement in findings.beside]
    adjusted = holm([p for _, _, p in leaning])
    rows = []
    for judge_agreement, (up, down, p), corrected in zip(findings.beside, leaning, adjusted, strict=True):
        margins = stuart_maxwell(judge_agreement.verdicts.table)
        rows.append(
            (
                judge_agreement.question.criterion.name,
                f"{up:,}",
                f"{down:,}",
                _p(p),
                _p(corrected),
                _p(margins.p),
            )
        )
    columns = (
        "Criterion",
        "Conversations in which the judge is higher",
        "less",
        "p",
        "p, adjusted",
        "p of equal use of labels",
    )
    blocks: list[Block] = [
        Table("leaning", "Does the judge lean one way?", columns, rows, (1, 2)),
        Paragraph(
            "The p values are from an exact sign test over conversations. Unlike the intervals above, they "
            "are adjusted for the number of criteria (Holm 1979). The last column is the Stuart-Maxwell "
            "test. It treats labels within one conversation as independent, so read it only as a footnote.",
            "small",
        ),
    ]
    tested = [
        (judge_agreement, _alt(findings, number_))
        for number_, judge_agreement in zip(findings.used, findings.beside, strict=True)
    ]
    with_result = [(judge_agreement, test) for judge_agreement, test in tested if test is not None]
    if with_result:
        blocks.append(
            Table(
                "alt_test",
                f"Alternative annotator test (Calderon, Reichart and Dror 2025), epsilon {EPSILON}",
                ("Criterion", "Clinicians tested", "Judge wins against", "As close or closer", "Passes"),
                [_alt_row(judge_agreement, test) for judge_agreement, test in with_result],
            )
        )
        blocks.append(
            Paragraph(
                "Each clinician in turn is left out, and the test asks: is the judge as close to the other "
                "clinicians as that clinician is? A pass says nothing about quality if clinicians disagree. "
                "Epsilon matters: if it is set to 0.1, fewer judges pass.",
                "small",
            )
        )
    else:
        blocks.append(
            Paragraph(
                f"The alternative annotator test needs {MIN_CLINICIANS} clinicians or more, with 30 shared "
                f"{findings.asked.study.noun.plural} each."
            )
        )
    scores = [
        (judge_agreement, _icc(findings, number_))
        for number_, judge_agreement in zip(findings.used, findings.beside, strict=True)
        if judge_agreement.question.ordinal
    ]
    if scores:
        blocks.append(
            Table(
                "icc",
                "Absolute agreement of all clinicians and the judge as scores: ICC(2,1) (Shrout and Fleiss "
                "1979)",
                (
                    "Criterion",
                    "ICC(2,1)",
                    "95% interval",
                    f"Complete {findings.asked.study.noun.plural}",
                    "Left out",
                ),
                [(judge_agreement.question.criterion.name, *row) for judge_agreement, row in scores],
                (3, 4),
            )
        )
    return Section("stand_in", "Can it replace a clinician?", tuple(blocks))


def _leaning(judge_agreement: JudgeAgreement) -> tuple[int, int, float | None]:
    """Conversations in which more verdicts lie above the clinician's than below, and the other way, with the
    exact test of the two.
    """
    separated = judge_agreement.separated
    pairs = separated.verdict if separated is not None else judge_agreement.pairs
    scale = np.array(judge_agreement.question.scale)
    if not len(pairs):
        return 0, 0, None
    _, place = np.unique(pairs.part, return_inverse=True)
    net = np.bincount(place, weights=np.sign(scale[pairs.second] - scale[pairs.first]))
    up, down = int((net > 0).sum()), int((net < 0).sum())
    return up, down, sign_test(up, down)


def _p(value: float | None) -> str:
    return "nothing differs" if value is None else chance(value)


def _alt(findings: Findings, number_: int) -> AltTest | None:
    labels, judge = (
        findings.material.labels_without_rule(number_, findings.asked.arm),
        findings.material.judge_labels(number_),
    )
    people = np.unique(labels.rater).tolist()
    if len(people) < MIN_CLINICIANS or not len(judge):
        return None
    test_result = alt_test(
        {findings.names[rater]: label_by_unit(labels.where(labels.rater == rater)) for rater in people},
        label_by_unit(judge),
        epsilon=EPSILON,
    )
    return test_result if test_result.against else None


def _alt_row(judge_agreement: JudgeAgreement, test: AltTest) -> tuple[str, ...]:
    wins = sum(each.wins for each in test.against)
    advantage = test.advantage_probability.value
    return (
        judge_agreement.question.criterion.name,
        f"{len(test.against)}",
        f"{wins} of {len(test.against)}",
        CANNOT if advantage is None else percent(advantage),
        {True: "yes", False: "no", None: CANNOT}[test.passes],
    )


def _icc(findings: Findings, number_: int) -> tuple[str, ...]:
    """Every clinician and the judge as raters, over the units that all of them scored."""
    labels, judge = (
        findings.material.labels_without_rule(number_, findings.asked.arm),
        findings.material.judge_labels(number_),
    )
    scale, k = findings.material.questions[number_].scale, len(findings.material.questions[number_].levels)
    raters = np.unique(labels.rater).tolist()
    units = {
        unit: at for at, unit in enumerate(np.unique(np.concatenate([labels.unit, judge.unit])).tolist())
    }
    rows: list[list[float | None]] = [[None] * (len(raters) + 1) for _ in units]
    for who, part in enumerate([*(labels.where(labels.rater == rater) for rater in raters), judge]):
        for unit, code in zip(part.unit.tolist(), part.code.tolist(), strict=True):
            if code < k:
                rows[units[unit]][who] = scale[code]
    icc_result = icc(rows)
    return (
        number(icc_result.estimate),
        limits(icc_result.estimate),
        f"{icc_result.rows:,}",
        f"{icc_result.left_out:,}",
    )
