"""What the page says of the rounds in which a judge labelled the fixed conversations."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from reports.drift.anchor_rounds import marks_sentence


def a_round(number: int, days: Any = (1, 2), right: Any = 0.5) -> Any:
    return SimpleNamespace(number=number or None, days=days, right=SimpleNamespace(value=right))


@pytest.mark.parametrize(
    ("marks", "sentence"),
    [
        ([(7, 1), (7, 2)], ""),
        ([(7, 0), (7, 1)], "One mark shows the judge's labels in the study; the other is round 1."),
        (
            [(7, 0), (7, 1), (7, 2), (7, 3)],
            "One mark shows the judge's labels in the study; the others are rounds 1 to 3.",
        ),
        (
            [(7, 0), (7, 1), (7, 2), (7, 4)],
            "One mark shows the judge's labels in the study; the others are rounds 1, 2 and 4.",
        ),
        (
            [(7, 0), (7, 1), (8, 1)],
            "A judge's labels in the study have their own mark, next to those of its rounds.",
        ),
        ([(7, 0)], "The mark is for labels in the study."),
        ([(7, 0), (8, 0)], "The marks are for labels in the study."),
    ],
)
def test_each_mark_is_said_to_be_what_it_is(marks: list[tuple[int, int]], sentence: str) -> None:
    """`marks`: judge and round of each; round 0 are its labels in the study."""
    rows: Any = [SimpleNamespace(judge_id=judge, round=a_round(number)) for judge, number in marks]
    assert marks_sentence(rows) == sentence
    imported: Any = SimpleNamespace(judge_id=7, round=a_round(0, days=None))
    empty: Any = SimpleNamespace(judge_id=7, round=a_round(9, right=None))
    assert marks_sentence([imported, *rows, empty]) == sentence, "what is not drawn has no mark"
