"""The numbers that are made of a judge's labels: rubric scores and plan-output alignment, unit by unit and
together.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from data import conversations, judgements, units
from data.conversations import Conversation
from data.judgements import Judge
from data.metrics import MetricSubject, MetricValue, inputs_hash
from data.store import Connection
from data.studies import Study
from data.units import Unit
from scoring.plan_alignment import Experiment, PlanConsistency, Trial, plan_consistency, trial_alignment
from scoring.plan_alignment.experiment import NO_SCORE
from scoring.rubric import ERROR
from scoring.rubric import score as rubric_score

Labels = dict[str, str | None]  # by criterion; None for a failure


def unit_metrics(connection: Connection, study: Study, conversation_ids: list[int]) -> Iterator[MetricValue]:
    """Rubric scores or plan alignments of the units of some conversations, for each judge that said
    something.
    """
    by_unit = judgements.first_labels(connection, study.id, conversation_ids)
    for unit in units.of_conversations(connection, conversation_ids):
        for judge_id, labels in by_unit.get(unit.id, {}).items():
            metric = of_unit(study, unit, judge_id, labels)
            if metric:
                yield metric


def of_unit(study: Study, unit: Unit, judge_id: int, labels: Labels) -> MetricValue | None:
    """What the labels of one judge make of one unit; None where its instrument makes no score."""
    subject = MetricSubject(unit.conversation_id, unit.id, judge_id)
    if study.instrument.score.rule == "weighted_categories":
        return _rubric(study, unit, subject, labels)
    if study.instrument.criteria_from:
        return _plan(study, unit, subject, labels)
    return None


def _rubric(study: Study, unit: Unit, subject: MetricSubject, labels: Labels) -> MetricValue:
    instrument = study.instrument
    forced = {c.id: instrument.forced_not_applicable(c, unit.turns) for c in instrument.criteria}
    answers = {
        c.id: forced[c.id] or (labels[c.id] or ERROR)
        for c in instrument.criteria
        if forced[c.id] or c.id in labels
    }
    rubric = rubric_score(answers, instrument)
    detail = {
        "passed": rubric.passed if rubric.complete else None,
        "gate_failed": rubric.gate_failed_by_labels,
        "failed_checks": rubric.failed_checks,
        "failed_safety": rubric.failed_safety,
        "incomplete": rubric.incomplete,
        "invalid": rubric.invalid_not_applicable,
        "strict": float(rubric.score),
        "applicable": _number(rubric.applicable_score),
        "categories": {name: float(value) for name, value in rubric.category_scores.items()},
    }
    undefined = None if rubric.complete else f"Incomplete: no answer to {', '.join(rubric.incomplete)}."
    return MetricValue(
        subject,
        "rubric_score",
        "strict",
        f"{instrument.key} {instrument.version}",
        float(rubric.score) if rubric.complete else None,
        undefined,
        inputs_hash("rubric_score", "1", instrument.key, instrument.version, answers),
        detail,
    )


def _plan(study: Study, unit: Unit, subject: MetricSubject, labels: Labels) -> MetricValue:
    scores = {c.id: study.instrument.scale_of(c).value(labels.get(c.id) or "") for c in unit.criteria(study)}
    value = trial_alignment(unit.declared, scores)
    reason = (
        None
        if value is not None
        else "The plan declares nothing."
        if not unit.declared
        else "The judge did not score every declared strategy."
    )
    return MetricValue(
        subject,
        "plan_alignment",
        "judged",
        "1",
        _number(value),
        reason,
        inputs_hash("plan_alignment", "1", unit.declared, scores),
        {"scores": scores},
    )


def experiment_metrics(
    connection: Connection, study: Study, conversation_ids: list[int]
) -> Iterator[MetricValue]:
    """Of all trials of a study with declared plans: how alike the plans are, and the mean alignment by each
    judge.
    """
    if not study.instrument.criteria_from or not conversation_ids:
        return
    trials = units.of_conversations(connection, conversation_ids)
    skipped = sorted(
        set(conversation_ids) - {unit.conversation_id for unit in trials}
    )  # no plan or no response: nothing to judge
    yield from _consistency(
        [set(unit.declared) for unit in trials]
        + [_declared(study, conversation) for conversation in conversations.read(connection, skipped)]
    )
    by_unit = judgements.first_labels(connection, study.id, conversation_ids)
    for judge in judgements.judges(connection, study.id):
        experiment = _experiment(
            study,
            trials,
            len(skipped),
            {unit: labels[judge.id] for unit, labels in by_unit.items() if judge.id in labels},
        )
        yield from _means(experiment, judge)


def _declared(study: Study, skipped: Conversation) -> set[str]:
    """A plan without a response is a plan all the same."""
    return set(skipped.planned(study.taxonomy)[1].declared) if study.taxonomy else set()


def _experiment(study: Study, trials: list[Unit], skipped: int, by_unit: dict[int, Labels]) -> Experiment:
    made = []
    for number, unit in enumerate(trials, start=1):
        made.append(
            Trial.scored(number, unit.declared, unit.scores(study, by_unit.get(unit.id, {})), error=NO_SCORE)
        )
    return Experiment(
        tuple(made)
        + tuple(Trial(len(made) + number, "skipped", (), {}, {}) for number in range(1, skipped + 1))
    )


def _consistency(sets: list[set[str]]) -> Iterator[MetricValue]:
    plan_sets: PlanConsistency = plan_consistency(sets)
    inputs = inputs_hash("plan_consistency", "1", [sorted(names) for names in sets])
    for name in ("validity_rate", "jaccard_all", "jaccard_valid_only", "modal_set_agreement"):
        value = getattr(plan_sets, name)
        yield MetricValue(
            MetricSubject(),
            name,
            "product",
            "1",
            value.value,
            value.undefined,
            inputs,
            {"reference": plan_sets.reference[name], "n": value.n},
        )


def _means(experiment: Experiment, judge: Judge) -> Iterator[MetricValue]:
    if not any(trial.scores for trial in experiment.trials):
        return
    inputs = inputs_hash(
        "alignment_mean", "1", [(trial.status, trial.declared, trial.scores) for trial in experiment.trials]
    )
    judged, of = experiment.alignment_mean_judged, len(experiment.trials)
    yield MetricValue(
        MetricSubject(judge_id=judge.id),
        "alignment_mean",
        "judged",
        "1",
        judged.value,
        judged.undefined,
        inputs,
        {"n": judged.n, "of": of, "per_strategy": experiment.per_strategy()},
    )
    yield MetricValue(
        MetricSubject(judge_id=judge.id),
        "alignment_mean",
        "reference",
        "1",
        experiment.reference_mean,
        None,
        inputs,
        {"of": of},
    )


def _number(value: Fraction | None) -> float | None:
    return float(value) if value is not None else None
