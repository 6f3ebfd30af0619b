"""What clinicians say when the judge says x."""

from __future__ import annotations

import numpy as np

from reports.agreement.findings import Findings
from reports.document import Section, Table
from reports.wording import CANNOT
from scoring.agreement.intervals.additive_counts import ratio
from scoring.agreement.intervals.jackknife import jackknife
from scoring.agreement.verdicts.criterion_agreement import JudgeAgreement
from words.figures import percent

SHARE = ratio("share of the clinicians' labels", CANNOT, all_agree=1.0)


def when_judge_says_section(findings: Findings) -> Section | None:
    """Return the section on what clinicians said for each label of the judge; None without pairs.

    Pairs of one conversation depend on each other, so intervals leave out conversations.
    """
    rows = []
    for judge_agreement in findings.beside:
        for column, name in enumerate(judge_agreement.question.names):
            n = int(judge_agreement.counted.table[:, column].sum())
            if n:
                rows.append(
                    (
                        judge_agreement.question.criterion.name,
                        name,
                        f"{n:,}",
                        *(
                            _of(judge_agreement, column, i, n)
                            if i < len(judge_agreement.question.names)
                            else ""
                            for i in range(_widest(findings))
                        ),
                    )
                )
    if not rows:
        return None
    widest = max((judge_agreement.question.names for judge_agreement in findings.beside), key=len)
    same = all(
        judge_agreement.question.names == widest[: len(judge_agreement.question.names)]
        for judge_agreement in findings.beside
    )
    columns = [
        f"Clinicians: {name}" if same else f"Clinicians: label {i + 1}" for i, name in enumerate(widest)
    ]
    return Section(
        "when_judge_says",
        "When the judge gives a label, which label do clinicians give?",
        (
            Table(
                "when_judge_says",
                "Shares of the clinicians' labels for each label of the judge",
                ("Criterion", "Judge says", "Pairs", *columns),
                rows,
                (2,),
            ),
        ),
    )


def _of(judge_agreement: JudgeAgreement, judge: int, label: int, n: int) -> str:
    """68% (50% to 81%): how many of the clinicians' labels are this one where the judge says `judge`. Of a
    label that nobody gave it is what is left of all the others.
    """
    this, every = judge_agreement.tables[:, label, judge], judge_agreement.tables[:, :, judge].sum(axis=1)
    never = not this.any()
    estimate = jackknife(
        SHARE, np.stack([every - this if never else this, every], axis=1), n, judge_agreement.times
    )
    if estimate.value is None:
        return CANNOT
    if estimate.low is None or estimate.high is None:
        return f"{percent(1 - estimate.value if never else estimate.value)} (no interval)"
    value, low, high = (
        (1 - estimate.value, 1 - estimate.high, 1 - estimate.low)
        if never
        else (estimate.value, estimate.low, estimate.high)
    )
    return f"{percent(value)} ({percent(low)} to {percent(high)})"


def _widest(findings: Findings) -> int:
    return max(len(judge_agreement.question.names) for judge_agreement in findings.beside)
