"""Pass or fail, made of the clinicians' labels and of the judge's: where they decide differently, and which
criterion turns it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from scoring.agreement.coefficients.chance import share
from scoring.agreement.intervals.estimate import Estimate
from scoring.agreement.intervals.jackknife import Statistic, jackknife
from scoring.agreement.labels.label_data import LabelData
from scoring.agreement.labels.labels import Labels, numbered
from scoring.agreement.rates.corrected_rate import JudgePasses, PassCalibration, corrected_rate
from scoring.agreement.rates.rates_shown import why_not_corrected
from scoring.arrays import Mask
from scoring.instruments import Instrument
from scoring.rubric import deciding, passes

NOTHING = "no conversation has every criterion labelled by one clinician"
_RATE = Statistic(
    "pass rate",
    lambda counts: share(counts[..., 0], counts[..., 1]),
    lambda _: NOTHING,
    low=0.0,
    all_agree=None,
    kind="share",
)
Codes = NDArray[np.int64]
NONE = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True)
class DecisionFlip:
    """One clinician and the judge decide differently. `deciding`: the criteria where the clinician's
    label in the place of the judge's turns the judge's decision; where no single one does (not `alone`),
    those that pull it toward the clinician's (scoring.rubric.deciding_criteria).
    """

    unit: int
    position: int
    rater: int
    clinician_passes: bool
    deciding: tuple[str, ...]
    alone: bool


@dataclass(frozen=True)
class PassRate:
    """`passed` of `n` conversations with every label; `incomplete` others. `low_bound`, `high_bound`: if
    these all failed, or all passed.
    """

    passed: float
    n: int
    incomplete: int
    estimate: Estimate
    low_bound: float | None
    high_bound: float | None


@dataclass(frozen=True)
class Decisions:
    """`same` of `compared` decisions (a clinician and a conversation each). `turned_by`: criterion -> in how
    many flips it decides alone.

    `people`: the pass rate by clinicians, each conversation the mean over its raters. `judge`: by the judge
    alone, never to be reported as the true rate. `corrected`: where it may be shown, else `why_not` says why
    in a clinician's words.
    """

    compared: int
    same: int
    flips: tuple[DecisionFlip, ...]
    turned_by: tuple[tuple[str, int], ...]
    people: PassRate
    judge: PassRate
    corrected: Estimate | None
    why_not: str | None


def decisions(material: LabelData, instrument: Instrument) -> Decisions | None:
    """Return the pass or fail decisions of clinicians and judge, where they differ, and both pass rates.

    `material.questions` are the instrument's criteria, in its order. None for an instrument whose score
    rule is not "weighted_categories", which has no decision.
    """
    if instrument.score.rule != "weighted_categories":
        return None
    human_units, human_raters, human = _by_people(material)
    judge_units, _, judged = _by_judge(material)
    complete, mine = _decided(instrument, human)
    judge_complete, its = _decided(instrument, judged)
    at, both = _same(judge_units, human_units)
    compared = both & complete
    compared[both] &= judge_complete[at[both]]
    here = np.flatnonzero(compared)
    differ = here[mine[here] != its[at[here]]]
    names = [question.id for question in material.questions]
    turning, alone = deciding(instrument, judged[at[differ]], human[differ])
    flips = tuple(
        DecisionFlip(unit, position, rater, passed, tuple(compress(names, row)), by_itself)
        for unit, position, rater, passed, row, by_itself in zip(
            human_units[differ].tolist(),
            material.units.position[material.units.at(human_units[differ])].tolist(),
            human_raters[differ].tolist(),
            mine[differ].tolist(),
            turning.tolist(),
            alone.tolist(),
            strict=True,
        )
    )
    turned = [(name, n) for name, n in zip(names, turning[alone].sum(axis=0).tolist(), strict=True) if n]
    people, machine = (
        _rate(material, human_units, complete, mine),
        _rate(material, judge_units, judge_complete, its),
    )
    # All that was drawn, each with the same chance, or everything: while some of it is still to be rated,
    # those who are quick decide what is in.
    asked_for = judge_units[judge_complete & material.units.counts(judge_units)]
    random = not material.units.weighted and bool(np.isin(asked_for, human_units[here]).all())
    calibration = _calibration(human_units[here], mine[here], its[at[here]])
    total = JudgePasses(int(its[judge_complete].sum()), int(judge_complete.sum()))
    why = why_not_corrected(calibration, total, random)
    return Decisions(
        len(here),
        len(here) - len(differ),
        flips,
        tuple(sorted(turned, key=lambda criterion_count: -criterion_count[1])),
        people,
        machine,
        corrected_rate(calibration, total) if why is None else None,
        why,
    )


def _by_people(material: LabelData) -> tuple[Codes, Codes, Codes]:
    return _rows(material, [_of(material.human_labels(number)) for number in range(len(material.questions))])


def _by_judge(material: LabelData) -> tuple[Codes, Codes, Codes]:
    return _rows(
        material,
        [
            _of(material.judge_labels(number), _failed(material, number))
            for number in range(len(material.questions))
        ],
    )


def _of(labels: Labels, failed: Codes = NONE) -> tuple[Codes, Codes, Codes]:
    """Units, raters and codes of the answers to one question, -1 on the units that `failed`."""
    none = np.full(len(failed), -1)
    return (
        np.concatenate([labels.unit, failed]),
        np.concatenate([labels.rater, none + 1]),
        np.concatenate([labels.code, none]),
    )


def _failed(material: LabelData, number: int) -> Codes:
    return np.array(
        [unit for question, unit, _ in material.judge.failed if question == number], dtype=np.int64
    )


def _rows(material: LabelData, answers: list[tuple[Codes, Codes, Codes]]) -> tuple[Codes, Codes, Codes]:
    """Unit, rater (0 for the judge), and the codes (N, Q) of each who labelled a unit; -1 where there is no
    label, and where the conversation is too short the code that a rule fills in. `answers`: of each question.
    """
    most = max((int(rater.max(initial=0)) for _, rater, _ in answers), default=0) + 1
    keys, place = numbered(np.concatenate([unit * most + rater for unit, rater, _ in answers]))
    units = keys // most
    codes = np.full((len(keys), len(answers)), -1, dtype=np.int64, order="F")
    places = np.split(place, np.cumsum([len(unit) for unit, _, _ in answers]))
    for number, question in enumerate(material.questions):
        codes[places[number], number] = answers[number][2]
        if question.not_applicable is not None:
            codes[material.by_rule(number, units), number] = question.domain.index(question.not_applicable)
    return units, keys % most, codes


def _decided(instrument: Instrument, codes: Codes) -> tuple[Mask, Mask]:
    return np.asarray((codes >= 0).all(axis=1)), passes(instrument, codes)


def _same(among: Codes, wanted: Codes) -> tuple[NDArray[np.intp], Mask]:
    at = np.searchsorted(among, wanted)
    found = at < len(among)
    found[found] = among[at[found]] == wanted[found]
    return at, found


def _rate(material: LabelData, units: Codes, complete: Mask, passed: Mask) -> PassRate:
    """Each unit counts the mean over the raters who labelled all of it, weighted by one over its chance to be
    drawn.
    """
    names, place = numbered(units)
    whole = np.bincount(place, weights=complete, minlength=len(names))
    good = np.bincount(place, weights=complete & passed, minlength=len(names))
    at = material.units.at(names)
    weight = np.ones(len(names)) if material.units.weight is None else material.units.weight[at]
    weighted_units = ~np.isnan(weight)
    decided, open_ = weighted_units & (whole > 0), weighted_units & (whole == 0)
    shares = good[decided] / whole[decided]
    parts, part = numbered(material.units.part[at][decided])
    counts = np.stack(
        [
            np.bincount(part, weights=weight[decided] * shares, minlength=len(parts)),
            np.bincount(part, weights=weight[decided], minlength=len(parts)),
        ],
        axis=1,
    ).astype(float)
    top, bottom, rest = float(counts[:, 0].sum()), float(counts[:, 1].sum()), float(weight[open_].sum())
    bounds = (top / (bottom + rest), (top + rest) / (bottom + rest)) if bottom + rest else (None, None)
    return PassRate(
        float(shares.sum()),
        int(decided.sum()),
        int(open_.sum()),
        jackknife(_RATE, counts, int(decided.sum())),
        *bounds,
    )


def _calibration(units: Codes, mine: Mask, its: Mask) -> PassCalibration:
    """One decision a conversation: that of most of its clinicians, beside the judge's. Ties are nobody's
    decision and stay out.
    """
    names, place = numbered(units)
    good, number = (
        2 * np.bincount(place, weights=mine, minlength=len(names)),
        np.bincount(place, minlength=len(names)),
    )
    judge = np.zeros(len(names), dtype=bool)
    judge[place] = its
    passed, failed = good > number, good < number
    return PassCalibration(
        int(passed.sum()), int((passed & judge).sum()), int(failed.sum()), int((failed & ~judge).sum())
    )
