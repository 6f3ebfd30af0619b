"""Write a study of declared plans as a run folder of the published program: trials, judgments.json,
metrics.json, history.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from data.record import conversations, judgements, units
from data.record.conversations import Conversation
from data.record.judgements import Judge
from data.record.metrics import MetricValue
from data.record.studies import Study
from data.record.units import Unit
from data.store.errors import Refused
from data.store.private_files import make_folder, open_private
from data.store.store import Connection
from scoring.plan_alignment import DeclaredPlan, Experiment, Trial, plan_consistency
from scoring.plan_alignment.experiment import NO_SCORE
from scoring.transcripts import Message


def write(
    connection: Connection, study: Study, judge: Judge, folder: Path, more: Sequence[MetricValue] = ()
) -> int:
    """Write the run as one judge scored it; return the number of trials. Raises Refused, OSError.

    `more`: numbers of the study that metrics.json holds next to the published ones. The folder must be new or
    empty, because files of another run would be read with these.
    """
    if study.taxonomy is None or not study.instrument.criteria_from:
        raise Refused("no_run_to_write", study=study.key)
    if folder.exists() and any(folder.iterdir()):
        raise Refused("folder_not_empty", folder=folder)
    read_conversations = conversations.read(connection, conversations.ids(connection, study.id))
    erased = [conversation.key for conversation in read_conversations if conversation.messages is None]
    if erased:
        raise Refused("run_with_erased_words", erased=erased[0])
    rated = _rated(connection, read_conversations)
    read = [
        conversation.planned(
            study.taxonomy, rated[conversation.id].message if conversation.id in rated else None
        )
        for conversation in read_conversations
    ]
    experiment = experiment_of(
        connection, study, judge, read_conversations, [plan for _, plan in read], rated
    )
    make_folder(folder / "trials")
    history = _shared([before for before, _ in read])
    _write(
        folder / "frozen_history.json",
        {
            "session_id": study.key,
            "user_id": None,
            "messages": [{"content": m.text, "role": m.role} for m in history],
            "stages": [],
            "language": "en",
        },
    )
    for number, (_, plan) in enumerate(read, start=1):
        _write(
            folder / "trials" / f"trial_{number:02d}.json",
            {
                "plan": f"<plan>{plan.text}</plan>" if plan.text else "",
                "response": plan.response,
                "strategies": sorted(plan.declared),
            },
        )
    _write(folder / "judgments.json", [trial.published() for trial in experiment.trials])
    _write(
        folder / "metrics.json", {**metrics(experiment, [plan.declared for _, plan in read]), **_more(more)}
    )
    return len(read)


def _rated(connection: Connection, conversations: Sequence[Conversation]) -> dict[int, Unit]:
    """Return the unit of each conversation that has one. Raises Refused if one has several."""
    several: defaultdict[int, list[Unit]] = defaultdict(list)
    for unit in units.of_conversations(connection, [conversation.id for conversation in conversations]):
        several[unit.conversation_id].append(unit)
    for conversation in conversations:
        if len(several[conversation.id]) > 1:
            raise Refused(
                "several_plans_in_conversation",
                conversation=conversation.key,
                count=len(several[conversation.id]),
            )
    return {number: listed[0] for number, listed in several.items() if listed}


def experiment_of(
    connection: Connection,
    study: Study,
    judge: Judge,
    conversations: Sequence[Conversation],
    plans: Sequence[DeclaredPlan],
    rated: Mapping[int, Unit],
) -> Experiment:
    """Return the trials of a study as a judge scored them, numbered from 1 in the order of `conversations`.

    Args:
        connection: a connection to the store.
        study: the study.
        judge: the one whose labels and reasons are written.
        conversations: all of them, with as many entries as `plans`.
        plans: the declared plan of each.
        rated: conversation -> its unit. A trial of a conversation without one is "skipped", with the plan's
            strategies and no scores.
    """
    by_unit = judgements.first_labels(
        connection, study.id, [conversation.id for conversation in conversations]
    )
    reasons = judgements.reasoning(connection, study.id, judge.id)
    trials = []
    for number, (conversation, plan) in enumerate(zip(conversations, plans, strict=True), start=1):
        unit = rated.get(conversation.id)
        declared = tuple(sorted(unit.declared if unit else plan.declared))
        if unit is None:
            trials.append(Trial(number, "skipped", declared, {}, {}))
            continue
        labels = by_unit.get(unit.id, {}).get(judge.id, {})
        scores = unit.scores(study, labels)
        reason_by_strategy = {name: reasons[unit.id, name] for name in declared if (unit.id, name) in reasons}
        error = next(iter(reason_by_strategy.values()), NO_SCORE)
        trials.append(
            Trial.scored(
                number,
                declared,
                scores,
                {name: reason_by_strategy[name] for name in reason_by_strategy if name in scores},
                error=error,
            )
        )
    return Experiment(tuple(trials))


def metrics(experiment: Experiment, declared: Sequence[Sequence[str]]) -> dict[str, Any]:
    """Return metrics.json: the published names, and the mean over judged trials."""
    consistency = plan_consistency([set(names) for names in declared]).reference
    judged = experiment.alignment_mean_judged
    return {
        "n_trials": len(experiment.trials),
        **consistency,
        "alignment_mean": experiment.reference_mean,
        "alignment_mean_judged": judged.value,
        "n_judged": judged.n,
        "alignment_per_trial": [float(trial.reference_alignment) for trial in experiment.trials],
        "alignment_per_strategy": experiment.per_strategy(reference=True),
        "strategy_counts": dict(Counter(name for names in declared for name in names).most_common()),
    }


def _more(values: Sequence[MetricValue]) -> dict[str, Any]:
    """Return the numbers under separate names, so that none is taken for a published one; None comes with its
    reason.
    """
    if not values:
        return {}
    return {
        "more_metrics": [
            {
                "metric": value.metric,
                "variant": value.variant,
                "version": value.version,
                "value": value.value,
                "undefined": value.undefined,
            }
            for value in values
        ]
    }


def _shared(histories: list[list[Message]]) -> list[Message]:
    """Return the messages with which all trials begin."""
    shared: list[Message] = []
    for column in zip(*histories, strict=False):
        if any(message != column[0] for message in column):
            break
        shared.append(column[0])
    return shared


def _write(path: Path, value: Any) -> None:
    with open_private(path, "w", encoding="utf-8") as file:
        file.write(json.dumps(value, ensure_ascii=False, indent=2) + "\n")
