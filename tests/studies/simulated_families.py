"""Studies of replies by two families of models whose truth is planted: how much a judge prefers its own, how
much better one family is, and how judge and clinicians see quality.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from scoring.agreement.judges.self_preference import OTHER, OWN, SelfPreference, compare_families
from scoring.agreement.labels.label_data import HumanLabels, JudgeLabels, LabelData, UnitTable, question_of
from scoring.arrays import Array, IntArray
from scoring.instruments import parse_instrument

CRITERIA = 3
LEVELS = "\n".join(
    f'      - {{id: "{level}", name: "{level}", key: "{level}", value: {level}}}' for level in range(5)
)
BODY = """\
key: families
version: "1"
title: Families
unit: conversation
scales:
  scale:
    kind: {kind}
    levels:
{levels}
criteria:
  - {{id: a, name: A, scale: scale}}
  - {{id: b, name: B, scale: scale}}
  - {{id: c, name: C, scale: scale}}
"""
YES_NO = """\
      - {id: "YES", name: "Yes", key: y, value: 1}
      - {id: "NO", name: "No", key: n, value: 0}"""
ORDINAL = parse_instrument(BODY.format(kind="ordinal", levels=LEVELS))
NOMINAL = parse_instrument(BODY.format(kind="nominal", levels=YES_NO))

Judge = Callable[[np.random.Generator, Array, Array, "FamilyPlan"], Array]


@dataclass(frozen=True)
class FamilyPlan:
    """`own`, `others`: conversations; the first ones of both answer the same cases. `quality`: how much better
    replies of the judge's family are, in levels of 5 (or standard deviations of what passes, of YES and NO).
    `prefers`: what the judge adds for its own; `lenient`: for all; `people_lenient`: what clinicians add. `slope`: how much of quality it sees.
    `missing`: share of its labels, where clinicians see failures twice as often. `hard`: by how much the judge
    is off on a case, in levels (standard deviation); `apart`: no case has both families, and the judge is off
    by one `hard` more on those of its own. `assigned`: the share of
    conversations that the clinician of their family labels, alone, and the other one the rest (None: all
    label all); the one of the judge's family is lenient by 0.5 levels and the other strict by as much.
    """

    own: int = 60
    others: int = 60
    ordinal: bool = True
    raters: int = 3
    quality: float = 0.0
    prefers: float = 0.0
    lenient: float = 0.0
    people_lenient: float = 0.0
    slope: float = 1.0
    noise: float = 0.7
    missing: float = 0.0
    hard: float = 0.3
    apart: bool = False
    assigned: float | None = None
    judge: str = "own eyes"  # or constant, random, copy


def label_quality(rng: np.random.Generator, quality: Array, plan: FamilyPlan, noise: float) -> IntArray:
    """Codes of what somebody sees who sees `quality` with this much noise."""
    seen = quality + noise * rng.standard_normal(quality.shape)
    if plan.ordinal:
        return np.clip(np.rint(seen + 2), 0, 4).astype(np.int64)
    return (seen < -0.8).astype(np.int64)  # code 1 is NO


def simulate(rng: np.random.Generator, plan: FamilyPlan) -> tuple[LabelData, IntArray, IntArray]:
    """The labels of a study, and of which side and case each of its units is."""
    count = plan.own + plan.others
    side = np.array([OWN] * plan.own + [OTHER] * plan.others)
    case = np.arange(count) if plan.apart else np.concatenate([np.arange(plan.own), np.arange(plan.others)])
    quality = (
        (0.6 * rng.standard_normal(count)[case])[:, None]
        + 0.8 * rng.standard_normal((count, CRITERIA))
        + plan.quality * side[:, None]
    )
    lenience = [plan.people_lenient] * plan.raters if plan.assigned is None else [0.5, -0.5]
    people = np.stack([label_quality(rng, quality + lenient, plan, 0.7) for lenient in lenience])
    off = plan.hard * (rng.standard_normal(count)[case] + side * plan.apart)
    seen = plan.slope * quality + plan.lenient + (plan.prefers * side + off)[:, None]
    judge = label_quality(rng, seen, plan, plan.noise)
    if plan.judge == "constant":
        judge = np.zeros_like(judge) + (3 if plan.ordinal else 0)
    elif plan.judge == "random":
        judge = rng.permutation(judge.ravel()).reshape(judge.shape)
    elif plan.judge == "copy":
        judge = people[0]
    low = people.mean(axis=0) < 1 if plan.ordinal else people.mean(axis=0) > 0.5
    given = rng.random(judge.shape) >= plan.missing * np.where(low, 2, 1)
    unit, criterion = np.meshgrid(np.arange(count), np.arange(CRITERIA), indexing="ij")
    raters = len(people)
    size = count * CRITERIA * raters
    labelled = np.ones((raters, count), dtype=bool)
    if plan.assigned is not None:
        labelled[0] = (side == OWN) == (rng.random(count) < plan.assigned)
        labelled[1] = ~labelled[0]
    instrument = ORDINAL if plan.ordinal else NOMINAL
    return (
        LabelData(
            tuple(question_of(instrument, each) for each in instrument.criteria),
            UnitTable(
                np.arange(count),
                np.arange(1, count + 1),
                np.arange(count),
                np.arange(count),
                np.full(count, 5),
                np.full(count, -1),
            ),
            {rater: f"Rater {rater}" for rater in range(raters)},
            HumanLabels(
                np.tile(criterion.ravel(), raters),
                np.tile(unit.ravel(), raters),
                np.repeat(np.arange(raters), count * CRITERIA),
                people.reshape(-1),
                np.zeros(size, dtype=np.int64),
                np.zeros(size, dtype=np.int64),
            ).where(np.repeat(labelled, CRITERIA, axis=1).ravel()),
            JudgeLabels(criterion[given], unit[given], judge[given]),
        ),
        side,
        case,
    )


def finding(rng: np.random.Generator, plan: FamilyPlan) -> SelfPreference:
    return compare_families(*simulate(rng, plan))


def count_answers(plan: FamilyPlan, studies: int, seed: int = 1) -> Counter[str]:
    """How many studies say "higher", "lower", "not shown" or "can't be estimated"."""
    rng = np.random.default_rng(seed)
    results = [finding(rng, plan) for _ in range(studies)]
    return Counter(
        "can't be estimated"
        if result.difference.undefined
        else {1: "higher", -1: "lower", 0: "not shown"}[result.clear_side]
        for result in results
    )


def coverage(plan: FamilyPlan, truth: float, studies: int, seed: int = 1) -> float:
    """In what share of studies the interval of the difference holds `truth`."""
    rng, held = np.random.default_rng(seed), 0
    for _ in range(studies):
        difference = finding(rng, plan).difference
        assert difference.low is not None and difference.high is not None
        held += difference.low <= truth <= difference.high
    return held / studies


CELLS: dict[str, FamilyPlan] = {
    "no preference": FamilyPlan(),
    "no preference, 200 of each": FamilyPlan(200, 200),
    "no preference, 12 against 100": FamilyPlan(12, 100),
    "no preference, different cases, on which the judge errs differently": FamilyPlan(200, 200, apart=True),
    "prefers its own by 0.3 levels": FamilyPlan(prefers=0.3),
    "prefers its own by 0.3 levels, 200 of each": FamilyPlan(200, 200, prefers=0.3),
    "prefers its own by 0.3 levels, which is better by 0.5": FamilyPlan(prefers=0.3, quality=0.5),
    "prefers others by 0.3 levels": FamilyPlan(prefers=-0.3),
    "lenient with all by 0.5, own worse by 0.5": FamilyPlan(lenient=0.5, quality=-0.5),
    "own better by 0.5, 200 of each": FamilyPlan(200, 200, quality=0.5),
    "own worse by 0.5, 200 of each": FamilyPlan(200, 200, quality=-0.5),
    "sees half of quality, own worse by 0.5, 200 of each": FamilyPlan(200, 200, slope=0.5, quality=-0.5),
    "spreads its labels wider, own better by 0.5": FamilyPlan(slope=1.5, quality=0.5),
    "YES and NO: own better, strict judge, lenient clinicians, 200 of each": FamilyPlan(
        200, 200, ordinal=False, quality=0.5, lenient=-0.8, people_lenient=0.8
    ),
    "constant, own worse by 0.5": FamilyPlan(judge="constant", quality=-0.5),
    "random, own worse by 0.5": FamilyPlan(judge="random", quality=-0.5),
    "inverted, own worse by 0.5": FamilyPlan(slope=-1.0, quality=-0.5),
    "copy of one clinician, own worse by 0.5": FamilyPlan(judge="copy", quality=-0.5),
    "20% of labels missing, more where clinicians see failures": FamilyPlan(missing=0.2, quality=-0.5),
    "a lenient clinician labels its own, a strict one the others": FamilyPlan(assigned=1.0),
    "9 of 10 of its own by a lenient clinician, 200 of each": FamilyPlan(200, 200, assigned=0.9),
    "YES and NO: no preference": FamilyPlan(ordinal=False),
    "YES and NO: prefers its own (10 points), 200 of each": FamilyPlan(200, 200, ordinal=False, prefers=0.5),
    "YES and NO: own worse, lenient with all, 200 of each": FamilyPlan(
        200, 200, ordinal=False, quality=-0.5, lenient=0.5
    ),
    "YES and NO: own better, 200 of each": FamilyPlan(200, 200, ordinal=False, quality=0.5),
}
