"""The metrics of a study: what was computed of its conversations, together and one by one."""

from __future__ import annotations

import streamlit as st

from data import step_pairs, units
from data.metrics import MetricValue
from data.studies import Rater, Study
from data.work import blindness
from pages.widgets import reader_session, untrusted_text
from pages.widgets.blocks import show_blocks
from pages.widgets.guard import whole_study_permitted
from pages.widgets.page_context import page_context
from pages.widgets.plans import numbers
from reports.document import Block
from reports.metrics import faithfulness, from_judges, step_threshold
from reports.metrics.by_conversation import conversations_table
from reports.metrics.findings import MetricsFindings, gather_metrics
from reports.metrics.not_computed import READING, not_computed, nothing_computed
from reports.metrics.whole_study import average_curves, study_table
from runs.scoring import shown_metrics
from runs.scoring.metrics import step_f1, step_f1_thresholds

STEP_SCORES = (step_f1.NAME, step_f1_thresholds.NAME)
LISTED = 500  # conversations, and numbers of units; the report as files has all


def render() -> None:
    arrived = page_context(rating=False)
    if arrived is None:
        return
    study, reader = arrived
    untrusted_text.heading(f"Metrics: {study.title}", 1)
    untrusted_text.paragraph(study.provenance, small=True)
    with reader_session.store().reading() as connection:
        findings = gather_metrics(connection, study, LISTED)
        visible_conversations = (
            None
            if reader.rater is None
            else units.committed_conversations(connection, study.id, reader.rater.id)
        )
        whole_study = reader.rater is None or blindness.has_nothing_blind_left(
            connection, study, reader.rater.id
        )
    coming = numbers.being_computed(study)
    if coming:
        st.info(
            "Numbers are being computed in the background, one study after the other. Here stands what is "
            "there by now; look again in a minute."
        )
    if findings.nothing:
        if not coming:
            with reader_session.store().reading() as connection:
                sentence = nothing_computed(connection, study)
            st.info(sentence)
        return
    # The name of a model and the numbers of a conversation still to be rated may tell what a blind rater must
    # not know. So may a mean: late turns rest on one conversation, and of a mean of two the other is known.
    if whole_study:
        _together(
            study,
            [
                metric
                for metric in findings.of_study
                if visible_conversations is None or not shown_metrics.is_lead_only(metric)
            ],
        )
    if reader.rater is None:
        _faithfulness(study, findings)
        _step_threshold(study, findings)
    own = [
        metric
        for metric in findings.of_conversations
        if visible_conversations is None or metric.subject.conversation_id in visible_conversations
    ]
    withheld = _withheld_steps(reader.rater, own)
    _by_conversation(
        study,
        [
            metric
            for metric in own
            if not (metric.metric in STEP_SCORES and metric.subject.conversation_id in withheld)
        ],
        named=visible_conversations is None,
    )
    if visible_conversations is not None:
        untrusted_text.paragraph(_left_out(visible_conversations, whole_study), small=True)
    if withheld:
        untrusted_text.paragraph(
            "Step-F1 of a conversation stands here once the Metrics tab of its unit has shown you how its "
            "steps meet.",
            small=True,
        )
    show_blocks(study, not_computed(findings.present))
    _judges(study, findings, reader.rater)
    show_blocks(study, [READING])


def _withheld_steps(rater: Rater | None, values: list[MetricValue]) -> set[int | None]:
    """The conversations of whose pairs of steps this rater may still say something without having seen how
    they meet.
    """
    with_steps = {value.subject.conversation_id for value in values if value.metric == step_f1.NAME}
    if rater is None or not with_steps:
        return set()
    with reader_session.store().reading() as connection:
        shown = step_pairs.exposures_of(connection, rater.id)
    not_asked_about = {
        value.subject.conversation_id
        for value in values
        if value.metric == step_f1_thresholds.NAME
        and (not value.detail.get("offered") or value.detail["pairs"] in shown.inputs)
    }
    return with_steps - not_asked_about - shown.conversations


def _faithfulness(study: Study, findings: MetricsFindings) -> None:
    """The names of models may tell what a blind rater must not know, so it is for study leads."""

    def blocks(bands: bool) -> list[Block]:
        with reader_session.store().reading() as connection:
            values = findings.of_conversations
            return list(faithfulness.faithfulness_blocks(connection, study, values, bands))

    if not blocks(False):
        return
    untrusted_text.heading(faithfulness.TITLE, 2)
    bands = st.checkbox(
        "Published bands of Step-F1, 0.4 and 0.7 (uncalibrated)", key=f"metrics-bands-{study.id}"
    )
    show_blocks(study, blocks(bands))


def _step_threshold(study: Study, findings: MetricsFindings) -> None:
    with reader_session.store().reading() as connection:
        blocks = list(step_threshold.threshold_blocks(connection, study, findings.of_study))
    if blocks:
        untrusted_text.heading(step_threshold.TITLE, 2)
        show_blocks(study, blocks)


def _left_out(visible_conversations: set[int], whole_study: bool) -> str:
    """What a rater is not shown, and until when."""
    none_yet = "" if visible_conversations else ": none yet"
    sentence = f"Of the conversations, those stand here of which you have rated everything{none_yet}."
    if whole_study:
        return sentence
    return (
        f"{sentence} Means and curves of the study as a whole stand here once nothing is left for you to "
        "rate: they would tell of conversations that you may still rate blind."
    )


def _together(study: Study, values: list[MetricValue]) -> None:
    show_blocks(study, study_table(values))
    for curve in average_curves(values):
        show_blocks(study, [curve.chart])
        with st.expander("Numbers by turn"):
            show_blocks(study, [curve.table])


def _by_conversation(study: Study, values: list[MetricValue], named: bool) -> None:
    """`named`: with the conversation's own id, which may tell a model or a condition, so raters see positions
    only.
    """
    with reader_session.store().reading() as connection:
        blocks = list(conversations_table(connection, values, named, LISTED))
    show_blocks(study, blocks)


def _judges(study: Study, findings: MetricsFindings, rater: Rater | None) -> None:
    """What is made of a judge's labels. Somebody who still rates blind sees it only after saying so, which is
    recorded.
    """
    if not findings.has_judge_part:
        return
    untrusted_text.heading(from_judges.TITLE, 2)
    if rater is None:
        reader_session.saw_everything(study)
    elif not whole_study_permitted(
        study,
        rater,
        "The judge's numbers of a unit stand on its Metrics tab once its judge was shown to you.",
    ):
        return
    with reader_session.store().reading() as connection:
        blocks: list[Block] = list(from_judges.judge_blocks(connection, study, findings, LISTED))
    show_blocks(study, blocks)
