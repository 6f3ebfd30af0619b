"""The metrics of one unit for the workbench. Metrics of a judge are included only once it was revealed."""

from __future__ import annotations

from typing import Any

from data.record import conversations, metrics, step_pairs, units
from data.record.conversations import Conversation
from data.record.judgements import Judge, Judgement
from data.record.metrics import MetricValue
from data.record.references import KINDS, Kind, Reference, References, has_any, scopes_of
from data.record.studies import Study
from data.record.units import Unit
from data.store.store import Connection
from runs.scoring.judge_metrics import instrument_score
from runs.scoring.metrics.entity_recall import entity_inputs
from runs.scoring.metrics.step_f1 import step_inputs
from scoring.goal_alignment import BANDS, BANDS_NOTE, band
from scoring.step_f1 import steps_of_replies, tokens
from scoring.transcripts import turn_numbers
from services.step_pairs import is_hidden, step_pairs_of_unit

STALE = "These numbers are out of date. A study lead can compute them again."
NOT_YET = "The metrics of this conversation are not computed yet. A study lead can start that."
Found = dict[tuple[str, str], MetricValue]


def metrics_panel(
    connection: Connection,
    study: Study,
    unit: Unit,
    rater_id: int,
    committed: bool,
    judges: list[Judge],
    shown: list[Judgement],
) -> dict[str, Any] | None:
    """Return the tab's data, or None if no metric applies. `judges` and `shown`: what was revealed. The step
    matches are left out until this rater asks for them, because they are asked to judge pairs first.
    """
    present = metrics.present(connection, study.id, unit.conversation_id)
    if not present and not judges and not has_any(connection, study.id):
        return None
    conversation = conversations.read(connection, [unit.conversation_id])[0]
    references = References(connection, study.id, scopes_of(conversation.key, conversation.condition))
    about = _MeasuredUnit(study, unit, committed, conversation, references, _visible_turns(connection, unit))
    values = {(m.metric, m.variant): m for m in present}
    steps = _steps(about, values)
    pairs_to_rate = _step_pairs(connection, about, rater_id) if steps else None
    panel = {
        "goal": _goal(about, values),
        "steps": None if pairs_to_rate else steps,
        "step_pairs": pairs_to_rate,
        "entities": _entities(about, values),
        "judges": [judge_panel for judge in judges if (judge_panel := _judge(study, unit, judge, shown))],
    }
    if any(panel.values()):
        return {**panel, "note": ""}
    wanted = any(about.reference(kind) and not about.hidden(kind) for kind in KINDS)
    return {**panel, "note": NOT_YET} if wanted and unit.message is None else None


class _MeasuredUnit:
    """One unit, its references, and how much of it the rater may read."""

    def __init__(
        self,
        study: Study,
        unit: Unit,
        committed: bool,
        conversation: Conversation,
        references: References,
        turns: int,
    ) -> None:
        self.study, self.unit, self.committed, self.conversation, self.turns = (
            study,
            unit,
            committed,
            conversation,
            turns,
        )
        self._references = references

    def reference(self, kind: Kind) -> Reference | None:
        return self._references.of(kind, self.conversation.key, self.conversation.condition)

    def hidden(self, kind: Kind) -> bool:
        reference = self.reference(kind)
        return reference is not None and is_hidden(reference, self.committed)

    @property
    def stale(self) -> str:
        return STALE

    def replies(self) -> list[str | None] | None:
        """Return the replies; None if the text was erased or the rater reads only up to a turn."""
        if self.conversation.messages is None or self.unit.message is not None:
            return None
        return self.conversation.replies()


def _visible_turns(connection: Connection, unit: Unit) -> int:
    seen = units.transcript(connection, unit)
    return max(turn_numbers([message.role for message in seen]), default=0) if seen else 0


def _value(metric: MetricValue | None) -> dict[str, Any]:
    return {
        "value": metric.value if metric else None,
        "why": (metric.undefined if metric else "It was not computed.") or "",
    }


def _goal(about: _MeasuredUnit, metrics: Found) -> dict[str, Any] | None:
    windowed, truncated = (
        metrics.get(("goal_alignment", "actions/windowed")),
        metrics.get(("goal_alignment", "actions/truncated")),
    )
    if (
        windowed is None
        or truncated is None
        or about.hidden("target_plan")
        or (windowed.detail["plan_level"] == "condition" and not about.committed)
    ):
        return None
    plan, whole = about.reference("target_plan"), about.unit.message is None
    cut = slice(0, about.turns)
    start = truncated.detail.get("truncated_from")
    scores = {
        "actions_windowed": windowed,
        "actions_truncated": truncated,
        "full_windowed": metrics.get(("goal_alignment", "full/windowed")),
        "full_truncated": metrics.get(("goal_alignment", "full/truncated")),
    }
    return {
        **{
            name: {**_value(metric), "band": band(metric.value if metric else None)}
            for name, metric in (scores.items() if whole else [])
        },
        "slope": _value(metrics.get(("goal_alignment_slope", "windowed"))) if whole else None,
        "windowed": windowed.detail["curve"][cut],
        "truncated": truncated.detail["curve"][cut],
        "local": windowed.detail["local"][cut],
        "tokens": truncated.detail["tokens"][cut],
        "truncated_from": start if start and start <= about.turns else None,
        "bands": BANDS[0],
        "bands_note": BANDS_NOTE,
        "model": windowed.detail["model"],
        "lexicon": windowed.detail["lexicon"],
        "plan": plan.body if plan else None,
        "plan_label": _called(about, plan),
        "stale": about.stale
        if plan is None
        or (plan.level, plan.version) != (windowed.detail["plan_level"], windowed.detail["plan_version"])
        else "",
    }


def _called(about: _MeasuredUnit, plan: Reference | None) -> str:
    """Return the plan's label. Its source is a file name, which may reveal the model, so only after the
    commit.
    """
    if plan is None:
        return ""
    return (
        f"{plan.label}: {plan.source}"
        if about.committed and plan.source and plan.level == "study"
        else plan.label
    )


def _steps(about: _MeasuredUnit, metrics: Found) -> dict[str, Any] | None:
    published, exclusive = metrics.get(("step_f1", "published")), metrics.get(("step_f1", "exclusive"))
    if published is None or exclusive is None or about.unit.message is not None or about.hidden("gold_steps"):
        return None
    gold, replies = about.reference("gold_steps"), about.replies()
    panel: dict[str, Any] = {
        "published": _value(published),
        "exclusive": _value(exclusive),
        "precision": published.detail["precision"],
        "recall": published.detail["recall"],
        "steps": published.detail["steps"],
        "gold": published.detail["gold"],
        "threshold": published.detail["threshold"],
        "pairs": None,
        "stale": "",
    }
    if gold is None or replies is None:
        return panel
    if step_inputs(replies, gold) != published.inputs:
        return {**panel, "stale": about.stale}
    steps = steps_of_replies(replies)
    pairs, contested = published.detail["pairs"], published.detail["contested"]
    return {
        **panel,
        "pairs": [_pair(steps[m], gold.body[g], value) for m, g, value in pairs],
        "contested": [_pair(steps[m], gold.body[g], value) for m, g, value in contested],
        "unmatched_gold": [text for g, text in enumerate(gold.body) if g not in {pair[1] for pair in pairs}],
        "unmatched_model": [
            text for m, text in enumerate(steps) if m not in {pair[0] for pair in [*pairs, *contested]}
        ],
    }


def _step_pairs(connection: Connection, about: _MeasuredUnit, rater_id: int) -> dict[str, Any] | None:
    """Return the pairs to judge, without their scores. None if there are none, or if this rater has seen the
    scores.
    """
    pairs = step_pairs_of_unit(connection, about.study, about.unit, rater_id)
    if (
        pairs is None
        or not pairs.offered
        or step_pairs.scores_shown(connection, rater_id, about.unit.id, pairs.inputs)
    ):
        return None
    verdicts = step_pairs.current(connection, rater_id, about.unit.id, pairs.inputs)
    return {
        "inputs": pairs.inputs,
        "pairs": [
            {
                "model_step": pair.model,
                "gold_step": pair.gold,
                "model": pairs.steps[pair.model],
                "gold": pairs.gold[pair.gold],
                "verdict": verdicts[pair.model, pair.gold].verdict.value
                if (pair.model, pair.gold) in verdicts
                else None,
            }
            for pair in pairs.offered
        ],
    }


def _pair(said: str, gold: str, value: float) -> dict[str, Any]:
    return {"model": said, "gold": gold, "dice": value, "shared": sorted(tokens(said) & tokens(gold))}


def _entities(about: _MeasuredUnit, metrics: Found) -> dict[str, Any] | None:
    metric = metrics.get(("entity_recall", "searched"))
    if metric is None or about.hidden("critical_entities"):
        return None
    entities, replies = about.reference("critical_entities"), about.replies()
    whole = about.unit.message is None
    panel: dict[str, Any] = {
        **(_value(metric) if whole else {"value": None, "why": ""}),
        "curve": metric.detail["curve"][: about.turns],
        "slope": _value(metrics.get(("entity_recall_slope", "searched"))) if whole else None,
        "entities": None,
        "stale": "",
    }
    if entities and replies is not None:
        fits = entity_inputs(replies, entities) == metric.inputs
        panel |= {"entities": entities.body} if fits else {"stale": about.stale}
    return panel


def _judge(study: Study, unit: Unit, judge: Judge, shown: list[Judgement]) -> dict[str, Any] | None:
    """Compute the numbers from the labels on the screen, so that they always agree."""
    metric = instrument_score(
        study,
        unit,
        judge.id,
        {judgement.criterion: judgement.label for judgement in shown if judgement.judge_id == judge.id},
    )
    if metric is None:
        return None
    panel: dict[str, Any] = {"name": judge.name, "metric": metric.metric, **_value(metric)}
    if metric.metric == "plan_alignment":
        judgements = {judgement.criterion: judgement for judgement in shown if judgement.judge_id == judge.id}
        return {
            **panel,
            "strategies": [
                {
                    "name": c.name,
                    "score": metric.detail["scores"].get(c.id),
                    "reasoning": judgements[c.id].reasoning if c.id in judgements else None,
                }
                for c in unit.criteria(study)
            ],
        }
    return {
        **panel,
        "passed": metric.detail["passed"],
        "gate_failed": metric.detail["gate_failed"],
        "applicable": metric.detail["applicable"],
        "categories": [[c.name, metric.detail["categories"][c.id]] for c in study.instrument.categories],
    }
