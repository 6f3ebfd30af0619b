"""Step validity: does each step follow from what the user said first and the steps before it?

Gold steps are not needed. Without them it is computed only where the assistant set its reasoning apart, or
each ordinary conversation would be checked sentence by sentence.
"""

from __future__ import annotations

from data.record.metrics import inputs_hash
from runs.scoring.metric_spec import ConversationMetric, MetricCase, MetricResult, ShownColumn
from runs.scoring.metrics._texts import inputs_of_failures
from scoring.step_f1 import steps_of_replies
from scoring.step_validity import step_validity

NAME = "step_validity"


def _validity(case: MetricCase) -> MetricResult:
    model = case.entailment_model
    result = step_validity(_prompt(case), steps_of_replies(case.replies), model)
    return MetricResult(
        result.valid.value,
        result.valid.undefined,
        "entailed",
        {"verdicts": list(result.verdicts), "failed": result.failed, "model": model.label},
        version=f"1; {model.label}",
        inputs=inputs_of_failures(_inputs(case), result.failed),
    )


def _inputs(case: MetricCase) -> str:
    return inputs_hash(NAME, "1", case.entailment_model.label, _prompt(case), case.replies)


def _prompt(case: MetricCase) -> str:
    return next((message.text for message in case.messages if message.role == "user"), "")


METRIC = ConversationMetric(
    name=NAME,
    title="step validity",
    order=70,
    needs=("reasoning", "entailment"),
    compute=_validity,
    inputs=_inputs,
    columns=(ShownColumn("Steps that follow", "entailed"),),
)
