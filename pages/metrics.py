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
from reports.figures.mean_curve import mean_curve
from runs.scoring import judge_metrics, shown_metrics
from scoring.figures import decimal
from scoring.models.configured import ModelMissing, entailment

LISTED = 500


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
            if m.subject.key == metrics.STUDY
            and (visible_conversations is None or not shown_metrics.is_lead_only(m))
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
    titles = shown_metrics.titles_without_entailment(present)
    if titles:
        try:
            entailment().entry()
        except ModelMissing as missing:
            untrusted_text.paragraph(f"Not computed: {', '.join(titles)}. {missing}", small=True)
    for problem in shown_metrics.problems():
        untrusted_text.paragraph(problem, small=True)


def _together(metrics: list[MetricValue]) -> None:
    if not metrics:
        return
    rows = [
        [shown_metrics.study_title(m), _number(m), _interval(m), shown_metrics.basis(m), _reference(m)]
        for m in metrics
    ]
    untrusted_text.table(
        "The study as a whole",
        ["What", "Value", "95% interval", "Rests on", "As the published program prints it"],
        rows,
        numeric=(1, 2, 4),
    )
    for model in shown_metrics.named_models(metrics):
        untrusted_text.paragraph(model, small=True)
    for metric in metrics:
        title = shown_metrics.curve_title(metric)
        if title:
            _curve(title, metric)


def _number(metric: MetricValue) -> str:
    return decimal(metric.value, 3) if metric.value is not None else f"none: {metric.undefined}"


def _interval(metric: MetricValue) -> str:
    low, high = metric.detail.get("low"), metric.detail.get("high")
    if low is not None and high is not None:
        return f"{decimal(low, 3)} to {decimal(high, 3)}"
    return f"none: {metric.detail['no_interval']}" if metric.detail.get("no_interval") else ""


def _reference(metric: MetricValue) -> str:
    value = metric.detail.get("reference")
    return decimal(value, 3) if isinstance(value, float) else ""


def _curve(title: str, metric: MetricValue) -> None:
    """With its numbers."""
    values, counts = metric.detail["curve"], metric.detail["n"]
    figure = mean_curve(title, values, counts)
    st.plotly_chart(figure, key=f"curve-{metric.metric}", config={"displayModeBar": False})
    with st.expander("Numbers by turn"):
        untrusted_text.table(
            title,
            ["Turn", "Mean", "Conversations"],
            [
                [str(turn), decimal(value, 3) if value is not None else "none", str(n)]
                for turn, (value, n) in enumerate(zip(values, counts, strict=True), start=1)
            ],
            numeric=(1, 2),
        )


def _by_conversation(study: Study, metrics: list[MetricValue], named: bool) -> None:
    """`named`: with the conversation's own id, which may tell a model or a condition, so raters see positions
    only.
    """
    titles = shown_metrics.column_titles()
    columns = [key for key in titles if any((m.metric, m.variant) == key for m in metrics)]
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
        ["Conversation", *[titles[key] for key in columns]],
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
                    shown_metrics.unit_title(m),
                    _number(m) + shown_metrics.remark(m),
                ]
                for m in single
            ],
        )


if __name__ == "__main__":
    st.switch_page("app.py", query_params={**st.query_params.to_dict(), "page": "metrics"})
