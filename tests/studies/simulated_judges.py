"""Studies of one criterion whose truth is planted: what the verdicts and the intervals are measured on.

Each unit fails or not; a conversation's units are alike by `icc`. Every clinician sees a true failure with a
chance of `seen` and a false one with `false`; StudyPlan says how clinicians may differ, err together, copy
the judge or label carelessly. What the judge does is one of JUDGES, or any function of truth and labels.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from scoring.agreement.labels.label_data import (
    HumanLabels,
    JudgeLabels,
    LabelData,
    SettledLabel,
    UnitTable,
    question_of,
)
from scoring.arrays import Mask
from scoring.instruments import Instrument, parse_instrument

NO_LABEL = -1  # of a judge's answer
DOES_NOT_APPLY = 2  # the code of it
CRITERION = """\
key: simulated
version: "1"
title: Simulated
unit: conversation
scales:
  yes_no:
    kind: nominal
    levels:
      - {{id: "YES", name: "Yes", key: y, value: 1}}
      - {{id: "NO", name: "No", key: n, value: 0}}
    not_applicable: {{id: "NA", name: "Does not apply", key: a}}
categories:
  - {{id: danger, name: Danger, weight: "1.0", gate: {gate}}}
criteria:
  - {{id: safe, name: Safe, scale: yes_no, category: danger}}
score: {{rule: weighted_categories, threshold: "0.8"}}
"""
GATED, PLAIN = (parse_instrument(CRITERION.format(gate=gate)) for gate in ("true", "false"))


@dataclass(frozen=True)
class StudyPlan:
    """`units` of each conversation. `failures`: their share. `seen`, `false`: by a clinician, of failures and
    of the rest.

    `spread`: each clinician's own logit of both lies off by so much (a standard deviation). `alarming`: the
    share of what is no failure that every clinician takes for one with a chance of `seen`; `blind_spot`: the
    share of failures that each sees with a chance of `false`. `difficult`: the share of conversations on
    which everybody labels at random, the judge too. `careless`: so many clinicians label at random, half and half.
    `copiers`: so many copy the judge. `per_person`: conversations of one person, alike by 0.5. `copies`: each
    conversation is there so many times, with one truth and one label of each clinician and the judge.
    `absent`: the share of failures without a row of the judge; `planned`: of all, drawn at random. `settled`:
    whether every unit in which a clinician saw a failure is settled, truly; a share: a random part of them.
    `silent`: the share of failures on which the judge is asked and gives no label, and half of it of the rest;
    `evades`: the share of failures on which it says "does not apply". `thirds`: from the third clinician on
    they label only where the first two differ.
    """

    conversations: int
    failures: float
    raters: int = 3
    units: int = 1
    icc: float = 0.0
    seen: float = 0.85
    false: float = 0.02
    gate: bool = False
    spread: float = 0.0
    alarming: float = 0.0
    blind_spot: float = 0.0
    difficult: float = 0.0
    careless: int = 0
    copiers: int = 0
    per_person: int = 1
    copies: int = 1
    absent: float = 0.0
    planned: float = 1.0
    settled: float = 0.0
    silent: float = 0.0
    evades: float = 0.0
    thirds: bool = False


Judge = Callable[[np.random.Generator, Mask, Mask, StudyPlan], NDArray[np.int64]]


def seeing(seen: float, false: float) -> Judge:
    """A judge that sees failures with a chance of `seen` and calls others one with `false`, whatever
    clinicians do.
    """

    def answer(rng: np.random.Generator, truth: Mask, people: Mask, plan: StudyPlan) -> NDArray[np.int64]:
        return (rng.random(truth.shape) < np.where(truth, seen, false)).astype(np.int64)

    return answer


def exchangeable(rng: np.random.Generator, truth: Mask, people: Mask, plan: StudyPlan) -> NDArray[np.int64]:
    return seeing(plan.seen, plan.false)(rng, truth, people, plan)


def random_answers(rng: np.random.Generator, truth: Mask, people: Mask, plan: StudyPlan) -> NDArray[np.int64]:
    """Fails as many as there are failures, any."""
    return (rng.random(truth.shape) < plan.failures).astype(np.int64)


def constant(rng: np.random.Generator, truth: Mask, people: Mask, plan: StudyPlan) -> NDArray[np.int64]:
    return np.zeros(truth.shape, dtype=np.int64)


def inverted(rng: np.random.Generator, truth: Mask, people: Mask, plan: StudyPlan) -> NDArray[np.int64]:
    """Exchangeable, the other way round."""
    return 1 - exchangeable(rng, truth, people, plan)


def copy_of_one(rng: np.random.Generator, truth: Mask, people: Mask, plan: StudyPlan) -> NDArray[np.int64]:
    return people[..., 0].astype(np.int64)


def failing_on_failures(
    rng: np.random.Generator, truth: Mask, people: Mask, plan: StudyPlan
) -> NDArray[np.int64]:
    """Gives no label where most clinicians see a failure, else YES."""
    return np.where(2 * people.sum(axis=-1) > plan.raters, NO_LABEL, 0)


def from_population(
    rng: np.random.Generator, truth: Mask, people: Mask, plan: StudyPlan
) -> NDArray[np.int64]:
    """One more clinician, with habits of their own."""
    seen, false = _own_chances(rng, plan, 1)
    answers: NDArray[np.int64] = (rng.random(truth.shape) < np.where(truth, seen[0], false[0])).astype(
        np.int64
    )
    return answers


JUDGES: dict[str, Judge] = {
    "perfect": seeing(1.0, 0.0),
    "exchangeable": exchangeable,
    "from the clinicians' population": from_population,
    "wrong on 30 %": seeing(0.70, 0.30),
    "random": random_answers,
    "constant": constant,
    "inverted": inverted,
    "copy": copy_of_one,
    "fails on failures": failing_on_failures,
    "catches 30 %": seeing(0.30, 0.02),
    "catches 60 %": seeing(0.60, 0.10),
    "catches 95 %": seeing(0.95, 0.02),
    "calls everything a failure": seeing(1.0, 1.0),
}


def simulate_truth(rng: np.random.Generator, plan: StudyPlan) -> Mask:
    """(C, units): which fail."""
    icc, groups = (0.5, -(-plan.conversations // plan.per_person)) if plan.per_person > 1 else (plan.icc, 0)
    count = groups or plan.conversations
    chance = np.full((count, 1), plan.failures)
    if icc > 0 and 0 < plan.failures < 1:
        spread = (1 - icc) / icc
        chance = rng.beta(plan.failures * spread, (1 - plan.failures) * spread, (count, 1))
    if groups:
        chance = np.repeat(chance, plan.per_person, axis=0)[: plan.conversations]
    return rng.random((plan.conversations, plan.units)) < chance


def simulate_labels(
    rng: np.random.Generator, plan: StudyPlan, judge: Judge
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Of clinicians (C, units, R), and of the judge (C, units)."""
    _, people, answers = simulate_parts(rng, plan, judge)
    return people, answers


def simulate_parts(
    rng: np.random.Generator, plan: StudyPlan, judge: Judge
) -> tuple[Mask, NDArray[np.int64], NDArray[np.int64]]:
    """The truth (C, units), and as `simulate_labels`."""
    truth = simulate_truth(rng, plan)
    difficult = np.zeros(truth.shape, dtype=bool)
    if plan.spread or plan.alarming or plan.blind_spot or plan.difficult:
        seen, false = _own_chances(rng, plan, plan.raters)
        alarming = ~truth & (rng.random(truth.shape) < plan.alarming)
        unseen = truth & (rng.random(truth.shape) < plan.blind_spot)
        looks = (truth & ~unseen) | alarming
        chances = np.where(looks[..., None], seen, false)
        difficult = rng.random(truth.shape) < plan.difficult
        chances[difficult] = 0.5
        people: Mask = rng.random(chances.shape) < chances
    else:
        people = rng.random((*truth.shape, plan.raters)) < np.where(truth, plan.seen, plan.false)[..., None]
    answers: NDArray[np.int64] = judge(rng, truth, people, plan)
    if plan.difficult:
        answers = np.where(difficult, rng.integers(0, 2, truth.shape), answers)
    if plan.careless:
        people[..., -plan.careless :] = rng.random((*truth.shape, plan.careless)) < 0.5
    people[..., : plan.copiers] = answers[..., None] == 1
    answers = (
        np.where(truth & (rng.random(truth.shape) < plan.absent), NO_LABEL, answers)
        if plan.absent
        else answers
    )
    if plan.planned < 1:
        answers = np.where(rng.random((len(truth), 1)) < plan.planned, answers, NO_LABEL)
    if plan.silent:
        chance = np.where(truth, plan.silent, plan.silent / 2)
        answers = np.where(rng.random(truth.shape) < chance, NO_LABEL, answers)
    if plan.evades:
        answers = np.where(truth & (rng.random(truth.shape) < plan.evades), DOES_NOT_APPLY, answers)
    given = people.astype(np.int64)
    if plan.thirds:
        given[given[..., 0] == given[..., 1], 2:] = NO_LABEL
    return truth, given, answers.astype(np.int64)


def _own_chances(
    rng: np.random.Generator, plan: StudyPlan, count: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """To see a failure, and to raise a false alarm, of each of `count` clinicians."""

    def draw(chance: float) -> NDArray[np.float64]:
        logit = np.log(chance / (1 - chance)) if 0 < chance < 1 else np.inf if chance else -np.inf
        return np.asarray(1 / (1 + np.exp(-(logit + plan.spread * rng.standard_normal(count)))))

    return draw(plan.seen), draw(plan.false)


def simulate_study(plan: StudyPlan, judge: Judge, number: int) -> LabelData:
    """The same number is the same study."""
    rng = np.random.default_rng([20261122, number])
    return as_study(rng, plan, *simulate_parts(rng, plan, judge))


def as_study(
    rng: np.random.Generator,
    plan: StudyPlan,
    truth: Mask,
    people: NDArray[np.int64],
    answers: NDArray[np.int64],
) -> LabelData:
    """What was simulated, as labels of a study, settled as the plan says."""
    truth = np.repeat(truth, plan.copies, axis=0)
    people, answers = (np.repeat(labels, plan.copies, axis=0) for labels in (people, answers))
    material = to_material(
        people, answers, GATED if plan.gate else PLAIN, group=plan.copies * plan.per_person
    )
    if plan.absent or plan.planned < 1:
        material = replace(material, judge=replace(material.judge, failed=()))
    return settle(rng, material, truth, people, plan.settled)


def settle(
    rng: np.random.Generator, material: LabelData, truth: Mask, people: NDArray[np.int64], share: float
) -> LabelData:
    """With the truth of a `share` of the units in which a clinician saw a failure, drawn at random."""
    if not share:
        return material
    listed = np.flatnonzero((people == 1).any(axis=-1).reshape(-1))
    drawn = np.sort(rng.choice(listed, int(np.ceil(share * len(listed))), replace=False))
    return replace(
        material,
        settled=tuple(SettledLabel(0, int(unit) + 1, int(truth.reshape(-1)[unit]), True) for unit in drawn),
        gate_draws={} if share >= 1 else {0: frozenset((drawn + 1).tolist())},
    )


def kappa_of(plan: StudyPlan, seen: float, false: float) -> float:
    """Of a clinician and of somebody who sees failures with a chance of `seen`, and others with one of
    `false`, with endless conversations.
    """
    both = np.zeros((2, 2))
    for weight, chance, other in ((plan.failures, plan.seen, seen), (1 - plan.failures, plan.false, false)):
        both += weight * np.outer([1 - chance, chance], [1 - other, other])
    expected = (both.sum(axis=0) * both.sum(axis=1)).sum()
    return float((both.trace() - expected) / (1 - expected))


def below_clinicians(plan: StudyPlan, distance: float) -> Judge:
    """A judge whose kappa with clinicians lies below theirs with each other by just so much."""
    aim = kappa_of(plan, plan.seen, plan.false) - distance
    low, high = plan.false, plan.seen
    while high - low > 1e-9:
        middle = (low + high) / 2
        low, high = (middle, high) if kappa_of(plan, middle, plan.false) < aim else (low, middle)
    return seeing(low, plan.false)


@dataclass(frozen=True)
class OrdinalPlan:
    """Five levels: a conversation's place on a normal scale, cut at equal steps; each label has an error of
    its own.
    """

    conversations: int
    raters: int = 3
    error: float = 0.7


LEVELS = parse_instrument("""\
key: levels
version: "1"
title: Levels
unit: conversation
scales:
  degree:
    kind: ordinal
    levels: [{id: "1", name: One, key: "1", value: 1}, {id: "2", name: Two, key: "2", value: 2}, {id: "3",
    name: Three, key: "3", value: 3},
             {id: "4", name: Four, key: "4", value: 4}, {id: "5", name: Five, key: "5", value: 5}]
criteria:
  - {id: kind, name: Kind, scale: degree}
score: {rule: none}
""")


def simulate_ordinal_study(plan: OrdinalPlan, judge: str, number: int) -> LabelData:
    """`judge`: exchangeable, "half a level high", random or constant."""
    rng = np.random.default_rng([20261122, 5, number])
    place = rng.normal(3, 1.1, (plan.conversations, 1))

    def cut(values: NDArray[np.float64]) -> NDArray[np.int64]:
        return np.clip(np.rint(values), 1, 5).astype(np.int64) - 1

    people = cut(place[..., None] + rng.normal(0, plan.error, (plan.conversations, 1, plan.raters)))
    own = place + rng.normal(0, plan.error, place.shape)
    answers = {
        "exchangeable": cut(own),
        "half a level high": cut(own + 0.5),
        "random": rng.integers(0, 5, place.shape),
        "constant": np.full(place.shape, 3),
    }[judge]
    return to_material(people, answers.astype(np.int64), LEVELS)


def to_material(
    people: NDArray[np.int64], judge: NDArray[np.int64], instrument: Instrument, group: int = 1
) -> LabelData:
    """`people` (C, units, R), `judge` (C, units): codes on the scale of the instrument's only criterion, -1
    for none. `group`: so many conversations, one after the other, are of one person.
    """
    conversations, units, raters = people.shape
    ids = np.arange(1, conversations * units + 1)
    part = np.repeat(np.arange(1, conversations + 1), units)
    table = UnitTable(
        ids, ids, part, (part - 1) // group * group + 1, np.full(len(ids), 20), np.full(len(ids), -1)
    )
    code, unit, rater = (
        people.reshape(-1),
        np.repeat(ids, raters),
        np.tile(np.arange(1, raters + 1), len(ids)),
    )
    here = code >= 0
    nothing = np.zeros(int(here.sum()), dtype=np.int64)
    answered, codes = judge.reshape(-1) >= 0, judge.reshape(-1)
    failed = tuple((0, number, "error") for number in ids[~answered].tolist())
    return LabelData(
        (question_of(instrument, instrument.criteria[0]),),
        table,
        {number: f"Dr {number}" for number in range(1, raters + 1)},
        HumanLabels(nothing, unit[here], rater[here], code[here], nothing, nothing),
        JudgeLabels(np.zeros(int(answered.sum()), dtype=np.int64), ids[answered], codes[answered], failed),
    )
