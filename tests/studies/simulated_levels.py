"""Studies made of chance on five levels, 18 weeks of nine conversations, in which the judge's level beside
the clinicians' moves, or something else does.

Three clinicians of whom two rate each conversation, three questions, two conditions by turns (0.8 of a level
apart; the judge gives 0.3 less than clinicians on the harder one, so that another mix alone moves the plain
difference). A label is a latent value cut at the halves: a conversation has an sd of 0.8 levels around 3.2, a
clinician's label an error of 0.7, the judge's of 0.8. No anchors. From week 12 on means: in the last seven
weeks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from scoring.arrays import Array
from scoring.drift.findings import Finding, family
from scoring.drift.judge_level import LevelPairs, LevelStep, level_step, without_strictness
from scoring.drift.period_agreement import AgreementPairs, line
from scoring.drift.rater_movement import DriftLevels
from scoring.drift.sources import ConversationDates, DriftEvidence, sources

CLINICIANS = 3
TOP = 4  # of five levels, counted from 0
CHANGES = 11  # weeks before the judge changes: it happens in the twelfth


@dataclass(frozen=True)
class LevelCell:
    """`judge`: how much more the judge gives in each week; `strict`: how much less one clinician gives in
    each week; `hard`: the share of the harder condition in each week; `case`: how much better all
    conversations are. `rule`: a judge that does not listen. `missing`: the chance that the judge leaves a
    label out, by its level (0 to 4). `asked`: at least (1) or at most (-1) this share of studies in which
    `named` is named.
    """

    title: str
    judge: Callable[[Array], Array] = np.zeros_like
    strict: Callable[[Array], Array] = np.zeros_like
    hard: Callable[[Array], Array] = lambda week: np.full_like(week, 0.5)
    case: Callable[[Array], Array] = np.zeros_like
    rule: str = ""
    missing: tuple[float, ...] = (0.0,) * (TOP + 1)
    weeks: int = 18
    a_week: int = 9
    questions: int = 3
    one_day: bool = False
    day_sd: float = 0.0
    asked: Mapping[str, tuple[int, float]] = field(default_factory=dict)


def cells() -> list[LevelCell]:
    def drop(size: float) -> Callable[[Array], Array]:
        return lambda week: -size * (week >= CHANGES).astype(float)

    named, quiet = {"level": (1, 0.9)}, {"level": (-1, 0.05)}
    nothing = {"any": (-1, 0.05)}
    return [
        LevelCell("judge 0.65 lower from week 12 on", judge=drop(0.65), asked=named),
        LevelCell("the same, all of a week on one day", judge=drop(0.65), one_day=True, asked=named),
        LevelCell("the same, one question", judge=drop(0.65), questions=1),
        LevelCell("judge 0.65 higher from week 12 on", judge=drop(-0.65), asked=named),
        LevelCell("judge 0.3 lower from week 12 on", judge=drop(0.3)),
        LevelCell("judge slides down by 0.65 over all weeks", judge=lambda week: -0.65 * week / 17),
        LevelCell(
            "judge 0.65 lower in weeks 7 to 12 only",
            judge=lambda week: -0.65 * ((week >= 6) & (week < 12)).astype(float),
        ),
        LevelCell("nothing planted", asked=nothing),
        LevelCell("nothing planted, all of a week on one day", one_day=True, asked=nothing),
        LevelCell("nothing planted, good and bad days (sd 0.3)", one_day=True, day_sd=0.3, asked=nothing),
        LevelCell(
            "nothing planted, 8 weeks of 4, one question", weeks=8, a_week=4, questions=1, asked=nothing
        ),
        LevelCell(
            "another mix only: the harder from 15 % to 85 %",
            hard=lambda week: 0.15 + 0.7 * week / 17,
            asked=quiet,
        ),
        LevelCell(
            "one clinician 0.8 stricter from week 12 on",
            strict=lambda week: 0.8 * (week >= CHANGES).astype(float),
        ),
        LevelCell("all conversations 0.5 worse from week 12 on", case=drop(0.5), asked=quiet),
        LevelCell("a judge that always gives the middle level", rule="constant", asked=quiet),
        LevelCell("the same, all conversations 0.5 worse from week 12 on", rule="constant", case=drop(0.5)),
        LevelCell("a judge that draws by lot", rule="random", asked=quiet),
        LevelCell("a judge that leaves out 15 % of its labels", missing=(0.15,) * 5, asked=quiet),
        LevelCell(
            "a judge that leaves out half of its lowest labels",
            missing=(0.5, 0.5, 0.0, 0.0, 0.0),
            asked=quiet,
        ),
        LevelCell(
            "0.65 lower from week 12 on, 15 % left out", judge=drop(0.65), missing=(0.15,) * 5, asked=named
        ),
    ]


@dataclass(frozen=True)
class LevelStudy:
    """What one simulated study says. `step`: of the level, alone."""

    findings: list[Finding]
    step: LevelStep

    @property
    def named(self) -> set[str]:
        return {one.kind for one in self.findings if one.named}


def simulate_levels(cell: LevelCell, number: int) -> LevelStudy:
    """The same number is the same study."""
    rng = np.random.default_rng([20261122, sum(map(ord, cell.title)), number])
    talks, questions = cell.weeks * cell.a_week, np.arange(cell.questions)
    at = np.arange(talks)
    week = at // cell.a_week
    day = week * 7 + (
        0 if cell.one_day else np.sort(rng.integers(0, 5, (cell.weeks, cell.a_week)), axis=1).ravel()
    )
    when = week.astype(float)
    condition = (rng.random(talks) < cell.hard(when)).astype(np.int64)
    true = 2.2 - 0.8 * (condition - 0.5) + cell.case(when) + rng.normal(0, 0.8, talks)
    true = true[:, None] + rng.normal(0, 0.3, cell.questions)
    moods = rng.normal(0, cell.day_sd, (CLINICIANS, cell.weeks * 7))
    rater = np.stack([(at + 1) % CLINICIANS, (at + 2) % CLINICIANS], axis=1)
    level = (
        rng.normal(0, 0.3, CLINICIANS)[rater]
        - cell.strict(when)[:, None] * (rater == 0)
        + moods[rater, day[:, None]]
    )
    people = _cut(true[:, None] + level[:, :, None] + rng.normal(0, 0.7, (talks, 2, cell.questions)))
    mind = true - 0.3 * condition[:, None] + cell.judge(when)[:, None] + rng.normal(0, 0.8, true.shape)
    judge = {
        "": _cut(mind),
        "constant": np.full(true.shape, 2),
        "random": rng.integers(0, TOP + 1, true.shape),
    }[cell.rule]
    answered = rng.random(judge.shape) >= np.array(cell.missing)[judge]

    who, where, question = (
        np.broadcast_to(axis, people.shape).ravel()
        for axis in (rater[:, :, None], at[:, None, None], questions)
    )
    clinicians = DriftLevels(who, where, question, where, people.ravel() / TOP)
    judged, of = (np.broadcast_to(axis, judge.shape)[answered] for axis in (at[:, None], questions))
    cases = ConversationDates(day.astype(float), condition, at)
    evidence = DriftEvidence(
        cases,
        clinicians,
        day[where],
        DriftLevels(np.zeros_like(judged), judged, of, judged, judge[answered] / TOP),
    )
    pair = np.broadcast_to(answered[:, None], people.shape).ravel()
    same = np.broadcast_to(judge[:, None], people.shape).ravel() == people.ravel()
    pairs = LevelPairs(
        where[pair],
        question[pair],
        where[pair],
        where[pair],
        week[where[pair]],
        without_strictness(
            clinicians,
            who[pair],
            (np.broadcast_to(judge[:, None], people.shape) - people).ravel()[pair] / TOP,
        ),
        np.ones(int(pair.sum())),
    )
    agreed = AgreementPairs(
        same[pair], week[where[pair]], condition[where[pair]], where[pair], np.ones(int(pair.sum()))
    )
    step = level_step(pairs, cases)
    return LevelStudy(
        family(
            [
                *sources(evidence),
                line(agreed, cell.weeks, ("easier", "harder"), "week").finding(),
                step.finding(),
            ]
        ),
        step,
    )


def count_named(cell: LevelCell, studies: int) -> Counter[str]:
    """In how many studies each kind was named; "any": something was."""
    counts: Counter[str] = Counter()
    for number in range(studies):
        study = simulate_levels(cell, number)
        counts.update(study.named)
        counts["any"] += bool(study.named)
    return counts


def missed(cell: LevelCell, counts: Counter[str], studies: int) -> list[str]:
    """Which of what was asked was not reached."""
    return [kind for kind, (way, share) in cell.asked.items() if way * (counts[kind] / studies - share) < 0]


def _cut(latent: Array) -> NDArray[np.int64]:
    return np.clip(np.rint(latent), 0, TOP).astype(np.int64)
