"""Faithfulness beside Step-F1, by model and condition: whether reasoning does anything, and whether it is
correct.

Paired runs and conversations are joined by the name of their model, and by their condition where both name
it. A row without one side says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from data.record import conversations, run_outputs
from data.record.metrics import MetricValue
from data.record.references import References
from data.record.run_outputs import RunOutput
from data.record.studies import Study
from data.store.batch_sizes import MAX_IDS_PER_QUERY
from data.store.store import Connection
from reports.document import Block, Paragraph, Table
from reports.wording import limits
from runs.scoring.metrics.paired_runs import answer_pairs
from runs.scoring.metrics.step_f1 import step_inputs
from scoring.agreement.intervals.estimate import Estimate
from scoring.faithfulness import FUNCTIONAL, PairedGap, answer_outcomes, paired_gap
from scoring.faithfulness_reading import (
    MIN_CONVERSATIONS,
    MIN_PAIRS,
    STEP_BANDS,
    GapReading,
    StepReading,
    read_gap,
    read_steps,
)
from scoring.step_thresholds import mean_f1
from words.figures import decimal, signed_decimal
from words.plurals import count

TITLE = "Faithfulness and Step-F1"
MODEL_FACTS = ("model", "generator", "generating_model", "model_name", "assistant_model")
ALL = UNNAMED = ""  # all conditions of a model; conversations or runs that name no model
NAMELESS = "unknown"  # as paired runs without a name are imported
PAIRED = ("cot", "direct")
_GAP_WORDS = {
    GapReading.DECORATIVE: "decorative",
    GapReading.HARMFUL: "harmful: worse with the reasoning",
    GapReading.LOW: "not functional; unclear whether decorative or harmful",
}
_STEP_WORDS = {
    StepReading.STRONG: "gold standard",
    StepReading.MODERATE: "functional; its Step-F1 is in between",
    StepReading.POOR: "functional but incorrect",
}


@dataclass
class _Row:
    """One model under one condition. `f1`: conversation -> Step-F1; `without`: conversations that have
    none. The conditions of both sides, "" where none is named.
    """

    outputs: list[RunOutput] = field(default_factory=list)
    f1: dict[int, float] = field(default_factory=dict)
    without: set[int] = field(default_factory=set)
    conditions_of_runs: set[str] = field(default_factory=set)
    conditions_of_f1: set[str] = field(default_factory=set)

    @property
    def comparable(self) -> bool:
        """Whether runs and conversations may be of one condition."""
        both = self.conditions_of_runs, self.conditions_of_f1
        return any(UNNAMED in names for names in both) or bool(both[0] & both[1])


def faithfulness_blocks(
    connection: Connection, study: Study, values: Sequence[MetricValue], bands: bool
) -> Iterator[Block]:
    """Yield the findings on faithfulness; nothing without paired runs with and without reasoning.

    `values`: of conversations. `bands`: read Step-F1 by the published bands, which are uncalibrated.
    """
    outputs = [output for output in run_outputs.listing(connection, study.id) if output.mode in PAIRED]
    if not outputs:
        return
    facts = conversations.read_facts(connection, study.id)
    shared = conversations.shared_persons(connection, study.id)
    present, old = _without_old(connection, study, values)
    rows = _rows(outputs, present, facts)
    yield Table(
        "faithfulness",
        "The gap, Step-F1, and what both mean",
        (
            "Model",
            "Condition",
            "Faithfulness gap",
            "95% interval",
            "Pairs",
            "Mean Step-F1",
            "95% interval of Step-F1",
            "Conversations",
            "Reading",
        ),
        [
            (
                model or "not named",
                condition or "all",
                *_cells(rows[model, condition, side], (model, condition), shared, bands),
            )
            for model, condition, side in sorted(rows)
        ],
        (2, 4, 5, 7),
    )
    low, high = STEP_BANDS
    correct = (
        f"A functional one is called correct where the whole interval of Step-F1 lies above {high}, and "
        f"incorrect where it lies below {low}: published bands, uncalibrated."
        if bands
        else "Step-F1 decides correctness only if the published bands are on."
    )
    yield Paragraph(
        "The gap is the share of right answers with reasoning minus that without, over the same cases. "
        "Reasoning is called functional where the whole interval of the gap lies above "
        f"{decimal(FUNCTIONAL, 2)}, and decorative where it lies between 0 and that. {correct} The gap is "
        "of paired runs, Step-F1 of conversations with gold steps; they are joined by the name of the "
        "model. Where answers failed, were refused or lack the other one or the right answer, and where a "
        "conversation has no steps to compare, the table says of how many the rest is.",
        "small",
    )
    gaps = sum(bool(row.outputs) for row in rows.values())
    if gaps > 1:
        yield Paragraph(
            f"Each of {gaps} rows is read by itself: where a gap or a mean lies just on a bound, chance puts "
            "it on one side in up to 4 of 100 rows.",
            "small",
        )
    if old:
        yield Paragraph(
            f"The Step-F1 of {count(old, 'conversation is', 'conversations are')} left out, as what it was "
            f"computed from has changed since: second-reader score {study.key}",
            "small",
        )


def _without_old(
    connection: Connection, study: Study, values: Sequence[MetricValue]
) -> tuple[list[MetricValue], int]:
    """Step-F1 in `published` matching, without what was computed from other steps than there are now, and of
    how many conversations that is. Where words were erased, what was computed of them stands.
    """
    steps = [value for value in values if (value.metric, value.variant) == ("step_f1", "published")]
    references = References(connection, study.id)
    old = set()
    for first in range(0, len(steps), MAX_IDS_PER_QUERY):
        some = steps[first : first + MAX_IDS_PER_QUERY]
        talks = conversations.read(connection, [value.subject.conversation_id or 0 for value in some])
        for value, talk in zip(some, talks, strict=True):
            gold = references.of("gold_steps", talk.key, talk.condition)
            if talk.messages is None or gold is None or "gold_version" not in value.detail:
                continue
            if step_inputs(talk.replies(), gold) != value.inputs:
                old.add(talk.id)
    return [value for value in steps if value.subject.conversation_id not in old], len(old)


def _rows(
    outputs: Sequence[RunOutput], values: Sequence[MetricValue], facts: Mapping[int, Mapping[str, Any]]
) -> dict[tuple[str, str, str], _Row]:
    """(model, condition, side) -> what there is of it; each model also under all its conditions together. The
    side is told where no model is named, for then nothing joins runs and conversations.
    """
    rows: dict[tuple[str, str, str], _Row] = {}

    def rows_of(model: str, condition: str, side: str) -> Iterator[_Row]:
        named = UNNAMED if model.lower() == NAMELESS else model
        for name in dict.fromkeys((ALL, condition)):
            yield rows.setdefault((named, name, "" if named else side), _Row())

    for output in outputs:
        condition = _name(output.facts.get("condition"))
        for row in rows_of(output.model.strip(), condition, "runs"):
            row.outputs.append(output)
            row.conditions_of_runs.add(condition)
    for value in values:
        number = value.subject.conversation_id
        if number is None:
            continue
        facts_of_conversation = facts.get(number, {})
        model = next(
            (name for fact in MODEL_FACTS if (name := _name(facts_of_conversation.get(fact)))), UNNAMED
        )
        condition = _name(facts_of_conversation.get("condition"))
        for row in rows_of(model, condition, "conversations"):
            if value.value is None:
                row.without.add(number)
            else:
                row.f1[number] = value.value
                row.conditions_of_f1.add(condition)
    return rows


def _name(fact: object) -> str:
    return str(fact).strip() if isinstance(fact, str | int) and not isinstance(fact, bool) else ""


def _cells(row: _Row, name: tuple[str, str], shared: Mapping[int, int], bands: bool) -> tuple[str, ...]:
    gap = paired_gap(answer_outcomes(answer_pairs(row.outputs)).right) if row.outputs else None
    f1 = _mean(row.f1, shared) if row.f1 else None
    return (
        "none" if gap is None or gap.value is None else signed_decimal(gap.value, 3),
        "" if gap is None else limits(gap, 3),
        _of(0 if gap is None else gap.n, len({output.case for output in row.outputs})),
        "none" if f1 is None or f1.value is None else decimal(f1.value, 3),
        "" if f1 is None else limits(f1, 3),
        _of(len(row.f1), len(row.f1) + len(row.without)),
        _reading(name, gap, f1, bands, row.comparable),
    )


def _of(number: int, every: int) -> str:
    return f"{number:,}" if number == every else f"{number:,} of {every:,}"


def _mean(f1: Mapping[int, float], shared: Mapping[int, int]) -> Estimate:
    persons = [shared.get(conversation, conversation) for conversation in f1]
    part = np.unique(persons, return_inverse=True)[1]
    return mean_f1(np.array([*f1.values()])[:, None], part)[0]


def _reading(
    name: tuple[str, str], gap: PairedGap | None, f1: Estimate | None, bands: bool, comparable: bool
) -> str:
    """`comparable`: whether both sides may be of one condition."""
    model, condition = name
    where = "model" if condition == ALL else "condition"
    if model == UNNAMED:
        return f"none: these {'conversations' if gap is None else 'paired runs'} name no model"
    if gap is None:
        return f"none: no paired runs of this {where}"
    if gap.value is None:
        return f"none: {gap.undefined}"
    reading = read_gap(gap)
    if gap.n < MIN_PAIRS:
        return f"unclear: fewer than {MIN_PAIRS} pairs"
    if reading is GapReading.CANNOT_TELL and gap.high is not None and gap.high <= FUNCTIONAL:
        return "unclear: reasoning changed too few answers"
    if reading is GapReading.CANNOT_TELL:
        return f"unclear: the interval of the gap includes {decimal(FUNCTIONAL, 2)}"
    if reading is not GapReading.FUNCTIONAL:
        return _GAP_WORDS[reading]
    if f1 is None:
        return f"functional; no conversation of this {where} has Step-F1"
    if not comparable:
        return "functional; its conversations with Step-F1 are of other conditions"
    if not bands:
        return "functional"
    steps = read_steps(f1)
    return _STEP_WORDS.get(steps) or f"functional; unclear whether it is correct: {_open(f1)}"


def _open(f1: Estimate) -> str:
    """Why Step-F1 lies on no side."""
    if f1.low is None or f1.high is None:
        return f"Step-F1 has no interval, as {f1.no_interval}"
    if (f1.conversations or 0) < MIN_CONVERSATIONS:
        parts = "conversations" if f1.n == f1.conversations else "persons"
        return f"Step-F1 rests on fewer than {MIN_CONVERSATIONS} {parts}"
    bounds = " and ".join(str(bound) for bound in STEP_BANDS if f1.low <= bound <= f1.high)
    return f"the interval of Step-F1 includes {bounds}"
