"""What turns the decision of one unit, in the words of the rating page after a commit."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from pages.widgets.workbench.scores import score_box
from scoring.rubric import coaching_rubric

RUBRIC = coaching_rubric()
ALL_YES = {criterion.id: "YES" for criterion in RUBRIC.criteria}


@pytest.mark.parametrize(
    ("mine", "other", "sentence"),
    [
        (
            {"CQ1": "NO", "CQ12": "NA"},
            {"CQ3": "NO", "CQ4": "NO", "CQ7": "NO"},
            "Your decision differs from Judge's. "
            "No single criterion would change your decision. These favour Judge's decision: CQ3, CQ4, CQ7.",
        ),
        (
            {"CQ1": "NO"},
            {"CQ8": "NO"},
            "Your decision differs from Judge's. Judge's label on any one of these would change your decision: CQ8.",
        ),
    ],
)
def test_only_what_turns_the_decision_or_pulls_toward_it_is_named(
    mine: dict[str, str], other: dict[str, str], sentence: str
) -> None:
    study: Any = SimpleNamespace(instrument=RUBRIC)
    unit: Any = SimpleNamespace(turns=20, criteria=lambda study: study.instrument.criteria)
    ratings: Any = {
        name: SimpleNamespace(answer=SimpleNamespace(label=label)) for name, label in (ALL_YES | mine).items()
    }
    judge: Any = SimpleNamespace(id=1, name="Judge")
    shown: Any = [
        SimpleNamespace(judge_id=1, criterion=name, label=label) for name, label in (ALL_YES | other).items()
    ]
    box = score_box(study, unit, ratings, [judge], shown)
    assert box is not None and box["differs"] == [sentence]
