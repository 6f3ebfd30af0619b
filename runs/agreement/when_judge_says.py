"""What clinicians say when the judge says x."""

from __future__ import annotations

import numpy as np

from runs.agreement.document import Section, Table
from runs.agreement.findings import Findings
from runs.agreement.words import CANNOT
from scoring.agreement.additive import ratio
from scoring.agreement.jackknife import jackknife
from scoring.agreement.one_criterion import JudgeBeside
from scoring.figures import percent

SHARE = ratio("share of the clinicians' labels", CANNOT, all_agree=1.0)


def when_judge_says_section(found: Findings) -> Section | None:
    """What clinicians said when the judge said x. Pairs of one conversation lean on each other, so intervals
    leave out conversations.
    """
    rows = []
    for one in found.beside:
        for column, name in enumerate(one.question.names):
            n = int(one.counted.table[:, column].sum())
            if n:
                rows.append(
                    (
                        one.question.criterion.name,
                        name,
                        f"{n:,}",
                        *(
                            _of(one, column, i, n) if i < len(one.question.names) else ""
                            for i in range(_widest(found))
                        ),
                    )
                )
    if not rows:
        return None
    widest = max((one.question.names for one in found.beside), key=len)
    same = all(one.question.names == widest[: len(one.question.names)] for one in found.beside)
    columns = [
        f"Clinicians: {name}" if same else f"Clinicians: label {i + 1}" for i, name in enumerate(widest)
    ]
    return Section(
        "when_judge_says",
        "When the judge says x, what do clinicians say?",
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


def _of(one: JudgeBeside, judge: int, label: int, n: int) -> str:
    """68% (50% to 81%): how many of the clinicians' labels are this one where the judge says `judge`. Of a
    label that nobody gave it is what is left of all the others.
    """
    this, every = one.tables[:, label, judge], one.tables[:, :, judge].sum(axis=1)
    never = not this.any()
    found = jackknife(SHARE, np.stack([every - this if never else this, every], axis=1), n, one.times)
    if found.value is None:
        return CANNOT
    if found.low is None or found.high is None:
        return f"{percent(1 - found.value if never else found.value)} (no interval)"
    value, low, high = (
        (1 - found.value, 1 - found.high, 1 - found.low) if never else (found.value, found.low, found.high)
    )
    return f"{percent(value)} ({percent(low)} to {percent(high)})"


def _widest(found: Findings) -> int:
    return max(len(one.question.names) for one in found.beside)
