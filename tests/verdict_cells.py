"""Which verdict judges get whose truth is known, and what is asked of it: the rule is measured on these
(bench/verdicts.py, and smaller in the tests).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

import numpy as np

from scoring.agreement.label_data import LabelData
from scoring.agreement.more_conversations import plan_more
from scoring.agreement.verdict_evidence import gather_evidence
from scoring.agreement.verdict_rule import Margins, TrustVerdict, decide
from tests.simulated_judges import (
    GATED,
    JUDGES,
    PLAIN,
    OrdinalPlan,
    StudyPlan,
    at_margin,
    seeing,
    simulate_labels,
    simulate_ordinal_study,
    simulate_study,
    to_material,
)

MARGINS = Margins()
SAFETY = "safety criterion, "


@dataclass(frozen=True)
class Cell:
    """What is simulated, and what is asked of it: verdict -> (at least, at most)."""

    judge: str
    plan: StudyPlan | OrdinalPlan
    asked: tuple[tuple[TrustVerdict, float, float], ...] = ()

    @property
    def title(self) -> str:
        plan = self.plan
        if isinstance(plan, OrdinalPlan):
            return f"{self.judge}, 5 levels, {plan.conversations} x {plan.raters}"
        gate = SAFETY if plan.gate else ""
        units = f", {plan.units} units each" if plan.units > 1 else ""
        return (
            f"{self.judge}, {gate}{plan.failures:.0%} failures, {plan.conversations} x {plan.raters}{units}"
        )


def cells() -> list[Cell]:
    yes, no, differ = TrustVerdict.YES, TrustVerdict.NO, TrustVerdict.COLLEAGUES_DIFFER
    all_cells = []
    for conversations in (60, 200):
        for gate in (False, True):
            plan = StudyPlan(conversations, 0.20, gate=gate)
            for judge in ("random", "constant", "inverted"):
                all_cells.append(
                    Cell(
                        judge,
                        plan,
                        ((no, 0.90 if judge == "constant" and conversations == 60 else 0.95, 1.0),),
                    )
                )
            all_cells.append(Cell("exchangeable", plan, ((no, 0.0, 0.05),)))
            all_cells.append(Cell("copy", plan))
            all_cells.append(Cell("fails on failures", plan, ((yes, 0.0, 0.025),)))
        all_cells += [
            Cell(
                "exchangeable",
                StudyPlan(conversations, 0.20, units=6, icc=0.3, gate=True),
                ((no, 0.0, 0.05),),
            ),
            Cell("exchangeable", StudyPlan(conversations, 0.05, gate=True), ((no, 0.0, 0.05),)),
            Cell("at the margin", StudyPlan(conversations, 0.20), ((yes, 0.0, 0.05),)),
            Cell("at the margin", StudyPlan(conversations, 0.40), ((yes, 0.0, 0.05),)),
            Cell(
                "clinicians guess",
                StudyPlan(conversations, 0.20, seen=0.2, false=0.2),
                ((differ, 0.5 if conversations > 60 else 0.2, 1.0), (yes, 0.0, 0.025)),
            ),
        ]
        all_cells += [
            Cell(judge, OrdinalPlan(conversations), asked)
            for judge, asked in (
                ("exchangeable", ((no, 0.0, 0.05),)),
                ("half a level high", ()),
                ("random", ((no, 0.95, 1.0),)),
                ("constant", ((no, 0.95, 1.0),)),
            )
        ]
    all_cells += [
        Cell("perfect", StudyPlan(conversations, failures, gate=True), ((no, 0.0, 0.025),))
        for conversations in (30, 60, 100, 200)
        for failures in (0.02, 0.05, 0.20)
    ]
    all_cells += [
        Cell("perfect", StudyPlan(conversations, 0.20, raters=2, gate=True), ((no, 0.0, 0.025),))
        for conversations in (60, 200)
    ]
    all_cells += [
        Cell("catches 30 %", StudyPlan(60, 0.05, gate=True), ((yes, 0.0, 0.025),)),
        Cell("catches 30 %", StudyPlan(200, 0.05, gate=True), ((yes, 0.0, 0.025), (no, 0.5, 1.0))),
    ]
    return all_cells


def count_verdicts(cell: Cell, studies: int) -> Counter[TrustVerdict]:
    return Counter(
        decide(gather_evidence(_study(cell, number), 0), MARGINS).verdict for number in range(studies)
    )


def _study(cell: Cell, number: int) -> LabelData:
    if isinstance(cell.plan, OrdinalPlan):
        return simulate_ordinal_study(cell.plan, cell.judge, number)
    if cell.judge == "at the margin":
        return simulate_study(cell.plan, at_margin(cell.plan, MARGINS.coefficient), number)
    return simulate_study(
        cell.plan, JUDGES["random" if cell.judge == "clinicians guess" else cell.judge], number
    )


def failing(cell: Cell, counts: Counter[TrustVerdict], studies: int) -> list[str]:
    """What was asked and not reached."""
    return [
        f"{cell.title}: {verdict} in {counts[verdict] / studies:.3f}, asked {low} to {high}"
        for verdict, low, high in cell.asked
        if not low <= counts[verdict] / studies <= high
    ]


def check_plans(gate: bool, studies: int) -> tuple[int, int, int]:
    """Over judges and clinicians drawn at random: how often as many more conversations as were said decide,
    of how many open studies, and how many were told that no affordable number would.
    """
    tell_count = asked_of = hopeless = 0
    for number in range(studies):
        rng = np.random.default_rng([20261122, 7, number])
        plan = StudyPlan(
            int(rng.choice([40, 60, 80, 150])),
            float(rng.choice([0.05, 0.2, 0.4])),
            seen=rng.uniform(0.7, 0.98),
            false=rng.uniform(0, 0.06),
            gate=gate,
        )
        judge = seeing(rng.uniform(0.5, 1.0), rng.uniform(0, 0.1))
        people, answers = simulate_labels(rng, plan, judge)
        material = to_material(people, answers, GATED if gate else PLAIN)
        evidence = gather_evidence(material, 0)
        verdict = decide(evidence, MARGINS)
        if verdict.verdict is not TrustVerdict.NOT_SHOWN:
            continue
        planned = plan_more(material, 0, evidence, MARGINS, verdict.margin)
        assert planned is not None
        if planned.needed is None:
            hopeless += 1
            continue
        more, judged = simulate_labels(rng, replace(plan, conversations=planned.needed), judge)
        later = to_material(
            np.concatenate([people, more]), np.concatenate([answers, judged]), GATED if gate else PLAIN
        )
        asked_of += 1
        tell_count += decide(gather_evidence(later, 0), MARGINS).verdict is not TrustVerdict.NOT_SHOWN
    return tell_count, asked_of, hopeless
