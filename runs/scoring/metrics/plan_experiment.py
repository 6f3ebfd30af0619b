"""An experiment of repeated trials: how alike the plans are, and the mean alignment by each judge."""

from __future__ import annotations

from collections.abc import Iterator

from data.record import conversations, judgements, units
from data.record.conversations import Conversation
from data.record.judgements import Judge
from data.record.metrics import MetricSubject, MetricValue, inputs_hash
from data.record.studies import Study
from data.record.units import Unit
from data.store.store import Connection
from runs.scoring.metric_spec import ShownRow, StudyMaterial, StudyMetric
from scoring.plan_alignment import Experiment, PlanConsistency, Trial, plan_consistency
from scoring.plan_alignment.experiment import NO_SCORE

Labels = dict[str, str | None]  # by criterion; None for a failure


def experiment_metrics(
    connection: Connection, study: Study, conversation_ids: list[int]
) -> Iterator[MetricValue]:
    """Yield how alike the declared plans of all trials are, and the mean alignment by each judge.

    Nothing for a study without declared plans.
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
    scored_trials = []
    for number, unit in enumerate(trials, start=1):
        scored_trials.append(
            Trial.scored(number, unit.declared, unit.scores(study, by_unit.get(unit.id, {})), error=NO_SCORE)
        )
    return Experiment(
        tuple(scored_trials)
        + tuple(Trial(len(scored_trials) + number, "skipped", (), {}, {}) for number in range(1, skipped + 1))
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
        {
            "n": judged.n,
            "of": of,
            "per_strategy": experiment.per_strategy(),
            "trials_by_strategy": experiment.trials_by_strategy(),
        },
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


def _compute(material: StudyMaterial) -> list[MetricValue]:
    with material.store.reading() as connection:
        return list(experiment_metrics(connection, material.study, material.conversation_ids))


METRIC = StudyMetric(
    name="plan_experiment",
    title="consistency of plans",
    order=10,
    compute=_compute,
    applies=lambda _connection, study: bool(study.instrument.criteria_from),
    made_of="declared plans",
    of_labels=experiment_metrics,
    other_names=("alignment_mean",),
    rows=(
        ShownRow(
            "Plans with one or two known strategies",
            "validity_rate",
            {"product": ""},
            counted="plans",
            lead_only=False,
        ),
        ShownRow(
            "Likeness of all pairs of plans (Jaccard)",
            "jaccard_all",
            {"product": ""},
            counted="plans",
            lead_only=False,
        ),
        ShownRow(
            "Likeness of the valid plans",
            "jaccard_valid_only",
            {"product": ""},
            counted="plans",
            lead_only=False,
        ),
        ShownRow(
            "Share of the most frequent plan",
            "modal_set_agreement",
            {"product": ""},
            counted="plans",
            lead_only=False,
        ),
    ),
)
