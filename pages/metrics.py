"""The metrics of a study: what was computed of its conversations, together and one by one."""

from __future__ import annotations

import streamlit as st

from data import conversations, judgements, metrics, units
from data.metrics import MetricValue
from data.store import Connection
from data.studies import Rater, Study
from pages.widgets import reader_session, untrusted_text
from pages.widgets.guard import whole_study_permitted
from pages.widgets.page_context import page_context
from pages.widgets.plans import numbers
from pages.widgets.unit_links import unit_links
from runs.scoring import judge_metrics
from scoring.figures import decimal
from scoring.models.configured import ModelMissing, entailment

LISTED = 500
NAMES = {
    ("goal_alignment", "actions/windowed"): "Goal alignment",
    ("goal_alignment", "actions/truncated"): "Goal alignment, beginning only",
    ("goal_alignment_slope", "windowed"): "Its slope per turn",
    ("step_f1", "published"): "Step-F1",
    ("step_f1", "exclusive"): "Step-F1, each step once",
    ("entity_recall", "searched"): "Entities at the last reply",
    ("entity_recall_slope", "searched"): "Their slope per turn",
    ("knowledge_conflict", "product"): "Conflict of advice",
    ("step_validity", "entailed"): "Steps that follow",
}
TOGETHER = {
    "validity_rate": "Plans with one or two known strategies",
    "jaccard_all": "Likeness of all pairs of plans (Jaccard)",
    "jaccard_valid_only": "Likeness of the valid plans",
    "modal_set_agreement": "Share of the most frequent plan",
    "bertscore_precision": "Likeness of the responses: BERTScore precision",
    "bertscore_recall": "BERTScore recall",
    "bertscore_f1": "BERTScore F1",
    "goal_alignment_average_slope": "Goal alignment: slope of the average curve",
    "entity_recall_average_slope": "Entity recall: slope of the average curve (truth decay)",
    "knowledge_conflict": "Conflict of advice: turns that contradict the turn before",
    "faithfulness_gap": "Faithfulness gap: right answers with reasoning minus without",
    "silent_bias_rate": "Silent bias: biased answers that do not mention the feature",
}
PAIRED = ("faithfulness_gap", "silent_bias_rate")
CURVES = {
    ("goal_alignment_average_slope", "actions/windowed"): "Goal alignment, average over conversations",
    ("entity_recall_average_slope", "searched"): "Entity recall, average over conversations",
}


def render() -> None:
    arrived = page_context(rating=False)
    if arrived is None:
        return
    study, reader = arrived
    untrusted_text.heading(f"Metrics: {study.title}", 1)
    st.button(
        "Not you? Choose another name",
        key="metrics-leave",
        type="tertiary",
        on_click=reader_session.forget_reader,
        args=(study,),
    )
    untrusted_text.paragraph(study.provenance, small=True)
    with reader_session.store().reading() as connection:
        present = metrics.present(connection, study.id)
        everything = conversations.ids(connection, study.id)
        # Made of the labels as they are now, so that number and labels never part.
        judged = [
            *judge_metrics.unit_metrics(connection, study, everything[:LISTED]),
            *judge_metrics.experiment_metrics(connection, study, everything),
        ]
        visible_conversations = (
            None
            if reader.rater is None
            else units.committed_conversations(connection, study.id, reader.rater.id)
        )
    coming = numbers.being_computed(study)
    if coming:
        st.info(
            "Numbers are being computed in the background, one study after the other. Here stands what is "
            "there by now; look again in a minute."
        )
    if not present and not any(m.subject.judge_id for m in judged):
        if not coming:
            st.info(
                f"Nothing was computed for this study yet. In a terminal: second-reader score {study.key}"
            )
        return
    # The name of a model and the numbers of a conversation still to be rated may tell what a blind rater must
    # not know.
    _together(
        [
            m
            for m in present
            if m.subject.key == metrics.STUDY and (visible_conversations is None or m.metric not in PAIRED)
        ]
    )
    _by_conversation(
        study,
        [
            m
            for m in present
            if m.subject.conversation_id
            and (visible_conversations is None or m.subject.conversation_id in visible_conversations)
        ],
        named=visible_conversations is None,
    )
    if visible_conversations is not None:
        untrusted_text.paragraph(
            "Of the conversations, those stand here of which you have rated everything.", small=True
        )
    _left_out(present)
    _judges(study, [m for m in judged if m.subject.judge_id], reader.rater)
    untrusted_text.paragraph(
        "What each number means, and where it misleads, is in docs/metrics.md. Where there is no number, "
        "there is a reason.",
        small=True,
    )


def _left_out(present: list[MetricValue]) -> None:
    """What this installation cannot compute, and what would have to be there."""
    if any(m.metric in ("goal_alignment", "step_f1", "entity_recall") for m in present) and not any(
        m.metric == "knowledge_conflict" for m in present
    ):
        try:
            entailment().entry()
        except ModelMissing as missing:
            untrusted_text.paragraph(
                f"Not computed: conflict of advice, steps that follow. {missing}", small=True
            )


def _together(metrics: list[MetricValue]) -> None:
    if not metrics:
        return
    rows = [[_together_name(m), _number(m), _interval(m), _basis(m), _reference(m)] for m in metrics]
    untrusted_text.table(
        "The study as a whole",
        ["What", "Value", "95% interval", "Rests on", "As the published program prints it"],
        rows,
        numeric=(1, 2, 4),
    )
    for model in _named_models(metrics):
        untrusted_text.paragraph(model, small=True)
    for metric in metrics:
        if (metric.metric, metric.variant) in CURVES:
            _curve(CURVES[metric.metric, metric.variant], metric)


def _together_name(metric: MetricValue) -> str:
    name = TOGETHER.get(metric.metric, metric.metric)
    if metric.variant in ("product", "searched", "actions/windowed"):
        return name
    return f"{name} ({'beginning only' if metric.variant == 'actions/truncated' else metric.variant})"


def _number(metric: MetricValue) -> str:
    return decimal(metric.value, 3) if metric.value is not None else f"none: {metric.undefined}"


def _named_models(metrics: list[MetricValue]) -> list[str]:
    return sorted(
        {
            f"{m.metric.split('_')[0]}: {m.detail['model']}"
            for m in metrics
            if "bertscore" in m.metric and m.detail.get("model")
        }
    )


def _interval(metric: MetricValue) -> str:
    low, high = metric.detail.get("low"), metric.detail.get("high")
    if low is not None and high is not None:
        return f"{decimal(low, 3)} to {decimal(high, 3)}"
    return f"none: {metric.detail['no_interval']}" if metric.detail.get("no_interval") else ""


def _basis(metric: MetricValue) -> str:
    counted = (
        "pairs"
        if metric.metric in ("faithfulness_gap", "knowledge_conflict")
        else "responses"
        if "bertscore" in metric.metric
        else "plans"
    )
    for key, word in (("conversations", "conversations"), ("biased", "biased answers"), ("n", counted)):
        if isinstance(metric.detail.get(key), int):
            return f"{metric.detail[key]:,} {word}"
    return ""


def _reference(metric: MetricValue) -> str:
    value = metric.detail.get("reference")
    return decimal(value, 3) if isinstance(value, float) else ""


def _curve(title: str, metric: MetricValue) -> None:
    """Gaps stay gaps; how many conversations stand behind each turn is said with it."""
    import plotly.graph_objects as go

    values, counts = metric.detail["curve"], metric.detail["n"]
    turns = list(range(1, len(values) + 1))
    figure = go.Figure(
        go.Scatter(
            x=turns,
            y=values,
            mode="lines+markers",
            connectgaps=False,
            customdata=counts,
            hovertemplate="turn %{x}: %{y:.3f}, %{customdata} conversations<extra></extra>",
        )
    )
    figure.update_layout(
        title=title,
        height=300,
        margin={"l": 40, "r": 10, "t": 40, "b": 40},
        xaxis={"title": "turn", "range": [0.5, len(values) + 0.5]},
        yaxis={"rangemode": "tozero"},
    )
    st.plotly_chart(figure, key=f"curve-{metric.metric}", config={"displayModeBar": False})
    with st.expander("Numbers by turn"):
        untrusted_text.table(
            title,
            ["Turn", "Mean", "Conversations"],
            [
                [str(turn), decimal(value, 3) if value is not None else "none", str(n)]
                for turn, value, n in zip(turns, values, counts, strict=True)
            ],
            numeric=(1, 2),
        )


def _by_conversation(study: Study, metrics: list[MetricValue], named: bool) -> None:
    """`named`: with the conversation's own id, which may tell a model or a condition, so raters see positions
    only.
    """
    columns = [key for key in NAMES if any((m.metric, m.variant) == key for m in metrics)]
    if not columns:
        return
    by_conversation: dict[int, dict[tuple[str, str], MetricValue]] = {}
    for metric in metrics:
        by_conversation.setdefault(metric.subject.conversation_id or 0, {})[metric.metric, metric.variant] = (
            metric
        )
    listed = list(by_conversation)[:LISTED]
    with reader_session.store().reading() as connection:
        names = _names(connection, study, listed, named)
    rows = [
        [
            names[number],
            *[
                _number(by_conversation[number][key]) if key in by_conversation[number] else ""
                for key in columns
            ],
        ]
        for number in listed
    ]
    untrusted_text.table(
        "Conversation by conversation",
        ["Conversation", *[NAMES[key] for key in columns]],
        rows,
        numeric=range(1, len(columns) + 1),
    )
    if len(by_conversation) > LISTED:
        untrusted_text.paragraph(f"The first {LISTED:,} of {len(by_conversation):,} are listed.", small=True)


def _names(
    connection: Connection, study: Study, listed: list[int], named: bool
) -> dict[int, str | untrusted_text.Link]:
    first: dict[int, int] = {}
    for unit in units.of_conversations(connection, listed):
        first.setdefault(unit.conversation_id, unit.position)
    if named:
        keys = dict(units.conversation_keys(connection, listed))
        return {number: keys[number] for number in listed}
    links = unit_links(study, first.values())
    return {
        number: links[first[number]] if number in first else f"Conversation {number}" for number in listed
    }


def _judges(study: Study, metrics: list[MetricValue], rater: Rater | None) -> None:
    """What is made of a judge's labels. Somebody who still rates blind sees it only after saying so, which is
    recorded.
    """
    if not metrics:
        return
    untrusted_text.heading("From the judge's labels", 2)
    if rater is None:
        reader_session.saw_everything(study)
    elif not whole_study_permitted(
        study,
        rater,
        "The judge's numbers of a unit stand on its Metrics tab once its judge was shown to you.",
    ):
        return
    with reader_session.store().reading() as connection:
        names = {judge.id: judge.name for judge in judgements.judges(connection, study.id)}
        conversations = sorted({m.subject.conversation_id for m in metrics if m.subject.conversation_id})
        positions = {unit.id: unit.position for unit in units.of_conversations(connection, conversations)}
    strategies = (
        {strategy.id: strategy.name for strategy in study.taxonomy.strategies} if study.taxonomy else {}
    )
    means = [m for m in metrics if m.metric == "alignment_mean"]
    if means:
        untrusted_text.table(
            "Plan-output alignment",
            ["Judge", "Counted", "Mean", "Trials"],
            [
                [
                    names[m.subject.judge_id or 0],
                    "judged trials only"
                    if m.variant == "judged"
                    else "as published: skipped, failed and unscored count 0",
                    _number(m),
                    f"{m.detail.get('n', m.detail['of'])} of {m.detail['of']}",
                ]
                for m in means
            ],
            numeric=(2, 3),
        )
        for mean in means:
            if mean.detail.get("per_strategy"):
                untrusted_text.table(
                    f"By strategy, {names[mean.subject.judge_id or 0]}",
                    ["Strategy", "Mean of its scores, divided by 2"],
                    [
                        [strategies.get(name, name), decimal(value, 3)]
                        for name, value in mean.detail["per_strategy"].items()
                    ],
                    numeric=(1,),
                )
    single = [m for m in metrics if m.subject.unit_id][:LISTED]
    if len([m for m in metrics if m.subject.unit_id]) > LISTED:
        untrusted_text.paragraph(f"The first {LISTED:,} units are listed.", small=True)
    if single:
        untrusted_text.table(
            "Unit by unit",
            ["Unit", "Judge", "What", "Value"],
            [
                [
                    str(positions[m.subject.unit_id or 0]),
                    names[m.subject.judge_id or 0],
                    m.metric.replace("_", " "),
                    _number(m) + _decision(m),
                ]
                for m in single
            ],
        )


def _decision(metric: MetricValue) -> str:
    passed = metric.detail.get("passed")
    if metric.metric != "rubric_score" or passed is None:
        return ""
    return (
        ", pass" if passed else ", rejected by the safety gate" if metric.detail["gate_failed"] else ", fail"
    )


if __name__ == "__main__":
    st.switch_page("app.py", query_params={**st.query_params.to_dict(), "page": "metrics"})
