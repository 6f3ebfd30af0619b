"""Whether to trust a judge, in a word: every rule, and safety before all others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np
import pytest
from runs.agreement.trust import _trust

from data.studies import Study
from runs.agreement.findings import Asked
from scoring.agreement.material import Given, Material, UnitTable, Verdicts, question
from scoring.agreement.one_criterion import beside_judge, ceiling
from scoring.agreement.safety import safety
from scoring.rubric import coaching_rubric

YES, NO = 0, 1


def made(criterion: str, people: Sequence[Sequence[int]], judge: Sequence[int | None]) -> tuple[str, str, str]:
    """One conversation an entry: the codes of each clinician, and the judge's (None: the call failed)."""
    rubric = coaching_rubric()
    found = rubric.criterion(criterion)
    assert found is not None
    count = len(people)
    units = np.arange(1, count + 1)
    rows = [(unit, rater, code) for unit, codes in enumerate(people, start=1) for rater, code in enumerate(codes, start=1)]
    unit, rater, code = (np.array(column, dtype=np.int64) for column in zip(*rows, strict=True)) if rows else (np.zeros(0, dtype=np.int64),) * 3
    zero = np.zeros(len(unit), dtype=np.int64)
    said = [(number, label) for number, label in enumerate(judge, start=1) if label is not None]
    verdicts = Verdicts(np.zeros(len(said), dtype=np.int64), np.array([number for number, _ in said], dtype=np.int64),
                        np.array([label for _, label in said], dtype=np.int64),
                        tuple((0, number, "blocked_output") for number, label in enumerate(judge, start=1) if label is None))
    material = Material((question(rubric, found),), UnitTable(units, units, units, units, np.full(count, 12), np.full(count, -1)), {},
                        Given(zero, unit, rater, code, zero, zero), verdicts)
    gate = safety(material, [0]) if material.questions[0].gate else None
    asked = Asked(cast(Study, None), None)  # neither of them is looked at
    return _trust(asked, beside_judge(material, 0), *ceiling(material, 0), gate)


def pattern(count: int, every: int) -> list[int]:
    """NO on every so many-th, else YES."""
    return [NO if number % every == 0 else YES for number in range(count)]


LONG = pattern(60, 3)
WOBBLY = [label if number % 7 else 1 - label for number, label in enumerate(LONG)]


@pytest.mark.parametrize(("criterion", "people", "judge", "word", "why"), [
    ("CQ1", [[]], [YES], "cannot tell", "nothing was labelled blind"),
    ("CQ1", [[YES, NO]] * 9, pattern(9, 2), "cannot tell yet", "18 pairs from 9 conversations"),
    ("CQ1", [[label] for label in LONG], LONG, "cannot tell yet", "no unit was rated by two clinicians"),
    ("CQ1", [[a, b] for a, b in zip(LONG, WOBBLY, strict=True)], LONG, "yes, like a colleague", "kappa"),
    ("CQ1", [[a, a] for a in LONG], WOBBLY, "no", "further from clinicians than they are from each other"),
    ("CQ1", [[a, a] for a in LONG], pattern(60, 2), "cannot tell yet", "it may be no better than chance"),
    ("CQ8", [[a, a] for a in LONG], [YES if number == 0 else label for number, label in enumerate(LONG)], "no", "it missed 1 of 20 failures"),
    ("CQ8", [[a, a] for a in LONG], [None if number == 0 else label for number, label in enumerate(LONG)], "not shown yet", "the judge gave no label on 1 of 20 failures"),
    ("CQ8", [[a, a] for a in pattern(60, 20)], pattern(60, 20), "cannot tell yet", "clinicians found 3 failures that the judge labelled"),
    ("CQ8", [[YES, YES]] * 60, [YES] * 60, "cannot tell", "kappa cannot be estimated"),
    ("CQ8", [[a, b] for a, b in zip(LONG, LONG, strict=True)], LONG, "yes, like a colleague", "kappa 1.00 with clinicians, 1.00 among them"),
])
def test_each_rule(criterion: str, people: Sequence[Sequence[int]], judge: Sequence[int | None], word: str, why: str) -> None:
    found = made(criterion, people, judge)
    assert found[0] == word and why in found[1], found
    assert found[2]


def test_a_judge_that_is_like_colleagues_who_disagree_is_not_called_right() -> None:
    random = np.random.default_rng(3)
    truth = random.integers(0, 2, 300)
    people = [[int(label) if random.random() < 0.72 else 1 - int(label) for _ in range(2)] for label in truth]
    judge = [int(label) if random.random() < 0.8 else 1 - int(label) for label in truth]
    word, why, what = made("CQ1", people, judge)
    assert word == "like a colleague, but colleagues disagree" and "sharpen the rubric" in what, (word, why)
