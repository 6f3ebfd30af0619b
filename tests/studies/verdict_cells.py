"""Which verdict judges get whose truth is known, and what is asked of it: the rule is measured on these
(bench/verdicts.py, and smaller in the tests).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from scoring.agreement.labels.label_data import LabelData
from scoring.agreement.verdicts.more_conversations import MORE_MAY_ANSWER, plan_more
from scoring.agreement.verdicts.verdict_evidence import gather_evidence
from scoring.agreement.verdicts.verdict_rule import Margins, TrustVerdict, VerdictReason, decide
from tests.studies.simulated_judges import (
    JUDGES,
    OrdinalPlan,
    StudyPlan,
    as_study,
    below_clinicians,
    seeing,
    simulate_ordinal_study,
    simulate_parts,
    simulate_study,
)

MARGINS = Margins()
YES, NO, DIFFER = TrustVerdict.YES, TrustVerdict.NO, TrustVerdict.COLLEAGUES_DIFFER


AT_MARGIN, FURTHER_BY_020 = "at the margin", "0.20 below in kappa"
# Judges whose truth lies a stated distance below a clinician's kappa
DISTANCES = {AT_MARGIN: MARGINS.coefficient, FURTHER_BY_020: 0.20}
# What clinicians differ in, as a cell's title says it
VARIATIONS = {
    "spread": "clinicians differ by {:g} logits",
    "alarming": "{:.0%} alarm every clinician",
    "blind_spot": "{:.0%} of failures seen by nobody",
    "difficult": "{:.0%} too difficult for all",
    "careless": "{} careless",
    "copiers": "{} copy it",
    "per_person": "{} conversations a person",
    "copies": "each text {} times",
    "absent": "absent on {:.0%} of failures",
    "planned": "asked on {:.0%} by plan",
    "silent": "no label on {:.0%} of failures, half of it elsewhere",
    "evades": "says on {:.0%} of failures that it does not apply",
    "thirds": "the others only where the first two differ",
}


@dataclass(frozen=True)
class Cell:
    """What is simulated, and what is asked of it: verdict or reason -> (at least, at most)."""

    judge: str
    plan: StudyPlan | OrdinalPlan
    asked: tuple[tuple[TrustVerdict | VerdictReason, float, float], ...] = ()
    part: str = ""

    @property
    def title(self) -> str:
        plan = self.plan
        if isinstance(plan, OrdinalPlan):
            return f"{self.judge}, 5 levels, {plan.conversations} x {plan.raters}"
        usual = StudyPlan(0, 0.0)
        units = f", {plan.units} units each" if plan.units > 1 else ""
        seen = (
            ""
            if (plan.seen, plan.false) == (usual.seen, usual.false)
            else f", {plan.seen:.0%}/{plan.false:.0%}"
        )
        varied = "".join(
            f", {words.format(getattr(plan, name))}"
            for name, words in VARIATIONS.items()
            if getattr(plan, name) != getattr(usual, name)
        )
        part = f", {plan.settled:.0%} settled" if 0 < plan.settled < 1 else ", gate" if plan.gate else ""
        return (
            f"{self.judge}, {plan.failures:.0%} failures{seen}, {plan.conversations} x {plan.raters}"
            f"{units}{varied}{part}"
        )


def cells() -> list[Cell]:
    return [
        *_plain(),
        *_who_counts(),
        *_absent(),
        *_corners(),
        *_before_settling(),
        *_after_settling(),
    ]


def _plain() -> list[Cell]:
    part, cells_of_part = "a plain criterion", []
    for conversations in (60, 200):
        plan = StudyPlan(conversations, 0.20)
        for judge in ("random", "constant", "inverted"):
            least = 0.90 if judge == "constant" and conversations == 60 else 0.95
            cells_of_part.append(Cell(judge, plan, ((NO, least, 1.0),)))
        cells_of_part += [
            Cell("exchangeable", plan, ((NO, 0.0, 0.05),)),
            Cell("fails on failures", plan, ((YES, 0.0, 0.025),)),
            Cell(AT_MARGIN, plan, ((YES, 0.0, 0.05),)),
            Cell(AT_MARGIN, replace(plan, failures=0.40), ((YES, 0.0, 0.05),)),
            Cell(
                "random",
                replace(plan, seen=0.2, false=0.2),
                ((DIFFER, 0.5 if conversations > 60 else 0.2, 1.0), (YES, 0.0, 0.025)),
            ),
            *(
                Cell(judge, OrdinalPlan(conversations), asked)
                for judge, asked in (
                    ("exchangeable", ((NO, 0.0, 0.05),)),
                    ("half a level high", ()),
                    ("random", ((NO, 0.95, 1.0),)),
                    ("constant", ((NO, 0.95, 1.0),)),
                )
            ),
        ]
    cells_of_part += [
        Cell(FURTHER_BY_020, StudyPlan(conversations, 0.20), ((NO, least, 1.0),))
        for conversations, least in ((100, 0.40), (200, 0.70), (400, 0.93), (800, 0.98))
    ]
    cells_of_part += [
        Cell(
            "from the clinicians' population", StudyPlan(conversations, 0.20, spread=0.5), ((NO, 0.0, 0.10),)
        )
        for conversations in (200, 500, 1000, 2000)
    ]
    cells_of_part += [
        Cell("perfect", StudyPlan(100, 0.25, seen=0.5, false=0.15), ((YES, 0.0, 0.025),)),
        Cell("exchangeable", StudyPlan(100, 0.20, copies=1), ((NO, 0.0, 0.05),)),
        Cell("exchangeable", StudyPlan(20, 0.20, copies=5), ((NO, 0.0, 0.05),)),
        Cell("exchangeable", StudyPlan(200, 0.20, per_person=5), ((NO, 0.0, 0.05),)),
        Cell("exchangeable", StudyPlan(200, 0.20, difficult=0.2), ((NO, 0.0, 0.05),)),
        Cell("exchangeable", StudyPlan(200, 0.20, alarming=0.08), ()),
        Cell("exchangeable", StudyPlan(200, 0.20, blind_spot=0.3), ()),
    ]
    return [replace(cell, part=part) for cell in cells_of_part]


def _who_counts() -> list[Cell]:
    part, cells_of_part = "who counts", []
    for conversations, without in ((60, 0.16), (200, 0.55)):
        plan = StudyPlan(conversations, 0.20)
        cells_of_part += [
            Cell("exchangeable", replace(plan, careless=1), ((YES, 0.0, without), (NO, 0.0, 0.05))),
            Cell("exchangeable", replace(plan, raters=4, careless=1), ((NO, 0.0, 0.05),)),
            Cell("random", replace(plan, careless=1), ((YES, 0.0, 0.025), (NO, 0.75, 1.0))),
            Cell(
                "perfect", replace(plan, careless=1, seen=0.98), ((VerdictReason.SUSPECTED_COPY, 0.0, 0.05),)
            ),
            *(
                Cell(
                    "wrong on 30 %",
                    replace(plan, raters=raters, seen=0.94, false=0.06, copiers=1),
                    ((YES, 0.0, 0.0),),
                )
                for raters in (2, 3, 4)
            ),
            Cell("wrong on 30 %", replace(plan, seen=0.94, false=0.06), ((NO, 0.95, 1.0),)),
            Cell("wrong on 30 %", replace(plan, seen=0.94, false=0.06, copiers=2), ()),
            Cell("wrong on 30 %", replace(plan, raters=4, seen=0.94, false=0.06, copiers=2), ()),
        ]
    for judge, plan in (
        ("catches 60 %", StudyPlan(200, 0.30, raters=5, seen=0.85, false=0.05, thirds=True)),
        ("catches 60 %", StudyPlan(500, 0.30, raters=5, seen=0.85, false=0.05, thirds=True)),
        ("exchangeable", StudyPlan(200, 0.30, raters=5, seen=0.85, false=0.05, thirds=True)),
    ):
        cells_of_part.append(Cell(judge, plan, ((YES, 0.0, 0.025), (NO, 0.0, 0.05))))
    cells_of_part += [
        Cell("exchangeable", StudyPlan(100, 0.20, raters=5, seen=0.5, false=0.1), ((NO, 0.0, 0.08),)),
        Cell("perfect", StudyPlan(100, 0.0, raters=3, false=0.25), ((NO, 0.0, 0.05),)),
    ]
    return [replace(cell, part=part) for cell in cells_of_part]


def _absent() -> list[Cell]:
    return (
        [
            Cell("perfect", replace(plan, absent=0.8), ((YES, 0.0, 0.025),), "absent labels")
            for plan in (
                StudyPlan(200, 0.20, seen=0.9, false=0.03),
                StudyPlan(60, 0.20, seen=0.9, false=0.03),
                StudyPlan(200, 0.20, seen=0.9, false=0.03, gate=True, settled=1.0),
                StudyPlan(200, 0.05, seen=0.9, false=0.03, gate=True, settled=1.0),
            )
        ]
        + [
            Cell("perfect", plan, ((YES, 0.0, most),), "absent labels")
            for plan, most in (
                (StudyPlan(200, 0.20, evades=0.2), 0.10),
                (StudyPlan(200, 0.20, evades=0.4), 0.025),
                (StudyPlan(500, 0.20, evades=0.4), 0.025),
                (StudyPlan(300, 0.10, seen=0.92, false=0.08, gate=True, settled=1.0, silent=0.3), 0.025),
            )
        ]
        + [
            Cell("perfect", plan, ((YES, 0.60, 1.0),), "absent labels")
            for plan in (
                StudyPlan(200, 0.20, seen=0.9, false=0.03, planned=0.5),
                StudyPlan(100, 0.20, seen=0.9, false=0.03),
            )
        ]
    )


def _corners() -> list[Cell]:
    """False alarms of clinicians, failures, conversations and raters at their ends, and between."""
    built = []
    for false, failures, conversations, raters in (
        *product((0.0, 0.15), (0.01, 0.20), (60, 2000), (2, 5)),
        (0.03, 0.05, 200, 3),
        (0.08, 0.05, 200, 3),
        (0.03, 0.0, 200, 3),
    ):
        plan = StudyPlan(conversations, failures, raters, seen=0.92, false=false)
        for gate in (False, True):
            built.append(
                Cell("exchangeable", replace(plan, gate=gate, settled=float(gate)), ((NO, 0.0, 0.05),))
            )
            built.append(Cell("perfect", replace(plan, gate=gate, settled=float(gate)), ((NO, 0.0, 0.025),)))
            built.append(Cell("random", replace(plan, gate=gate, settled=float(gate)), ((YES, 0.0, 0.025),)))
    return [
        replace(cell, part=f"corners, {name}")
        for gate, name in ((False, "plain criterion"), (True, "gate after settling"))
        for cell in built
        if isinstance(cell.plan, StudyPlan) and cell.plan.gate is gate
    ]


def _before_settling() -> list[Cell]:
    neither = ((YES, 0.0, 0.0), (NO, 0.0, 0.0))
    plan = StudyPlan(200, 0.05, seen=0.92, false=0.08, gate=True)
    return [
        Cell(judge, changed, neither, "a safety gate before settling")
        for judge in ("perfect", "exchangeable", "random", "constant", "inverted", "catches 30 %")
        for changed in (plan, replace(plan, alarming=0.10), replace(plan, careless=1))
    ]


def _after_settling() -> list[Cell]:
    built = []
    for conversations in (60, 200):
        plan = StudyPlan(conversations, 0.20, gate=True, settled=1.0)
        built += [
            *(
                Cell(judge, plan, ((NO, 0.90 if conversations == 60 else 0.95, 1.0),))
                for judge in ("random", "constant", "inverted")
            ),
            Cell("exchangeable", plan, ((NO, 0.0, 0.05),)),
            Cell("exchangeable", replace(plan, units=6, icc=0.3), ((NO, 0.0, 0.05),)),
            Cell("calls everything a failure", plan, ((YES, 0.0, 0.0),)),
            Cell("fails on failures", plan, ((YES, 0.0, 0.025),)),
        ]
    few = StudyPlan(200, 0.05, seen=0.92, false=0.08, gate=True, settled=1.0)
    built += [
        Cell("catches 30 %", replace(few, conversations=60), ((YES, 0.0, 0.025),)),
        Cell("catches 30 %", few, ((YES, 0.0, 0.025), (NO, 0.5, 1.0))),
        *(
            Cell("perfect", replace(few, conversations=conversations, failures=failures), ((NO, 0.0, 0.025),))
            for conversations in (30, 60, 100, 200)
            for failures in (0.02, 0.05, 0.20)
        ),
        *(
            Cell("perfect", changed, ((NO, 0.0, 0.025), (YES, 0.5, 1.0)))
            for changed in (
                replace(few, conversations=500),
                replace(few, conversations=500, alarming=0.10),
                replace(few, conversations=500, spread=0.5),
            )
        ),
        Cell("perfect", replace(few, conversations=500, blind_spot=0.3), ((NO, 0.0, 0.025),)),
        Cell("perfect", replace(few, conversations=500, per_person=5), ((NO, 0.0, 0.025),)),
        *(
            Cell("catches 95 %", replace(few, conversations=conversations), ((NO, 0.0, 0.025),))
            for conversations in (500, 2000)
        ),
        Cell(
            "from the clinicians' population",
            StudyPlan(1000, 0.20, spread=0.5, gate=True, settled=1.0),
            ((NO, 0.0, 0.25),),
        ),
        *(
            Cell("exchangeable", StudyPlan(500, 0.10, raters, seen=0.7, gate=True, settled=1.0), ())
            for raters in (2, 3)
        ),
        Cell("perfect", replace(few, conversations=1000, settled=0.5), ((NO, 0.0, 0.025), (YES, 0.5, 1.0))),
        Cell("catches 30 %", replace(few, conversations=1000, settled=0.5), ((NO, 0.5, 1.0),)),
    ]
    return [replace(cell, part="a safety gate after settling") for cell in built]


def count_verdicts(cell: Cell, studies: int) -> Counter[str]:
    """How often each verdict and each reason is given."""
    counts: Counter[str] = Counter()
    for number in range(studies):
        verdict = decide(gather_evidence(_study(cell, number), 0), MARGINS)
        counts.update([str(verdict.verdict), str(verdict.reason)])
    return counts


def _study(cell: Cell, number: int) -> LabelData:
    if isinstance(cell.plan, OrdinalPlan):
        return simulate_ordinal_study(cell.plan, cell.judge, number)
    if cell.judge in DISTANCES:
        return simulate_study(cell.plan, below_clinicians(cell.plan, DISTANCES[cell.judge]), number)
    return simulate_study(cell.plan, JUDGES[cell.judge], number)


def failing(cell: Cell, counts: Counter[str], studies: int) -> list[str]:
    """What was asked and not reached."""
    return [
        f"{cell.title}: {verdict} in {counts[verdict] / studies:.3f}, asked {low} to {high}"
        for verdict, low, high in cell.asked
        if not low <= counts[verdict] / studies <= high
    ]


@dataclass(frozen=True)
class CheckedPlan:
    """`needed`: whether a number was named that answers with a chance of 80 %. `chance`: as it was printed.
    `answered`: whether so many more conversations did answer.
    """

    needed: bool
    chance: float
    answered: bool


def check_plans(gate: bool, studies: int) -> list[CheckedPlan]:
    """Over judges and clinicians drawn at random: whether as many more conversations as were named answer, of
    the studies in which nothing is shown yet.
    """
    checked = []
    for number in range(studies):
        rng = np.random.default_rng([20261122, 7, number])
        plan = StudyPlan(
            int(rng.choice([40, 60, 80, 150])),
            float(rng.choice([0.05, 0.2, 0.4])),
            seen=rng.uniform(0.5, 0.98),
            false=rng.uniform(0, 0.06),
            gate=gate,
            settled=float(gate),
        )
        judge = seeing(rng.uniform(0.5, 1.0), rng.uniform(0, 0.1))
        truth, people, answers = simulate_parts(rng, plan, judge)
        material = as_study(rng, plan, truth, people, answers)
        evidence = gather_evidence(material, 0)
        if decide(evidence, MARGINS).reason not in MORE_MAY_ANSWER:
            continue
        planned = plan_more(material, 0, evidence, MARGINS)
        if planned is None or not planned.most:
            continue
        more = simulate_parts(rng, replace(plan, conversations=planned.needed or planned.most), judge)
        later = as_study(
            rng,
            plan,
            *(np.concatenate(both) for both in zip((truth, people, answers), more, strict=True)),
        )
        answer = decide(gather_evidence(later, 0), MARGINS).verdict
        checked.append(
            CheckedPlan(planned.needed is not None, planned.chance, answer is not TrustVerdict.NOT_SHOWN)
        )
    return checked
