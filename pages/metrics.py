"""The metrics of a study: what was computed, and whether it agrees with what clinicians said."""

from __future__ import annotations

import streamlit as st

from data.access.permissions import Action, Person, may
from data.record import step_pairs, units
from data.record.metrics import MetricValue
from data.record.studies import Rater, Study
from data.store.study_heads import StudyHead
from pages.widgets import reader_session, untrusted_text
from pages.widgets.blocks import show_blocks
from pages.widgets.guard import labels_permitted
from pages.widgets.memo import memoize, study_head
from pages.widgets.metrics.metrics_table import show_metrics
from pages.widgets.opening_line import ALL_DETAILS, opening_line
from pages.widgets.page_context import page_context
from pages.widgets.plans import numbers
from reports.document import Block
from reports.metrics import faithfulness, judge_label_blocks, step_threshold
from reports.metrics.answer import NO_VALUE
from reports.metrics.answer_of_study import answer_for_rater, metrics_answer
from reports.metrics.by_conversation import conversations_table
from reports.metrics.findings import MetricsFindings, gather_metrics
from reports.metrics.missing_values import missing_table, missing_title
from reports.metrics.not_computed import READING, not_computed, nothing_computed
from reports.metrics.whole_study import average_curves, study_table
from runs.scoring import shown_metrics
from runs.scoring.metrics import step_f1, step_f1_thresholds

STEP_SCORES = (step_f1.NAME, step_f1_thresholds.NAME)
COMING = "Numbers are being computed."
MAX_ROWS_LISTED = 500  # conversations, and units; the exported report lists all


def render() -> None:
    """Draw the Metrics page."""
    arrived = page_context(rating=False)
    if arrived is None:
        return
    study, reader = arrived
    with reader_session.store().reading() as connection:
        findings = gather_metrics(connection, study, MAX_ROWS_LISTED)
        head = study_head(
            connection, study
        )  # the head of what was read: more numbers may be computed meanwhile
    coming = numbers.being_computed(study)
    with st.container(key="answer-page", gap="small"):
        if findings.nothing:
            untrusted_text.heading(COMING if coming else NO_VALUE, 1)
            _provenance(study)
            if not coming:
                with reader_session.store().reading() as connection:
                    sentence = nothing_computed(connection, study, for_lead=reader.leads)
                st.info(sentence)
        elif reader.rater is None:
            reader_session.saw_everything(study)
            _whole(study, findings, head, reader)
        else:
            _of_rater(study, findings, reader, reader.rater)
        if coming:
            st.info(
                "Numbers are being computed in the background, one study after another. This page "
                "shows those that are ready; reload it in a minute."
            )


def _whole(study: Study, findings: MetricsFindings, head: StudyHead, reader: Person) -> None:
    """Show a study lead the answer, one line per metric, and the details behind expanders."""
    with reader_session.store().reading() as connection:
        answer = memoize(
            "metrics-answer",
            study.id,
            head,
            lambda: metrics_answer(connection, study, findings),
        )
    untrusted_text.heading(answer.headline, 1)
    _provenance(study)
    if answer.evidence is not None:
        show_metrics(study, answer, answer.evidence, findings.of_study, named=True)
    show_blocks(study, study_table(answer.of_study))
    if answer.missing:
        line = opening_line(missing_title(answer.missing), "without_value")
        if line.open:
            with line:
                show_blocks(study, [missing_table(answer.missing), *not_computed(findings.present)])
    everything = opening_line(ALL_DETAILS, "everything")
    if everything.open:
        with everything:
            _together(study, findings.of_study)
            _faithfulness(study, findings)
            _step_threshold(study, findings)
            _by_conversation(study, findings.of_conversations, named=True)
            _judges(study, findings, reader)
            show_blocks(study, [READING])


def _of_rater(study: Study, findings: MetricsFindings, reader: Person, rater: Rater) -> None:
    """Show a rater the few numbers that they may see.

    The name of a model, and numbers of a conversation that is still to be rated, may reveal what a blind
    rater must not know. So may a mean: late turns can rest on one conversation, and a mean of two reveals the
    second to somebody who knows the first.
    """
    with reader_session.store().reading() as connection:
        visible = units.committed_conversations(connection, study.id, rater.id)
        whole_study = bool(may(connection, reader, Action.SEE_NUMBERS, study))
    own = [metric for metric in findings.of_conversations if metric.subject.conversation_id in visible]
    withheld = _withheld_steps(rater, own)
    shown = [
        metric
        for metric in own
        if not (metric.metric in STEP_SCORES and metric.subject.conversation_id in withheld)
    ]
    of_study = [metric for metric in findings.of_study if not shown_metrics.is_lead_only(metric)]
    answer = answer_for_rater(
        shown,
        of_study if whole_study else [],
        len(visible),
        dict.fromkeys(STEP_SCORES, len(withheld)),
    )
    untrusted_text.heading(answer.headline, 1)
    _provenance(study)
    if answer.evidence is not None:
        show_metrics(study, answer, answer.evidence, of_study if whole_study else [], named=False)
    if whole_study:
        _together(study, of_study)
    _by_conversation(study, shown, named=False)
    untrusted_text.paragraph(_left_out(visible, whole_study), small=True)
    if withheld:
        untrusted_text.paragraph(
            "You see the Step-F1 of a conversation here once its Metrics tab has shown you how its "
            "steps match.",
            small=True,
        )
    show_blocks(study, not_computed(findings.present, for_lead=False))
    _judges(study, findings, reader)
    show_blocks(study, [READING])


def _provenance(study: Study) -> None:
    if study.provenance:
        untrusted_text.paragraph(study.provenance, small=True)


def _withheld_steps(rater: Rater, values: list[MetricValue]) -> set[int | None]:
    """Return the ids of conversations whose step pairs this rater can still judge unseen."""
    with_steps = {value.subject.conversation_id for value in values if value.metric == step_f1.NAME}
    if not with_steps:
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
    """Show faithfulness to study leads only: names of models may reveal what a blind rater must not know."""

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
    """Say what the page doesn't show a rater yet, and until when."""
    none_yet = "" if visible_conversations else "; there are none yet"
    sentence = f"This page shows the conversations that you have finished rating{none_yet}."
    if whole_study:
        return sentence
    return (
        f"{sentence} You will see means and curves for the whole study once you have nothing left to "
        "rate. Until then, they would reveal something about conversations that you may still rate blind."
    )


def _together(study: Study, values: list[MetricValue]) -> None:
    show_blocks(study, study_table(values))
    for curve in average_curves(values):
        show_blocks(study, [curve.chart])
        with st.expander("Numbers by turn"):
            show_blocks(study, [curve.table])


def _by_conversation(study: Study, values: list[MetricValue], named: bool) -> None:
    """`named`: show the conversation's own id. It may reveal a model or a condition, so raters see positions
    only.
    """
    with reader_session.store().reading() as connection:
        blocks = list(conversations_table(connection, values, named, MAX_ROWS_LISTED, study.noun))
    show_blocks(study, blocks)


def _judges(study: Study, findings: MetricsFindings, reader: Person) -> None:
    """Show metrics made of a judge's labels. A blind rater has to ask for them, and that is recorded."""
    if not findings.has_judge_part:
        return
    untrusted_text.heading(judge_label_blocks.TITLE, 2)
    if not labels_permitted(
        study,
        reader,
        f"The Metrics tab of a {study.noun.singular} shows the judge's numbers once you have seen the "
        "judge's labels for it.",
    ):
        return
    with reader_session.store().reading() as connection:
        blocks: list[Block] = list(
            judge_label_blocks.judge_blocks(connection, study, findings, MAX_ROWS_LISTED, reader.leads)
        )
    show_blocks(study, blocks)
