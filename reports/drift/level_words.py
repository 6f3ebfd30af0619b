"""The judge's level beside the clinicians' over time, in sentences and a table: in levels of an ordered
scale, in points of failing labels of YES and NO.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from reports.document import Block, Panel, PanelPoint, Panels, Paragraph, Table
from reports.drift.agreement_by_date import PeriodView, scaled
from reports.wording import CANNOT, limits
from scoring.agreement.intervals.estimate import Estimate
from scoring.drift.judge_level import LevelStep
from scoring.drift.periods import EPOCH
from words.figures import decimal, signed_decimal
from words.plurals import count, inflect

NAME = "The judge compared with the clinicians"
READING = (
    "The line is the judge's level minus the clinicians' mean, wherever both answered a question. It is "
    "adjusted for strict and lenient clinicians, so that a change of clinicians does not look like a change "
    "in the judge. At 0, both give the same level. Bars are 95% intervals over conversations."
)


@dataclass(frozen=True)
class LevelScale:
    """How to write a share of a scale's range: times `factor`, with `digits`, in `unit` (`single` for
    exactly one).
    """

    factor: float
    digits: int
    unit: str
    single: str
    axis: str

    def size(self, value: float) -> str:
        """Return an amount without direction, such as "0.7 levels"."""
        shown = decimal(abs(self.factor * value), self.digits)
        return f"{shown} {inflect(float(shown), self.single, self.unit)}"

    @property
    def verb(self) -> str:
        return "gives" if self.factor < 0 else "rates"

    def change(self, value: float) -> str:
        """Return an amount with direction: "0.7 levels lower", "12 percentage points of failing labels
        more".
        """
        ways = ("fewer", "more") if self.factor < 0 else ("higher", "lower")
        return f"{self.size(value)} {ways[value < 0]}"

    def signed(self, value: float) -> str:
        """Return the number with its sign in this unit, without the unit."""
        return signed_decimal(self.factor * value, self.digits + 1)

    def of(self, estimate: Estimate) -> Estimate:
        """Return the estimate in this unit."""
        if estimate.value is None:
            return estimate
        ends = (
            None
            if estimate.low is None or estimate.high is None
            else sorted((self.factor * estimate.low, self.factor * estimate.high))
        )
        return replace(
            estimate,
            value=self.factor * estimate.value,
            low=ends[0] if ends else None,
            high=ends[1] if ends else None,
        )


def level_scale(shown: PeriodView) -> LevelScale:
    """Return how to write levels for the questions that both labelled.

    As levels if all scales are ordered with as many levels, as failing labels if none is ordered, else as a
    share of the scale.
    """
    questions = [shown.source.questions[number] for number in sorted({*shown.level_pairs.question.tolist()})]
    steps = {int((scaled(question) >= 0).sum()) - 1 for question in questions}
    if questions and all(question.ordinal for question in questions) and len(steps) == 1:
        return LevelScale(float(steps.pop()), 1, "levels", "level", "levels above the clinicians")
    if questions and not any(question.ordinal for question in questions):
        return LevelScale(
            -100.0,
            0,
            "percentage points of failing labels",
            "percentage point of failing labels",
            "percentage points more failing labels than clinicians",
        )
    return LevelScale(
        100.0,
        0,
        "% of the range of the scale",
        "% of the range of the scale",
        "% of the range of the scale above the clinicians",
    )


def level_sentences(shown: PeriodView) -> tuple[str, str]:
    """Return how the judge's level changed compared with the clinicians', and what limits that; the second is
    "" where the first says everything.

    ("NAME: not tested, REASON.", ""), ("NAME: no clear change of level (12 conversations).", ""), or
    "Since ..." with the size, and whether judge or clinicians moved as far as locked conversations tell.
    """
    finding, step, scale = shown.level, shown.step, level_scale(shown)
    if finding.untold is not None:
        return f"{NAME}: not tested, {finding.untold}.", ""
    if not finding.named or step.by is None or step.by.value is None:
        return f"{NAME}: no clear change of level ({count(finding.n, 'conversation', 'conversations')}).", ""
    mover, change = shown.mover
    if mover == "judge" and change is not None and change.value is not None:
        return (
            f"Since {_begins(shown)}, the judge {scale.verb} {scale.change(step.by.value)} than before.",
            f"That is relative to clinicians; on the locked set, it {scale.verb} "
            f"{scale.change(change.value)}.",
        )
    gap = f"Since {_begins(shown)}, {_describe_gap(scale, step, scale.size(step.by.value))}."
    if mover == "clinicians" and change is not None:
        stayed = scale.of(change)
        ends = f" ({limits(stayed, scale.digits + 1)})" if stayed.low is not None else ""
        return gap, (
            f"On the locked set of conversations, the judge's level hardly changed, by "
            f"{scale.signed(change.value or 0.0)}{ends}, so the clinicians or their cases changed."
        )
    return gap, "Only a locked set of conversations can show which of them changed."


def level_title(shown: PeriodView) -> str:
    """Return the title of the chart of levels.

    After NAME and a colon: "0.7 levels lower since PERIOD" for a significant step, else "no clear change of
    level", or "too early to say" if it was not tested.
    """
    finding, step, scale = shown.level, shown.step, level_scale(shown)
    if not finding.named or step.by is None or step.by.value is None:
        return f"{NAME}: " + ("no clear change of level" if finding.untold is None else "too early to say")
    return f"{NAME}: {scale.change(step.by.value)} since {_begins(shown)}"


def level_words(shown: PeriodView) -> Iterator[Block]:
    """Yield the sentences below the chart of levels: why it was not tested, or the size of a significant
    step with its interval, else neither; then how to read the chart.
    """
    step, scale = shown.step, level_scale(shown)
    if shown.level.untold is not None:
        yield Paragraph(f"{NAME}: not tested, {shown.level.untold}.")
    elif shown.level.named and step.by is not None and step.by.value is not None:
        by = scale.of(step.by)
        yield Paragraph(
            f"Within the same condition, the change since then is {scale.signed(step.by.value)} "
            f"{scale.unit} (95% interval {limits(by, scale.digits + 1)}). The starting day was chosen "
            "because it gives the largest change, so the true change may be smaller."
        )
    yield Paragraph(READING, "small")


def level_chart(shown: PeriodView) -> Panels:
    """Return how much higher or lower the judge rates than clinicians, period by period."""
    scale = level_scale(shown)
    return Panels(
        "level_over_time",
        level_title(shown),
        f"each {shown.length}",
        scale.axis,
        shown.periods.names,
        (Panel("", tuple(PanelPoint.of(scale.of(level)) for level in shown.levels)),),
        "labels",
        scale.digits + 1,
        0.0,
        "as clinicians",
        change=mark_change(shown),
    )


def level_table(shown: PeriodView) -> Table:
    """Return the numbers of the chart of levels as a table."""
    scale = level_scale(shown)
    rows = [
        (
            name,
            f"{level.n:,}",
            f"{level.conversations or 0:,}",
            f"{CANNOT}: {level.undefined}" if level.value is None else scale.signed(level.value),
            limits(scale.of(level), scale.digits + 1),
        )
        for name, level in zip(shown.periods.names, shown.levels, strict=True)
    ]
    return Table(
        "level_over_time",
        f"Judge minus clinicians by {shown.length}, in {scale.unit}",
        (
            shown.column,
            "Labels compared",
            "Conversations or persons",
            "Judge minus clinicians",
            "95% interval",
        ),
        rows,
        (1, 2, 3),
    )


def step_period(shown: PeriodView) -> int | None:
    """Return the position of the period in which a significant step begins; None without one."""
    if not shown.level.named or shown.step.day is None:
        return None
    starts = [
        number for number, first in enumerate(shown.periods.first) if (first - EPOCH).days <= shown.step.day
    ]
    return starts[-1] if starts else None


def mark_change(shown: PeriodView) -> tuple[int, str] | None:
    """Return the period in which a significant step of the level begins, and what changes then in a few
    words; None without one.
    """
    at = step_period(shown)
    if at is None or shown.step.by is None or shown.step.by.value is None:
        return None
    scale = level_scale(shown)
    falls = scale.factor * shown.step.by.value < 0
    levels = f"{'fewer' if falls else 'more'} failing labels" if scale.factor < 0 else ""
    levels = levels or f"{'lower' if falls else 'higher'} levels"
    return at, f"judge: {levels} from here" if shown.mover[0] == "judge" else "gap to clinicians changes here"


def _begins(shown: PeriodView) -> str:
    at = step_period(shown)
    return "" if at is None else shown.begin_names[at]


def _describe_gap(scale: LevelScale, step: LevelStep, size: str) -> str:
    """Whether it grew or shrank; where the judge only changed sides, from where to where."""
    before, after = step.before or 0.0, step.after or 0.0
    grown = abs(after) - abs(before)
    if abs(grown) < abs(after - before) / 2:
        return (
            f"the difference between judge and clinicians has shifted by {size}, from {scale.signed(before)} "
            f"to {scale.signed(after)}"
        )
    return f"the gap between judge and clinicians has {'widened' if grown > 0 else 'narrowed'} by {size}"
