"""Fit a local classifier: it learns thresholds from half of a study's settled labels, and skips the
conversations that it learned from.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from configs.settings import Settings
from data.labels.agreement_material import read_counted
from data.record import conversations, units
from data.record.studies import Study
from data.store.store import Store
from runs.judging.calls import CallBuilder
from scoring.agreement.labels.label_data import LabelData, Question, UnitTable
from scoring.classifier_fit import ClassifierThresholds, FittedCriterion, fit_criterion
from scoring.judges.catalogue import JudgeEntry
from scoring.judges.local_classifier import mean_score, score_replies
from scoring.judges.prompts import load_prompt
from scoring.models.installed_models import entry_of
from scoring.models.pair_scorer import PairScorer, open_pair_scorer

UNITS_PER_BATCH = 50
# A classifier reads the same text for every entry.
ANY_ENTRY = JudgeEntry(provider="openai_compatible", model="any", base_url="http://127.0.0.1")
NOT_ORDERED = 'its labels have no order without "does not apply"'
Progress = Callable[[int, int], None]
SettledLevels = Mapping[int, Mapping[str, int]]  # unit -> criterion -> level


@dataclass(frozen=True)
class ClassifierFit:
    """`settled`: how many units have a settled label; `learned`: how many of them it learned from."""

    thresholds: ClassifierThresholds
    settled: int
    learned: int


def fit_classifier(
    store: Store, study: Study, settings: Settings, model: str, progress: Progress | None = None
) -> ClassifierFit:
    """Return the fitted thresholds. Raises ModelMissing if the model was not added, ConfigFileError for a
    broken prompt file.
    """
    scorer = open_pair_scorer(entry_of(settings.weights, model))
    with store.reading() as connection:
        material = read_counted(connection, study, None)
    settled = settled_levels(material)
    learned = choose_half(study.key, material, settled)
    levels = {unit: settled[unit] for unit in learned}
    scores = _scores(store, study, settings, scorer, material.units, levels, progress)
    fitted = {question.id: _fit(question, scores.get(question.id, [])) for question in material.questions}
    return ClassifierFit(
        ClassifierThresholds(
            study=study.key,
            instrument=f"{study.instrument.key} {study.instrument.version}",
            model=scorer.label,
            criteria={name: fit.cuts for name, fit in fitted.items() if fit.cuts is not None},
            not_fitted={name: fit.reason for name, fit in fitted.items() if fit.reason is not None},
            learned_from=_conversations_of(store, material, learned),
        ),
        len(settled),
        len(learned),
    )


def settled_levels(material: LabelData) -> SettledLevels:
    """Return unit -> criterion -> settled level.

    A level is settled if people who had not seen the judge settled it, or else if two or more clinicians gave
    it blind and none contradicted. "Does not apply" is not a level.
    """
    levels: dict[int, dict[str, int]] = defaultdict(dict)
    for number, question in enumerate(material.questions):
        labels = material.labels_without_rule(number)
        codes: dict[int, list[int]] = defaultdict(list)
        for unit, code in zip(labels.unit.tolist(), labels.code.tolist(), strict=True):
            codes[unit].append(code)
        settlements = {
            settlement.unit: settlement.code
            for settlement in material.settled
            if settlement.question == number and settlement.reference
        }
        for unit, given in codes.items():
            if unit not in settlements and len(given) > 1 and len(set(given)) == 1:
                settlements[unit] = given[0]
        for unit, code in settlements.items():
            if code is not None and code < len(question.levels):
                levels[unit][question.id] = code
    return levels


def _conversations_of(store: Store, material: LabelData, learned: Sequence[int]) -> tuple[str, ...]:
    """Return the keys of all conversations of the persons learned from, with or without a settled label."""
    table = material.units
    parts = table.part[table.at(np.array(learned, dtype=np.int64))] if learned else table.part[:0]
    ids = sorted(set(table.conversation[np.isin(table.part, parts)].tolist()))
    with store.reading() as connection:
        return tuple(sorted(conversation.key for conversation in conversations.read(connection, ids)))


def choose_half(study: str, material: LabelData, settled: SettledLevels) -> list[int]:
    """Return the units of about half of the conversations, or of the persons if one has several. A hash
    chooses the half, whatever the labels are.
    """
    table = material.units
    places = table.at(np.array(sorted(settled), dtype=np.int64)) if settled else np.zeros(0, dtype=np.intp)
    return [
        int(table.id[place])
        for place in places.tolist()
        if hashlib.sha256(f"{study}|{table.part[place]}".encode()).digest()[0] % 2 == 0
    ]


def _scores(
    store: Store,
    study: Study,
    settings: Settings,
    scorer: PairScorer,
    table: UnitTable,
    levels: SettledLevels,
    progress: Progress | None,
) -> dict[str, list[tuple[float, int, int]]]:
    """Return criterion -> (score, level, part) of each unit."""
    prompt = load_prompt(settings.prompts / f"{ANY_ENTRY.prompt(study.instrument.unit)}.yaml")
    caller = CallBuilder(study, prompt, ANY_ENTRY)
    scores: dict[str, list[tuple[float, int, int]]] = defaultdict(list)
    unit_ids = sorted(levels)
    for start in range(0, len(unit_ids), UNITS_PER_BATCH):
        with store.reading() as connection:
            batch = units.by_ids(connection, unit_ids[start : start + UNITS_PER_BATCH])
            messages = {unit.id: units.transcript(connection, unit) for unit in batch}
        for unit in batch:
            shown = messages[unit.id]
            for criterion in caller.asked(unit) if shown else ():
                if criterion.id in levels[unit.id]:
                    score = mean_score(score_replies(scorer, caller.material(unit, shown or [], criterion)))
                    if score is not None:
                        part = int(table.part[table.at(np.array([unit.id]))[0]])
                        scores[criterion.id].append((score, levels[unit.id][criterion.id], part))
        if progress:
            progress(min(start + UNITS_PER_BATCH, len(unit_ids)), len(unit_ids))
    return scores


def _fit(question: Question, scores: Sequence[tuple[float, int, int]]) -> FittedCriterion:
    """Fit one criterion. Levels are ordered by value, lowest first, because a scale may list them in
    reverse.
    """
    if len(question.scale) != len(question.levels):
        return FittedCriterion(None, NOT_ORDERED)
    order = sorted(range(len(question.levels)), key=lambda level: question.scale[level])
    rank = {level: place for place, level in enumerate(order)}
    return fit_criterion(
        [score for score, *_ in scores],
        [rank[level] for _, level, _ in scores],
        [question.levels[level] for level in order],
        [part for *_, part in scores],
    )
