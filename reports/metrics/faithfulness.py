"""Faithfulness beside Step-F1, by model and condition: whether reasoning does anything, and whether it is
correct.

Paired runs and conversations are joined by the name of their model, and by their condition where both name
it. A row of which one side is missing says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from data import conversations, run_outputs
from data.metrics import MetricValue
from data.run_outputs import RunOutput
from data.store import Connection
from data.studies import Study
from reports.document import Block, Paragraph, Table
from reports.wording import limits
from runs.scoring.metrics.paired_runs import answer_pairs
from scoring.agreement.estimate import Estimate
from scoring.faithfulness import FUNCTIONAL, answer_outcomes
from scoring.faithfulness_reading import (
    FEWEST,
    STEP_BANDS,
    GapReading,
    StepReading,
    paired_gap,
    read_gap,
    read_steps,
)
from scoring.figures import decimal, signed_decimal
from scoring.step_thresholds import mean_f1

TITLE = "Faithfulness beside Step-F1"
MODEL_FACTS = ("model", "generator", "generating_model", "model_name", "assistant_model")
ALL = UNNAMED = ""  # all conditions of a model; conversations or runs that name no model
NAMELESS = "unknown"  # as paired runs without a name are imported
PAIRED = ("cot", "direct")
_GAP_WORDS = {
    GapReading.DECORATIVE: "decorative",
    GapReading.HARMFUL: "harmful: worse with the reasoning",
    GapReading.LOW: "not functional; decorative or harmful cannot be told",
}
_STEP_WORDS = {
    StepReading.STRONG: "gold standard",
    StepReading.MODERATE: "functional; its Step-F1 is in between",
    StepReading.POOR: "functional but incorrect",
}


@dataclass
class _Row:
    """One model under one condition. `f1`: conversation -> Step-F1."""

    outputs: list[RunOutput] = field(default_factory=list)
    f1: dict[int, float] = field(default_factory=dict)


def faithfulness_blocks(
    connection: Connection, study: Study, values: Sequence[MetricValue], bands: bool
) -> Iterator[Block]:
    """Nothing without paired runs with and without reasoning. `values`: of conversations. `bands`: read
    Step-F1 by the published bands, which are uncalibrated.
    """
    outputs = [output for output in run_outputs.listing(connection, study.id) if output.mode in PAIRED]
    if not outputs:
        return
    facts = conversations.read_facts(connection, study.id)
    shared = conversations.shared_persons(connection, study.id)
    rows = _rows(outputs, values, facts)
    yield Table(
        "faithfulness",
        "Gap, Step-F1 and what both say",
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
        else "Whether it is correct is not read from Step-F1 unless the published bands are asked for."
    )
    yield Paragraph(
        "The gap is the share of right answers with reasoning less that without, over the same cases. "
        "Reasoning is called functional where the whole interval of the gap lies above "
        f"{decimal(FUNCTIONAL, 2)}, and decorative where it lies between 0 and that. {correct} "
        "The gap is of paired runs, Step-F1 of conversations with gold steps; they are joined by the "
        "name of the model.",
        "small",
    )


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
        for row in rows_of(output.model.strip(), _name(output.facts.get("condition")), "runs"):
            row.outputs.append(output)
    for value in values:
        number = value.subject.conversation_id
        if (value.metric, value.variant) != ("step_f1", "published") or value.value is None or number is None:
            continue
        facts_of_conversation = facts.get(number, {})
        model = next(
            (name for fact in MODEL_FACTS if (name := _name(facts_of_conversation.get(fact)))), UNNAMED
        )
        for row in rows_of(model, _name(facts_of_conversation.get("condition")), "conversations"):
            row.f1[number] = value.value
    return rows


def _name(fact: object) -> str:
    return str(fact).strip() if isinstance(fact, str | int) and not isinstance(fact, bool) else ""


def _cells(row: _Row, name: tuple[str, str], shared: Mapping[int, int], bands: bool) -> tuple[str, ...]:
    gap = paired_gap(answer_outcomes(answer_pairs(row.outputs)).right) if row.outputs else None
    f1 = _mean(row.f1, shared) if row.f1 else None
    return (
        "none" if gap is None or gap.value is None else signed_decimal(gap.value, 3),
        "" if gap is None else limits(gap, 3),
        "0" if gap is None else f"{gap.n:,}",
        "none" if f1 is None or f1.value is None else decimal(f1.value, 3),
        "" if f1 is None else limits(f1, 3),
        f"{len(row.f1):,}",
        _reading(name, gap, f1, bands),
    )


def _mean(f1: Mapping[int, float], shared: Mapping[int, int]) -> Estimate:
    persons = [shared.get(conversation, conversation) for conversation in f1]
    part = np.unique(persons, return_inverse=True)[1]
    return mean_f1(np.array([*f1.values()])[:, None], part)[0]


def _reading(name: tuple[str, str], gap: Estimate | None, f1: Estimate | None, bands: bool) -> str:
    model, condition = name
    where = "model" if condition == ALL else "condition"
    if model == UNNAMED:
        return f"none: these {'conversations' if gap is None else 'paired runs'} name no model"
    if gap is None:
        return f"none: no paired runs of this {where}"
    if gap.value is None:
        return f"none: {gap.undefined}"
    reading = read_gap(gap)
    if reading is GapReading.CANNOT_TELL:
        return f"cannot be told: the interval of the gap includes {decimal(FUNCTIONAL, 2)}"
    if reading is not GapReading.FUNCTIONAL:
        return _GAP_WORDS[reading]
    if f1 is None:
        return f"functional; no conversation of this {where} has Step-F1"
    if not bands:
        return "functional"
    steps = read_steps(f1)
    return _STEP_WORDS.get(steps) or f"functional; whether it is correct cannot be told: {_open(f1)}"


def _open(f1: Estimate) -> str:
    """Why Step-F1 lies on no side."""
    if f1.low is None or f1.high is None:
        return f"Step-F1 has no interval, as {f1.no_interval}"
    if (f1.conversations or 0) < FEWEST:
        return f"Step-F1 rests on fewer than {FEWEST} conversations"
    bounds = " and ".join(str(bound) for bound in STEP_BANDS if f1.low <= bound <= f1.high)
    return f"the interval of Step-F1 includes {bounds}"
