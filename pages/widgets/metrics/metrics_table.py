"""The metrics of a study, one line each, and below them the open one."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlencode

import streamlit as st

from data.exporters.csv_cells import cell
from data.record import units
from data.record.metrics import MetricValue
from data.record.studies import Study
from data.store.batch_sizes import MAX_IDS_PER_QUERY
from pages.widgets import reader_session, untrusted_text
from pages.widgets.blocks import show_block, show_blocks
from pages.widgets.chart import draw_chart
from pages.widgets.evidence.component import chosen_row, draw_evidence
from pages.widgets.evidence.table_data import evidence_data
from pages.widgets.unit_links import coming_from, unit_links
from pages.widgets.unit_names import name_units
from pages.widgets.untrusted_text import Link
from reports.document import Evidence
from reports.figures.metric_values import histogram, values_beside_labels
from reports.figures.turn_curves import CONFIG
from reports.metrics.answer_of_study import MetricsAnswer
from reports.metrics.metric_details import notes_of, relation_forest, whole_study_blocks
from reports.metrics.metric_numbers import HALVES, MetricNumbers

TABLE = "evidence-metrics"
LIST_HEIGHT, ROW_HEIGHT = 300, 35


def show_metrics(
    study: Study, answer: MetricsAnswer, evidence: Evidence, of_study: Sequence[MetricValue], named: bool
) -> None:
    """Show the metrics. `of_study`: numbers of the whole study. `named`: with ids of conversations, which may
    reveal a model or a condition.
    """
    chosen = chosen_row(TABLE)
    opened = answer.numbers(st.query_params.get("metric", "") if chosen is None else chosen)
    draw_evidence(TABLE, evidence_data(evidence, {}, {}, opened.key if opened else "", opens_below=True))
    if opened is not None:
        with st.container(key="opened-metric", gap="small"):
            _show_opened(study, answer, opened, of_study, named)


def _show_opened(
    study: Study, answer: MetricsAnswer, numbers: MetricNumbers, of_study: Sequence[MetricValue], named: bool
) -> None:
    untrusted_text.heading(numbers.name, 2)
    note = notes_of(numbers)
    if note:
        untrusted_text.paragraph(note, small=True)
    listing, drawing = st.columns([2, 3], gap="medium")
    positions = _positions(numbers)
    names = _names(study, numbers, positions, named)
    with listing:
        _list(study, numbers, positions, names)
    if len(numbers.scores) >= HALVES:
        with drawing:
            draw_chart(
                histogram(numbers.scores.value.tolist(), numbers.name, numbers.counted[1]),
                key=f"values-{numbers.key}",
                config=CONFIG,
            )
    _beside_labels(answer, numbers, names)
    show_blocks(study, whole_study_blocks(numbers, of_study))


def _list(study: Study, numbers: MetricNumbers, positions: dict[int, int], names: dict[int, str]) -> None:
    """List the values from the smallest, missing ones last, each with a link to its unit's Metrics tab."""
    values = {subject: numbers.scores.get(subject) for subject in names}
    subjects = sorted(names, key=lambda subject: (values[subject] is None, values[subject] or 0.0, subject))
    with coming_from(f"metrics?{urlencode({'metric': numbers.key})}"):
        links = unit_links(study, sorted(positions.values()))
    undefined = {_subject(numbers, value): value.undefined or "" for value in numbers.values}
    columns: dict[str, list[str | float | None]] = {
        "Name": [cell(names[subject]) for subject in subjects],
        "Value": [values[subject] for subject in subjects],
        "Open": [_target(links.get(positions.get(subject, 0))) for subject in subjects],
    }
    if numbers.reasons:
        columns["Why it is missing"] = [cell(undefined.get(subject, "")) for subject in subjects]
    st.dataframe(
        columns,
        height=min(LIST_HEIGHT, ROW_HEIGHT * (len(subjects) + 1) + 3),
        hide_index=True,
        key=f"list-{numbers.key}",
        column_config={
            "Name": st.column_config.TextColumn(numbers.counted[0].capitalize()),
            "Value": st.column_config.NumberColumn(format="%.3f"),
            "Open": st.column_config.LinkColumn(display_text="Open"),
        },
    )


def _target(link: str | Link | None) -> str | None:
    return link.target if isinstance(link, Link) else None


def _beside_labels(answer: MetricsAnswer, numbers: MetricNumbers, names: dict[int, str]) -> None:
    """Show how the metric agrees with each criterion, and the points of one of them."""
    comparison = answer.comparison
    relation = comparison.relations.get(numbers.key) if comparison else None
    if comparison is None or relation is None or not comparison.has_numbers:
        return
    drawing, points = st.columns([2, 1], gap="medium")
    several = len(comparison.criteria) > 1
    if several:  # for a single criterion, the table's line has it
        with drawing:
            show_block(relation_forest(comparison, relation), {})
    with points if several else drawing:
        criterion = (
            st.selectbox(
                "Criterion",
                range(len(comparison.criteria)),
                index=relation.clearest,
                format_func=lambda place: comparison.criteria[place],
                key=f"criterion-{numbers.key}",
            )
            if several
            else 0
        )
        both, values, means = numbers.scores.beside(comparison.means[criterion])
        draw_chart(
            values_beside_labels(
                values.tolist(),
                means.tolist(),
                [names.get(subject, "") for subject in both.tolist()],
                numbers.name,
                comparison.criteria[criterion],
            ),
            key=f"labels-{numbers.key}",
            config=CONFIG,
        )


def _subject(numbers: MetricNumbers, value: MetricValue) -> int:
    """Return the conversation of a value, or the unit of a judge's value."""
    return (value.subject.conversation_id if numbers.judge is None else value.subject.unit_id) or 0


def _positions(numbers: MetricNumbers) -> dict[int, int]:
    """Return, by conversation or unit, the position of its first unit in the study."""
    ids = sorted({value.subject.conversation_id or 0 for value in numbers.values})
    positions: dict[int, int] = {}
    with reader_session.store().reading() as connection:
        for first in range(0, len(ids), MAX_IDS_PER_QUERY):
            for unit in reversed(units.of_conversations(connection, ids[first : first + MAX_IDS_PER_QUERY])):
                positions[unit.conversation_id if numbers.judge is None else unit.id] = unit.position
    wanted = {_subject(numbers, value) for value in numbers.values}
    return {subject: position for subject, position in positions.items() if subject in wanted}


def _names(study: Study, numbers: MetricNumbers, positions: dict[int, int], named: bool) -> dict[int, str]:
    """Return the name of each conversation or unit."""
    subjects = {_subject(numbers, value) for value in numbers.values}
    if numbers.judge is not None or not named:
        names = name_units(study, reader_session.reader(study), positions.values())
        return {subject: names[positions[subject]] for subject in subjects if subject in positions}
    ids = sorted(subjects)
    with reader_session.store().reading() as connection:
        return {
            conversation: key
            for first in range(0, len(ids), MAX_IDS_PER_QUERY)
            for conversation, key in units.conversation_keys(
                connection, ids[first : first + MAX_IDS_PER_QUERY]
            )
        }
