"""What is said of the judge's level beside the clinicians', of studies that come out of a store."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from data.store.store import Store
from reports.document import Paragraph
from reports.drift import what_moved
from reports.drift.agreement_by_date import PeriodView
from reports.drift.level_words import (
    level_chart,
    level_scale,
    level_sentences,
    level_table,
    level_title,
    level_words,
    mark_change,
    step_period,
)
from scoring.arrays import IntArray
from scoring.drift.judge_movement import AnchorAnswers
from scoring.drift.periods import EPOCH
from tests.studies.dated_study import BEGINS, put
from tests.studies.simulated_studies import Simulated, simulate
from tests.unit.reports.drift.test_period_agreement import read_labels, source

SEED = 3
LATE = 42  # days: the seventh of twelve weeks


def lowered(made: Simulated, by: float = 0.5) -> Simulated:
    """The judge gives a level less in the second half, where there is one."""
    judge = made.evidence.judge
    late = made.evidence.cases.day[judge.case] >= LATE
    return replace(
        made,
        evidence=replace(made.evidence, judge=replace(judge, level=np.clip(judge.level - by * late, 0, 1))),
    )


def shown(store: Store, made: Simulated, by: str | None = "condition") -> PeriodView:
    return PeriodView(source(store, put(store, made)), "rated", by, "week")


def anchored(found: PeriodView, late: float) -> PeriodView:
    """Twelve anchors at 0.5 before the change, then `late`."""
    talk, day = np.tile(np.arange(12), 2), np.repeat([BEGINS + 7, BEGINS + 70], 12)
    anchors = AnchorAnswers(
        talk, np.zeros(24, dtype=np.int64), day, np.repeat([0.5, late], 12), np.ones(24, dtype=bool)
    )
    return replace(found, source=replace(found.source, anchors=anchors))


def in_full(view: PeriodView) -> str:
    return " ".join(filter(None, level_sentences(view)))


def test_a_judge_that_gives_less_from_a_week_on_is_said_first_and_with_its_week(store: Store) -> None:
    period_view = shown(store, lowered(simulate("none", SEED)))
    assert period_view.level.direction == -1 and period_view.level.named and period_view.level.kind == "level"
    sentence = in_full(period_view)
    assert (
        sentence
        == "Since the week of 16 February 2026, the gap between judge and clinicians has widened by 0.7 levels. "
        "Only a locked set of conversations can show which of them changed."
    )
    first = next(iter(what_moved.blocks(period_view)))
    assert isinstance(first, Paragraph) and (first.text, first.tone) == (sentence, "strong")
    assert (
        level_title(period_view)
        == "The judge compared with the clinicians: 0.7 levels lower since the week of 16 February 2026"
    )
    assert step_period(period_view) == 6 and (period_view.periods.first[6] - EPOCH).days == BEGINS + LATE
    assert mark_change(period_view) == (6, "gap to clinicians changes here")
    assert level_chart(period_view).change == mark_change(period_view)
    first_block = next(iter(level_words(period_view)))
    assert (
        isinstance(first_block, Paragraph)
        and first_block.text.startswith("Within the same condition, the change since then is -0.7")
        and "95% interval -0." in first_block.text
    )
    table = level_table(period_view)
    values = [float(str(row[3])) for row in table.rows]
    assert len(values) == 12 and max(values[6:]) < min(values[:6]) and "in levels" in table.caption
    row = next(
        row
        for row in what_moved.table(period_view).rows
        if row[0] == "The judge compared with the clinicians"
    )
    assert row[2] == "changed" and float(str(row[5]).replace("below ", "")) >= float(
        str(row[4]).replace("below ", "")
    )


def test_anchors_say_which_of_the_two_it_was(store: Store) -> None:
    period_view = shown(store, lowered(simulate("none", SEED)))
    assert level_sentences(anchored(period_view, 0.0)) == (
        "Since the week of 16 February 2026, the judge rates 0.7 levels lower than before.",
        "That is relative to clinicians; on the locked set, it rates 1.0 level lower.",
    )
    assert mark_change(anchored(period_view, 0.0)) == (6, "judge: lower levels from here")
    assert mark_change(anchored(period_view, 0.5)) == (6, "gap to clinicians changes here")
    steady = in_full(anchored(period_view, 0.5))
    assert steady.startswith(
        "Since the week of 16 February 2026, the gap between judge and clinicians has widened by 0.7 levels. "
        "On the locked set of conversations, the judge's level hardly changed, by 0.00, so the clinicians or"
    )
    assert in_full(anchored(period_view, 1.0)).endswith(
        "Only a locked set of conversations can show which of them changed."
    )


def test_a_judge_that_comes_nearer_is_not_said_to_move_apart(store: Store) -> None:
    made = simulate("none", SEED)
    judge = made.evidence.judge
    early = made.evidence.cases.day[judge.case] < LATE
    near = replace(
        made,
        evidence=replace(made.evidence, judge=replace(judge, level=np.clip(judge.level - 0.5 * early, 0, 1))),
    )
    assert "narrowed by" in in_full(shown(store, near))


def test_a_judge_that_goes_to_the_other_side_of_the_clinicians_is_said_to_shift(store: Store) -> None:
    view = shown(store, lowered(simulate("none", SEED)))
    step = replace(view.step, before=0.2, after=-0.15)
    view.__dict__["step"] = step
    assert step.by is not None and step.by.value is not None
    assert (
        f"the difference between judge and clinicians has shifted by {level_scale(view).size(step.by.value)}, "
        "from +0.40 to -0.30." in in_full(view)
    )


def test_of_yes_and_no_it_speaks_of_failing_labels_and_of_other_scales_of_their_range(store: Store) -> None:
    study = put(store, lowered(simulate("none", SEED)))
    period_view, material = (
        PeriodView(source(store, study), "rated", "condition", "week"),
        read_labels(store, study),
    )

    def of(which: int) -> PeriodView:
        """The first `which` questions as YES and NO."""

        def cut(question: IntArray, code: IntArray) -> IntArray:
            return np.where(question < which, np.minimum(code, 1), code)

        asked = tuple(
            replace(
                question,
                ordinal=False,
                domain=question.domain[:2],
                names=question.names[:2],
                values=question.values[:2],
            )
            if number < which
            else question
            for number, question in enumerate(material.questions)
        )
        given, judge = material.given, material.judge
        given = replace(given, code=cut(given.question, given.code))
        judge = replace(judge, code=cut(judge.question, judge.code))
        changed = replace(material, questions=asked, given=given, judge=judge)
        return replace(period_view, source=source(store, study, material=changed))

    assert level_scale(period_view).unit == "levels"
    nominal = of(len(material.questions))
    scale = level_scale(nominal)
    assert (
        scale.unit == "percentage points of failing labels"
        and scale.signed(-0.12) == "+12.0"
        and scale.size(0.12) == "12 " + scale.unit
    )
    assert "widened by 37 percentage points of failing labels." in in_full(nominal)
    assert " percentage points of failing labels more since the week of " in level_title(nominal)
    assert level_scale(of(1)).unit == "% of the range of the scale"


@pytest.mark.parametrize("weeks", [1, 3])
def test_too_little_is_told_with_its_reason(store: Store, weeks: int) -> None:
    found = PeriodView(
        source(store, put(store, simulate("none", 1), weeks=weeks)), "rated", "condition", "week"
    )
    assert level_title(found).startswith("The judge compared with the clinicians: ")
    assert in_full(found).startswith(
        "The judge compared with the clinicians: "
        + ("not tested, they fall on only 5 days" if weeks == 1 else "no clear")
    )
