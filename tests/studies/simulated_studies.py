"""Studies made of chance, into which one drift is planted: what the naming of drifts is measured on.

Twelve weeks of fifteen conversations, three raters of whom two rate each, five questions on three levels,
three conditions of different difficulty (0.6 apart; the judge errs more on the harder ones), 40 anchor
conversations that the judge answers in each of four rounds. Everything is cut from one latent scale, on which
conversations of a condition have an sd of 0.5 and a label an error of 0.7, at -0.6 and 0.6; a judge's answer
to an anchor flips to a neighbour in 3 of 100.

Planted, growing evenly from nothing in the first week to all of it in the last:
- judge: gives 0.25 less, on cases and anchors; at the end one label of six is a level lower
- raters: one of the three gives 1.0 less; at the end four of seven of their labels are a level lower
- mix: the hardest condition grows from 15 of 100 conversations to 65, the easiest falls from 65 to 15
- model: conversations are 0.7 worse within each condition; at the end two labels of five are a level lower
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.arrays import Array
from scoring.drift.findings import Finding, family
from scoring.drift.judge_level import LevelPairs, level_step, without_strictness
from scoring.drift.judge_movement import AnchorAnswers
from scoring.drift.period_agreement import AgreementPairs, line
from scoring.drift.rater_movement import DriftLevels
from scoring.drift.sources import ConversationDates, DriftEvidence, sources

WEEKS, A_WEEK, RATERS, QUESTIONS, ANCHORS, ROUNDS = 12, 15, 3, 5, 40, (0, 28, 56, 83)
HARDNESS = np.array([0.6, 0.0, -0.6])
ERROR = np.array([0.45, 0.7, 0.95])  # of the judge, by condition
PLANTED = {"judge": 0.25, "raters": 1.0, "mix": 0.5, "model": 0.7}
FIRST_MIX = np.array([0.65, 0.2, 0.15])
CONDITIONS = ("easy", "middling", "hard")


@dataclass(frozen=True)
class Simulated:
    """`drifting`: the rater who moves, where one does."""

    evidence: DriftEvidence
    agreed: AgreementPairs
    levels: LevelPairs
    drifting: int

    def found(self) -> list[Finding]:
        """The whole family, as the page has it."""
        return family(
            [
                *sources(self.evidence),
                line(self.agreed, WEEKS, CONDITIONS, "week").finding(),
                level_step(self.levels, self.evidence.cases).finding(),
            ]
        )


def simulate(kind: str, number: int) -> Simulated:
    """`kind`: "none" or one of PLANTED. The same number is the same study."""
    rng = np.random.default_rng([20261122, ["none", *PLANTED].index(kind), number])
    size = {name: amount * (name == kind) for name, amount in PLANTED.items()}
    talks = WEEKS * A_WEEK
    day = np.sort(np.repeat(np.arange(WEEKS) * 7, A_WEEK) + rng.integers(0, 5, talks))
    late = day / day.max()
    condition = _conditions(rng, late, size["mix"], kind)
    question = rng.normal(0, 0.3, QUESTIONS)
    case = HARDNESS[condition] + rng.normal(0, 0.5, talks) - size["model"] * late
    true = case[:, None] + question  # (talks, questions)

    strictness, drifting = rng.normal(0, 0.3, RATERS), rng.integers(RATERS)
    left_out = rng.integers(0, RATERS, talks)
    rater = np.stack([(left_out + 1) % RATERS, (left_out + 2) % RATERS], axis=1)  # (talks, 2)
    moved = strictness[rater] - size["raters"] * late[:, None] * (rater == drifting)
    people = _cut(true[:, None] + moved[:, :, None] + rng.normal(0, 0.7, (talks, 2, QUESTIONS)))
    judge = _cut(
        true - size["judge"] * late[:, None] + rng.normal(0, 1, true.shape) * ERROR[condition][:, None]
    )

    at = np.arange(talks)
    who, where, asked = (
        np.broadcast_to(axis, people.shape).ravel()
        for axis in (rater[:, :, None], at[:, None, None], np.arange(QUESTIONS))
    )
    judged, of = (np.broadcast_to(axis, judge.shape).ravel() for axis in (at[:, None], np.arange(QUESTIONS)))
    evidence = DriftEvidence(
        ConversationDates(day.astype(float), condition, at),
        DriftLevels(who, where, asked, where, people.ravel() / 2),
        day[where],
        DriftLevels(np.zeros_like(judged), judged, of, judged, judge.ravel() / 2),
        _anchors(rng, question, size["judge"], day.max()),
    )
    week = day[where] // 7
    agreed = AgreementPairs(
        (people == judge[:, None]).ravel(), week, condition[where], where, np.ones(len(where))
    )
    difference = without_strictness(evidence.people, who, (judge[:, None] - people).ravel() / 2)
    levels = LevelPairs(where, asked, where, where, week, difference, np.ones(len(where)))
    return Simulated(evidence, agreed, levels, int(drifting))


def _conditions(rng: np.random.Generator, late: Array, moves: float, kind: str) -> NDArray[np.int64]:
    """Where the mix does not move, each of the three is a third."""
    shares = (
        FIRST_MIX + moves * late[:, None] * np.array([-1, 0, 1])
        if kind == "mix"
        else np.full((len(late), 3), 1 / 3)
    )
    return np.asarray((rng.random(len(late))[:, None] > shares.cumsum(axis=1)[:, :2]).sum(axis=1))


def _anchors(rng: np.random.Generator, question: Array, moves: float, last: int) -> AnchorAnswers:
    true = rng.choice(HARDNESS, ANCHORS)[:, None] + rng.normal(0, 0.5, (ANCHORS, 1)) + question
    settled, mind = _cut(true), true + rng.normal(0, 0.7, true.shape)
    days = np.array(ROUNDS)
    answers = _cut(mind - moves * (days / last)[:, None, None])  # (rounds, anchors, questions)
    flips = (rng.random(answers.shape) < 0.03) * rng.choice([-1, 1], answers.shape)
    answers = np.where((answers + flips < 0) | (answers + flips > 2), answers - flips, answers + flips)
    day, talk, asked = (
        np.broadcast_to(axis, answers.shape).ravel()
        for axis in (days[:, None, None], np.arange(ANCHORS)[:, None], np.arange(QUESTIONS))
    )
    return AnchorAnswers(talk, asked, day, answers.ravel() / 2, (answers == settled).ravel())


def _cut(latent: Array) -> NDArray[np.int64]:
    return (latent > -0.6).astype(np.int64) + (latent > 0.6)
